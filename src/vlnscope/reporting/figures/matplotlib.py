"""Draws figures with matplotlib (extra ``figures``): for papers, as SVG, PDF or PNG."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from vlnscope.benchmarks.kit.findings import Cell, Figure, Kind, Panel, Series
from vlnscope.core.exceptions import MissingPackageError
from vlnscope.reporting.figures.matplotlib_planes import plane_drawing
from vlnscope.reporting.figures.palette import colour, grid, looks
from vlnscope.reporting.figures.planes import PLANES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_MARKS = ("o", "s", "D", "^", "P", "X", "*", "h")
_HATCHES = ("", "///", "...", "xxx")  # references share one grey; these tell them apart
_LONG = 6
_LABELLED = 8  # more labels than these would cover each other; the page shows them one by one


def has_matplotlib() -> bool:
    """Say whether matplotlib is installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        return False
    return True


def need_matplotlib() -> None:
    """Refuse to go on without matplotlib.

    Raises:
        InputError: it is not installed.
    """
    if not has_matplotlib():
        raise MissingPackageError(
            "matplotlib",
            "figures",
            "figures in files need",
            "leave --figures out: report.html shows all figures",
        )


def matplotlib_figure(figure: Figure) -> Drawing:
    """Draw a figure; panels stand side by side, on the same vertical scale where they have one.

    Raises:
        InputError: matplotlib is not installed.
    """
    need_matplotlib()
    from matplotlib.figure import Figure as Drawing

    if figure.kind in PLANES:
        return plane_drawing(figure)
    lines, columns = grid(figure)
    drawing = Drawing(figsize=(max(6.4, 4.4 * columns), 0.6 + 3.6 * lines), layout="constrained")
    shared = figure.kind != "heatmap"
    places = drawing.subplots(lines, columns, sharey=shared, squeeze=False)
    axes = [cell for line in places for cell in line][: len(figure.panels)]
    for empty in [cell for line in places for cell in line][len(figure.panels) :]:
        empty.set_visible(False)
    numbers = looks(figure)
    for panel, ax in zip(figure.panels, axes, strict=True):
        _DRAW[figure.kind](ax, panel, numbers)
        ax.set_title("\n".join(text for text in (panel.title, panel.note) if text), fontsize=10)
        ax.set_xlabel(figure.x)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    for first in axes[::columns]:
        first.set_ylabel(figure.y)
    drawing.suptitle(figure.title, fontsize=11)
    handles: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    if len(handles) > 1:
        drawing.legend(
            handles.values(), handles, loc="outside lower center", ncols=4, fontsize=8, frameon=False
        )
    return drawing


def save_figure(figure: Figure, stream: IO[bytes], kind: str) -> None:
    """Draw a figure as ``svg``, ``pdf`` or ``png``: the same figure gives the same bytes.

    Fonts of a PDF are TrueType, which publishers ask for.
    """
    drawing = matplotlib_figure(figure)
    import matplotlib

    stamp: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with matplotlib.rc_context({"svg.hashsalt": figure.name, "pdf.fonttype": 42}):
        drawing.savefig(stream, format=kind, metadata=stamp[kind], dpi=150)


def _bars(ax: Axes, panel: Panel, numbers: dict[str, int]) -> None:
    places = _places(panel)
    width = 0.8 / max(len(panel.series), 1)
    references = [series.name for series in panel.series if series.role == "reference"]
    for k, series in enumerate(panel.series):
        x = np.array([places[cell] for cell in series.x]) + (k - (len(panel.series) - 1) / 2) * width
        ax.bar(
            x,
            _numbers(series.y),
            width,
            yerr=_errors(series),
            label=series.name,
            color=colour(numbers[series.name], series.role),
            hatch=_HATCHES[references.index(series.name) % len(_HATCHES)]
            if series.name in references
            else "",
            edgecolor="white",
            error_kw={"elinewidth": 1},
        )
    _name_places(ax, places)


