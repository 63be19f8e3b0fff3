"""Signs of walks on maps, drawn around a place of the page: where it began, where it ended, what it met."""

from __future__ import annotations

import math
from typing import Any

from vlnscope.worlds.maps.canvas import XY, Canvas
from vlnscope.worlds.maps.walks import time_colour

WAY, SHORTEST, BUMP, INK, PAPER = "#00795a", "#4a5a78", "#c8102e", "#1f2126", "#ffffff"
_STAR = (7.0, 2.8)
_CORNERS = 10


def draw_ring(canvas: Canvas, place: XY, size: float = 1.0) -> None:
    """Draw where a walk begins."""
    x, y = place
    style: dict[str, Any] = {"fill": PAPER, "stroke": time_colour(0.0), "stroke_width": 2.6 * size}
    canvas.add("circle", cx=x, cy=y, r=5.6 * size, **style)


def draw_star(canvas: Canvas, place: XY, size: float = 1.0) -> None:
    """Draw a goal."""
    x, y = place
    canvas.add("circle", cx=x, cy=y, r=9.6 * size, fill=WAY, stroke=PAPER, stroke_width=1.4 * size)
    corners = [(_STAR[k % 2] * size, math.tau * k / _CORNERS - math.pi / 2) for k in range(_CORNERS)]
    star = " ".join(f"{x + r * math.cos(a):.2f},{y + r * math.sin(a):.2f}" for r, a in corners)
    canvas.add("polygon", points=star, fill=PAPER)


def draw_point(canvas: Canvas, place: XY, size: float = 1.0) -> None:
    """Draw a point of a reference."""
    x, y = place
    half = 3.4 * size
    style: dict[str, Any] = {"fill": PAPER, "stroke": WAY, "stroke_width": 1.5 * size}
    canvas.add("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, **style)


def draw_cross(canvas: Canvas, place: XY, size: float = 1.0) -> None:
    """Draw a collision."""
    x, y = place
    half = 3.6 * size
    both = f"M{x - half:.2f} {y - half:.2f}L{x + half:.2f} {y + half:.2f}"
    both += f"M{x - half:.2f} {y + half:.2f}L{x + half:.2f} {y - half:.2f}"
    for colour, width in ((PAPER, 4.2), (BUMP, 2.2)):
        style: dict[str, Any] = {"stroke": colour, "stroke_width": width * size, "stroke_linecap": "round"}
        canvas.add("path", d=both, fill="none", **style)


def draw_pose(canvas: Canvas, place: XY, heading: float | None, colour: str, size: float = 1.0) -> None:
    """Draw an agent as an arrow that points where it looks; as a disc, if nobody knows where that is."""
    rim: dict[str, Any] = {"stroke": INK, "stroke_width": 1.3 * size, "stroke_linejoin": "round"}
    if heading is None:
        canvas.add("circle", cx=place[0], cy=place[1], r=6.0 * size, fill=colour, **rim)
    else:
        draw_arrow(canvas, place, heading, 12.0 * size, notch=0.45, fill=colour, **rim)


def draw_number(canvas: Canvas, place: XY, text: str, radius: float) -> None:
    """Draw a disc with a number in it."""
    x, y = place
    canvas.add("circle", cx=x, cy=y, r=radius, fill=INK, stroke=PAPER, stroke_width=0.15 * radius)
    style: dict[str, Any] = {"text_anchor": "middle", "font_weight": "bold", "fill": PAPER}
    canvas.page_text(place, text, 1.35 * radius, **style)


def draw_arrow(
    canvas: Canvas, place: XY, heading: float, size: float, notch: float = 0.0, **style: Any
) -> None:
    """Draw an arrow without shaft; `notch` says how deep its back is cut in."""
    x, y = place
    ahead = math.sin(heading), -math.cos(heading)
    side = -ahead[1], ahead[0]
    corners = [(0.75, 0.0), (-0.65, 0.62), (-0.65 + notch * 0.75, 0.0), (-0.65, -0.62)]
    places = [
        (x + size * (u * ahead[0] + v * side[0]), y + size * (u * ahead[1] + v * side[1])) for u, v in corners
    ]
    outline = " ".join(f"{px:.2f},{py:.2f}" for px, py in places)
    canvas.add("polygon", points=outline, **style)
