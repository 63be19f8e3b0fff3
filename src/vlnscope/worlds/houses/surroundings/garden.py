"""The garden of a house: lawn, paths, drive, flower beds, what stands along its edge, and its trees."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import LineString

from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import Area, rectangles
from vlnscope.worlds.houses.surroundings.lot import CLEAR, Box, Lot
from vlnscope.worlds.houses.surroundings.plants import (
    CROWNS,
    HEDGE_PAINTS,
    SHAPES,
    bush,
    flowers,
    hedge,
    tree,
)
from vlnscope.worlds.houses.surroundings.settings import Edge, Setting, trees_of
from vlnscope.worlds.houses.surroundings.stage import Stage, look
from vlnscope.worlds.houses.surroundings.street import car, car_colour

_GRAVEL = look(178, 168, 150, "gravel")
_PAVING = look(176, 168, 156, "paving")
_SOIL = look(92, 72, 54, "soil")
_DRIVES = (look(150, 146, 140, "paving"), look(172, 162, 144, "gravel"), look(112, 112, 112, "asphalt"))
_WHITE = look(232, 230, 222)
_BOARDS = (look(134, 104, 74, "planks"), look(112, 96, 80, "planks"), look(150, 148, 142, "planks"))
_WALLS = (look(206, 196, 178, "plaster"), look(156, 96, 76, "brick"), look(164, 158, 148, "stone"))
_CAP = look(176, 170, 160, "concrete")
_GAP = 0.25


@dataclass(frozen=True)
class Garden:
    """The box x0, y0, x1, y1 of a lot, its paved ways, and what must stay free of plants."""

    box: Box
    ways: Area
    free: Area


def garden_of(rng: np.random.Generator, lot: Lot, setting: Setting, street: float) -> Garden:
    """Measure out the garden of a lot whose front edge lies at `street`."""
    x0, _, x1, y1 = lot.bounds
    left, right = (float(rng.uniform(*setting.side)) for _ in range(2))
    box = (x0 - left, street, x1 + right, y1 + float(rng.uniform(*setting.back)))
    dx, dy = lot.door
    path = shapely.box(dx - 0.65, street, dx + 0.65, dy)
    drives = [d for d in (_drive(lot, garage, street) for garage in lot.garages) if d is not None]
    ways: Area = shapely.union_all([path, *drives], grid_size=1e-4).difference(lot.house, grid_size=1e-4)
    return Garden(box, ways, shapely.union_all([lot.house.buffer(CLEAR), ways.buffer(0.5)]))


def _drive(lot: Lot, garage: Box, street: float) -> Area | None:
    """Return the way from a garage straight to the street, if nothing of the house is in between."""
    x0, y0, x1, _ = garage
    middle, half = (x0 + x1) / 2, min(x1 - x0, 5.5) / 2
    way = shapely.box(middle - half, street, middle + half, y0)
    return way if way.intersection(lot.house.buffer(-0.2)).area < 0.3 else None


def build_garden(
    stage: Stage, rng: np.random.Generator, lot: Lot, setting: Setting, garden: Garden, style: str
) -> None:
    """Build the garden and plant it."""
    z = lot.ground
    drive = _DRIVES[int(rng.integers(len(_DRIVES)))]
    for x0, y0, x1, y1 in rectangles(garden.ways):
        stage.flat((x0, y0, x1, y1), z + 0.025, _PAVING if x1 - x0 < 1.5 else drive, "street")
    _borders(stage, lot, garden)
    _drive_car(stage, rng, lot, garden)
    edge: Edge = setting.edges[int(rng.integers(len(setting.edges)))]
    if setting.name != "city":
        _edges(stage, rng, garden, edge, z)
    _beds(stage, rng, lot, garden)
    _trees(stage, rng, lot, setting, garden, style)


def _borders(stage: Stage, lot: Lot, garden: Garden) -> None:
    """Lay gravel along the walls and slabs around the terraces."""
    around = lot.terraces.buffer(0.6, join_style="mitre").difference(lot.house, grid_size=1e-4)
    for box in rectangles(around.difference(garden.ways, grid_size=1e-4)):
        stage.flat(box, lot.ground + 0.02, _PAVING, "street")
    apron = lot.indoor.buffer(0.4, join_style="mitre").difference(lot.house, grid_size=1e-4)
    for box in rectangles(apron.difference(shapely.union_all([around, garden.ways]), grid_size=1e-4)):
        stage.flat(box, lot.ground + 0.012, _GRAVEL, "ground")


def _drive_car(stage: Stage, rng: np.random.Generator, lot: Lot, garden: Garden) -> None:
    wide = [box for box in rectangles(garden.ways) if box[2] - box[0] >= 2.4 and box[3] - box[1] > 6.5]
    if wide and rng.random() < 0.45:
        x0, y0, x1, _ = max(wide, key=lambda box: box[3] - box[1])
        place = ((x0 + x1) / 2, y0 + 2.9, lot.ground + 0.025, 0.0, 1.0, 1.0)
        stage.place(car(car_colour(rng)), [place], "car")


def _edges(stage: Stage, rng: np.random.Generator, garden: Garden, edge: Edge, z: float) -> None:
    """Let something stand along the lot, lower towards the street; the ways lead through it."""
    x0, y0, x1, y1 = garden.box
    gap = _GAP
    front = LineString([(x0 + gap, y0 + gap), (x1 - gap, y0 + gap)])
    back = LineString(
        [(x1 - gap, y0 + gap), (x1 - gap, y1 - gap), (x0 + gap, y1 - gap), (x0 + gap, y0 + gap)]
    )
    kind: Edge = "hedge" if edge == "none" and rng.random() < 0.3 else edge
    choice = int(rng.integers(3))
    for line, low in ((front, True), (back, False)):
        free = line.difference(garden.ways.buffer(0.35, join_style="mitre"))
        for part in getattr(free, "geoms", [free]):
            for a, b in itertools.pairwise(part.coords):
                _edge(stage, rng, kind, a, b, low, choice, z)


def _edge(
    stage: Stage,
    rng: np.random.Generator,
    kind: Edge,
    a: tuple[float, ...],
    b: tuple[float, ...],
    low: bool,
    choice: int,
    z: float,
) -> None:
    (ax, ay), (bx, by) = a[:2], b[:2]
    if kind == "hedge":
        size = (0.6, 0.95 if low else 1.45)
        stage.add(hedge(rng, (ax, ay), (bx, by), size, z), HEDGE_PAINTS[choice], "hedge")
        return
    if kind == "none":
        return
    x0, x1, y0, y1 = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    if kind == "wall":
        high = 0.8 if low else 1.5
        stage.add(
            shapes.box(x0 - 0.1, x1 + 0.1, y0 - 0.1, y1 + 0.1, z - 0.1, z + high), _WALLS[choice], "fence"
        )
        stage.add(
            shapes.box(x0 - 0.15, x1 + 0.15, y0 - 0.15, y1 + 0.15, z + high, z + high + 0.06), _CAP, "fence"
        )
    elif kind == "planks":
        _posts(stage, x0, x1, y0, y1, z, 1.0 if low else 1.6, choice)
    else:
        _pickets(stage, x0, x1, y0, y1, z, 0.9 if low else 1.1)


def _posts(
    stage: Stage, x0: float, x1: float, y0: float, y1: float, z: float, high: float, choice: int
) -> None:
    paint = _BOARDS[choice]
    stage.add(shapes.box(x0 - 0.015, x1 + 0.015, y0 - 0.015, y1 + 0.015, z + 0.05, z + high), paint, "fence")
    length = max(x1 - x0, y1 - y0)
    for share in np.linspace(0, 1, max(2, round(length / 2.2) + 1)).tolist():
        x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
        stage.add(
            shapes.box(x - 0.05, x + 0.05, y - 0.05, y + 0.05, z - 0.1, z + high + 0.06), paint, "fence"
        )


def _pickets(stage: Stage, x0: float, x1: float, y0: float, y1: float, z: float, high: float) -> None:
    for low in (0.25, 0.72):
        rail = shapes.box(x0 - 0.02, x1 + 0.02, y0 - 0.02, y1 + 0.02, z + low * high, z + low * high + 0.07)
        stage.add(rail, _WHITE, "fence")
    length = max(x1 - x0, y1 - y0)
    count = max(2, round(length / 0.17))
    share = np.linspace(0, 1, count)[:, None]
    middle = np.array([(x0, y0)]) + share * np.array([(x1 - x0, y1 - y0)])
    along = np.array((1.0, 0.0)) if x1 - x0 >= y1 - y0 else np.array((0.0, 1.0))
    outline = [(-0.045, 0.06), (0.045, 0.06), (0.045, high - 0.08), (0.0, high), (-0.045, high - 0.08)]
    flat = np.array([u for u, _ in outline])[None, :, None] * along + middle[:, None]
    flat = flat + 0.03 * along[::-1]
    rise = np.broadcast_to(np.array([z + v for _, v in outline])[None, :, None], (count, 5, 1))
    points = np.concatenate([flat, rise], axis=2).reshape(-1, 3)
    faces = np.array([(0, 1, 2), (0, 2, 4), (4, 2, 3)])[None] + 5 * np.arange(count)[:, None, None]
    stage.add((points, faces.reshape(-1, 3).astype(np.int32)), _WHITE, "fence")


def _beds(stage: Stage, rng: np.random.Generator, lot: Lot, garden: Garden) -> None:
    """Lay flower beds beside the path and along the back edge."""
    x0, y0, x1, y1 = garden.box
    dx, dy = lot.door
    beds = [(dx + side * 1.3 - 0.35, y0 + 1.0, dx + side * 1.3 + 0.35, dy - CLEAR - 0.3) for side in (-1, 1)]
    if rng.random() < 0.6:
        a = float(rng.uniform(x0 + 1.0, (x0 + x1) / 2))
        beds.append((a, y1 - 1.9, min(a + float(rng.uniform(3, 7)), x1 - 1.0), y1 - 0.9))
    near = lot.house.buffer(CLEAR)
    drives = garden.ways.buffer(-0.7).buffer(0.8)
    for box in beds:
        area = shapely.box(*box) if box[3] > box[1] + 0.8 else None
        if area is None or area.intersects(near) or area.intersects(drives) or rng.random() < 0.25:
            continue
        stage.flat(box, lot.ground + 0.03, _SOIL, "ground")
        count = min(16, max(2, round(area.area / 0.45)))
        rows = np.zeros((count, 6))
        rows[:, 0], rows[:, 1] = (rng.uniform(box[i] + 0.25, box[i + 2] - 0.25, count) for i in (0, 1))
        rows[:, 2], rows[:, 3] = lot.ground + 0.03, rng.uniform(0, 6.28, count)
        rows[:, 4] = rows[:, 5] = rng.uniform(0.7, 1.25, count)
        for shape in range(2):
            stage.place(flowers(int(rng.integers(8))), rows[shape::2], "flowers")


def _trees(
    stage: Stage, rng: np.random.Generator, lot: Lot, setting: Setting, garden: Garden, style: str
) -> None:
    kinds = trees_of(setting, style)
    x0, y0, x1, y1 = garden.box
    spots = np.column_stack([rng.uniform(x0 + 0.8, x1 - 0.8, 90), rng.uniform(y0 + 0.8, y1 - 0.8, 90)])
    away = shapely.distance(shapely.points(spots), garden.free)
    goal = int(rng.integers(setting.count[0], setting.count[1] + 1))
    placed: list[tuple[float, float, float]] = []
    for spot, free in zip(spots.tolist(), away.tolist(), strict=True):
        kind, size = kinds[int(rng.integers(len(kinds)))], float(rng.uniform(0.75, 1.15))
        reach = CROWNS[kind] * size
        if len(placed) < goal and free > reach + 0.2 and _apart(placed, spot, 0.75 * reach):
            placed.append((*spot, 0.75 * reach))
            pose = (*spot, lot.ground, float(rng.uniform(0, 6.28)), size, size * float(rng.uniform(0.9, 1.1)))
            stage.place(
                tree(kind, int(rng.integers(SHAPES))), [pose], "tree", [float(rng.uniform(0.88, 1.1))]
            )
    _bushes(stage, rng, lot, spots[::-1], away[::-1], placed)


def _bushes(
    stage: Stage,
    rng: np.random.Generator,
    lot: Lot,
    spots: Floats,
    away: Floats,
    placed: list[tuple[float, float, float]],
) -> None:
    goal = len(placed) + int(rng.integers(4, 9))
    for spot, free in zip(spots.tolist(), away.tolist(), strict=True):
        size = float(rng.uniform(0.7, 1.5))
        if len(placed) < goal and free > 0.6 * size and _apart(placed, spot, 0.6 * size):
            placed.append((*spot, 0.6 * size))
            pose = (*spot, lot.ground, float(rng.uniform(0, 6.28)), size, size * float(rng.uniform(0.7, 1.0)))
            stage.place(bush(int(rng.integers(6))), [pose], "bush")


def _apart(placed: list[tuple[float, float, float]], spot: list[float], reach: float) -> bool:
    return all((x - spot[0]) ** 2 + (y - spot[1]) ** 2 > (r + reach) ** 2 for x, y, r in placed)
