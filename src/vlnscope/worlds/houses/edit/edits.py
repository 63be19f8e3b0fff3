"""The changes that can be made to a house, as small records that are written with it and can be replayed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.plan.plan import XY, XYZ


class _Edit(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="edit", forbid_unknown_fields=True):
    """What all edits have in common: the member ``edit`` says which one a record is."""


class RemoveItem(_Edit, frozen=True, tag="remove-item"):
    """Take an object away, with everything that stands on it."""

    item: str


class AddItem(_Edit, frozen=True, tag="add-item"):
    """Put a new object into a room.

    Attributes:
        name: class of the object, as in the catalogue.
        room: where it goes.
        at: middle of its base; if not given, the first place where it may be and people put such things.
        yaw: as for `PlanItem`; 0 if `at` is given without it.
        z: elevation of its base, if it hangs on a wall; else it follows from what the object stands on.
        size, colour, material: if not given, drawn from what the class comes in and the style prefers.
        on: object that it stands on. Things that only ever stand on others find one at `at` themselves.
        mounted: whether it hangs; if not given, as is usual for its class.
        id: a new id; if not given, the class with the next free number.
    """

    name: str
    room: str
    at: XY | None = None
    yaw: float | None = None
    z: float | None = None
    size: XYZ | None = None
    colour: str | None = None
    material: str | None = None
    on: str | None = None
    mounted: bool | None = None
    id: str | None = None


class MoveItem(_Edit, frozen=True, tag="move-item"):
    """Move or turn an object, with everything that stands on it.

    Attributes:
        item: the object.
        at: new middle of its base; where it is if not given (to turn it, or to hang it higher).
        yaw: new direction; as before if not given.
        z: new elevation of its base, if it hangs on a wall; as high above the floor as before if not given.
        room: where `at` lies; if not given, its own room, or else the room of the same storey around `at`.
        on: object to put it on, or ``floor``. If not given, it stays on what it stands on.
    """

    item: str
    at: XY | None = None
    yaw: float | None = None
    z: float | None = None
    room: str | None = None
    on: str | None = None


class RecolourItem(_Edit, frozen=True, tag="recolour-item"):
    """Give an object another colour, another material, or both."""

    item: str
    colour: str | None = None
    material: str | None = None


class SwapItems(_Edit, frozen=True, tag="swap-items"):
    """Let two objects change places, directions included, with everything that stands on them.

    If they differ in size, each is put with its back where the other's back was, else in the middle of the
    other's place or with another side at its edge: the first of these places where both may be.
    """

    items: tuple[str, str]


class ReplaceItem(_Edit, frozen=True, tag="replace-item"):
    """Put an object of another class (or another one of the same class) in an object's place.

    Attributes:
        item: the object that goes.
        name: class of the one that comes.
        size: if not given, that of the old one as far as the class comes in it.
        colour, material: if not given, those of the old one if the class comes in them, else drawn.
        id: of the new object; if not given, the class with the next free number.

    Things that stood on the old object stand on the new one if it can hold them; the others go with the old.
    """

    item: str
    name: str
    size: XYZ | None = None
    colour: str | None = None
    material: str | None = None
    id: str | None = None


class RelabelRoom(_Edit, frozen=True, tag="relabel-room"):
    """Call a room something else; what is in it and how it looks stay."""

    room: str
    label: str


class SwapRooms(_Edit, frozen=True, tag="swap-rooms"):
    """Let two rooms change what they are.

    Attributes:
        rooms: the two rooms.
        furniture: True exchanges labels, furniture, floor material and wall colour, and is impossible if the
            furniture of one does not fit the other; False exchanges labels alone; if not given, furniture
            goes along if it fits both ways. The record in the plan's history says which it was.

    Furniture keeps its arrangement, turned by quarter turns, and its distances from the walls that it is near
    to; it is not mirrored.
    """

    rooms: tuple[str, str]
    furniture: bool | None = None


class OpenDoor(_Edit, frozen=True, tag="open-door"):
    """Open a closed door."""

    door: str


class CloseDoor(_Edit, frozen=True, tag="close-door"):
    """Close an open door, which can then be neither walked nor seen through."""

    door: str


class AddDoor(_Edit, frozen=True, tag="add-door"):
    """Cut a door or passage into the wall between two rooms.

    Attributes:
        rooms: the two rooms; None as the second is the outside, on the lowest storey.
        at: its middle, within 0.1 m of the wall; if not given, the first place where nothing is in its way.
        width: of the hole.
        kind: a door has a leaf, a passage has none.
        closed: whether the door is shut.
        clear: whether objects in its way go, with what stands on them. Places where nothing has to go
            are still taken first, then those where the fewest objects do.
        id: a new id; if not given, the kind with the next free number.
    """

    rooms: tuple[str, str | None]
    at: XY | None = None
    width: float = 0.9
    kind: Literal["door", "passage"] = "door"
    closed: bool = False
    clear: bool = False
    id: str | None = None


class RemoveDoor(_Edit, frozen=True, tag="remove-door"):
    """Wall up a door or passage."""

    door: str


class SetHour(_Edit, frozen=True, tag="set-hour"):
    """See the house at another time of day; lamps stay as they are.

    Attributes:
        hour: solar time, 0-24.
    """

    hour: float


class SwitchLamps(_Edit, frozen=True, tag="switch-lamps"):
    """Switch all lamps on or off."""

    on: bool


Edit = (
    RemoveItem
    | AddItem
    | MoveItem
    | RecolourItem
    | SwapItems
    | ReplaceItem
    | RelabelRoom
    | SwapRooms
    | OpenDoor
    | CloseDoor
    | AddDoor
    | RemoveDoor
    | SetHour
    | SwitchLamps
)
"""Any change to a house."""


def record_of(edit: Edit) -> dict[str, object]:
    """Return an edit as it is written into a plan's history."""
    record: dict[str, object] = msgspec.json.decode(msgspec.json.encode(edit))
    return record


def edit_of(record: Mapping[str, object]) -> Edit:
    """Return the edit that a record describes.

    Raises:
        InputError: it describes none; the message says which member is wrong.
    """
    try:
        edit: Edit = msgspec.convert(dict(record), Edit)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise InputError(
            f"{record!r} is no edit: {error}",
            expected="the member `edit`, such as `remove-item`, and the members of that edit",
            fix="see the classes of vlnscope.worlds.houses.edit.edits",
        ) from None
    return edit


def checked(edit: Edit) -> Edit:
    """Return an edit whose members have the right types.

    Raises:
        InputError: a member has the wrong type, or a number is not finite.
    """
    if not isinstance(edit, msgspec.Struct):
        raise InputError(
            f"{edit!r} is no edit",
            expected="one of the classes of vlnscope.worlds.houses.edit.edits, such as RemoveItem",
            fix="make one, or read a record with `edit_of`",
        )
    members = msgspec.to_builtins(edit)
    for name, value in members.items():
        numbers = value if isinstance(value, list | tuple) else (value,)
        if any(isinstance(number, float) and not math.isfinite(number) for number in numbers):
            raise InputError(
                f"{members['edit']}: `{name}` is {value}",
                expected="finite numbers",
                fix=f"give `{name}` a number that is not infinite or NaN",
            )
    return edit_of(record_of(edit))


def described(edit: Edit) -> str:
    """Return an edit as text for messages, e.g. ``remove-item chair-2``."""
    members = record_of(edit)
    return " ".join(str(value) if name in _PLAIN else f"{name}={value}" for name, value in members.items())


_PLAIN = ("edit", "item", "door", "room", "name", "label")
