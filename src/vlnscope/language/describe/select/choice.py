"""How much to say, and choosing among statements: one of several, or a chain that covers a walk."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp
from typing import NamedTuple

from vlnscope.language.describe.candidates.statements import RouteStatement

_KEEN = 1.5
Group = tuple[str, int, int, bool]
"""Kind, first and last step, and whether a room is named: statements alike in these are alternatives."""


class Verbosity(NamedTuple):
    """How much is said.

    Attributes:
        size: how many statements, turns, remarks and the stop not counted.
        turns: share of the turns that are said where the statement after them might do without.
        places: share of the turns of which it is said where they are made.
        remarks: remarks per step on the way.
        opening: whether it is said first where the walker is.
        embellished: share of the plain names that get an attribute without need.
        stairs: share of the instructions that speak of stairs which are only seen.
        brevity: how much the worth of a statement falls with each word.
        faced: share of the first turns that are said by what the walker is to face.
    """

    size: int
    turns: float = 0.9
    places: float = 0.2
    remarks: float = 0.0
    opening: bool = False
    embellished: float = 0.15
    stairs: float = 0.0
    brevity: float = 0.0
    faced: float = 0.1


def pick(
    statements: Sequence[RouteStatement], blame: Mapping[RouteStatement, float], chance: float
) -> RouteStatement:
    """Return one of several statements; a better one that is not to blame is likelier."""
    if len(statements) == 1:
        return statements[0]
    upto = list(accumulate(exp(_KEEN * (it.worth - blame.get(it, 0.0))) for it in statements))
    return statements[min(bisect(upto, chance * upto[-1]), len(statements) - 1)]


def words_in(statement: RouteStatement) -> int:
    """Return about how many words a statement takes.

    Example:
        >>> words_in(RouteStatement("go", 0, 1, "straight"))
        2
    """
    names = [ref for ref in (statement.place, statement.into, statement.at) if ref is not None]
    extra = sum(len(ref.attributes) + 3 * (ref.side is not None) + 4 * len(ref.relations) for ref in names)
    return 2 + 2 * len(names) + extra + sum(ref.ordinal is not None for ref in names)


def best_chain(
    end: int, picked: dict[Group, RouteStatement], values: dict[Group, float], size: int
) -> tuple[RouteStatement, ...]:
    """Return the statements that lead from start to stop and are worth most, as nearly `size` as can be."""
    leaving: list[list[tuple[Group, RouteStatement]]] = [[] for _ in range(end + 1)]
    for group, statement in picked.items():
        leaving[statement.first].append((group, statement))
    best: list[dict[int, tuple[float, tuple[RouteStatement, ...]]]] = [{} for _ in range(end + 1)]
    for first in range(end, -1, -1):
        for group, statement in leaving[first]:
            if statement.kind == "stop":
                _improve(best[first], 0, values[group], (statement,))
            else:
                for count, (value, rest) in best[statement.last].items():
                    _improve(best[first], count + 1, value + values[group], (statement, *rest))
    chains = best[0]
    return chains[min(chains, key=lambda count: (abs(count - size), count))][1]


def _improve(
    table: dict[int, tuple[float, tuple[RouteStatement, ...]]],
    count: int,
    value: float,
    chain: tuple[RouteStatement, ...],
) -> None:
    if count not in table or table[count][0] < value:
        table[count] = (value, chain)
