"""The report section `street-map`: tells readers of the benchmark `blocks` about the streets."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from vlnscope.reporting.page.content import PageContent, PagePart, ReportSection


def _make(content: PageContent) -> Iterator[PagePart]:
    if any(findings.benchmark == "blocks" for findings in content.report.findings):
        text = "<h2>Streets</h2><p>All streets of Gridtown are straight.</p>"
        html = Markup("<section id='streets'>") + Markup(text) + Markup("</section>")
        yield PagePart(anchor="streets", title="Streets", html=html)


STREET_MAP = ReportSection(name="street-map", order=900, make=_make)
