"""Shares out what changed switches do to a mean, so that the shares add up to the whole difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial
from typing import Literal, NamedTuple

from vlnscope.evaluate.gap.result import GapPart
from vlnscope.evaluate.gap.settings import WORDS, MeansBySetting, changed_for, partly
from vlnscope.metrics.profiles.profile import Profile

EXACT = 8
"""So many things at most are shared out exactly: that takes the worth of 2^8 combinations."""

Worth = Callable[[frozenset[str]], float]


class Shares(NamedTuple):
    """How much of a difference each thing explains, and how that was found."""

    points: dict[str, float]
    method: Literal["shapley", "in order"]


def shares(changed: Sequence[str], worth: Worth) -> Shares:
    """Share out ``worth(all) − worth(none)`` among what changed.

    Shapley values (L. S. Shapley 1953): what a change adds, averaged over all orders in which the changes
    can be made. They add up to the whole, a change that never does anything gets nothing, and two that do
    the same get the same. With more than `EXACT` changes they are made one after the other as they are
    listed, which adds up too, but depends on the order.

    Args:
        changed: names of what changed.
        worth: the value with some of the changes made.

    Example:
        >>> shares(["a", "b"], lambda made: 6.0 if len(made) == 2 else 0.0).points
        {'a': 3.0, 'b': 3.0}
    """
    if len(changed) > EXACT:
        return Shares(_in_order(changed, worth), "in order")
    return Shares({name: _average(name, changed, worth) for name in changed}, "shapley")


def subsets(changed: Sequence[str]) -> list[frozenset[str]]:
    """Return the combinations whose worth `shares` asks for."""
    if len(changed) > EXACT:
        return [frozenset(changed[:k]) for k in range(len(changed) + 1)]
    return [frozenset(some) for size in range(len(changed) + 1) for some in combinations(changed, size)]


def _average(name: str, changed: Sequence[str], worth: Worth) -> float:
    others = [other for other in changed if other != name]
    total = 0.0
    for changes in subsets(others):
        orders = factorial(len(changes)) * factorial(len(others) - len(changes))
        total += orders * (worth(changes | {name}) - worth(changes))
    return total / factorial(len(changed))


def _in_order(changed: Sequence[str], worth: Worth) -> dict[str, float]:
    steps = [worth(changes) for changes in subsets(changed)]
    return {name: steps[k + 1] - steps[k] for k, name in enumerate(changed)}


def switch_parts(
    means: MeansBySetting, metric: str, base: Profile, other: Profile
) -> tuple[list[GapPart], Shares] | None:
    """Share out what changing the switches does to the mean of some walks.

    Returns None if a mean that is needed does not exist: no episode has a value under some setting.
    """
    changed = changed_for([metric], base.switches, other.switches)
    names = list(changed)
    settings = {changes: partly(base.switches, other.switches, changes) for changes in subsets(names)}
    alone = {name: partly(base.switches, other.switches, [name]) for name in names}
    means.prepare((metric, setting) for setting in (*settings.values(), *alone.values()))
    worth = {changes: means.of(metric, setting).points for changes, setting in settings.items()}
    known = {changes: points for changes, points in worth.items() if points is not None}
    if len(known) < len(worth):
        return None
    shared = shares(names, known.__getitem__)
    start = means.of(metric, base.switches)
    parts = [
        GapPart(
            "switch",
            name,
            WORDS.get(name, name),
            shared.points[name],
            setting=changed[name],
            alone=start.to(means.of(metric, alone[name])),
        )
        for name in names
    ]
    return sorted(parts, key=lambda part: -abs(part.points)), shared
