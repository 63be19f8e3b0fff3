"""Makes the page of a report: the frame, and in it the parts of all registered sections."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from vlnscope.core.files import write_text
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.figures.palette import theme_variables
from vlnscope.reporting.page import packing
from vlnscope.reporting.page import render as assets
from vlnscope.reporting.page.content import PageContent, page_parts
from vlnscope.reporting.page.example_cards import walks_payload
from vlnscope.reporting.page.packing import packed
from vlnscope.reporting.report_data import Report

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


def _variables(variables: Mapping[str, str]) -> str:
    return "".join(f"{name}:{value};" for name, value in variables.items())


def render(report: Report, walks: ExampleTrajectories) -> str:
    """Return the report as one HTML document; the same content gives the same text.

    It needs no network, runs no script but its own, and takes nothing of the content for markup. Without
    scripts everything can be read but plots, whose data then stand in tables.
    """
    content = PageContent(report, walks)
    parts = page_parts(content)
    library = assets.plot_library()
    scripts = {name: assets.static(name) for name in assets.SCRIPTS}
    return content.fill(
        "page.html.j2",
        page_parts=parts,
        plots=packing.json_block(content.plots),
        library=library.packed if content.plots else "",
        policy=packing.policy([*scripts.values(), library.source]),
        style=assets.style_sheet(),
        scripts=scripts,
        walks_payload=walks_payload(walks),
    )


def write_page(report: Report, walks: ExampleTrajectories, path: str | Path) -> Path:
    """Write the report into a file, whole or not at all."""
    write_text(path, render(report, walks))
    return Path(path)
