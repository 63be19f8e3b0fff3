"""Whoever is told how a training goes, from its first second on."""

from __future__ import annotations

from typing import NamedTuple, Self

CurveRow = dict[str, float]
"""A row of the curves of a training: numbers by name."""

METRICS = ("SR", "SPL", "NE", "OSR", "CLS", "nDTW")
"""What validations of walks measure."""

LIKELIHOOD = "likelihood"
"""What validations of speakers measure."""

ACCURACY = "accuracy"
"""What validations along the walks of experts measure."""


class UpdateNews(NamedTuple):
    """How far a training is.

    Attributes:
        update: how many updates are done.
        updates: how many there will be.
        loss: mean loss since the last row of the curves.
        episodes: how many episodes an update has.
    """

    update: int
    updates: int
    loss: float
    episodes: int


class TrainingWatch:
    """Is told how a training goes; this one keeps it to itself.

    It goes to the process that leads a training, so it must be possible to pickle. While it is entered, it
    may tell on its own how time passes.
    """

    def __enter__(self) -> Self:
        """Begin to watch the time."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Watch it no more."""

    def phase(self, what: str, total: int = 0) -> None:
        """Hear what begins, and how many steps it has; 0 if nobody knows."""

    def at(self, done: int) -> None:
        """Hear how many steps of it are done."""

    def updated(self, news: UpdateNews) -> None:
        """Hear of an update."""

    def row(self, row: CurveRow) -> None:
        """Hear a row of the curves."""
