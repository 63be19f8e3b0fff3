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

from vlnscope.benchmarks.kit.findings import Figure, Findings
from vlnscope.core.exceptions import UnknownNameError
from vlnscope.core.files import check_folder, write_text, write_whole
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.sources.bibliography import bibtex, references
from vlnscope.reporting.sources.reproducibility import card_markdown
from vlnscope.reporting.tables.latex import latex_document, latex_results, latex_table
from vlnscope.reporting.tables.markdown import (
    markdown_report,
    markdown_results,
    markdown_table,
    markdown_text,
)
from vlnscope.reporting.tables.marks import ResultsTable

Drawn = Literal["svg", "pdf", "png"]
Format = Literal["md", "latex", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)
NOT_DRAWN = "figures are not drawn as files: that takes matplotlib (pip install 'vlnscope[figures]')"


def write_report(
    report: Report,
    folder: str | Path,
    *,
    results: Sequence[ResultsTable] = (),
    walks: ExampleTrajectories | None = None,
    figures: str | None = None,
    formats: Sequence[str] = FORMATS,
) -> Path:
    """Write a report into a folder.

    Args:
        report: what was found.
        folder: made if it is not there.
        results: tables of results.
        walks: what the page shows of walks.
        figures: ``svg``, ``pdf`` or ``png``, by matplotlib; if not given, ``svg`` where matplotlib is
            installed, else only the page shows them, and ``README.md`` says so.
        formats: which of ``md``, ``latex`` and ``html`` to write.

    Raises:
        InputError: it cannot be written, see `check_writing`; nothing is written then.
    """
    folder = Path(folder)
    check_writing(folder, figures=figures, formats=formats)
    report.save(folder / "findings.json")
    tables = _write_tables(report, results, folder, formats)
    if set(formats) & {"md", "latex"}:
        kind = kind_drawn(figures)
        drawn = [_draw_all(findings, stem, folder, kind) for findings, stem in _stems(report)]
        _write_texts(report, results, folder, tables, drawn, formats)
    write_text(folder / "references.bib", bibtex(references(report, tested=any(t.tests for t in results))))
    if report.card:
        write_text(folder / "card.md", card_markdown(report.card))
    if "html" in formats:
        from vlnscope.reporting.page import write_page

        write_page(report, walks or ExampleTrajectories(), folder / "report.html")
    return folder


def kind_drawn(figures: str | None) -> str | None:
    """Return how figures are drawn as files: as asked, else as SVG if matplotlib is there, else None."""
    from vlnscope.reporting.figures.matplotlib import has_matplotlib

    return figures or ("svg" if has_matplotlib() else None)


def check_writing(
    folder: str | Path, *, figures: str | None = None, formats: Sequence[str] = FORMATS
) -> None:
    """Refuse, before any work is done, what `write_report` could not write.

    Raises:
        UnknownNameError: there is no such kind of figure, or no such format.
        InputError: the folder is a file or in one, it may not be written to, or a kind of figure is asked for
            and matplotlib is missing.
    """
    for kind, names, known in (
        ("kind of figure", (figures,) if figures else (), get_args(Drawn)),
        ("format", formats, FORMATS),
    ):
        for name in names:
            if name not in known:
                raise UnknownNameError(kind, name, known)
    check_folder(folder)
    if figures and set(formats) & {"md", "latex"}:
        from vlnscope.reporting.figures.matplotlib import need_matplotlib

        need_matplotlib()


def draw(figure: Figure, path: Path) -> None:
    """Draw a figure into a file; the ending of its name says how."""
    from vlnscope.reporting.figures.matplotlib import save_figure

    buffer = io.BytesIO()
    save_figure(figure, buffer, path.suffix[1:])
    with write_whole(path) as stream:
        stream.write(buffer.getvalue())


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


def _draw_all(findings: Findings, stem: str, folder: Path, kind: str | None) -> dict[str, str]:
    names: dict[str, str] = {}
    for figure in findings.figures if kind else ():
        if not figure.panels:
            continue  # too few cases to draw anything
        names[figure.name] = f"figures/{_file(stem, findings.benchmark, figure.name)}.{kind}"
        draw(figure, folder / names[figure.name])
    return names


def _write_texts(
    report: Report,
    results: Sequence[ResultsTable],
    folder: Path,
    tables: Sequence[str],
    drawn: Sequence[dict[str, str]],
    formats: Sequence[str],
) -> None:
    if "md" in formats:
        text = markdown_report(report, results, drawn)
        if not any(drawn) and any(findings.figures for findings in report.findings):
            text += f"\n{NOT_DRAWN}{'; report.html shows them' if 'html' in formats else ''}\n"
        write_text(folder / "README.md", text)
    if "latex" in formats:
        pictures = [
            (names[figure.name], f"{figure.title}. {figure.caption}".strip())
            for findings, names in zip(report.findings, drawn, strict=True)
            for figure in findings.figures
            if names.get(figure.name, "").endswith((".pdf", ".png"))
        ]
        write_text(folder / "report.tex", latex_document(report.title, tables, pictures))
