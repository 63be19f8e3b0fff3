"""Stairs: steps, landings, the hole in the floor above, railings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import shapely
from shapely import LineString, Polygon

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import Area, MeshBuilder, Rectangle, polygons_of, rectangles
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.mesh.spiral import build_spiral, spiral_exit, spiral_square
from vlnscope.worlds.houses.plan.plan import XY, XYZ, Stair

STEP = Paint(176, 134, 92, 1)
RAIL = Paint(96, 66, 44, 1)
POST = Paint(236, 234, 228)
RISER = 0.174
_WAIST = 0.2
_NARROW = 0.5
_RAIL_HEIGHT = 0.95


def _edge(point: XYZ, run: tuple[XYZ, XYZ], width: float) -> tuple[XY, XY]:
    """Return the ends of a step's edge through a point of a run."""
    (x0, y0, _), (x1, y1, _) = run
    length = max(math.hypot(x1 - x0, y1 - y0), 1e-9)
    nx, ny = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
    return (point[0] + nx, point[1] + ny), (point[0] - nx, point[1] - ny)


def _bounds(points: Sequence[XY]) -> Rectangle:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def run_area(run: tuple[XYZ, XYZ], width: float) -> Rectangle:
    """Return the floor under a run: x0, y0, x1, y1."""
    return _bounds([*_edge(run[0], run, width), *_edge(run[1], run, width)])


def landings(stair: Stair, well: Polygon) -> list[tuple[Rectangle, float]]:
    """Return the landings between a stair's runs with their elevations, within the stairwell's floor.

    A landing joins the head of a run to the foot of the next. Where both lie on one line (the stair turns
    back), it reaches on from there by the width of the steps, or to the wall if that is near. A spiral stair
    has none.
    """
    platforms: list[tuple[Rectangle, float]] = []
    if stair.centre is not None:
        return platforms
    for run, after in zip(stair.runs, stair.runs[1:], strict=False):
        x0, y0, x1, y1 = _bounds([*_edge(run[1], run, stair.width), *_edge(after[0], after, stair.width)])
        (ax, ay, _), (bx, by, z) = run
        wx0, wy0, wx1, wy1 = well.bounds
        reach = stair.width
        if abs(bx - ax) >= abs(by - ay) and x1 - x0 < 0.5 * reach:
            x0, x1 = (x0, _near(x0 + reach, wx1)) if bx > ax else (_near(x1 - reach, wx0), x1)
        elif abs(bx - ax) < abs(by - ay) and y1 - y0 < 0.5 * reach:
            y0, y1 = (y0, _near(y0 + reach, wy1)) if by > ay else (_near(y1 - reach, wy0), y1)
        platforms.append(((x0, y0, x1, y1), z))
    return platforms


def _near(end: float, wall: float) -> float:
    return wall if abs(end - wall) < _NARROW else end


def stair_hole(stair: Stair, well: Polygon) -> Area:
    """Return the hole in the upper floor: runs, landings, and strips beside them too narrow to stand on."""
    parts = [run_area(run, stair.width) for run in stair.runs]
    parts += [area for area, _ in landings(stair, well)]
    boxes = [spiral_square(stair)] if stair.centre else [shapely.box(*part) for part in parts]
    taken = shapely.union_all(boxes, grid_size=1e-5)
    rest = well.difference(taken)
    half = _NARROW / 2
    stand = rest.buffer(-half, join_style="mitre").buffer(half, join_style="mitre")
    hole: Area = shapely.set_precision(well.difference(stand), 1e-5)
    return hole


def build_stair(
    site: MeshBuilder, stair: Stair, well: Polygon, floor: float, hung: bool, look: Paint
) -> None:
    """Build steps, landings and railings.

    Steps are solid down to the floor at height `floor` or, if `hung`, a slab over the flight below; their
    body has the paint `look`. A side of a run has a railing where no wall is near. A spiral stair hangs from
    its post.
    """
    if stair.centre is not None:
        build_spiral(site, stair)
        return
    for run in stair.runs:
        _build_steps(site, stair, run, floor, hung, look)
        for side in (-1, 1):
            if _free_side(run, stair.width, side, well):
                _build_sloped_rail(site, stair, run, side)
    for area, z in landings(stair, well):
        part = shapely.box(*area).intersection(well)
        for x0, y0, x1, y1 in rectangles(part):
            low = z - _WAIST if hung else floor
            site.box((x0, x1, y0, y1, low, z - 0.03), look, "stairs", stair.id)
            site.box((x0, x1, y0, y1, z - 0.03, z), STEP, "stairs", stair.id)


