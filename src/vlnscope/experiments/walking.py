"""Single episodes: trained agents against those that were never trained, with the right words and others'."""

from __future__ import annotations

import msgspec

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.evaluate.diagnose.sizes import Part
from vlnscope.evaluate.report.results_table import results_table
from vlnscope.experiments.comparing import (
    CORRECTED,
    METRICS,
    OVER_SEEDS,
    kept,
    seeds_table,
    variant,
    versus,
)
from vlnscope.experiments.outcome import Outcome
from vlnscope.experiments.workspace import Answers, Entrant, Lab
from vlnscope.experiments.worlds import World, entrant_names, single_trainings

RANDOM = "random"
CASES = "walks"
PICTURES = "published agents saw the pictures of the buildings, those that were run here captions of them"
SHOWN = ("SR", "SPL", "nDTW", "CLS", "NE")


def walks(world: World) -> Part:
    """Return the episodes of a world, each with its own instruction and with that of another path."""
    options = {"variant": "as-is", "ablations": ("full", "other"), "seed": 0}
    return Part(benchmark="fidelity", data=world.test, options=options)


def entrants_of(lab: Lab, world: World) -> list[Entrant]:
    """Return the trained agents of a world."""
    trainings = single_trainings(world)
    names = entrant_names(trainings)
    return [lab.learned(names[training], training, one) for training, one in trainings.items()]


def walking(lab: Lab, world: World, name: str, title: str, question: str) -> Outcome:
    """Compare the trained agents of a world with its reader and with chance, over whole episodes."""
    learned = entrants_of(lab, world)
    every = [*learned, lab.given(world.reader), lab.given(RANDOM, draws=True)]
    answers = lab.ask(CASES, walks(world), every)
    table = results_table(
        answers.rows(),
        name="agents",
        title=f"Agents on {world.test}",
        metrics=SHOWN,
        baseline=world.reader,
    )
    findings = _findings(lab, world, answers, learned, every)
    return Outcome(name, title, question, (table,), (findings,))


def _findings(
    lab: Lab, world: World, answers: Answers, learned: list[Entrant], every: list[Entrant]
) -> Findings:
    found = kept(
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
        found,
        statements=(*said, *found.statements),
        tables=(seeds, *found.tables),
        notes=(*found.notes, *((PICTURES,) if world.name == "r2r" else ()), OVER_SEEDS, CORRECTED),
    )
