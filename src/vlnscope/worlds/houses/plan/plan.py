"""A house as a readable floor plan: floors, rooms, openings, stairs and objects, and nothing derived.

Everything else (navigation graph, labels, visibility, mesh, pictures) follows from the plan. Plans are
written as JSON; a person can write one by hand. Lengths are metres, angles degrees. x points east, y
north, z up; floors are numbered from 0. Rooms are rectilinear polygons that may touch but not overlap;
walls stand where a room's edge is, half their thickness on either side of the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

XY = tuple[float, float]
XYZ = tuple[float, float, float]

WALL = 0.12
"""Thickness of all walls."""


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """A storey: where its floor lies and how high its rooms are."""

    level: int
    elevation: float
    height: float = 2.6


class Room(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A room (or hallway, stairwell, porch, balcony).

    Attributes:
        id: unique in the house, e.g. ``bedroom-2``.
        label: Matterport letter (``b`` bedroom, ``h`` hallway, ``s`` stairs, …).
        floor: level of its floor.
        polygon: corners in counter-clockwise order, rectilinear, not closed.
        outdoor: open to the sky: railings instead of walls on its free edges, no ceiling.
        floor_material: what its floor is made of (wood, tile, carpet, stone, grass, …).
        wall_colour: name of the colour of its walls.
        wall_material: what covers them (plaster, wallpaper stripes, panelling, metro tiles, brick, …).
        built_as: the label it had before it was called something else by an edit; viewpoints follow this one.
    """

    id: str
    label: str
    floor: int
    polygon: tuple[XY, ...]
    outdoor: bool = False
    floor_material: str = "wood"
    wall_colour: str = "white"
    wall_material: str = "plaster"
    built_as: str = ""


class Opening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hole in a wall.

    Attributes:
        id: unique in the house.
        kind: ``door`` (a leaf that may be closed), ``passage`` (no leaf; wide ones join open plans), or
            ``window``.
        rooms: the rooms on both sides; the second is None for the outside.
        floor: level.
        centre: middle of the hole, on the wall line.
        axis: direction of the wall: ``x`` or ``y``.
        width: of the hole.
        sill: height of its lower edge above the floor.
        head: height of its upper edge above the floor.
        closed: a closed door cannot be walked or seen through.
    """

    id: str
    kind: Literal["door", "passage", "window"]
    rooms: tuple[str, str | None]
    floor: int
    centre: XY
    axis: Literal["x", "y"]
    width: float
    sill: float = 0.0
    head: float = 2.05
    closed: bool = False


class Stair(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A flight of steps from one floor to the next, in a stairwell room on both floors.

    Attributes:
        id: unique in the house.
        floors: lower and upper level.
        rooms: the stairwell's room on the lower and on the upper floor (they lie above each other).
        runs: the straight runs in climbing order, each from the foot to the head of its centre line, with
            the elevations of both ends; landings lie between them.
        width: of the steps.
    """

    id: str
    floors: tuple[int, int]
    rooms: tuple[str, str]
    runs: tuple[tuple[XYZ, XYZ], ...]
    width: float = 1.0


class PlanItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of furniture or a smaller object.

    Attributes:
        id: unique in the house, e.g. ``chair-12``.
        name: class, as people say it (``chair``, ``coffee table``).
        room: id of the room it is in.
        position: middle of its base.
        size: width (along its own x), depth (along its own y), height, before turning.
        yaw: degrees counter-clockwise; at 0 its front looks to -y (south) and its back to +y.
        colour: name of its main colour.
        material: name of its main material.
        on: id of the object it stands on; None if it stands on the floor or hangs on a wall.
        mounted: whether it hangs on the wall behind it (or, for lamps, from the ceiling).
    """

    id: str
    name: str
    room: str
    position: XYZ
    size: XYZ
    yaw: float = 0.0
    colour: str = "grey"
    material: str = "wood"
    on: str | None = None
    mounted: bool = False


class FloorPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole house.

    Attributes:
        id: name of the house; also its scene id.
        version: version of this file format.
        generator: version of the generator that made it (see `vlnscope.worlds.houses.version`), before
            edits; 0 if it was drawn or made elsewhere.
        style: name of its style, for colours and textures.
        floors, rooms, openings, stairs, items: its parts.
        history: the edits that led to it, oldest first, each replayable.
    """

    id: str
    version: int = 1
    generator: int = 0
    style: str = "plain"
    floors: tuple[Floor, ...]
    rooms: tuple[Room, ...]
    openings: tuple[Opening, ...] = ()
    stairs: tuple[Stair, ...] = ()
    items: tuple[PlanItem, ...] = ()
    history: tuple[dict[str, object], ...] = ()

    def floor_of(self, room: Room) -> Floor:
        """Return the storey of a room."""
        return next(floor for floor in self.floors if floor.level == room.floor)

    def items_in(self, room: Room) -> tuple[PlanItem, ...]:
        """Return the objects in a room, in the order of the plan."""
        return tuple(item for item in self.items if item.room == room.id)


@dataclass(frozen=True)
class PlanProblem:
    """What is wrong and where, what would be right, and how to mend it."""

    what: str
    expected: str
    fix: str


def at(point: Sequence[float]) -> str:
    """Return a place as text, to centimetres."""
    return f"({point[0]:.2f}, {point[1]:.2f})"
