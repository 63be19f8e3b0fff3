"""What published agents do: one page over prediction files as they are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.data_root import data_root, no_root
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, Result, TextTable, interval, notes, number
from vlnscope.evaluate.published.compared import comparisons
from vlnscope.evaluate.published.diagnosed import DiagnosedFiles, diagnosed_files, joined_walks
from vlnscope.evaluate.published.file_data import KnownSplits
from vlnscope.evaluate.published.files import PublishedFile, published_files, read_published
from vlnscope.evaluate.published.overview import METRICS, overview
from vlnscope.evaluate.published.words import telling_words, word_findings
from vlnscope.evaluate.report.report import Gathered, ReportOptions, side_by_side
from vlnscope.evaluate.report.sources import ReportSource
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.report_data import LeftOut, Report, ReportedAgent
from vlnscope.reporting.report_folder import check_writing, write_report
from vlnscope.reporting.sources.reproducibility import CardRun, reproducibility_card, shell_line
from vlnscope.reporting.verdicts import verdicts

PAGE = "report.html"


class PublishedProgress(Protocol):
    """Somebody who is told how it goes."""

    def phase(self, what: str, total: int) -> None:
        """Hear that something begins that has so many steps."""

    def at(self, done: int) -> None:
        """Hear how many steps are done."""


@dataclass(frozen=True)
class PublishedAgents(Result):
    """What files of agents show.

    Attributes:
        folder: where the page is.
        files: what was found of each.
        report: what the page says.
    """

    folder: Path
    files: tuple[PublishedFile, ...]
    report: Report

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a row per file."""
        for file in self.files:
            scores = file.score.to_dict()["metrics"] if file.score else {}
            yield {
                "agent": file.name,
                "file": file.path.name,
                "holds": file.holds,
                "data": file.data.dataset.name if file.data else None,
                "episodes": file.score.n if file.score else None,
                "profile": file.score.profile.name if file.score else None,
                "metrics": {name: its["mean"] for name, its in scores.items()},
                "remarks": list(file.remarks),
            }

    def to_dict(self) -> dict[str, Any]:
        """Return all rows and where the page is, as plain data."""
        return {"out": str(self.folder), "page": str(self.folder / PAGE), "files": list(self.records())}

    def display(self) -> Iterator[Block]:
        """Yield the table of all files, what must be known of each, and where the page is."""
        columns = ("agent", "data", "n", *METRICS, "95 % of SR")
        rows = [
            [
                file.name,
                file.data.dataset.name if file.data else "–",
                f"{file.score.n:,}" if file.score else "–",
                *(_shown(file, name) for name in METRICS),
                _ends(file),
            ]
            for file in self.files
        ]
        yield TextTable(f"{len(self.files)} files", columns, rows)
        for file in self.files:
            yield Line(f": {file.holds}", file.name, "bold")
            yield from notes(f"  {remark}" for remark in file.remarks)
        yield Line(f"\nThe page: {(self.folder / PAGE).resolve()}")


def published(
    *given: str | Path,
    out: str | Path,
    root: str | Path | None = None,
    progress: PublishedProgress | None = None,
) -> PublishedAgents:
    """Score, compare and diagnose files of agents side by side, and write a page that says what they show.

    Each file is taken as it is: its format is recognised, the split is found whose ids and starts agree with
    it, and all is said that its content allows. What it does not allow is said in a sentence.

    Args:
        *given: prediction files, or files with metrics of episodes; ``NAME=FILE`` names the agent. All in
            ``agent_predictions`` of the data folder if none is given.
        out: a folder for the page and all that it rests on.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        progress: is told how it goes.

    Raises:
        InputError: there are no files, or `out` cannot be written or holds something else.
    """
    base = data_root(root)
    if base is None:
        raise no_root("what files are compared with")
    folder = Path(out)
    check_writing(folder)
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(
            f"{folder}: holds other things",
            expected="an empty or a new folder",
            fix="name another with --out",
        )
    paths = published_files(given, base)
    splits = KnownSplits(base)
    files = [
        read_published(name, path, splits)
        for name, path in _watched("reading and scoring", paths.items(), len(paths), progress)
    ]
    files.sort(key=lambda file: file.rank)
    by_data = _by_data(files)
    diagnosed = {
        data: diagnosed_files(data, its, folder, base)
        for data, its in _watched("diagnosing", by_data.items(), len(by_data), progress)
    }
    gathered = side_by_side([_source(file) for its in by_data.values() for file in its], ReportOptions())
    report = _report(files, by_data, diagnosed, gathered, given)
    walks = joined_walks([one.walks for one in diagnosed.values()])
    write_report(report, folder, results=gathered.results, walks=walks)
    return PublishedAgents(folder, tuple(files), report)


