"""What came out of an experiment, as a page and as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.benchmarks.kit.findings import Cell, Findings, Table
from vlnscope.core.files import write_text
from vlnscope.core.json_file import json_text
from vlnscope.experiments.trained import TrainedAgent
from vlnscope.experiments.workspace import Workspace
from vlnscope.reporting.report_data import LeftOut, Report, ReportedAgent
from vlnscope.reporting.report_folder import draw, stems
from vlnscope.reporting.sources.reproducibility import reproducibility_card
from vlnscope.reporting.tables.markdown import markdown_report, markdown_table, markdown_text
from vlnscope.reporting.tables.marks import ResultsTable

PAGE = "page.md"
RESULT = "result.json"
VERSION = 1


@dataclass(frozen=True)
class ExperimentResult:
    """What an experiment found.

    Attributes:
        results: tables of agents and metrics.
        findings: sentences, tables and figures.
        left_out: what could not be done.
        name: of the experiment.
        title: of the page.
        question: what it asks, in a sentence or two.
    """

    results: tuple[ResultsTable, ...] = ()
    findings: tuple[Findings, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    name: str = ""
    title: str = ""
    question: str = ""


@dataclass(frozen=True)
class Written:
    """An experiment that was made: what it found, and the files that say so."""

    outcome: ExperimentResult
    page: Path
    result: Path
    numbers: dict[str, Any] = field(repr=False)


def write_outcome(outcome: ExperimentResult, workspace: Workspace, command: str) -> Written:
    """Write the page with its pictures, then the numbers.

    Args:
        outcome: what was found.
        workspace: where it was found.
        command: what does it again.
    """
    folder = workspace.out / outcome.name
    report = _report(outcome, workspace, command)
    pictures = _draw(outcome, folder)
    write_text(folder / PAGE, page(outcome, report, workspace, command, pictures))
    learned = list(_learned(workspace))
    numbers = {
        "v": VERSION,
        "experiment": outcome.name,
        "seeds": workspace.seeds,
        "limit": workspace.limit,
        "report": report,
        "results": outcome.results,
        "trained": [one._asdict() | {"folder": one.folder.name} for one in learned],
    }
    text = json_text(numbers)
    write_text(folder / RESULT, text)
    return Written(outcome, folder / PAGE, folder / RESULT, msgspec.json.decode(text))


def page(
    outcome: ExperimentResult,
    report: Report,
    workspace: Workspace,
    command: str,
    pictures: Sequence[dict[str, str]],
) -> str:
    """Return the page in Markdown."""
    head = [f"# {markdown_text(outcome.title)}", "", outcome.question, "", "```", command, "```"]
    if workspace.limit is not None:
        head += ["", f"**A trial**: at most {workspace.limit} episodes or cases of each kind were asked."]
    body = markdown_report(report, outcome.results, pictures).partition("\n")[2].rstrip()
    return "\n".join([*head, body, *_training(list(_learned(workspace)))]) + "\n"


def _report(outcome: ExperimentResult, workspace: Workspace, command: str) -> Report:
    card = reproducibility_card(workspace.used, commands=[command], left_out=outcome.left_out)
    return Report(
        title=outcome.title,
        data=", ".join(dict.fromkeys(one.data for one in outcome.findings)),
        agents=tuple(_agents(workspace)),
        findings=outcome.findings,
        left_out=outcome.left_out,
        card=card,
    )


def _agents(workspace: Workspace) -> Iterator[ReportedAgent]:
    for name in dict.fromkeys(entrant.name for entrant in workspace.entrants):
        records = [run.record for run in workspace.used if run.agent == name and run.record is not None]
        yield ReportedAgent(
            name=name,
            identity="; ".join(dict.fromkeys(record.agent.identity for record in records)),
            privileged=any(record.agent.privileged for record in records),
            explored=any(record.agent.explored for record in records),
            needs=records[0].agent.needs if records else (),
            cases=sum(record.size for record in records),
            failed=sum(record.failed or 0 for record in records),
        )


def _draw(outcome: ExperimentResult, folder: Path) -> list[dict[str, str]]:
    """Draw all figures beside the page; return their files by name, for each of the findings."""
    drawn = []
    names = stems([one.benchmark for one in outcome.findings])
    for findings, stem in zip(outcome.findings, names, strict=True):
        files = {}
        for figure in findings.figures:
            short = figure.name.removeprefix(f"{findings.benchmark}-")
            files[figure.name] = f"{outcome.name}-{stem}-{short}.svg"
            draw(figure, folder / files[figure.name])
        drawn.append(files)
    return drawn


def _learned(workspace: Workspace) -> Iterator[TrainedAgent]:
    by_folder: dict[str, TrainedAgent] = {}
    for entrant in workspace.entrants:
        for attempt in entrant.attempts:
            if attempt.trained is not None:
                by_folder.setdefault(attempt.folder, attempt.trained)
    yield from by_folder.values()


def _training(learned: Sequence[TrainedAgent]) -> Iterator[str]:
    """Yield the part of the page that says how agents were trained."""
    if not learned:
        return
    rows: list[tuple[Cell, ...]] = [
        (
            one.training,
            one.seed,
            one.updates,
            one.seconds / 3600,
            one.update,
            one.chosen_by,
            100.0 * one.validation["SR"],
            100.0 * one.validation["SPL"],
            one.weights[:12],
        )
        for one in learned
    ]
    columns = ("training", "seed", "updates", "hours", "weights after", "chosen by", "SR there", "SPL there")
    table = Table(name="training", title="", columns=(*columns, "digest"), rows=tuple(rows))
    yield "\n## How agents were trained\n"
    yield markdown_table(table)
    yield "\nHours: spent on updates, validations aside."
