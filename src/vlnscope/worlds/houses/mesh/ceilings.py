"""What is built below ceilings: timber beams, coffers, slats, steel girders with ducts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import shapely

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import Area, Axis, MeshBuilder, across, rectangles
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.plan.ceilings import CeilingSlope
from vlnscope.worlds.houses.plan.plan import XY, FloorPlan, Room
from vlnscope.worlds.rendering.mesh import TEXTURES

Built = Literal["plain", "beams", "coffers", "slats", "girders"]

_WOOD = TEXTURES.index("wood")
_STYLES: dict[str, tuple[tuple[Built, float], ...]] = {
    "rustic": (("beams", 0.9), ("plain", 0.1)),
    "cottage": (("beams", 0.75), ("coffers", 0.2), ("plain", 0.05)),
    "mediterranean": (("beams", 0.9), ("plain", 0.1)),
    "classic": (("coffers", 0.92), ("plain", 0.08)),
    "industrial": (("girders", 0.85), ("beams", 0.15)),
    "modern": (("slats", 0.7), ("coffers", 0.2), ("plain", 0.1)),
    "scandinavian": (("slats", 0.6), ("beams", 0.3), ("plain", 0.1)),
    "colourful": (("beams", 0.45), ("slats", 0.45), ("plain", 0.1)),
    "plain": (("coffers", 0.45), ("beams", 0.45), ("plain", 0.1)),
}
_ANY: tuple[tuple[Built, float], ...] = (("beams", 0.5), ("coffers", 0.4), ("plain", 0.1))
_TIMBER = (Paint(122, 84, 54, _WOOD), Paint(92, 62, 42, _WOOD), Paint(168, 128, 88, _WOOD))
_SLAT = (Paint(186, 146, 102, _WOOD), Paint(142, 102, 68, _WOOD))
_PAINTED = Paint(240, 238, 232)
_STEEL = Paint(70, 72, 76)
_DUCT = Paint(176, 180, 184)
_SOME = 0.96
_SMALLEST = 1.1


class CeilingBuild(NamedTuple):
    """What is below a ceiling: how it is built, and in which colour."""

    kind: Built
    look: Paint


def ceiling_build(plan: FloorPlan, room: Room) -> CeilingBuild:
    """Draw what is below the ceiling of a room: one way of building per house, which most rooms share."""
    house = rng_for(0, "ceilings", plan.id)
    at, kind = float(house.random()), _ANY[-1][0]
    for kind, share in _STYLES.get(plan.style, _ANY):  # noqa: B007
        at -= share
        if at < 0:
            break
    timber = _TIMBER[int(house.integers(len(_TIMBER)))]
    if plan.style in ("cottage", "plain", "colourful") and house.random() < 0.5:
        timber = _PAINTED
    slat = _SLAT[int(house.integers(len(_SLAT)))]
    looks = {"beams": timber, "coffers": _PAINTED, "slats": slat, "girders": _STEEL, "plain": _PAINTED}
    if rng_for(0, "ceilings", plan.id, room.id).random() > _SOME:
        kind = "plain"
    return CeilingBuild(kind, looks[kind])


def build_ceiling(
    site: MeshBuilder, room: Room, area: Area, z: float, build: CeilingBuild, hung: Sequence[XY]
) -> None:
    """Build what is below a ceiling.

    Args:
        site: where to build.
        room: whose ceiling it is.
        area: the ceiling, without the holes of stairwells.
        z: its elevation.
        build: how it is built.
        hung: where things hang from it; beams keep out of their way where they can.
    """
    if build.kind == "plain" or area.is_empty:
        return
    x0, y0, x1, y1 = area.bounds
    if min(x1 - x0, y1 - y0) < _SMALLEST:
        return
    short: Axis = "x" if x1 - x0 < y1 - y0 else "y"
    long: Axis = "y" if short == "x" else "x"
    match build.kind:
        case "beams":
            _row(site, room, area, z, short, (0.74, 0.13, 0.19), build.look, hung)
        case "slats":
            _row(site, room, area, z, long, (0.15, 0.05, 0.07), build.look, ())
        case "girders":
            _row(site, room, area, z, short, (0.85, 0.14, 0.2), build.look, hung)
            _duct(site, room, area, z, long)
        case "coffers":
            for axis in (short, long):
                _row(site, room, area, z, axis, (0.82, 0.12, 0.15), build.look, hung)


def build_rafters(
    site: MeshBuilder, room: Room, slope: CeilingSlope, area: Area, build: CeilingBuild
) -> None:
    """Build rafters below a slope of a ceiling, from the eaves to where the ceiling is level."""
    if build.kind == "plain":
        return
    for x0, y0, x1, y1 in rectangles(area):
        low, high = (x0, x1) if slope.wall.axis == "x" else (y0, y1)
        near, far = (y0, y1) if slope.wall.axis == "x" else (x0, x1)
        if slope.wall.out > 0:
            near, far = far, near
        for middle in _middles(low, high, 0.74, ()):
            _rafter(site, room, slope, (middle - 0.055, middle + 0.055), (near, far), build.look)


def _rafter(
    site: MeshBuilder,
    room: Room,
    slope: CeilingSlope,
    along: tuple[float, float],
    over: tuple[float, float],
    look: Paint,
) -> None:
    """Add the lower side and both long sides of a rafter that rises from `over[0]` to `over[1]`."""

    def point(a: float, c: float, down: float) -> tuple[float, float, float]:
        x, y = (a, c) if slope.wall.axis == "x" else (c, a)
        return x, y, slope.rise((x, y)) - down

    a, b = along
    near, far = over
    rings = (
        (point(a, near, 0.14), point(b, near, 0.14), point(b, far, 0.14), point(a, far, 0.14)),
        (point(a, far, 0.14), point(a, far, 0.0), point(a, near, 0.0), point(a, near, 0.14)),
        (point(b, near, 0.14), point(b, near, 0.0), point(b, far, 0.0), point(b, far, 0.14)),
    )
    flip = (slope.wall.out > 0) != (slope.wall.axis == "y")
    for ring in rings:
        p, q, r, s = ring if flip else ring[::-1]
        site.add(shapes.quad(p, q, r, s), look, "beam", room.id)


def _row(
    site: MeshBuilder,
    room: Room,
    area: Area,
    z: float,
    axis: Axis,
    measures: tuple[float, float, float],
    look: Paint,
    hung: Sequence[XY],
) -> None:
    """Add equal beams that run along `axis`; measures are their distance, width and depth."""
    apart, wide, deep = measures
    x0, y0, x1, y1 = area.bounds
    low, high = (y0, y1) if axis == "x" else (x0, x1)
    for middle in _middles(low, high, apart, [p[1] if axis == "x" else p[0] for p in hung]):
        a, b = middle - wide / 2, middle + wide / 2
        strip = shapely.box(x0, a, x1, b) if axis == "x" else shapely.box(a, y0, b, y1)
        for left, bottom, right, top in rectangles(area.intersection(strip)):
            _beam(site, room, axis, (left, right, bottom, top), (z - deep, z), look)


def _middles(low: float, high: float, apart: float, avoid: Sequence[float]) -> Iterator[float]:
    """Yield where beams lie between two walls: evenly, shifted if one would meet what hangs there."""
    count = max(round((high - low) / apart), 1)
    step = (high - low) / count
    places = low + step * (np.arange(count) + 0.5)
    shifts = (0.0, 0.5, 0.25, -0.25)
    clear = [
        min((abs(place + shift * step - at) for place in places for at in avoid), default=1.0)
        for shift in shifts
    ]
    shift = next(
        (s for s, gap in zip(shifts, clear, strict=True) if gap > 0.2), shifts[int(np.argmax(clear))]
    )
    for place in (places + shift * step).tolist():
        if low + 0.08 < place < high - 0.08:
            yield place


def _beam(
    site: MeshBuilder,
    room: Room,
    axis: Axis,
    flat: tuple[float, float, float, float],
    up: tuple[float, float],
    look: Paint,
) -> None:
    """Add the lower side and both long sides of a beam; walls and ceiling hide the rest."""
    x0, x1, y0, y1 = flat
    z0, z1 = up
    site.add(shapes.quad((x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0)), look, "beam", room.id)
    if axis == "x":
        sides = (
            ((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)),
            ((x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1)),
        )
    else:
        sides = (
            ((x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)),
            ((x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)),
        )
    for a, b, c, d in sides:
        site.add(shapes.quad(a, b, c, d), look, "beam", room.id)


def _duct(site: MeshBuilder, room: Room, area: Area, z: float, axis: Axis) -> None:
    """Add a square ventilation duct along one side of a room, below the girders."""
    x0, y0, x1, y1 = area.bounds
    if max(x1 - x0, y1 - y0) < 3.0:
        return
    side = y0 if axis == "x" else x0
    a, b = side + 0.35, side + 0.6
    strip = shapely.box(x0, a, x1, b) if axis == "x" else shapely.box(a, y0, b, y1)
    for left, bottom, right, top in rectangles(area.intersection(strip)):
        along = (left, right) if axis == "x" else (bottom, top)
        over = (bottom, top) if axis == "x" else (left, right)
        site.add(shapes.box(*across(axis, *along, *over, z - 0.4, z - 0.2)), _DUCT, "duct", room.id)
