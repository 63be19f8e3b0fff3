"""What is written around the map of a walk: title, legend, scale and north."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from vlnscope.worlds.maps.canvas import SCALE, XY, Canvas
from vlnscope.worlds.maps.ground import BORDER, GROUND, OBSTACLE
from vlnscope.worlds.maps.signs import (
    INK,
    PAPER,
    SHORTEST,
    WAY,
    draw_cross,
    draw_number,
    draw_point,
    draw_pose,
    draw_ring,
    draw_star,
)
from vlnscope.worlds.maps.walks import MapWalk, time_colour

LEGEND = 150.0
"""Width of the legend."""
_ROW = 19.0
_TEXT = 9.5
_SIGN = 26.0
_SHADES = 26
_ENDS = {True: "stopped here", False: "out of steps here", None: "ended here"}

Sign = Callable[[Canvas, XY, float], None]


def draw_frame(
    canvas: Canvas, title: str, walk: MapWalk, corner: XY, shown: XY, size: float, *, bordered: bool = True
) -> float:
    """Draw title, border, legend, scale and north around a window; return where the legend ends.

    Args:
        canvas: in the units of the page.
        title: written above.
        walk: says what the legend explains.
        corner: where the window begins.
        shown: its width and height.
        size: of letters and signs.
        bordered: whether the map shows where walkable ground ends.
    """
    (x, y), (width, height) = corner, shown
    canvas.page_text((x, y - 17.0 * size), title, 14.0 * size, font_weight="bold", fill=INK)
    rim: dict[str, Any] = {"fill": "none", "stroke": BORDER, "stroke_width": 1.0}
    canvas.add("rect", x=x, y=y, width=width, height=height, **rim)
    rows = [*_rows(walk), *([(_walkable, "walkable, and its border")] if bordered else [])]
    end = _legend(canvas, rows, (x + width + 14.0 * size, y + 10.0 * size), size)
    _scale(canvas, (x, y + height + 9.0 * size), size)
    _north(canvas, (x + width - 8.0 * size, y + height + 18.0 * size), size)
    return end


def _legend(canvas: Canvas, rows: Iterable[tuple[Sign, str]], corner: XY, size: float) -> float:
    x, y = corner
    for sign, text in rows:
        sign(canvas, (x + _SIGN / 2 * size, y), size)
        for line in text.split("\n"):
            canvas.page_text((x + (_SIGN + 7.0) * size, y), line, _TEXT * size, fill=INK)
            y += (12.0 if line != text.split("\n")[-1] else _ROW) * size
    return y


def _rows(walk: MapWalk) -> Iterator[tuple[Sign, str]]:
    steps = len(walk.positions) - 1
    if steps > 0:
        yield (
            _gradient,
            f"the walk along time:\n{steps} {'moves' if walk.on_graph else 'actions'}, {walk.length:.1f} m",
        )
    if walk.positions:
        yield draw_ring, "start"
    if steps > 0:
        yield _pose, _ENDS[walk.stopped]
    if walk.collisions:
        count = len(walk.collisions)
        yield draw_cross, f"collision ({count})" if count > 1 else "collision"
    if walk.reference:
        yield _way, "reference path"
    if walk.shortest:
        yield _shortest, "shortest path"
    if walk.goals:
        yield draw_star, "goal"
        yield _near, f"within {walk.radius:g} m of it"
    if walk.marks:
        yield _mark, "pictures"


def _gradient(canvas: Canvas, middle: XY, size: float) -> None:
    width = _SIGN * size / _SHADES
    for k in range(_SHADES):
        x = middle[0] + (k - _SHADES / 2) * width
        colour = time_colour((k + 0.5) / _SHADES)
        canvas.add("rect", x=x, y=middle[1] - 2 * size, width=1.2 * width, height=4 * size, fill=colour)


def _pose(canvas: Canvas, middle: XY, size: float) -> None:
    draw_pose(canvas, middle, 0.9, time_colour(1.0), size)


def _way(canvas: Canvas, middle: XY, size: float) -> None:
    _line(canvas, middle, size, stroke=WAY, stroke_width=7.0 * size, stroke_opacity=0.42)
    draw_point(canvas, middle, size)


def _shortest(canvas: Canvas, middle: XY, size: float) -> None:
    dash = f"{6 * size:.1f} {4.5 * size:.1f}"
    _line(canvas, middle, size, stroke=SHORTEST, stroke_width=1.6 * size, stroke_dasharray=dash)


def _near(canvas: Canvas, middle: XY, size: float) -> None:
    style: dict[str, Any] = {"stroke": WAY, "stroke_width": 1.3 * size, "stroke_dasharray": "3 2.4"}
    canvas.add("circle", cx=middle[0], cy=middle[1], r=7.0 * size, fill=WAY, fill_opacity=0.07, **style)


def _mark(canvas: Canvas, middle: XY, size: float) -> None:
    draw_number(canvas, middle, "1", 6.6 * size)


def _walkable(canvas: Canvas, middle: XY, size: float) -> None:
    x, y, half = *middle, _SIGN / 2 * size
    style: dict[str, Any] = {"y": y - 5 * size, "height": 10 * size}
    canvas.add("rect", x=x - half, width=2 * half, fill=OBSTACLE, **style)
    rim: dict[str, Any] = {"stroke": BORDER, "stroke_width": 1.2 * size}
    canvas.add("rect", x=x - half * 0.3, width=half * 1.3, fill=GROUND, **rim, **style)


def _line(canvas: Canvas, middle: XY, size: float, **style: Any) -> None:
    x, y, half = *middle, _SIGN / 2 * size
    canvas.add("path", d=f"M{x - half:.2f} {y:.2f}L{x + half:.2f} {y:.2f}", fill="none", **style)


def _scale(canvas: Canvas, corner: XY, size: float) -> None:
    """Draw a bar of five metres."""
    x, y = corner
    for metre in range(5):
        style: dict[str, Any] = {"fill": INK if metre % 2 == 0 else PAPER, "stroke": INK, "stroke_width": 0.8}
        canvas.add("rect", x=x + metre * SCALE, y=y, width=SCALE, height=5.0 * size, **style)
    for metre, anchor in ((0, "start"), (1, "middle"), (5, "middle")):
        text = f"{metre} m" if metre == 5 else str(metre)
        place = (x + metre * SCALE, y + 13.0 * size)
        canvas.page_text(place, text, 8.5 * size, text_anchor=anchor, fill=INK)


def _north(canvas: Canvas, centre: XY, size: float) -> None:
    x, y = centre
    for wing, fill in ((-4.5, INK), (4.5, PAPER)):
        corners = ((0.0, -9.0), (wing, 7.0), (0.0, 3.5))
        points = " ".join(f"{x + u * size:.2f},{y + v * size:.2f}" for u, v in corners)
        canvas.add("polygon", points=points, fill=fill, stroke=INK, stroke_width=0.7 * size)
    canvas.page_text(
        (x - 14.0 * size, y), "N", 9.0 * size, text_anchor="middle", font_weight="bold", fill=INK
    )
