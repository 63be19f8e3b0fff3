"""What is said of wrong turns: when they happen, and which turns are missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Statement, Wording, statement
from vlnscope.benchmarks.nuances.findings.derived_rows import scene_difference
from vlnscope.benchmarks.outcomes.findings.derived_rows import (
    CHANCE,
    MISSED,
    due_rows,
    share_of,
    size_of,
    telling,
)
from vlnscope.benchmarks.outcomes.findings.lack import as_lack
from vlnscope.benchmarks.outcomes.score.turns import TURNS, Turn
from vlnscope.types import ScoreRow

NAMES: dict[Turn, str] = {
    "left": "to go left",
    "right": "to go right",
    "straight": "to go straight on",
    "back": "to turn around",
    "up": "to go up",
    "down": "to go down",
}
_TOPICS: dict[Turn, str] = {"left": "left", "right": "right", "up": "stairs", "down": "stairs"}
ENOUGH = 20
"""So often a turn must have been due before something is said of it."""
_CONTRAST = Wording(
    above="misses the way more often where it goes left than where it goes right (left minus right: {value})",
    below="misses the way more often where it goes right than where it goes left (left minus right: {value})",
    unclear="no clear difference between left and right was found in the turns it misses (left minus right: "
    "{value})",
)


def left_way(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return the walks that failed because they left the way."""
    return [row for row in rows if "left-at" in row.values]


def turn_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say when an agent leaves the way, and which turns it misses how often."""
    wrong = left_way(rows)
    if wrong:
        first = telling(wrong, lambda row: -row.values["left-at"])
        words = Wording(plain="where it leaves the way for good, it has made {value} along it before")
        found = size_of(wrong, "left-at")
        yield statement(
            "wrong-turn.step", agent, found, words, scale=1.0, unit="steps", weight=0.3, episodes=first
        )
        at_once = share_of(wrong, lambda row: row.values["left-at"] == 0.0)
        words = Wording(plain="{value} of the {n} walks that leave the way do so with their first step")
        yield statement("wrong-turn.first", agent, at_once, words, weight=0.3, episodes=first)
    due = {turn: due_rows(rows, turn) for turn in TURNS}
    for turn, times in due.items():
        if len(times) >= ENOUGH:
            yield _missed(agent, turn, times)
    difference = scene_difference(due["left"], due["right"], MISSED)
    if difference is not None and min(len(due["left"]), len(due["right"])) >= ENOUGH:
        shown = telling([row for row in (*due["left"], *due["right"]) if row.values[MISSED]], _earliest)
        yield statement("missed.left-right", agent, difference, _CONTRAST, weight=0.5, episodes=shown)


def _missed(agent: str, turn: Turn, times: Sequence[ScoreRow]) -> Statement:
    """Compare how often a turn is missed with how often somebody would who takes any way."""
    chance = 100.0 * sum(row.values[CHANCE] for row in times) / len(times)
    what = f"the {{n}} times that the way is {NAMES[turn]}"
    words = Wording(
        above=f"misses {{value}} of {what}, more than the {{null}} of somebody who takes any way",
        below=f"misses {{value}} of {what}; somebody who takes any way misses {{null}}",
        unclear=f"misses {{value}} of {what}, as somebody who takes any way may ({{null}})",
    )
    made = statement(
        f"missed.{turn}",
        agent,
        mean_of(times, MISSED),
        words,
        null=chance,
        weight=0.4,
        episodes=telling([row for row in times if row.values[MISSED]], _earliest),
    )
    return as_lack(made, _TOPICS[turn], worst=chance, best=0.0) if turn in _TOPICS else made


def _earliest(row: ScoreRow) -> float:
    return -row.values.get("left-at", 0.0)
