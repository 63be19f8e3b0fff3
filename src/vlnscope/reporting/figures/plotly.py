"""Figures as data for the plot library: plain dictionaries, with whatever colours they are given.

The page of a report draws them when a reader comes near, in the colours of its theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any, NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.findings import Cell, Kind, Panel, Series
from vlnscope.reporting.sentences import number

Trace = dict[str, Any]


class SeriesStyle(NamedTuple):
    """How a series is drawn, as plotly names it.

    Attributes:
        colour: of all of it.
        mark: of points.
        dash: of lines.
        whisker: colour of intervals on bars.
        ground: colour of what it lies on.
    """

    colour: str
    mark: str
    dash: str = "solid"
    whisker: str = "#333333"
    ground: str = "#ffffff"


Looks = Callable[[Series], SeriesStyle]


def panel_traces(kind: Kind, panel: Panel, look: Looks) -> list[Trace]:
    """Return the traces of one pair of axes as plain data, texts escaped; none for series without values."""
    known = [series for series in panel.series if any(y is not None for y in series.y)]
    if kind == "heatmap":
        return [_heatmap(known)] if known else []
    if kind == "histogram":
        return _histograms(known, look)
    places = {cell for series in known if series.role == "data" for cell in series.x}
    return [
        trace
        for series in known
        for trace in _TRACES[kind](series, look(series), places.issuperset(series.x))
    ]


def hover_text(series: Series, at: int) -> str:
    """Say a point: of what, where, its value and interval."""
    value = series.y[at]
    low, high = (series.low[at], series.high[at]) if series.low else (None, None)
    text = "no value" if value is None else number(value)
    if low is not None and high is not None:
        text += f" [{number(low)}, {number(high)}]"
    x = series.x[at] if series.x else None
    where = "" if x is None else f"{x if isinstance(x, str) else f'{x:g}'}: "
    more = f"<br>{plain(series.labels[at])}" if series.labels and series.labels[at] else ""
    return f"<b>{plain(series.name)}</b><br>{plain(where)}{text}{more}"


def _bars(series: Series, look: SeriesStyle, shared: bool) -> list[Trace]:
    if series.role == "reference" and shared:
        numeric = not any(isinstance(cell, str) for cell in series.x)
        drawn = _scatter(series, look, "lines" if numeric else "markers")
        drawn["marker"] |= {"size": 11, "line": {"color": look.ground, "width": 1.5}}
        return [drawn]
    bar = {"type": "bar", "marker": {"color": look.colour}, "error_y": _errors(series, look.whisker)}
    return [_base(series) | bar]


def _lines(series: Series, look: SeriesStyle, _: bool) -> list[Trace]:
    band = [_band(series, look)] if series.low else []
    return [*band, _scatter(series, look, "lines+markers")]


def _points(series: Series, look: SeriesStyle, _: bool) -> list[Trace]:
    labelled = series.role == "reference" and len(series.y) <= 4 and any(series.labels)
    drawn = _scatter(series, look, "markers+text" if labelled else "markers")
    if labelled:
        numbers = [cell for cell in series.x if not isinstance(cell, str) and cell is not None]
        ends: dict[Cell, str] = {max(numbers, default=0): "top left", min(numbers, default=0): "top right"}
        sides = [ends.get(cell, "top center") for cell in series.x]
        drawn |= {"text": [plain(text) for text in series.labels], "textposition": sides}
    return [drawn | {"error_y": _errors(series, look.colour), "cliponaxis": False}]


def _boxes(series: Series, look: SeriesStyle, _: bool) -> list[Trace]:
    box: Trace = {"type": "box", "name": plain(series.name), "y": list(series.y), "boxpoints": False}
    where = {"x": _cells(series.x)} if series.x else {}
    return [box | where | {"marker": {"color": look.colour}, "line": {"color": look.colour, "width": 1.5}}]


_TRACES: dict[Kind, Callable[[Series, SeriesStyle, bool], list[Trace]]] = {
    "bars": _bars,
    "lines": _lines,
    "points": _points,
    "boxes": _boxes,
}


def _histograms(known: list[Series], look: Looks) -> list[Trace]:
    """Return histograms with the same bins, a whole number wide where all values are whole numbers."""
    values = np.array([y for series in known for y in series.y if y is not None])
    edges = np.histogram_bin_edges(values, bins="auto")
    start, size = float(edges[0]), float(edges[1] - edges[0])
    if np.all(values == np.round(values)):
        start, size = start - 0.5, max(1.0, round(size))
    bins = {"start": start, "size": size, "end": float(edges[-1]) + size}
    return [
        {
            "type": "histogram",
            "name": plain(series.name),
            "x": list(series.y),
            "xbins": bins,
            "marker": {"color": look(series).colour},
        }
        for series in known
    ]


def _heatmap(rows: list[Series]) -> Trace:
    texts = [
        [
            plain(series.labels[k]) if series.labels else "" if value is None else number(value)
            for k, value in enumerate(series.y)
        ]
        for series in rows
    ]
    return {
        "type": "heatmap",
        "x": _cells(rows[0].x),
        "y": [plain(series.name) for series in rows],
        "z": [list(series.y) for series in rows],
        "text": texts,
        "texttemplate": "%{text}",
        "hovertext": [[hover_text(series, k) for k in range(len(series.y))] for series in rows],
        "hoverinfo": "text",
        "colorscale": "Blues",
        "showscale": False,
    }


def _base(series: Series) -> Trace:
    return {
        "x": _cells(series.x),
        "y": list(series.y),
        "name": plain(series.name),
        "hovertext": [hover_text(series, k) for k in range(len(series.y))],
        "hoverinfo": "text",
    }


def _scatter(series: Series, look: SeriesStyle, mode: str) -> Trace:
    return _base(series) | {
        "type": "scatter",
        "mode": mode,
        "line": {"color": look.colour, "dash": look.dash, "width": 2},
        "marker": {"symbol": look.mark, "color": look.colour, "size": 8 if len(series.y) <= 40 else 6},
    }


def _band(series: Series, look: SeriesStyle) -> Trace:
    known = [
        k
        for k, (low, high) in enumerate(zip(series.low, series.high, strict=True))
        if None not in (low, high)
    ]
    places = [series.x[k] for k in known]
    return {
        "type": "scatter",
        "x": _cells([*places, *reversed(places)]),
        "y": [*(series.high[k] for k in known), *(series.low[k] for k in reversed(known))],
        "mode": "lines",
        "fill": "toself",
        "fillcolor": look.colour,
        "opacity": 0.15,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "name": plain(series.name),
    }


def _errors(series: Series, shade: str) -> Trace | None:
    if not series.low:
        return None
    above, below = zip(
        *(_distances(*three) for three in zip(series.y, series.low, series.high, strict=True)), strict=True
    )
    return {"type": "data", "array": list(above), "arrayminus": list(below), "color": shade, "thickness": 1.2}


def _distances(value: float | None, low: float | None, high: float | None) -> tuple[float, float]:
    """Return how far an interval reaches above and below a value; nought where there is none."""
    if value is None or low is None or high is None:
        return 0.0, 0.0
    return max(high - value, 0.0), max(value - low, 0.0)


def _cells(cells: Iterable[Cell]) -> list[Cell]:
    return [plain(cell) if isinstance(cell, str) else cell for cell in cells]


def plain(text: str) -> str:
    """Escape what plotly would take for markup."""
    return escape(text, quote=False)
