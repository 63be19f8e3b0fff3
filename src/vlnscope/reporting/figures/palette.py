"""What all drawings share: colours that all kinds of colour vision tell apart, marks, places of panels."""

from __future__ import annotations

from collections.abc import Iterable

from vlnscope.benchmarks.kit.findings import Figure
from vlnscope.core.toml_file import packaged_toml

_DATA = packaged_toml(__name__)
COLOURS: tuple[str, ...] = tuple(_DATA["colours"])
COLOURS_ON_BLACK: tuple[str, ...] = tuple(_DATA["colours_on_black"])
REFERENCE: str = _DATA["reference"]
ORDER: tuple[str, ...] = tuple(_DATA["order"])
MARKS: tuple[str, ...] = tuple(_DATA["marks"])
THEMES: dict[str, dict[str, str]] = _DATA["themes"]


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
    """Return how many rows and columns of panels a figure has: as it says, else at most three abreast."""
    if figure.columns:
        return -(-len(figure.panels) // figure.columns), figure.columns
    columns = min(len(figure.panels), 3) if len(figure.panels) != 4 else 2
    return -(-len(figure.panels) // columns), columns


def looks(figure: Figure) -> dict[str, int]:
    """Return a number for each series name, the same in all panels; it picks the colour and the mark."""
    names = dict.fromkeys(_names(figure))
    return {name: k for k, name in enumerate(names)}


def colour(number: int, role: str = "data") -> str:
    """Return the colour of a series."""
    return REFERENCE if role == "reference" else COLOURS[number % len(COLOURS)]


def along(place: float) -> str:
    """Return the colour of a place in an order, from 0 (first) to 1 (last).

    Example:
        >>> along(0.0), along(1.0)
        ('#46327e', '#8fce3f')
    """
    at = min(max(place, 0.0), 1.0) * (len(ORDER) - 1)
    left = min(int(at), len(ORDER) - 2)
    ends = [[int(shade[k : k + 2], 16) for k in (1, 3, 5)] for shade in ORDER[left : left + 2]]
    mixed = [round(a + (b - a) * (at - left)) for a, b in zip(*ends, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _names(figure: Figure) -> Iterable[str]:
    for panel in figure.panels:
        for series in panel.series:
            yield series.name
