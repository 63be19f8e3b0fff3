"""The building on a map: rooms, walls with their openings, railings and stairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from shapely import Geometry, LineString, Polygon, box, unary_union

from vlnscope.worlds.houses.mesh.spiral import POST, spiral_of
from vlnscope.worlds.houses.plan.plan import WALL, FloorPlan, Opening, Room, Stair
from vlnscope.worlds.maps.canvas import XY, Canvas

INK = "#33363d"
GLASS = "#4f8fc0"
LEAF = "#7a5230"
SHUT = "#b23a2e"
PAPER = "#ffffff"

ROOM_COLOURS = {
    "a": "#cfe6f0", "b": "#dcd6f0", "c": "#e6e0e6", "d": "#fae3c3", "e": "#f3ead3", "f": "#f9d9cf",
    "g": "#dcdcd8", "h": "#f4f1ea", "i": "#e5d8c6", "j": "#cfe5e0", "k": "#fbeeb4", "l": "#f7d6d2",
    "m": "#d8dff0", "n": "#f2d8e4", "o": "#d4e3f5", "p": "#dbe8cc", "r": "#e6dcf7", "s": "#e4e2dc",
    "t": "#bfe0ea", "u": "#d9ded6", "v": "#ead3e8", "w": "#d2ecdb", "x": "#cfe3b8", "y": "#e2ecd4",
    "z": "#ebe7e2", "B": "#eed3bb", "C": "#dcebc9", "D": "#f6dcb0", "S": "#bfe6dd", "Z": "#eeeeee",
    "-": "#eeeeee",
}  # fmt: skip
"""A soft colour per room label."""

_TREAD = 0.27
_DOUBLE = 1.3


def draw_rooms(canvas: Canvas, rooms: Sequence[Room]) -> None:
    """Fill the rooms by type; those under the sky are hatched by a thin edge only."""
    for room in rooms:
        canvas.area(Polygon(room.polygon), fill=ROOM_COLOURS.get(room.label, "#eeeeee"))


def draw_voids(canvas: Canvas, voids: Sequence[Room]) -> None:
    """Cross out what has no floor, because a room below reaches up to here."""
    for room in voids:
        x0, y0, x1, y1 = Polygon(room.polygon).bounds
        canvas.area(Polygon(room.polygon), fill=PAPER)
        for line in ([(x0, y0), (x1, y1)], [(x0, y1), (x1, y0)]):
            canvas.line(line, stroke=INK, stroke_width=0.6, stroke_dasharray="4 3", stroke_opacity=0.5)


def draw_walls(canvas: Canvas, rooms: Sequence[Room], openings: Sequence[Opening]) -> None:
    """Draw walls with their thickness, cut open where doors, passages and windows are, and railings."""
    walls = wall_shape(rooms)
    holes = unary_union([hole_of(opening) for opening in openings])
    rails = unary_union([Polygon(room.polygon).exterior for room in rooms if room.outdoor])
    railings = rails.difference(walls.buffer(0.02)).difference(holes.buffer(0.02))
    canvas.strokes(railings, stroke=INK, stroke_width=3.2)
    canvas.strokes(railings, stroke=PAPER, stroke_width=1.6)
    canvas.area(walls.difference(holes), fill=INK)


def wall_shape(rooms: Sequence[Room]) -> Geometry:
    """Return the ground that the walls of these rooms stand on, as if they had no openings."""
    lines = [Polygon(room.polygon).exterior for room in rooms if not room.outdoor]
    return unary_union([line.buffer(WALL / 2, cap_style="square", join_style="mitre") for line in lines])


def hole_of(opening: Opening) -> Polygon:
    """Return the piece of wall that an opening takes away."""
    x, y = opening.centre
    half, deep = opening.width / 2, WALL / 2 + 0.005
    along, across = (half, deep) if opening.axis == "x" else (deep, half)
    return box(x - along, y - across, x + along, y + across)


def draw_openings(canvas: Canvas, plan: FloorPlan, openings: Sequence[Opening]) -> None:
    """Draw windows, passages, and doors with the way their leaves swing."""
    rooms = {room.id: Polygon(room.polygon) for room in plan.rooms}
    for opening in openings:
        if opening.kind == "window":
            _window(canvas, opening)
        elif opening.kind == "passage":
            _passage(canvas, opening)
        elif opening.closed:
            _shut(canvas, opening)
        else:
            _swing(canvas, opening, rooms[opening.rooms[0]])


def _place(opening: Opening, along: float, across: float) -> XY:
    x, y = opening.centre
    return (x + along, y + across) if opening.axis == "x" else (x + across, y + along)


def _sides(canvas: Canvas, opening: Opening, **style: Any) -> None:
    half = opening.width / 2
    for across in (-WALL / 2, WALL / 2):
        canvas.line([_place(opening, -half, across), _place(opening, half, across)], **style)


def _window(canvas: Canvas, opening: Opening) -> None:
    half = opening.width / 2
    canvas.area(hole_of(opening), fill="#e8f3fb")
    _sides(canvas, opening, stroke=INK, stroke_width=0.8)
    pane = [_place(opening, -half, 0.0), _place(opening, half, 0.0)]
    canvas.line(pane, stroke=GLASS, stroke_width=1.6)


def _passage(canvas: Canvas, opening: Opening) -> None:
    _sides(canvas, opening, stroke=INK, stroke_width=0.6, stroke_dasharray="3 3", stroke_opacity=0.6)


def _shut(canvas: Canvas, opening: Opening) -> None:
    half = opening.width / 2
    canvas.area(hole_of(opening), fill=PAPER)
    ends = [_place(opening, -half, 0.0), _place(opening, half, 0.0)]
    canvas.line(ends, stroke=SHUT, stroke_width=2.4)


def _swing(canvas: Canvas, opening: Opening, room: Polygon) -> None:
    side = _side_of(opening, room)
    half = opening.width / 2
    if opening.width > _DOUBLE:
        leaves = [(-half, half), (half, half)]
    else:
        leaves = [(_hinge(opening, room, side), opening.width)]
    for hinge, length in leaves:
        _leaf(canvas, opening, hinge, length, side)


def _side_of(opening: Opening, room: Polygon) -> float:
    """Return on which side of the wall the room is."""
    ahead = LineString([_place(opening, 0.0, 0.0), _place(opening, 0.0, 0.3)])
    return 1.0 if room.intersection(ahead).length > 0.15 else -1.0


def _hinge(opening: Opening, room: Polygon, side: float) -> float:
    """Return the jamb whose leaf opens towards the nearer wall of the room, as people hang doors."""
    half = opening.width / 2
    spare = [
        room.exterior.intersection(
            LineString([_place(opening, end, side * 0.3), _place(opening, end * 12, side * 0.3)])
        ).distance(LineString([_place(opening, end, side * 0.3), _place(opening, end, side * 0.31)]))
        for end in (-half, half)
    ]
    return -half if spare[0] <= spare[1] else half


def _leaf(canvas: Canvas, opening: Opening, hinge: float, length: float, side: float) -> None:
    inward = -math.copysign(1.0, hinge)
    base = side * WALL / 2
    steps = [math.pi / 2 * i / 12 for i in range(13)]
    arc = [
        _place(opening, hinge + inward * length * math.cos(a), base + side * length * math.sin(a))
        for a in steps
    ]
    canvas.line(arc, stroke=LEAF, stroke_width=0.7, stroke_dasharray="2.5 1.8", stroke_opacity=0.8)
    canvas.line([_place(opening, hinge, base), arc[-1]], stroke=LEAF, stroke_width=2.0)


def draw_stairs(canvas: Canvas, plan: FloorPlan, level: int) -> None:
    """Draw the flights that start or end on a floor: their steps, and an arrow that says up or down."""
    for stair in plan.stairs:
        if level in stair.floors:
            _flight(canvas, stair, up=stair.floors[0] == level)


def _flight(canvas: Canvas, stair: Stair, *, up: bool) -> None:
    if stair.centre is not None:
        _treads(canvas, stair)
    for foot, head in stair.runs if stair.centre is None else ():
        _steps(canvas, foot, head, stair.width)
    centre = _centre_line(stair)
    way = centre if up else centre[::-1]
    canvas.line(way, stroke=INK, stroke_width=1.1)
    arrow_head(canvas, way[-2], way[-1], 7.0, INK)
    canvas.circle(way[0], 2.2, fill=INK)
    first, second = way[0], way[1]
    length = math.dist(first, second) or 1.0
    spot = tuple(a + (b - a) * min(0.45, length / 2) / length for a, b in zip(first, second, strict=True))
    canvas.text(spot, "up" if up else "down", 8.0, halo=PAPER, font_weight="bold", fill=INK)


def _centre_line(stair: Stair) -> list[XY]:
    """Return the way that people walk, which goes around the corner in the middle of each landing."""
    line: list[XY] = []
    if stair.centre is not None:
        return [(x, y) for x, y, _ in (stair.runs[0][0], *(head for _, head in stair.runs))]
    for number, (foot, head) in enumerate(stair.runs):
        length = math.dist(foot[:2], head[:2]) or 1.0
        reach = stair.width / 2 / length
        step = ((head[0] - foot[0]) * reach, (head[1] - foot[1]) * reach)
        if number > 0:
            line.append((foot[0] - step[0], foot[1] - step[1]))
        line += [(foot[0], foot[1]), (head[0], head[1])]
        if number < len(stair.runs) - 1:
            line.append((head[0] + step[0], head[1] + step[1]))
    return line


def _treads(canvas: Canvas, stair: Stair) -> None:
    """Draw the treads of a spiral stair around its post."""
    spiral = spiral_of(stair)
    rim = [spiral.point(spiral.turn * k / 24, spiral.outer) for k in range(25)]
    canvas.line([*rim, spiral.centre], closed=True, fill="#f7f6f2", stroke=INK, stroke_width=0.8)
    for number in range(spiral.treads):
        begin = spiral.tread(number)[0]
        edge = [spiral.point(begin, POST), spiral.point(begin, spiral.outer)]
        canvas.line(edge, stroke=INK, stroke_width=0.6, stroke_opacity=0.8)
    canvas.circle(spiral.centre, 2.4, fill=INK)


def _steps(canvas: Canvas, foot: Sequence[float], head: Sequence[float], width: float) -> None:
    dx, dy = head[0] - foot[0], head[1] - foot[1]
    length = math.hypot(dx, dy)
    if length < 1e-6:
        return
    side = (-dy / length * width / 2, dx / length * width / 2)
    count = max(1, round(length / _TREAD))
    corners = [
        (p[0] + s * side[0], p[1] + s * side[1]) for p, s in ((foot, 1), (head, 1), (head, -1), (foot, -1))
    ]
    canvas.line(corners, closed=True, fill="#f7f6f2", stroke=INK, stroke_width=0.8)
    for i in range(1, count):
        x, y = foot[0] + dx * i / count, foot[1] + dy * i / count
        tread = [(x + side[0], y + side[1]), (x - side[0], y - side[1])]
        canvas.line(tread, stroke=INK, stroke_width=0.6, stroke_opacity=0.8)


def arrow_head(canvas: Canvas, start: XY, end: XY, size: float, colour: str) -> None:
    """Draw a filled arrow head at `end`, pointing away from `start`; size in page units."""
    (x0, y0), (x1, y1) = canvas.at(start), canvas.at(end)
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 1e-6:
        return
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    back = (x1 - ux * size, y1 - uy * size)
    wing = size * 0.48
    points = [
        (x1, y1),
        (back[0] - uy * wing, back[1] + ux * wing),
        (back[0] + uy * wing, back[1] - ux * wing),
    ]
    outline = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    canvas.add("polygon", points=outline, fill=colour)
