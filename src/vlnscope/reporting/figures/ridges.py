"""Ridges: densities on one axis, a row for each panel, one above the other and a little over it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from vlnscope.benchmarks.kit.findings import Figure, Panel, Series
from vlnscope.reporting.figures.plane import XY, Hue, Plane, PlaneShape, known_points

TALLEST = 1.25
"""Rows that the highest density of each row reaches over."""
_SEEN = 0.04
"""Share of the highest density of a row from which on a place is shown."""


def ridge_plane(figure: Figure) -> Plane:
    """Return all panels of a figure as rows of one plane, the first on top; each row has its own scale."""
    highest = [_highest(panel) for panel in figure.panels]
    seen = [x for panel, top in zip(figure.panels, highest, strict=True) for x in _shown(panel, top)]
    seen = seen or [0.0, 1.0]
    shapes: list[PlaneShape] = []
    rows: list[tuple[float, str]] = []
    for number, panel in enumerate(figure.panels):
        base = -float(number)
        rows.append((base, panel.title))
        shapes.append(PlaneShape(((min(seen), base), (max(seen), base)), Hue(tone="line"), line=0.8))
        ordered = sorted(panel.series, key=lambda series: series.role == "reference")
        for series in ordered:
            shapes += _ridge(series, base, TALLEST / highest[number])
    top = TALLEST + 0.1 if figure.panels else 1.0
    edge = 1.0 - len(figure.panels)
    wide = (min(seen), max(seen)) if max(seen) > min(seen) else (min(seen) - 1.0, max(seen) + 1.0)
    return Plane("", "", tuple(shapes), wide, (edge - 0.35, top), square=False, rows=tuple(rows))


def _highest(panel: Panel) -> float:
    return max((y for series in panel.series for _, y in known_points(series)), default=1.0) or 1.0


def _shown(panel: Panel, highest: float) -> list[float]:
    return [x for series in panel.series for x, y in known_points(series) if y > _SEEN * highest]


def median_of(points: list[XY]) -> float:
    """Return the place that halves a density, given on a grid.

    Example:
        >>> median_of([(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)])
        1.5
    """
    areas = [(b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points)]
    left = sum(areas) / 2
    for ((start, _), (end, _)), area in zip(pairwise(points), areas, strict=True):
        if area >= left and area > 0:
            return start + (end - start) * left / area
        left -= area
    return points[-1][0]


def _ridge(series: Series, base: float, scale: float) -> Iterator[PlaneShape]:
    """Yield a density over its row, and a tick at its median; references are dashed lines alone."""
    points = known_points(series)
    if len(points) < 2:
        return
    line: tuple[XY, ...] = tuple((x, base + scale * y) for x, y in points)
    paint = Hue(series.name)
    measured = series.role != "reference"
    if measured:
        area = ((points[0][0], base), *line, (points[-1][0], base))
        yield PlaneShape(area, paint, fill=0.3, legend=series.name)
    yield PlaneShape(
        line, paint, line=1.4, dash="solid" if measured else "dash", legend=series.name, data=series
    )
    middle = median_of(points)
    yield PlaneShape(((middle, base - 0.16), (middle, base + 0.02)), paint, line=2.0)
