"""The figures of a page: what the plot library draws when a reader comes near, a legend, the data as a table.

An agent has one colour in all figures: that of its place in the report. Series of something else take the
colours that no agent has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.kit.findings import Cell, Figure, Panel, Series, Table
from vlnscope.reporting.figures.palette import COLOURS, MARKS, grid
from vlnscope.reporting.figures.planes import PLANES
from vlnscope.reporting.figures.plotly import SeriesStyle, panel_traces, plain
from vlnscope.reporting.figures.plotly_planes import css_colour, plane_panel
from vlnscope.reporting.sources.definitions import figure_texts, metrics_in

Looks = Mapping[str, SeriesStyle]
_GREEN = 2
"""The colour that series of polar figures do not take, because it marks regions."""
_DASHES = ("solid", "dot", "dash", "dashdot")


class LegendEntry(NamedTuple):
    """An entry of a legend.

    `shape` is how it is drawn: a ``bar``, ``points``, a ``line`` with points, or a ``stroke`` without.
    """

    name: str
    look: SeriesStyle
    shape: str


class Plot(NamedTuple):
    """A figure as the page shows it: what is drawn, the legend, the numbers as a table, what is empty.

    `broad` figures take the whole width; `defined` are the metrics that it is about.
    """

    figure: Figure
    drawn: dict[str, Any]
    legend: tuple[LegendEntry, ...]
    table: Table
    empty: tuple[str, ...]
    broad: bool
    defined: list[str]


def plot(figure: Figure, agents: Sequence[str], own: Collection[str] = ()) -> Plot | None:
    """Make a figure ready for a page; None if it has no value at all; `own` as in `shown_table`."""
    known = [panel for panel in figure.panels if any(map(_has_values, panel.series))]
    if not known:
        return None
    looks = _looks(figure, agents)
    shown = msgspec.structs.replace(figure, panels=tuple(known))
    panels, legend = (_planes if figure.kind in PLANES else _charts)(shown, looks)
    return Plot(
        figure,
        {"kind": figure.kind, "columns": grid(figure)[1], "panels": panels},
        legend,
        _table(figure),
        tuple(panel.title for panel in figure.panels if panel not in known),
        len(panels) > 1,
        metrics_in(figure_texts(figure), own),
    )


def _has_values(series: Series) -> bool:
    return series.role == "region" or any(y is not None for y in series.y)


def _charts(figure: Figure, looks: Looks) -> tuple[list[dict[str, Any]], tuple[LegendEntry, ...]]:
    filled = [
        (panel, panel_traces(figure.kind, panel, lambda series: looks[series.name]))
        for panel in figure.panels
    ]
    drawn = [{"title": panel.title, "note": panel.note, "traces": traces} for panel, traces in filled]
    return drawn, _legend(figure, filled, looks)


def _planes(figure: Figure, looks: Looks) -> tuple[list[dict[str, Any]], tuple[LegendEntry, ...]]:
    planes = PLANES[figure.kind](figure)
    entries: dict[str, LegendEntry] = {}
    for shape in (shape for plane in planes for shape in plane.shapes if shape.legend):
        shade = css_colour(shape.paint, lambda name: looks[name].colour)
        look = _look(shade, "circle", shape.dash)
        drawn = "bar" if shape.fill else "points" if shape.mark else "stroke"
        entries.setdefault(shape.legend, LegendEntry(shape.legend, look, drawn))
    panels = [plane_panel(plane, lambda name: looks[name].colour) for plane in planes]
    return panels, tuple(entries.values())


def agent_shade(name: str, agents: Sequence[str]) -> str:
    """Return the colour of an agent, as a CSS variable."""
    return _shade(list(agents).index(name))


def _looks(figure: Figure, agents: Sequence[str]) -> dict[str, SeriesStyle]:
    looks: dict[str, SeriesStyle] = {}
    others = references = 0
    for series in (series for panel in figure.panels for series in panel.series):
        if series.name in looks:
            continue
        agent = _whose(series.name, agents)
        mark = MARKS[len(looks) % len(MARKS)]
        if series.role == "reference":
            looks[series.name] = _look("var(--muted)", mark, _DASHES[1 + references % 3])
            references += 1
        elif agent is None:
            if figure.kind == "polar" and (len(agents) + others) % len(COLOURS) == _GREEN:
                others += 1
            looks[series.name] = _look(_shade(len(agents) + others), mark)
            others += 1
        else:
            shade = _shade(agent)
            twin = sum(look.colour == shade for look in looks.values())
            looks[series.name] = _look(shade, mark, _DASHES[twin % len(_DASHES)])
    return looks


def _look(shade: str, mark: str, dash: str = "solid") -> SeriesStyle:
    return SeriesStyle(shade, mark, dash, whisker="var(--ink)", ground="var(--surface)")


def _whose(name: str, agents: Sequence[str]) -> int | None:
    """Return the number of the agent that a series is of: named as it is, or so and a comma."""
    for number, agent in enumerate(agents):
        if name == agent or name.startswith(f"{agent}, "):
            return number
    return None


def _shade(number: int) -> str:
    return f"var(--agent-{number % len(COLOURS) + 1})"


def _legend(figure: Figure, filled: Sequence[tuple[Panel, Any]], looks: Looks) -> tuple[LegendEntry, ...]:
    if figure.kind == "heatmap":
        return ()
    shapes: dict[str, str] = {}
    for _, traces in filled:
        for trace in traces:
            drawn = "bar" if trace["type"] != "scatter" else "line" if "lines" in trace["mode"] else "points"
            shapes[trace["name"]] = drawn
    names = dict.fromkeys(series.name for panel, _ in filled for series in panel.series if series.y)
    shown = zip(names, (looks[name] for name in names), strict=True)
    return tuple(LegendEntry(name, look, shapes.get(plain(name), "bar")) for name, look in shown)


def _table(figure: Figure) -> Table:
    """Return the numbers of a figure; of distributions their quartiles."""
    figure = msgspec.structs.replace(figure, panels=tuple(map(_without_ground, figure.panels)))
    several = any(panel.title for panel in figure.panels)
    head = ("panel",) if several else ()
    rows: list[tuple[Cell, ...]] = []
    for panel in figure.panels:
        for series in panel.series:
            cells = _spread(series) if figure.kind in ("boxes", "histogram") else _points(series)
            rows += [((panel.title,) if several else ()) + (series.name, *row) for row in cells]
    columns: tuple[str, ...]
    if figure.kind in ("boxes", "histogram"):
        columns = ("where", "values", "least", "first quarter", "middle", "third quarter", "most")
    else:
        columns = (figure.x, figure.y, "from", "to", "note")
    named = (*head, "series", *columns)
    used = [k for k in range(len(named)) if any(row[k] not in (None, "") for row in rows)]
    return Table(
        name=f"{figure.name}-data",
        title=f"Data of “{figure.title}”",
        columns=tuple(named[k] for k in used),
        rows=tuple(tuple(row[k] for k in used) for row in rows),
    )


def _without_ground(panel: Panel) -> Panel:
    """Return a panel without what lies beneath walks on a map."""
    kept = (series for series in panel.series if series.role not in ("ground", "outline", "matched"))
    return msgspec.structs.replace(panel, series=tuple(kept))


def _points(series: Series) -> Iterator[tuple[Cell, ...]]:
    for k, value in enumerate(series.y):
        low, high = (series.low[k], series.high[k]) if series.low else (None, None)
        yield (
            series.x[k] if series.x else None,
            value,
            low,
            high,
            series.labels[k] if series.labels else None,
        )


def _spread(series: Series) -> Iterator[tuple[Cell, ...]]:
    places = series.x if len(series.x) == len(series.y) else ("",) * len(series.y)
    for position in dict.fromkeys(places):
        values = [y for y, cell in zip(series.y, places, strict=True) if cell == position and y is not None]
        if values:
            five = (float(end) for end in np.percentile(values, [0, 25, 50, 75, 100]))
            yield (position, len(values), *five)
