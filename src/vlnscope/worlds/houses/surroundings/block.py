"""The block of flats around a flat that lies high above the ground: storeys below, above and beside it."""

from __future__ import annotations

import itertools

import numpy as np
import shapely

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import Area, rectangles, rings_of
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.surroundings.lot import Lot
from vlnscope.worlds.houses.surroundings.stage import Stage, look

_STOREY = 3.0
_WING = 11.0
_PANE, _FRAME = look(54, 64, 74, "gloss"), look(236, 234, 228)
_DOOR = look(48, 56, 62, "gloss")
_ROOF = look(140, 136, 130, "gravel")


def build_block(
    stage: Stage, rng: np.random.Generator, lot: Lot, span: tuple[float, float], wall: Paint
) -> None:
    """Build the block around a flat whose outer walls span these heights and are painted as `wall`.

    Where the flat has no windows, the block goes on beside it.
    """
    low, high = span
    top = high + _STOREY * int(rng.integers(1, 4))
    _storeys(stage, lot.indoor, lot.ground - 0.3, low, wall)
    _storeys(stage, lot.indoor, high, top, wall)
    for box in rectangles(lot.indoor):
        stage.flat(box, top, _ROOF, "building")
    x0, y0, x1, y1 = lot.indoor.bounds
    wings = (
        (x0 - _WING, y0, x0 - 0.05, y1),
        (x1 + 0.05, y0, x1 + _WING, y1),
        (x0, y0 - _WING, x1, y0 - 0.05),
        (x0, y1 + 0.05, x1, y1 + _WING),
    )
    for (a, b, c, d), blind in zip(wings, lot.blind, strict=True):
        if blind:
            _storeys(stage, shapely.box(a, b, c, d), lot.ground - 0.3, top, wall)
            stage.flat((a, b, c, d), top, _ROOF, "building")
    _entrance(stage, lot)


def _entrance(stage: Stage, lot: Lot) -> None:
    (x, y), z = lot.door, lot.ground
    for half, away, high, paint in ((0.9, 0.1, 2.5, _FRAME), (0.75, 0.12, 2.35, _DOOR)):
        front = y - away
        panel = shapes.quad(
            (x - half, front, z),
            (x + half, front, z),
            (x + half, front, z + high),
            (x - half, front, z + high),
        )
        stage.add(panel, paint, "building")
    stage.add(shapes.box(x - 1.3, x + 1.3, y - 1.1, y - 0.06, z + 2.55, z + 2.65), _FRAME, "building")


def _storeys(stage: Stage, area: Area, z0: float, z1: float, wall: Paint) -> None:
    """Build walls with rows of windows along the sides of an area."""
    count = max(1, round((z1 - z0) / _STOREY))
    for ring in rings_of(area):
        for (ax, ay), (bx, by) in itertools.pairwise(ring):
            stage.add(shapes.quad((ax, ay, z0), (bx, by, z0), (bx, by, z1), (ax, ay, z1)), wall, "building")
            length = abs(bx - ax) + abs(by - ay)
            for i, storey in itertools.product(range(int(length / 3.2)), range(count)):
                share = (i + 0.5) / int(length / 3.2)
                middle = np.array((ax + share * (bx - ax), ay + share * (by - ay)))
                along = np.array((bx - ax, by - ay)) / length
                z = z0 + (storey + 0.32) * (z1 - z0) / count
                _window(stage, middle, along, z)


def _window(stage: Stage, middle: np.ndarray, along: np.ndarray, z: float) -> None:
    out = np.array((along[1], -along[0]))
    for half, away, edge, paint in ((0.8, 0.02, 0.0, _FRAME), (0.72, 0.035, 0.08, _PANE)):
        (ax, ay), (bx, by) = middle - half * along + away * out, middle + half * along + away * out
        z0, z1 = z + edge, z + 1.4 - edge
        panel = shapes.quad((ax, ay, z0), (bx, by, z0), (bx, by, z1), (ax, ay, z1))
        stage.add(panel, paint, "building")
