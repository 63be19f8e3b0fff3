"""What stands at the end of a page: what is left out, how to read it, definitions, card, files, citations."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.kit.findings import NEXT_TO_NOTHING
from vlnscope.reporting.page.content import PageContent, PagePart, register_section
from vlnscope.reporting.sources.bibliography import bibtex, references
from vlnscope.reporting.sources.definitions import glossary
from vlnscope.reporting.verdicts import CAN, LITTLE


def _left_out(content: PageContent) -> Iterator[PagePart]:
    if content.report.left_out:
        html = content.fill("back_matter/left_out.html.j2")
        yield PagePart(anchor="left-out", title="Left out", html=html)


def _reading(content: PageContent) -> Iterator[PagePart]:
    limits = {"can": CAN, "cannot": NEXT_TO_NOTHING, "little": LITTLE}
    percent = {name: round(100 * limit) for name, limit in limits.items()}
    html = content.fill("back_matter/reading.html.j2", **percent)
    yield PagePart(anchor="reading", title="How to read this", html=html)


def _definitions(content: PageContent) -> Iterator[PagePart]:
    html = content.fill("back_matter/definitions.html.j2", glossary=glossary(content.report.findings))
    yield PagePart(anchor="definitions", title="Definitions", html=html)


def _reproducibility(content: PageContent) -> Iterator[PagePart]:
    if content.report.card:
        html = content.fill("back_matter/reproducibility.html.j2")
        yield PagePart(anchor="reproduce", title="Reproducibility", html=html)


def _files(content: PageContent) -> Iterator[PagePart]:
    if content.report.links:
        html = content.fill("back_matter/files.html.j2")
        yield PagePart(anchor="files", title="Evidence and scores", html=html)


def _citations(content: PageContent) -> Iterator[PagePart]:
    if papers := references(content.report):
        html = content.fill("back_matter/citations.html.j2", entries=papers, bibtex=bibtex(papers))
        yield PagePart(anchor="cite", title="How to cite", html=html)


register_section("left-out", order=900, make=_left_out)
register_section("reading", order=910, make=_reading)
register_section("definitions", order=920, make=_definitions)
register_section("reproducibility", order=930, make=_reproducibility)
register_section("files", order=940, make=_files)
register_section("citations", order=950, make=_citations)
