"""Furniture on a map: outlines in the tint of each object, the signs architects draw, and names."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.mesh.colours import rgb
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.maps.canvas import SCALE, XY, Box, Canvas, TakenPlaces, number, text_box, text_width

_LINE = "#5a5550"
_TEXT = "#3c3a38"
_SIZES = (6.5, 5.5, 4.6)
_ROUND = (
    *("plant", "stool", "ottoman", "bowl", "vase", "candle", "exercise ball", "trash can", "basket", "bush"),
    *("floor lamp", "table lamp", "chandelier", "kettle", "water heater", "clock", "teddy bear"),
)


@dataclass(frozen=True)
class Pen:
    """Draws in an object's own frame: fractions of its width and depth from its middle, front at -0.5."""

    canvas: Canvas
    item: PlanItem

    def point(self, u: float, v: float) -> XY:
        """Return a place of the object in metres."""
        x, y = u * self.item.size[0], v * self.item.size[1]
        turn = math.radians(self.item.yaw)
        cos, sin = math.cos(turn), math.sin(turn)
        return self.item.position[0] + cos * x - sin * y, self.item.position[1] + sin * x + cos * y

    def rect(self, u0: float, v0: float, u1: float, v1: float, **style: Any) -> None:
        """Draw a rectangle."""
        corners = [self.point(u0, v0), self.point(u1, v0), self.point(u1, v1), self.point(u0, v1)]
        self.canvas.line(corners, closed=True, **{"stroke": _LINE, "stroke_width": 0.6, **style})

    def line(self, *points: XY, **style: Any) -> None:
        """Draw a line through places of the object."""
        self.canvas.line(
            [self.point(*point) for point in points], **{"stroke": _LINE, "stroke_width": 0.6, **style}
        )

    def ellipse(self, u: float, v: float, w: float, d: float, **style: Any) -> None:
        """Draw an ellipse of width `w` and depth `d` around a place."""
        x, y = self.canvas.at(self.point(u, v))
        spin = f"rotate({number(-self.item.yaw)} {number(x)} {number(y)})"
        rx, ry = w * self.item.size[0] * SCALE / 2, d * self.item.size[1] * SCALE / 2
        self.canvas.add(
            "ellipse", cx=x, cy=y, rx=rx, ry=ry, transform=spin,
            **{"fill": "none", "stroke": _LINE, "stroke_width": 0.6, **style},
        )  # fmt: skip


def _bed(pen: Pen) -> None:
    double = pen.item.size[0] > 1.2
    for u in (-0.25, 0.25) if double else (0.0,):
        wide = 0.2 if double else 0.35
        pen.rect(u - wide, 0.27, u + wide, 0.43, fill="#ffffff")
    pen.line((-0.5, 0.16), (0.5, 0.16))
    pen.line((-0.5, 0.16), (-0.5 + 0.3, -0.05), (-0.5, -0.05), stroke_opacity=0.5)


def _sofa(pen: Pen) -> None:
    arm = min(0.2, 0.16 / pen.item.size[0])
    pen.line((-0.5 + arm, -0.5), (-0.5 + arm, 0.25), (0.5 - arm, 0.25), (0.5 - arm, -0.5))
    seats = max(1, round(pen.item.size[0] / 0.8))
    for i in range(1, seats):
        u = -0.5 + arm + (1 - 2 * arm) * i / seats
        pen.line((u, -0.5), (u, 0.25))


def _chair(pen: Pen) -> None:
    pen.line((-0.5, 0.33), (0.5, 0.33), stroke_width=1.4)


def _toilet(pen: Pen) -> None:
    pen.rect(-0.5, 0.2, 0.5, 0.5, fill="#ffffff")
    pen.ellipse(0.0, -0.14, 0.8, 0.66, fill="#ffffff")


def _tub(pen: Pen) -> None:
    pen.ellipse(0.0, 0.0, 0.9, 0.74, fill="#eef7fb")
    pen.ellipse(0.36, 0.0, 0.05, 0.1)


