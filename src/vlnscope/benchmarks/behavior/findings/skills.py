"""How behavior rows are grouped: which skills there are, in which order, and how they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.types import ScoreRow

SKILLS: Mapping[str, str] = {"stop": "Stop", "direction": "Turn", "object": "Object", "room": "Room"}
"""The skills of the paper's Table 1, with their names there."""
DIRECTIONS = ("left", "right", "forward", "backward", "back left", "back right")
STOPS = ("explicit", "implicit", "one-ahead")


def told(rows: Sequence[ScoreRow], skill: str, sub: str | None = None) -> list[ScoreRow]:
    """Return the rows of a skill whose instruction ends with an intervention; of stops the explicit ones."""
    return [
        row
        for row in rows
        if row.groups.get("skill") == skill
        and row.groups.get("variant") == "intervention"
        and (skill != "stop" or row.groups.get("sub") == "explicit")
        and sub in (None, row.groups.get("sub"))
    ]


def subs_of(rows: Sequence[ScoreRow], skill: str) -> list[str]:
    """Return the sub-skills of a skill: directions in the paper's order, others by how often they occur."""
    count: dict[str, int] = {}
    for row in told(rows, skill):
        name = row.groups.get("sub", "")
        count[name] = count.get(name, 0) + 1
    if skill == "direction":
        return [name for name in DIRECTIONS if name in count] + sorted(set(count) - set(DIRECTIONS))
    return sorted(count, key=lambda name: (-count[name], name))
