"""What is seen of a house from outside: terraces and balconies, roofs, the lawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import shapely
from shapely import Polygon

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh.builder import Area, MeshBuilder, grown, offset_ring, rectangles
from vlnscope.worlds.houses.mesh.colours import Paint, floor_paint
from vlnscope.worlds.houses.mesh.stairs import build_railing, straight_pieces
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan, Opening, Room
from vlnscope.worlds.rendering.mesh import TEXTURES

OUTSIDE = "outside"
"""The object that the ground, the roof and the outer side of walls belong to."""

GROUND = 0.12
"""How far the lawn lies below the lowest floor."""

_SLAB = 0.2
_THIN = 0.05
_MARGIN = 40.0
_RAIL_INSET = 0.04
_GRASS = Paint(104, 148, 74, 8)
_FACADES = (
    Paint(226, 218, 200, TEXTURES.index("plaster")),
    Paint(168, 96, 76, TEXTURES.index("brick")),
    Paint(200, 204, 206, TEXTURES.index("siding")),
    Paint(214, 196, 164, TEXTURES.index("plaster")),
    Paint(150, 150, 146, TEXTURES.index("stone")),
)


def ceiling_height(floors: Mapping[int, Floor], level: int) -> float:
    """Return where the ceilings of a storey lie: always a little below the next floor."""
    floor, above = floors[level], floors.get(level + 1)
    high = floor.elevation + floor.height
    return high if above is None else min(high, above.elevation - _THIN)


def outer_span(floors: Mapping[int, Floor], level: int) -> tuple[float, float]:
    """Return from which height to which the outer walls of a storey reach."""
    floor, above = floors[level], floors.get(level + 1)
    below = floor.elevation - 2 * GROUND if level - 1 not in floors else ceiling_height(floors, level - 1)
    top = ceiling_height(floors, level)
    return (below + floor.elevation) / 2, (top + _SLAB if above is None else (top + above.elevation) / 2)


def build_outdoor_room(
    site: MeshBuilder,
    room: Room,
    span: tuple[float, float],
    house: Area,
    others: Sequence[Polygon],
    openings: Sequence[Opening],
) -> None:
    """Build the slab of an outdoor room and railings along its free sides.

    Args:
        site: where to build.
        room: the outdoor room.
        span: heights of the lower and the upper side of its floor.
        house: outline of the indoor rooms of its storey.
        others: the other outdoor rooms of its storey; no railing stands between two of them.
        openings: those of its storey; the railings leave way for those of this room.
    """
    walls = grown(house)
    area = shapely.geometry.polygon.orient(Polygon(room.polygon))
    look = floor_paint(room.floor_material)
    for x0, y0, x1, y1 in rectangles(area.difference(walls)):
        site.box((x0, x1, y0, y1, *span), look, "floor", room.id)
    line = Polygon(offset_ring(list(area.exterior.coords), _RAIL_INSET)).exterior
    closed = [part.buffer(_RAIL_INSET + 0.02, join_style="mitre") for part in (walls, *others)]
    ways = [_way(opening) for opening in openings if opening.sill < 0.5 and room.id in opening.rooms]
    for a, b in straight_pieces(line.difference(shapely.union_all([*closed, *ways]))):
        build_railing(site, a, b, span[1], room.id)


def _way(opening: Opening) -> Polygon:
    x, y = opening.centre
    w, d = (opening.width / 2, 0.2) if opening.axis == "x" else (0.2, opening.width / 2)
    return shapely.box(x - w, y - d, x + w, y + d)


def facade_of(plan: FloorPlan) -> Paint:
    """Return the paint of the outer walls of a house, drawn from its name and style."""
    chance = rng_for(0, "facade", plan.id, plan.style)
    return _FACADES[int(chance.integers(len(_FACADES)))]


def ground_level(plan: FloorPlan) -> float:
    """Return the height of the ground around a house; none of its floors lies below it."""
    lowest = min(floor.elevation for floor in plan.floors)
    return min(lowest, getattr(plan, "ground", lowest)) - GROUND


def build_ground(site: MeshBuilder, bounds: tuple[float, float, float, float], z: float) -> None:
    """Build a lawn that reaches far beyond `bounds` (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = bounds
    lawn = shapely.box(x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN)
    site.level(lawn, z, True, _GRASS, "ground", OUTSIDE)
