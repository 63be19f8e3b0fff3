"""How behavior rows are grouped: by skill, sub-skill and number of hops; and the score of a skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from vlnscope.benchmarks.behavior.findings.effects import balanced_mean
from vlnscope.benchmarks.kit.estimates import mean_of, select
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

SKILLS: Mapping[str, str] = {"stop": "Stop", "direction": "Turn", "object": "Object", "room": "Room"}
"""The skills of the paper's Table 1, with their names there."""
DIRECTIONS = ("left", "right", "forward", "backward", "back left", "back right")


def intervened(rows: Sequence[ScoreRow], skill: str, sub: str | None = None) -> list[ScoreRow]:
    """Return the rows of a skill whose instruction ends with an intervention; of stops the explicit ones."""
    groups = {"skill": skill, "variant": "intervention"}
    if skill == "stop":
        groups["sub"] = "explicit"
    return [row for row in select(rows, **groups) if sub in (None, row.groups.get("sub"))]


def asks(rows_by_agent: Mapping[str, Sequence[ScoreRow]], *skills: str) -> bool:
    """Say whether one of some skills is asked."""
    return any(row.groups.get("skill") in skills for rows in rows_by_agent.values() for row in rows)


def subs_of(rows: Sequence[ScoreRow], skill: str) -> list[str]:
    """Return the sub-skills of a skill: directions in the paper's order, others by how often they occur."""
    count = Counter(row.groups.get("sub", "") for row in intervened(rows, skill))
    if skill == "direction":
        return [name for name in DIRECTIONS if name in count] + sorted(set(count) - set(DIRECTIONS))
    return sorted(count, key=lambda name: (-count[name], name))


def searches_by_hops(rows: Sequence[ScoreRow]) -> dict[str, list[ScoreRow]]:
    """Return the rows that ask for a room some hops away, by that number, in order."""
    searches = [row for row in intervened(rows, "room-k") if "hops" in row.groups]
    hops = sorted({row.groups["hops"] for row in searches}, key=int)
    return {number: select(searches, hops=number) for number in hops}


def skill_mean(rows: Sequence[ScoreRow], skill: str, metric: str) -> Interval:
    """Return the score of a skill; the directions count the same, however many cases each has.

    With as many cases of each it is the plain mean, and has the interval that any table gives that mean.
    """
    chosen = [row for row in intervened(rows, skill) if metric in row.values]
    if skill != "direction":
        return mean_of(chosen, metric)
    count = Counter(row.groups.get("sub", "") for row in chosen)
    weights = np.array([1.0 / count[row.groups.get("sub", "")] for row in chosen])
    return mean_of(chosen, metric, weights=weights)


def average(rows: Sequence[ScoreRow], metric: str) -> Interval | None:
    """Return the mean of the four skills; None if one of them was not asked."""
    parts = {skill: intervened(rows, skill) for skill in SKILLS}
    if not all(parts.values()):
        return None
    directions = len(subs_of(rows, "direction"))

    def share(row: ScoreRow) -> tuple[str, float]:
        skill = row.groups["skill"]
        return (row.groups["sub"], 1.0 / directions) if skill == "direction" else (skill, 1.0)

    return balanced_mean([row for part in parts.values() for row in part], metric, share)
