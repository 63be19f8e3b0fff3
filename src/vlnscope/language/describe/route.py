"""A walk through a scene as a walker feels it: turns, flights of stairs, rooms, doors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from vlnscope.language.actions import Direction
from vlnscope.language.bearings import turn_word
from vlnscope.language.describe.candidates.referring import Names, names_in
from vlnscope.language.describe.scene_index import FLAT, STAIRWELL, Survey

CLIMB = 0.8
"""Least change of height of a flight of stairs, metres."""


class Flight(NamedTuple):
    """Stairs taken between two steps of a walk; `direction` is up or down."""

    first: int
    last: int
    direction: Direction


class Stay(NamedTuple):
    """The steps of a walk, first to last, that lie in one region."""

    region: int | None
    first: int
    last: int


class Crossing(NamedTuple):
    """An opening walked through: left behind is step `first`, the first step beyond it is `last`."""

    thing: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk in a scene.

    Attributes:
        survey: the scene.
        rows: the viewpoints, by row.
        heading: where the walker looks at the start.
    """

    survey: Survey
    rows: tuple[int, ...]
    heading: float

    @cached_property
    def names(self) -> Names:
        """How the scene's things can be named."""
        return names_in(self.survey)

    @property
    def end(self) -> int:
        """Number of the last step."""
        return len(self.rows) - 1

    @cached_property
    def headings(self) -> tuple[float, ...]:
        """Where the walker looks on arriving at each step."""
        return (self.heading, *self.courses)

    @cached_property
    def courses(self) -> tuple[float, ...]:
        """The heading of the way from each step to the next."""
        return tuple(self.survey.ways[a][b] for a, b in zip(self.rows, self.rows[1:], strict=False))

    @cached_property
    def turns(self) -> tuple[float, ...]:
        """How far to the right the walker turns at each step but the last."""
        return tuple(
            self.survey.turn(self.headings[i], self.rows[i], self.rows[i + 1]) for i in range(self.end)
        )

    @cached_property
    def words(self) -> tuple[Direction, ...]:
        """What these turns are called."""
        return tuple(map(turn_word, self.turns))

    @cached_property
    def stays(self) -> tuple[Stay, ...]:
        """The regions that the walk goes through, in order."""
        stays: list[Stay] = []
        for i, row in enumerate(self.rows):
            region = self.survey.regions[row]
            if stays and stays[-1].region == region:
                stays[-1] = stays[-1]._replace(last=i)
            else:
                stays.append(Stay(region, i, i))
        return tuple(stays)

    @cached_property
    def flights(self) -> tuple[Flight, ...]:
        """The flights of stairs; runs that only a landing parts are one flight."""
        rises = [self.survey.rise(a, b) for a, b in zip(self.rows, self.rows[1:], strict=False)]
        found: list[Flight] = []
        for i, rise in enumerate(rises):
            if abs(rise) < FLAT:
                continue
            direction: Direction = "up" if rise > 0 else "down"
            if found and found[-1].direction == direction and self._landing(found[-1].last, i):
                found[-1] = found[-1]._replace(last=i + 1)
            else:
                found.append(Flight(i, i + 1, direction))
        return tuple(f for f in found if abs(sum(rises[f.first : f.last])) >= CLIMB)

    def _landing(self, first: int, last: int) -> bool:
        """Return whether the steps between two runs stay on a landing."""
        return last - first <= 1 and all(
            first == last or self.survey.label(row) == STAIRWELL for row in self.rows[first : last + 1]
        )

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """The openings that the walk goes through, in order; not one in which it starts or ends."""
        found = []
        pending: dict[int, int] = {}
        for i in range(self.end):
            for thing in self.survey.crossed(self.rows[i], self.rows[i + 1]):
                pending.setdefault(thing, i)
            for thing, first in list(pending.items()):
                if self.survey.beyond(thing, self.rows[first], self.rows[i + 1]):
                    found.append(Crossing(thing, first, i + 1))
                    del pending[thing]
        return tuple(found)

    def stairs_taken(self, flight: Flight) -> int | None:
        """Return the stairs that a flight leads over, if they are in sight somewhere on it."""
        seen = {
            thing: None
            for row in self.rows[flight.first : flight.last + 1]
            for thing in self.survey.sights[row]
        }
        stairs = [thing for thing in seen if self.survey.things[thing].name == "stairs"]
        middle = self.survey.positions[self.rows[(flight.first + flight.last) // 2]]
        return min(
            stairs,
            key=lambda thing: math.dist(self.survey.things[thing].centre or middle, middle),
            default=None,
        )
