"""Drawing SVG in metres: a canvas that turns x east, y north into a page, and a list of taken places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from shapely import Geometry
from shapely.geometry.polygon import orient

from vlnscope.types import Floats

XY = tuple[float, float]
Box = tuple[float, float, float, float]

SCALE = 40.0
"""Page units per metre."""
MILLIMETRES = 10.0
"""Printed millimetres per metre: maps come out of a printer at 1:100."""
_LETTER = 0.6


def number(value: float) -> str:
    """Write a number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def text_width(text: str, size: float) -> float:
    """Estimate how wide a text is in page units, in an ordinary sans-serif face."""
    return (
        sum(0.34 if letter in "ilj.,' -|ft" else 0.92 if letter in "mwMW" else _LETTER for letter in text)
        * size
    )


@dataclass
class Canvas:
    """Collects SVG elements; points are metres, lengths given as style are page units.

    Attributes:
        left: x of the left edge of the page in metres.
        top: y of its upper edge.
    """

    left: float
    top: float
    elements: list[str] = field(default_factory=list)

    def at(self, point: Sequence[float]) -> XY:
        """Return where a point in metres lies on the page."""
        return (point[0] - self.left) * SCALE, (self.top - point[1]) * SCALE

    def add(self, tag: str, content: str | None = None, **style: Any) -> None:
        """Add an element; underscores in the names of attributes become hyphens."""
        written = "".join(
            f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
            for name, value in style.items()
            if value is not None
        )
        self.elements.append(
            f"<{tag}{written}/>" if content is None else f"<{tag}{written}>{content}</{tag}>"
        )

    def line(self, points: Iterable[Sequence[float]], *, closed: bool = False, **style: Any) -> None:
        """Draw straight lines through points."""
        self.add(
            "path", d=_outline([self.at(point) for point in points], closed), **{"fill": "none", **style}
        )

    def area(self, shape: Geometry, **style: Any) -> None:
        """Fill a polygon or several, holes left open; an empty shape draws nothing."""
        outlines = []
        for part in getattr(shape, "geoms", [shape]):
            if part.geom_type == "Polygon" and not part.is_empty:
                turned = orient(part)
                outlines += [
                    _outline([self.at(point) for point in list(ring.coords)[:-1]], True)
                    for ring in (turned.exterior, *turned.interiors)
                ]
        if outlines:
            self.add("path", d="".join(outlines), fill_rule="evenodd", **style)

    def strokes(self, shape: Geometry, **style: Any) -> None:
        """Draw the lines of a line geometry or of several."""
        for part in getattr(shape, "geoms", [shape]):
            if part.geom_type in ("LineString", "LinearRing") and not part.is_empty:
                self.line(part.coords, **style)

    def circle(self, centre: Sequence[float], radius: float, **style: Any) -> None:
        """Draw a circle; its radius is in page units."""
        x, y = self.at(centre)
        self.add("circle", cx=x, cy=y, r=radius, **style)

    def text(
        self,
        point: Sequence[float],
        text: str,
        size: float,
        *,
        turn: float = 0.0,
        halo: str | None = None,
        **style: Any,
    ) -> None:
        """Write a text around a point, perhaps turned (degrees, clockwise) and with a light rim."""
        x, y = self.at(point)
        self.page_text((x, y), text, size, turn=turn, halo=halo, **{"text_anchor": "middle", **style})

    def page_text(
        self, point: XY, text: str, size: float, *, turn: float = 0.0, halo: str | None = None, **style: Any
    ) -> None:
        """Write a text at a place of the page, its letters centred on it vertically."""
        rim: dict[str, Any] = {}
        if halo:
            rim = {"stroke": halo, "stroke_width": size * 0.28, "stroke_linejoin": "round"}
            rim["paint_order"] = "stroke"
        spin = f"rotate({number(turn)} {number(point[0])} {number(point[1])})" if turn else None
        y = point[1] if turn else point[1] + size * 0.35
        baseline = size * 0.35 if turn else None
        where = {"x": point[0], "y": y, "dy": baseline, "transform": spin}
        self.add("text", escape(text), font_size=size, **{**where, **rim, **style})


@dataclass
class TakenPlaces:
    """Rectangles on the page that labels may not cover."""

    boxes: list[Box] = field(default_factory=list)

    def overlap(self, box: Box) -> float:
        """Return how much of `box` is taken, in square page units (places taken twice count twice)."""
        centre = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        x, y = (np.array([value]) for value in centre)
        return float(self.overlaps(x, y, box[2] - box[0], box[3] - box[1])[0])

    def overlaps(self, x: Floats, y: Floats, width: float, height: float) -> Floats:
        """Return how much is taken of rectangles of one size around many centres."""
        boxes = np.asarray(self.boxes, dtype=np.float64).reshape(-1, 4)
        wide = np.minimum(x[:, None] + width / 2, boxes[:, 2]) - np.maximum(
            x[:, None] - width / 2, boxes[:, 0]
        )
        high = np.minimum(y[:, None] + height / 2, boxes[:, 3]) - np.maximum(
            y[:, None] - height / 2, boxes[:, 1]
        )
        return np.asarray((wide.clip(0.0) * high.clip(0.0)).sum(axis=1))

    def take(self, box: Box) -> None:
        """Mark a rectangle as taken."""
        self.boxes.append(box)


def text_box(centre: XY, width: float, height: float) -> Box:
    """Return the rectangle around a centre."""
    return centre[0] - width / 2, centre[1] - height / 2, centre[0] + width / 2, centre[1] + height / 2


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def _outline(points: Sequence[XY], closed: bool) -> str:
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}"
