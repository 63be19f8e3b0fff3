"""The types of errors: what each makes wrong, and how often R2RIE-CE has it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from vlnscope.benchmarks.errors.build.priors import Source, neighbours, others
from vlnscope.benchmarks.errors.build.swaps import cased_like
from vlnscope.benchmarks.errors.build.word_matching import (
    Matching,
    Mention,
    directions,
    kinds_at,
    objects,
    parsed,
    rooms,
)
from vlnscope.benchmarks.errors.build.words import Ingredient, object_classes, opposites, room_classes
from vlnscope.language.lexicon import lexicon

VAGUE_COLOURS = frozenset({"dark", "light", "colourful"})
ALIKE_COLOURS = (
    frozenset({"grey", "silver"}),
    frozenset({"brown", "beige"}),
    frozenset({"white", "beige"}),
    frozenset({"gold", "yellow"}),
    frozenset({"red", "orange", "pink"}),
    frozenset({"blue", "purple"}),
)
"""Colours that one may be called as well as the other."""
COUNTED = ("first", "second", "third", "fourth", "fifth", "last")
_UPS = {"up": "down", "upstairs": "downstairs", "upwards": "downwards", "top": "bottom", "ascend": "descend"}
VERTICAL: Mapping[str, str] = _UPS | {down: up for up, down in _UPS.items()}
_VERTICAL = re.compile(rf"\b(?:{'|'.join(sorted(VERTICAL, key=len, reverse=True))})\b", re.IGNORECASE)
_OF_STAIRS = re.compile(r"\s+of\s+(?:the\s+|these\s+|those\s+)?(?:\w+\s+)?(?:stair|step)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^\s.!?;][^.!?;\n]*[^\s.!?;]")


def colours(text: str) -> list[Mention]:
    """Return the colours that a text gives to things.

    Example:
        >>> [mention.name for mention in colours("Pass the grey couch with the dark rug.")]
        ['grey']
    """
    known = lexicon().attributes
    return [
        Mention(token.span.start, token.span.end, "attribute", token.lemma)
        for token in parsed(text).tokens
        if token.category == "attribute"
        and token.lemma in known
        and token.lemma not in VAGUE_COLOURS
        and token.text.lower() in known[token.lemma].forms
        and "colour" in known[token.lemma].kinds
    ]


def other_colours(name: str) -> dict[str, int]:
    """Return the colours that a colour is not, each with how often R2R says it.

    Example:
        >>> other = other_colours("grey")
        >>> "silver" in other, "blue" in other
        (False, True)
    """
    return {
        entry.name: max(1, entry.counts[0])
        for entry in lexicon().attributes.values()
        if "colour" in entry.kinds
        and entry.name not in VAGUE_COLOURS
        and entry.name != name
        and not any({name, entry.name} <= alike for alike in ALIKE_COLOURS)
    }


def ordinals(text: str) -> list[Mention]:
    """Return the ordinals of a text.

    Example:
        >>> [mention.name for mention in ordinals("Take the second door on the right.")]
        ['second']
    """
    return [
        Mention(token.span.start, token.span.end, "ordinal", token.text.lower())
        for token in parsed(text).tokens
        if token.category == "number" and token.text.lower() in COUNTED
    ]


def other_ordinals(name: str) -> dict[str, int]:
    """Return ordinals that mean something else: one more or one less; the first for the last.

    Example:
        >>> other_ordinals("second"), other_ordinals("last")
        ({'first': 1, 'third': 1}, {'first': 1})
    """
    at = COUNTED.index(name)
    near = ("first",) if name == "last" else COUNTED[max(0, at - 1) : at + 2]
    return {other: 1 for other in near if other not in (name, "last")}


def verticals(text: str) -> list[Mention]:
    """Return the words that say whether stairs are climbed or descended (“down the hall” says neither).

    Example:
        >>> text = "Go down the hall, up the stairs, stop at the top of the stairs."
        >>> [mention.name for mention in verticals(text)]
        ['up', 'top']
    """
    return [
        Mention(*match.span(), "vertical", match[0].lower())
        for match in _VERTICAL.finditer(text)
        if _is_vertical(text, match)
    ]


def _is_vertical(text: str, match: re.Match[str]) -> bool:
    word = match[0].lower()
    if word in ("top", "bottom"):
        return bool(_OF_STAIRS.match(text, match.end()))
    if word not in ("up", "down"):
        return True
    return "stairs" in kinds_at(text, *match.span())


def orders(text: str) -> list[Mention]:
    """Return each pair of neighbouring sentences, as one stretch of text; `name` is the two swapped.

    Example:
        >>> [mention.name for mention in orders("Turn left. Pass the bed. Stop")]
        ['Pass the bed. Turn left', 'Stop. Pass the bed']
    """
    mentions = []
    for a, b in pairwise(_SENTENCE.finditer(text)):
        if a[0].lower() != b[0].lower():
            swapped = cased_like(a[0][:1], b[0]) + text[a.end() : b.start()] + cased_like(b[0][:1], a[0])
            mentions.append(Mention(a.start(), b.end(), "order", swapped))
    return mentions


class ErrorType(NamedTuple):
    """A type of error.

    Attributes:
        name: as users write it.
        code: the number that files have for it (0 is no error); 1 to 5 in the order of the paper.
        ingredients: what is made wrong, once each.
        published: perturbed episodes in Table I of the paper; None for types beyond it.
        pieces: mean length there in word-pieces.
    """

    name: str
    code: int
    ingredients: tuple[Ingredient, ...]
    published: int | None = None
    pieces: float | None = None


TYPES: Mapping[str, ErrorType] = {
    one.name: one
    for one in (
        ErrorType("direction", 1, ("direction",), 1609, 31.59),
        ErrorType("room", 2, ("room",), 1032, 32.05),
        ErrorType("object", 3, ("object",), 1581, 30.94),
        ErrorType("room-object", 4, ("room", "object"), 867, 33.35),
        ErrorType("all", 5, ("direction", "room", "object"), 793, 34.58),
        ErrorType("attribute", 6, ("attribute",)),
        ErrorType("ordinal", 7, ("ordinal",)),
        ErrorType("vertical", 8, ("vertical",)),
        ErrorType("order", 9, ("order",)),
    )
}
PAPER = ("direction", "room", "object", "room-object", "all")


def mentions(text: str, what: Ingredient, matching: Matching) -> list[Mention]:
    """Return where a text can be made wrong in one way; the matching rule is for directions and rooms."""
    match what:
        case "direction":
            return directions(text, matching)
        case "room":
            return rooms(text, matching)
        case "object":
            return objects(text)
        case "attribute":
            return colours(text)
        case "ordinal":
            return ordinals(text)
        case "vertical":
            return verticals(text)
        case "order":
            return orders(text)


class Replacement(NamedTuple):
    """What may stand in for a mention: its class, the words, and how likely it is drawn."""

    name: str
    words: str
    weight: int


def replacements(mention: Mention, *, common_sense: bool, priors: Source) -> list[Replacement]:
    """Return what may stand in for a mention and means something else.

    Example:
        >>> spot = Mention(0, 8, "room", "kitchen", plural=True)
        >>> [one.words for one in replacements(spot, common_sense=True, priors="real")][:2]
        ['hallways', 'living rooms']
    """
    match mention.what:
        case "direction":
            return [Replacement(opposites()[mention.name], opposites()[mention.name], 1)]
        case "vertical":
            return [Replacement(VERTICAL[mention.name], VERTICAL[mention.name], 1)]
        case "order":
            return [Replacement(mention.name, mention.name, 1)]
        case "attribute":
            said = lexicon().attributes
            return [Replacement(k, said[k].forms[0], n) for k, n in other_colours(mention.name).items()]
        case "ordinal":
            return [Replacement(name, name, n) for name, n in other_ordinals(mention.name).items()]
        case "room" | "object" as what:
            classes = room_classes() if what == "room" else object_classes()
            likely = neighbours(what, mention.name, priors) if common_sense else others(what, mention.name)
            return [
                Replacement(name, classes[name].said(plural=mention.plural), n) for name, n in likely.items()
            ]
