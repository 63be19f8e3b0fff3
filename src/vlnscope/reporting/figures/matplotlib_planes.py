"""Draws planes with matplotlib: polar figures, ridges and maps, for papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from vlnscope.benchmarks.kit.findings import Figure
from vlnscope.reporting.figures.palette import THEMES, along, colour, grid, looks
from vlnscope.reporting.figures.plane import Hue, Plane, PlaneShape
from vlnscope.reporting.figures.planes import PLANES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (4, 2)), "dot": (0, (1, 1.6))}
_ANCHORS: dict[str, dict[str, Any]] = {
    "middle": {"ha": "center", "va": "center_baseline"},
    "right of": {"ha": "left", "va": "center"},
    "left of": {"ha": "right", "va": "center"},
    "above": {"ha": "center", "va": "bottom", "xytext": (0, 2)},
    "below": {"ha": "center", "va": "top", "xytext": (0, -2)},
}
_WIDTHS = {1: 4.6, 2: 3.2, 3: 2.5}
"""Inches of a panel by their number in a row; more are narrower."""
_NARROW = 2.0
_RIDGES = 5.2
_HEAD = 0.45
Colours = Callable[[Hue], str]


def plane_drawing(figure: Figure) -> Drawing:
    """Draw a figure whose kind is one of `PLANES`."""
    from matplotlib.figure import Figure as Drawing

    planes = PLANES[figure.kind](figure)
    lines, columns = (1, 1) if len(planes) == 1 else grid(figure)
    wide = _WIDTHS.get(columns, _NARROW) if planes[0].square else _RIDGES
    rows = [planes[k : k + columns] for k in range(0, len(planes), columns)]
    tall = [max(_height(plane, wide) for plane in row) + _HEAD for row in rows]
    drawing = Drawing(figsize=(wide * columns, 0.8 + sum(tall)), layout="constrained")
    paints = _colours(figure)
    places = drawing.subplots(lines, columns, squeeze=False, height_ratios=tall)
    axes = [cell for line in places for cell in line]
    for empty in axes[len(planes) :]:
        empty.set_visible(False)
    for plane, ax in zip(planes, axes, strict=False):
        _draw(ax, plane, paints)
        if not plane.square:
            ax.set_xlabel(figure.x)
    drawing.suptitle(figure.title, fontsize=11)
    handles = _legend(planes, paints)
    if handles:
        drawing.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    return drawing


def _height(plane: Plane, wide: float) -> float:
    """Return how many inches high a plane is; rows have the same height however many there are."""
    return wide * plane.aspect if plane.square else 0.46 * (plane.y[1] - plane.y[0]) + 0.5


def _colours(figure: Figure) -> Colours:
    numbers = looks(figure)
    roles = {series.name: series.role for panel in figure.panels for series in panel.series}

    def paint_of(paint: Hue) -> str:
        if paint.place is not None:
            return along(paint.place)
        if paint.series:
            return colour(numbers[paint.series], roles[paint.series])
        return THEMES["light"][paint.tone]

    return paint_of


def _draw(ax: Axes, plane: Plane, colours: Colours) -> None:
    for number, shape in enumerate(plane.shapes):
        _shape(ax, shape, colours(shape.paint), 1.0 + number / 1000)
    ax.set_xlim(plane.x)
    ax.set_ylim(plane.y)
    ax.set_title(plane.title, fontsize=8.5, fontweight="bold", pad=15 if plane.note else 4)
    if plane.note:
        place: dict[str, Any] = {"xytext": (0, 4), "textcoords": "offset points", "ha": "center"}
        ax.annotate(plane.note, (0.5, 1.0), xycoords="axes fraction", fontsize=7.5, **place)
    if plane.square:
        ax.set_aspect("equal", anchor="N")
        ax.set_axis_off()
        return
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_yticks([at for at, _ in plane.rows], [name for _, name in plane.rows], fontsize=9)
    ax.tick_params(axis="y", length=0)


def _shape(ax: Axes, shape: PlaneShape, shade: str, order: float) -> None:
    from matplotlib.patches import Polygon

    for part in shape.parts:
        if shape.fill:
            look = {"facecolor": shade, "alpha": shape.fill, "linewidth": 0.0, "zorder": order}
            ax.add_patch(Polygon(part, closed=True, **look))
        x, y = zip(*part, strict=True)
        if shape.line:
            ax.plot(
                x,
                y,
                color=shade,
                linewidth=shape.line,
                linestyle=_DASHES[shape.dash],
                alpha=shape.opacity,
                zorder=order,
                solid_capstyle="round",
                solid_joinstyle="round",
            )
        if shape.mark:
            size = shape.size**2
            ax.scatter(x, y, s=size, color=shade, linewidths=0.0, zorder=order)
    if shape.text:
        _write(ax, shape, shade, order)


def _write(ax: Axes, shape: PlaneShape, shade: str, order: float) -> None:
    where: Any = shape.parts[0][0]
    style = {"xytext": (0, 0)} | _ANCHORS[shape.anchor]
    ax.annotate(
        shape.text, where, textcoords="offset points", fontsize=shape.size, color=shade, zorder=order, **style
    )


def _legend(planes: Sequence[Plane], colours: Colours) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: dict[str, Any] = {}
    for shape in (shape for plane in planes for shape in plane.shapes if shape.legend):
        shade = colours(shape.paint)
        if shape.legend in handles:
            continue
        if shape.fill:
            handles[shape.legend] = Patch(facecolor=shade, alpha=max(shape.fill, 0.4), label=shape.legend)
        else:
            style: dict[str, Any] = {
                "linestyle": _DASHES[shape.dash] if shape.line else "none",
                "alpha": shape.opacity,
            }
            mark = "o" if shape.mark else ""
            handles[shape.legend] = Line2D(
                [], [], color=shade, linewidth=shape.line, marker=mark, label=shape.legend, **style
            )
    return list(handles.values())
