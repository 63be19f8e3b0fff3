"""Presence: whether what an instruction names was to be seen on a walk, and about when it should be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vlnscope.benchmarks.errors.detection.protocol import Outing
from vlnscope.language.lexicon import mentions, name_match, object_entry, room_match
from vlnscope.types import Percept

LEVELS = ("never", "elsewhere", "when expected", "twice", "four times", "eight times")
"""How clearly something is seen: the last ones say how often it is when it is expected."""
_WINDOW = 0.3
_OFTEN = (1.0, 2.0, 4.0, 8.0)
_FITS = 0.5


def presence(aspect: str, word: str, at: float, walk: Outing) -> int | None:
    """Return a level (index of `LEVELS`) for a room or an object; None if nobody can know.

    Args:
        aspect: ``room`` or ``object``.
        word: its name, an entry of the lexicon.
        at: where in the text it is named, from 0 to 1: about there on the walk it is expected.
        walk: what was seen.
    """
    if not knows(aspect, walk):
        return None
    amounts = [sighted(aspect, word, percept) for percept in walk.percepts]
    last = max(len(amounts) - 1, 1)
    then = max((amount for k, amount in enumerate(amounts) if abs(k / last - at) <= _WINDOW), default=0.0)
    if then > 0.0:
        return 1 + sum(then >= often for often in _OFTEN)
    return int(any(amount > 0.0 for amount in amounts))


def knows(aspect: str, walk: Outing) -> bool:
    """Return whether a walker senses rooms (or objects) at all."""
    if any(percept.captions() for percept in walk.percepts):
        return True
    if aspect == "room":
        return any(percept.room() is not None for percept in walk.percepts)
    return any(percept.objects() for percept in walk.percepts)


def sighted(aspect: str, word: str, percept: Percept) -> float:
    """Return how much of a room or an object can be seen: 0 nothing, from 2 on it cannot be missed."""
    said = float(sum(_said(aspect, word, caption) for caption in percept.captions()))
    if aspect == "room":
        return max(said, *_rooms(word, percept))
    names = [object_entry(thing.name) or thing.name for thing in percept.objects()]
    near = [thing.distance is None or thing.distance <= 3.0 for thing in percept.objects()]
    fits = [name_match(word, name) >= _FITS for name in names]
    return max(said, float(any(fits)) + float(any(a and b for a, b in zip(fits, near, strict=True))))


def _rooms(word: str, percept: Percept) -> Sequence[float]:
    here, beside = percept.room(), percept.rooms()
    inside = 2.0 if here is not None and room_match(word, here) >= _FITS else 0.0
    return inside, float(any(room_match(word, room.label) >= _FITS for room in beside))


@lru_cache(maxsize=200_000)
def _said(aspect: str, word: str, caption: str) -> bool:
    for mention in mentions(caption):
        if mention.part == aspect and (
            mention.name == word or (aspect == "object" and name_match(word, mention.name) >= _FITS)
        ):
            return True
    return False
