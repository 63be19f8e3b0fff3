"""Under which key of the phrases the wording of a clause is found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vlnscope.language.describe.candidates.statements import Clue
from vlnscope.language.describe.realise.sentences import Unit

_ENTER_SIDE = 0.2
_STOP_AT = 0.2
_BARE_STAIRS = 0.15
_PASSED_SIDE = 0.45
_AT = {"in": " room", "at the end of": " end", "top of": " top", "bottom of": " bottom"}


def clause_key(unit: Unit, before: Clue | None, rng: np.random.Generator) -> str:
    """Return the key for a clause; where there is a choice of what to say, it is drawn.

    Args:
        unit: the statements of the clause.
        before: the statement before it.
        rng: draws.
    """
    clue = unit[-1]
    if (
        clue.kind == "stop"
        and before is not None
        and clue.relation in ("near", "in front of")
        and _same(clue, before)
    ):
        return f"stop it {clue.relation}"
    if len(unit) == 2:
        pair = f"{unit[0].kind}+{clue.kind}"
        return "enter side" if pair == "turn+enter" and rng.random() < _ENTER_SIDE else pair
    key = _KEYS.get(clue.kind)
    return key(clue, rng) if key else clue.kind


def _same(clue: Clue, before: Clue) -> bool:
    """Return whether “it” can stand for the place of a statement, having just been named."""
    if before.kind not in ("past", "towards") or clue.place is None or before.place is None:
        return False
    plain = not before.place.relations and len(before.place.things) == 1
    return plain and clue.place.things == before.place.things


def _turn(clue: Clue, rng: np.random.Generator) -> str:
    word = str(clue.direction)
    manner = " around" if word == "around" else " slight" if word.startswith("slight") else ""
    if clue.at is None:
        return f"turn{manner or (' ' + clue.how if clue.how else '')}"
    return f"turn at{_AT.get(str(clue.at_relation), '')}{manner}"


def _through(clue: Clue, rng: np.random.Generator) -> str:
    kind = "door" if clue.place is not None and clue.place.what == "object" else "room"
    return f"through {kind} into" if clue.into else f"through {kind}"


def _enter(clue: Clue, rng: np.random.Generator) -> str:
    plain = clue.place is not None and clue.place.name == "outdoor" and not clue.place.relations
    return "enter outside" if plain else "enter"


def _stop(clue: Clue, rng: np.random.Generator) -> str:
    if clue.place is None:
        return "stop"
    if clue.how == "middle":
        return "stop middle"
    if clue.relation == "in" and clue.place.what == "object":
        return "stop at entrance" if clue.place.relations else "stop doorway"
    if clue.relation == "near" and rng.random() < _STOP_AT:
        return "stop at"
    return f"stop {clue.relation}"


def _remark(clue: Clue, rng: np.random.Generator) -> str:
    if clue.how == "not":
        return "remark not"
    return "remark in" if clue.relation == "in" else "remark ahead" if clue.side == "ahead" else "remark side"


def _stairs(clue: Clue, rng: np.random.Generator) -> str:
    bare = clue.place is None or rng.random() < _BARE_STAIRS
    return f"stairs {clue.direction} bare" if bare else f"stairs {clue.direction}"


def _past(clue: Clue, rng: np.random.Generator) -> str:
    if clue.relation == "between":
        return "between"
    needed = clue.place is not None and clue.place.side is not None
    return "past side" if needed or rng.random() < _PASSED_SIDE else "past"


def _exit(clue: Clue, rng: np.random.Generator) -> str:
    return "exit into" if clue.into else "exit by" if clue.at else "exit"


def _go(clue: Clue, rng: np.random.Generator) -> str:
    return "away" if clue.side else "go hallway" if clue.place else "go"


def _towards(clue: Clue, rng: np.random.Generator) -> str:
    return "towards end" if clue.relation else "towards"


_KEYS: dict[str, Callable[[Clue, np.random.Generator], str]] = {
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
