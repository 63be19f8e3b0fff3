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


BUILDINGS = ("detached", "courtyard", "townhouse", "apartment", "loft")
"""Kinds of buildings that plans name; others are allowed and drawn as detached houses."""


class Floor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A storey: where its floor lies and how high its rooms are.

    Attributes:
        level: its number.
        elevation: of its floor.
        height: of its rooms.
        eaves: height of its outer walls along the ridge of a sloped roof: from there the ceilings rise at 45°
            to their full height (see `ceilings`). 0: all ceilings are level.
        ridge: the direction of that ridge.
    """

    level: int
    elevation: float
    height: float = 2.6
    eaves: float = 0.0
    ridge: Literal["x", "y"] = "x"


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
        height: how high its ceiling is above its floor, if it is not that of its storey (then 0). A room that
            reaches through the storey above is open to it, and no room of that storey lies over it.
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
    height: float = 0.0


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
        sill: height of its lower edge above the floor. A passage with a sill, to the void of a room that
            reaches up from the storey below, is a gallery: it has a railing, and nobody walks through.
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
        centre: the axis of a spiral stair, None for any other. Its runs are chords of the circle in the
            middle of its steps, each at most a quarter turn, all turning the same way and each beginning
            where the last ended.
    """

    id: str
    floors: tuple[int, int]
    rooms: tuple[str, str]
    runs: tuple[tuple[XYZ, XYZ], ...]
    width: float = 1.0
    centre: XY | None = None


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


class Daylight(msgspec.Struct, frozen=True, kw_only=True):
    """When pictures of a house are taken; nothing but its light depends on it.

    Attributes:
        hour: solar time, 0-24; the sun stands highest at 12.
        cover: share of the sky that clouds hide, 0-1.
        north: where north is, in degrees clockwise from +y, 0-360.
        lamps: whether the lamps are on.
    """

    hour: float = 12.0
    cover: float = 0.2
    north: float = 0.0
    lamps: bool = False


class FloorPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole house.

    Attributes:
        id: name of the house; also its scene id.
        version: version of this file format.
        generator: version of the generator that made it (see `vlnscope.worlds.houses.version`), before
            edits; 0 if it was drawn or made elsewhere.
        style: name of its style, for colours and textures.
        building: what kind of building it is, or is part of: one of `BUILDINGS`.
        ground: elevation of the ground around the building; an apartment may lie high above it.
        floors, rooms, openings, stairs, items: its parts.
        daylight: when it is seen; at noon under few clouds with lamps off if not given.
        history: the edits that led to it, oldest first, each replayable.
    """

    id: str
    version: int = 1
    generator: int = 0
    style: str = "plain"
    building: str = "detached"
    ground: float = 0.0
    floors: tuple[Floor, ...]
    rooms: tuple[Room, ...]
    openings: tuple[Opening, ...] = ()
    stairs: tuple[Stair, ...] = ()
    items: tuple[PlanItem, ...] = ()
    daylight: Daylight | None = None
    history: tuple[dict[str, object], ...] = ()

    def floor_of(self, room: Room) -> Floor:
        """Return the storey of a room."""
        return next(floor for floor in self.floors if floor.level == room.floor)

    def height_of(self, room: Room) -> float:
        """Return how high a room's ceiling is above its floor, where it is highest."""
        return room.height or self.floor_of(room).height

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
