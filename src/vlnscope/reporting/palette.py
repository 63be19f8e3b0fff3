"""What all drawings share: colours that all kinds of colour vision tell apart, marks, places of panels."""

from __future__ import annotations

from collections.abc import Iterable

from vlnscope.benchmarks.findings import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c5c5c", "#7b3294")
"""After M. Okabe and K. Ito's colours for all kinds of colour vision, the yellow left out."""
REFERENCE = "#8a8a8a"
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon")


def grid(figure: Figure) -> tuple[int, int]:
    """Return how many rows and columns of panels a figure has: at most three side by side."""
    columns = min(len(figure.panels), 3) if len(figure.panels) != 4 else 2
    return -(-len(figure.panels) // columns), columns


def looks(figure: Figure) -> dict[str, int]:
    """Return a number for each series name, the same in all panels; it picks the colour and the mark."""
    names = dict.fromkeys(_names(figure))
    return {name: k for k, name in enumerate(names)}


def colour(number: int, role: str = "data") -> str:
    """Return the colour of a series."""
    return REFERENCE if role == "reference" else COLOURS[number % len(COLOURS)]


def _names(figure: Figure) -> Iterable[str]:
    for panel in figure.panels:
        for series in panel.series:
            yield series.name
