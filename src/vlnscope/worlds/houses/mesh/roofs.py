"""Roofs over boxes: gabled, hipped and flat ones, with eaves."""

from __future__ import annotations

from typing import Literal

import numpy as np

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.shapes import Shape

RoofKind = Literal["gable", "hip", "flat"]
Painted = tuple[Shape, Paint]
_THICK = 0.16


def ridge_ends(box: tuple[float, float, float, float], hipped: bool) -> tuple[tuple[float, float], ...]:
    """Return the two ends x, y of the ridge over a box x0, y0, x1, y1."""
    x0, y0, x1, y1 = box
    half = min(x1 - x0, y1 - y0) / 2
    inset = half if hipped else 0.0
    if x1 - x0 >= y1 - y0:
        return (x0 + inset, (y0 + y1) / 2), (x1 - inset, (y0 + y1) / 2)
    return ((x0 + x1) / 2, y0 + inset), ((x0 + x1) / 2, y1 - inset)


def roof(
    box: tuple[float, float, float, float],
    z: float,
    kind: RoofKind,
    slope: float,
    eave: float,
    tiles: Paint,
    wall: Paint,
) -> list[Painted]:
    """Return the roof over a box x0, y0, x1, y1 whose walls end at `z`.

    Its planes go through the upper edges of the walls and on down to the eaves, so that nothing of it lies
    within the walls. `slope` is the rise per metre; a flat roof has a low parapet instead.
    """
    x0, y0, x1, y1 = box
    if kind == "flat":
        return _parapet(box, z, tiles, wall)
    wide = (x0 - eave, y0 - eave, x1 + eave, y1 + eave)
    along = x1 - x0 >= y1 - y0
    half = (min(x1 - x0, y1 - y0)) / 2
    low, high = z - slope * eave, z + slope * half
    (ax, ay), (bx, by) = ridge_ends(wide if kind == "hip" else _lengthened(box, eave, along), kind == "hip")
    top = [(ax, ay, high + _THICK), (bx, by, high + _THICK)]
    rim = [(wide[0], wide[1]), (wide[2], wide[1]), (wide[2], wide[3]), (wide[0], wide[3])]
    upper = [(x, y, low + _THICK) for x, y in rim]
    lower = [(x, y, low) for x, y in rim]
    points = np.array([*upper, *top, *lower])
    if along:
        slopes = [(0, 1, 5), (0, 5, 4), (2, 3, 4), (2, 4, 5)]
        ends = [(1, 2, 5), (3, 0, 4)]
    else:
        slopes = [(1, 2, 5), (1, 5, 4), (3, 0, 4), (3, 4, 5)]
        ends = [(2, 3, 5), (0, 1, 4)]
    fascia = [f for i in range(4) for f in ((i, 6 + i, 6 + (i + 1) % 4), (i, 6 + (i + 1) % 4, (i + 1) % 4))]
    soffit = [(6, 8, 7), (6, 9, 8)]
    planes = slopes if kind == "gable" else [*slopes, *ends]
    trim = shade(tiles, 0.6)._replace(texture=0)
    parts: list[Painted] = [((points, np.array(planes, dtype=np.int32)), tiles)]
    if kind == "gable":
        fascia = [f for i in ((0, 2) if along else (1, 3)) for f in fascia[2 * i : 2 * i + 2]]
        parts += [*_gables(box, z, high, along, wall), *_undersides(points, slopes, trim)]
    else:
        parts.append(((points, np.array(soffit, dtype=np.int32)), trim))
    parts.append(((points, np.array(fascia, dtype=np.int32)), trim))
    return parts


def _lengthened(
    box: tuple[float, float, float, float], eave: float, along: bool
) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    return (x0 - eave, y0, x1 + eave, y1) if along else (x0, y0 - eave, x1, y1 + eave)


def _gables(
    box: tuple[float, float, float, float], z: float, high: float, along: bool, wall: Paint
) -> list[Painted]:
    x0, y0, x1, y1 = box
    if along:
        y = (y0 + y1) / 2
        points = [(x0, y1, z), (x0, y0, z), (x0, y, high), (x1, y0, z), (x1, y1, z), (x1, y, high)]
    else:
        x = (x0 + x1) / 2
        points = [(x0, y0, z), (x1, y0, z), (x, y0, high), (x1, y1, z), (x0, y1, z), (x, y1, high)]
    return [((np.array(points), np.array([(0, 1, 2), (3, 4, 5)], dtype=np.int32)), wall)]


def _undersides(points: np.ndarray, slopes: list[tuple[int, int, int]], trim: Paint) -> list[Painted]:
    lowered = points - np.array((0.0, 0.0, _THICK))
    return [((lowered, np.array([(a, c, b) for a, b, c in slopes], dtype=np.int32)), trim)]


def _parapet(box: tuple[float, float, float, float], z: float, tiles: Paint, wall: Paint) -> list[Painted]:
    x0, y0, x1, y1 = box
    inner = (x0 + 0.2, y0 + 0.2, x1 - 0.2, y1 - 0.2)
    sides = (
        (x0, x1, y0, inner[1]),
        (x0, x1, inner[3], y1),
        (x0, inner[0], inner[1], inner[3]),
        (inner[2], x1, inner[1], inner[3]),
    )
    parts: list[Painted] = [(shapes.box(a, b, c, d, z, z + 0.35), wall) for a, b, c, d in sides]
    flat = shapes.quad(
        (inner[0], inner[1], z), (inner[2], inner[1], z), (inner[2], inner[3], z), (inner[0], inner[3], z)
    )
    return [*parts, (flat, tiles)]
