"""Actions in the making: what they say so far, which words they have, and how they join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from vlnscope.language.actions import Action, ActionKind, Direction, NamedPlace, Relation, Side, Span
from vlnscope.language.parse.chart import Node
from vlnscope.language.parse.places import Location, is_doorlike


@dataclass
class DraftAction:
    """An action in the making, with the words of the sentence that belong to it."""

    kind: ActionKind
    direction: Direction | None = None
    place: NamedPlace | None = None
    relation: Relation | None = None
    at: NamedPlace | None = None
    at_relation: Relation | None = None
    side: Side | None = None
    words: set[int] = field(default_factory=set)

    @property
    def is_plain(self) -> bool:
        """Whether it says no more than to walk, perhaps straight on, or to turn somewhere."""
        if self.kind == "turn":
            return self.direction is None
        return self.kind == "go" and self.place is None and self.direction in (None, "straight")

    def finished(self, span: Span) -> Action:
        """Return the action.

        What is passed has its side with the action; the place keeps it only if it is counted with it.
        """
        side, place = self.side, self.place
        if self.kind == "past" and place is not None and place.side is not None:
            side = side or place.side
            if place.ordinal is None:
                place = replace(place, side=None)
        return Action(
            kind=self.kind,
            span=span,
            direction=self.direction,
            place=place,
            relation=self.relation,
            at=self.at,
            at_relation=self.at_relation,
            side=side,
        )


def follow(drafts: list[DraftAction], further: list[DraftAction]) -> list[DraftAction]:
    """Put what follows behind what there is.

    A plain walk melts into it, “the stairs … down” are one action, and a door through which a room is
    entered or left is where that happens.
    """
    if not further:
        return drafts
    last, first = drafts[-1], further[0]
    if last.kind == "stairs" and last.direction is None and first.direction in ("up", "down"):
        last.direction = first.direction
        last.words |= first.words
        return [*drafts, *further[1:]]
    leaves = last.kind in ("exit", "enter") and first.kind == "through" and last.at is None
    if leaves and last.place is not None and is_doorlike(first.place):
        last.at, last.at_relation = first.place, "at"
        last.words |= first.words
        return [*drafts, *further[1:]]
    if (leaves and last.place is None) or (last.is_plain and first.kind != "turn"):
        _melt(last, first)
        return [*drafts[:-1], *further]
    return [*drafts, *further]


def _melt(last: DraftAction, first: DraftAction) -> None:
    first.words |= last.words
    if first.direction is None and first.kind not in ("stairs", "stop", "remark", "face"):
        first.direction = last.direction
    if first.at is None:
        first.at, first.at_relation = last.at, last.at_relation


def locate(draft: DraftAction, location: Location) -> None:
    """Say where an action happens; of stopping that is what it is about."""
    if location.side is not None:
        draft.side = draft.side or location.side
    elif draft.kind == "stop" and draft.place is None:
        draft.place, draft.relation = location.resolved.place, location.relation
    elif draft.at is None and location.resolved.place is not None:
        draft.at, draft.at_relation = location.resolved.place, location.relation


def reached(location: Location) -> DraftAction:
    """Return the action that gets one to where a phrase says."""
    place = location.resolved.place
    if place is None:
        return DraftAction("remark", side=location.side)
    if location.relation == "in" and place.what == "room":
        return DraftAction("enter", None, place)
    if location.relation == "after":
        return DraftAction("past", None, place)
    return DraftAction("towards", None, place, location.relation)


def repeats(draft: DraftAction, before: DraftAction | None) -> bool:
    """Tell whether an action only repeats the one before (“Enter the room. Once you enter the room, …”)."""
    if before is None or draft.place is None or before.place is None:
        return False
    return draft.kind == before.kind and draft.place.name == before.place.name


def own(node: Node, drafts: Sequence[DraftAction], owner: DraftAction | None = None) -> None:
    """Give the words of a phrase that none of the actions has to one of them, by default the first."""
    if drafts:
        taken = {word for draft in drafts for word in draft.words}
        (owner or drafts[0]).words.update(word for word in node.words() if word not in taken)


def adopt(node: Node, drafts: Sequence[DraftAction]) -> None:
    """Give the words of a step that no action has to the action that has the next word, or to the last."""
    owners = {word: draft for draft in drafts for word in draft.words}
    after = drafts[-1]
    for word in sorted(node.words(), reverse=True):
        after = owners.get(word, after)
        after.words.add(word)
