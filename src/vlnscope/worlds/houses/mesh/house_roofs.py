"""The roofs of a house: sloped ones over its highest parts, flat ones over the rest."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import (
    Area,
    MeshBuilder,
    Rectangle,
    grown,
    polygons_of,
    rectangles,
    rings_of,
)
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.mesh.exterior import OUTSIDE, outer_span
from vlnscope.worlds.houses.mesh.roofs import RoofKind, roof
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.rendering.mesh import TEXTURES

_SHINGLES, _GRAVEL, _BRICK = (TEXTURES.index(name) for name in ("shingles", "gravel", "brick"))
_STYLES: dict[str, tuple[RoofKind, float]] = {
    "modern": ("flat", 0.0),
    "industrial": ("flat", 0.0),
    "classic": ("hip", 0.5),
    "rustic": ("gable", 0.65),
    "scandinavian": ("gable", 0.75),
    "mediterranean": ("hip", 0.36),
    "cottage": ("gable", 0.85),
}
"""The kind of roof and its slope (rise per metre) by the style of a house."""

_TILES = (
    Paint(96, 92, 92, _SHINGLES),
    Paint(124, 72, 56, _SHINGLES),
    Paint(82, 74, 70, _SHINGLES),
    Paint(106, 78, 62, _SHINGLES),
)
_TERRACOTTA = Paint(176, 102, 70, _SHINGLES)
_FLAT = Paint(146, 142, 136, _GRAVEL)
_CHIMNEY = Paint(150, 90, 72, _BRICK)
_EAVE, _SINK, _HIGHEST = 0.45, 0.16, 4.2
_LEAST = 12.0
_PARAPET = 0.3


@dataclass(frozen=True)
class RoofStyle:
    """How the roofs of a house look: their kind, slope, tiles and the paint of their gables."""

    kind: RoofKind
    slope: float
    tiles: Paint
    wall: Paint


def roof_style(plan: FloorPlan, facade: Paint) -> RoofStyle:
    """Return the roofs that go with the style of a house; flats and lofts have flat ones."""
    chance = rng_for(0, "roof", plan.id)
    kind, slope = _STYLES.get(plan.style, ("hip", 0.5))
    if getattr(plan, "building", "") in ("apartment", "loft"):
        kind = "flat"
    tiles = _TILES[int(chance.integers(len(_TILES)))]
    return RoofStyle(kind, slope, _TERRACOTTA if plan.style == "mediterranean" else tiles, facade)


def build_roofs(site: MeshBuilder, plan: FloorPlan, outlines: Mapping[int, Area], facade: Paint) -> None:
    """Cover what no storey covers, and close from below what overhangs.

    A part that stands clear of all higher storeys and outdoor rooms gets the roof of the house's style,
    which begins above the ceilings; any other part is flat.

    Args:
        site: where to build.
        plan: the house.
        outlines: what the rooms of each storey cover, to the middle of their outer walls.
        facade: the paint of the outer walls.
    """
    floors = {floor.level: floor for floor in sorted(plan.floors, key=lambda floor: floor.level)}
    style = roof_style(plan, facade)
    chimney = True
    for level, floor in reversed(floors.items()):
        low, high = outer_span(floors, level)
        area = grown(outlines[level])
        above = [m for m, other in floors.items() if other.elevation > floor.elevation]
        higher = shapely.union_all([grown(outlines[m]) for m in above])
        decks = [Polygon(room.polygon) for room in plan.rooms if room.outdoor and room.floor in above]
        shut = shapely.union_all([higher, *decks])
        for part in polygons_of(area.difference(higher, grid_size=1e-6)):
            clear = part.area >= _LEAST and shapely.distance(part, shut) > _EAVE + 0.1 if above else True
            if clear:
                _top(site, part, high, style, chimney)
                chimney = False
            else:
                site.level(part, high, True, _FLAT, "roof", OUTSIDE)
        if level - 1 in outlines:
            site.level(area.difference(grown(outlines[level - 1])), low, False, facade, "roof", OUTSIDE)


def _top(site: MeshBuilder, part: Polygon, high: float, style: RoofStyle, chimney: bool) -> None:
    """Build the roof over a part that has nothing above it."""
    boxes = widest_boxes(part)
    if style.kind == "flat" or not boxes:
        site.level(part, high, True, _FLAT, "roof", OUTSIDE)
        rim: Area = part.difference(part.buffer(-0.2, join_style="mitre"), grid_size=1e-6)
        for x0, y0, x1, y1 in rectangles(rim):
            site.box((x0, x1, y0, y1, high, high + _PARAPET), style.wall, "roof", OUTSIDE)
        return
    half = max(min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes) / 2
    slope = min(style.slope, _HIGHEST / half)
    lift = max(0.0, slope * _EAVE - _SINK)
    for ring in rings_of(part):
        for (ax, ay), (bx, by) in itertools.pairwise(ring):
            band = shapes.quad((ax, ay, high), (bx, by, high), (bx, by, high + lift), (ax, ay, high + lift))
            site.add(band, style.wall, "roof", OUTSIDE)
    kind: RoofKind = style.kind if len(boxes) <= 2 else "hip"
    for box in boxes:
        for shape, look in roof(box, high + lift, kind, slope, _EAVE, style.tiles, style.wall):
            site.add(shape, look, "roof", OUTSIDE)
    if chimney:
        _chimney(site, max(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1])), high + lift, slope)


def _chimney(site: MeshBuilder, box: Rectangle, z: float, slope: float) -> None:
    x0, y0, x1, y1 = box
    half = min(x1 - x0, y1 - y0) / 2
    along = x1 - x0 >= y1 - y0
    x, y = (
        (x0 + 0.62 * (x1 - x0), y0 + 0.6 * (y1 - y0))
        if along
        else (x0 + 0.4 * (x1 - x0), y0 + 0.62 * (y1 - y0))
    )
    top = z + slope * half + 0.7
    site.box((x - 0.3, x + 0.3, y - 0.3, y + 0.3, z, top), _CHIMNEY, "roof", OUTSIDE)
    site.box((x - 0.36, x + 0.36, y - 0.36, y + 0.36, top, top + 0.08), _FLAT, "roof", OUTSIDE)


def widest_boxes(area: Polygon) -> list[Rectangle]:
    """Return the boxes x0, y0, x1, y1 within a rectilinear area that no larger box within it contains.

    Hipped roofs over all of them join to the roof of the whole area.
    """
    points = np.round(shapely.get_coordinates(area), 6)
    xs, ys = np.unique(points[:, 0]), np.unique(points[:, 1])
    middle = np.meshgrid((xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2, indexing="ij")
    filled = np.zeros((len(xs), len(ys)), dtype=np.int64)
    filled[1:, 1:] = shapely.contains_xy(area, *middle).cumsum(axis=0).cumsum(axis=1)
    found = []
    for i, j in itertools.combinations(range(len(xs)), 2):
        k = 0
        while k < len(ys) - 1:
            end = k
            while end < len(ys) - 1 and _full(filled, i, j, end, end + 1):
                end += 1
            if end > k:
                found.append((i, j, k, end))
            k = end + 1
    largest = [a for a in found if not any(a != b and _within(a, b) for b in found)]
    return [(float(xs[i]), float(ys[k]), float(xs[j]), float(ys[m])) for i, j, k, m in largest]


def _full(filled: np.ndarray, i: int, j: int, k: int, m: int) -> bool:
    return bool(filled[j, m] - filled[i, m] - filled[j, k] + filled[i, k] == (j - i) * (m - k))


def _within(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return b[0] <= a[0] and a[1] <= b[1] and b[2] <= a[2] and a[3] <= b[3]
