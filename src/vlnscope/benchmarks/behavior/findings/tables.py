"""Tables of behavior: the paper's Table 1 for any agents, sub-skills, effects, and rooms some hops away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vlnscope.benchmarks.behavior.findings.effects import (
    balanced_mean,
    mixed_effect,
)
from vlnscope.benchmarks.behavior.findings.skills import SKILLS, subs_of, told
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Cell, Table
from vlnscope.stats.interval import ANY, SHARE, SIZE, Interval, Range
from vlnscope.types import ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]
PUBLISHED: Mapping[str, tuple[float, float, float, float, float]] = {
    "EnvDrop (published)": (62.65, 27.14, 11.06, 23.64, 31.12),
    "EnvDrop, ViL CLIP (published)": (66.76, 27.45, 12.83, 26.82, 33.47),
    "HAMT (published)": (71.65, 43.74, 12.00, 26.63, 38.50),
}
"""Table 1 of the paper, on RxR val_unseen."""
_TABLE = "Table 1 of Yang, Majumdar and Lee, 2023"
_PAIRED = (
    "effect: with the intervention's words minus without them, case by case",
    "p: of the interval; mixed: effect, standard error and Satterthwaite's p of a linear mixed model"
    " with random intercepts of scenes and paths",
)


def skill_mean(rows: Sequence[ScoreRow], skill: str, metric: str) -> Interval:
    """Return the score of a skill; the directions count the same, however many cases each has."""
    chosen = told(rows, skill)
    if skill != "direction":
        return mean_of(chosen, metric)
    return balanced_mean(chosen, metric, lambda row: (row.groups.get("sub", ""), 1.0))


def average(rows: Sequence[ScoreRow], metric: str) -> Interval | None:
    """Return the mean of the four skills; None if one of them was not asked."""
    parts = {skill: told(rows, skill) for skill in SKILLS}
    if not all(parts.values()):
        return None
    directions = len(subs_of(rows, "direction"))

    def share(row: ScoreRow) -> tuple[str, float]:
        skill = row.groups["skill"]
        return (row.groups["sub"], 1.0 / directions) if skill == "direction" else (skill, 1.0)

    return balanced_mean([row for its in parts.values() for row in its], metric, share)


def competence_table(scored: Scored) -> Table:
    """Return Table 1: the score of each agent in each skill, chance, and the paper's own agents."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        for metric, what in (("mass", "probability"), ("top1", "most probable action")):
            found = [skill_mean(its, skill, metric) for skill in SKILLS]
            rows.append((agent, what, *_cells([*found, average(its, metric)])))
    first = next(iter(scored.values()))
    chance = [skill_mean(first, skill, "chance") for skill in SKILLS]
    rows.append(("chance", "probability", *_cells([*chance, average(first, "chance")], ends=False)))
    for name, numbers in PUBLISHED.items():
        rows.append((name, "probability", *(cell for number in numbers for cell in (number, None, None))))
    names = [*SKILLS.values(), "Avg."]
    return Table(
        name="behavior-competence",
        title="Probability of doing what the instruction says (Eq. 1), in %",
        columns=("agent", "of", *(part for name in names for part in (name, f"{name} low", f"{name} high"))),
        rows=tuple(rows),
        notes=(
            "Turn is the mean of the directions, Avg. the mean of the four skills",
            "published rows are of RxR val_unseen and are compared with care",
        ),
        source=_TABLE,
    )


