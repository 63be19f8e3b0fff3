"""Where new and moved objects come to stand or hang, and how new ones look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.edit.finding import item_of
from vlnscope.worlds.houses.furnish.boxes import box_at, box_of, front, meet
from vlnscope.worlds.houses.furnish.catalogue import (
    Appearance,
    catalogue,
    draw_look,
    kind,
    palette_of,
    surface_height,
)
from vlnscope.worlds.houses.furnish.placements import (
    Placement,
    corner_spots,
    open_spots,
    surface_spots,
    wall_spots,
)
from vlnscope.worlds.houses.furnish.room import RoomSpace, Wall, space_of
from vlnscope.worlds.houses.mesh.colours import rgb
from vlnscope.worlds.houses.plan.plan import XY, XYZ, FloorPlan, PlanItem, Room
from vlnscope.worlds.houses.plan.polygons import inside

_EYES = 1.5
"""Height above the floor of the middle of what is hung on a wall without saying how high."""

_BEFORE = 0.7
"""Depth of what should be empty in front of it."""


def look_for(
    plan: FloorPlan, name: str, new_name: str, size: XYZ | None, colour: str | None, material: str | None
) -> Appearance:
    """Return how a new object looks: as asked, and else drawn from its class and the style of the house."""
    check_look(size, colour, material)
    rng = rng_for(0, plan.id, "edit", new_name)
    drawn = draw_look(name, rng, palette_of(plan.style, rng))
    return Appearance(size or drawn.size, colour or drawn.colour, material or drawn.material)


def check_look(size: XYZ | None, colour: str | None, material: str | None) -> None:
    """Raise an error if no object can look like this."""
    if size is not None and min(size) <= 0:
        raise InputError(
            f"the size {size} is not positive",
            expected="width, depth, height > 0",
            fix="give three positive numbers",
        )
    if colour is not None:
        rgb(colour)
    if material is not None:
        known = sorted({name for its in catalogue().values() for name in its.materials})
        if material not in known:
            raise InputError(
                f"there is no material called {material!r}",
                expected=f"one of {', '.join(known)}",
                fix="choose one of these",
            )


def hangs_usually(name: str) -> bool:
    """Return whether objects of a class hang on walls or from ceilings rather than stand."""
    return kind(name).stands[0] in ("mounted", "ceiling")


def can_hang(name: str) -> bool:
    """Return whether objects of a class ever hang."""
    return any(stand in ("mounted", "ceiling") for stand in kind(name).stands)


def elevation(
    plan: FloorPlan, room: Room, name: str, size: XYZ, on: str | None, mounted: bool, z: float | None
) -> float:
    """Return how high the base of an object is, from what it stands on or hangs from.

    Raises:
        InputError: nothing can stand on `on`, or it is in another room.
    """
    floor = plan.floor_of(room)
    if on is not None:
        return base_height(plan, room, on)
    if not mounted:
        return floor.elevation
    if "ceiling" in kind(name).stands:
        return round(floor.elevation + floor.height - size[2], 3)
    usual = min(_EYES - size[2] / 2, floor.height - size[2] - 0.1)
    return z if z is not None else round(floor.elevation + max(usual, 0.05), 3)


def base_height(plan: FloorPlan, room: Room, on: str) -> float:
    """Return the elevation of the surface of an object in a room."""
    base = item_of(plan, on)
    height = surface_height(base.name, base.size)
    if height is None or base.room != room.id:
        what = f"nothing can stand on a {base.name}" if height is None else f"{on} is in {base.room}"
        raise InputError(
            f"{plan.id}: nothing in {room.id} can be put on {on}: {what}",
            expected="a table, shelf, bed or the like in the same room",
            fix="name another object, or leave `on` out",
        )
    return round(base.position[2] + height, 3)


def base_at(plan: FloorPlan, room: Room, name: str, point: XY) -> str | None:
    """Return the smallest object with a surface at a place, for things that only ever stand on others."""
    if kind(name).stands != ("surface",):
        return None
    bases: list[tuple[float, str]] = []
    for item in _bases(plan, room):
        box = box_of(item)
        if box.x0 <= point[0] <= box.x1 and box.y0 <= point[1] <= box.y1:
            bases.append((box.area, item.id))
    return min(bases)[1] if bases else None


def free_spots(
    plan: FloorPlan, room: Room, name: str, size: XYZ, on: str | None, mounted: bool
) -> Iterator[tuple[Placement, str | None]]:
    """Yield spots where people put things of a class, the usual ones first, and what each spot is on.

    Nothing is said of whether they are taken.
    """
    if on is not None:
        yield from _on_top(plan, room, [item_of(plan, on)], size)
        return
    space = space_of(plan, room)
    z = elevation(plan, room, name, size, None, mounted, None)
    for stand in kind(name).stands:
        if stand == "surface" and not mounted:
            yield from _on_top(plan, room, _bases(plan, room), size)
        spots = _ordered(space, stand, size, mounted, z - space.floor.elevation)
        if mounted:
            spots = sorted(spots, key=lambda spot: _hidden(plan, room, spot, size))
        for spot in spots:
            yield spot._replace(z=z), None


def _hidden(plan: FloorPlan, room: Room, spot: Placement, size: XYZ) -> bool:
    """Return whether something stands or hangs close in front of a spot on a wall."""
    nx, ny = front(spot.turns)
    before = (spot.x + nx * _BEFORE / 2, spot.y + ny * _BEFORE / 2, spot.z)
    box = box_at(before, (size[0], _BEFORE, size[2]), spot.turns * 90.0)
    return any(meet(box, box_of(item)) for item in plan.items_in(room))


def _on_top(
    plan: FloorPlan, room: Room, bases: Sequence[PlanItem], size: XYZ
) -> Iterator[tuple[Placement, str]]:
    for base in bases:
        for spot in surface_spots(base, base_height(plan, room, base.id) - base.position[2], size):
            yield spot, base.id


def _ordered(space: RoomSpace, stand: str, size: XYZ, mounted: bool, up: float) -> Sequence[Placement]:
    def central(wall: Wall, along: float, _: XY) -> float:
        return wall.length - abs(along - (wall.low + wall.high) / 2)

    spots: list[Placement] = []
    if mounted and stand == "mounted":
        spots = wall_spots(space, size, central, off=0.005, z=up)
    elif (mounted and stand == "ceiling") or stand == "cover":
        spots = open_spots(space, (0, 1), 0.25)
    elif not mounted and stand == "wall":
        spots = wall_spots(space, size, central)
    elif not mounted and stand == "corner":
        spots = corner_spots(space, size)
    elif not mounted and stand == "centre":
        spots = open_spots(space, (0, 1, 2, 3), 0.2)
    return sorted(spots, key=lambda spot: -spot.score)


def _bases(plan: FloorPlan, room: Room) -> list[PlanItem]:
    """Return the objects of a room that others can stand on."""
    return [i for i in plan.items_in(room) if surface_height(i.name, i.size) is not None]


def room_around(plan: FloorPlan, own: Room, point: XY, size: XYZ, yaw: float) -> Room:
    """Return the room of a storey that a place lies in: its own room if that contains it.

    Raises:
        InputError: it lies in no room of the storey.
    """
    centre = box_at((*point, 0.0), size, yaw).centre
    for room in (own, *plan.rooms):
        if room.floor == own.floor and inside(room.polygon, centre):
            return room
    raise InputError(
        f"{plan.id}: ({point[0]:.2f}, {point[1]:.2f}) lies in no room of floor {own.floor}",
        expected="a place inside a room",
        fix="correct `at`, or name the `room` if it is on another floor",
    )
