"""Whether planted names agree with the rest of their text: no desk in a bathroom, no bed in an office.

A text that contradicts itself gives the planted word away to whoever reads it, without a look at the scene.
What belongs together was counted: ``data/room_objects.json`` (objects by the label of their room),
``data/object_colocation.json`` and ``data/room_adjacency.json`` (``tools/measure_priors.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from vlnscope.benchmarks.errors.build.priors import prior_file
from vlnscope.benchmarks.errors.build.strict.context import context
from vlnscope.benchmarks.errors.build.strict.likeness import likeness
from vlnscope.benchmarks.errors.build.strict.witnesses import may_be
from vlnscope.benchmarks.errors.build.word_matching import Mention, parsed
from vlnscope.benchmarks.errors.build.words import DATA, class_of_object, room_classes
from vlnscope.language.lexicon import lexicon

AT_HOME = 0.5
"""How often an object must be found in rooms of a kind, as a share of what chance would give."""
LEAST = 3
"""How often it must be found there at all; a single find may be a slip of whoever drew the border."""
TOGETHER = 0.3
"""The same for two objects of one room, and for two rooms that adjoin."""
EXPECTED = 2.0
"""How many pairs chance must give before their absence says anything."""
_INSIDE = frozenset({"in", "EXIT", "inside", "of", "end of", "out of", "corner of", "middle of"})
_LEFT_BEHIND = frozenset({"EXIT", "out of", "from", "PASS", "past", "outside", "before"})
_SENTENCE = re.compile(r"[^.!?;\n]+")
_CLAUSE_MARK = re.compile(r"[.!?;,\n]|\b(?:and|then|into|through)\b", re.IGNORECASE)


class RoomObjects(msgspec.Struct, frozen=True):
    """In how many rooms of each label objects are.

    Attributes:
        about: what the file is.
        rooms: how many rooms of a label were looked at.
        objects: in how many of them each class of objects was found, by label.
    """

    about: str
    rooms: dict[str, int]
    objects: dict[str, dict[str, int]]


class NewName(NamedTuple):
    """A planted name, where it stands in the new text, and what stood there before."""

    new: Mention
    old: str


@cache
def room_objects() -> RoomObjects:
    """Return the counts of objects by the label of their room."""
    return msgspec.json.decode((DATA / "room_objects.json").read_bytes(), type=RoomObjects)


@cache
def at_home(name: str, letters: frozenset[str]) -> float:
    """Return how often an object is in rooms of some labels, as a multiple of what chance would give.

    Labels that may have been given instead are counted with them; 0 if it was found less than three times.

    Example:
        >>> at_home("bed", frozenset("b")) > 5, at_home("bed", frozenset("o"))
        (True, 0.0)
    """
    counts = room_objects()
    alike = may_be(letters)
    rooms = sum(counts.rooms.get(letter, 0) for letter in alike)
    found = sum(counts.objects.get(letter, {}).get(name, 0) for letter in alike)
    everywhere = sum(its.get(name, 0) for its in counts.objects.values())
    return found * sum(counts.rooms.values()) / (rooms * everywhere) if found >= LEAST else 0.0


def agrees(text: str, planted: Sequence[NewName], labels: Iterable[str]) -> bool:
    """Return whether all names that were planted agree with the text around them.

    Args:
        text: the instruction with the new words.
        planted: the rooms and objects that were put in.
        labels: label letters of the rooms where the planted objects are named, for texts that name none.

    Example:
        >>> text = "Enter the bathroom, wait at the desk."
        >>> agrees(text, [NewName(Mention(32, 36, "object", "desk"), "toilet")], "a")
        False
    """
    path = frozenset(labels)
    return all(
        _room_agrees(text, one) if one.new.what == "room" else _object_agrees(text, one.new, path)
        for one in planted
    )


def _object_agrees(text: str, new: Mention, path: frozenset[str]) -> bool:
    letters = _room_of(text, new) or path
    if letters and at_home(new.name, letters - {"-"}) < AT_HOME:
        return False
    near = _objects_by(text, new, 0)
    return all(_found_together("object_colocation", "reverie", new.name, other) for other in near)


def _objects_by(text: str, new: Mention, more: int) -> list[str]:
    """Return the objects named near a name, in so many sentences around its own, with no room in between."""
    tokens, around = parsed(text).tokens, _sentence(text, new.start, more)
    rooms = [token.span.start for token in tokens if token.category == "region"]
    near = []
    for token in tokens:
        at = token.span.start
        first, last = (at, new.start) if at < new.start else (new.end, at)
        other = token.category == "landmark" and at in around and not new.start <= at < new.end
        if other and not any(first < room < last for room in rooms):
            near.append(class_of_object(token.lemma) or token.lemma)
    return near


def _room_of(text: str, new: Mention) -> frozenset[str]:
    """Return the labels of the room that a text puts an object in; none if it does not say."""
    rooms = [token for token in parsed(text).tokens if token.category == "region"]
    sentence = _sentence(text, new.start, 0)
    for token in rooms:
        around = context(text, token.span.start, token.span.end)
        if token.span.start in sentence and token.span.start > new.end and around.governor in _INSIDE:
            return _letters(token.lemma)
    before = [token for token in rooms if token.span.end <= new.start]
    if not before:
        return frozenset()
    last = before[-1]
    left = context(text, last.span.start, last.span.end).governor in _LEFT_BEHIND
    return frozenset() if left else _letters(last.lemma)


def _letters(room: str) -> frozenset[str]:
    entry = lexicon().rooms.get(room)
    return frozenset(entry.letters) if entry is not None else frozenset()


def _room_agrees(text: str, one: NewName) -> bool:
    own, old = (frozenset(room_classes()[name].letters) for name in (one.new.name, one.old))
    signs = likeness().signs
    for other in _objects_by(text, one.new, 1):
        sign = other in signs.get(one.old, ()) and other not in signs.get(one.new.name, ())
        if sign or at_home(other, own) < TOGETHER <= at_home(other, old):
            return False
    return all(
        _found_together("room_adjacency", "real", one.new.name, room) for room in _rooms_beside(text, one.new)
    )


def _rooms_beside(text: str, new: Mention) -> list[str]:
    """Return the other rooms that are named in one phrase with a room."""
    beside = []
    for name, room in room_classes().items():
        for match in re.finditer(rf"\b(?:{'|'.join(map(re.escape, room.forms))})\b", text, re.IGNORECASE):
            between = text[min(match.end(), new.end) : max(match.start(), new.start)]
            if match.start() != new.start and not _CLAUSE_MARK.search(between):
                beside.append(name)
    return beside


def _found_together(file: str, source: str, a: str, b: str) -> bool:
    """Return whether two names were found together, or too rarely each for that to say anything."""
    counts = prior_file(file).sources[source]
    expected = counts.names.get(a, 0) * counts.names.get(b, 0) / counts.groups
    found = counts.pairs.get("|".join(sorted((a, b))), 0)
    return a == b or expected < EXPECTED or found >= TOGETHER * expected


def _sentence(text: str, at: int, more: int) -> range:
    """Return the characters of the sentence at a place, with so many sentences before and after it."""
    spans = [match.span() for match in _SENTENCE.finditer(text) if match[0].strip()]
    here = next((k for k, (start, end) in enumerate(spans) if start <= at < end), 0)
    return range(spans[max(0, here - more)][0], spans[min(len(spans) - 1, here + more)][1])
