"""Recurrent units over steps at which some rows begin anew, and the memory of tours that PoolCMA adds."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


class GruOutput(NamedTuple):
    """What a recurrent unit made of steps.

    Attributes:
        spoken: (T, B, hidden) its state after each.
        state: (B, hidden) its state after all.
    """

    spoken: Tensor
    state: Tensor


class PooledGruOutput(NamedTuple):
    """What a recurrent unit with a memory made of steps.

    Attributes:
        passed: what it made of them.
        known: (T, B, hidden) the memory before each.
        memory: (B, hidden) the memory after all.
    """

    passed: GruOutput
    known: Tensor
    memory: Tensor


class MaskedGru(nn.Module):
    """A gated recurrent unit whose state is forgotten before some steps."""

    def __init__(self, inward: int, hidden: int) -> None:
        super().__init__()
        self.rnn: Any = nn.GRU(inward, hidden)
        for name, weight in self.rnn.named_parameters():
            if name.startswith("weight"):
                nn.init.orthogonal_(weight)
            else:
                nn.init.zeros_(weight)

    def forward(self, x: Tensor, state: Tensor, same_episode: Tensor, valid: Tensor) -> GruOutput:
        """Go through steps.

        Args:
            x: (T, B, inward) what is put in.
            state: (B, hidden) to start from.
            same_episode: (T, B) whether the state is kept; else a step starts from zeros.
            valid: (T, B) which steps there are; others change nothing.
        """
        spoken: list[Tensor] = []
        weighed = self._weighed(x)
        for each, kept, real in zip(weighed, same_episode[..., None], valid[..., None], strict=True):
            state = torch.where(real, self._advanced(each, state * kept), state)
            spoken.append(state)
        return GruOutput(torch.stack(spoken), state)

    def _weighed(self, x: Tensor) -> Tensor:
        """(…, 3 hidden): gates as far as what is put in decides them, which may be the first columns only."""
        columns = self.rnn.weight_ih_l0[:, : x.shape[-1]]
        return functional.linear(x, columns, self.rnn.bias_ih_l0)

    def _advanced(self, weighed: Tensor, state: Tensor) -> Tensor:
        reset, update, new = weighed.chunk(3, dim=-1)
        back = functional.linear(state, self.rnn.weight_hh_l0, self.rnn.bias_hh_l0)
        again_reset, again_update, again_new = back.chunk(3, dim=-1)
        kept = torch.sigmoid(update + again_update)
        fresh = torch.tanh(new + torch.sigmoid(reset + again_reset) * again_new)
        return fresh + kept * (state - fresh)


class PoolingGru(MaskedGru):
    """A recurrent unit that also hears the greatest it ever said in a tour; no gradient goes through that."""

    def __init__(self, inward: int, hidden: int) -> None:
        super().__init__(inward + hidden, hidden)

    def pool(
        self, x: Tensor, state: Tensor, memory: Tensor, same_episode: Tensor, same_tour: Tensor, valid: Tensor
    ) -> PooledGruOutput:
        """Go through steps.

        Args:
            x: (T, B, inward) what is put in besides the memory.
            state: (B, hidden) to start from.
            memory: (B, hidden) likewise.
            same_episode: (T, B) whether the state is kept.
            same_tour: (T, B) whether the memory is kept.
            valid: (T, B) which steps there are.
        """
        spoken: list[Tensor] = []
        known: list[Tensor] = []
        hears = self.rnn.weight_ih_l0[:, x.shape[-1] :]
        steps = zip(
            self._weighed(x), *(mask[..., None] for mask in (same_episode, same_tour, valid)), strict=True
        )
        for each, kept, same_tour, real in steps:
            entered = memory * same_tour
            after = self._advanced(each + functional.linear(entered, hears), state * kept)
            state = torch.where(real, after, state)
            memory = torch.where(real, torch.maximum(entered, after.detach()), memory)
            spoken.append(state)
            known.append(entered)
        return PooledGruOutput(GruOutput(torch.stack(spoken), state), torch.stack(known), memory)
