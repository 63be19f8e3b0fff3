"""How statements become sentences: which share a clause, where a sentence ends, what joins the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from vlnscope.language.describe.candidates.statements import RouteStatement

T = TypeVar("T")
Unit = tuple[RouteStatement, ...]
"""Statements that are worded as one clause."""

_LONGEST = {"terse": 3, "r2r": 3, "rxr": 3}
_SHARED = 0.35
_TWO = ((" and ", 0.7), (" and then ", 0.12), (", then ", 0.18))
_THREE = (((", ", " and "), 0.5), ((", ", ", and "), 0.15), ((" and ", ", then "), 0.35))


def units_of(statements: Sequence[RouteStatement], rng: np.random.Generator) -> list[Unit]:
    """Return the clauses: a turn straight into a room is one, other pairs now and then, the rest alone."""
    units: list[Unit] = []
    for statement in statements:
        before = units[-1][0] if units and len(units[-1]) == 1 else None
        if before and (_into(before, statement) or (_pair(before, statement) and rng.random() < _SHARED)):
            units[-1] = (before, statement)
        else:
            units.append((statement,))
    return units


def _into(turn: RouteStatement, statement: RouteStatement) -> bool:
    place = statement.place
    plain = place is not None and not place.relations and place.name != "outdoor"
    short = statement.kind == "enter" and statement.last - statement.first == 1 and plain
    return _is_plain_turn(turn) and short


def _is_plain_turn(statement: RouteStatement) -> bool:
    return statement.kind == "turn" and statement.at is None and statement.direction in ("left", "right")


def _pair(before: RouteStatement, statement: RouteStatement) -> bool:
    """Return whether two statements can share a clause: “walk down the hall past the couch”."""
    kinds = (before.kind, statement.kind)
    named = before.place is not None and before.place.side is None
    if kinds == ("past", "enter"):
        indoors = statement.place is not None and statement.place.name != "outdoor"
        return named and before.relation is None and indoors
    if before.kind in ("past", "enter", "through", "exit") and _is_plain_turn(statement):
        bare = before.relation is None and before.into is None and before.at is None
        return named and bare and before.place is not None and before.place.ordinal is None
    hall = before.kind == "go" and before.side is None and before.place is not None
    return (
        hall
        and statement.kind in ("past", "towards")
        and statement.relation is None
        and bool(statement.place and not statement.place.side)
    )


def sentences_of(units: Sequence[Unit], register: str, rng: np.random.Generator) -> list[list[Unit]]:
    """Group clauses to sentences as people do: a turn goes with what follows, a remark stands alone."""
    sentences: list[list[Unit]] = []
    for unit in units:
        if sentences and rng.random() >= _break(sentences[-1], unit, register):
            sentences[-1].append(unit)
        else:
            sentences.append([unit])
    return sentences


def _break(sentence: Sequence[Unit], unit: Unit, register: str) -> float:
    """Return how likely a new sentence begins before a clause."""
    last, first = sentence[-1][-1].kind, unit[0]
    if len(sentence) >= _LONGEST[register] or "remark" in (last, first.kind) or first.at is not None:
        return 1.0
    if last in ("turn", "face"):
        return 0.08
    if first.kind == "turn":
        return 0.4
    return {"stop": 0.35}.get(first.kind, 0.5) + 0.15 * (len(sentence) - 1)


def joints(count: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Return what stands between the clauses of a sentence."""
    if count < 2:
        return ()
    if count == 2:
        return (_draw(_TWO, rng),)
    return (", ",) * (count - 3) + _draw(_THREE, rng)


def _draw(options: Sequence[tuple[T, float]], rng: np.random.Generator) -> T:
    point = rng.random()
    for option, share in options:
        point -= share
        if point < 0:
            return option
    return options[-1][0]