def sub_skill_table(scored: Scored) -> Table:
    """Return the scores of every agent by sub-skill, beside chance."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        for skill in SKILLS:
            for sub in subs_of(its, skill):
                chosen = told(its, skill, sub)
                score = mean_of(chosen, "mass")
                top1, chance = (mean_of(chosen, name).mean for name in ("top1", "chance"))
                rows.append((agent, skill, sub, score.n, *_cells([score]), _percent(top1), _percent(chance)))
    return Table(
        name="behavior-sub-skills",
        title="Probability of doing what the instruction says, by sub-skill, in %",
        columns=("agent", "skill", "sub-skill", "cases", "score", "low", "high", "most probable", "chance"),
        rows=tuple(rows),
    )


def effect_table(scored: Scored) -> Table:
    """Return the effects of the interventions, with two tests each."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        for skill in SKILLS:
            named = subs_of(its, skill) if skill == "direction" else [None]
            for sub in named:
                chosen = told(its, skill, sub)
                rows += _effect_row((agent, skill, sub or "all"), chosen, "mass", "mass_none", SHARE)
        explicit = told(its, "stop")
        rows += _effect_row((agent, "stop", "explicit − ahead"), explicit, "stop", "stop_ahead", SHARE)
        metres = told(its, "room")
        rows += _effect_row((agent, "room", "metres nearer"), metres, "delta_m", "delta_m_none", ANY)
    return Table(
        name="behavior-effects",
        title="What the words of the intervention change, in points (metres where said)",
        columns=(
            *("agent", "skill", "of", "cases", "with", "without", "effect", "low", "high", "p"),
            *("mixed effect", "mixed error", "mixed p"),
        ),
        rows=tuple(rows),
        notes=_PAIRED,
    )


def search_table(scored: Scored) -> Table:
    """Return how agents do that look for rooms some hops away."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        for hops in hops_of(its):
            chosen = searching(its, hops)
            reached = mean_of(chosen, "reached")
            rest = [mean_of(chosen, name).mean for name in ("chance", "ended")]
            metres = [mean_of(chosen, f"distance_m{end}", within=SIZE).mean for end in ("", "_none", "_stop")]
            found = change_of(chosen, "distance_m", "distance_m_none", within=SIZE)
            mixed = mixed_effect(chosen, "distance_m", "distance_m_none")
            left = (found.mean, found.low, found.high, mixed.effect, mixed.p_value)
            shares = (*_cells([reached]), *map(_percent, rest))
            rows.append((agent, int(hops), reached.n, *shares, *metres, *left))
    return Table(
        name="behavior-rooms-by-hops",
        title="Rooms some hops away: reached (%), and metres left to the nearest",
        columns=(
            *("agent", "hops", "cases", "reached", "low", "high", "chance", "ended in", "metres left"),
            *("without the words", "stopping in place", "effect (m)", "effect low", "effect high"),
            *("mixed effect (m)", "mixed p"),
        ),
        rows=tuple(rows),
        notes=_PAIRED,
        source="section 4.4 of Yang, Majumdar and Lee, 2023",
    )


def hops_of(rows: Sequence[ScoreRow]) -> list[str]:
    """Return the numbers of hops that rooms are away, as rows have them, in order."""
    return sorted({row.groups["hops"] for row in told(rows, "room-k") if "hops" in row.groups}, key=int)


def searching(rows: Sequence[ScoreRow], hops: str) -> list[ScoreRow]:
    """Return the rows that ask for a room so many hops away."""
    return [row for row in told(rows, "room-k") if row.groups.get("hops") == hops]


def _effect_row(
    head: tuple[str, ...],
    rows: Sequence[ScoreRow],
    metric: str,
    base: str,
    within: Range,
) -> list[tuple[Cell, ...]]:
    if not any(metric in row.values and base in row.values for row in rows):
        return []
    found, mixed = change_of(rows, metric, base, within=within), mixed_effect(rows, metric, base)
    scale = 100.0 if within == SHARE else 1.0
    numbers = (found.mean_a, found.mean_b, found.mean, found.low, found.high)
    scaled = [None if number is None else number * scale for number in (*numbers, mixed.effect, mixed.error)]
    return [(*head, found.n, *scaled[:5], found.p, *scaled[5:], mixed.p_value)]


def _cells(intervals: Iterable[Interval | None], *, ends: bool = True) -> list[Cell]:
    cells: list[Cell] = []
    for it in intervals:
        if it is None:
            cells += [None, None, None]
        else:
            cells += [_percent(it.mean), *((_percent(it.low), _percent(it.high)) if ends else (None, None))]
    return cells


def _percent(number: float | None) -> float | None:
    return None if number is None else 100.0 * number
