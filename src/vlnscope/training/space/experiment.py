"""Experiments with agents of continuous environments: what is walked, what learns from it, and how."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import msgspec

from vlnscope.perception.mapping import MemoryMode
from vlnscope.training.experiment import Follow, ModelChoice, converted, plain_experiment, require


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


class WalkLearning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How it learns from walks: teacher forcing, which shows what the expert saw and asks what it did.

    Attributes:
        updates: how many steps the optimiser makes.
        batch: walks per update, each with all of its instructions.
        inflection: how much a step counts at which the expert changes its mind; others count 1.
        progress: weight of the progress monitor's error; 0 for none.
        rate: learning rate at its highest.
        warmup: updates until it is reached.
        floor: share of it that is left at the end (the way down is a cosine).
        decay: of weights (AdamW).
        clip: length of the gradient, at most.
        average: share of the averaged weights that stays at each update; these are validated and kept. 0 for
            the weights as they are.
    """

    updates: int = 1000
    batch: int = 4
    inflection: float = 3.2
    progress: float = 1.0
    rate: float = 1e-3
    warmup: int = 50
    floor: float = 0.02
    decay: float = 0.01
    clip: float = 5.0
    average: float = 0.0

    def __post_init__(self) -> None:
        for name in ("updates", "batch"):
            require(self, getattr(self, name) >= 1, name, "1 or more")
        for name in ("rate", "clip", "inflection"):
            require(self, 0 < getattr(self, name) < math.inf, name, "a finite number above 0")
        for name in ("warmup", "decay", "progress"):
            require(self, 0 <= getattr(self, name) < math.inf, name, "a finite number, 0 or more")
        require(self, 0 <= self.floor <= 1, "floor", "a share from 0 to 1")
        require(self, 0 <= self.average < 1, "average", "a share below 1")


class DaggerChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the agent itself walks, and an expert says what it would have done.

    Attributes:
        iterations: how often; 0 for never.
        first: updates before the first iteration, which learn from the expert's walks alone.
        every: updates from one iteration to the next.
        walks: episodes that are walked in each house.
        steps: of each, at most.
        p: share of the expert's actions that are done in iteration n is p to the power of n.
    """

    iterations: int = 0
    first: int = 1000
    every: int = 500
    walks: int = 20
    steps: int = 150
    p: float = 0.75

    def __post_init__(self) -> None:
        require(self, self.iterations >= 0, "iterations", "0 or more")
        for name in ("first", "every", "walks", "steps"):
            require(self, getattr(self, name) >= 1, name, "1 or more")
        require(self, 0 <= self.p <= 1, "p", "a share from 0 to 1")

    def begin_of(self, iteration: int) -> int:
        """Return after how many updates an iteration begins; they are counted from 1 on."""
        return self.first + (iteration - 1) * self.every

    def iteration_at(self, update: int) -> int:
        """Return how many iterations have begun after so many updates.

        Example:
            >>> plan = DaggerChoice(iterations=2, first=10, every=5)
            >>> [plan.iteration_at(update) for update in (9, 10, 15, 99)]
            [0, 1, 2, 2]
        """
        return min(self.iterations, max(0, (update - self.first) // self.every + 1))


class SpaceExperiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One experiment with an agent of continuous environments.

    Attributes:
        title: one line.
        seed: of all random choices.
        data: what is walked.
        model: what learns; for now ``map_cma``, which sees no colours.
        learning: how it learns.
        dagger: when the agent itself walks.
        choose: by what the best weights are chosen: ``accuracy``, the share of the expert's decisions in
            houses that are not learned from, those counting more at which it changes its mind.
        validate_every: updates between validations; the last update is validated, too.
        save_every: updates between moments at which nothing would be lost.
    """

    title: str
    data: WalkChoice
    model: ModelChoice
    learning: WalkLearning
    dagger: DaggerChoice = DaggerChoice()
    seed: int = 0
    choose: Literal["accuracy"] = "accuracy"
    validate_every: int = 200
    save_every: int = 100

    def __post_init__(self) -> None:
        require(self, self.validate_every > 0, "validate_every", "1 or more")
        require(self, self.save_every > 0, "save_every", "1 or more")
        alone = not self.dagger.iterations or self.data.memory == "episodic"
        require(self.data, alone, "memory", "episodic where the agent itself walks (dagger)")


def read_space_experiment(name: str | Path, changes: list[str] | None = None) -> SpaceExperiment | None:
    """Read an experiment; None if its model does not walk in continuous space.

    Raises:
        InputError: there is no such experiment, or something in it cannot be used.
    """
    from vlnscope.agents.learned.cma.policy import ContinuousPolicy  # needs torch
    from vlnscope.agents.learned.network import network_classes

    plain, where = plain_experiment(name, changes)
    model = plain.get("model")
    kind = network_classes().get(str(model.get("name"))) if isinstance(model, dict) else None
    if kind is None or not issubclass(kind, ContinuousPolicy):
        return None
    return converted(plain, where, SpaceExperiment)