def _lines(ax: Axes, panel: Panel, numbers: dict[str, int], line: str = "-") -> None:
    places = _places(panel) if any(isinstance(cell, str) for s in panel.series for cell in s.x) else None
    for series in panel.series:
        shade = colour(numbers[series.name], series.role)
        x = np.array([places[cell] if places else cell for cell in series.x], dtype=np.float64)
        style = "" if not line else "--" if series.role == "reference" else line
        ax.errorbar(
            x,
            _numbers(series.y),
            yerr=_errors(series) if not line else None,
            label=series.name,
            color=shade,
            linestyle=style,
            marker=_MARKS[numbers[series.name] % len(_MARKS)],
            markersize=4,
        )
        if line and series.low:
            ax.fill_between(
                x, _numbers(series.low), _numbers(series.high), color=shade, alpha=0.15, linewidth=0
            )
        if not line and len(series.x) <= _LABELLED:
            for left, height, text in zip(x, series.y, series.labels, strict=False):
                if height is not None:
                    ax.annotate(text, (left, height), xytext=(4, 4), textcoords="offset points", fontsize=7)
    if places:
        _name_places(ax, places)
    elif all(isinstance(cell, int) for series in panel.series for cell in series.x):
        ax.locator_params(axis="x", integer=True)


def _points(ax: Axes, panel: Panel, numbers: dict[str, int]) -> None:
    _lines(ax, panel, numbers, "")


def _heatmap(ax: Axes, panel: Panel, numbers: dict[str, int]) -> None:
    rows = panel.series
    table = np.array([_numbers(series.y) for series in rows])
    known = table[np.isfinite(table)]
    ax.imshow(table, cmap="Blues", aspect="auto")
    middle = (known.min() + known.max()) / 2 if known.size else 0.0
    for i, series in enumerate(rows):
        for j, value in enumerate(series.y):
            text = series.labels[j] if series.labels else "" if value is None else f"{value:.1f}"
            shade = "white" if value is not None and value > middle else "black"
            ax.text(j, i, text, ha="center", va="center", fontsize=7, color=shade)
    ax.set_yticks(range(len(rows)), [series.name for series in rows], fontsize=8)
    _name_places(ax, {cell: k for k, cell in enumerate(rows[0].x)})


def _boxes(ax: Axes, panel: Panel, numbers: dict[str, int]) -> None:
    names = list(dict.fromkeys(cell for series in panel.series for cell in (series.x or (series.name,))))
    places: dict[Cell, int] = {name: k for k, name in enumerate(names)}
    for series in panel.series:
        groups = series.x or (series.name,) * len(series.y)
        for name in dict.fromkeys(groups):
            values = [y for y, cell in zip(series.y, groups, strict=True) if cell == name and y is not None]
            ax.boxplot(values, positions=[places[name]], widths=0.6, showfliers=False)
    _name_places(ax, places)


def _histogram(ax: Axes, panel: Panel, numbers: dict[str, int]) -> None:
    known = [[y for y in series.y if y is not None] for series in panel.series]
    edges = np.histogram_bin_edges([y for values in known for y in values] or [0.0], bins="auto")
    for series, values in zip(panel.series, known, strict=True):
        shade = colour(numbers[series.name], series.role)
        ax.hist(values, bins=edges.tolist(), label=series.name, color=shade, alpha=0.6)


_DRAW: dict[Kind, Callable[[Axes, Panel, dict[str, int]], None]] = {
    "bars": _bars,
    "lines": _lines,
    "points": _points,
    "heatmap": _heatmap,
    "boxes": _boxes,
    "histogram": _histogram,
}


def _places(panel: Panel) -> dict[Cell, int]:
    cells = dict.fromkeys(cell for series in panel.series for cell in series.x)
    return {cell: k for k, cell in enumerate(cells)}


def _name_places(ax: Axes, places: dict[Cell, int]) -> None:
    texts = [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in places]
    crowded = sum(map(len, texts)) > _LONG * 7
    ax.set_xticks(
        list(places.values()),
        texts,
        fontsize=8,
        rotation=35 if crowded else 0,
        ha="right" if crowded else "center",
    )


def _numbers(values: tuple[float | None, ...]) -> Any:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _errors(series: Series) -> Any:
    if not series.low:
        return None
    value, low, high = _numbers(series.y), _numbers(series.low), _numbers(series.high)
    return np.nan_to_num(np.clip(np.stack([value - low, high - value]), 0, None))
