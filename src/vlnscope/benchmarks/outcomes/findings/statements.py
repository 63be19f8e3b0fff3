"""What is said of an agent's scores, of how its walks end, and of the turns it misses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import mean_of, scene_difference, share_of
from vlnscope.benchmarks.kit.findings import Statement
from vlnscope.benchmarks.outcomes.findings.derived_rows import (
    MISSED,
    as_lack,
    chance_of,
    due_rows,
    ends_as,
    examples,
    failure_weight,
    is_failure,
    left_way,
)
from vlnscope.benchmarks.outcomes.kinds import OUTCOMES, SUCCESSES
from vlnscope.benchmarks.outcomes.score.turns import TURNS, Turn
from vlnscope.stats.interval import SHARE, SIZE
from vlnscope.types import ScoreRow

SCORES = ("SR", "SPL", "nDTW", "NE", "OSR", "CLS")
MAJORITY = 50.0
ENOUGH = 10
"""So many walks must have failed before it is said what failures are like."""
DUE_ENOUGH = 20
"""So often a turn must have been due before something is said of it."""
_TURNS: dict[Turn, str] = {
    "left": "to go left",
    "right": "to go right",
    "straight": "to go straight on",
    "back": "to turn around",
    "up": "to go up",
    "down": "to go down",
}
_TOPICS: dict[Turn, str] = {"left": "left", "right": "right", "up": "stairs", "down": "stairs"}
_say = declarations(__package__).statement


def score_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say how well an agent does by the metrics that everybody reports."""
    for metric in SCORES:
        interval = mean_of(rows, metric, within=SIZE if metric == "NE" else SHARE)
        said = _say(metric, agent, interval)
        if metric == "SR" and interval.high is not None:
            said = _say(metric, agent, interval, weight=max(said.weight, failure_weight(1.0 - interval.high)))
        yield said


def outcome_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say how often an agent's walks end in each way: of all walks, and of those that fail."""
    failures = [row for row in rows if is_failure(row)]
    for name, phrase in OUTCOMES.items():
        ended = [row for row in rows if row.groups["outcome"] == name]
        if not ended:
            continue
        share = share_of(rows, ends_as(name))
        shown = examples(ended, clearness(name))
        walks = "all of its {n} walks" if len(ended) == len(rows) else "{value} of its {n} walks"
        words = {"outcome": name, "phrase": phrase, "walks": walks}
        weight = 0.3 if name in SUCCESSES else failure_weight(share.low)
        yield _say("outcome", agent, share, words, weight=weight, episodes=shown)
        if is_failure(ended[0]) and len(failures) >= ENOUGH:
            yield _say("failures", agent, share_of(failures, ends_as(name)), words, episodes=shown)
    if len(failures) >= ENOUGH:
        yield _main_failure(agent, failures)


def clearness(name: str) -> Callable[[ScoreRow], float]:
    """Return what makes a walk a clear example of how it ended."""
    weights: dict[str, Callable[[ScoreRow], float]] = {
        "reached": lambda row: row.values.get("nDTW", 0.0),
        "other-path": lambda row: -row.values.get("CLS", 0.0),
        "overshot": lambda row: row.values.get("steps-past", 0.0),
        "wandered": lambda row: row.values.get("again", 0.0),
        "stopped-early": lambda row: row.values.get("metres-short", 0.0),
        "wrong-turn": lambda row: -row.values.get("left-at", 0.0),
    }
    return weights.get(name, lambda row: row.values.get("NE", 0.0))


def _main_failure(agent: str, failures: Sequence[ScoreRow]) -> Statement:
    counts = {name: sum(map(ends_as(name), failures)) for name in OUTCOMES}
    name = max(OUTCOMES, key=lambda kind: counts[kind])
    shown = examples(filter(ends_as(name), failures), clearness(name))
    words = {"phrase": OUTCOMES[name]}
    share = share_of(failures, ends_as(name))
    return _say("main-failure", agent, share, words, null=MAJORITY, episodes=shown)


def turn_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say when an agent leaves the way, and which turns it misses how often."""
    wrong = left_way(rows)
    if wrong:
        first = examples(wrong, lambda row: -row.values["left-at"])
        yield _say("wrong-turn-step", agent, mean_of(wrong, "left-at", within=SIZE), episodes=first)
        at_once = share_of(wrong, lambda row: row.values["left-at"] == 0.0)
        yield _say("wrong-turn-first", agent, at_once, episodes=first)
    due = {turn: due_rows(rows, turn) for turn in TURNS}
    for turn, times in due.items():
        if len(times) >= DUE_ENOUGH:
            yield _missed(agent, turn, times)
    difference = scene_difference(due["left"], due["right"], MISSED)
    if difference is not None and min(len(due["left"]), len(due["right"])) >= DUE_ENOUGH:
        shown = _missed_examples([*due["left"], *due["right"]])
        yield _say("missed-left-right", agent, difference, episodes=shown)


def _missed(agent: str, turn: Turn, times: Sequence[ScoreRow]) -> Statement:
    """Compare how often a turn is missed with how often somebody would who takes any way."""
    chance = chance_of(times)
    words = {"turn": turn, "what": _TURNS[turn]}
    missed, shown = mean_of(times, MISSED), _missed_examples(times)
    said = _say("missed", agent, missed, words, null=chance, episodes=shown)
    return as_lack(said, _TOPICS[turn], worst=chance, best=0.0) if turn in _TOPICS else said


def _missed_examples(times: Sequence[ScoreRow]) -> tuple[str, ...]:
    missed = (row for row in times if row.values[MISSED])
    return examples(missed, lambda row: -row.values.get("left-at", 0.0))
