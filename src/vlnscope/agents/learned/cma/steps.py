"""Steps that an agent takes, one or many after each other: what it is shown and what begins where."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import torch
from torch import Tensor

from vlnscope.agents.learned.cma.sights import Sights


@dataclass(frozen=True)
class Steps:
    """T steps of B agents.

    Attributes:
        sights: what is shown; the leading dimensions of its tensors are (T, B).
        previous: (T, B) the actions before; whatever they are where an episode begins.
        same_episode: (T, B) whether the episode is that of the step before (`ContinuousPolicy.same_episode`).
        same_tour: (T, B) whether the tour is.
        text: (T, B) which of the instructions that were read is followed.
        valid: (T, B) which steps there are; others are padding.
        walks: (B) where several agents go on the same walk, which walk each is on: sights are then those of
            the walks, (T, W, …), and looked at once.
    """

    sights: Sights
    previous: Tensor
    same_episode: Tensor
    same_tour: Tensor
    text: Tensor
    valid: Tensor
    walks: Tensor | None = None

    @classmethod
    def one(
        cls, sights: Sights, previous: Tensor, same_episode: Tensor, same_tour: Tensor | None = None
    ) -> Steps:
        """Return a single step: tensors begin with the batch, and each agent follows its own instruction.

        Args:
            sights: what is shown.
            previous: (B).
            same_episode: (B).
            same_tour: (B); where no tours are walked, as `same_episode`.
        """
        same = same_episode if same_tour is None else same_tour
        text = torch.arange(len(previous), device=previous.device)
        every = torch.ones_like(same_episode, dtype=torch.bool)
        parts = (part[None] for part in (previous, same_episode.bool(), same.bool(), text, every))
        return cls(sights.each(lambda tensor: tensor[None]), *parts)

    def rows(self) -> Sights:
        """Return what is shown at the steps that there are, a row each; of walks that are shared, once."""
        valid = self._walked().flatten()
        return self.sights.each(lambda tensor: tensor.flatten(0, 1)[valid])

    def followed(self, rows: Tensor) -> Tensor:
        """Return what was made of `rows`, a row for each step of each agent."""
        if self.walks is None:
            return rows
        walked = self._walked()
        number = (walked.flatten().cumsum(0) - 1).view(walked.shape)
        return rows[number[:, self.walks][self.valid]]

    def _walked(self) -> Tensor:
        """(T, W): which steps of walks there are."""
        if self.walks is None:
            return self.valid
        walked = self.valid.new_zeros(len(self.valid), int(self.walks.max()) + 1)
        walked[:, self.walks] = self.valid
        return walked

    def to(self, device: torch.device) -> Self:
        """Return the same on a device."""
        tensors = {
            each.name: part.to(device)
            for each in fields(self)
            if isinstance(part := getattr(self, each.name), Tensor)
        }
        return replace(self, **tensors, sights=self.sights.each(lambda tensor: tensor.to(device)))

    def padding_as_steps(self) -> Self:
        """Return the same steps with the padding taken for steps."""
        return replace(self, valid=torch.ones_like(self.valid))

    def scattered(self, rows: Tensor) -> Tensor:
        """(T, B, …): rows of the steps that there are, zeros at the others."""
        if bool(self.valid.all()):
            return rows.reshape(*self.valid.shape, *rows.shape[1:])
        whole = rows.new_zeros((*self.valid.shape, *rows.shape[1:]))
        whole[self.valid] = rows
        return whole
