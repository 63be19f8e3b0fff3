"""A walk through a scene as a walker feels it: turns, flights of stairs, rooms, doors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.referring import Namer, namer_for
from vlnscope.language.describe.scene_index import STAIRWELL, SceneIndex
from vlnscope.language.geometry import CLIMB, FLAT, turn_word


class StairFlight(NamedTuple):
    """Stairs taken between two steps of a walk; `direction` is up or down."""

    first: int
    last: int
    direction: Direction


class RoomVisit(NamedTuple):
    """The steps of a walk, first to last, that lie in one region."""

    region: int | None
    first: int
    last: int


class DoorCrossing(NamedTuple):
    """An opening walked through: left behind is step `first`, the first step beyond it is `last`."""

    thing: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class RouteIndex:
    """A walk in a scene.

    Attributes:
        index: the scene.
        rows: the viewpoints, by row.
        heading: where the walker looks at the start.
    """

    index: SceneIndex
    rows: tuple[int, ...]
    heading: float

    @cached_property
    def namer(self) -> Namer:
        """How the scene's things can be named."""
        return namer_for(self.index)

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
        return tuple(self.index.edges[a][b] for a, b in zip(self.rows, self.rows[1:], strict=False))

    @cached_property
    def turns(self) -> tuple[float, ...]:
        """How far to the right the walker turns at each step but the last."""
        return tuple(
            self.index.turn(self.headings[i], self.rows[i], self.rows[i + 1]) for i in range(self.end)
        )

    @cached_property
    def words(self) -> tuple[Direction, ...]:
        """What these turns are called."""
        return tuple(map(turn_word, self.turns))

    @cached_property
    def visits(self) -> tuple[RoomVisit, ...]:
        """The regions that the walk goes through, in order."""
        visits: list[RoomVisit] = []
        for i, row in enumerate(self.rows):
            region = self.index.regions[row]
            if visits and visits[-1].region == region:
                visits[-1] = visits[-1]._replace(last=i)
            else:
                visits.append(RoomVisit(region, i, i))
        return tuple(visits)

    @cached_property
    def flights(self) -> tuple[StairFlight, ...]:
        """The flights of stairs; runs that only a landing parts are one flight."""
        rises = [self.index.rise(a, b) for a, b in zip(self.rows, self.rows[1:], strict=False)]
        flights: list[StairFlight] = []
        for i, rise in enumerate(rises):
            if abs(rise) < FLAT:
                continue
            direction: Direction = "up" if rise > 0 else "down"
            if flights and flights[-1].direction == direction and self._landing(flights[-1].last, i):
                flights[-1] = flights[-1]._replace(last=i + 1)
            else:
                flights.append(StairFlight(i, i + 1, direction))
        return tuple(f for f in flights if abs(sum(rises[f.first : f.last])) >= CLIMB)

    def _landing(self, first: int, last: int) -> bool:
        """Return whether the steps between two runs stay on a landing."""
        return last - first <= 1 and all(
            first == last or self.index.label(row) == STAIRWELL for row in self.rows[first : last + 1]
        )

    @cached_property
    def crossings(self) -> tuple[DoorCrossing, ...]:
        """The openings that the walk goes through, in order; not one in which it starts or ends."""
        crossings = []
        pending: dict[int, int] = {}
        for i in range(self.end):
            for thing in self.index.crossed(self.rows[i], self.rows[i + 1]):
                pending.setdefault(thing, i)
            for thing, first in list(pending.items()):
                if self.index.beyond(thing, self.rows[first], self.rows[i + 1]):
                    crossings.append(DoorCrossing(thing, first, i + 1))
                    del pending[thing]
        return tuple(crossings)

    def stairs_taken(self, flight: StairFlight) -> int | None:
        """Return the stairs that a flight leads over, if they are in sight somewhere on it."""
        seen = {
            thing: None
            for row in self.rows[flight.first : flight.last + 1]
            for thing in self.index.visible[row]
        }
        stairs = [thing for thing in seen if self.index.things[thing].name == "stairs"]
        middle = self.index.positions[self.rows[(flight.first + flight.last) // 2]]
        return min(
            stairs,
            key=lambda thing: math.dist(self.index.things[thing].centre or middle, middle),
            default=None,
        )
