"""A report on any runs: of benchmarks, of plain episodes, prediction files, or one that was made before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import InputError
from vlnscope.engine.store.run_folder import RECORD, read_record
from vlnscope.evaluate.benchmarking import check_versions, findings_of, read_rows
from vlnscope.evaluate.compare.runs import USUAL
from vlnscope.evaluate.report.results_table import Knowing, results_table, usual_metrics
from vlnscope.evaluate.report.score_findings import score_findings
from vlnscope.evaluate.report.sources import SCORES, ReportSource, distinct, read_source
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.report_data import EvidenceLink, Report
from vlnscope.reporting.report_folder import FORMATS, check_writing, stems, write_report
from vlnscope.reporting.sources.reproducibility import CardRun, reproducibility_card
from vlnscope.reporting.tables.marks import ResultsTable
from vlnscope.reporting.verdicts import verdicts
from vlnscope.types import ScoreRow

PLAIN = ("NE", "SR", "SPL", "nDTW")
"""Metrics of runs and predictions that belong to no benchmark, if none are named."""
FINDINGS = "findings.json"
WALKS = "walks.json"


@dataclass(frozen=True)
class ReportOptions:
    """How a report is made.

    Attributes:
        profile: whose conventions to follow.
        metrics: of the tables of results; the usual ones if None.
        baseline: the agent that marks of significance compare with; none if empty.
        partial: score incomplete prediction files as far as they go.
    """

    profile: str = "default"
    metrics: tuple[str, ...] | None = None
    baseline: str = ""
    partial: bool = False


USUAL_OPTIONS = ReportOptions()


@dataclass(frozen=True)
class Gathered:
    """A report before it is written.

    Attributes:
        report: what was found.
        results: a table of results for each of its findings.
        sources: whose rows are written along.
        home: the folder that the report's links start from; None if it has none yet.
    """

    report: Report
    results: tuple[ResultsTable, ...]
    sources: tuple[ReportSource, ...] = ()
    home: Path | None = None

    def write(
        self, folder: str | Path, *, figures: str | None = None, formats: Sequence[str] = FORMATS
    ) -> Path:
        """Write everything into a folder, see `vlnscope.reporting.report_folder`."""
        folder = Path(folder)
        check_writing(folder, figures=figures, formats=formats)
        links = [_moved(link, self.home, folder) for link in self.report.links if self.home]
        links += [self._kept(source, folder) for source in self.sources]
        report = msgspec.structs.replace(self.report, links=tuple(links))
        shown = self.home / WALKS if self.home and "html" in formats else None
        walks = ExampleTrajectories.load(shown) if shown and shown.is_file() else None
        return write_report(
            report, folder, results=self.results, walks=walks, figures=figures, formats=formats
        )

    def _kept(self, source: ReportSource, folder: Path) -> EvidenceLink:
        """Write the rows of a source, and say where they are."""
        benchmark, data, _ = source.key
        others = [one for one in self.sources if one.key[0] == benchmark]
        scores = f"scores/{benchmark}-{others.index(source) + 1}-{_plain(source.name)}.parquet"
        (folder / scores).parent.mkdir(parents=True, exist_ok=True)
        source.save(folder / scores)
        evidence = _from(source.evidence, folder)
        return EvidenceLink(
            benchmark=benchmark, data=data, agent=source.name, evidence=evidence, scores=scores
        )


def gather(
    sources: Sequence[str | Path],
    *,
    data: str | None = None,
    root: str | Path | None = None,
    options: ReportOptions = USUAL_OPTIONS,
    watch: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> Gathered:
    """Score runs and say what they show; runs of the same cases or data are put side by side.

    Args:
        sources: folders of runs, prediction files, or ``NAME=`` one of these; or one folder that
            `vlnscope diagnose` or `vlnscope report` has written.
        data: the data set of prediction files.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        options: how the report is made.
        watch: passes the sources on, and may tell how it goes.

    Raises:
        InputError: something is no run, two agents have the same name, or none is called as the baseline.
    """
    reports = [Path(source) for source in sources if (Path(source) / FINDINGS).is_file()]
    if reports:
        if len(sources) > 1:
            raise InputError(
                f"{reports[0]}: is a report, and {len(sources) - 1} more are named beside it",
                expected="one folder of `vlnscope diagnose` alone, or runs",
                fix=f"name the runs in it: {reports[0]}/runs/*/*",
            )
        _refuse_scoring(reports[0], data, root, options)
        return _again(reports[0], options)
    read = [
        read_source(
            one,
            data=data,
            root=root,
            profile=options.profile,
            metrics=options.metrics or (),
            incomplete=options.partial,
        )
        for one in watch([str(source) for source in sources])
    ]
    return side_by_side(read, options)


def side_by_side(read: Sequence[ReportSource], options: ReportOptions = USUAL_OPTIONS) -> Gathered:
    """Say what sources that were scored show; those of the same cases or data are put side by side.

    Raises:
        InputError: two agents have the same name, or none is called as the baseline.
    """
    check_versions(source.scored for source in read if source.scored)
    groups: dict[tuple[str, str, str], list[ReportSource]] = {}
    for source in read:
        groups.setdefault(source.key, []).append(source)
    sides = [distinct(group) for group in groups.values()]
    every = [source for side in sides for source in side]
    _check_baseline(options.baseline, [source.name for source in every])
    names = stems([side[0].key[0] for side in sides])
    results = [
        _results({s.name: s.rows for s in side}, side[0].key, name, _knowing(side), options)
        for side, name in zip(sides, names, strict=True)
    ]
    findings = [_findings(side, table, options) for side, table in zip(sides, results, strict=True)]
    return Gathered(_report(every, findings, options), _found(results, options), tuple(every))


def _found(results: Iterable[ResultsTable | None], options: ReportOptions) -> tuple[ResultsTable, ...]:
    tables = tuple(table for table in results if table is not None)
    missing = [name for name in options.metrics or () if not any(name in table.metrics for table in tables)]
    if missing:
        raise InputError(
            f"none of these runs has {' or '.join(missing)}",
            expected="metrics that were scored",
            fix="name others with --metric; `vlnscope ls metrics` lists them",
        )
    return tables


def _findings(side: Sequence[ReportSource], table: ResultsTable | None, options: ReportOptions) -> Findings:
    scored = {source.name: source.scored for source in side if source.scored is not None}
    if not scored:
        return _with(score_findings(side, table), table)
    return _with(findings_of(scored), table)


def _with(findings: Findings, table: ResultsTable | None) -> Findings:
    """Put the numbers of a table of results first."""
    if table is None:
        return findings
    rest = [one for one in findings.tables if one.name != table.name]
    return msgspec.structs.replace(findings, tables=(table.to_table(), *rest))


def _report(
    every: Sequence[ReportSource], all_findings: Sequence[Findings], options: ReportOptions
) -> Report:
    agents = list({source.name: source.reported for source in reversed(every)}.values())[::-1]
    data = ", ".join(dict.fromkeys(findings.data for findings in all_findings))
    who = " and ".join(agent.name for agent in agents) if len(agents) < 3 else f"{len(agents)} agents"
    return Report(
        title=f"{who} on {data}",
        data=data,
        agents=tuple(agents),
        findings=tuple(all_findings),
        verdicts=tuple(verdict for agent in agents for verdict in verdicts(all_findings, agent.name)),
        card=_card([source.card for source in every], options, options.profile),
    )


def _again(folder: Path, options: ReportOptions) -> Gathered:
    """Take a report that was made before; its rows are in its score files."""
    report = Report.load(folder / FINDINGS)
    _check_baseline(options.baseline, [agent.name for agent in report.agents])
    knowing = Knowing.of(report.agents)
    results, updated = [], []
    names = stems([findings.benchmark for findings in report.findings])
    links = list(report.links)
    for findings, name in zip(report.findings, names, strict=True):
        its = _taken(links, findings)
        rows = {link.agent: _read_scores(folder / link.scores) for link in its}
        results.append(_results(rows, (findings.benchmark, findings.data, ""), name, knowing, options))
        updated.append(_with(findings, results[-1]))
    report = msgspec.structs.replace(report, findings=tuple(updated))
    if not report.card:
        card = _card(card_runs(folder, report.links), options, profile=None)
        report = msgspec.structs.replace(report, card=card)
    return Gathered(report, _found(results, options), (), folder)


def _read_scores(file: Path) -> list[ScoreRow]:
    if not file.is_file():
        raise InputError(
            f"{file}: there is no such file",
            expected="the score files that findings.json names",
            fix="copy the whole folder, or make it again",
        )
    return read_rows(file)


def _refuse_scoring(folder: Path, data: str | None, root: str | Path | None, options: ReportOptions) -> None:
    """Refuse options that say how to score, where scores are there already."""
    is_set = {
        "--profile": options.profile != "default",
        "--data": data is not None,
        "--root": root is not None,
        "--partial": options.partial,
    }
    names = [name for name, is_given in is_set.items() if is_given]
    if names:
        raise InputError(
            f"{folder}: is a report, and {' and '.join(names)} would change nothing in it",
            expected="only options that do not score: a report is made again from its own scores",
            fix=f"leave {' and '.join(names)} out, or name the runs to score them anew",
        )


def _taken(links: list[EvidenceLink], findings: Findings) -> list[EvidenceLink]:
    """Take the links of some findings away from those that are left: one of each agent."""
    taken = []
    for agent in findings.agents:
        key = (findings.benchmark, findings.data, agent)
        link = next((one for one in links if (one.benchmark, one.data, one.agent) == key), None)
        if link is not None:
            links.remove(link)
            taken.append(link)
    return taken


def card_runs(folder: Path, links: Iterable[EvidenceLink]) -> list[CardRun]:
    """Return what a reproducibility card tells of the runs in a folder, which it names from there."""
    runs = []
    for link in links:
        where = Path(link.evidence).parent
        if (folder / where / RECORD).is_file():
            case_set = CaseSet.load(folder / where) if is_case_set(folder / where) else None
            record = read_record(folder / where)
            runs.append(CardRun(link.agent, where.as_posix(), record, case_set, link.data))
    return runs


def _results(
    rows: Mapping[str, Sequence[ScoreRow]],
    key: tuple[str, str, str],
    name: str,
    knowing: Knowing,
    options: ReportOptions,
) -> ResultsTable | None:
    """Return the table of results, None if no row has a metric of it."""
    benchmark, data, _ = key
    if options.metrics:
        metrics = [
            name for name in options.metrics if any(name in r.values for its in rows.values() for r in its)
        ]
    else:
        metrics = usual_metrics(rows, PLAIN if benchmark == SCORES else USUAL)
    if not metrics:
        return None
    return results_table(
        rows,
        name=f"{name}-results",
        title=f"Results on {data}" if benchmark == SCORES else f"Results of {benchmark} on {data}",
        metrics=metrics,
        baseline=options.baseline,
        knowing=knowing,
    )


def _card(runs: Sequence[CardRun], options: ReportOptions, profile: str | None) -> dict[str, object]:
    return reproducibility_card(
        runs,
        profile=profile,
        baseline=options.baseline,
        partial=options.partial,
    )


def _knowing(side: Sequence[ReportSource]) -> Knowing:
    return Knowing.of(source.reported for source in side)


def _check_baseline(baseline: str, names: Sequence[str]) -> None:
    if baseline and baseline not in names:
        raise InputError(
            f"no agent of this report is called {baseline}",
            expected=f"one of {', '.join(dict.fromkeys(names))}",
            fix="name one of these with --baseline",
        )


def _moved(link: EvidenceLink, home: Path, folder: Path) -> EvidenceLink:
    return msgspec.structs.replace(
        link, evidence=_from(home / link.evidence, folder), scores=_from(home / link.scores, folder)
    )


def _from(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _plain(name: str) -> str:
    """Return a name of letters, digits and dashes, for a file."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name)
