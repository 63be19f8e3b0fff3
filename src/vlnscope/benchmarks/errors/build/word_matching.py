"""Finding the words of an instruction that can be made wrong.

Directions and rooms are found as the paper describes, by their words alone; the parser then tells which are
sure (`is_sure`): “right” in “right before the door” is no direction, “dining room” in “dining room table” is
no room.
Objects, colours and ordinals are found by the parser, and what it does not read as such is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from vlnscope.benchmarks.errors.build.words import (
    Ingredient,
    WordClass,
    object_classes,
    opposites,
    room_classes,
)
from vlnscope.language.actions import Parse, Token
from vlnscope.language.parse import parse

Matching = Literal["word", "substring"]
_STOPS = ".!?;\n"
MATCHINGS: tuple[Matching, ...] = ("word", "substring")


class Mention(NamedTuple):
    """Words that can be made wrong.

    Attributes:
        start, end: characters ``text[start:end]``.
        what: what kind of error they allow.
        name: their class, or the words themselves, in lower case, of directions.
        plural: whether they are a plural.
    """

    start: int
    end: int
    what: Ingredient
    name: str
    plural: bool = False


@lru_cache(maxsize=4096)
def parsed(text: str) -> Parse:
    """Return what an instruction asks for; kept, because several types of errors ask for it."""
    return parse(text)


def has_words(text: str, what: Literal["direction", "room"], matching: Matching) -> bool:
    """Return whether a text has a direction or a room, by its words alone.

    Example:
        >>> [has_words(text, "direction", "word") for text in ("Stop right there.", "A bright hall")]
        [True, False]
    """
    spellings = opposites() if what == "direction" else _spellings("room")
    return _pattern(tuple(spellings), matching).search(text) is not None


def directions(text: str, matching: Matching = "word") -> list[Mention]:
    """Return the directions that have an opposite.

    Example:
        >>> [mention.name for mention in directions("Go up the hall, turn left right in front.")]
        ['go up', 'left', 'right']
    """
    matches = _pattern(tuple(opposites()), matching).finditer(text)
    return [Mention(*match.span(), "direction", " ".join(match[0].lower().split())) for match in matches]


def rooms(text: str, matching: Matching = "word") -> list[Mention]:
    """Return the rooms of the paper's list.

    Example:
        >>> [mention.name for mention in rooms("Leave the restroom, pass the dining room table.")]
        ['bathroom', 'dining room']
    """
    return found_classes(text, "room", matching)


def found_classes(text: str, what: Literal["room", "object"], matching: Matching = "word") -> list[Mention]:
    """Return all names of rooms or objects in a text, found by their spelling alone.

    Example:
        >>> [mention.name for mention in found_classes("Pass the couch and the kitchen table.", "object")]
        ['sofa', 'table']
    """
    spellings = _spellings(what)
    matches = _pattern(tuple(spellings), matching).finditer(text)
    return [Mention(*m.span(), what, *spellings[" ".join(m[0].lower().split())]) for m in matches]


def is_sure(text: str, mention: Mention) -> bool:
    """Return whether the parser reads a mention as what it is taken for.

    Example:
        >>> text = "Go up the hall, turn left right in front."
        >>> [is_sure(text, mention) for mention in directions(text)]
        [False, True, False]
        >>> [is_sure("Pass the dining room table.", m) for m in rooms("Pass the dining room table.")]
        [False]
    """
    sentence, start = sentence_at(text, mention.start)
    end = start + mention.end - mention.start
    tokens = _tokens(sentence, start, end)
    if mention.what == "room":
        return bool(tokens) and all(_is_room(token, mention.name) for token in tokens)
    if mention.name in ("go up", "go down"):  # up or down a hallway is the same
        return "stairs" in kinds_at(sentence, start, end)
    if mention.what == "direction":
        return bool(tokens) and tokens[-1].category not in ("glue", "irrelevant")
    return True


def sentence_at(text: str, at: int) -> tuple[str, int]:
    """Return the sentence around a place, and where in it the place is; parsing it alone is fast.

    Example:
        >>> sentence_at("Go up. Stop here.", 7)
        (' Stop here', 1)
    """
    first = max(text.rfind(stop, 0, at) for stop in _STOPS) + 1
    last = min((end for stop in _STOPS if (end := text.find(stop, at)) >= 0), default=len(text))
    return text[first:last], at - first


def kinds_at(text: str, start: int, end: int) -> list[str]:
    """Return the kinds of the actions that some words of a text belong to."""
    actions = parsed(text).actions
    return [actions[t.action].kind for t in _tokens(text, start, end) if t.action is not None]


def objects(text: str) -> list[Mention]:
    """Return the objects of our list; what only describes another noun (“pool area”) is none.

    Example:
        >>> [(m.name, m.plural) for m in objects("Pass the couches and the coffee table.")]
        [('sofa', True), ('coffee table', False)]
    """
    spellings = _spellings("object")
    mentions = []
    tokens = parsed(text).tokens
    runs = [list(run) for _, run in groupby(tokens, key=lambda t: (t.lemma, t.category, t.action))]
    for run, after in zip(runs, [*runs[1:], []], strict=True):
        start, end = run[0].span.start, run[-1].span.end
        known = spellings.get(" ".join(text[start:end].lower().split()))
        if run[0].category != "landmark" or known is None or known[0] != run[0].lemma:
            continue
        if not (after and after[0].category in ("landmark", "region") and _touch(text, end, after[0])):
            mentions.append(Mention(start, end, "object", *known))
    return mentions


def _is_room(token: Token, name: str) -> bool:
    return token.lemma == name and token.category in ("region", "landmark")


def _touch(text: str, end: int, after: Token) -> bool:
    return not text[end : after.span.start].strip()


def _tokens(text: str, start: int, end: int) -> list[Token]:
    return [token for token in parsed(text).tokens if token.span.start < end and start < token.span.end]


@cache
def _spellings(what: Literal["room", "object"]) -> Mapping[str, tuple[str, bool]]:
    """Return the class of each spelling, and whether it is a plural."""
    classes = room_classes() if what == "room" else object_classes()
    return {spelling: (name, plural) for name, one in classes.items() for spelling, plural in _said(one)}


def _said(words: WordClass) -> Iterator[tuple[str, bool]]:
    yield from ((plural, True) for plural in words.plurals if plural not in words.forms)
    yield from ((form, False) for form in words.forms)


@cache
def _pattern(spellings: tuple[str, ...], matching: Matching) -> re.Pattern[str]:
    ordered = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    any_of = "|".join(re.escape(spelling).replace(r"\ ", r"\s+") for spelling in ordered)
    return re.compile(any_of if matching == "substring" else rf"\b(?:{any_of})\b", re.IGNORECASE)
