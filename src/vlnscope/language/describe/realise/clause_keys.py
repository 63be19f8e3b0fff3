"""Under which key of the phrases the wording of a clause is found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vlnscope.language.describe.candidates.statements import RouteStatement
from vlnscope.language.describe.realise.sentences import Unit

_ENTER_SIDE = 0.2
_STOP_AT = 0.2
_BARE_STAIRS = 0.15
_PASSED_SIDE = 0.45
_AT = {"in": " room", "at the end of": " end", "top of": " top", "bottom of": " bottom"}


def clause_key(unit: Unit, before: RouteStatement | None, rng: np.random.Generator) -> str:
    """Return the key for a clause; where there is a choice of what to say, it is drawn.

    Args:
        unit: the statements of the clause.
        before: the statement before it.
        rng: draws.
    """
    statement = unit[-1]
    if (
        statement.kind == "stop"
        and before is not None
        and statement.relation in ("near", "in front of")
        and _same(statement, before)
    ):
        return f"stop it {statement.relation}"
    if len(unit) == 2:
        pair = f"{unit[0].kind}+{statement.kind}"
        return "enter side" if pair == "turn+enter" and rng.random() < _ENTER_SIDE else pair
    key = _KEYS.get(statement.kind)
    return key(statement, rng) if key else statement.kind


def _same(statement: RouteStatement, before: RouteStatement) -> bool:
    """Return whether “it” can stand for the place of a statement, having just been named."""
    if before.kind not in ("past", "towards") or statement.place is None or before.place is None:
        return False
    plain = not before.place.relations and len(before.place.things) == 1
    return plain and statement.place.things == before.place.things


def _turn(statement: RouteStatement, rng: np.random.Generator) -> str:
    word = str(statement.direction)
    degree = " around" if word == "around" else " slight" if word.startswith("slight") else ""
    if statement.at is None:
        return f"turn{degree or (' ' + statement.how if statement.how else '')}"
    return f"turn at{_AT.get(str(statement.at_relation), '')}{degree}"


def _through(statement: RouteStatement, rng: np.random.Generator) -> str:
    kind = "door" if statement.place is not None and statement.place.what == "object" else "room"
    return f"through {kind} into" if statement.into else f"through {kind}"


def _enter(statement: RouteStatement, rng: np.random.Generator) -> str:
    place = statement.place
    return "enter outside" if place and place.name == "outdoor" and not place.relations else "enter"


def _stop(statement: RouteStatement, rng: np.random.Generator) -> str:
    if statement.place is None:
        return "stop"
    if statement.how == "middle":
        return "stop middle"
    if statement.relation == "in" and statement.place.what == "object":
        return "stop at entrance" if statement.place.relations else "stop doorway"
    if statement.relation == "near" and rng.random() < _STOP_AT:
        return "stop at"
    return f"stop {statement.relation}"


def _remark(statement: RouteStatement, rng: np.random.Generator) -> str:
    if statement.how == "not":
        return "remark not"
    if statement.relation == "in":
        return "remark in"
    return "remark ahead" if statement.side == "ahead" else "remark side"


def _stairs(statement: RouteStatement, rng: np.random.Generator) -> str:
    bare = statement.place is None or rng.random() < _BARE_STAIRS
    return f"stairs {statement.direction} bare" if bare else f"stairs {statement.direction}"


def _past(statement: RouteStatement, rng: np.random.Generator) -> str:
    if statement.relation == "between":
        return "between"
    needed = statement.place is not None and statement.place.side is not None
    return "past side" if needed or rng.random() < _PASSED_SIDE else "past"


def _exit(statement: RouteStatement, rng: np.random.Generator) -> str:
    return "exit into" if statement.into else "exit by" if statement.at else "exit"


def _go(statement: RouteStatement, rng: np.random.Generator) -> str:
    return "away" if statement.side else "go hallway" if statement.place else "go"


def _towards(statement: RouteStatement, rng: np.random.Generator) -> str:
    return "towards end" if statement.relation else "towards"


_KEYS: dict[str, Callable[[RouteStatement, np.random.Generator], str]] = {
    "turn": _turn,
    "through": _through,
    "enter": _enter,
    "stop": _stop,
    "remark": _remark,
    "stairs": _stairs,
    "past": _past,
    "exit": _exit,
    "go": _go,
    "towards": _towards,
}
