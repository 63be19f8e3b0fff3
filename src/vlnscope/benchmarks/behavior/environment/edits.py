"""What to change in a house: things that instructions name, and as many that they do not name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, TypeVar, get_args

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.language.actions import NamedPlace
from vlnscope.language.describe import Description
from vlnscope.language.lexicon import lexicon, name_match, object_entry
from vlnscope.worlds.houses.edit.apply import edit_together
from vlnscope.worlds.houses.edit.edits import AddItem, Edit, RecolourItem, RelabelRoom, RemoveItem
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem, Room

Change = Literal["removed", "moved", "recoloured", "relabelled"]
CHANGES: tuple[Change, ...] = get_args(Change)
LABELS = "abcdfgklow"
"""What rooms are called instead."""
COLOURS = ("white", "black", "brown", "red", "green", "blue", "yellow", "purple")
"""What objects are painted instead."""
STAIRS = "s"
MOVED = 2
"""Objects that are moved for one instruction; finding places for them takes time."""
_ROOMS_TRIED = 3
T = TypeVar("T")


class Target(NamedTuple):
    """A thing to change: the id of an object or a room, and the ways to change it, in order of preference."""

    name: str
    ways: tuple[tuple[Edit, ...], ...]


class Edited(NamedTuple):
    """A house after a change, and what was changed in it."""

    plan: FloorPlan
    changed: tuple[str, ...]


def applied(plan: FloorPlan, targets: Sequence[Target]) -> Edited:
    """Change what can be changed: a thing may have gone with what it stood on, or fit nowhere else.

    All are tried together, because checking a house takes longer than changing it; where that fails, one
    half after the other, down to the single thing, for which all its ways are tried.
    """
    if not targets:
        return Edited(plan, ())
    if len(targets) == 1:
        return _changed_one(plan, targets[0])
    if all(target.ways for target in targets):
        with suppress(InputError):
            together = edit_together(plan, *(change for target in targets for change in target.ways[0]))
            return Edited(together, tuple(target.name for target in targets))
    middle = len(targets) // 2
    first = applied(plan, targets[:middle])
    second = applied(first.plan, targets[middle:])
    return Edited(second.plan, (*first.changed, *second.changed))


def _changed_one(plan: FloorPlan, target: Target) -> Edited:
    for way in target.ways:
        with suppress(InputError):
            return Edited(edit_together(plan, *way), (target.name,))
    return Edited(plan, ())


def named_targets(
    plan: FloorPlan, change: Change, said: Description, rng: np.random.Generator
) -> list[Target]:
    """Return what an instruction names and what can be done to it; objects to repaint if it says a colour."""
    if change == "relabelled":
        numbers = sorted({region for statement in said.statements for region in statement.regions})
        rooms = [plan.rooms[number] for number in numbers]
        return [_relabelled(room, [said], rng) for room in rooms if room.label != STAIRS]
    mentioned = _mentions(said)
    items = [item for item in plan.items if item.id in mentioned]
    if change == "recoloured":
        items = [item for item in items if item.colour in mentioned[item.id].attributes]
    if change == "moved":
        items = items[:MOVED]
    return [_CHANGED[change](plan, item, [said], rng) for item in items]


def other_targets(
    plan: FloorPlan, change: Change, descriptions: Sequence[Description], count: int, rng: np.random.Generator
) -> list[Target]:
    """Return as many targets that none of some instructions may mean."""
    if change == "relabelled":
        spare = [
            room
            for room in plan.rooms
            if room.label != STAIRS and not any(may_mean_room(said, room.label) for said in descriptions)
        ]
        return [_relabelled(room, descriptions, rng) for room in _picked(spare, count, rng)]
    others = [
        item for item in plan.items if not any(may_mean_object(said, item.name) for said in descriptions)
    ]
    return [_CHANGED[change](plan, item, descriptions, rng) for item in _picked(others, count, rng)]


def first_step_naming(plan: FloorPlan, said: Description, names: Collection[str]) -> int:
    """Return the step of the path (0 is the start) at which an instruction first names one of some things.

    Args:
        plan: the house as it was.
        said: the instruction.
        names: ids of objects or rooms, at least one of which it names.
    """
    return min(
        statement.first_step
        for statement in said.statements
        if not {*statement.object_ids, *(plan.rooms[k].id for k in statement.regions)}.isdisjoint(names)
    )


def may_mean_object(said: Description, name: str) -> bool:
    """Return whether an instruction may mean objects of this name."""
    entry = object_entry(name) or name
    return any(place.what == "object" and name_match(place.name, entry) > 0 for place in _places(said))


def may_mean_room(said: Description, letter: str) -> bool:
    """Return whether an instruction may mean rooms with this letter."""
    rooms = lexicon().rooms
    return any(place.what == "room" and letter in rooms[place.name].letters for place in _places(said))


def _places(said: Description) -> Iterator[NamedPlace]:
    return (referent.place for statement in said.statements for referent in statement.referents)


def _mentions(said: Description) -> dict[str, NamedPlace]:
    """Return the objects that an instruction names, each with the words for it."""
    return {
        object_id: referent.place
        for statement in said.statements
        for referent in statement.referents
        for object_id in referent.object_ids
    }


def _removed(
    plan: FloorPlan, item: PlanItem, descriptions: Sequence[Description], rng: np.random.Generator
) -> Target:
    return Target(item.id, ((RemoveItem(item.id),),))


def _moved(
    plan: FloorPlan, item: PlanItem, descriptions: Sequence[Description], rng: np.random.Generator
) -> Target:
    """Put an object into another room; those whose kind nobody names are tried first."""
    rooms = [room for room in plan.rooms if room.id != item.room and room.label != STAIRS]
    order = [rooms[k] for k in rng.permutation(len(rooms)).tolist()]
    order.sort(key=lambda room: any(may_mean_room(said, room.label) for said in descriptions))
    like = {"size": item.size, "colour": item.colour, "material": item.material}
    return Target(
        item.id,
        tuple(
            (RemoveItem(item.id), AddItem(item.name, room.id, **like))  # type: ignore[arg-type]
            for room in order[:_ROOMS_TRIED]
        ),
    )


def _recoloured(
    plan: FloorPlan, item: PlanItem, descriptions: Sequence[Description], rng: np.random.Generator
) -> Target:
    said = {name for one in descriptions for place in _places(one) for name in place.attributes}
    free = [colour for colour in COLOURS if colour != item.colour and colour not in said]
    order = [free[k] for k in rng.permutation(len(free)).tolist()]
    return Target(item.id, tuple((RecolourItem(item.id, colour=colour),) for colour in order[:1]))


def _relabelled(room: Room, descriptions: Sequence[Description], rng: np.random.Generator) -> Target:
    free = [letter for letter in LABELS if letter != room.label]
    free = [letter for letter in free if not any(may_mean_room(said, letter) for said in descriptions)]
    order = [free[k] for k in rng.permutation(len(free)).tolist()]
    return Target(room.id, tuple((RelabelRoom(room.id, letter),) for letter in order[:1]))


def _picked(things: Sequence[T], count: int, rng: np.random.Generator) -> list[T]:
    return [things[k] for k in rng.permutation(len(things))[:count].tolist()]


_CHANGED: Mapping[
    str, Callable[[FloorPlan, PlanItem, Sequence[Description], np.random.Generator], Target]
] = {
    "removed": _removed,
    "moved": _moved,
    "recoloured": _recoloured,
}
