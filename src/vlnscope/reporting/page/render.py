"""Makes the page of a report: the frame, and in it the parts of all registered sections."""

from __future__ import annotations

from pathlib import Path

from vlnscope.core.files import write_text
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.page import assets, packing
from vlnscope.reporting.page.content import PageContent, page_parts
from vlnscope.reporting.page.example_cards import walks_payload
from vlnscope.reporting.report_data import Report


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
