"""The types of errors: what each makes wrong, and how often R2RIE-CE has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from vlnscope.benchmarks.errors.build.extra_types import (
    VERTICAL,
    colours,
    orders,
    ordinals,
    other_colours,
    other_ordinals,
    verticals,
)
from vlnscope.benchmarks.errors.build.priors import Source, neighbours, others
from vlnscope.benchmarks.errors.build.word_matching import Matching, Mention, directions, objects, rooms
from vlnscope.benchmarks.errors.build.words import Ingredient, object_classes, opposites, room_classes
from vlnscope.language.lexicon.lexicon import lexicon


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
