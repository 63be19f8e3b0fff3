"""Windows: how many, how large and where, by the kind of room."""

from __future__ import annotations

import numpy as np

from vlnscope.worlds.houses.layout.draft import DraftRoom, HouseDraft, snap
from vlnscope.worlds.houses.layout.openings import Openings
from vlnscope.worlds.houses.layout.walls import Edge, shared_walls

_DARK = ("c", "t", "u", "g", "v")
_LARGE = ("l", "d", "f", "n", "r", "i", "m")


def add_windows(rng: np.random.Generator, draft: HouseDraft, openings: Openings) -> None:
    """Give every room with an outer wall its windows; closets, stores and garages have few or none."""
    top = max(space.floor for space in draft.spaces)
    for space in draft.spaces:
        if space.outdoor or space.label in _DARK or (space.label == "s" and space.floor < top):
            continue
        for wall, beyond in _outer_walls(draft, openings, space):
            for piece in openings.free(wall, space.floor):
                _windows_in(rng, openings, space, piece, beyond)


def _outer_walls(draft: HouseDraft, openings: Openings, space: DraftRoom) -> list[tuple[Edge, int | None]]:
    """Return the walls to the open, with the number of the porch or balcony before them if there is one."""
    walls: list[tuple[Edge, int | None]] = [(wall, None) for wall in openings.outer(space)]
    for other in draft.on(space.floor):
        if other.outdoor:
            walls += [(wall, other.number) for wall in shared_walls(space.polygon, other.polygon)]
    return walls


def _windows_in(
    rng: np.random.Generator, openings: Openings, space: DraftRoom, piece: Edge, beyond: int | None
) -> None:
    width, sill, head = _size(rng, space)
    length = piece.high - piece.low - 0.3
    if length < width:
        width = snap(length)
    if width < 0.5:
        return
    count = max(1, round(length / (width + 1.6)))
    step = (piece.high - piece.low) / count
    for i in range(count):
        along = piece.low + (i + 0.5) * step
        openings.window(space, beyond, piece.point(round(along, 3)), piece.axis, (width, sill, head))


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
