"""Experiment (e): do agents that do better at the task have more of the skills? Table 1 of vln-behave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from vlnscope.benchmarks.behavior.findings.skills import SKILLS, average, intervened, skill_mean, subs_of
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import (
    Figure,
    Findings,
    Panel,
    Statement,
    Table,
    Wording,
    interval_series,
)
from vlnscope.episodes.datasets.dataset import aligned_data
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.experiments.agreement import Agreement, Scored, agreement, scene_totals
from vlnscope.experiments.comparisons import OVER_SEEDS, kept, variant
from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.single_episodes import CASES, RANDOM, entrants_of, walks
from vlnscope.experiments.workspace import Entrant, Workspace, in_each_world
from vlnscope.experiments.worlds import ExperimentWorld, entrant_names, single_trainings, training_label
from vlnscope.stats.interval import Interval
from vlnscope.stats.power import ALPHA
from vlnscope.types import ScoreRow

MOST = 200
"""Questions of each skill, direction and so on."""
BRIEF = (18, 6)
"""Weaker agents are trained for one part in so many of the updates."""
TASK = "SR"
AVERAGE = "average"
NOTES = (
    "agents that differ only in how long they were trained are much alike; there are fewer different ones "
    "than there are agents",
    "the p-values of the rank correlations are not corrected for there being several; the average of the "
    "skills is the one to go by",
)
Rows = Mapping[str, Sequence[ScoreRow]]


def conduct(workspace: Workspace) -> ExperimentResult:
    """Ask agents of different strength what they do when the instruction changes."""
    findings, left_out = in_each_world(workspace, "skills", _in_world)
    return ExperimentResult(findings=findings, left_out=left_out)


def _in_world(workspace: Workspace, world: ExperimentWorld) -> Findings:
    entrants = _entrants(workspace, world)
    task = workspace.ask(CASES, walks(world), entrants)
    part = CaseConfig(benchmark="behavior", data=aligned_data(world.test), options={"most": MOST, "seed": 0})
    answers = workspace.ask("behavior", part, entrants)
    full = {name: variant(rows, "full") for name, rows in task.rows().items()}
    skills = answers.rows()
    findings = kept(
        answers.findings(),
        statements=lambda one: False,
        tables=("behavior-competence", "behavior-effects"),
        figures=(),
    )
    agreed = _agreements(full, skills)
    return msgspec.structs.replace(
        findings,
        agents=("all agents together", *findings.agents),
        statements=tuple(_statement(name, one) for name, one in agreed.items()),
        tables=(_table(full, skills), *findings.tables),
        figures=(_figure(full, skills),),
        notes=(*findings.notes, OVER_SEEDS, *NOTES),
    )


def _entrants(workspace: Workspace, world: ExperimentWorld) -> list[Entrant]:
    """Return agents of different strength: chance, the reader, those trained briefly, and those in full."""
    trainings = single_trainings(world)
    names = entrant_names(trainings)
    entrants = [workspace.given(RANDOM, draws=True), workspace.given(world.reader)]
    first = next(iter(trainings))
    whole = trainings[first]
    for updates in dict.fromkeys(max(1, whole.learning.updates // share) for share in BRIEF):
        learning = msgspec.structs.replace(whole.learning, updates=updates)
        brief = msgspec.structs.replace(whole, learning=learning)
        label = f"{training_label(first)}-brief-{updates}"
        entrants.append(workspace.learned(f"{names[first]}, {updates} updates", first, brief, label))
    return [*entrants, *entrants_of(workspace, world)]


def _agreements(task: Rows, skills: Rows) -> dict[str, Agreement]:
    """Return by skill, and for their average, how the order of agents agrees with that of the task."""
    scenes = sorted({row.scan for rows in (*task.values(), *skills.values()) for row in rows})
    strength = [scene_totals([(1.0, rows)], TASK, scenes) for rows in task.values()]
    parts = {skill: [_parts(rows, skill) for rows in skills.values()] for skill in SKILLS}
    parts = {skill: its for skill, its in parts.items() if all(map(_is_asked, its))}
    if len(parts) == len(SKILLS):
        every = zip(*parts.values(), strict=True)
        parts[AVERAGE] = [[one for skill in agent for one in skill] for agent in every]
    return {
        name: agreement(strength, [scene_totals(agent, "mass", scenes) for agent in its])
        for name, its in parts.items()
    }


def _is_asked(parts: Sequence[Scored]) -> bool:
    """Say whether a skill was asked of an agent, each part of it."""
    return bool(parts) and all(rows for _, rows in parts)


def _parts(rows: Sequence[ScoreRow], skill: str) -> list[Scored]:
    """Return the rows of a skill in parts that count the same, as `skill_mean` weighs them."""
    if skill != "direction":
        return [(1.0, intervened(rows, skill))]
    subs = subs_of(rows, skill)
    return [(1.0 / len(subs), intervened(rows, skill, sub)) for sub in subs]


def _statement(skill: str, estimate: Agreement) -> Statement:
    count = estimate.agents
    what = "the average of the skills" if skill == AVERAGE else f"the skill {skill}"
    shown = f"rank correlation {{value}} over {count} agents"
    caveat = ""
    if estimate.p is not None and estimate.p > ALPHA:
        caveat = f", for these agents: so many in any order agree as much with p = {estimate.p:.2g}"
    return Statement(
        key=f"agreement.{skill}",
        agent="all agents together",
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        unit="",
        null=0.0,
        n=count,
        clusters=estimate.scenes,
        over="scenes",
        wording=Wording(
            above=f"{what} rises with {TASK}: {shown}{caveat}",
            below=f"{what} falls with {TASK}: {shown}{caveat}",
            unclear=f"{what} is not shown to rise or fall with {TASK}: {shown}",
        ),
        weight=0.9 if skill == AVERAGE else 0.8,
        reason=estimate.reason,
    )


def _scores(task: Rows, skills: Rows) -> dict[str, list[Interval | None]]:
    """Return by agent the success rate, the skills, and their average."""
    return {
        name: [
            mean_of(task[name], TASK),
            *(skill_mean(rows, skill, "mass") if intervened(rows, skill) else None for skill in SKILLS),
            average(rows, "mass"),
        ]
        for name, rows in skills.items()
    }


def _table(task: Rows, skills: Rows) -> Table:
    scores = _scores(task, skills)
    strength = {name: -(its[0].mean or 0.0) for name, its in scores.items() if its[0]}
    columns = [TASK, *SKILLS.values(), "Avg."]
    return Table(
        name="strength",
        title="Success and skills (percent), the weakest agent last",
        columns=("agent", *(part for name in columns for part in (name, f"{name} low", f"{name} high"))),
        rows=tuple(
            (name, *(cell for one in scores[name] for cell in _cells(one)))
            for name in sorted(scores, key=lambda name: strength[name])
        ),
        source="Table 1 of Yang, Majumdar and Lee, 2023",
    )


def _cells(one: Interval | None) -> list[float | None]:
    numbers = (None, None, None) if one is None else (one.mean, one.low, one.high)
    return [None if number is None else 100.0 * number for number in numbers]


def _figure(task: Rows, skills: Rows) -> Figure:
    scores = _scores(task, skills)
    names = [*SKILLS.values(), "Avg."]
    return Figure(
        name="strength",
        title="Skills against success",
        kind="points",
        x=f"{TASK} (%)",
        y="probability of doing what the instruction says (%)",
        panels=tuple(
            Panel(
                title=title,
                series=tuple(
                    interval_series(name, (100.0 * its[0].mean,), (its[at],))
                    for name, its in scores.items()
                    if its[0] is not None and its[0].mean is not None
                ),
            )
            for at, title in enumerate(names, 1)
        ),
        caption="Every point is an agent; 95 % intervals over scenes.",
        source="Table 1 of Yang, Majumdar and Lee, 2023",
    )
