"""A house while it is being laid out: spaces with labels, and which of them are to be joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from vlnscope.worlds.houses.plan.plan import XY, XYZ
from vlnscope.worlds.houses.plan.polygons import area, counter_clockwise

Place = Literal["end", "low", "high", "middle", "any"]

GRID = 0.05
"""All walls lie on multiples of this."""


def snap(value: float) -> float:
    """Return the nearest multiple of the grid."""
    return round(round(value / GRID) * GRID, 2)


def floor_to_grid(value: float) -> float:
    """Return the largest multiple of the grid that is not larger."""
    return round(int(value / GRID + 1e-6) * GRID, 2)


@dataclass(frozen=True)
class Frame:
    """A local frame: u runs along a corridor, v leads away from it.

    Attributes:
        origin: where u = v = 0.
        u: unit vector along the corridor (axis-parallel).
        v: unit vector away from the corridor (axis-parallel).
    """

    origin: XY
    u: XY
    v: XY

    def point(self, u: float, v: float) -> XY:
        """Return a local point in the coordinates of the house, rounded to centimetres."""
        return (
            round(self.origin[0] + u * self.u[0] + v * self.v[0], 4),
            round(self.origin[1] + u * self.u[1] + v * self.v[1], 4),
        )

    def polygon(self, *corners: XY) -> tuple[XY, ...]:
        """Return local corners as a counter-clockwise polygon of the house."""
        return counter_clockwise([self.point(*corner) for corner in corners])

    def box(self, u0: float, v0: float, u1: float, v1: float) -> tuple[XY, ...]:
        """Return a local rectangle as a counter-clockwise polygon of the house."""
        return self.polygon((u0, v0), (u1, v0), (u1, v1), (u0, v1))


@dataclass
class DraftRoom:
    """A room to be; `number` is its place in the draft.

    One with a `height` is open to the floor above.
    """

    number: int
    label: str
    floor: int
    polygon: tuple[XY, ...]
    outdoor: bool = False
    height: float = 0.0

    @property
    def area(self) -> float:
        """Its floor area, wall thickness included."""
        return area(self.polygon)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Smallest x, y and largest x, y."""
        xs, ys = zip(*self.polygon, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True)
class Link:
    """A wish to join two spaces (or a space with the outside).

    Attributes:
        a, b: numbers of the spaces; b is None for the outside.
        kind: ``door`` or ``passage``.
        width: wished width; a passage becomes narrower where the wall is short.
        place: where along the shared wall: ``end`` (near a corner), ``low`` or ``high`` (near the corner with
            the lower or the higher coordinate), ``middle`` or ``any``.
        side: for the outside: the direction the wall looks to, in the frame of the draft.
        closed: whether the door is shut.
        sill, head: heights of its lower and its upper edge above the floor.
        over: for a gallery: number of the space of the floor below that it looks down into.
    """

    a: int
    b: int | None
    kind: Literal["door", "passage"]
    width: float
    place: Place = "any"
    side: XY | None = None
    closed: bool = False
    head: float = 2.05
    sill: float = 0.0
    over: int | None = None


@dataclass
class DraftStair:
    """A stair to be: levels, stairwells and runs; of a spiral one, also its centre."""

    floors: tuple[int, int]
    spaces: tuple[int, int]
    runs: tuple[tuple[XYZ, XYZ], ...]
    width: float
    centre: XY | None = None


@dataclass
class HouseDraft:
    """What is laid out so far."""

    spaces: list[DraftRoom] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    flights: list[DraftStair] = field(default_factory=list)

    def add(self, label: str, floor: int, polygon: tuple[XY, ...], *, outdoor: bool = False) -> DraftRoom:
        """Add a space and return it."""
        space = DraftRoom(len(self.spaces), label, floor, polygon, outdoor)
        self.spaces.append(space)
        return space

    def door(self, a: DraftRoom, b: DraftRoom, *, width: float = 0.85, place: Place = "end") -> None:
        """Wish for a door between two spaces."""
        self.links.append(Link(a.number, b.number, "door", width, place))

    def passage(self, a: DraftRoom, b: DraftRoom, width: float) -> None:
        """Wish for an open passage between two spaces."""
        self.links.append(Link(a.number, b.number, "passage", width, "middle"))

    def standing(self, floor: int) -> list[DraftRoom]:
        """Return the spaces of a floor, and those that reach up into it from the floor below."""
        voids = [space for space in self.spaces if space.height and space.floor == floor - 1]
        return self.on(floor) + voids

    def on(self, floor: int) -> list[DraftRoom]:
        """Return the spaces of a floor."""
        return [space for space in self.spaces if space.floor == floor]
