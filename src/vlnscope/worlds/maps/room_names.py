"""Room names on a map: written where they cover least, as large as fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Geometry

from vlnscope.worlds.houses.plan.plan import Opening, PlanItem
from vlnscope.worlds.maps.building import hole_of
from vlnscope.worlds.maps.canvas import SCALE, XY, Canvas, TakenPlaces, text_box, text_width
from vlnscope.worlds.maps.furniture import footprint

_SIZES = (11.0, 9.0, 7.5, 6.0)
_BOLD = 1.15
_STEP = 0.25
_CLEAR = 0.1


@dataclass(frozen=True)
class NamedRoom:
    """A room to fill and to write a name into; `label` is its Matterport letter."""

    name: str
    label: str
    shape: Geometry


def name_rooms(
    canvas: Canvas,
    rooms: Sequence[NamedRoom],
    items: Sequence[PlanItem],
    openings: Sequence[Opening],
    taken: TakenPlaces,
) -> None:
    """Write the names of rooms, and keep their places free of other names.

    A name that fits into its room in no size and on no two lines is left out; the legend still counts it.
    """
    busy = TakenPlaces(list(taken.boxes))
    for item in items:
        if item.name not in ("rug", "chandelier"):
            width, depth = footprint(item)
            busy.take(text_box(canvas.at(item.position), width * SCALE, depth * SCALE))
    for opening in openings:
        low_x, low_y, high_x, high_y = hole_of(opening).buffer(0.3 if opening.kind == "door" else 0.0).bounds
        busy.take((*canvas.at((low_x, high_y)), *canvas.at((high_x, low_y))))
    for room in rooms:
        _name(canvas, room, busy, taken)


def _name(canvas: Canvas, room: NamedRoom, busy: TakenPlaces, taken: TakenPlaces) -> None:
    for size in _SIZES:
        for lines in ([room.name], room.name.rsplit(" ", 1)):
            width = max(text_width(line, size) for line in lines) * _BOLD
            height = size * 1.1 * len(lines)
            centre = _best_place(canvas, room.shape, width, height, busy)
            if centre is not None:
                _write(canvas, centre, lines, size)
                taken.take(text_box(canvas.at(centre), width, height))
                return


def _best_place(canvas: Canvas, shape: Geometry, width: float, height: float, busy: TakenPlaces) -> XY | None:
    """Return the centre, on a grid, of the least covered rectangle inside a shape; None if none fits."""
    low_x, low_y, high_x, high_y = shape.bounds
    half_w, half_h = width / SCALE / 2, height / SCALE / 2
    xs = _ticks(low_x + half_w + _CLEAR, high_x - half_w - _CLEAR)
    ys = _ticks(low_y + half_h + _CLEAR, high_y - half_h - _CLEAR)
    x, y = (grid.ravel() for grid in np.meshgrid(xs, ys))
    wide, high = half_w + _CLEAR / 2, half_h + _CLEAR / 2
    inside = shapely.contains(shape, shapely.box(x - wide, y - high, x + wide, y + high))
    x, y = x[inside], y[inside]
    if not len(x):
        return None
    page_x, page_y = (x - canvas.left) * SCALE, (canvas.top - y) * SCALE
    cost = busy.overlaps(page_x, page_y, width, height)
    middle = shape.centroid
    cost += 4.0 * np.hypot(x - middle.x, y - middle.y)
    best = int(np.argmin(cost.round(6)))
    return float(x[best]), float(y[best])


def _ticks(low: float, high: float) -> list[float]:
    if high < low:
        return []
    count = max(1, int((high - low) / _STEP))
    return [low + (high - low) * k / count for k in range(count + 1)]


def _write(canvas: Canvas, centre: XY, lines: Sequence[str], size: float) -> None:
    for i, line in enumerate(lines):
        shift = (i - (len(lines) - 1) / 2) * size * 1.1 / SCALE
        canvas.text(
            (centre[0], centre[1] - shift), line, size, halo="#ffffff", font_weight="bold", fill="#1f2126"
        )
