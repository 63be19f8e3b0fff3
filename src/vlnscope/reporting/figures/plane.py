"""What polar figures, ridges and maps are made of: shapes on a plane, which both libraries draw alike."""

from __future__ import annotations

from typing import Literal, NamedTuple

from vlnscope.benchmarks.kit.findings import Series

XY = tuple[float, float]
Tone = Literal["ink", "muted", "line", "muted-tint", "surface", "good"]
Dash = Literal["solid", "dash", "dot"]
Anchor = Literal["middle", "right of", "left of", "above", "below"]


class Hue(NamedTuple):
    """A colour: that of a series, or one along the scale of an order, or else a tone of the theme.

    Attributes:
        series: name of the series.
        place: from 0 (first) to 1 (last).
        tone: of the theme.
    """

    series: str = ""
    place: float | None = None
    tone: Tone = "ink"


class PlaneShape(NamedTuple):
    """Lines, areas, marks or a text, all in one colour.

    Attributes:
        points: where; None ends a line or an area, and another begins.
        paint: the colour.
        fill: how opaque areas are; 0 for lines.
        line: width of lines, in points of type; 0 for none.
        dash: of lines.
        opacity: of lines.
        mark: a plotly symbol at each point; empty for none.
        size: of marks and letters, in points of type.
        text: written at the first point.
        anchor: where the text stands, seen from that point.
        legend: the name under which the first such shape stands in the legend; empty for none.
        data: the series whose values the points are, in order: a page says them where a reader points.
    """

    points: tuple[XY | None, ...]
    paint: Hue
    fill: float = 0.0
    line: float = 0.0
    dash: Dash = "solid"
    opacity: float = 1.0
    mark: str = ""
    size: float = 7.0
    text: str = ""
    anchor: Anchor = "middle"
    legend: str = ""
    data: Series | None = None

    @property
    def parts(self) -> list[list[XY]]:
        """The lines or areas, one by one.

        Example:
            >>> PlaneShape(((0, 0), (1, 0), None, (2, 2)), Hue()).parts
            [[(0, 0), (1, 0)], [(2, 2)]]
        """
        parts: list[list[XY]] = [[]]
        for point in self.points:
            if point is None:
                parts.append([])
            else:
                parts[-1].append(point)
        return [part for part in parts if part]


class Plane(NamedTuple):
    """Shapes, the first at the back, and what is seen of the plane.

    Attributes:
        title: above it.
        note: a line below the title.
        shapes: what is drawn.
        x: from where to where.
        y: from where to where.
        square: a unit is as long up as along, and there are no axes; else there is one along the bottom.
        rows: heights that have a name at the left.
    """

    title: str
    note: str
    shapes: tuple[PlaneShape, ...]
    x: XY
    y: XY
    square: bool = True
    rows: tuple[tuple[float, str], ...] = ()

    @property
    def aspect(self) -> float:
        """How high it is, compared with its width."""
        return (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])


def known_points(series: Series) -> list[tuple[float, float]]:
    """Return the points of a series that have two numbers.

    Example:
        >>> known_points(Series(name="a", x=(1, "b", 3), y=(0.5, 0.7, None)))
        [(1.0, 0.5)]
    """
    pairs = zip(series.x, series.y, strict=True)
    return [(float(x), y) for x, y in pairs if isinstance(x, int | float) and y is not None]
