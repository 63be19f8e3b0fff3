"""Diagnosis: asks agents all that the benchmarks ask, and says in one report what each can and cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from vlnscope._version import __version__
from vlnscope.agents.protocol import knows_more
from vlnscope.benchmarks.kit.benchmark import Size, diagnosed_names
from vlnscope.core.results import Block, Line, Result, notes
from vlnscope.engine.run import name_agent
from vlnscope.evaluate.diagnose.assemble import assemble
from vlnscope.evaluate.diagnose.assignments import assignments
from vlnscope.evaluate.diagnose.case_config import resolved_data
from vlnscope.evaluate.diagnose.folder import PAGE, DiagnosisConfig, DiagnosisFolder
from vlnscope.evaluate.diagnose.job_pool import JobPool
from vlnscope.evaluate.diagnose.steps import DiagnosisProgress, DiagnosisSteps
from vlnscope.evaluate.diagnose.subjects import subjects
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.sentences import sentence
from vlnscope.reporting.verdicts import headline


@dataclass(frozen=True)
class Diagnosis(Result):
    """A finished diagnosis.

    Attributes:
        folder: where all of it is kept.
        report: what ``findings.json`` says.
    """

    folder: Path
    report: Report

    @property
    def page(self) -> Path:
        """The report to look at."""
        return self.folder / PAGE

    def to_dict(self) -> dict[str, Any]:
        """Return where it is kept, and what it says, as plain data."""
        report = msgspec.to_builtins(self.report)
        return {"out": str(self.folder), "page": str(self.page), "report": report}

    def records(self) -> list[dict[str, Any]]:
        """Return all statements, a row each, with the sentence that says it."""
        return [
            {"benchmark": findings.benchmark, **msgspec.to_builtins(said), "sentence": sentence(said)}
            for findings in self.report.findings
            for said in findings.statements
        ]

    def display(self) -> Iterator[Block]:
        """Yield what each agent can and cannot do, what was left out, and where the report is."""
        for agent in self.report.agents:
            oracle = knows_more(agent.needs)
            yield Line(oracle, f"\n{agent.name}", "bold")
            if agent.failed:
                failures = f" in {agent.failed:,} of {agent.cases:,} cases, which count as wrong"
                yield Line(failures, "  failed", "bold red")
            yield from (Line(f"  {note}", style="bold") for note in agent.notes)
            verdicts = [verdict for verdict in self.report.verdicts if verdict.agent == agent.name]
            for verdict in verdicts:
                lead = f"  {verdict.grade:>7}  {headline(verdict)}"
                yield Line(f": {sentence(verdict.statement)}", lead, "bold")
            if not verdicts:
                yield Line("  no ability could be judged")
        yield from notes(
            f"left out: {left.benchmark} of {', '.join(left.agents)}: {left.reason}"
            for left in self.report.left_out
        )
        yield Line(f"\nThe report: {self.page.resolve()}")

    def _repr_html_(self) -> str:
        from vlnscope.reporting.page.agent_cards import summary_html

        return summary_html(self.report)


def diagnose(
    agents: Any,
    data: str = "houses/val_unseen",
    *,
    out: str | Path,
    size: Size = "full",
    root: str | Path | None = None,
    parts: Sequence[str] | None = None,
    answers: Mapping[str, Sequence[str | Path]] | None = None,
    cases: Mapping[str, str | Path] | None = None,
    partial: bool = False,
    seed: int = 0,
    workers: int = 1,
    resume: bool = False,
    progress: DiagnosisProgress | None = None,
) -> Diagnosis:
    """Diagnose agents, or the prediction files of agents, side by side.

    Args:
        agents: one or a list of: names of agents (``noisy:p=0.3``, ``MODULE:OBJECT``, ``http://…``), agents,
            prediction files; ``NAME=…`` says what one is called in the report.
        data: a data set; of houses the ``quick`` size takes eight, where the name does not say how many.
        out: a folder for everything.
        size: how much is asked, ``quick`` or ``full``.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        parts: benchmarks to ask for; by default all but those that must be named.
        answers: with one prediction file: further files by benchmark, see `assignments`.
        cases: folders of cases to ask instead of newly made ones, by benchmark.
        partial: take prediction files that lack episodes, or hold others, as far as they go.
        seed: of all choices.
        workers: how many processes; agents that are objects are run in this one.
        resume: go on with the diagnosis in `out`, or add agents to it.
        progress: is told how it goes.

    Raises:
        InputError: nothing can be asked, a prediction file is incomplete, or `out` holds something else.
    """
    parts = diagnosed_names() if parts is None else parts
    who = subjects(agents if isinstance(agents, list | tuple) else [agents])
    asked_for, data = data, resolved_data(data, size)
    assigned = assignments(
        who,
        data,
        size,
        seed,
        parts=parts,
        answers={name: [Path(path) for path in files] for name, files in (answers or {}).items()},
        cases={name: Path(folder) for name, folder in (cases or {}).items()},
    )
    for subject in who:
        if subject.agent is not None:
            name_agent(subject.agent, seed)  # so that a wrong name is known before houses are built
    folder = DiagnosisFolder(Path(out), who)
    configs = tuple(assignment.part for assignment in assigned if assignment.part)
    plan = DiagnosisConfig(vlnscope=__version__, data=data, size=size, seed=seed, parts=configs)
    steps = DiagnosisSteps(folder, None if root is None else Path(root), progress)
    steps.check_files(assigned, data, partial=partial, cut=data != asked_for)
    folder.begin(plan, resume=resume)
    with JobPool(workers) as pool:
        assigned = steps.cases(assigned, pool)
        assigned = steps.runs(assigned, pool, seed, part_is_enough=partial)
        findings = steps.findings(assigned, pool)
    report = assemble(folder, plan, assigned, findings, steps.left_out, parts, partial=partial)
    steps.write(report)
    return Diagnosis(folder.out, report)
