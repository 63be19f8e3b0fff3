"""Claims: the words of an instruction that can be wrong, and what it would say without or with others.

A direction has an opposite, so its alternative is the text with the opposite in its place, parsed anew. For
a room, an object, an attribute or a number there are many alternatives; theirs is the instruction that does
not say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from vlnscope.benchmarks.errors.build.words import opposites
from vlnscope.language.actions import Action, NamedPlace, Parse, Span, Token
from vlnscope.language.parse import parse

Aspect = Literal["direction", "room", "object", "attribute", "ordinal"]
_VERTICAL = {"up": "down", "upstairs": "downstairs", "ascend": "descend", "top": "bottom"}
_SIDES = {"left": -1, "right": 1, "leftmost": -1, "rightmost": 1}
_WITHOUT_PLACE = {"past": "go", "towards": "go", "through": "go", "enter": "go", "exit": "go"}
_NAMES = ("landmark", "region")
_THROUGH = ("into", "out of", "inside", "outside")
_ALONG = ("forward", "backward", "go around", "go back")


class Claim(NamedTuple):
    """Something that an instruction says.

    Attributes:
        aspect: what it is about.
        word: the direction as written, in lower case, or the entry of the lexicon.
        span: its characters.
        role: what its action does with it: ``turn:turn``, ``side:past``, ``towards``, …
        at: where in the text it stands, from 0 to 1.
        otherwise: the actions of the instruction with the claim turned round or taken out.
    """

    aspect: Aspect
    word: str
    span: Span
    role: str
    at: float
    otherwise: tuple[Action, ...]


def claims_of(read: Parse) -> list[Claim]:
    """Return the claims of an instruction, in the order of its words."""
    claims = [*_directions(read), *_places(read)]
    claims += _loose_names(read, [claim.span for claim in claims])
    return sorted(claims, key=lambda claim: (claim.span, claim.aspect))


def direction_role(read: Parse, token: Token) -> str:
    """Return what an action does with a word for left or right: turn by it, or say where something is."""
    if token.action is None:
        return "none"
    action = read.actions[token.action]
    said = action.direction or ""
    if said.startswith("slight"):
        return f"slight:{action.kind}"
    turns = said in ("left", "right") and token.text.lower().startswith(said)
    return f"{'turn' if turns else 'side'}:{action.kind}"


def side_of(word: str) -> int:
    """Return -1 for left, 1 for right, 0 for any other direction."""
    return _SIDES.get(word, 0)


def opposite_of(direction: str) -> str:
    """Return the opposite of a direction that a claim is about."""
    return _turned()[direction]


def kind_of(claim: Claim) -> str:
    """Return the kind of a claim: its aspect, and which directions it chooses between.

    A direction and its opposite are of one kind: ``direction:side`` for left and right, …
    """
    if claim.aspect != "direction":
        return claim.aspect
    if side_of(claim.word):
        return "direction:side"
    if claim.word in _THROUGH:
        return "direction:through"
    return "direction:along" if claim.word in _ALONG else "direction:vertical"


@cache
def _directed() -> re.Pattern[str]:
    longest = sorted(_turned(), key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE)


@cache
def _turned() -> dict[str, str]:
    vertical = {a: b for pair in _VERTICAL.items() for a, b in (pair, pair[::-1])}
    return {**vertical, **opposites()}


def _directions(read: Parse) -> Iterator[Claim]:
    for match in _directed().finditer(read.text):
        word, span = match.group().lower(), Span(*match.span())
        token = next((token for token in read.tokens if token.span.start >= span.start), None)
        if token is None or (word == "right" and token.category == "glue"):
            continue
        other = read.text[: span.start] + _turned()[word] + read.text[span.end :]
        role = direction_role(read, token) if side_of(word) else "none"
        yield Claim("direction", word, span, role, _at(read, span), parse(other).actions)


def _places(read: Parse) -> Iterator[Claim]:
    for number, action in enumerate(read.actions):
        for place in _all_places(action):
            span = _name_of(read, place)
            if span is None:
                continue
            others = _replaced(read.actions, number, place, None)
            yield Claim(place.what, place.name, span, action.kind, _at(read, span), others)
            yield from _details(read, number, place)


def _loose_names(read: Parse, taken: Sequence[Span]) -> Iterator[Claim]:
    """Yield names of rooms and objects that no action makes use of; without them it says the same."""
    done = 0
    for number, token in enumerate(read.tokens):
        span = _whole_name(read, number)
        inside = any(other.start < span.end and span.start < other.end for other in taken)
        if token.category in _NAMES and not inside and span.start >= done:
            aspect: Aspect = "room" if token.category == "region" else "object"
            done = span.end
            yield Claim(aspect, token.lemma, span, "", _at(read, span), read.actions)


def _details(read: Parse, number: int, place: NamedPlace) -> Iterator[Claim]:
    for token in read.tokens:
        inside = place.span.start <= token.span.start < place.span.end
        if inside and token.category == "attribute" and token.lemma in place.attributes:
            rest = tuple(name for name in place.attributes if name != token.lemma)
            others = _replaced(read.actions, number, place, msgspec.structs.replace(place, attributes=rest))
            yield Claim("attribute", token.lemma, token.span, "", _at(read, token.span), others)
        elif inside and token.category == "number" and place.ordinal is not None:
            others = _replaced(read.actions, number, place, msgspec.structs.replace(place, ordinal=None))
            yield Claim("ordinal", token.lemma, token.span, "", _at(read, token.span), others)


def _at(read: Parse, span: Span) -> float:
    return span.start / max(len(read.text), 1)


def _all_places(action: Action) -> Iterator[NamedPlace]:
    def within(place: NamedPlace | None) -> Iterator[NamedPlace]:
        if place is not None:
            yield place
            for _, other in place.relations:
                yield from within(other)

    yield from within(action.at)
    yield from within(action.place)


def _name_of(read: Parse, place: NamedPlace) -> Span | None:
    """Return the words that name a place; the first of several."""
    start, end = place.span
    for number, token in enumerate(read.tokens):
        if start <= token.span.start < end and token.category in _NAMES and token.lemma == place.name:
            return _whole_name(read, number)
    return None


def _whole_name(read: Parse, first: int) -> Span:
    """Return the characters of a name of one or several words (“dining room”)."""
    token, last = read.tokens[first], first
    while last + 1 < len(read.tokens) and _goes_on(read, last, token):
        last += 1
    return Span(token.span.start, read.tokens[last].span.end)


def _goes_on(read: Parse, last: int, name: Token) -> bool:
    here, after = read.tokens[last], read.tokens[last + 1]
    together = not read.text[here.span.end : after.span.start].strip()
    return together and (after.lemma, after.category) == (name.lemma, name.category)


def _replaced(
    actions: Sequence[Action], number: int, old: NamedPlace, new: NamedPlace | None
) -> tuple[Action, ...]:
    """Return the actions with a place changed, or taken out if `new` is None."""
    changed = _with_places(actions[number], lambda place: new if place is old else place)
    kept = [] if changed is None else [changed]
    return (*actions[:number], *kept, *actions[number + 1 :])


def _with_places(action: Action, change: Callable[[NamedPlace], NamedPlace | None]) -> Action | None:
    at, place = _mapped(action.at, change), _mapped(action.place, change)
    if action.place is None or place is not None:
        return msgspec.structs.replace(action, at=at, place=place)
    if action.kind in ("remark", "face"):
        return None
    kind = _WITHOUT_PLACE.get(action.kind, action.kind)
    return msgspec.structs.replace(action, kind=kind, at=at, place=None, relation=None, side=None)


def _mapped(place: NamedPlace | None, change: Callable[[NamedPlace], NamedPlace | None]) -> NamedPlace | None:
    if place is None:
        return None
    changed = change(place)
    if changed is not place:
        return changed
    related = ((relation, _mapped(other, change)) for relation, other in place.relations)
    return msgspec.structs.replace(
        place, relations=tuple((relation, other) for relation, other in related if other is not None)
    )
