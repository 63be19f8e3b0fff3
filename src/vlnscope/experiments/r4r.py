"""Experiment (b): real R4R, the goal-oriented against the fidelity-oriented reward (Jain et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from vlnscope.benchmarks.kit.estimates import difference_of
from vlnscope.benchmarks.kit.findings import Statement, Wording, literal
from vlnscope.core.exceptions import InputError
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.evaluate.report.results_table import results_table
from vlnscope.experiments.comparisons import (
    CORRECTED,
    METRICS,
    OVER_SEEDS,
    contrasts,
    kept,
    losses,
    seeds_table,
    variant,
    versus,
)
from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.workspace import Answers, Entrant, Workspace
from vlnscope.experiments.worlds import entrant_names, read_trainings
from vlnscope.training.experiment import LearningConfig

TRAININGS = ("r4r-goal", "r4r-fidelity")
EPISODES = 3000
ABLATIONS = ("last-five", "none", "other")
TOLD = {
    "last-five": "all but the last five tokens are removed",
    "none": "there is no instruction",
    "other": "the instruction is that of another path",
}


def conduct(workspace: Workspace) -> ExperimentResult:
    """Train `rcm` on R4R with both rewards, and take words away from both."""
    world = workspace.worlds[0]
    trainings = read_trainings(world, world.trainings or TRAININGS)
    goal, fidelity = _both([one.learning for one in trainings.values()], list(trainings))
    names = entrant_names(trainings)
    entrants = [workspace.learned(names[name], name, one) for name, one in trainings.items()]
    _check_beginnings(entrants)
    options = {"variant": "r4r", "ablations": ("full", *ABLATIONS), "max_episodes": EPISODES, "seed": 0}
    answers = workspace.ask(
        "r4r", CaseConfig(benchmark="fidelity", data=world.test, options=options), entrants
    )
    table = results_table(
        answers.rows(),
        name="agents",
        title="Both rewards on R4R",
        metrics=(*METRICS, "NE", "TL"),
        baseline=names[goal],
    )
    kept_findings = kept(
        answers.findings(),
        statements=lambda one: one.key.startswith("language.") and one.metric in ("CLS", "SR"),
        tables=("table-4", "language"),
        figures=("language",),
    )
    findings = msgspec.structs.replace(
        kept_findings,
        statements=(*_said(answers, names[fidelity], names[goal]), *kept_findings.statements),
        tables=(
            seeds_table(entrants, answers.runs, lambda rows: variant(rows, "full")),
            *kept_findings.tables,
        ),
        notes=(*kept_findings.notes, OVER_SEEDS, CORRECTED),
    )
    return ExperimentResult((table,), (findings,))


def _said(answers: Answers, fidelity: str, goal: str) -> list[Statement]:
    """Compare the two agents with whole instructions, then what each loses without."""
    rows = answers.rows()
    full = {name: variant(its, "full") for name, its in rows.items()}
    said = versus(fidelity, goal, full, ("CLS", "nDTW", "SR", "SPL"), weight=1.0)
    for ablation in ABLATIONS:
        lost = {name: losses(its, ablation) for name, its in rows.items()}
        differences = {
            metric: difference_of(lost[fidelity], lost[goal], metric, within=(-1.0, 1.0))
            for metric in ("CLS", "SR")
        }
        said += contrasts(
            f"loses.{ablation}",
            fidelity,
            differences,
            partial(_loses, goal, TOLD[ablation]),
            weight=0.95,
        )
    return said


def _loses(other: str, condition: str, metric: str) -> Wording:
    name = literal(other)
    return Wording(
        above=f"loses more {metric} than {name} when {condition}: {{value}} more",
        below=f"loses less {metric} than {name} when {condition}: the losses differ by {{value}}",
        unclear=f"is not shown to lose more or less {metric} than {name} when {condition}: "
        "the losses differ by {value}",
    )


def _check_beginnings(entrants: Sequence[Entrant]) -> None:
    """Refuse to compare agents that differ in more than their reward: in their data, or first weights."""
    for pair in zip(*(one.attempts for one in entrants), strict=True):
        runs = [one.trained for one in pair if one.trained is not None]
        if len({one.data for one in runs}) > 1:
            names = " and ".join(one.training for one in runs)
            raise InputError(
                f"{names} with seed {pair[0].seed} learned from other data, or began with other weights",
                expected="agents that differ in their reward alone",
                fix="leave one of them out of --runs, so that it is trained here, or correct the trainings",
            )


def _both(learning: Sequence[LearningConfig], names: list[str]) -> tuple[str, str]:
    """Return which training has the goal as reward, and which fidelity."""
    rewards = [one.reward if one.method == "reinforce" else f"no reward ({one.method})" for one in learning]
    if sorted(rewards) != ["fidelity", "goal"]:
        raise InputError(
            f"trainings with these rewards are to be compared: {', '.join(rewards)}",
            expected="two that learn by reinforce, one with the reward goal and one with fidelity",
            fix=f"leave --train out, which takes {' and '.join(TRAININGS)}",
        )
    return names[rewards.index("goal")], names[rewards.index("fidelity")]