def _watched(
    what: str, things: Iterable[Any], total: int, progress: PublishedProgress | None
) -> Iterator[Any]:
    if progress:
        progress.phase(what, total)
    for done, thing in enumerate(things, 1):
        yield thing
        if progress:
            progress.at(done)


def _by_data(files: Sequence[PublishedFile]) -> dict[str, list[PublishedFile]]:
    """Return the files that were scored, by what they are for."""
    groups: dict[str, list[PublishedFile]] = {}
    for file in files:
        if file.data is not None and file.score is not None:
            groups.setdefault(file.data.dataset.name, []).append(file)
    return groups


def _source(file: PublishedFile) -> ReportSource:
    assert file.score is not None
    card = CardRun(file.name, str(file.path), None, None, file.score.dataset)
    save = partial(type(file.score).save, file.score)
    return ReportSource(
        file.name, True, file.path, card, list(file.score.rows()), save, None, file.score.notes
    )


def _report(
    files: Sequence[PublishedFile],
    by_data: dict[str, list[PublishedFile]],
    diagnosed: dict[str, DiagnosedFiles],
    gathered: Gathered,
    given: Sequence[str | Path],
) -> Report:
    findings = [
        overview(files, comparisons(by_data)),
        *gathered.report.findings,
        *_words(by_data),
        *(one for its in diagnosed.values() if its.report for one in its.report.findings),
    ]
    names = [Path(str(text)).name for text in given]
    words = ["vlnscope", "published", *names, "--root", "DATA", "--out", "DIR"]
    left_out = tuple(_left_out(files, diagnosed))
    cards = [
        CardRun(file.name, str(file.path), None, None, file.score.dataset) for file in files if file.score
    ]
    return Report(
        title=f"What {len(files)} published agents do",
        data=", ".join(by_data),
        agents=tuple(_agent(file) for file in files),
        findings=tuple(findings),
        verdicts=tuple(one for file in files for one in verdicts(findings, file.name)),
        links=tuple(link for its in diagnosed.values() for link in its.links),
        left_out=left_out,
        card=reproducibility_card(cards, partial=True, commands=[shell_line(words)], left_out=left_out),
    )


def _agent(file: PublishedFile) -> ReportedAgent:
    data = (
        f"{file.data.dataset.name}, {file.score.n:,} of {file.data.episodes:,} episodes"
        if (file.data and file.score)
        else "not scored"
    )
    return ReportedAgent(
        name=file.name,
        identity=file.path.name,
        source="predictions",
        cases=file.score.n if file.score else 0,
        notes=(file.holds, data),
    )


def _words(by_data: dict[str, list[PublishedFile]]) -> Iterator[Findings]:
    for data, files in by_data.items():
        assert files[0].data is not None
        texts = {one.episode_id: one.instruction for one in files[0].data.dataset.episodes()}
        told = {file.name: telling_words(list(file.score.rows()), texts) for file in files if file.score}
        findings = word_findings(data, told)
        if findings is not None:
            yield findings


def _left_out(files: Sequence[PublishedFile], diagnosed: dict[str, DiagnosedFiles]) -> Iterator[LeftOut]:
    for file in files:
        for reason in file.why_not:
            yield LeftOut(benchmark="scores", agents=(file.name,), reason=reason)
    for its in diagnosed.values():
        yield from its.left_out


def _shown(file: PublishedFile, name: str) -> str:
    if file.score is None or name not in file.score.intervals:
        return ""
    mean = file.score.intervals[name].mean
    return "–" if mean is None else number(mean * get_metric(name).scale)


def _ends(file: PublishedFile) -> str:
    if file.score is None or "SR" not in file.score.intervals:
        return ""
    one = file.score.intervals["SR"]
    return "" if one.low is None or one.high is None else interval(100 * one.low, 100 * one.high)
