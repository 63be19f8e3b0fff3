"""Episodes that were walked, side by side in one batch to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from vlnscope.agents.learned.cma.losses import INFLECTION, inflection_weights
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps


@dataclass(frozen=True)
class WalkedEpisode:
    """One episode, as an expert or the agent itself walked it.

    Attributes:
        words: (L) ids of the instruction with zeros at the end, or (L, word_size) vectors.
        sights: what was seen; tensors begin with the T steps.
        previous: (T) the actions before.
        actions: (T) what the expert would do.
        progress: (T) the share of the way behind the agent.
        begins_tour: whether it is the first of a tour.
    """

    words: Tensor
    sights: Sights
    previous: Tensor
    actions: Tensor
    progress: Tensor
    begins_tour: bool = True


@dataclass(frozen=True)
class EpisodeBatch:
    """Episodes side by side, the shorter ones padded.

    Attributes:
        words: (K, L) or (K, L, word_size) the instructions.
        steps: (T, B) what the agent is shown.
        actions: (T, B) of the expert.
        progress: (T, B).
        weights: (T, B) how much each step counts.
    """

    words: Tensor
    steps: Steps
    actions: Tensor
    progress: Tensor
    weights: Tensor

    def told(self, texts: Sequence[Sequence[Tensor]]) -> EpisodeBatch:
        """Return the same walks with several instructions each, an episode for each instruction.

        Args:
            texts: of each walk, the words of its instructions.
        """
        walks = torch.tensor([row for row, own in enumerate(texts) for _ in own])
        words = [text for own in texts for text in own]
        text = torch.arange(len(words)).expand(len(self.actions), -1)
        steps, valid = self.steps, self.steps.valid[:, walks]
        if len(self.words) > len(texts):  # what padding reads
            text = torch.where(valid, text, len(words))
            words.append(self.words[-1])
        columns = {name: getattr(steps, name)[:, walks] for name in ("previous", "same_episode", "same_tour")}
        told = replace(steps, **columns, text=text, valid=valid, walks=walks)
        rest = (part[:, walks] for part in (self.actions, self.progress, self.weights))
        return EpisodeBatch(pad_sequence(words, batch_first=True), told, *rest)

    def to(self, device: torch.device) -> EpisodeBatch:
        """Return the same on a device."""
        rest = (part.to(device) for part in (self.actions, self.progress, self.weights))
        return EpisodeBatch(self.words.to(device), self.steps.to(device), *rest)


def batch_of(
    episodes: Sequence[WalkedEpisode], *, padding_runs_on: bool, inflection: float = INFLECTION
) -> EpisodeBatch:
    """Put episodes side by side.

    Args:
        episodes: them.
        padding_runs_on: whether the agent goes on through padding, as the official code lets it: it then
            sees ones everywhere and reads an instruction of ones.
        inflection: how much inflections count.
    """
    fill = float(padding_runs_on)
    lengths = torch.tensor([len(episode.actions) for episode in episodes])
    valid = torch.arange(int(lengths.max()))[:, None] < lengths
    actions = pad_sequence([episode.actions for episode in episodes])
    words = pad_sequence([episode.words for episode in episodes], batch_first=True)
    text = torch.arange(len(episodes)).expand(valid.shape)
    if padding_runs_on:
        words = torch.cat([words, torch.ones_like(words[:1])])
        text = torch.where(valid, text, len(episodes))
    names = list(episodes[0].sights.given())
    seen = {
        name: pad_sequence([e.sights.given()[name] for e in episodes], padding_value=fill) for name in names
    }
    same_episode = torch.ones_like(valid)
    same_episode[0] = False
    same_tour = torch.ones_like(valid)
    same_tour[0] = ~torch.tensor([episode.begins_tour for episode in episodes])
    steps = Steps(
        Sights(**seen),
        pad_sequence([episode.previous for episode in episodes]),
        same_episode,
        same_tour,
        text,
        valid,
    )
    progress = pad_sequence([episode.progress for episode in episodes])
    return EpisodeBatch(words, steps, actions, progress, inflection_weights(actions, valid, inflection))
