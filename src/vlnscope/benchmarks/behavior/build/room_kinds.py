"""Kinds of rooms to ask for: which can be told apart by eye, what they are called, which a text names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.core.rng import rng_for
from vlnscope.language.actions import NamedPlace
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.names import alike, room_noun
from vlnscope.language.parse import parse
from vlnscope.worlds.rooms import ROOM_NAMES

NO_KIND = ("z", "Z")
"""Labels that are no kind of room to ask for: other room, junk."""
NO_LABEL = "-"
UNCLEAR = (*NO_KIND, NO_LABEL, None)
"""Labels of rooms that may be of any kind."""
_CALLED = {"t": "a", "f": "l", "n": "l"}
"""Labels that people call by the name of another: nobody says toilet room or, seeing sofas, lounge."""


class RoomKinds(NamedTuple):
    """How kinds of rooms are asked for.

    Attributes:
        clear: by what can be told by eye: a living room will do for a family room, and nobody is sent from
            the one to the other; else by label, as released.
        legacy: ask for rooms without a label too.
        seed: of the names that are said as released, where a label has several.
    """

    clear: bool
    legacy: bool
    seed: int

    def askable(
        self, labels: Iterable[str | None], it: Truncation, own: str | None, counts: FilterCounts, name: str
    ) -> list[str]:
        """Return the kinds to ask for among those of some viewpoints, in the order of `ROOM_NAMES`.

        Of labels that are called the same, the first is asked for.

        Args:
            labels: of the viewpoints.
            it: the truncated episode, which ends in a room with the label `own`.
            own: that label.
            counts: counts what is left out, under `name`.
            name: of the skill.
        """
        there = set(labels)
        kinds = [
            label
            for label in ROOM_NAMES
            if label in there
            and counts.passes(f"{name}: another kind than here", label != own)
            and counts.passes(f"{name}: a kind of room", label not in NO_KIND)
            and (self.legacy or counts.passes(f"{name}: has a label", label != NO_LABEL))
            and (not self.clear or self._is_clear(label, it, own, counts, name))
        ]
        return list({self.usual(label): label for label in reversed(kinds)}.values())[::-1]

    def _is_clear(self, label: str, it: Truncation, own: str | None, counts: FilterCounts, name: str) -> bool:
        apart = own not in UNCLEAR and label not in UNCLEAR and not alike(label, str(own))
        return counts.passes(f"{name}: can be told from the room here", apart) and counts.passes(
            f"{name}: not named in the text", not names_room(it.text, label)
        )

    def same(self, label: str, other: str | None) -> bool:
        """Say whether a room with the label `other` will do where `label` is asked for."""
        return will_do(label, other, clear=self.clear)

    def may_be(self, label: str, other: str | None) -> bool:
        """Say whether a room that will not do may be taken for one that does: it has no clear label."""
        return self.clear and not self.same(label, other) and other in UNCLEAR

    def usual(self, label: str) -> str:
        """Return the usual name of a kind."""
        return room_noun(_CALLED.get(label, label)).said if self.clear else ROOM_NAMES[label][0]

    def called(self, label: str, it: Truncation) -> str:
        """Return the name of a kind: the usual one, or any of those of its label as released."""
        if self.clear:
            return self.usual(label)
        names = ROOM_NAMES[label]
        if len(names) == 1:
            return names[0]
        return names[int(rng_for(self.seed, "behavior", "room", label, it.pair).integers(len(names)))]


def will_do(label: str, other: str | None, *, clear: bool) -> bool:
    """Say whether a room labelled `other` will do where `label` is asked for, with `clear` by its looks.

    Example:
        >>> will_do("f", "l", clear=True), will_do("f", "l", clear=False), will_do("f", "z", clear=True)
        (True, False, False)
    """
    if not clear or other in UNCLEAR or label in UNCLEAR:
        return label == other
    return alike(label, str(other))


def names_room(text: str, label: str) -> bool:
    """Say whether a text names a room that may have a label, or be taken for one that has.

    Example:
        >>> names_room("Walk out of the den.", "l"), names_room("Walk out of the den.", "k")
        (True, False)
    """
    rooms = lexicon().rooms
    letters = {letter for place in named_places(text) for letter in _letters(place, rooms.keys())}
    return any(alike(label, letter) for letter in letters if letter not in UNCLEAR)


def _letters(place: NamedPlace, rooms: Iterable[str]) -> tuple[str, ...]:
    if place.name == "stairs":
        return ("s",)
    return lexicon().rooms[place.name].letters if place.what == "room" and place.name in rooms else ()


@lru_cache(maxsize=8192)
def named_places(text: str) -> tuple[NamedPlace, ...]:
    """Return all places that a text names, those in relations included."""
    actions = parse(text).actions
    return tuple(
        inner
        for action in actions
        for place in (action.place, action.at)
        if place is not None
        for inner in _with_relations(place)
    )


def _with_relations(place: NamedPlace) -> Iterable[NamedPlace]:
    yield place
    for _, other in place.relations:
        yield from _with_relations(other)