def _shower(pen: Pen) -> None:
    pen.line((-0.5, -0.5), (0.5, 0.5), stroke_opacity=0.6)
    pen.line((-0.5, 0.5), (0.5, -0.5), stroke_opacity=0.6)
    pen.ellipse(0.0, 0.0, 0.16, 0.16, fill="#ffffff")


def _basin(pen: Pen) -> None:
    pen.ellipse(0.0, -0.06, 0.72, 0.62, fill="#eef7fb")
    pen.ellipse(0.0, 0.36, 0.08, 0.1, fill=_LINE)


def _stove(pen: Pen) -> None:
    for u in (-0.24, 0.24):
        for v in (-0.2, 0.24):
            pen.ellipse(u, v, 0.32, 0.32)


def _wardrobe(pen: Pen) -> None:
    pen.line((-0.5, 0.0), (0.5, 0.0), stroke_opacity=0.6)
    count = max(3, round(pen.item.size[0] / 0.15))
    for i in range(1, count):
        u = -0.5 + i / count
        pen.line((u, -0.25), (u + 0.2 / count, 0.25), stroke_opacity=0.5)


def _front(pen: Pen) -> None:
    pen.line((-0.5, -0.38), (0.5, -0.38), stroke_opacity=0.7)


def _shelf(pen: Pen) -> None:
    count = max(3, round(pen.item.size[0] / 0.12))
    for i in range(1, count):
        pen.line((-0.5 + i / count, -0.5), (-0.5 + i / count, 0.2), stroke_opacity=0.5)
    pen.line((-0.5, 0.2), (0.5, 0.2), stroke_opacity=0.5)


def _cross(pen: Pen) -> None:
    pen.line((-0.5, -0.5), (0.5, 0.5), stroke_opacity=0.5)


def _piano(pen: Pen) -> None:
    pen.rect(-0.45, -0.48, 0.45, -0.22, fill="#ffffff")
    for i in range(1, 14):
        pen.line((-0.45 + 0.9 * i / 14, -0.48), (-0.45 + 0.9 * i / 14, -0.22), stroke_width=0.4)


def _plant(pen: Pen) -> None:
    for i in range(6):
        turn = math.tau * i / 6
        pen.line((0.0, 0.0), (0.45 * math.cos(turn), 0.45 * math.sin(turn)), stroke_opacity=0.8)


def _rug(pen: Pen) -> None:
    pen.rect(-0.46, -0.46, 0.46, 0.46, stroke_dasharray="3 2", stroke_opacity=0.6)


def _drum(pen: Pen) -> None:
    pen.ellipse(0.0, 0.0, 0.66, 0.66, fill="#ffffff")


def _car(pen: Pen) -> None:
    pen.rect(-0.4, -0.22, 0.4, 0.34)
    pen.line((-0.4, -0.22), (-0.46, -0.3), (0.46, -0.3), (0.4, -0.22))


def _pool(pen: Pen) -> None:
    pen.rect(-0.44, -0.4, 0.44, 0.4, fill="#7fb58a")
    for u in (-0.42, 0.0, 0.42):
        for v in (-0.38, 0.38):
            pen.ellipse(u, v, 0.05, 0.09, fill=_LINE)


def _fire(pen: Pen) -> None:
    pen.rect(-0.3, -0.5, 0.3, 0.1, fill="#f0b27a")


def _tread(pen: Pen) -> None:
    pen.rect(-0.32, -0.46, 0.32, 0.3, fill="#8c8c90")


_SIGNS: dict[str, Callable[[Pen], None]] = {
    "bed": _bed, "sofa": _sofa, "armchair": _sofa, "chair": _chair, "office chair": _chair,
    "deck chair": _chair, "toilet": _toilet, "bathtub": _tub, "shower": _shower, "sink": _basin,
    "bathroom sink": _basin, "stove": _stove, "wardrobe": _wardrobe, "dresser": _front, "cabinet": _front,
    "nightstand": _front, "bookshelf": _shelf, "refrigerator": _cross, "dishwasher": _cross, "piano": _piano,
    "plant": _plant, "bush": _plant, "rug": _rug, "washing machine": _drum, "dryer": _drum, "car": _car,
    "pool table": _pool, "fireplace": _fire, "treadmill": _tread,
}  # fmt: skip


