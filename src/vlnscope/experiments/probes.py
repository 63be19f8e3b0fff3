"""Experiment (f): nuances and errors for the best agent of each world."""

from __future__ import annotations

from functools import partial

import msgspec

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.evaluate.diagnose.case_config import agent_parts
from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.single_episodes import entrants_of
from vlnscope.experiments.workspace import Attempt, Entrant, Workspace, in_each_world
from vlnscope.experiments.worlds import ExperimentWorld

BENCHMARKS = ("nuances", "errors")
BY = "SPL"
"""Agents of one world may have their weights chosen by different metrics; all of them report this one."""


def conduct(workspace: Workspace) -> ExperimentResult:
    """Ask the best agent of each world what it understands, and what wrong words cost it."""
    parts = [in_each_world(workspace, name, partial(_ask, name)) for name in BENCHMARKS]
    return ExperimentResult(
        findings=tuple(one for findings, _ in parts for one in findings),
        left_out=tuple(one for _, missing in parts for one in missing),
    )


def _ask(benchmark: str, workspace: Workspace, world: ExperimentWorld) -> Findings:
    part = next(one for one in agent_parts(world.test, "full", 0) if one.benchmark == benchmark)
    best, attempt = best_of(entrants_of(workspace, world))
    answers = workspace.ask(benchmark, part, [best, workspace.given(world.reader)])
    findings = answers.findings()
    trained = attempt.trained
    assert trained is not None
    note = f"{best.name} is seed {attempt.seed} of {trained.training}, the best by {BY} on {trained.held}"
    return msgspec.structs.replace(findings, notes=(note, *findings.notes))


def best_of(entrants: list[Entrant]) -> tuple[Entrant, Attempt]:
    """Return the agent that did best, by `BY`, where weights are chosen, with that one run, and the run."""

    def reached(attempt: Attempt) -> float:
        return attempt.trained.validation[BY] if attempt.trained else -1.0

    pairs = [(entrant, attempt) for entrant in entrants for attempt in entrant.attempts]
    entrant, attempt = max(pairs, key=lambda pair: reached(pair[1]))
    return entrant.only(attempt), attempt
