"""Polar panels: shares by direction around an agent that looks up, or the sectors that directions mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vlnscope.benchmarks.kit.findings import Panel, Series
from vlnscope.reporting.figures.plane import XY, Anchor, Dash, Hue, Plane, PlaneShape, known_points

_SIDES = {0: "ahead", 90: "right", 180: "behind", -90: "left"}
_BESIDE: dict[int, Anchor] = {0: "above", 90: "right of", 180: "below", -90: "left of"}
_UNITS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_RIM = 1.09
_NAMES = 1.15
_WIDE, _HIGH = 1.52, 1.3
_ARC = 3.0
"""Degrees between the corners of an arc."""
_QUIET = Hue(tone="muted")


def polar_plane(panel: Panel) -> Plane:
    """Return a panel as a circle; as in vln-behave, its rim is the greatest share, rounded up."""
    drawn = [series for series in panel.series if series.role in ("data", "reference")]
    bins = [series for series in drawn if known_points(series)]
    regions = [series for series in panel.series if series.role == "region"]
    shapes = [*_dial(), *(_histograms(bins, regions) if bins else ())]
    for series in regions:
        shapes += _arc_on_rim(series) if bins else _sector(series, alone=len(regions) == 1)
    for series in panel.series:
        if series.role == "ways":
            shapes += _ways(series)
    return Plane(panel.title, panel.note, tuple(shapes), (-_WIDE, _WIDE), (-_HIGH, _HIGH))


def rim_of(most: float) -> float:
    """Return the share that the rim stands for: the greatest one, rounded up to a number of two digits.

    Example:
        >>> [rim_of(most) for most in (3.1, 17.2, 64.0)]
        [3.5, 18.0, 70.0]
    """
    unit = next((unit for unit in _UNITS if most <= 10 * unit), _UNITS[-1])
    return math.ceil(most / unit - 1e-9) * unit or unit


def _at(degrees: float, radius: float) -> XY:
    angle = math.radians(degrees)
    return radius * math.sin(angle), radius * math.cos(angle)


def _arc(low: float, high: float, radius: float) -> list[XY]:
    count = max(2, math.ceil((high - low) / _ARC) + 1)
    return [_at(low + (high - low) * k / (count - 1), radius) for k in range(count)]


def _dial() -> Iterator[PlaneShape]:
    """Yield the rim and the names of the sides."""
    yield PlaneShape(tuple(_arc(0, 360, 1.0)), Hue(tone="muted"), line=0.8)
    for degrees, name in _SIDES.items():
        yield PlaneShape((_at(degrees, 0.0), _at(degrees, 1.0)), Hue(tone="line"), line=0.7)
        yield PlaneShape((_at(degrees, _NAMES),), _QUIET, text=name, size=7.5, anchor=_BESIDE[degrees])


def _histograms(bins: Sequence[Series], regions: Sequence[Series]) -> Iterator[PlaneShape]:
    rim = rim_of(max(share for series in bins for _, share in known_points(series)))
    for number, series in enumerate(bins):
        yield from _bins(series, rim, filled=number == 0)
    yield PlaneShape(tuple(_arc(0, 360, 0.5)), Hue(tone="muted"), line=0.7, dash="dot")
    side = _free_side(bins, regions)
    anchor: Anchor = "right of" if side > 0 else "left of"
    for part in (1.0, 0.5):
        yield PlaneShape((_at(side, part + 0.03),), _QUIET, text=f"{part * rim:g} %", size=7.0, anchor=anchor)


def _free_side(bins: Sequence[Series], regions: Sequence[Series]) -> float:
    """Return where numbers of the circles stand: between two sides, in no region, where least is drawn."""
    marked = [_ends(series) for series in regions]

    def crowd(side: float) -> tuple[bool, float]:
        inside = any(low <= turn <= high for low, high in marked for turn in (side, side + 360.0))
        shares = (y for series in bins for x, y in known_points(series) if abs(x - side) < 25)
        return inside, sum(shares)

    return min((50.0, 130.0, -130.0, -50.0), key=crowd)


def _bins(series: Series, rim: float, *, filled: bool) -> Iterator[PlaneShape]:
    """Yield the first series as sectors, others as the outline of theirs."""
    points = sorted(known_points(series))
    width = min((b[0] - a[0] for a, b in pairwise(points)), default=10.0)
    outline: list[XY | None] = []
    for middle, share in points:
        arc = _arc(middle - width / 2, middle + width / 2, share / rim)
        outline += [(0.0, 0.0), *arc, (0.0, 0.0), None] if filled else arc
    paint = Hue(series.name)
    if filled:
        yield PlaneShape(tuple(outline), paint, fill=0.55, line=0.5, legend=series.name)
    else:
        dash: Dash = "dash" if series.role == "reference" else "solid"
        closed = (*outline, *outline[:1]) if len(points) * width > 359 else tuple(outline)
        yield PlaneShape(closed, paint, line=1.5, dash=dash, legend=series.name)
    tips = tuple(
        _at(float(x), y / rim) if isinstance(x, int | float) and y is not None else None
        for x, y in zip(series.x, series.y, strict=True)
    )
    yield PlaneShape(tips, paint, data=series)


def _ends(series: Series) -> tuple[float, float]:
    low, high = (float(end) for end in series.x[:2] if isinstance(end, int | float))
    return low, high + 360.0 * (high < low)


def _arc_on_rim(series: Series) -> Iterator[PlaneShape]:
    arc = tuple(_arc(*_ends(series), _RIM))
    yield PlaneShape(arc, Hue(tone="good"), line=4.0, legend=series.name)


def _sector(series: Series, *, alone: bool) -> Iterator[PlaneShape]:
    """Yield a sector with its name in it, in its own colour if there are others."""
    low, high = _ends(series)
    paint = Hue(tone="good") if alone else Hue(series.name)
    yield PlaneShape(((0.0, 0.0), *_arc(low, high, 1.0), (0.0, 0.0)), paint, fill=0.3, line=0.8)
    far = 0.86 if alone else 0.78 if high - low < 40 else 0.62
    yield PlaneShape((_at((low + high) / 2, far),), Hue(), text=series.name, size=8.0)


def _ways(series: Series) -> Iterator[PlaneShape]:
    """Yield where an agent may go, in metres, the farthest near the rim, and an arrow that is the agent."""
    points = known_points(series)
    far = max((metres for _, metres in points), default=1.0)
    places = [_at(degrees, 0.9 * metres / far) for degrees, metres in points]
    spokes = tuple(point for place in places for point in ((0.0, 0.0), place, None))
    yield PlaneShape(spokes, Hue(tone="muted"), line=1.0)
    yield PlaneShape(tuple(places), Hue(), mark="circle", size=7.0, legend=series.name, data=series)
    body: tuple[XY, ...] = ((0.0, 0.13), (0.08, -0.08), (0.0, -0.03), (-0.08, -0.08), (0.0, 0.13))
    yield PlaneShape(body, Hue(), fill=1.0, line=0.5)
