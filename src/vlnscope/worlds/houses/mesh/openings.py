"""What stands in the openings of walls: casings, door leaves, window frames and panes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely
from shapely import Polygon

from vlnscope.worlds.houses.mesh.builder import HALF, MeshBuilder, Rectangle
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.stairs import run_area
from vlnscope.worlds.houses.mesh.walls import TRIM, Face, WallHole
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem

_CASING, _PROUD = 0.08, 0.016
_LEAF, _GAP = 0.04, 0.02
_BESIDE = 0.35
_PANE = Paint(196, 222, 238, 11)
_KNOB = Paint(188, 160, 92)
_INNER_DOOR = Paint(214, 190, 154, 1)
_OUTER_DOOR = Paint(126, 62, 44, 1)
_GARAGE_DOOR = Paint(222, 220, 214)

Range = tuple[float, float]
Zone = tuple[float, float, float, float, float, float]


def _bar(
    site: MeshBuilder, hole: WallHole, along: Range, over: Range, up: Range, look: Paint, kind: str = "door"
) -> None:
    """Add a box; what reaches over the wall is measured from its middle."""
    line = hole.faces[0].line
    over = (line + over[0], line + over[1])
    x, y = (along, over) if hole.opening.axis == "x" else (over, along)
    site.box((*x, *y, *up), look, kind, hole.opening.id)


def build_casing(site: MeshBuilder, hole: WallHole) -> None:
    """Build the trim around a door on both sides of the wall."""
    for face in hole.faces:
        over = (HALF, HALF + _PROUD) if face.sign > 0 else (-HALF - _PROUD, -HALF)
        left, right = max(hole.lo - _CASING, face.a), min(hole.hi + _CASING, face.b)
        _bar(site, hole, (left, hole.lo), over, (hole.z0, hole.z1 + _CASING), TRIM)
        _bar(site, hole, (hole.hi, right), over, (hole.z0, hole.z1 + _CASING), TRIM)
        _bar(site, hole, (hole.lo, hole.hi), over, (hole.z1, hole.z1 + _CASING), TRIM)


def build_window(site: MeshBuilder, hole: WallHole) -> None:
    """Build a window's frame, its bars and its pane, all within the thickness of the wall."""
    lo, hi, z0, z1, bar, half = hole.lo, hole.hi, hole.z0, hole.z1, 0.045, 0.03
    _bar(site, hole, (lo, hi), (-0.006, 0.006), (z0, z1), _PANE, "window")
    for a, b in ((lo, lo + bar), (hi - bar, hi)):
        _bar(site, hole, (a, b), (-half, half), (z0, z1), TRIM, "window")
    for c, d in ((z0, z0 + bar), (z1 - bar, z1)):
        _bar(site, hole, (lo + bar, hi - bar), (-half, half), (c, d), TRIM, "window")
    panes = max(1, math.ceil((hi - lo - 0.1) / 0.85))
    for i in range(1, panes):
        at = lo + (hi - lo) * i / panes
        _bar(site, hole, (at - 0.02, at + 0.02), (-half, half), (z0 + bar, z1 - bar), TRIM, "window")
    if z1 - z0 > 1.0:
        at = z0 + 0.68 * (z1 - z0)
        over, up = (-half + 0.005, half - 0.005), (at - 0.015, at + 0.015)
        _bar(site, hole, (lo + bar, hi - bar), over, up, TRIM, "window")


def _leaf(site: MeshBuilder, hole: WallHole, zone: Zone, thin: int, knob: float, look: Paint) -> None:
    """Build a door leaf that fills `zone`; `thin` is the axis of its thickness, `knob` its place across."""
    site.box(zone, look, "door", hole.opening.id)
    wide = 1 - thin
    lo, hi = zone[2 * wide], zone[2 * wide + 1]
    margin, tall = 0.16 * (hi - lo), zone[5] - zone[4]
    for a, b in ((0.08, 0.42), (0.5, 0.92)):
        panel = list(zone)
        panel[2 * wide], panel[2 * wide + 1] = lo + margin, hi - margin
        panel[2 * thin] -= 0.006
        panel[2 * thin + 1] += 0.006
        panel[4], panel[5] = zone[4] + a * tall, zone[4] + b * tall
        site.box(_zone(panel), shade(look, 0.85), "door", hole.opening.id)
    at = lo + knob * (hi - lo)
    handle = list(zone)
    handle[2 * wide], handle[2 * wide + 1] = at - 0.045, at + 0.045
    handle[2 * thin] -= 0.018
    handle[2 * thin + 1] += 0.018
    handle[4], handle[5] = zone[4] + 0.98, zone[4] + 1.01
    if tall > 1.3:
        site.box(_zone(handle), _KNOB, "door", hole.opening.id)


