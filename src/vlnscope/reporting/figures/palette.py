"""What all drawings share: colours that all kinds of colour vision tell apart, marks, places of panels."""

from __future__ import annotations

from collections.abc import Iterable

from vlnscope.benchmarks.kit.findings import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c5c5c", "#7b3294")
"""After M. Okabe and K. Ito's colours for all kinds of colour vision, the yellow left out."""
COLOURS_ON_BLACK = ("#5aa0f2", "#ee7733", "#44d7a0", "#e58fc4", "#f2cc5b", "#a6dbff", "#c3c8ce", "#7d63e6")
"""The same hues, light enough for a dark page."""
REFERENCE = "#8a8a8a"
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon")
THEMES = {
    "light": {
        "paper": "#f7f7f4",
        "surface": "#ffffff",
        "ink": "#1b1e22",
        "muted": "#585f67",
        "line": "#d9dce0",
        "accent": "#0b5394",
        "good": "#14693c",
        "bad": "#a8201a",
        "warn": "#7a4f00",
        "good-tint": "#e4f3ea",
        "bad-tint": "#fbe9e7",
        "warn-tint": "#fbf0d9",
        "muted-tint": "#eef0f2",
    },
    "dark": {
        "paper": "#111418",
        "surface": "#1a1e23",
        "ink": "#e8ebee",
        "muted": "#a8b0b9",
        "line": "#363d45",
        "accent": "#85bdf7",
        "good": "#6fd39b",
        "bad": "#ff9a90",
        "warn": "#ecc065",
        "good-tint": "#16301f",
        "bad-tint": "#3a1c1a",
        "warn-tint": "#352a10",
        "muted-tint": "#262c33",
    },
}
"""Colours of pages by theme: text in the six from `ink` to `warn` can be read on all grounds."""


def theme_variables(theme: str) -> dict[str, str]:
    """Return the CSS variables of a theme, those of agents included.

    Example:
        >>> theme_variables("light")["--agent-1"]
        '#0072b2'
    """
    agents = COLOURS if theme == "light" else COLOURS_ON_BLACK
    numbered = {f"--agent-{k}": shade for k, shade in enumerate(agents, 1)}
    return {f"--{name}": shade for name, shade in THEMES[theme].items()} | numbered


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
