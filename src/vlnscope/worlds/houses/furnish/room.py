"""A room as furniture sees it: its walls, and what must stay free for doors, windows and stairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from vlnscope.worlds.houses.furnish.boxes import Box, front
from vlnscope.worlds.houses.plan.ceilings import CeilingSlope, ceiling_slopes
from vlnscope.worlds.houses.plan.plan import WALL, XY, XYZ, Floor, FloorPlan, Opening, Room, Stair
from vlnscope.worlds.houses.plan.polygons import inside, sides

DOOR_DEPTH = 0.9
"""How far the floor in front of a door or passage stays free."""
WINDOW_DEPTH = 0.35
HEAD_ROOM = 2.0
_SIDE = 0.05  # kept free beside a door
_HANG = 0.03  # largest gap between a wall and what hangs on it
_HALF = WALL / 2
_STRIP = 0.2


class Wall(NamedTuple):
    """The inner face of a wall.

    Attributes:
        turns: quarter turns of an object that stands with its back to it.
        line: x (or y) of its face.
        low, high: where the face begins and ends along the other axis.
    """

    turns: int
    line: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """Length of the face."""
        return self.high - self.low

    def point(self, along: float, off: float) -> XY:
        """Return the point `off` metres in front of the face, at `along`."""
        nx, ny = front(self.turns)
        return (self.line + nx * off, along) if nx else (along, self.line + ny * off)


class Zone(NamedTuple):
    """A part of a room that stays free for the sake of an opening or a stair.

    Attributes:
        id, what: the opening or stair, and what it is.
        box: what stays free.
        middle: where a person stands who uses it.
        leaf: width of the door leaf that may lie open against the walls of this room; 0 if there is none.
    """

    id: str
    what: str
    box: Box
    middle: XY
    leaf: float = 0.0


@dataclass(frozen=True)
class RoomSpace:
    """A room without its furniture.

    Attributes:
        room, floor: the room and its storey.
        slabs: the walls as boxes.
        walls: the inner faces, longest first.
        doors: what stays free in front of doors and passages and at the ends of stairs.
        windows: what stays free in front of the panes.
        stairs: columns over the steps (and over the hole in the floor above).
        steps: the steps themselves, in slices; what hangs on a wall may be above them.
        ceiling: elevation of its ceiling, where that is level.
        roof: boxes over the slopes of its ceiling, and before openings of a storey that it reaches into.
    """

    room: Room
    floor: Floor
    slabs: tuple[Box, ...]
    walls: tuple[Wall, ...]
    doors: tuple[Zone, ...]
    windows: tuple[Zone, ...]
    stairs: tuple[Box, ...]
    steps: tuple[Box, ...]
    ceiling: float
    roof: tuple[Box, ...]


def space_of(plan: FloorPlan, room: Room) -> RoomSpace:
    """Derive from a plan what furniture in a room has to respect."""
    floor = plan.floor_of(room)
    openings = [o for o in plan.openings if room.id in o.rooms and o.floor == room.floor]
    stairs = [s for s in plan.stairs if room.id in s.rooms]
    zones = [(o, _zone(o, room, floor)) for o in openings]
    walls = sorted(
        (w for a, b in sides(room.polygon) if (w := _wall(a, b)).length > 0.1), key=lambda w: -w.length
    )
    low = floor.elevation - 1.0
    return RoomSpace(
        room=room,
        floor=floor,
        slabs=tuple(_slab(a, b, low, floor.elevation + 10.0) for a, b in sides(room.polygon)),
        walls=tuple(walls),
        doors=(
            *(zone for o, zone in zones if o.kind != "window"),
            *(_stair_end(stair, room, floor) for stair in stairs),
        ),
        windows=tuple(zone for o, zone in zones if o.kind == "window"),
        stairs=tuple(box for stair in stairs for box in _columns(stair)),
        steps=tuple(box for stair in stairs for box in _slices(stair)),
        ceiling=floor.elevation + plan.height_of(room),
        roof=(
            *(box for slope in ceiling_slopes(plan, room) for box in _roof(slope)),
            *(_zone(o, room, _storey(plan, o)).box for o in _upper_openings(plan, room)),
        ),
    )


def _upper_openings(plan: FloorPlan, room: Room) -> list[Opening]:
    """Return the openings of a high room that lie in another storey."""
    return [o for o in plan.openings if room.height and room.id in o.rooms and o.floor != room.floor]


def _storey(plan: FloorPlan, opening: Opening) -> Floor:
    return next(floor for floor in plan.floors if floor.level == opening.floor)


def _roof(slope: CeilingSlope) -> list[Box]:
    """Return what lies over a slope of the ceiling, cut into strips along its wall."""
    wall, boxes = slope.wall, []
    for k in range(max(round(slope.depth / _STRIP), 1)):
        near, far = (wall.at - wall.out * (_HALF + d) for d in (k * _STRIP, (k + 1) * _STRIP))
        low, high = min(near, far), max(near, far)
        x, y = (
            ((wall.low, wall.high), (low, high)) if wall.axis == "x" else ((low, high), (wall.low, wall.high))
        )
        z = slope.eaves + k * _STRIP
        boxes.append(Box(x[0], y[0], x[1], y[1], z, z + 10.0))
    return boxes


def _slab(a: XY, b: XY, low: float, high: float) -> Box:
    return Box(
        min(a[0], b[0]) - _HALF,
        min(a[1], b[1]) - _HALF,
        max(a[0], b[0]) + _HALF,
        max(a[1], b[1]) + _HALF,
        low,
        high,
    )


def _wall(a: XY, b: XY) -> Wall:
    """Return the inner face over an edge of a counter-clockwise polygon (the inside is to its left)."""
    (ax, ay), (bx, by) = a, b
    if abs(ay - by) < abs(ax - bx):
        south = bx > ax
        line = ay + _HALF if south else ay - _HALF
        return Wall(2 if south else 0, line, min(ax, bx) + _HALF, max(ax, bx) - _HALF)
    east = by > ay
    line = ax - _HALF if east else ax + _HALF
    return Wall(3 if east else 1, line, min(ay, by) + _HALF, max(ay, by) - _HALF)


def _zone(opening: Opening, room: Room, floor: Floor) -> Zone:
    x, y = opening.centre
    ux, uy = (0.0, 1.0) if opening.axis == "x" else (1.0, 0.0)
    side = 1.0 if inside(room.polygon, (x + 0.1 * ux, y + 0.1 * uy)) else -1.0
    window = opening.kind == "window"
    depth = (WINDOW_DEPTH if window else DOOR_DEPTH) + _HALF
    half = opening.width / 2 + (0.0 if window else _SIDE)
    ends = (0.0, side * depth)
    if ux:
        x0, x1, y0, y1 = x + min(ends), x + max(ends), y - half, y + half
    else:
        x0, x1, y0, y1 = x - half, x + half, y + min(ends), y + max(ends)
    box = Box(x0, y0, x1, y1, floor.elevation + opening.sill, floor.elevation + opening.head)
    middle = (x + side * ux * (0.45 + _HALF), y + side * uy * (0.45 + _HALF))
    swings = opening.kind == "door" and not opening.closed and opening.rooms[0] == room.id
    return Zone(opening.id, opening.kind, box, middle, opening.width if swings else 0.0)


def _run_box(run: tuple[XYZ, XYZ], half: float) -> tuple[float, float, float, float]:
    (ax, ay, _), (bx, by, _) = run
    wide = abs(ax - bx) < abs(ay - by)
    gx, gy = (half, 0.0) if wide else (0.0, half)
    return min(ax, bx) - gx, min(ay, by) - gy, max(ax, bx) + gx, max(ay, by) + gy


def _columns(stair: Stair) -> list[Box]:
    low = stair.runs[0][0][2] - 1.0
    high = stair.runs[-1][1][2] + HEAD_ROOM
    half = stair.width / 2
    boxes = [Box(*_run_box(run, half), low, high) for run in stair.runs]
    for (_, head), (foot, _) in zip(stair.runs, stair.runs[1:], strict=False):
        x0, x1 = sorted((head[0], foot[0]))
        y0, y1 = sorted((head[1], foot[1]))
        boxes.append(Box(x0 - half, y0 - half, x1 + half, y1 + half, low, high))
    return boxes


def _slices(stair: Stair) -> list[Box]:
    low = stair.runs[0][0][2] - 1.0
    half = stair.width / 2
    boxes = []
    for a, b in stair.runs:
        for k in range(4):
            p, q = (tuple(a[i] + (b[i] - a[i]) * t / 4 for i in range(3)) for t in (k, k + 1))
            part = ((p[0], p[1], p[2]), (q[0], q[1], q[2]))
            boxes.append(Box(*_run_box(part, half), low, q[2] + 0.3))
    for column, (_, head) in zip(_columns(stair)[len(stair.runs) :], stair.runs, strict=False):
        boxes.append(column._replace(z1=head[2] + 0.3))
    return boxes


def _stair_end(stair: Stair, room: Room, floor: Floor) -> Zone:
    """Return the floor before the first step (on the lower storey) or after the last (on the upper)."""
    foot, head = stair.runs[0] if stair.rooms[0] == room.id else stair.runs[-1][::-1]
    span = max(abs(head[0] - foot[0]), abs(head[1] - foot[1])) or 1.0
    ux, uy = (foot[0] - head[0]) / span, (foot[1] - head[1]) / span
    half = stair.width / 2
    far = (foot[0] + ux * DOOR_DEPTH, foot[1] + uy * DOOR_DEPTH, 0.0)
    box = Box(*_run_box(((foot[0], foot[1], 0.0), far), half), floor.elevation, floor.elevation + HEAD_ROOM)
    return Zone(stair.id, "stairs", box, (foot[0] + ux * 0.45, foot[1] + uy * 0.45))
