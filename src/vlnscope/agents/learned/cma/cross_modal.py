"""The network of CMA: what is seen and heard meets by attention between two recurrent units.

Cross-modal attention (Krantz et al., ECCV 2020): the first unit follows what is seen; its state asks the
words, what they answer asks the cells of the images, and the second unit decides from all of these.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.cma.attention import attend_cells, attend_words
from vlnscope.agents.learned.cma.config import CmaConfig
from vlnscope.agents.learned.cma.instructions import Instructions
from vlnscope.agents.learned.cma.policy import PolicyNet
from vlnscope.agents.learned.cma.recurrence import GruOutput, MaskedGru, PooledGruOutput, PoolingGru
from vlnscope.agents.learned.cma.steps import Steps


class EncodedSense(NamedTuple):
    """What one sense saw, a row for each step that there is.

    Attributes:
        whole: (M, size) as one vector.
        cells: (M, hidden / 2 + size, cells) keys, then values.
    """

    whole: Tensor
    cells: Tensor

    def followed(self, steps: Steps) -> EncodedSense:
        """Return the same for each agent, where agents share walks."""
        return EncodedSense(steps.followed(self.whole), steps.followed(self.cells))


class TourMemory(NamedTuple):
    """How long an agent remembers.

    Attributes:
        tour: whether its recurrent units go on from one episode of a tour to the next.
        pool: whether it has a memory of the greatest that its first unit said in a tour.
        at_end: whether that memory also takes part in the decision itself.
    """

    tour: bool = False
    pool: bool = False
    at_end: bool = False


class CrossModalNet(PolicyNet):
    """CMA but for its senses, which are two."""

    _scale: Tensor

    def __init__(self, config: CmaConfig, tour_memory: TourMemory, senses: tuple[int, int]) -> None:
        super().__init__(config, both_ways=True)
        hidden, heard_size = config.hidden, self.instruction_encoder.width
        self.tour_memory, self.spans = tour_memory, tour_memory.tour and config.state_spans_tour
        self.key_size, self.slots = hidden // 2, 2 + tour_memory.pool
        unit = PoolingGru if tour_memory.pool else MaskedGru
        self.state_encoder = unit(sum(senses) + config.action_size, hidden)
        self.state_q = nn.Linear(hidden, self.key_size)
        self.text_k = nn.Conv1d(heard_size, self.key_size, 1)
        self.text_q = nn.Linear(heard_size, self.key_size)
        self.register_buffer("_scale", torch.tensor(self.key_size**-0.5))
        met = hidden + heard_size + sum(senses) + config.action_size
        self.second_state_compress = nn.Sequential(nn.Linear(met, hidden), nn.ReLU())
        self.second_state_encoder = MaskedGru(hidden, hidden)
        self.out_layer: Any = None
        if tour_memory.at_end:
            self.out_layer = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU())

    @abstractmethod
    def look(self, steps: Steps) -> tuple[EncodedSense, EncodedSense]:
        """Return what both senses see."""

    def forward(self, words: Instructions, steps: Steps, state: Tensor) -> tuple[Tensor, Tensor]:
        """Follow what is seen, ask words and cells, and decide."""
        first_sense, second_sense = self.look(steps)
        seen = first_sense.followed(steps), second_sense.followed(steps)
        before = self.embed_previous(steps)
        wholes = [steps.scattered(each.whole) for each in seen]
        first = self._follow(torch.cat([*wholes, *before], dim=-1), steps, state)
        asked = self._ask(first.gru.outputs[steps.valid], words, steps, seen)
        met = torch.cat([steps.scattered(asked), *before], dim=-1)
        keeps = steps.same_tour if self.spans else steps.same_episode
        second = self.second_state_encoder(self.second_state_compress(met), state[:, 1], keeps, steps.valid)
        features, after = second.outputs, [first.gru.state, second.state]
        if self.tour_memory.pool:
            after.append(first.memory)
        if self.out_layer is not None:
            features = self.out_layer(torch.cat([features, first.memory_before], dim=-1))
        return features, torch.stack(after, dim=1)

    def _follow(self, x: Tensor, steps: Steps, state: Tensor) -> PooledGruOutput:
        keeps = steps.same_tour if self.tour_memory.tour else steps.same_episode
        if isinstance(self.state_encoder, PoolingGru):
            masks = (keeps, steps.same_tour, steps.valid)
            return self.state_encoder.pool(x, state[:, 0], state[:, 2], *masks)
        gru: GruOutput = self.state_encoder(x, state[:, 0], keeps, steps.valid)
        return PooledGruOutput(gru, gru.outputs[:0], gru.state)

    def _ask(
        self, state: Tensor, words: Instructions, steps: Steps, seen: tuple[EncodedSense, EncodedSense]
    ) -> Tensor:
        """(M, …): the state, the words that it asks for, and the cells that these ask for."""
        keys = self.text_k(words.context.transpose(1, 2))
        text = attend_words(
            self.state_q(state), keys, words.context, words.mask, steps.text[steps.valid], self._scale
        )
        query = self.text_q(text)
        cells = [
            attend_cells(query, each.cells[:, : self.key_size], each.cells[:, self.key_size :], self._scale)
            for each in seen
        ]
        return torch.cat([state, text, *cells], dim=1)


def flat_linear(inward: int, outward: int) -> nn.Sequential:
    """Return a layer over all cells at once."""
    return nn.Sequential(nn.Flatten(), nn.Linear(inward, outward), nn.ReLU())
