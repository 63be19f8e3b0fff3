"""Draws figures with plotly: interactive, in a page that needs no network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from vlnscope.benchmarks.findings import Figure, Kind, Panel, Series
from vlnscope.reporting.palette import MARKS, REFERENCE, colour, grid, looks

PANEL_WIDTH = 460
HEIGHT = 420


def plotly_figure(figure: Figure) -> go.Figure:
    """Draw a figure; panels stand side by side, three in a row, on the same vertical scale."""
    lines, columns = grid(figure)
    drawn = make_subplots(
        rows=lines,
        cols=columns,
        shared_yaxes="all" if figure.kind != "heatmap" else False,
        subplot_titles=[panel.title for panel in figure.panels],
        horizontal_spacing=0.08 if figure.kind != "heatmap" else 0.18,
    )
    numbers = looks(figure)
    named: set[str] = set()
    for at, panel in enumerate(figure.panels):
        row, column = at // columns + 1, at % columns + 1
        for trace, name in _TRACES[figure.kind](panel, numbers):
            trace.update(legendgroup=name, showlegend=name not in named and bool(name))
            named.add(name)
            drawn.add_trace(trace, row=row, col=column)
        drawn.update_xaxes(title_text=figure.x, row=row, col=column)
    drawn.update_yaxes(title_text=figure.y, col=1)
    drawn.update_layout(
        title=figure.title,
        template="plotly_white",
        width=max(680, PANEL_WIDTH * columns),
        height=HEIGHT * lines,
        barmode="group",
        boxmode="group",
        legend={"orientation": "h", "y": -0.25 / lines},
        margin={"t": 90},
    )
    return drawn


Traces = list[tuple[Any, str]]


def _bars(panel: Panel, numbers: dict[str, int]) -> Traces:
    return [
        (
            go.Bar(
                x=list(series.x),
                y=list(series.y),
                name=series.name,
                error_y=_errors(series),
                marker_color=colour(numbers[series.name], series.role),
                hovertext=list(series.labels) or None,
            ),
            series.name,
        )
        for series in panel.series
    ]


def _lines(panel: Panel, numbers: dict[str, int], mode: str = "lines+markers") -> Traces:
    traces: Traces = []
    for series in panel.series:
        shade = colour(numbers[series.name], series.role)
        if mode.startswith("lines") and series.low:
            traces.append((_band(series, shade), series.name))
        traces.append(
            (
                go.Scatter(
                    x=list(series.x),
                    y=list(series.y),
                    name=series.name,
                    mode=mode,
                    text=list(series.labels) or None,
                    error_y=_errors(series) if mode == "markers" else None,
                    line={"color": shade, "dash": "dash" if series.role == "reference" else "solid"},
                    marker={"symbol": MARKS[numbers[series.name] % len(MARKS)], "color": shade, "size": 8},
                ),
                series.name,
            )
        )
    return traces


def _points(panel: Panel, numbers: dict[str, int]) -> Traces:
    return _lines(panel, numbers, "markers")


def _band(series: Series, shade: str) -> Any:
    known = [
        k
        for k, (low, high) in enumerate(zip(series.low, series.high, strict=True))
        if None not in (low, high)
    ]
    places = [series.x[k] for k in known]
    return go.Scatter(
        x=[*places, *reversed(places)],
        y=[*(series.high[k] for k in known), *(series.low[k] for k in reversed(known))],
        fill="toself",
        fillcolor=shade,
        opacity=0.15,
        line={"width": 0},
        hoverinfo="skip",
        name=series.name,
    )


def _heatmap(panel: Panel, numbers: dict[str, int]) -> Traces:
    rows = panel.series
    return [
        (
            go.Heatmap(
                x=list(rows[0].x),
                y=[series.name for series in rows],
                z=[list(series.y) for series in rows],
                text=[list(series.labels) for series in rows] if rows[0].labels else None,
                texttemplate="%{text}" if rows[0].labels else "%{z:.1f}",
                colorscale="Blues",
                showscale=False,
            ),
            "",
        )
    ]


def _boxes(panel: Panel, numbers: dict[str, int]) -> Traces:
    return [
        (
            go.Box(
                x=list(series.x) or None,
                y=list(series.y),
                name=series.name,
                marker_color=colour(numbers[series.name], series.role),
            ),
            series.name,
        )
        for series in panel.series
    ]


def _histogram(panel: Panel, numbers: dict[str, int]) -> Traces:
    return [
        (
            go.Histogram(
                x=list(series.y),
                name=series.name,
                marker_color=colour(numbers[series.name], series.role),
                opacity=0.75,
            ),
            series.name,
        )
        for series in panel.series
    ]


_TRACES: dict[Kind, Callable[[Panel, dict[str, int]], Traces]] = {
    "bars": _bars,
    "lines": _lines,
    "points": _points,
    "heatmap": _heatmap,
    "boxes": _boxes,
    "histogram": _histogram,
}


def _errors(series: Series) -> dict[str, Any] | None:
    if not series.low:
        return None
    above, below = zip(
        *(_distances(*three) for three in zip(series.y, series.low, series.high, strict=True)), strict=True
    )
    return {"type": "data", "array": list(above), "arrayminus": list(below), "color": REFERENCE}


def _distances(value: float | None, low: float | None, high: float | None) -> tuple[float, float]:
    """Return how far an interval reaches above and below a value; nought where there is none."""
    if value is None or low is None or high is None:
        return 0.0, 0.0
    return max(high - value, 0.0), max(value - low, 0.0)
