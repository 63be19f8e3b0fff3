"""What a page carries along: style sheets, scripts, the plot library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from vlnscope.reporting.figures.palette import theme_variables
from vlnscope.reporting.page.packing import packed

STYLES = ("page.css", "tables.css", "summary.css", "player.css", "print.css")
SCRIPTS = ("theme.js", "tables.js", "folds.js", "plots.js", "player.js", "page.js")


class Library(NamedTuple):
    """A script that is unpacked when it is needed: its source, and the same packed."""

    source: str
    packed: str


def style_sheet() -> str:
    """Return all style sheets as one, colours by theme first."""
    light, dark = _variables(theme_variables("light")), _variables(theme_variables("dark"))
    themes = (
        f":root{{color-scheme:light;{light}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}\n"
        f"@media print{{:root,:root[data-theme]{{color-scheme:light;{light}}}}}\n"
    )
    return themes + "\n".join(map(static, STYLES))


@cache
def static(name: str) -> str:
    """Return a file of the folder ``static``."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


@cache
def plot_library() -> Library:
    """Return the plot library (see `tools/fetch_assets.py`)."""
    source = files(__package__).joinpath("vendor", "plotly-cartesian.min.js").read_text(encoding="utf-8")
    return Library(source, packed(source.encode()))


def _variables(held: Mapping[str, str]) -> str:
    return "".join(f"{name}:{value};" for name, value in held.items())
