"""Single episodes: trained agents against those that were never trained, with the right words and others'."""

from __future__ import annotations

import msgspec

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.evaluate.report.results_table import results_table
from vlnscope.experiments.comparisons import (
    CORRECTED,
    METRICS,
    OVER_SEEDS,
    kept,
    seeds_table,
    variant,
    versus,
)
from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.workspace import Answers, Entrant, Workspace
from vlnscope.experiments.worlds import ExperimentWorld, entrant_names, single_trainings

RANDOM = "random"
CASES = "walks"
PICTURES = "published agents saw the pictures of the buildings, those that were run here captions of them"
SHOWN = ("SR", "SPL", "nDTW", "CLS", "NE")


def walks(world: ExperimentWorld) -> CaseConfig:
    """Return the episodes of a world, each with its own instruction and with that of another path."""
    options = {"variant": "as-is", "ablations": ("full", "other"), "seed": 0}
    return CaseConfig(benchmark="fidelity", data=world.test, options=options)


def entrants_of(workspace: Workspace, world: ExperimentWorld) -> list[Entrant]:
    """Return the trained agents of a world."""
    trainings = single_trainings(world)
    names = entrant_names(trainings)
    return [workspace.learned(names[training], training, one) for training, one in trainings.items()]


def conduct(workspace: Workspace) -> ExperimentResult:
    """Compare the trained agents of a world with its reader and with chance, over whole episodes."""
    world = workspace.worlds[0]
    learned = entrants_of(workspace, world)
    every = [*learned, workspace.given(world.reader), workspace.given(RANDOM, draws=True)]
    answers = workspace.ask(CASES, walks(world), every)
    table = results_table(
        answers.rows(),
        name="agents",
        title=f"Agents on {world.test}",
        metrics=SHOWN,
        baseline=world.reader,
    )
    return ExperimentResult((table,), (_findings(world, answers, learned, every),))


def _findings(
    world: ExperimentWorld,
    answers: Answers,
    learned: list[Entrant],
    every: list[Entrant],
) -> Findings:
    findings = kept(
        answers.findings(),
        statements=lambda one: (
            one.key.startswith("language.") and one.metric in METRICS and one.agent != RANDOM
        ),
        tables=("table-3", "language") if world.name == "r2r" else ("language",),
        figures=("language",),
    )
    full = {name: variant(rows, "full") for name, rows in answers.rows().items()}
    said = [
        one
        for entrant in learned
        for other in (world.reader, RANDOM)
        for one in versus(entrant.name, other, full)
    ]
    seeds = seeds_table(every, answers.runs, lambda rows: variant(rows, "full"))
    return msgspec.structs.replace(
        findings,
        statements=(*said, *findings.statements),
        tables=(seeds, *findings.tables),
        notes=(*findings.notes, *((PICTURES,) if world.name == "r2r" else ()), OVER_SEEDS, CORRECTED),
    )
