"""Doors, passages and windows: every wish for a way becomes a hole in a wall that has room for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from vlnscope.worlds.houses.layout.building_kinds import BuildingKind
from vlnscope.worlds.houses.layout.draft import DraftRoom, HouseDraft, Link, snap
from vlnscope.worlds.houses.layout.walls import Axis, Edge, free_walls, looks, shared_walls, without
from vlnscope.worlds.houses.plan.plan import XY, Floor

_DARK = ("c", "t", "u", "g", "v")
_LARGE = ("l", "d", "f", "n", "r", "i", "m")


CORNER = 0.2
"""Least distance of a hole from the end of its wall."""
GAP = 0.2
"""Least distance between two holes in a wall."""
_NARROWEST = 0.75


@dataclass(frozen=True)
class DraftOpening:
    """An opening to be, between spaces by number."""

    kind: Literal["door", "passage", "window"]
    a: int
    b: int | None
    floor: int
    axis: Axis
    centre: XY
    width: float
    sill: float = 0.0
    head: float = 2.05
    closed: bool = False


class NoRoomError(Exception):
    """A draft has no room for a door or for a room that it needs."""


@dataclass
class Openings:
    """The holes cut so far into the walls of a draft."""

    draft: HouseDraft
    rng: np.random.Generator
    holes: list[DraftOpening] = field(default_factory=list)

    def cut(self, link: Link) -> bool:
        """Cut the hole that a link asks for; return whether a wall has room for it."""
        a = self.draft.spaces[link.a]
        if link.over is not None:
            walls = shared_walls(a.polygon, self.draft.spaces[link.over].polygon)
        elif link.b is None:
            walls = [w for w in self.outer(a) if link.side is None or looks(w) == link.side]
        else:
            walls = shared_walls(a.polygon, self.draft.spaces[link.b].polygon)
        pieces = [piece for wall in walls for piece in self._room_in(wall, a.floor)]
        if not pieces:
            return False
        longest = max(pieces, key=lambda piece: piece.high - piece.low)
        width = snap(min(link.width, longest.high - longest.low - 0.01))
        if width < _NARROWEST or (link.kind == "door" and width < link.width - 0.15):
            return False
        fitting = [piece for piece in pieces if piece.high - piece.low >= width - 1e-6]
        piece = fitting[int(self.rng.integers(len(fitting)))] if link.kind == "door" else longest
        along = self._place(piece, width, link.place)
        self.holes.append(
            DraftOpening(
                link.kind,
                link.a,
                link.b,
                a.floor,
                piece.axis,
                piece.point(along),
                width,
                link.sill,
                link.head,
                link.closed,
            )
        )
        return True

    def window(
        self, space: DraftRoom, beyond: int | None, centre: XY, axis: Axis, size: tuple[float, float, float]
    ) -> None:
        """Cut a window of a width, a sill and a head into an outer wall, perhaps to an outdoor room."""
        width, sill, head = size
        self.holes.append(
            DraftOpening("window", space.number, beyond, space.floor, axis, centre, width, sill, head)
        )

    def outer(self, space: DraftRoom) -> list[Edge]:
        """Return the outer walls of a space."""
        others = [o.polygon for o in self.draft.standing(space.floor) if o.number != space.number]
        return free_walls(space.polygon, others)

    def free(self, wall: Edge, floor: int) -> list[Edge]:
        """Return the stretches of a wall between its corners and the holes in it."""
        return self._room_in(wall, floor)

    def _room_in(self, wall: Edge, floor: int) -> list[Edge]:
        taken = [
            (along - hole.width / 2 - GAP, along + hole.width / 2 + GAP)
            for hole in self.holes
            if hole.floor == floor and hole.axis == wall.axis and abs(_across(hole) - wall.at) < 1e-3
            for along in [_along(hole)]
        ]
        inside = (wall.low + CORNER, wall.high - CORNER)
        if inside[1] - inside[0] < 1e-6:
            return []
        return [Edge(wall.axis, wall.at, low, high, wall.out) for low, high in without(inside, taken)]

    def _place(self, piece: Edge, width: float, place: str) -> float:
        low, high = piece.low + width / 2, piece.high - width / 2
        if place == "end":
            share = float(self.rng.choice([0.0, 1.0]))
            return round(low + share * (high - low), 3)
        known = {"low": 0.0, "middle": 0.5, "high": 1.0}
        share = known[place] if place in known else float(self.rng.random())
        return round(low + share * (high - low), 3)


def _along(hole: DraftOpening) -> float:
    return hole.centre[0] if hole.axis == "x" else hole.centre[1]


def _across(hole: DraftOpening) -> float:
    return hole.centre[1] if hole.axis == "x" else hole.centre[0]


def add_windows(
    rng: np.random.Generator,
    draft: HouseDraft,
    openings: Openings,
    building: BuildingKind,
    floors: Sequence[Floor],
) -> None:
    """Give every room with an outer wall its windows; closets, stores and garages have few or none.

    Walls that neighbours adjoin have none; rooms of double height have a second row above the first.
    """
    top = max(space.floor for space in draft.spaces)
    for space in draft.spaces:
        if space.outdoor or space.label in _DARK or (space.label == "s" and space.floor < top):
            continue
        for wall, beyond in _outer_walls(draft, openings, space):
            if looks(wall) in building.blind:
                continue
            most = (floors[space.floor].eaves or 9.0) - 0.1
            for piece in openings.free(wall, space.floor):
                _windows_in(rng, openings, space, piece, beyond, most)
    for space in [space for space in draft.spaces if space.height]:
        _upper_windows(rng, draft, openings, space, building)


def _upper_windows(
    rng: np.random.Generator, draft: HouseDraft, openings: Openings, space: DraftRoom, building: BuildingKind
) -> None:
    level = space.floor + 1
    others = [other.polygon for other in draft.standing(level) if other.number != space.number]
    width, head = snap(rng.uniform(1.4, 2.0)), 2.0
    for wall in free_walls(space.polygon, others):
        if looks(wall) in building.blind:
            continue
        for piece in openings.free(wall, level):
            for along, wide in _spread(piece, width):
                openings.holes.append(
                    DraftOpening(
                        "window", space.number, None, level, piece.axis, piece.point(along), wide, 0.5, head
                    )
                )


def _outer_walls(draft: HouseDraft, openings: Openings, space: DraftRoom) -> list[tuple[Edge, int | None]]:
    """Return the walls to the open, with the number of the porch or balcony before them if there is one."""
    walls: list[tuple[Edge, int | None]] = [(wall, None) for wall in openings.outer(space)]
    for other in draft.on(space.floor):
        if other.outdoor:
            walls += [(wall, other.number) for wall in shared_walls(space.polygon, other.polygon)]
    return walls


def _windows_in(
    rng: np.random.Generator,
    openings: Openings,
    space: DraftRoom,
    piece: Edge,
    beyond: int | None,
    most: float,
) -> None:
    width, sill, head = _size(rng, space)
    for along, wide in _spread(piece, width):
        openings.window(
            space, beyond, piece.point(along), piece.axis, (wide, sill, round(min(head, most), 2))
        )


def _spread(piece: Edge, width: float) -> list[tuple[float, float]]:
    """Return the middles and widths of the windows that a stretch of wall has room for."""
    length = piece.high - piece.low - 0.3
    if length < width:
        width = snap(length)
    if width < 0.5:
        return []
    count = max(1, round(length / (width + 1.6)))
    step = (piece.high - piece.low) / count
    return [(round(piece.low + (i + 0.5) * step, 3), width) for i in range(count)]


def _size(rng: np.random.Generator, space: DraftRoom) -> tuple[float, float, float]:
    if space.label in ("a", "j", "S"):
        return snap(rng.uniform(0.6, 0.8)), 1.35, 2.1
    if space.label in _LARGE:
        return snap(rng.uniform(1.5, 2.2)), float(rng.choice([0.4, 0.5, 0.85])), 2.2
    if space.label in ("e", "h", "s"):
        return snap(rng.uniform(0.8, 1.1)), 0.9, 2.1
    if space.label == "k":
        return snap(rng.uniform(1.0, 1.5)), 1.1, 2.1
    return snap(rng.uniform(1.1, 1.7)), float(rng.choice([0.85, 0.9])), 2.1