def _zone(values: Sequence[float]) -> Zone:
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def build_closed_door(site: MeshBuilder, hole: WallHole) -> None:
    """Build the leaf, or both leaves of a wide door, or the slats of a garage door, in the wall."""
    line, lo, hi = hole.faces[0].line, hole.lo, hole.hi
    outer = hole.opening.rooms[1] is None
    if hi - lo > 2.0:
        rows = max(3, round((hole.z1 - hole.z0) / 0.5))
        step = (hole.z1 - hole.z0) / rows
        for i in range(rows):
            low = hole.z0 + i * step
            _bar(site, hole, (lo, hi), (-0.02, 0.02), (low + 0.006, low + step - 0.006), _GARAGE_DOOR)
            _bar(site, hole, (lo, hi), (-0.012, 0.012), (low, low + step), shade(_GARAGE_DOOR, 0.6))
        return
    leaves = [(lo, hi, 0.9)] if hi - lo < 1.25 else [(lo, (lo + hi) / 2, 0.9), ((lo + hi) / 2, hi, 0.1)]
    look = _OUTER_DOOR if outer else _INNER_DOOR
    for a, b, knob in leaves:
        flat = (a + 0.002, b - 0.002)
        deep = (line - _LEAF / 2, line + _LEAF / 2)
        x, y = (flat, deep) if hole.opening.axis == "x" else (deep, flat)
        zone = (*x, *y, hole.z0 + 0.005, hole.z1 - 0.003)
        _leaf(site, hole, zone, 1 if hole.opening.axis == "x" else 0, knob, look)


def obstacles(plan: FloorPlan, holes: Sequence[WallHole]) -> dict[str, list[Zone]]:
    """Return per room what an open door must not touch: items, stairs, and the zones in front of openings."""
    zones: dict[str, list[Zone]] = {room.id: [] for room in plan.rooms}
    for item in plan.items:
        if item.size[2] > 0.04:
            zones.setdefault(item.room, []).append(item_zone(item))
    for stair in plan.stairs:
        for room in stair.rooms:
            for x0, y0, x1, y1 in (run_area(run, stair.width) for run in stair.runs):
                zones[room].append((x0, x1, y0, y1, -math.inf, math.inf))
    for hole in holes:
        for face in hole.faces:
            if face.room is not None:
                near, far = sorted((face.at, face.at + face.sign * 0.5))
                flat = (hole.lo - 0.03, hole.hi + 0.03)
                x, y = (flat, (near, far)) if face.axis == "x" else ((near, far), flat)
                zones[face.room.id].append((x[0], x[1], y[0], y[1], hole.z0, hole.z1))
    return zones


def item_zone(item: PlanItem) -> Zone:
    """Return the upright box x0, x1, y0, y1, z0, z1 around an item as it is turned."""
    angle = math.radians(item.yaw)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    w, d = item.size[0] / 2, item.size[1] / 2
    x, y, z = item.position
    half = (w * cos + d * sin, w * sin + d * cos)
    return x - half[0], x + half[0], y - half[1], y + half[1], z, z + item.size[2]


def _meets(a: Zone, b: Zone) -> bool:
    return all(a[2 * i] < b[2 * i + 1] - 1e-6 and b[2 * i] < a[2 * i + 1] - 1e-6 for i in range(3))


def open_places(hole: WallHole, face: Face, free: Polygon) -> list[tuple[Rectangle, int, float]]:
    """Return where a leaf may stand open in a room: rectangle, axis of its thickness, place of its knob.

    A leaf stands against a side wall near its hinge, or lies back against the wall of the door itself.
    """
    width, sign = hole.hi - hole.lo, face.sign
    base = face.at + sign * _GAP
    x0, y0, x1, y1 = free.bounds
    ends = (x0, x1) if face.axis == "x" else (y0, y1)
    places = []
    for hinge, way in ((hole.lo, -1), (hole.hi, 1)):
        beside = sorted((hinge, hinge + way * _LEAF))
        if abs(ends[0 if way < 0 else 1] - hinge) < _BESIDE:
            places.append((beside, sorted((base, base + sign * width)), 1, 0.9 if sign > 0 else 0.1))
    for hinge, way in ((hole.lo, -1), (hole.hi, 1)):
        beside = sorted((hinge, hinge + way * width))
        if beside[0] < face.a or beside[1] > face.b:
            continue
        places.append((beside, sorted((base, base + sign * _LEAF)), 0, 0.9 if way > 0 else 0.1))
    leaves = []
    for along, over, upright, knob in places:
        if face.axis == "x":
            leaves.append(((along[0], over[0], along[1], over[1]), 0 if upright else 1, knob))
        else:
            leaves.append(((over[0], along[0], over[1], along[1]), 1 if upright else 0, knob))
    return leaves


def build_open_door(
    site: MeshBuilder, hole: WallHole, floors: dict[str, Polygon], taken: dict[str, list[Zone]]
) -> None:
    """Build the leaf of an open door where it is in nobody's way; without such a place it has no leaf."""
    if hole.hi - hole.lo > 1.25:
        return
    look = _OUTER_DOOR if hole.opening.rooms[1] is None else _INNER_DOOR
    for face in hole.faces:
        if face.room is None:
            continue
        free = floors[face.room.id]
        for (x0, y0, x1, y1), thin, knob in open_places(hole, face, free):
            zone = (x0, x1, y0, y1, hole.z0 + 0.005, hole.z1 - 0.003)
            wide = (x0 - 0.02, x1 + 0.02, y0 - 0.02, y1 + 0.02, zone[4], zone[5])
            own = (hole.lo, hole.hi)
            if not free.covers(shapely.box(x0, y0, x1, y1)):
                continue
            if any(_meets(wide, other) for other in taken[face.room.id] if not _is_own(other, own, face)):
                continue
            taken[face.room.id].append(zone)
            _leaf(site, hole, zone, thin, knob, look)
            return


def _is_own(zone: Zone, own: tuple[float, float], face: Face) -> bool:
    """Whether a zone is the one in front of the door itself."""
    lo, hi = (zone[0], zone[1]) if face.axis == "x" else (zone[2], zone[3])
    return abs(lo - own[0] + 0.03) < 1e-9 and abs(hi - own[1] - 0.03) < 1e-9
