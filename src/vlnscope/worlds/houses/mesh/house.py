"""The mesh of a whole house: walls, floors, ceilings, stairs, doors, windows, railings and furniture."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import shapely
from shapely import Polygon

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import (
    HALF,
    Area,
    MeshBuilder,
    inner,
    outline,
    polygons_of,
    rectangles,
    rings_of,
    snapped,
    upright,
)
from vlnscope.worlds.houses.mesh.ceilings import build_ceiling, build_rafters, ceiling_build
from vlnscope.worlds.houses.mesh.colours import Paint, floor_paint, wall_paint
from vlnscope.worlds.houses.mesh.exterior import (
    OUTSIDE,
    build_ground,
    build_outdoor_room,
    ceiling_height,
    facade_of,
    ground_level,
    outer_span,
)
from vlnscope.worlds.houses.mesh.house_roofs import build_roofs
from vlnscope.worlds.houses.mesh.openings import (
    build_casing,
    build_closed_door,
    build_open_door,
    build_window,
    obstacles,
)
from vlnscope.worlds.houses.mesh.stairs import (
    build_guard,
    build_railing,
    build_stair,
    stair_hole,
    step_edge,
)
from vlnscope.worlds.houses.mesh.trim import build_trim, wall_finish
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
from vlnscope.worlds.houses.plan.ceilings import CeilingSlope, ceiling_slopes, voids_on
from vlnscope.worlds.houses.plan.plan import XY, Floor, FloorPlan, Room, Stair
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, join

_PLASTER = TEXTURES.index("plaster")
_CEILING = Paint(247, 246, 242, _PLASTER)


def house_mesh(plan: FloorPlan) -> Mesh:
    """Return the mesh of a house with everything in it.

    Classes are ``wall``, ``floor``, ``ceiling``, ``door``, ``window``, ``stairs``, ``railing``, ``ground``,
    ``roof``, what finishes walls and ceilings (``skirting``, ``cornice``, ``panelling``, ``tiles``, ``light
    switch``, ``socket``, ``beam``, ``duct``) and the names of the items. The object of a face is the id of
    its room, opening, stair or item; what is seen from outside belongs to ``outside``. Walls are `WALL`
    thick, their middle on the sides of the rooms. An opening that lies in no wall cuts nothing.

    Raises:
        InputError: the plan has no rooms, or names an unknown colour, material or class of items.
    """
    shell = shell_mesh(plan)
    return snapped(join([shell, items_mesh(plan.items, plan.style)]) if plan.items else shell)


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
        self.voids = {level: voids_on(plan, floor) for level, floor in self.floors.items()}
        self.outlines = {
            level: outline([*(r for r in plan.rooms if r.floor == level), *self.voids[level]])
            for level in self.floors
        }
        self.wells = {stair.id: stair_hole(stair, self._well(stair)) for stair in plan.stairs}
        self.facade = facade_of(plan)

    def build(self) -> Mesh:
        holes: list[WallHole] = []
        for level in self.floors:
            holes += self._walls(level, holes)
        self._openings(holes)
        for room in self.plan.rooms:
            if room.outdoor:
                self._outdoor(room)
            else:
                self._levels(room)
        for stair in self.plan.stairs:
            self._stair(stair)
        build_roofs(self.site, self.plan, self.outlines, self.facade)
        bounds = shapely.union_all(list(self.inner.values())).bounds
        build_ground(self.site, bounds, ground_level(self.plan))
        return self.site.mesh()

    def _well(self, stair: Stair) -> Polygon:
        """The floor that the stairwell has on both storeys."""
        lower, upper = stair.rooms
        both = polygons_of(self.inner[lower].intersection(self.inner[upper]))
        return max(both, key=lambda polygon: polygon.area) if both else self.inner[lower]

    def _walls(self, level: int, below: Sequence[WallHole]) -> list[WallHole]:
        """Build the walls of a storey, given the holes of those below, and return its holes.

        Holes between two rooms of double height may reach up from below.
        """
        floor = self.floors[level]
        rooms = [room for room in self.plan.rooms if room.floor == level and not room.outdoor]
        own = [(room, room_faces(room)) for room in (*rooms, *self.voids[level])]
        outer = outer_faces(self.outlines[level])
        holes = self._holes(floor, [face for _, faces in own for face in faces] + outer)
        for room, faces in own:
            span = floor.elevation, self._top(room, level)
            build_room_walls(self.site, room, span, faces, [*holes, *below], board=room.floor == level)
            self._trim(room, level, faces, [*holes, *below])
        low, high = outer_span(self.floors, level)
        for face in outer:
            build_face(self.site, face, holes, [(low, high, self.facade)], OUTSIDE)
        return holes

    def _trim(self, room: Room, level: int, faces: Sequence[Face], holes: Sequence[WallHole]) -> None:
        """Build what finishes the walls of a room on a storey: at their foot, and below a level ceiling."""
        finish = wall_finish(self.plan, room)
        above = any(number > level and room in voids for number, voids in self.voids.items())
        if above or ceiling_slopes(self.plan, room):
            finish = finish._replace(cornice=False)
        heights = self.floors[level].elevation, self._ceiling_height(room)
        build_trim(self.site, faces, holes, heights, finish, foot=room.floor == level)

    def _top(self, room: Room, level: int) -> float:
        """Where the walls of a room end on a storey: at its ceiling, or where the next storey begins."""
        high = self.floors[room.floor].elevation + self.plan.height_of(room)
        above = [
            floor.elevation
            for number, floor in self.floors.items()
            if number > level and room in self.voids[number]
        ]
        return min([high, *above])

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
            elif hole.opening.kind == "passage" and hole.opening.sill > 0:
                self._gallery(hole)
            elif hole.opening.kind == "door":
                build_casing(self.site, hole)
                if hole.opening.closed:
                    build_closed_door(self.site, hole)
                else:
                    build_open_door(self.site, hole, self.inner, taken)

    def _gallery(self, hole: WallHole) -> None:
        line = hole.faces[0].line
        ends = (
            ((hole.lo, line), (hole.hi, line))
            if hole.opening.axis == "x"
            else ((line, hole.lo), (line, hole.hi))
        )
        build_railing(self.site, ends[0], ends[1], hole.z0, hole.opening.id)

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
        self._ceiling(room, top)

    def _ceiling(self, room: Room, area: Area) -> None:
        """Build a ceiling over an area: level, or with slopes towards outer walls under the roof."""
        flat, build = area, ceiling_build(self.plan, room)
        for slope in ceiling_slopes(self.plan, room):
            strip = _strip(slope)
            flat = flat.difference(strip)
            build_rafters(self.site, room, slope, area.intersection(strip), build)
            for x0, y0, x1, y1 in rectangles(area.intersection(strip)):
                corners = [(x, y, slope.rise((x, y))) for x, y in ((x0, y1), (x1, y1), (x1, y0), (x0, y0))]
                self.site.add(shapes.quad(*corners), _CEILING, "ceiling", room.id)
        z = self._ceiling_height(room)
        self.site.level(flat, z, False, _CEILING, "ceiling", room.id)
        build_ceiling(self.site, room, flat, z, build, self._hung(room, z))

    def _ceiling_height(self, room: Room) -> float:
        """Return where the level part of a room's ceiling lies."""
        high = self.floors[room.floor].elevation + room.height
        return high if room.height else ceiling_height(self.floors, room.floor)

    def _hung(self, room: Room, ceiling: float) -> list[XY]:
        """Return where things hang from the ceiling of a room."""
        return [
            item.position[:2]
            for item in self.plan.items_in(room)
            if item.mounted and abs(item.position[2] + item.size[2] - ceiling) < 0.03
        ]

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


def _strip(slope: CeilingSlope) -> Polygon:
    """Return the floor under a slope, its wall included."""
    wall = slope.wall
    far = wall.at - wall.out * (slope.depth + HALF)
    low, high = sorted((wall.at, far))
    if wall.axis == "x":
        return shapely.box(wall.low, low, wall.high, high)
    return shapely.box(low, wall.low, high, wall.high)