def draw_furniture(canvas: Canvas, items: Sequence[PlanItem]) -> None:
    """Draw the objects of a floor from the lowest to the highest; rugs are below all others."""
    for item in sorted(items, key=_order):
        _draw(Pen(canvas, item))


def _order(item: PlanItem) -> tuple[bool, bool, float, str]:
    return item.name != "rug", item.on is not None, item.position[2] + item.size[2], item.id


def _draw(pen: Pen) -> None:
    item = pen.item
    tint = tint_of(item.colour, 0.15 if item.mounted else 0.5)
    if item.name == "chandelier":
        pen.ellipse(0.0, 0.0, 1.0, 1.0, stroke_dasharray="2 2", stroke_opacity=0.7)
    elif item.name in _ROUND:
        pen.ellipse(0.0, 0.0, 1.0, 1.0, fill=tint)
    elif item.name == "rug":
        pen.rect(-0.5, -0.5, 0.5, 0.5, fill=tint, fill_opacity=0.55, stroke_opacity=0.5)
    else:
        pen.rect(-0.5, -0.5, 0.5, 0.5, fill=tint, stroke_width=0.5 if item.on else 0.9)
    if item.name in _SIGNS:
        _SIGNS[item.name](pen)


def tint_of(colour: str, lightness: float) -> str:
    """Return a colour of a plan mixed with white, as ``#rrggbb``; one without a name is taken as grey."""
    try:
        parts = rgb(colour)
    except InputError:
        parts = (138, 140, 143)
    return "#" + "".join(f"{round(part + (255 - part) * lightness):02x}" for part in parts)


def label_furniture(canvas: Canvas, items: Sequence[PlanItem], taken: TakenPlaces) -> None:
    """Write names into objects that are large enough, the largest first; covered places stay free."""
    for item in items:
        if item.on is not None:
            taken.take(_cover(canvas, item))
    standing = [item for item in items if not item.mounted and item.on is None]
    for item in sorted(
        standing, key=lambda item: (item.name == "rug", -item.size[0] * item.size[1], item.id)
    ):
        _label(canvas, item, taken)
        if item.name != "rug":
            taken.take(_cover(canvas, item))


def _cover(canvas: Canvas, item: PlanItem) -> Box:
    width, depth = footprint(item)
    return text_box(canvas.at(item.position), width * SCALE, depth * SCALE)


def footprint(item: PlanItem) -> tuple[float, float]:
    """Return how wide an object is along x and along y, in metres."""
    turn = math.radians(item.yaw)
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    width, depth, _ = item.size
    return width * cos + depth * sin, width * sin + depth * cos


def _label(canvas: Canvas, item: PlanItem, taken: TakenPlaces) -> None:
    width, height = (side * SCALE - 2.0 for side in footprint(item))
    words = item.name.split()
    for size in _SIZES:
        for lines in ([item.name], words):
            wide = max(text_width(line, size) for line in lines)
            high = size * 1.1 * len(lines)
            for turned in (False, True):
                w, h = (high, wide) if turned else (wide, high)
                box = text_box(canvas.at(item.position), w, h)
                if w <= width and h <= height and not taken.overlap(box):
                    taken.take(box)
                    _write(canvas, item, lines, size, turned)
                    return


def _write(canvas: Canvas, item: PlanItem, lines: Sequence[str], size: float, turned: bool) -> None:
    x, y = item.position[:2]
    for i, line in enumerate(lines):
        shift = (i - (len(lines) - 1) / 2) * size * 1.1 / SCALE
        point = (x + shift, y) if turned else (x, y - shift)
        canvas.text(
            point, line, size, turn=-90.0 if turned else 0.0, fill=_TEXT, halo="#ffffff", stroke_opacity=0.6
        )