def _build_steps(
    site: MeshBuilder, stair: Stair, run: tuple[XYZ, XYZ], floor: float, hung: bool, look: Paint
) -> None:
    (x0, y0, z0), (x1, y1, z1) = run
    count = max(1, round((z1 - z0) / RISER))
    for i in range(count):
        a, b = i / count, (i + 1) / count
        start = (x0 + a * (x1 - x0), y0 + a * (y1 - y0), 0.0)
        end = (x0 + b * (x1 - x0), y0 + b * (y1 - y0), 0.0)
        e, f, g, h = _bounds([*_edge(start, run, stair.width), *_edge(end, run, stair.width)])
        top = z0 + b * (z1 - z0)
        low = max(floor, top - (z1 - z0) / count - _WAIST) if hung else floor
        site.box((e, g, f, h, low, top - 0.03), look, "stairs", stair.id)
        site.box((e, g, f, h, top - 0.03, top), STEP, "stairs", stair.id)


def _free_side(run: tuple[XYZ, XYZ], width: float, side: int, well: Polygon) -> bool:
    """Whether the side of a run (1 left, -1 right) is away from the walls."""
    middle = ((run[0][0] + run[1][0]) / 2, (run[0][1] + run[1][1]) / 2, 0.0)
    left, right = _edge(middle, run, width + 0.2)
    return bool(shapely.contains_xy(well, *(left if side > 0 else right)))


def _build_sloped_rail(site: MeshBuilder, stair: Stair, run: tuple[XYZ, XYZ], side: int) -> None:
    inset = stair.width - 0.08
    pick = 0 if side > 0 else 1
    a, b = _edge(run[0], run, inset)[pick], _edge(run[1], run, inset)[pick]
    count = max(1, round((run[1][2] - run[0][2]) / RISER))
    rise = (run[1][2] - run[0][2]) / count
    for i in range(count):
        share = (i + 0.5) / count
        x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        top = run[0][2] + (i + 1) * rise
        site.box(
            (x - 0.012, x + 0.012, y - 0.012, y + 0.012, top, top + _RAIL_HEIGHT - rise / 2),
            POST,
            "railing",
            stair.id,
        )
    up = _RAIL_HEIGHT
    start, end = (a[0], a[1], run[0][2] + up), (b[0], b[1], run[1][2] + up)
    site.add(shapes.tube(start, end, 0.028), RAIL, "railing", stair.id)
    for x, y, z in ((a[0], a[1], run[0][2]), (b[0], b[1], run[1][2])):
        site.box((x - 0.035, x + 0.035, y - 0.035, y + 0.035, z, z + up + 0.06), RAIL, "railing", stair.id)


def build_railing(site: MeshBuilder, a: XY, b: XY, z: float, owner: str, look: Paint = RAIL) -> None:
    """Build a level railing along a line: posts, balusters, a hand rail; a very short one is left out."""
    length = math.dist(a, b)
    if length < 0.12:
        return
    count = max(1, round(length / 0.14))
    for i in range(count + 1):
        x, y = a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count
        post = i in (0, count) or i % 10 == 0
        half = 0.03 if post else 0.01
        top = z + _RAIL_HEIGHT + (0.06 if post else 0.0)
        site.box((x - half, x + half, y - half, y + half, z, top), look if post else POST, "railing", owner)
    x0, y0, x1, y1 = _bounds([a, b])
    for low, high in ((_RAIL_HEIGHT - 0.02, _RAIL_HEIGHT + 0.025), (0.08, 0.11)):
        site.box((x0 - 0.025, x1 + 0.025, y0 - 0.025, y1 + 0.025, z + low, z + high), look, "railing", owner)


def build_guard(
    site: MeshBuilder, hole: Area, well: Polygon, steps: Sequence[tuple[XY, XY]], z: float, owner: str
) -> None:
    """Build railings along the edges of a hole in the floor, but not at walls nor where steps are."""
    gaps = [LineString(step).buffer(0.12, cap_style="flat") for step in steps]
    gaps.append(well.boundary.buffer(0.1))
    open_edges = shapely.union_all(gaps)
    for polygon in polygons_of(hole):
        for a, b in straight_pieces(polygon.boundary.difference(open_edges)):
            build_railing(site, a, b, z, owner)


def straight_pieces(lines: object) -> list[tuple[XY, XY]]:
    """Return the straight pieces of any shapely lines, those that meet in a line joined."""
    if isinstance(lines, LineString):
        points = [(float(x), float(y)) for x, y in lines.coords]
        pieces: list[tuple[XY, XY]] = []
        for a, b in itertools.pairwise(points):
            if pieces and _in_line(pieces[-1][0], a, b):
                pieces[-1] = (pieces[-1][0], b)
            else:
                pieces.append((a, b))
        return pieces
    joined = shapely.line_merge(lines) if isinstance(lines, shapely.MultiLineString) else lines
    parts = [joined] if isinstance(joined, LineString) else getattr(joined, "geoms", ())
    return [piece for part in parts for piece in straight_pieces(part)]


def _in_line(a: XY, b: XY, c: XY) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) < 1e-7


def step_edge(stair: Stair, upper: bool) -> tuple[XY, XY]:
    """Return the edge over which one leaves a stair at its head (`upper`) or enters it at its foot."""
    if stair.centre is not None:
        return spiral_exit(stair)
    run = stair.runs[-1] if upper else stair.runs[0]
    return _edge(run[1] if upper else run[0], run, stair.width)
