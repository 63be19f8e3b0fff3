"""The overview of a page: tables that stand before everything else, open.

Findings under the name `OVERVIEW` are no chapter: what they hold is shown here.
"""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.reporting.page.content import PageContent, PagePart, register_section
from vlnscope.reporting.page.tables import shown_table

OVERVIEW = "overview"


def _overview(content: PageContent) -> Iterator[PagePart]:
    tables = [
        table
        for findings in content.report.findings
        if findings.benchmark == OVERVIEW
        for table in findings.tables
    ]
    if tables:
        shown = [shown_table(table, f"overview-{k}") for k, table in enumerate(tables, 1)]
        yield PagePart(
            anchor="overview", title="Overview", html=content.fill("overview.html.j2", tables=shown)
        )


register_section("overview", order=-10, make=_overview)
