"""What is laid over a map: navigation graph, paths, scale bar, north arrow and legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.maps.building import GLASS, INK, LEAF, PAPER, ROOM_COLOURS, SHUT, arrow_head
from vlnscope.worlds.maps.canvas import SCALE, XY, Canvas
from vlnscope.worlds.rooms import ROOM_NAMES, usual_name

NODE = "#2f6db3"
PATH_COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#b08900", "#56b4e9", "#7f3f98", "#444444")
"""Colours that people with any colour vision can tell apart, taken in turn."""

_LANE = 0.12
_ROW = 15.0
_TEXT = 8.5


@dataclass(frozen=True)
class MapPath:
    """A path to draw on maps.

    Attributes:
        viewpoints: ids of the viewpoints it visits, in order; all must be in the scene's graph.
        label: what the legend calls it.
        colour: ``#rrggbb``; one of `PATH_COLOURS` in turn if empty.
    """

    viewpoints: tuple[str, ...]
    label: str = ""
    colour: str = ""


def draw_graph(canvas: Canvas, graph: NavGraph, here: Sequence[bool]) -> None:
    """Draw the viewpoints of a floor and their edges; edges that leave the floor are dashed."""
    places = graph.positions
    for i, j in graph.edges.tolist():
        if here[i] or here[j]:
            dash = None if here[i] and here[j] else "2 2.5"
            style: dict[str, Any] = {
                "stroke": NODE,
                "stroke_width": 0.8,
                "stroke_opacity": 0.55,
                "stroke_dasharray": dash,
            }
            canvas.line([places[i], places[j]], **style)
    for i, point in enumerate(places):
        if here[i]:
            canvas.circle(point, 2.4, fill=PAPER, stroke=NODE, stroke_width=1.2)


def draw_faint_graph(canvas: Canvas, graph: NavGraph, here: Sequence[bool]) -> None:
    """Draw the same as two light shapes: one of all edges that stay on the floor, one of all viewpoints."""
    places = [canvas.at(position) for position in graph.positions.tolist()]
    edges = [(places[i], places[j]) for i, j in graph.edges.tolist() if here[i] and here[j]]
    lines = "".join(f"M{a[0]:.0f} {a[1]:.0f}L{b[0]:.0f} {b[1]:.0f}" for a, b in edges)
    dots = "".join(f"M{x:.0f} {y:.0f}h0" for (x, y), on in zip(places, here, strict=True) if on)
    style: dict[str, Any] = {"fill": "none", "stroke": NODE, "stroke_linecap": "round"}
    canvas.add("path", d=lines, stroke_width=0.7, stroke_opacity=0.28, **style)
    canvas.add("path", d=dots, stroke_width=5.0, stroke_opacity=0.45, **style)


def draw_paths(canvas: Canvas, graph: NavGraph, here: Sequence[bool], paths: Sequence[MapPath]) -> None:
    """Draw paths beside each other: a ring at the start, a flagged disc at the goal, arrow heads between.

    Pieces between two viewpoints of other floors are left out, pieces that leave the floor are dashed.
    """
    for number, path in enumerate(paths):
        colour = colour_of(path, number)
        shift = (number - (len(paths) - 1) / 2) * _LANE
        rows = [graph.row(viewpoint) for viewpoint in path.viewpoints]
        points = _beside([(float(graph.positions[i, 0]), float(graph.positions[i, 1])) for i in rows], shift)
        for a, b in _drawn(rows, here):
            flat = here[rows[a]] and here[rows[b]]
            _stretch(canvas, points[a], points[b], colour, flat=flat)
        for end, draw in ((0, _start), (-1, _goal)):
            if rows and here[rows[end]]:
                draw(canvas, points[end], colour)


def colour_of(path: MapPath, number: int) -> str:
    """Return the colour that a path is drawn in as the `number`-th of its map."""
    return path.colour or PATH_COLOURS[number % len(PATH_COLOURS)]


def _drawn(rows: Sequence[int], here: Sequence[bool]) -> list[tuple[int, int]]:
    return [(k, k + 1) for k in range(len(rows) - 1) if here[rows[k]] or here[rows[k + 1]]]


def _beside(points: Sequence[XY], shift: float) -> list[XY]:
    """Move a line sideways, each corner along the mean of the normals of its sides.

    Lines that run the same way, or the opposite one, are moved to the same side.
    """
    moved = []
    for k, (x, y) in enumerate(points):
        before, after = points[max(0, k - 1)], points[min(len(points) - 1, k + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.copysign(math.hypot(dx, dy) or 1.0, dy if abs(dy) > 1e-9 else dx)
        moved.append((x - dy / length * shift, y + dx / length * shift))
    return moved


def _stretch(canvas: Canvas, a: XY, b: XY, colour: str, *, flat: bool) -> None:
    dash = None if flat else "5 4"
    canvas.line([a, b], stroke=PAPER, stroke_width=5.0, stroke_opacity=0.8, stroke_linecap="round")
    canvas.line([a, b], stroke=colour, stroke_width=2.6, stroke_linecap="round", stroke_dasharray=dash)
    if math.dist(a, b) > 0.5:
        middle = (a[0] + (b[0] - a[0]) * 0.58, a[1] + (b[1] - a[1]) * 0.58)
        arrow_head(canvas, a, middle, 9.5, colour)


def _start(canvas: Canvas, point: XY, colour: str) -> None:
    canvas.circle(point, 5.5, fill=PAPER, stroke=colour, stroke_width=2.6)


def _goal(canvas: Canvas, point: XY, colour: str) -> None:
    canvas.circle(point, 7.0, fill=colour, stroke=PAPER, stroke_width=1.4)
    x, y = canvas.at(point)
    spokes = [(4.4 if k % 2 == 0 else 1.8, math.pi * k / 5 - math.pi / 2) for k in range(10)]
    star = " ".join(f"{x + r * math.cos(a):.2f},{y + r * math.sin(a):.2f}" for r, a in spokes)
    canvas.add("polygon", points=star, fill=PAPER)


def draw_scale(canvas: Canvas, corner: XY) -> None:
    """Draw a bar of five metres; `place` is its left end on the page."""
    x, y = corner
    for metre in range(5):
        fill = INK if metre % 2 == 0 else PAPER
        style: dict[str, Any] = {"fill": fill, "stroke": INK, "stroke_width": 0.8}
        canvas.add("rect", x=x + metre * SCALE, y=y, width=SCALE, height=5.0, **style)
    for metre in (0, 1, 5):
        text = f"{metre} m" if metre == 5 else str(metre)
        canvas.page_text((x + metre * SCALE, y + 13.0), text, 8.0, text_anchor="middle", fill=INK)


def draw_north(canvas: Canvas, centre: XY) -> None:
    """Draw an arrow to +y, which is north."""
    x, y = centre
    for wing, fill in ((-6, INK), (6, PAPER)):
        points = f"{x:.2f},{y - 15:.2f} {x + wing:.2f},{y + 8:.2f} {x:.2f},{y + 3:.2f}"
        canvas.add("polygon", points=points, fill=fill, stroke=INK, stroke_width=0.8)
    canvas.page_text((x, y - 21.0), "N", 10.0, text_anchor="middle", font_weight="bold", fill=INK)


def draw_legend(
    canvas: Canvas, corner: XY, labels: Mapping[str, int], signs: Sequence[str], paths: Sequence[MapPath]
) -> float:
    """Draw the legend downwards from a place of the page and return where it ends.

    Args:
        canvas: to draw on.
        corner: its upper left corner on the page.
        labels: the room labels on this map, with how many rooms have each.
        signs: which of ``door``, ``closed door``, ``passage``, ``window``, ``viewpoint`` occur.
        paths: the paths, in the order that they are drawn in.
    """
    x, y = corner
    for label, count in labels.items():
        style: dict[str, Any] = {
            "fill": ROOM_COLOURS.get(label, "#eeeeee"),
            "stroke": INK,
            "stroke_width": 0.6,
        }
        canvas.add("rect", x=x, y=y - 5.0, width=16.0, height=10.0, **style)
        name = (usual_name(label) if label in ROOM_NAMES else label) + (f" × {count}" if count > 1 else "")
        y = _caption(canvas, x, y, name)
    y += _ROW / 2 if labels and signs else 0.0
    for sign in signs:
        _sign(canvas, sign, x, y)
        y = _caption(canvas, x, y, sign)
    y += _ROW / 2 if paths else 0.0
    for number, path in enumerate(paths):
        stroke: dict[str, Any] = {
            "stroke": colour_of(path, number),
            "stroke_width": 3.0,
            "stroke_linecap": "round",
        }
        canvas.add("path", d=f"M{x:.2f} {y:.2f}h16", **stroke)
        y = _caption(canvas, x, y, path.label or f"path {number + 1}")
    if paths:
        canvas.add("circle", cx=x + 8.0, cy=y, r=4.0, fill=PAPER, stroke=INK, stroke_width=2.0)
        y = _caption(canvas, x, y, "start")
        canvas.add("circle", cx=x + 8.0, cy=y, r=5.0, fill=INK)
        y = _caption(canvas, x, y, "goal")
    return y


def _caption(canvas: Canvas, x: float, y: float, text: str) -> float:
    canvas.page_text((x + 22.0, y), text, _TEXT, fill=INK)
    return y + _ROW


def _sign(canvas: Canvas, sign: str, x: float, y: float) -> None:
    flat = f"M{x:.2f} {y:.2f}h16"
    if sign == "door":
        swing = f"M{x:.2f} {y - 6:.2f}a12 12 0 0 1 12 12"
        canvas.add("path", d=swing, fill="none", stroke=LEAF, stroke_width=0.8, stroke_dasharray="2.5 1.8")
        canvas.add("path", d=f"M{x:.2f} {y + 6:.2f}v-12", stroke=LEAF, stroke_width=2.0)
    elif sign == "closed door":
        canvas.add("path", d=flat, stroke=SHUT, stroke_width=2.4)
    elif sign == "passage":
        canvas.add("path", d=flat, stroke=INK, stroke_width=0.8, stroke_dasharray="3 3")
    elif sign == "window":
        style: dict[str, Any] = {"fill": "#e8f3fb", "stroke": INK, "stroke_width": 0.8}
        canvas.add("rect", x=x, y=y - 2.5, width=16.0, height=5.0, **style)
        canvas.add("path", d=flat, stroke=GLASS, stroke_width=1.6)
    else:
        canvas.add("path", d=flat, stroke=NODE, stroke_width=0.8, stroke_opacity=0.55)
        canvas.add("circle", cx=x + 8.0, cy=y, r=2.4, fill=PAPER, stroke=NODE, stroke_width=1.2)
