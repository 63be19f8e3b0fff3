r"""Tables as LaTeX: ``booktabs``, numbers aligned at the point, intervals small behind them.

A file holds one table environment. It needs ``\usepackage{booktabs}``; wide tables need ``graphicx`` and long
ones ``longtable``. `latex_document` makes a document that takes them all in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.kit.findings import Cell, Table
from vlnscope.core.toml_file import packaged_toml
from vlnscope.reporting.tables.markdown import cell_text
from vlnscope.reporting.tables.marks import Estimate, ResultsTable, decimals, folded, stars

WIDE, WIDEST = 55, 110
"""Tables with lines of more signs take both columns of a page, or are shrunk to its width."""
LONG = 40
"""Tables with more rows than these go over several pages."""
_SIGNS: dict[str, str] = packaged_toml(__name__)["signs"]
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_COMMAND = re.compile(r"\\[a-z]+|[{}$&\\^]")
_ARROWS = {"higher": r" $\uparrow$", "lower": r" $\downarrow$", "none": ""}


class _Column(NamedTuple):
    """A heading, how it is aligned, and its cells; an estimate takes two columns of the tabular."""

    head: str
    align: str
    cells: list[str]

    @property
    def title(self) -> str:
        return rf"\multicolumn{{2}}{{c}}{{{self.head}}}" if "@" in self.align else self.head

    @property
    def width(self) -> int:
        """About how many signs wide it is printed."""
        return 2 + max(len(_COMMAND.sub("", text)) for text in (self.head, *self.cells))


def latex_text(text: str) -> str:
    r"""Write a text so that LaTeX prints it, on one line.

    Signs that are neither ASCII nor letters become commands.

    Example:
        >>> print(latex_text("50 % of R2R_val & “left”"))
        50 \% of R2R\_val \& ``left''
    """
    line = _BREAKS.sub(" ", text)  # an empty line would end a caption or a cell
    return "".join(_SIGNS.get(sign, sign) for sign in line)


def latex_table(table: Table, *, label: str = "") -> str:
    """Return one table of findings; a number and its interval share a cell.

    Its label is ``tab:NAME``; `label` names it otherwise, where names of tables are taken twice.
    """
    shown = folded(table)
    columns = [_column(name, [row[at] for row in shown.rows]) for at, name in enumerate(shown.columns)]
    notes = [*table.notes, *([f"After {table.source}."] if table.source else [])]
    return _environment(label or table.name, table.title, columns, notes)


def latex_results(table: ResultsTable) -> str:
    """Return a table of results, with the marks that `ResultsTable.legend` explains."""
    names = [row.name for row in table.rows]
    columns = [_Column("Agent", "l", [latex_text(name) for name in names])]
    if table.grouped:
        columns.append(_Column("Cases of", "l", [latex_text(row.group) for row in table.rows]))
    columns.append(_Column("$n$", "r", [f"{row.cases:,}" for row in table.rows]))
    for at, name in enumerate(table.columns):
        column = _estimates(name, [row.estimates[at] for row in table.rows])
        columns.append(column._replace(head=column.head + _ARROWS[table.better[at]]))
    groups = [row.group for row in table.rows]
    rules = [at for at in range(1, len(groups)) if groups[at] != groups[at - 1]]
    return _environment(table.name, table.title, columns, table.legend(), rules)


def latex_document(title: str, tables: Iterable[str], figures: Iterable[tuple[str, str]]) -> str:
    """Return a document that takes in files of tables, and figures by file with their captions.

    It cites everything in ``references.bib``.
    """
    lines = [
        r"\documentclass{article}",
        r"\usepackage[margin=2cm]{geometry}",
        *(rf"\usepackage{{{name}}}" for name in ("booktabs", "longtable", "graphicx", "url")),
        rf"\title{{{latex_text(title)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        *(rf"\input{{{file}}}" for file in tables),
    ]
    for file, caption in figures:
        lines += [
            r"\begin{figure}[htbp]",
            r"  \centering",
            rf"  \includegraphics[width=\linewidth]{{{file}}}",
            rf"  \caption{{{latex_text(caption)}}}",
            r"\end{figure}",
        ]
    lines += [r"\nocite{*}", r"\bibliographystyle{plain}", r"\bibliography{references}", r"\end{document}"]
    return "\n".join(lines) + "\n"


def _column(name: str, cells: Sequence[Cell | Estimate]) -> _Column:
    if any(isinstance(cell, Estimate) for cell in cells):
        return _estimates(name, [cell if isinstance(cell, Estimate) else None for cell in cells])
    plain = [cell for cell in cells if not isinstance(cell, Estimate)]
    numbers = any(not isinstance(cell, str) for cell in plain if cell is not None) and not any(
        isinstance(cell, str) for cell in plain
    )
    write = _p_text if name == "p" or name.endswith(" p") else cell_text
    return _Column(latex_text(name), "r" if numbers else "l", [_minus(write(cell)) for cell in plain])


def _estimates(name: str, estimates: Sequence[Estimate | None]) -> _Column:
    digits = decimals(estimates)
    return _Column(latex_text(name), r"r@{\,}l", [_estimate(one, digits) for one in estimates])


def _estimate(one: Estimate | None, digits: int) -> str:
    if one is None or one.value is None:
        return "-- & "
    value = _minus(f"{one.value:.{digits}f}")
    value = rf"\textbf{{{value}}}" if one.best else value
    ends = ""
    if one.low is not None and one.high is not None:
        low, high = (_minus(f"{end:.{digits}f}") for end in (one.low, one.high))
        ends = rf"{{\scriptsize [{low}, {high}]}}"
    marks = stars(one.p)
    return f"{value} & {ends}" + (f"$^{{{marks}}}$" if marks else "")


def _p_text(cell: Cell) -> str:
    if isinstance(cell, float | int):
        return "<0.001" if cell < 0.001 else f"{cell:.3f}"
    return cell_text(cell)


def _minus(text: str) -> str:
    written = latex_text(text)
    return rf"$-${written[1:]}" if text[:1] == "-" and text[1:2].isdigit() else written


def _environment(
    name: str, title: str, columns: Sequence[_Column], notes: Sequence[str], rules: Sequence[int] = ()
) -> str:
    count = max((len(column.cells) for column in columns), default=0)
    body = []
    for at in range(count):
        if at in rules:
            body.append(r"\midrule")
        line = " & ".join(column.cells[at] for column in columns).rstrip() + r" \\"
        body.append(f"{{}}{line}" if line[0] in "[*" else line)  # else it were an argument of the line above
    head = " & ".join(column.title for column in columns) + r" \\"
    spec = "".join(column.align for column in columns)
    said = " ".join(latex_text(_sentence(note)) for note in notes)
    named = (rf"\caption{{{latex_text(title)}}}", rf"\label{{tab:{name}}}")
    width = sum(column.width for column in columns)
    if count > LONG:
        return "\n".join(_long(named, spec, head, body, said)) + "\n"
    return "\n".join(_short(named, spec, head, body, said, width)) + "\n"


def _sentence(note: str) -> str:
    begun = note[:1].upper() + note[1:]
    return begun if begun.endswith(".") else f"{begun}."


def _short(named: tuple[str, str], spec: str, head: str, body: list[str], said: str, width: int) -> list[str]:
    table = "table*" if width > WIDE else "table"
    shrunk = width > WIDEST
    lines = [rf"\begin{{{table}}}[tbp]", r"  \centering", *(f"  {line}" for line in named)]
    lines += [r"  \resizebox{\linewidth}{!}{%"] if shrunk else []
    lines += [rf"  \begin{{tabular}}{{{spec}}}", r"    \toprule", f"    {head}", r"    \midrule"]
    lines += [*(f"    {line}" for line in body), r"    \bottomrule", r"  \end{tabular}"]
    lines += ["  }"] if shrunk else []
    lines += [rf"  \par\smallskip{{\footnotesize {said}\par}}"] if said else []
    return [*lines, rf"\end{{{table}}}"]


def _long(named: tuple[str, str], spec: str, head: str, body: list[str], said: str) -> list[str]:
    lines = [
        r"\begingroup",
        r"\footnotesize",
        r"\setlength{\tabcolsep}{3pt}",
        rf"\begin{{longtable}}{{{spec}}}",
    ]
    top = [r"  \toprule", f"  {head}", r"  \midrule"]
    lines += [f"  {named[0]}{named[1]} \\\\", *top, r"  \endfirsthead", *top, r"  \endhead"]
    lines += [r"  \bottomrule", r"  \endfoot", *(f"  {line}" for line in body), r"\end{longtable}"]
    lines += [rf"\noindent {said}\par"] if said else []
    return [*lines, r"\endgroup"]
