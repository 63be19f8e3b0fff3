"""The programme of a house: which rooms it is to have, and how large, by the real shares and sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np

from vlnscope.worlds.houses.layout.room_kinds import GROUND_ONLY, KINDS, NEEDED, SMALL

AREA_PER_VIEW = 4.4
"""Floor area that one viewpoint stands for when a house is planned, in square metres."""

_MEASURED_AREAS = {"h": 2.6, "d": 3.2, "e": 3.3, "s": 4.3, "a": 4.3, "p": 4.3, "y": 4.7}
"""Floor area per viewpoint that the graphs of built houses show, by kind of room."""
_NOT_PLANNED = ("h", "s", "p", "y", "x", "e", "Z", "-", "C", "D")


@cache
def facts(name: str) -> dict[str, Any]:
    """Return a table of facts by name, without its source."""
    data = (files("vlnscope.worlds.houses") / "facts" / f"{name}.json").read_bytes()
    table: dict[str, Any] = msgspec.json.decode(data)["facts"]
    return table


@cache
def joined(a: str, b: str) -> float:
    """Return how often real rooms with these labels are joined by a way, as a number to compare."""
    pair = "-".join(sorted((a, b)))
    return 1.0 + float(sum(table.get(pair, 0) for table in facts("room_adjacency").values()))


def views_of(label: str, area: float) -> float:
    """Estimate how many viewpoints a room will have."""
    return max(area / _MEASURED_AREAS.get(label, 3.9), 1.0)


@dataclass
class Programme:
    """Rooms still to be placed: wished areas by label, larger ones first."""

    left: dict[str, list[float]]
    floors: int
    placed: tuple[str, ...] = ()

    def copy(self) -> Programme:
        """Return an independent copy."""
        return Programme({label: list(areas) for label, areas in self.left.items()}, self.floors, self.placed)

    def take(self, label: str, at_most: float = float("inf")) -> float:
        """Take a room from the programme and return its area; its usual area if none is left.

        The largest that is not above `at_most` is taken, or the smallest if all are.
        """
        self.placed = (*self.placed, label)
        areas = self.left.get(label)
        if not areas:
            return KINDS[label].area
        fitting = [i for i, size in enumerate(areas) if size <= at_most]
        return areas.pop(fitting[0] if fitting else -1)

    def least(self, label: str) -> float:
        """Return the area of the smallest room left with this label."""
        return self.left[label][-1]

    def has(self, label: str) -> bool:
        """Return whether rooms with this label are left."""
        return bool(self.left.get(label))

    def area_left(self, labels: tuple[str, ...]) -> float:
        """Return the area of all rooms left with these labels."""
        return sum(sum(self.left.get(label, ())) for label in labels)

    def mains(self, floor: int) -> dict[str, float]:
        """Return the labels of larger rooms that may come on a floor, with weights."""
        weights = {}
        for label, areas in self.left.items():
            if areas and label not in SMALL and (floor == 0 or label not in GROUND_ONLY):
                weights[label] = sum(areas) * self._preference(label, floor)
        return weights

    def small(self, floor: int, wanted: tuple[str, ...]) -> dict[str, float]:
        """Return which of the wanted small rooms are left, with weights."""
        return {
            label: len(self.left[label]) * self._preference(label, floor)
            for label in wanted
            if self.has(label)
        }

    def _preference(self, label: str, floor: int) -> float:
        if label in NEEDED and label not in self.placed and floor == self.floors - 1:
            return 50.0
        if self.floors == 1:
            return 1.0
        ratio = KINDS[label].ground
        return ratio if floor == 0 else 1 / ratio


def make_programme(rng: np.random.Generator, views: float, floors: int) -> Programme:
    """Draw the rooms of a house that is to have about this many viewpoints.

    Each type comes as often as its real share asks for on average: a share that is not a whole number of
    rooms is rounded up or down at random.
    """
    scale = 1.08 * min(max((views / 85) ** 0.3, 1.0), 1.3)
    left: dict[str, list[float]] = {}
    for label, row in facts("room_types").items():
        if label in _NOT_PLANNED or views < KINDS[label].views:
            continue
        wished = row["share"] * KINDS[label].bias * views * AREA_PER_VIEW
        left[label] = _areas(rng, label, wished, KINDS[label].area * (1.0 if label in SMALL else scale))
    return Programme(left, floors)


def _areas(rng: np.random.Generator, label: str, wished: float, usual: float) -> list[float]:
    kind = KINDS[label]
    count = math.floor(wished / usual + rng.random())
    count = max(min(count, kind.most), kind.least)
    if not count:
        return []
    each = min(max(wished / count, 0.8 * usual), kind.stretch * usual)
    spread = np.exp(rng.normal(0.0, 0.18, count))
    return sorted((float(each * s) for s in spread), reverse=True)


def choose(rng: np.random.Generator, weights: dict[str, float]) -> str:
    """Draw one key by weight."""
    labels = list(weights)
    shares = np.asarray([weights[label] for label in labels])
    return labels[int(rng.choice(len(labels), p=shares / shares.sum()))]
