"""Planes as data for the plot library of pages, which has neither polar axes nor maps: lines and areas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vlnscope.reporting.figures.palette import along
from vlnscope.reporting.figures.plane import Hue, Plane, PlaneShape
from vlnscope.reporting.figures.plotly import Trace, hover_text, plain

_PIXELS = 1.35
"""Pixels of a point of type."""
_ANCHORS = {
    "middle": "middle center",
    "right of": "middle right",
    "left of": "middle left",
    "above": "top center",
    "below": "bottom center",
}
_DASHES = {"solid": "solid", "dash": "6px,3px", "dot": "1.5px,3px"}


def css_colour(paint: Hue, look: Callable[[str], str]) -> str:
    """Return a colour as the page has it; `look` gives that of a series."""
    if paint.place is not None:
        return along(paint.place)
    return look(paint.series) if paint.series else f"var(--{paint.tone})"


def plane_panel(plane: Plane, look: Callable[[str], str]) -> dict[str, Any]:
    """Return what the page draws of a plane: traces, and which part of it is seen."""
    shapes = ((shape, css_colour(shape.paint, look)) for shape in plane.shapes)
    traces = [trace for shape, shade in shapes for trace in _traces(shape, shade)]
    seen = {
        "x": list(plane.x),
        "y": list(plane.y),
        "square": plane.square,
        "rows": [[at, plain(name)] for at, name in plane.rows],
    }
    return {"title": plane.title, "note": plane.note, "traces": traces, "plane": seen}


def _traces(shape: PlaneShape, shade: str) -> list[Trace]:
    x = [None if point is None else point[0] for point in shape.points]
    y = [None if point is None else point[1] for point in shape.points]
    base: Trace = {"type": "scatter", "x": x, "y": y, "hoverinfo": "skip", "name": plain(shape.legend)}
    traces: list[Trace] = []
    if shape.fill:
        area = {"mode": "lines", "fill": "toself", "fillcolor": shade, "line": {"width": 0}}
        traces.append(base | area | {"opacity": shape.fill})
    if shape.line:
        line = {"color": shade, "width": shape.line * _PIXELS, "dash": _DASHES[shape.dash], "simplify": False}
        traces.append(base | {"mode": "lines", "line": line, "opacity": shape.opacity})
    if shape.mark:
        mark = {"symbol": shape.mark, "color": shade, "size": shape.size * _PIXELS}
        traces.append(base | {"mode": "markers", "marker": mark})
    if shape.text:
        font = {"size": shape.size * _PIXELS, "color": shade}
        where = {"text": [plain(shape.text)], "textposition": _ANCHORS[shape.anchor], "textfont": font}
        traces.append(base | {"mode": "text", **where})
    return [*traces, *_said(shape, base)]


def _said(shape: PlaneShape, base: Trace) -> list[Trace]:
    """Return marks that nobody sees, which say the values of a series."""
    if shape.data is None:
        return []
    texts = [hover_text(shape.data, at) for at in range(len(shape.data.y))][: len(shape.points)]
    marks = {"mode": "markers", "marker": {"opacity": 0, "size": 9}}
    return [base | marks | {"hovertext": texts, "hoverinfo": "text"}]
