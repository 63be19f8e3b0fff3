"""Which episodes flip between success and failure, why, and how many points they carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from vlnscope.evaluate.score.result import Rows
from vlnscope.metrics.metric import get_metric
from vlnscope.types import Floats, Ints

Step = Literal["rules", "data", "walks"]
STEPS: tuple[Step, ...] = ("rules", "data", "walks")
Change = Literal["lost", "gained", "reached by both", "failed by both", "success unknown"]
FLIPS: tuple[Change, ...] = ("lost", "gained")
SUCCESS = "SR"


class Cause(NamedTuple):
    """Why an episode changed: what happened, and at which move, if that is known."""

    name: str
    step: int | None = None


Causes = Callable[[Sequence[str], Sequence[Change]], list[Cause]]
"""Says of some episodes, each with its change, why they changed."""
RULE = Cause("the same walk, another rule")
DATA = Cause("the same walk, other data")


@dataclass(frozen=True)
class FlipCluster:
    """Episodes that changed in the same way and for the same cause.

    Attributes:
        step: what made the change: the rules, the data, or the walks.
        change: what became of success from A, by A's rules, to B, by B's rules: ``lost`` (A reached the goal
            and B does not), ``gained``, or no flip.
        cause: why, in words.
        episodes: their ids.
        points: what they add to the mean of the metric, over the episodes in which both have a value.
        moves: at which move it happened, and in how many episodes; empty if there is no such move.
    """

    step: Step
    change: Change
    cause: str
    episodes: tuple[str, ...]
    points: float
    moves: dict[int, int] = field(default_factory=dict)

    @property
    def flips(self) -> bool:
        """Whether success changed."""
        return self.change in FLIPS

    def to_dict(self) -> dict[str, Any]:
        """Return the cluster as plain data."""
        return {
            "step": self.step,
            "change": self.change,
            "cause": self.cause,
            "count": len(self.episodes),
            "points": self.points,
            "moves": {str(move): count for move, count in self.moves.items()},
            "episodes": list(self.episodes),
        }


@dataclass(frozen=True)
class SharedRows:
    """The episodes that two tables have, and in which a metric has a value in both.

    Attributes:
        before: their rows in the first table.
        after: their rows in the second.
        delta: how much the value grows in each, in the metric's own unit.
    """

    before: Ints
    after: Ints
    delta: Floats


def shared_rows(before: Rows, after: Rows, metric: str) -> SharedRows:
    """Find the episodes with a value on both sides."""
    places = {id_: row for row, id_ in enumerate(before.ids)}
    both = [(places[id_], row) for row, id_ in enumerate(after.ids) if id_ in places]
    first, second = np.asarray(both, dtype=np.int64).reshape(-1, 2).T
    a, b = before.values[metric], after.values[metric]
    defined = a.defined[first] & b.defined[second]
    first, second = first[defined], second[defined]
    return SharedRows(first, second, b.values[second] - a.values[first])


def clusters(tables: Sequence[Rows], metric: str, causes: Causes) -> tuple[FlipCluster, ...]:
    """Sort the episodes that A and B share by what became of their success, and why.

    Whether an episode flips is told by the first and the last table alone, and from success whatever the
    metric. The tables between only tell the step: of a flip, the last one at which success changes; of other
    episodes, the last one at which the value does. The points of all clusters add up to the difference of
    the two means over the episodes that have a value in both. Episodes without a flip whose value stays the
    same are left out: they carry nothing.

    Args:
        tables: A; A's walks by B's rules; these on B's data; B. All with success and the metric.
        metric: whose points are told.
        causes: why walks differ.
    """
    outcomes = [known(rows, SUCCESS) for rows in tables]
    values = [known(rows, metric) for rows in tables]
    first, last = values[0], values[-1]
    delta = {id_: value - first[id_] for id_, value in last.items() if id_ in first}
    there = set(tables[0].ids)
    changes = {
        id_: _change(outcomes[0].get(id_), outcomes[-1].get(id_)) for id_ in tables[-1].ids if id_ in there
    }
    moved = {id_: change for id_, change in changes.items() if change in FLIPS or delta.get(id_)}
    steps = {id_: _step(outcomes if moved[id_] in FLIPS else values, id_) for id_ in moved}
    walked = [id_ for id_ in moved if steps[id_] == "walks"]
    why = dict(zip(walked, causes(walked, [moved[id_] for id_ in walked]), strict=True))
    groups: dict[tuple[Step, Change, str], list[str]] = {}
    for id_, change in moved.items():
        step = steps[id_]
        if step != "walks":
            why[id_] = RULE if step == "rules" else DATA
        groups.setdefault((step, change, why[id_].name), []).append(id_)
    scale = get_metric(metric).scale / max(1, len(delta))
    unsorted = [
        FlipCluster(
            step,
            change,
            cause,
            tuple(ids),
            sum(delta.get(id_, 0.0) for id_ in ids) * scale,
            _moves([why[id_] for id_ in ids]),
        )
        for (step, change, cause), ids in groups.items()
    ]
    return tuple(
        sorted(
            unsorted, key=lambda c: (not c.flips, STEPS.index(c.step), c.change, -len(c.episodes), c.cause)
        )
    )


def known(rows: Rows, metric: str) -> dict[str, float]:
    """Return the value of each episode that has one."""
    values = rows.values[metric]
    every = zip(rows.ids, values.values.tolist(), values.defined.tolist(), strict=True)
    return {id_: value for id_, value, defined in every if defined}


def one_sided(start: Rows, end: Rows) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the episodes whose success is known in A only, and in B only; these are no flips."""
    a, b = known(start, SUCCESS), known(end, SUCCESS)
    return tuple(id_ for id_ in a if id_ not in b), tuple(id_ for id_ in b if id_ not in a)


def _step(tables: Sequence[Mapping[str, float]], id_: str) -> Step:
    values = [table.get(id_) for table in tables]
    changing = [step for step, pair in zip(STEPS, pairwise(values), strict=True) if pair[0] != pair[1]]
    return changing[-1]


def _change(before: float | None, after: float | None) -> Change:
    if before is None or after is None:
        return "success unknown"
    if (before > 0) == (after > 0):
        return "reached by both" if after > 0 else "failed by both"
    return "gained" if after > 0 else "lost"


def _moves(causes: Sequence[Cause]) -> dict[int, int]:
    return dict(sorted(Counter(cause.step for cause in causes if cause.step is not None).items()))
