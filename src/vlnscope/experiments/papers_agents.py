"""Experiment (g): the papers' agents side by side, each trained for about as long, and what they understand.

All of them walk whole episodes; then they are asked the atomic instructions of NavNuances (its Table 2) and
the skills of vln-behave (its Table 1), beside the rows that the papers print. Where a follower and a speaker
are among them, the pragmatic agent of Speaker-Follower takes part as well: alone, and walking its search. It
chooses whole routes, so it is not asked for the next step as skills are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.episodes.datasets.dataset import aligned_data
from vlnscope.evaluate.diagnose.case_config import CaseConfig, agent_parts
from vlnscope.evaluate.report.results_table import Knowing, results_table
from vlnscope.experiments.comparisons import CORRECTED, OVER_SEEDS, kept, seeds_table, versus
from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.single_episodes import PICTURES, RANDOM, SHOWN
from vlnscope.experiments.skills import MOST
from vlnscope.experiments.workspace import Answers, Attempt, Entrant, Workspace
from vlnscope.experiments.worlds import (
    ExperimentWorld,
    entrant_names,
    every_training,
    training_label,
)
from vlnscope.reporting.tables.marks import ResultsTable
from vlnscope.training.experiment import Experiment
from vlnscope.types import ScoreRow

FOLLOWER, SPEAKER = "speaker_follower", "speaker"
PRAGMATIC = {"pragmatic": "", "pragmatic, walking its search": ",traversal=yes"}
"""The agents that choose with a speaker, and their options: the second walks all that it searches."""
WIDE = 40
"""Routes that they choose from, as published."""
Trainings = Mapping[str, Experiment]


def conduct(workspace: Workspace) -> ExperimentResult:
    """Compare the agents of the papers over whole episodes, atomic instructions and skills."""
    world = workspace.worlds[0]
    trainings = every_training(world)
    learned = _learned(workspace, trainings)
    walking = [*learned, workspace.given(world.reader)]
    every = [*walking, *_pragmatic(workspace, trainings, learned)]
    walked = workspace.ask("episodes", _episodes(world), [*every, workspace.given(RANDOM, draws=True)])
    named = {one.benchmark: one for one in agent_parts(world.test, "full", 0)}
    nuances = workspace.ask("nuances", named["nuances"], every).findings()
    skills = CaseConfig(
        benchmark="behavior", data=aligned_data(world.test), options={"most": MOST, "seed": 0}
    )
    behavior = workspace.ask("behavior", skills, walking).findings()
    return ExperimentResult(
        (_results(world, walked),),
        (
            _whole(walked, learned, every),
            _tables(nuances, "nuances-rates", "nuances-subsets"),
            _tables(behavior, "behavior-competence"),
        ),
    )


def _episodes(world: ExperimentWorld) -> CaseConfig:
    options = {"variant": "as-is", "ablations": ("full",), "seed": 0}
    return CaseConfig(benchmark="fidelity", data=world.test, options=options)


def _learned(workspace: Workspace, trainings: Trainings) -> list[Entrant]:
    """Return the agents that are trained and walk by themselves."""
    walking = {name: one for name, one in trainings.items() if not one.speaks}
    names = entrant_names(walking)
    return [workspace.learned(names[training], training, one) for training, one in walking.items()]


def _pragmatic(workspace: Workspace, trainings: Trainings, learned: Sequence[Entrant]) -> list[Entrant]:
    """Return what a follower and a speaker of one seed are together; nothing if one of them is missing."""
    followers = [one for one in learned if _is_of(one, trainings, FOLLOWER)]
    speakers = [
        workspace.learned(SPEAKER, training, one) for training, one in trainings.items() if one.speaks
    ]
    if not followers or not speakers:
        return []
    pairs = list(zip(followers[0].attempts, speakers[0].attempts, strict=True))
    return [
        Entrant(name, tuple(_together(name, options, *pair) for pair in pairs))
        for name, options in PRAGMATIC.items()
    ]


def _is_of(entrant: Entrant, trainings: Trainings, model: str) -> bool:
    first = entrant.attempts[0].trained
    return first is not None and any(
        training_label(name) == first.training and one.model.name == model for name, one in trainings.items()
    )


def _together(name: str, options: str, follower: Attempt, speaker: Attempt) -> Attempt:
    """Return the pragmatic agent of a follower and a speaker; it counts as trained as the follower was."""
    files = [
        f"{role}={(one.trained.folder / 'best.pt').resolve()}"
        for role, one in (("follower", follower), ("speaker", speaker))
        if one.trained is not None
    ]
    agent = f"pragmatic:{','.join(files)},beam={WIDE}{options}"
    return Attempt(
        agent, follower.seed, f"{name.replace(', ', '-').replace(' ', '-')}-{follower.seed}", follower.trained
    )


def _results(world: ExperimentWorld, walked: Answers) -> ResultsTable:
    """Return SR and the rest, of all agents; those that explore first are marked."""
    records = [runs[0].record.agent for runs in walked.runs.values()]
    named = [msgspec.structs.replace(one, name=name) for name, one in zip(walked.runs, records, strict=True)]
    return results_table(
        walked.rows(),
        name="agents",
        title=f"Agents on {world.test}",
        metrics=(*SHOWN, "TL"),
        baseline=world.reader,
        knowing=Knowing.of(named),
    )


def _whole(walked: Answers, learned: Sequence[Entrant], every: Sequence[Entrant]) -> Findings:
    """Return how agents compare over whole episodes: each with the one before it, best first."""
    rows = walked.rows()
    findings = kept(walked.findings(), statements=lambda one: False, tables=("table-3",), figures=())
    follower = next((one.name for one in learned if one.name == FOLLOWER), None)
    pairs = [(name, follower) for name in PRAGMATIC if name in rows and follower]
    order = sorted((one.name for one in learned), key=lambda name: -_mean(rows[name], "SR"))
    pairs += list(pairwise(order))
    said = [one for agent, other in pairs for one in versus(agent, other, rows, ("SR", "SPL"))]
    return msgspec.structs.replace(
        findings,
        statements=tuple(said),
        tables=(seeds_table(every, walked.runs, list), *findings.tables),
        notes=(*findings.notes, PICTURES, OVER_SEEDS, CORRECTED),
    )


def _mean(rows: Sequence[ScoreRow], metric: str) -> float:
    return float(np.mean([row.values[metric] for row in rows]))


def _tables(findings: Findings, *names: str) -> Findings:
    return kept(findings, statements=lambda one: False, tables=names, figures=())
