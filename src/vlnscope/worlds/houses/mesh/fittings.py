"""Light switches beside doors, and sockets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import MeshBuilder, across
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.walls import Face, WallHole

_PLATE = Paint(238, 237, 232)
_SLOT = Paint(60, 60, 62)
_SPACE = 0.2
_SWITCH_UP, _SOCKET_UP = 1.08, 0.3


def owner_of(face: Face) -> str:
    """Return the object that what is fixed to a wall of a room belongs to: the room."""
    assert face.room is not None
    return face.room.id


def raised(face: Face, along: tuple[float, float], proud: float, up: tuple[float, float]) -> shapes.Shape:
    """Return a box before a wall: from where to where along it, how far it stands out, and its heights."""
    near, far = sorted((face.at, face.at + face.sign * proud))
    return shapes.box(*across(face.axis, *along, near, far, *up))


def build_fittings(site: MeshBuilder, face: Face, holes: Sequence[WallHole], floor: float) -> None:
    """Put a switch beside every door, and a socket where a wall is long enough."""
    for hole in holes:
        if hole.opening.kind != "door" or hole.hi - hole.lo > 2.0:
            continue
        for at in (hole.hi + _SPACE, hole.lo - _SPACE):
            if face.a + 0.1 < at < face.b - 0.1 and not _in_hole(holes, at):
                _plate(site, face, at, floor + _SWITCH_UP, "light switch")
                break
    for at in np.arange(face.a + 0.8, face.b - 0.5, 3.2).tolist():
        if not _in_hole(holes, at):
            _plate(site, face, at, floor + _SOCKET_UP, "socket")


def _in_hole(holes: Sequence[WallHole], at: float) -> bool:
    return any(hole.lo - 0.1 < at < hole.hi + 0.1 for hole in holes)


def _plate(site: MeshBuilder, face: Face, at: float, up: float, kind: str) -> None:
    site.add(
        raised(face, (at - 0.042, at + 0.042), 0.022, (up - 0.042, up + 0.042)), _PLATE, kind, owner_of(face)
    )
    if kind == "light switch":
        site.add(
            raised(face, (at - 0.022, at + 0.022), 0.027, (up - 0.03, up + 0.03)), shade(_PLATE, 0.94), kind,
            owner_of(face),
        )  # fmt: skip
        return
    for side in (-0.011, 0.011):
        hole = (at + side - 0.004, at + side + 0.004)
        site.add(raised(face, hole, 0.0225, (up - 0.004, up + 0.004)), _SLOT, kind, owner_of(face))
