"""A folder that says what runs show, ready for a paper.

=====================  =====================================================================
``findings.json``      everything that was found (`Report`); the rest is made of it
``README.md``          all of it to read
``report.html``        all of it to look at
``report.tex``         a document that takes in all tables, and figures drawn as PDF or PNG
``tables/``            each table as Markdown and as LaTeX
``figures/``           each figure
``references.bib``     the papers behind metrics, benchmarks and data
``card.md``            what it takes to make the same again
=====================  =====================================================================
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from vlnscope.benchmarks.findings import Figure, Findings
from vlnscope.exceptions import UnknownNameError
from vlnscope.files import check_folder, write_text, write_whole
from vlnscope.reporting.bibliography import bibtex, references
from vlnscope.reporting.latex import latex_document, latex_results, latex_table
from vlnscope.reporting.markdown import markdown_report, markdown_results, markdown_table, markdown_text
from vlnscope.reporting.marks import ResultsTable
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.reproducibility import card_markdown
from vlnscope.reporting.walk_data import Walks

Drawn = Literal["svg", "pdf", "png", "html"]
Format = Literal["md", "latex", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)


def write_report(
    report: Report,
    folder: str | Path,
    *,
    results: Sequence[ResultsTable] = (),
    walks: Walks | None = None,
    figures: str = "svg",
    formats: Sequence[str] = FORMATS,
) -> Path:
    """Write a report into a folder.

    Args:
        report: what was found.
        folder: made if it is not there.
        results: tables of results.
        walks: what the page shows of walks.
        figures: ``svg``, ``pdf`` or ``png`` (by matplotlib), or ``html`` (by plotly, interactive).
        formats: which of ``md``, ``latex`` and ``html`` to write.

    Raises:
        InputError: it cannot be written, see `check_writing`; nothing is written then.
    """
    folder = Path(folder)
    check_writing(folder, figures=figures, formats=formats)
    report.save(folder / "findings.json")
    tables = _write_tables(report, results, folder, formats)
    if set(formats) & {"md", "latex"}:
        drawn = [_draw_all(findings, stem, folder, figures) for findings, stem in _stems(report)]
        _write_texts(report, results, folder, tables, drawn, figures, formats)
    write_text(folder / "references.bib", bibtex(references(report, tested=any(t.tests for t in results))))
    if report.card:
        write_text(folder / "card.md", card_markdown(report.card))
    if "html" in formats:
        from vlnscope.reporting.page import write_page

        write_page(report, walks or Walks(), folder / "report.html")
    return folder


def check_writing(folder: str | Path, *, figures: str = "svg", formats: Sequence[str] = FORMATS) -> None:
    """Refuse, before any work is done, what `write_report` could not write.

    Raises:
        UnknownNameError: there is no such kind of figure, or no such format.
        InputError: the folder is a file or in one, it may not be written to, or matplotlib is missing.
    """
    for kind, given, known in (
        ("kind of figure", (figures,), get_args(Drawn)),
        ("format", formats, FORMATS),
    ):
        for name in given:
            if name not in known:
                raise UnknownNameError(kind, name, known)
    check_folder(folder)
    if figures != "html" and set(formats) & {"md", "latex"}:
        from vlnscope.reporting.matplotlib_figures import need_matplotlib

        need_matplotlib()


def draw(figure: Figure, path: Path) -> None:
    """Draw a figure into a file; the ending of its name says how."""
    if path.suffix == ".html":
        from vlnscope.reporting.plotly_figures import plotly_figure

        page = plotly_figure(figure).to_html(include_plotlyjs=True, full_html=True, div_id=figure.name)
        write_text(path, page)
        return
    from vlnscope.reporting.matplotlib_figures import save_figure

    held = io.BytesIO()
    save_figure(figure, held, path.suffix[1:])
    with write_whole(path) as stream:
        stream.write(held.getvalue())


def stems(benchmarks: Sequence[str]) -> list[str]:
    """Return how the names of files of some findings begin: as their benchmark, numbered if that is taken.

    Example:
        >>> stems(["tours", "errors", "tours"])
        ['tours', 'errors', 'tours-2']
    """
    return [
        name + (f"-{benchmarks[:at].count(name) + 1}" if name in benchmarks[:at] else "")
        for at, name in enumerate(benchmarks)
    ]


def _stems(report: Report) -> list[tuple[Findings, str]]:
    names = stems([findings.benchmark for findings in report.findings])
    return list(zip(report.findings, names, strict=True))


def _file(stem: str, benchmark: str, name: str) -> str:
    """Return the name of a file, which begins with its benchmark once."""
    return f"{stem}-{name.removeprefix(f'{benchmark}-')}"


def _write_tables(
    report: Report, results: Sequence[ResultsTable], folder: Path, formats: Sequence[str]
) -> list[str]:
    written: list[str] = []
    shown = {one.name for one in results}
    pages: dict[str, tuple[str, str]] = {}
    for one in results:
        legend = "\n\n".join(map(markdown_text, one.legend()))
        pages[one.name] = (f"{markdown_results(one)}\n\n{legend}\n", latex_results(one))
    for findings, stem in _stems(report):
        for table in findings.tables:
            if table.name in shown:
                continue
            name = _file(stem, findings.benchmark, table.name)
            notes = "".join(f"\n{markdown_text(note)}\n" for note in table.notes)
            pages[name] = (f"{markdown_table(table)}\n{notes}", latex_table(table, label=name))
    for name, (md, tex) in pages.items():
        if "md" in formats:
            write_text(folder / "tables" / f"{name}.md", md)
        if "latex" in formats:
            write_text(folder / "tables" / f"{name}.tex", tex)
            written.append(f"tables/{name}")
    return written


def _draw_all(findings: Findings, stem: str, folder: Path, kind: str) -> dict[str, str]:
    names = {}
    for figure in findings.figures:
        names[figure.name] = f"figures/{_file(stem, findings.benchmark, figure.name)}.{kind}"
        draw(figure, folder / names[figure.name])
    return names


def _write_texts(
    report: Report,
    results: Sequence[ResultsTable],
    folder: Path,
    tables: Sequence[str],
    drawn: Sequence[dict[str, str]],
    figures: str,
    formats: Sequence[str],
) -> None:
    if "md" in formats:
        write_text(folder / "README.md", markdown_report(report, results, drawn))
    if "latex" in formats:
        pictures = [
            (names[figure.name], f"{figure.title}. {figure.caption}".strip())
            for findings, names in zip(report.findings, drawn, strict=True)
            for figure in findings.figures
        ]
        shown = pictures if figures in ("pdf", "png") else []
        write_text(folder / "report.tex", latex_document(report.title, tables, shown))
