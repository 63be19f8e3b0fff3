"""Experiments with agents of continuous environments: what is walked, what learns from it, and how."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from vlnscope.perception.mapping import MemoryMode
from vlnscope.training.experiment import Follow, require

Choose = Literal["accuracy", "SR", "SPL", "nDTW"]


class WalkChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is walked, and what is seen there.

    Attributes:
        train: data set to learn from.
        held: so many of its houses, the last ones, are not learned from: the best weights are chosen there.
        follow: what the expert follows: the ``reference``, point by point, or a shortest way to the ``goal``.
        radius: how near it comes to each, in metres along the ground.
        depth: the camera of depth and semantics, as behind ``depth:``.
        memory: how long maps last: ``episodic``, or ``iterative``: for a tour.
        tour: walks of a tour, with the memory ``iterative``; an oracle leads from one to the next.
        limit: so many walks of each house, for trials; 0 for all.
    """

    train: str
    held: int = 2
    follow: Follow = "reference"
    radius: float = 0.25
    depth: str = "64x64"
    memory: Literal["episodic", "iterative"] = "episodic"
    tour: int = 10
    limit: int = 0

    def __post_init__(self) -> None:
        require(self, self.held >= 1, "held", "1 or more")
        require(self, 0 < self.radius < math.inf, "radius", "a finite number above 0")
        require(self, self.tour >= 1, "tour", "1 or more")
        require(self, self.limit >= 0, "limit", "0 for all, or more")

    @property
    def lasting(self) -> MemoryMode:
        """How long maps last."""
        return self.memory
