"""Tables of behavior: the paper's Table 1 for any agents, sub-skills, effects, and rooms some hops away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.behavior.findings.effects import mixed_effect
from vlnscope.benchmarks.behavior.findings.environment import environment_cells
from vlnscope.benchmarks.behavior.findings.paper_statistics import paper_cells
from vlnscope.benchmarks.behavior.findings.skills import (
    SKILLS,
    asks,
    average,
    intervened,
    searches_by_hops,
    skill_mean,
    subs_of,
)
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Cell, Table, difference_cells, interval_cells, percent, scaled
from vlnscope.stats.interval import ANY, SHARE, SIZE, Interval
from vlnscope.types import ScoreRow

RowsByAgent = Mapping[str, Sequence[ScoreRow]]
PUBLISHED: Mapping[str, tuple[float, float, float, float, float]] = {
    "EnvDrop (published)": (62.65, 27.14, 11.06, 23.64, 31.12),
    "EnvDrop, ViL CLIP (published)": (66.76, 27.45, 12.83, 26.82, 33.47),
    "HAMT (published)": (71.65, 43.74, 12.00, 26.63, 38.50),
}
"""Table 1 of the paper, on RxR val_unseen."""
_declared = declarations(__package__)


def tables(rows_by_agent: RowsByAgent) -> Iterator[Table]:
    """Yield the tables that have rows."""
    by_agent: dict[str, Callable[[Sequence[ScoreRow]], Iterator[tuple[Cell, ...]]]] = {
        "behavior-sub-skills": _sub_skills,
        "behavior-effects": _effects,
        "behavior-paper-statistics": _paper_statistics,
        "behavior-rooms-by-hops": _searches,
        "behavior-environment": environment_cells,
    }
    if asks(rows_by_agent, *SKILLS):
        yield _declared.table("behavior-competence", _competence(rows_by_agent))
    for name, cells in by_agent.items():
        table_rows = [(agent, *row) for agent, rows in rows_by_agent.items() for row in cells(rows)]
        if table_rows:
            yield _declared.table(name, table_rows)


def _competence(rows_by_agent: RowsByAgent) -> Iterator[tuple[Cell, ...]]:
    """Yield Table 1: the score of each agent in each skill, chance, and the paper's own agents."""
    for agent, rows in rows_by_agent.items():
        for metric, what in (("mass", "probability"), ("top1", "most probable action")):
            means = _skill_means(rows, metric)
            yield agent, what, *(cell for mean in means for cell in interval_cells(mean))
    first = next(iter(rows_by_agent.values()))
    chance = [percent(mean.mean) if mean else None for mean in _skill_means(first, "chance")]
    for name, numbers in (("chance", chance), *PUBLISHED.items()):
        yield name, "probability", *(cell for number in numbers for cell in (number, None, None))


def _skill_means(rows: Sequence[ScoreRow], metric: str) -> list[Interval | None]:
    return [*(skill_mean(rows, skill, metric) for skill in SKILLS), average(rows, metric)]


def _sub_skills(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    for skill in SKILLS:
        for sub in subs_of(rows, skill):
            chosen = intervened(rows, skill, sub)
            score = mean_of(chosen, "mass")
            rest = (percent(mean_of(chosen, name).mean) for name in ("top1", "chance"))
            yield skill, sub, score.n, *interval_cells(score), *rest


class _Asked(NamedTuple):
    """An effect that is reported: skill, part of it, its rows, and the values with and without the words."""

    skill: str
    of: str
    rows: Sequence[ScoreRow]
    metric: str
    base: str

    @property
    def scale(self) -> float:
        return 1.0 if self.metric == "delta_m" else 100.0


def _asked_effects(rows: Sequence[ScoreRow]) -> Iterator[_Asked]:
    """Yield the effects of the interventions that both values are known of."""
    asked = [
        _Asked(skill, sub or "all", intervened(rows, skill, sub), "mass", "mass_none")
        for skill in SKILLS
        for sub in (subs_of(rows, skill) if skill == "direction" else [None])
    ]
    asked.append(_Asked("stop", "explicit − ahead", intervened(rows, "stop"), "stop", "stop_ahead"))
    asked.append(_Asked("room", "metres nearer", intervened(rows, "room"), "delta_m", "delta_m_none"))
    for one in asked:
        if any(one.metric in row.values and one.base in row.values for row in one.rows):
            yield one


def _effects(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    """Yield the effects of the interventions, with two tests each."""
    for one in _asked_effects(rows):
        within = ANY if one.metric == "delta_m" else SHARE
        change = change_of(one.rows, one.metric, one.base, within=within)
        mixed = mixed_effect(one.rows, one.metric, one.base)
        coefficients = (scaled(number, one.scale) for number in (mixed.effect, mixed.error))
        cells = (*difference_cells(change, one.scale), change.p, *coefficients, mixed.p_value)
        yield one.skill, one.of, change.n, *cells


def _paper_statistics(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    """Yield the same effects by the paper's bootstrap and models, beside our interval."""
    for one in _asked_effects(rows):
        within = ANY if one.metric == "delta_m" else SHARE
        change = change_of(one.rows, one.metric, one.base, within=within)
        ours = (scaled(number, one.scale) for number in (change.mean, change.low, change.high))
        theirs = paper_cells(one.rows, one.metric, one.base, one.scale)
        yield one.skill, one.of, change.n, *ours, change.p, *theirs


def _searches(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    """Yield how agents do that look for rooms some hops away."""
    for hops, chosen in searches_by_hops(rows).items():
        reached = mean_of(chosen, "reached")
        rest = (percent(mean_of(chosen, name).mean) for name in ("chance", "ended"))
        metres = (mean_of(chosen, f"distance_m{end}", within=SIZE).mean for end in ("", "_none", "_stop"))
        change = change_of(chosen, "distance_m", "distance_m_none", within=SIZE)
        mixed = mixed_effect(chosen, "distance_m", "distance_m_none")
        effect = (*interval_cells(change, 1.0), mixed.effect, mixed.p_value)
        yield int(hops), reached.n, *interval_cells(reached), *rest, *metres, *effect
