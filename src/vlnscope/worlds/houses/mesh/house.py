"""The mesh of a whole house: walls, floors, ceilings, stairs, doors, windows, railings and furniture."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import shapely
from shapely import Polygon

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh.builder import (
    Area,
    MeshBuilder,
    inner,
    outline,
    polygons_of,
    rings_of,
    upright,
)
from vlnscope.worlds.houses.mesh.colours import Paint, floor_paint, wall_paint
from vlnscope.worlds.houses.mesh.exterior import (
    GROUND,
    OUTSIDE,
    build_ground,
    build_outdoor_room,
    build_roofs,
    ceiling_height,
    outer_span,
)
from vlnscope.worlds.houses.mesh.openings import (
    build_casing,
    build_closed_door,
    build_open_door,
    build_window,
    obstacles,
)
from vlnscope.worlds.houses.mesh.stairs import build_guard, build_stair, stair_hole, step_edge
from vlnscope.worlds.houses.mesh.walls import (
    Face,
    WallHole,
    build_face,
    build_reveal,
    build_room_walls,
    hole_of,
    outer_faces,
    room_faces,
)
from vlnscope.worlds.houses.parts import items_mesh
from vlnscope.worlds.houses.plan.plan import XY, Floor, FloorPlan, Room, Stair
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, join

_PLASTER = TEXTURES.index("plaster")
_CEILING = Paint(247, 246, 242, _PLASTER)
_FACADES = (
    Paint(226, 218, 200, _PLASTER),
    Paint(168, 96, 76, 6),
    Paint(200, 204, 206, TEXTURES.index("siding")),
    Paint(214, 196, 164, _PLASTER),
    Paint(150, 150, 146, 7),
)


def house_mesh(plan: FloorPlan) -> Mesh:
    """Return the mesh of a house with everything in it.

    Classes are ``wall``, ``floor``, ``ceiling``, ``door``, ``window``, ``stairs``, ``railing``, ``ground``,
    ``roof`` and the names of the items. The object of a face is the id of its room, opening, stair or
    item; what is seen from outside belongs to ``outside``. Walls are `WALL` thick, their middle on the
    sides of the rooms. An opening that lies in no wall cuts nothing.

    Raises:
        InputError: the plan has no rooms, or names an unknown colour, material or class of items.
    """
    shell = shell_mesh(plan)
    return join([shell, items_mesh(plan.items)]) if plan.items else shell


def shell_mesh(plan: FloorPlan) -> Mesh:
    """Return the mesh of a house without its items; they still decide where doors stand open."""
    if not plan.rooms:
        raise InputError(
            f"house {plan.id} has no rooms", expected="at least one room", fix="add a room to the plan"
        )
    return _Shell(plan).build()


class _Shell:
    """A plan with what building needs to know of it at every turn."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.site = MeshBuilder()
        self.floors = {floor.level: floor for floor in sorted(plan.floors, key=lambda floor: floor.level)}
        self.rooms = {room.id: room for room in plan.rooms}
        self.inner: dict[str, Polygon] = {room.id: inner(room) for room in plan.rooms}
        self.outlines = {level: outline(r for r in plan.rooms if r.floor == level) for level in self.floors}
        self.wells = {stair.id: stair_hole(stair, self._well(stair)) for stair in plan.stairs}
        chance = rng_for(0, "facade", plan.id, plan.style)
        self.facade = _FACADES[int(chance.integers(len(_FACADES)))]

    def build(self) -> Mesh:
        self._openings([hole for level in self.floors for hole in self._walls(level)])
        for room in self.plan.rooms:
            if room.outdoor:
                self._outdoor(room)
            else:
                self._levels(room)
        for stair in self.plan.stairs:
            self._stair(stair)
        build_roofs(self.site, self.floors, self.outlines, self.facade)
        lowest = min(floor.elevation for floor in self.floors.values())
        build_ground(self.site, shapely.union_all(list(self.inner.values())).bounds, lowest - GROUND)
        return self.site.mesh()

    def _well(self, stair: Stair) -> Polygon:
        """The floor that the stairwell has on both storeys."""
        lower, upper = stair.rooms
        both = polygons_of(self.inner[lower].intersection(self.inner[upper]))
        return max(both, key=lambda polygon: polygon.area) if both else self.inner[lower]

    def _walls(self, level: int) -> list[WallHole]:
        floor = self.floors[level]
        rooms = [room for room in self.plan.rooms if room.floor == level and not room.outdoor]
        own = [(room, room_faces(room)) for room in rooms]
        outer = outer_faces(self.outlines[level])
        holes = self._holes(floor, [face for _, faces in own for face in faces] + outer)
        for room, faces in own:
            build_room_walls(self.site, room, floor, faces, holes)
        low, high = outer_span(self.floors, level)
        for face in outer:
            build_face(self.site, face, holes, [(low, high, self.facade)], OUTSIDE)
        return holes

    def _holes(self, floor: Floor, faces: Sequence[Face]) -> list[WallHole]:
        openings = [opening for opening in self.plan.openings if opening.floor == floor.level]
        holes = [hole_of(opening, faces, floor) for opening in openings]
        return [hole for hole in holes if hole is not None and hole.hi > hole.lo]

    def _openings(self, holes: Sequence[WallHole]) -> None:
        taken = obstacles(self.plan, holes)
        for hole in holes:
            rooms = [face.room for face in hole.faces if face.room is not None]
            if not rooms:
                continue
            build_reveal(self.site, hole, rooms[0])
            if hole.opening.kind == "window":
                build_window(self.site, hole)
            elif hole.opening.kind == "door":
                build_casing(self.site, hole)
                if hole.opening.closed:
                    build_closed_door(self.site, hole)
                else:
                    build_open_door(self.site, hole, self.inner, taken)

    def _levels(self, room: Room) -> None:
        floor = self.floors[room.floor]
        bottom: Area = self.inner[room.id]
        top: Area = self.inner[room.id]
        for stair in self.plan.stairs:
            if room.id == stair.rooms[1]:
                bottom = bottom.difference(self.wells[stair.id])
            if room.id == stair.rooms[0]:
                top = top.difference(self.wells[stair.id])
        self.site.level(bottom, floor.elevation, True, floor_paint(room.floor_material), "floor", room.id)
        self.site.level(top, ceiling_height(self.floors, room.floor), False, _CEILING, "ceiling", room.id)

    def _stair(self, stair: Stair) -> None:
        lower, upper = self.floors[stair.floors[0]], self.floors[stair.floors[1]]
        hung = any(other.rooms[1] == stair.rooms[0] for other in self.plan.stairs)
        look = wall_paint(self.rooms[stair.rooms[0]].wall_colour)
        build_stair(self.site, stair, self.inner[stair.rooms[0]], lower.elevation, hung, look)
        hole = self.wells[stair.id]
        for ring in rings_of(hole):
            self._rim(ring, ceiling_height(self.floors, lower.level), upper.elevation, look, stair.rooms[0])
        steps = [step_edge(stair, True)]
        steps += [step_edge(other, False) for other in self.plan.stairs if other.rooms[0] == stair.rooms[1]]
        build_guard(self.site, hole, self.inner[stair.rooms[1]], steps, upper.elevation, stair.id)

    def _rim(self, ring: Sequence[XY], low: float, high: float, look: Paint, owner: str) -> None:
        """Close the ceiling's thickness along the ring of a hole."""
        if high <= low:
            return
        for (x, y), (nx, ny) in itertools.pairwise(ring):
            if abs(nx - x) >= abs(ny - y):
                shape = upright("x", y, min(x, nx), max(x, nx), low, high, 1 if nx > x else -1)
            else:
                shape = upright("y", x, min(y, ny), max(y, ny), low, high, -1 if ny > y else 1)
            self.site.add(shape, look, "wall", owner)

    def _outdoor(self, room: Room) -> None:
        others = [
            self.inner[other.id]
            for other in self.plan.rooms
            if other.outdoor and other.floor == room.floor and other.id != room.id
        ]
        openings = [opening for opening in self.plan.openings if opening.floor == room.floor]
        span = (outer_span(self.floors, room.floor)[0] + 0.01, self.floors[room.floor].elevation)
        build_outdoor_room(self.site, room, span, self.outlines[room.floor], others, openings)
