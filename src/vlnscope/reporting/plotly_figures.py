"""Draws figures with plotly: interactive, in a page that needs no network."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from vlnscope.benchmarks.findings import Figure, Series
from vlnscope.reporting.palette import MARKS, colour, grid, looks
from vlnscope.reporting.plotly_traces import Look, panel_traces, plain

PANEL_WIDTH = 460
HEIGHT = 420


def plotly_figure(figure: Figure) -> go.Figure:
    """Draw a figure; panels stand side by side, three in a row, on the same vertical scale."""
    lines, columns = grid(figure)
    drawn = make_subplots(
        rows=lines,
        cols=columns,
        shared_yaxes="all" if figure.kind != "heatmap" else False,
        subplot_titles=[plain(panel.title) for panel in figure.panels],
        horizontal_spacing=0.08 if figure.kind != "heatmap" else 0.18,
    )
    numbers = looks(figure)

    def look(series: Series) -> Look:
        at = numbers[series.name]
        dash = "dash" if series.role == "reference" else "solid"
        return Look(colour(at, series.role), MARKS[at % len(MARKS)], dash)

    named: set[str] = set()
    for at, panel in enumerate(figure.panels):
        row, column = at // columns + 1, at % columns + 1
        for trace in panel_traces(figure.kind, panel, look):
            name = trace.get("name", "")
            legend = {"legendgroup": name, "showlegend": name not in named and bool(name)}
            named.add(name)
            drawn.add_trace(trace | legend, row=row, col=column)
        drawn.update_xaxes(title_text=plain(figure.x), row=row, col=column)
    drawn.update_yaxes(title_text=plain(figure.y), col=1)
    drawn.update_layout(
        title=plain(figure.title),
        template="plotly_white",
        width=max(680, PANEL_WIDTH * columns),
        height=HEIGHT * lines,
        barmode="group",
        boxmode="group",
        legend={"orientation": "h", "y": -0.25 / lines},
        margin={"t": 90},
    )
    return drawn
