"""What an instruction asks for: atomic actions with places, directions and numbers.

Parsing makes these from text, describing makes text from these, and grounding looks for the walk that
carries them out. The kinds are those of the NavNuances grammar (turning, stairs, landmarks, regions),
extended by plain walking, facing, stopping and remarks that ask for nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec


def summarise(action: Action) -> str:
    """Return what an action asks for in one line: kind, direction, place, side, where it happens.

    Example:
        >>> sofa = NamedPlace(what="object", name="sofa", attributes=("red",))
        >>> summarise(Action(kind="turn", direction="left", at=sofa, at_relation="after"))
        'turn(left, @after sofa[red])'
    """
    place = action.place and summarise_place(action.place)
    parts = [
        action.direction,
        " ".join(part for part in (action.relation, place) if part),
        action.side and f"side {action.side}",
        action.at and f"@{action.at_relation} {summarise_place(action.at)}",
    ]
    return f"{action.kind}({', '.join(part for part in parts if part)})"


def summarise_place(place: NamedPlace) -> str:
    """Return a place in one line; rooms are in capitals, ``#2`` is the second, ``x2`` two of them.

    Example:
        >>> kitchen = NamedPlace(what="room", name="kitchen")
        >>> summarise_place(NamedPlace(what="object", name="door", ordinal=2, relations=(("at", kitchen),)))
        'door[#2, at KITCHEN]'
    """
    parts = [
        "/".join(place.attributes),
        place.ordinal and f"#{place.ordinal}",
        None if place.count is None else f"x{place.count}",
        place.side and f"side {place.side}",
        *(f"{relation} {summarise_place(other)}" for relation, other in place.relations),
    ]
    said = ", ".join(str(part) for part in parts if part)
    name = place.name.upper() if place.what == "room" else place.name
    return f"{name}[{said}]" if said else name


ActionKind = Literal[
    "turn", "go", "stairs", "face", "towards", "past", "enter", "exit", "through", "stop", "remark"
]
Direction = Literal[
    "left", "right", "slight left", "slight right", "around", "straight", "back", "up", "down"
]
Side = Literal["left", "right", "ahead", "behind"]
Relation = Literal[
    "at", "near", "in", "on", "in front of", "behind", "between", "left of", "right of",
    "opposite", "under", "before", "after", "at the end of", "top of", "bottom of", "with",
]  # fmt: skip
Category = Literal[
    "turning", "stairs", "landmark", "region", "number", "direction", "attribute", "stop", "motion",
    "relation", "glue", "irrelevant", "unknown",
]  # fmt: skip


class Span(NamedTuple):
    """Characters ``text[start:end]`` of an instruction."""

    start: int
    end: int


class NamedPlace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An object or a room that an instruction speaks of.

    Attributes:
        what: whether it is an object (doors, stairs and windows too) or a room.
        name: its entry in the lexicon (``sofa`` for “couch”, ``bedroom`` for “master bedroom”).
        span: the words that name it, with article, attributes and relations.
        attributes: colours, materials, sizes, as the lexicon spells them.
        ordinal: 1 for “first”, -1 for “last”.
        count: how many, if the text says so (“two chairs”); 0 for “some” of a plural.
        side: where it is said to be, seen by the walker (“on your left”).
        relations: where it is said to be, seen from other places (“next to the lamp”).
    """

    what: Literal["object", "room"]
    name: str
    span: Span = Span(0, 0)
    attributes: tuple[str, ...] = ()
    ordinal: int | None = None
    count: int | None = None
    side: Side | None = None
    relations: tuple[tuple[Relation, NamedPlace], ...] = ()


class Action(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to do.

    Attributes:
        kind: ``turn`` on the spot, ``go`` some way in a direction, take the ``stairs``, ``face`` a place
            without walking, walk ``towards`` a place until there, walk ``past`` it, ``enter``, ``exit`` or
            walk ``through`` a room or a door, ``stop``, or a ``remark`` (“you will see a sofa”).
        span: all its words.
        direction: which way: of a turn, of going, of stairs.
        place: what is approached, passed, entered, left, walked through or stopped at.
        relation: how it stands to `place` where the kind alone does not say (stop ``near``, ``in front of``).
        at: where the action is to happen (“turn left **at the sofa**”), with `at_relation`
            (``at``, ``before``, ``after``).
        side: on which side `place` is passed or kept.
    """

    kind: ActionKind
    span: Span = Span(0, 0)
    direction: Direction | None = None
    place: NamedPlace | None = None
    relation: Relation | None = None
    at: NamedPlace | None = None
    at_relation: Relation | None = None
    side: Side | None = None


class Token(msgspec.Struct, frozen=True):
    """A word (or number) of an instruction.

    Attributes:
        text: as written.
        span: where.
        lemma: what the lexicon made of it, spelling mended; the text in lower case if it is unknown.
        category: which part it plays.
        action: number of the action that it belongs to; None if it was skipped.
    """

    text: str
    span: Span
    lemma: str
    category: Category
    action: int | None


class Parse(msgspec.Struct, frozen=True):
    """What was understood of an instruction.

    Attributes:
        text: the instruction.
        actions: what it asks for, in order.
        tokens: all its words, in order; punctuation is not listed.
    """

    text: str
    actions: tuple[Action, ...]
    tokens: tuple[Token, ...]

    @property
    def skipped(self) -> tuple[Token, ...]:
        """The words that are part of no action."""
        return tuple(token for token in self.tokens if token.action is None)

    @property
    def coverage(self) -> float:
        """Share of the words that are part of an action; 1 for an empty text."""
        return 1.0 - len(self.skipped) / len(self.tokens) if self.tokens else 1.0
