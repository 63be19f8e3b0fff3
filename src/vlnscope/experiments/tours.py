"""Experiment (d): tours of real buildings (IR2R) and of houses, `hamt` against `tour_hamt`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from vlnscope.benchmarks.kit.findings import Findings, Statement, Wording, literal
from vlnscope.benchmarks.tours.findings.tour_rows import memory_rows, tour_difference
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.experiments.comparisons import (
    CORRECTED,
    OVER_SEEDS,
    contrasts,
    kept,
    seeds_table,
    versus,
)
from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.workspace import Entrant, Workspace, in_each_world
from vlnscope.experiments.worlds import ExperimentWorld, entrant_names, tour_trainings
from vlnscope.training.experiment import Experiment
from vlnscope.types import ScoreRow

_EPISODES = ("nDTW", "SR", "SPL")


def conduct(workspace: Workspace) -> ExperimentResult:
    """Train both agents in each world, and let them walk tours with their memory kept and reset."""
    findings, left_out = in_each_world(workspace, "tours", _in_world)
    return ExperimentResult(findings=findings, left_out=left_out)


def _in_world(workspace: Workspace, world: ExperimentWorld) -> Findings:
    trainings = tour_trainings(world)
    names = entrant_names(trainings)
    entrants = [workspace.learned(names[name], name, one) for name, one in trainings.items()]
    part = CaseConfig(benchmark="tours", data=world.test, options={"seed": 0})
    answers = workspace.ask("tours", part, entrants)
    findings = kept(
        answers.findings(),
        statements=lambda one: True,
        tables=("tours-scores", "tours-memory-gain", "tours-lengths"),
        figures=("tours-by-place", "tours-gain-by-place"),
    )
    rows = answers.rows()
    seeds = seeds_table(entrants, answers.runs, lambda rows: memory_rows(rows).episodes["kept"], _EPISODES)
    return msgspec.structs.replace(
        findings,
        statements=(*_said(rows, _pairs(trainings, entrants)), *findings.statements),
        tables=(*findings.tables, seeds),
        notes=(*findings.notes, OVER_SEEDS, CORRECTED),
    )


def _pairs(trainings: Mapping[str, Experiment], entrants: Sequence[Entrant]) -> list[tuple[str, str]]:
    """Return whom to compare: each agent that remembers with each that forgets."""
    named = list(zip(trainings.values(), (one.name for one in entrants), strict=True))
    remember = [name for one, name in named if one.model.name == "tour_hamt"]
    forget = [name for one, name in named if one.model.name != "tour_hamt"]
    return [(a, b) for a in remember for b in forget]


def _said(rows: Mapping[str, Sequence[ScoreRow]], pairs: Sequence[tuple[str, str]]) -> list[Statement]:
    by_memory = {name: memory_rows(its) for name, its in rows.items()}
    episodes = {name: its.episodes["kept"] for name, its in by_memory.items()}
    said: list[Statement] = []
    for a, b in pairs:
        whole = tour_difference(by_memory[a].tours["kept"], by_memory[b].tours["kept"], "t-nDTW")
        said += contrasts(f"tours.{b}", a, {"t-nDTW": whole}, partial(_tours, b), weight=1.0)
        said += versus(a, b, episodes, _EPISODES)
    return said


def _tours(other: str, metric: str) -> Wording:
    name = literal(other)
    return Wording(
        above=f"keeps to whole tours better than {name}: {metric} is higher by {{value}}",
        below=f"keeps to whole tours worse than {name}: {metric} differs by {{value}}",
        unclear=f"is not shown to keep to whole tours better or worse than {name}: {metric} differs by "
        "{value}",
    )
