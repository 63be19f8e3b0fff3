"""Walls: a face for every side of every room and of the house, cut where doors and windows are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.worlds.houses.mesh.builder import (
    HALF,
    Area,
    Axis,
    MeshBuilder,
    across,
    corners_of,
    offset_ring,
    rings_of,
    upright,
)
from vlnscope.worlds.houses.mesh.colours import Paint, floor_paint, wall_bands, wall_paint
from vlnscope.worlds.houses.plan.plan import XY, Floor, Opening, Room
from vlnscope.worlds.houses.plan.polygons import area as polygon_area

TRIM = Paint(240, 238, 232)
BOARD = 0.09
"""Height of the painted strip at the foot of inner walls."""
_NEAR = 0.04


class Face(NamedTuple):
    """One side of a wall.

    Attributes:
        axis: along which it runs.
        line: where the middle of the wall is, on the other axis.
        a, b: from where to where it runs.
        sign: whether it looks to the + or the - side of the wall.
        room: whose wall it is; None for the outside of the house.
    """

    axis: Axis
    line: float
    a: float
    b: float
    sign: int
    room: Room | None

    @property
    def at(self) -> float:
        """Where the face is, on the other axis."""
        return self.line + self.sign * HALF


class WallHole(NamedTuple):
    """What an opening cuts out of the faces of a wall: from lo to hi along it, from z0 to z1."""

    opening: Opening
    faces: tuple[Face, ...]
    lo: float
    hi: float
    z0: float
    z1: float


def ring_faces(ring: Sequence[XY], inside: bool, room: Room | None) -> list[Face]:
    """Return the faces along a ring: to its left (`inside`) or to its right."""
    corners = corners_of(ring)
    moved = offset_ring(corners, HALF if inside else -HALF)
    faces = []
    for i, (x, y) in enumerate(corners):
        nx, ny = corners[(i + 1) % len(corners)]
        p, q = moved[i], moved[(i + 1) % len(corners)]
        if abs(ny - y) < abs(nx - x):
            sign = (1 if nx > x else -1) * (1 if inside else -1)
            faces.append(Face("x", y, min(p[0], q[0]), max(p[0], q[0]), sign, room))
        else:
            sign = (-1 if ny > y else 1) * (1 if inside else -1)
            faces.append(Face("y", x, min(p[1], q[1]), max(p[1], q[1]), sign, room))
    return faces


def room_faces(room: Room) -> list[Face]:
    """Return the faces of the walls that look into a room."""
    ring = room.polygon if polygon_area(room.polygon) > 0 else room.polygon[::-1]
    return ring_faces(ring, True, room)


def outer_faces(area: Area) -> list[Face]:
    """Return the faces of the walls that look out of an outline."""
    return [face for ring in rings_of(area) for face in ring_faces(ring, False, None)]


def hole_of(opening: Opening, faces: Sequence[Face], floor: Floor) -> WallHole | None:
    """Return what an opening cuts out of these faces of its floor; None if it is in none of them."""
    along, line = opening.centre if opening.axis == "x" else opening.centre[::-1]
    cut = tuple(
        face for face in faces
        if face.axis == opening.axis and abs(face.line - line) < _NEAR and face.a < along < face.b
    )  # fmt: skip
    if not cut:
        return None
    lo = max(along - opening.width / 2, *(face.a for face in cut))
    hi = min(along + opening.width / 2, *(face.b for face in cut))
    base = floor.elevation
    top = base + max(floor.height, *(face.room.height for face in cut if face.room), 0.0)
    return WallHole(opening, cut, lo, hi, min(base + opening.sill, top), min(base + opening.head, top))


def build_face(
    site: MeshBuilder,
    face: Face,
    holes: Sequence[WallHole],
    bands: Sequence[tuple[float, float, Paint]],
    owner: str,
) -> None:
    """Build a face in horizontal bands (z0, z1, look) around the holes."""
    cuts = sorted((hole.lo, hole.hi, hole.z0, hole.z1) for hole in holes if face in hole.faces)
    for low, high, look in bands:
        start = face.a
        for lo, hi, z0, z1 in cuts:
            panels = [(start, lo, low, high), (lo, hi, low, min(z0, high)), (lo, hi, max(z1, low), high)]
            for a, b, c, d in panels:
                if b > a + 1e-6 and d > c + 1e-6:
                    site.add(upright(face.axis, face.at, a, b, c, d, face.sign), look, "wall", owner)
            start = max(start, hi)
        if face.b > start + 1e-6:
            site.add(upright(face.axis, face.at, start, face.b, low, high, face.sign), look, "wall", owner)


def build_room_walls(
    site: MeshBuilder,
    room: Room,
    span: tuple[float, float],
    faces: Sequence[Face],
    holes: Sequence[WallHole],
    *,
    board: bool = True,
) -> None:
    """Build the walls of a room as seen from within, from one height to another.

    With a `board`, they have a white strip at their foot, and what covers them begins there; without it they
    are the upper part of a high room.
    """
    z0, z1 = span
    bands = [(z0, z0 + BOARD, TRIM)] if board else []
    low = z0 + BOARD if board else z0
    for height, look in wall_bands(room.wall_colour, room.wall_material):
        if board or height == math.inf:
            bands.append((low, min(z0 + height, z1), look))
            low = bands[-1][1]
    for face in faces:
        build_face(site, face, holes, bands, room.id)


def build_reveal(site: MeshBuilder, hole: WallHole, room: Room) -> None:
    """Build the inner faces of a hole in a wall: both jambs, the head and the sill or threshold."""
    opening, axis = hole.opening, hole.opening.axis
    line = hole.faces[0].line
    passage = opening.kind == "passage"
    look = wall_paint(room.wall_colour) if passage else TRIM
    kind, owner = ("wall", room.id) if passage else (opening.kind, opening.id)
    other: Axis = "y" if axis == "x" else "x"
    for at, sign in ((hole.lo, 1), (hole.hi, -1)):
        site.add(upright(other, at, line - HALF, line + HALF, hole.z0, hole.z1, sign), look, kind, owner)
    thin = 0.0005
    head = across(axis, hole.lo, hole.hi, line - HALF, line + HALF, hole.z1, hole.z1 + thin)
    site.box(_six(head), look, kind, owner)
    sill = across(axis, hole.lo, hole.hi, line - HALF, line + HALF, hole.z0 - thin, hole.z0)
    if opening.sill <= 0.0:
        site.box(_six(sill), floor_paint(room.floor_material), "floor", room.id)
    else:
        site.box(_six(sill), look, kind, owner)


def _six(values: tuple[float, ...]) -> tuple[float, float, float, float, float, float]:
    a, b, c, d, e, f = values
    return a, b, c, d, e, f
