"""How a truncated text ends: in the middle of a phrase, with a stop, with a turn, or having led somewhere.

Sub-instructions are cut by hand, and not always between two phrases. What is appended to a text that breaks
off, that ends with a stop or that ends with a turn to be made on the spot means something else than the key
has, or nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from vlnscope.language.actions import Action, Direction
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.parse import parse

MOVES = frozenset({"go", "stairs", "towards", "past", "enter", "exit", "through"})
"""Actions that take a walker from one place to another."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BOUNDARY = re.compile(r"[^\S\r\n]*(?:$|[^\w\s]|[\r\n]|(?:and|then)\b)", re.IGNORECASE)
_VERBS = (
    *("WALK", "CONTINUE", "START", "TURN", "VEER", "MAKE", "TAKE", "FACE", "PASS", "ENTER", "EXIT", "CLIMB"),
    *("DESCEND", "CROSS", "FOLLOW", "STOP", "ONCE"),
)
"""Words of the lexicon with which the next thing to do begins where punctuation is missing."""
_HANGING = frozenset(
    {
        "a", "an", "the", "your", "its", "and", "or", "but", "then", "of", "to", "at", "with", "from", "into",
        "onto", "towards", "toward", "between", "near", "by", "for", "until", "till", "before", "after",
        "when", "while", "where", "which", "that", "as", "so", "will", "would", "be", "you're",
        "turn", "make", "take", "go", "walk", "head", "continue", "proceed", "passed", "stop", "stopping",
        "second", "third", "fourth", "fifth", "very", "just", "still", "sitting",
    }
)  # fmt: skip
"""Words after which something is missing."""


class TextEnd(NamedTuple):
    """What a text ends with.

    Attributes:
        turns: the turns after its last move, in order; None is one whose direction it does not say.
        faces: whether it ends by having the walker face something.
        stops: whether it ends with a stop.
        moves: whether it has the walker move at all.
    """

    turns: tuple[Direction | None, ...] = ()
    faces: bool = False
    stops: bool = False
    moves: bool = True


@lru_cache(maxsize=8192)
def text_end(text: str) -> TextEnd:
    """Return what a text ends with.

    Example:
        >>> text_end("Walk into the hallway and turn left.").turns
        ('left',)
        >>> text_end("Turn left and walk past the sofa.").turns, text_end("Walk in and wait.").stops
        ((), True)
    """
    actions = [action for action in parse(text).actions if action.kind != "remark"]
    tail: list[Action] = []
    for action in reversed(actions):
        if action.kind in MOVES or (action.kind == "stop" and tail):
            break
        tail.insert(0, action)
    return TextEnd(
        turns=tuple(action.direction for action in tail if action.kind == "turn"),
        faces=any(action.kind == "face" and action.side in (None, "ahead", "behind") for action in tail),
        stops=any(action.kind == "stop" for action in tail),
        moves=any(action.kind in MOVES or action.at is not None for action in actions),
    )


def breaks_off(text: str, rest: str) -> bool:
    """Say whether a text was cut in the middle of a phrase.

    Args:
        text: up to the cut.
        rest: what follows in the whole instruction; empty if that is not known.

    Example:
        >>> breaks_off("Go straight, take a", " left once you are in."), breaks_off("Stop near the", "")
        (True, True)
        >>> breaks_off("Walk past the chair", " and turn left."), breaks_off("Leave the room.", " Wait.")
        (False, False)
    """
    words = _WORD.findall(text.lower())
    if text.endswith((".", "!", "?", ";")):
        return False
    if not words or words[-1] in _HANGING:
        return True
    if not text[-1:].isalnum() or _BOUNDARY.match(rest):
        return False
    following = _WORD.match(rest.lstrip())
    return following is None or following[0].lower() not in _beginnings()


@lru_cache(maxsize=1)
def _beginnings() -> frozenset[str]:
    words = lexicon().words
    return frozenset(form for terminal in _VERBS for form in words[terminal].forms)
