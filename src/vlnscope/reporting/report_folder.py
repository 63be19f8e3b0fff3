"""A folder that says what runs show: ``findings.json``, ``README.md`` and figures, per benchmark."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from vlnscope.benchmarks.findings import Figure, Findings
from vlnscope.exceptions import UnknownNameError
from vlnscope.files import write_text, write_whole
from vlnscope.reporting.markdown import markdown

Drawn = Literal["svg", "png", "pdf", "html"]


def write_report(found: Sequence[Findings], folder: str | Path, figures: str = "svg") -> list[Path]:
    """Write the findings of each benchmark into a folder of its own, and return these folders.

    Args:
        found: findings; where several are of one benchmark, their folders are numbered.
        folder: made if it is not there.
        figures: ``svg``, ``png`` or ``pdf`` (by matplotlib), or ``html`` (by plotly, interactive).

    Raises:
        UnknownNameError: there is no such kind of figure.
    """
    if figures not in get_args(Drawn):
        raise UnknownNameError("kind of figure", figures, get_args(Drawn))
    written: list[Path] = []
    for findings in found:
        number = sum(path.name.split("-")[0] == findings.benchmark for path in written)
        place = Path(folder) / (findings.benchmark + (f"-{number + 1}" if number else ""))
        place.mkdir(parents=True, exist_ok=True)
        names = {figure.name: f"{figure.name}.{figures}" for figure in findings.figures}
        for figure in findings.figures:
            draw(figure, place / names[figure.name])
        findings.save(place / "findings.json")
        write_text(place / "README.md", markdown(findings, names))
        written.append(place)
    return written


def draw(figure: Figure, path: Path) -> None:
    """Draw a figure into a file; the ending of its name says how."""
    if path.suffix == ".html":
        from vlnscope.reporting.plotly_figures import plotly_figure

        page = plotly_figure(figure).to_html(include_plotlyjs=True, full_html=True, div_id=figure.name)
        write_text(path, page)
        return
    from vlnscope.reporting.matplotlib_figures import matplotlib_figure

    held = io.BytesIO()
    drawing = matplotlib_figure(figure)
    stamp = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[path.suffix[1:]]
    drawing.savefig(held, format=path.suffix[1:], metadata=stamp, dpi=150)
    with write_whole(path) as stream:
        stream.write(held.getvalue())
