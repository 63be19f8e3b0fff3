"""The papers behind numbers: metrics, benchmarks, data sets and tests, as BibTeX.

Metrics and benchmarks name their papers as ``Surname et al. YEAR, Title``; `cited` finds the entries for such
words. A paper that is not here, as that of a plug-in may be, becomes an entry that repeats its words.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from vlnscope._version import __version__
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core import registry
from vlnscope.core.toml_file import packaged_toml
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.tables.latex import latex_text

_WORD = re.compile(r"[A-Za-z][\w-]*")
_CITATION = re.compile(r"(\w+) et al\.? (\d{4}), ([^;(]+)")
_ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"'}


class BibEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One publication; `doi` and `eprint` (of arXiv) only where they are certain.

    Attributes:
        key: for ``\\cite``.
        kind: the type of the BibTeX entry.
        authors: ``Surname, Given and Surname, Given``, as BibTeX wants them.
        title: with its own capitals.
        venue: the book, journal or series; empty for a preprint.
        year: of publication.
        pages: as ``first--last``.
        volume: of a journal.
        doi: without an address before it.
        eprint: number at arXiv.
        note: anything else.
    """

    key: str
    kind: Literal["inproceedings", "article", "misc"] = "inproceedings"
    authors: str = ""
    title: str
    venue: str = ""
    year: int | None = None
    pages: str = ""
    volume: str = ""
    doi: str = ""
    eprint: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """The entry as a line for readers."""
        names = [name.split(",")[0].strip("{}") for name in self.authors.split(" and ")]
        who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        where = f"https://doi.org/{self.doi}" if self.doi else f"arXiv:{self.eprint}" if self.eprint else ""
        year = str(self.year) if self.year else ""
        return ". ".join(part for part in (who, self.title, self.venue, year, where, self.note) if part)


_DATA = packaged_toml(__name__)
ENTRIES = tuple(msgspec.convert(_DATA["paper"], list[BibEntry]))
"""The papers of metrics, benchmarks and data sets."""
DATA: dict[str, list[str]] = _DATA["data"]
"""Keys of what to cite for a data set, by the part of its name before the slash."""
_SEEN: dict[str, str] = _DATA["seen"]


def references(report: Report, *, tested: bool = False) -> list[BibEntry]:
    """Return the entries for all metrics, benchmarks and data sets of a report, by key; vlnscope itself last.

    Args:
        report: whose numbers are cited.
        tested: Holm's correction was used.
    """
    known = {entry.key: entry for entry in ENTRIES}
    entries: dict[str, BibEntry] = {}
    for paper in dict.fromkeys(_papers(report)):
        entries |= {entry.key: entry for entry in cited(paper)}
    keys = [key for findings in report.findings for key in DATA.get(findings.data.split("/")[0], ())]
    for agent in report.agents:
        keys += [key for need, key in _SEEN.items() if need in agent.needs]
    keys += ["holm1979simple"] if tested else []
    entries |= {key: known[key] for key in keys}
    return [*(entries[key] for key in sorted(entries)), _own()]


def cited(paper: str) -> list[BibEntry]:
    """Return the entries that ``Surname et al. YEAR, Title`` names, or one that repeats the words.

    Example:
        >>> [entry.key for entry in cited("Chen et al. 2019, Touchdown (CVPR); Jain et al. 2019, Stay on")]
        ['chen2019touchdown', 'jain2019stay']
        >>> cited("A. Nobody, unpublished")[0].note
        'A. Nobody, unpublished'
    """
    entries = [
        entry
        for surname, year, title in _CITATION.findall(paper)
        for entry in ENTRIES
        if entry.authors.startswith(f"{surname},")
        and entry.year == int(year)
        and entry.title.casefold().startswith(title.strip().casefold())
    ]
    if entries:
        return entries
    return [BibEntry(key=_key(paper), kind="misc", title=paper, note=paper)]


def bibtex(entries: Iterable[BibEntry]) -> str:
    """Return the entries as a ``.bib`` file."""
    return "\n".join(map(_bibtex, entries))


def _key(paper: str) -> str:
    """Return a key that no other words have: they may begin alike, or differ in signs only."""
    words = "".join(_WORD.findall(paper.lower())).encode("ascii", "ignore").decode()
    return f"{words[:24] or 'unnamed'}-{hashlib.sha256(paper.encode()).hexdigest()[:8]}"


def _papers(report: Report) -> Iterator[str]:
    benchmarks = registry.everything("benchmark")
    metrics = registry.everything("metric")
    for findings in report.findings:
        if findings.benchmark in benchmarks:
            yield benchmarks[findings.benchmark].paper
        for word in _words(findings):
            if word in metrics:
                yield metrics[word].paper


def _words(findings: Findings) -> Iterator[str]:
    """Yield the words of findings that may name a metric."""
    texts = [said.metric or said.key for said in findings.statements]
    for table in findings.tables:
        texts += table.columns
        texts += [
            str(row[at]) for at, name in enumerate(table.columns) if name == "metric" for row in table.rows
        ]
    texts += [text for figure in findings.figures for text in (figure.x, figure.y)]
    for text in texts:
        yield from _WORD.findall(text)


def _own() -> BibEntry:
    note = f"version {__version__}"
    return BibEntry(
        key="vlnscope", kind="misc", authors="{The vlnscope authors}", title="vlnscope", note=note
    )


def _bibtex(entry: BibEntry) -> str:
    venue = {"inproceedings": "booktitle", "article": "journal", "misc": "howpublished"}[entry.kind]
    preprint = f"arXiv preprint arXiv:{entry.eprint}" if entry.kind == "article" and not entry.venue else ""
    fields = {
        "author": _accents(entry.authors),
        "title": f"{{{latex_text(entry.title)}}}",
        venue: latex_text(entry.venue) or preprint,
        "year": str(entry.year or ""),
        "volume": entry.volume,
        "pages": entry.pages,
        "doi": entry.doi,
        "eprint": entry.eprint,
        "archiveprefix": "arXiv" if entry.eprint else "",
        "note": latex_text(entry.note),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{entry.kind}{{{entry.key},", *lines, "}", ""])


def _accents(text: str) -> str:
    r"""Write letters with accents as every BibTeX understands them: ``{\"u}``."""
    written = ""
    for letter in text:
        parts = unicodedata.normalize("NFD", letter)
        known = "".join(f"\\{_ACCENTS[mark]}" for mark in parts[1:] if mark in _ACCENTS)
        written += f"{{{known}{parts[0]}}}" if known else letter
    return written
