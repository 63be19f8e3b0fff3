"""Maps: walks seen from above, over what lies beneath them, in metres."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vlnscope.benchmarks.kit.findings import Figure, Panel, Role, Series
from vlnscope.reporting.figures.plane import XY, Hue, Plane, PlaneShape, known_points

_MARGIN = 1.2
"""Metres around walks."""
_BESIDE = 0.04
"""And so much of what they cover."""
_LEAST = 6.0
"""Metres that a map shows at least, each way."""
_FLATTEST = 0.7
_HEAD = 0.026
"""Size of an arrow head, compared with the map."""
_CLEAR = 0.066
"""Distance that labels keep, compared with the map."""
_SCALE = 0.07
"""Height of the strip at the bottom in which the scale stands, compared with the map."""
_BARS = (1, 2, 5, 10, 20)
_ENDS = {0.0: "first episode", 1.0: "last episode"}
_WALKS: tuple[Role, ...] = ("data", "reference", "ordered", "led")


def map_planes(figure: Figure) -> list[Plane]:
    """Return panels as maps of their walks; those of the same references show the same surroundings."""
    panels = figure.panels
    return [map_plane(panel, [other for other in panels if _alike(panel, other)]) for panel in panels]


def _alike(panel: Panel, other: Panel) -> bool:
    first, second = (
        [(one.x, one.y) for one in its.series if one.role == "reference"] for its in (panel, other)
    )
    return panel is other or (bool(first) and first == second)


def map_plane(panel: Panel, together: Sequence[Panel] = ()) -> Plane:
    """Return a panel as a map of its walks, and of those of panels that it is to be compared with."""
    x, y = _seen(together or (panel,))
    side = max(x[1] - x[0], y[1] - y[0])
    ordered = [series for series in panel.series if series.role == "ordered"]
    shapes: list[PlaneShape] = []
    for role in ("ground", "outline", "led", "reference", "matched", "data", "ordered"):
        for series in panel.series:
            if series.role == role:
                place = ordered.index(series) / max(len(ordered) - 1, 1) if role == "ordered" else None
                shapes += _drawn(series, place, side)
    shapes += _labels(panel.series, ordered, side)
    shapes += _scale_bar(x, y)
    return Plane(panel.title, panel.note, tuple(shapes), x, y)


def _seen(panels: Sequence[Panel]) -> tuple[XY, XY]:
    """Return what is seen: all walks with a margin, and room for the scale; without walks, all there is."""
    every = [series for panel in panels for series in panel.series]
    walks = [series for series in every if series.role in _WALKS] or every
    points = [point for series in walks for point in known_points(series)] or [(0.0, 0.0)]
    (x, y) = (_span([point[axis] for point in points]) for axis in (0, 1))
    wide, high = x[1] - x[0], y[1] - y[0]
    x, (low, top) = _widened(x, _FLATTEST * high), _widened(y, _FLATTEST * wide)
    return x, (low - _SCALE * (top - low), top)


def _span(values: Sequence[float]) -> XY:
    around = _MARGIN + _BESIDE * (max(values) - min(values))
    return _widened((min(values) - around, max(values) + around), _LEAST)


def _widened(span: XY, least: float) -> XY:
    short = max(0.0, least - (span[1] - span[0])) / 2
    return span[0] - short, span[1] + short


def _points(series: Series) -> tuple[XY | None, ...]:
    pairs = zip(series.x, series.y, strict=True)
    return tuple((float(x), y) if isinstance(x, int | float) and y is not None else None for x, y in pairs)


def _drawn(series: Series, place: float | None, side: float) -> Iterator[PlaneShape]:
    points, name = _points(series), series.name
    if series.role == "ground":
        yield PlaneShape(points, Hue(tone="muted-tint"), fill=1.0)
    elif series.role == "outline":
        yield PlaneShape(points, Hue(tone="muted"), line=1.0, opacity=0.35)
    elif series.role == "led":
        yield PlaneShape(points, Hue(tone="muted"), line=1.1, dash="dash", legend=name)
    elif series.role == "matched":
        yield PlaneShape(points, Hue(series.name), line=0.9, dash="dot", legend=name)
    elif series.role == "reference":
        yield PlaneShape(points, Hue(tone="muted"), line=5.0, opacity=0.45, legend=name)
        yield from _heads(points, Hue(tone="muted"), 1.5 * side)
    else:
        paint = Hue(name) if place is None else Hue(place=place)
        yield PlaneShape(points, paint, line=2.0, legend=name if place is None else _ENDS.get(place, ""))
        yield PlaneShape(tuple(point for point in points if point), paint, mark="circle", size=3.0)
        yield from _heads(points, paint, side)


def _heads(points: tuple[XY | None, ...], paint: Hue, side: float) -> Iterator[PlaneShape]:
    """Yield an arrow head at the end of each line, pointing the way of its last move."""
    for part in PlaneShape(points, paint).parts:
        moves = [(a, b) for a, b in pairwise(part) if a != b]
        if moves:
            (ax, ay), (bx, by) = moves[-1]
            length = math.dist((ax, ay), (bx, by))
            ux, uy, size = (bx - ax) / length, (by - ay) / length, _HEAD * side
            back = (bx - ux * size, by - uy * size)
            wing = size * 0.5
            corners = ((back[0] - uy * wing, back[1] + ux * wing), (back[0] + uy * wing, back[1] - ux * wing))
            yield PlaneShape(((bx, by), *corners, (bx, by)), paint, fill=1.0, line=0.5)


def _labels(all_series: Sequence[Series], ordered: Sequence[Series], side: float) -> Iterator[PlaneShape]:
    """Yield discs with the labels of points; one that would cover another steps aside."""
    taken: list[XY] = []
    for series in all_series:
        place = ordered.index(series) / max(len(ordered) - 1, 1) if series.role == "ordered" else None
        paint = Hue(place=place) if place is not None else Hue(series.name)
        if series.role in ("reference", "led"):
            paint = Hue(tone="ink")
        for point, label in zip(_points(series), series.labels, strict=False):
            if point is not None and label:
                spot = _free(point, taken, _CLEAR * side)
                taken.append(spot)
                if spot != point:
                    yield PlaneShape((point, spot), paint, line=0.8)
                yield PlaneShape((spot,), paint, mark="circle", size=11.0)
                yield PlaneShape((spot,), Hue(tone="surface"), text=label, size=6.5)


def _free(point: XY, taken: Sequence[XY], clear: float) -> XY:
    """Return the point, or the nearest place around it that no label has taken."""
    rings = [(0.0, 1), (1.05, 8), (2.1, 14), (3.2, 20)]
    for ring, count in rings:
        for k in range(count):
            turn = math.tau * k / count + 0.6
            spot = (point[0] + ring * clear * math.cos(turn), point[1] + ring * clear * math.sin(turn))
            spot = point if ring == 0 else spot
            if all(math.dist(spot, other) >= clear for other in taken):
                return spot
    return point


def _scale_bar(x: XY, y: XY) -> Iterator[PlaneShape]:
    """Yield a bar of a round number of metres at the bottom left."""
    wide, high = x[1] - x[0], y[1] - y[0]
    metres = max((bar for bar in _BARS if bar <= 0.25 * wide), default=_BARS[0])
    left, low = x[0] + 0.03 * wide, y[0] + 0.025 * high
    yield PlaneShape(((left, low), (left + metres, low)), Hue(), line=1.6)
    text = f"{metres} m"
    yield PlaneShape(((left + metres / 2, low),), Hue(), text=text, size=6.5, anchor="above")
