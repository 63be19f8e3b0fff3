"""Which episodes flip between success and failure, why, and how many points they carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from vlnscope.metrics.metric import get_metric
from vlnscope.studies.score_result import Rows
from vlnscope.types import Flags, Floats, Ints

Step = Literal["rules", "data", "walks"]
Change = Literal["lost", "gained", "reached by both", "failed by both", "success unknown"]
FLIPS: tuple[Change, ...] = ("lost", "gained")
SUCCESS = "SR"


class Cause(NamedTuple):
    """Why an episode changed: what happened, and at which move, if that is known."""

    name: str
    step: int | None = None


Causes = Callable[[Sequence[str], Sequence[Change]], list[Cause]]
"""Says of some episodes, each with its change, why they changed."""


@dataclass(frozen=True)
class Cluster:
    """Episodes that changed in the same way and for the same cause.

    Attributes:
        step: what was changed: the rules, the data, or the walks.
        change: what became of success: ``lost`` (A reached the goal and B does not), ``gained``, or no flip.
        cause: why, in words.
        episodes: their ids.
        points: what they add to the mean of the metric, over the episodes that both have.
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
class Shared:
    """The episodes that two tables have, and in which a metric has a value in both.

    Attributes:
        before: their rows in the first table.
        after: their rows in the second.
        delta: how much the value grows in each, in the metric's own unit.
    """

    before: Ints
    after: Ints
    delta: Floats


def shared_rows(before: Rows, after: Rows, metric: str) -> Shared:
    """Find the episodes with a value on both sides."""
    places = {id_: row for row, id_ in enumerate(before.ids)}
    both = [(places[id_], row) for row, id_ in enumerate(after.ids) if id_ in places]
    first, second = np.asarray(both, dtype=np.int64).reshape(-1, 2).T
    a, b = before.values[metric], after.values[metric]
    defined = a.defined[first] & b.defined[second]
    first, second = first[defined], second[defined]
    return Shared(first, second, b.values[second] - a.values[first])


def clusters(step: Step, before: Rows, after: Rows, metric: str, causes: Causes) -> tuple[Cluster, ...]:
    """Sort the episodes that two tables share by what became of their success, and why.

    The points of all clusters add up to the difference of the two means over these episodes. Episodes
    without a flip whose value stays the same are left out: they carry nothing.
    """
    shared = shared_rows(before, after, metric)
    if not len(shared.delta):
        return ()
    change = _changes(before, after, shared)
    moved = np.flatnonzero((shared.delta != 0) | np.isin(change, FLIPS))
    ids = [after.ids[row] for row in shared.after[moved]]
    chosen: list[Change] = [change[i] for i in moved]
    groups: dict[tuple[Change, str], list[int]] = {}
    why = causes(ids, chosen)
    for place, (changed, cause) in enumerate(zip(chosen, why, strict=True)):
        groups.setdefault((changed, cause.name), []).append(place)
    scale = get_metric(metric).scale / len(shared.delta)
    found = [
        Cluster(
            step,
            changed,
            name,
            tuple(ids[i] for i in places),
            float(shared.delta[moved[places]].sum()) * scale,
            _moves([why[i] for i in places]),
        )
        for (changed, name), places in groups.items()
    ]
    return tuple(sorted(found, key=lambda c: (not c.flips, c.change, -len(c.episodes), c.cause)))


def _moves(causes: Sequence[Cause]) -> dict[int, int]:
    return dict(sorted(Counter(cause.step for cause in causes if cause.step is not None).items()))


def _changes(before: Rows, after: Rows, shared: Shared) -> list[Change]:
    a, b = before.values[SUCCESS], after.values[SUCCESS]
    known: Flags = a.defined[shared.before] & b.defined[shared.after]
    names: dict[tuple[bool, bool], Change] = {
        (True, False): "lost",
        (False, True): "gained",
        (True, True): "reached by both",
        (False, False): "failed by both",
    }
    reached = zip(a.values[shared.before] > 0, b.values[shared.after] > 0, strict=True)
    return [
        names[bool(x), bool(y)] if k else "success unknown" for k, (x, y) in zip(known, reached, strict=True)
    ]
