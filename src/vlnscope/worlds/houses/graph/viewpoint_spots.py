"""Where viewpoints stand: in rooms, in doorways and on stairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Flags, Floats, Ints
from vlnscope.worlds.houses.graph.edges import FARTHEST, components, seen_pairs
from vlnscope.worlds.houses.graph.floor_grid import FloorGrid, pulled_tight
from vlnscope.worlds.houses.graph.obstacles import Obstacles
from vlnscope.worlds.houses.mesh.spiral import spiral_places
from vlnscope.worlds.houses.plan.plan import XY, XYZ, FloorPlan, Opening, Stair

NEAR = 0.24
"""Least distance of a viewpoint from walls and furniture."""

APART = 0.4
"""Least distance of two viewpoints of a storey."""

_DOORWAYS = 0.3
_STEP_IN = 0.5  # how far before the first and after the last step of a stair one stands
_SPACING = (0.82, 1.28)
_WHIM = 0.3
_ALIGNED, _LINE = 0.6, 0.08
"""How much better a place is that lies in line with a doorway, and how far off the line it may be, metres."""
_FEW = 3
_LABEL_SPACING = {"a": 1.05, "e": 1.05, "h": 0.83, "corridor": 2.3, "k": 1.12, "l": 1.25, "z": 1.05}
_ROOMY = {"h": (0.6, 0.45), "corridor": (0.6, 0.45)}
_LONG, _LONG_CORRIDOR = 4.0, 11.5
"""A long corridor is so many times as long as wide, and at least so many metres long."""
_END = (0.3, 1.2)
"""How far from the end of a long corridor a viewpoint stands, metres."""


class ViewpointSpot(NamedTuple):
    """A place to stand: what it belongs to, its room's number in the plan, and the floor under it."""

    key: str
    room: int
    place: XYZ


class StairSpots(NamedTuple):
    """The spots of a stair, from the foot to the head; each is joined to the next."""

    spots: tuple[ViewpointSpot, ...]


def climbs(plan: FloorPlan) -> list[StairSpots]:
    """Return the spots of all stairs; where one ends near the foot of the next, they share a spot."""
    number = {room.id: i for i, room in enumerate(plan.rooms)}
    rows: list[StairSpots] = []
    for stair in plan.stairs:
        row = _climb(stair, number[stair.rooms[0]], number[stair.rooms[1]]).spots
        ends = [spot for other in rows for spot in (other.spots[0], other.spots[-1])]
        rows.append(StairSpots(tuple(_shared(spot, ends) for spot in row)))
    return rows


def _shared(spot: ViewpointSpot, others: Sequence[ViewpointSpot]) -> ViewpointSpot:
    """Return the one of other spots that is too close to a spot to keep both, else the spot itself."""
    near = (other for other in others if math.dist(spot.place, other.place) < APART)
    return next(near, spot)


def _climb(stair: Stair, lower: int, upper: int) -> StairSpots:
    places = spiral_places(stair) if stair.centre is not None else _flight(stair)
    spots = [ViewpointSpot(f"{stair.id} {i}", lower, point) for i, point in enumerate(places)]
    spots[-1] = spots[-1]._replace(room=upper)
    return StairSpots(tuple(spots))


def _flight(stair: Stair) -> list[XYZ]:
    """Return where one stands on straight runs and on the landings between them."""
    places: list[XYZ] = []
    last = len(stair.runs) - 1
    for i, (foot, head) in enumerate(stair.runs):
        length = math.dist(foot[:2], head[:2])
        ux, uy = (head[0] - foot[0]) / length, (head[1] - foot[1]) / length
        before = _STEP_IN if i == 0 else _turn(stair, stair.runs[i - 1], (foot, head), True)
        after = _STEP_IN if i == last else _turn(stair, (foot, head), stair.runs[i + 1], False)
        start = (foot[0] - ux * before, foot[1] - uy * before, foot[2])
        end = (head[0] + ux * after, head[1] + uy * after, head[2])
        if not places or math.dist(places[-1][:2], start[:2]) > 0.6:
            places.append(start)
        if length > 2.6:
            places.append(_on_step(foot, head))
        places.append(end)
    return places


def _on_step(foot: XYZ, head: XYZ) -> XYZ:
    """Return the middle of the step in the middle of a run."""
    from vlnscope.worlds.houses.mesh.stairs import RISER

    count = max(1, round((head[2] - foot[2]) / RISER))
    step = count // 2
    share = (step + 0.5) / count
    x, y = (foot[k] + share * (head[k] - foot[k]) for k in (0, 1))
    return x, y, foot[2] + (step + 1) / count * (head[2] - foot[2])


def _turn(stair: Stair, run: tuple[XYZ, XYZ], after: tuple[XYZ, XYZ], second: bool) -> float:
    """Return how far on the landing between two runs the centre lines meet, or half a width if parallel."""
    (ax, ay, _), (bx, by, _) = run
    (cx, cy, _), (dx, dy, _) = after
    across = abs((bx - ax) * (dy - cy) - (by - ay) * (dx - cx))
    if across < 1e-6:
        return stair.width / 2
    gap = (cx - bx, cy - by)
    ux, uy = ((bx - ax), (by - ay)) if not second else ((dx - cx), (dy - cy))
    size = math.hypot(ux, uy)
    return abs(gap[0] * ux + gap[1] * uy) / size


def doorway_spot(plan: FloorPlan, opening: Opening, ground: Obstacles) -> ViewpointSpot:
    """Return the spot in an opening, in one of its two rooms."""
    number = {room.id: i for i, room in enumerate(plan.rooms)}
    side = int(rng_for(0, plan.id, "side", opening.id).integers(2))
    room = opening.rooms[side] or opening.rooms[0]
    return ViewpointSpot(f"{opening.id} 0", number[room], (*ground.gates[opening.id], ground.floor.elevation))


def has_viewpoint(plan: FloorPlan, opening: Opening) -> bool:
    """Return whether a viewpoint stands in an opening even if none is needed."""
    return bool(rng_for(0, plan.id, "doorway", opening.id).random() < _DOORWAYS)


def room_spots(
    plan: FloorPlan, number: int, ground: Obstacles, ways: Sequence[Opening], fixed: Sequence[ViewpointSpot]
) -> list[ViewpointSpot]:
    """Return the spots of a room: away from walls and furniture, and from each other.

    They depend on the house's id, the room, its openings, what is in it and the fixed spots at its stairs,
    and on nothing else. From each of them one gets to every other and into every doorway without leaving the
    room, as far as the furniture allows.

    Args:
        plan: the house.
        number: of the room in the plan.
        ground: of its storey.
        ways: the openings of the room that one can walk through.
        fixed: spots that are there already, such as those in its doorways and at its stairs.
    """
    room = plan.rooms[number]
    rng = rng_for(0, plan.id, "room", room.id)
    grid = FloorGrid(room, ways, ground)
    there = [spot.place[:2] for spot in fixed]
    gates = [ground.gates[way.id] for way in ways if ground.gates[way.id] not in there]
    inside = any(spot.room == number for spot in fixed)
    label = room.built_as or room.label
    ends = _corridor_ends(grid, room.polygon, there, [*there, *gates]) if label == "h" else []
    least = 0 if inside or ends else 1
    kind = "corridor" if ends else label
    scattered = _scattered(grid, rng, kind, [*there, *gates], [*there, *ends], least)
    places = ends + _joined(grid, ground, scattered, [*there, *ends], gates)
    return [
        ViewpointSpot(f"{room.id} {i}", number, (x, y, ground.floor.elevation))
        for i, (x, y) in enumerate(places)
    ]


def _corridor_ends(
    grid: FloorGrid, polygon: Sequence[XY], there: Sequence[XY], ports: Sequence[XY]
) -> list[XY]:
    """Return a place at each end of a long straight corridor that ports lead to and where nobody stands."""
    xs, ys = zip(*polygon, strict=True)
    low, high = (min(xs), min(ys)), (max(xs), max(ys))
    size = (high[0] - low[0], high[1] - low[1])
    if len(polygon) != 4 or max(size) < _LONG * min(size) or max(size) < _LONG_CORRIDOR:
        return []
    along = 0 if size[0] > size[1] else 1
    reached = sorted({grid.part(port) for port in ports} - {0})
    free = (grid.clearance >= NEAR) & np.isin(grid.parts, reached)
    points, room = grid.points(free), grid.clearance[free]
    ends: list[XY] = []
    for distance in (points[:, along] - low[along], high[along] - points[:, along]):
        near = np.flatnonzero((distance >= _END[0]) & (distance <= _END[1]))
        if len(near):
            x, y = points[near[np.argmax(np.minimum(room[near], 0.5) - distance[near])]].tolist()
            if all(math.dist((x, y), other) >= _SPACING[0] for other in there):
                ends.append((x, y))
    return ends


def _scattered(
    grid: FloorGrid,
    rng: np.random.Generator,
    label: str,
    ports: Sequence[XY],
    fixed: Sequence[XY],
    least: int,
) -> list[XY]:
    """Choose places far from each other and from fixed ones, on the floor that can be reached."""
    spacing = float(rng.uniform(*_SPACING)) * _LABEL_SPACING.get(label, 1.0)
    free = (grid.clearance >= NEAR) & (grid.parts > 0)
    reached = sorted({grid.part(port) for port in ports} - {0})
    if reached:
        free &= np.isin(grid.parts, reached)
    if not free.any():
        return []
    share, roomy = _ROOMY.get(label, (0.75, 0.55))
    free &= grid.clearance >= min(roomy, share * float(grid.clearance[free].max()))
    points, clearance = grid.points(free), grid.clearance[free]
    if not len(points):
        return []
    score = np.minimum(clearance, 1.2) + _WHIM * rng.random(len(points)) + _ALIGNED * _in_line(points, ports)
    far = np.full(len(points), np.inf)
    for x, y in fixed:
        far = np.minimum(far, np.hypot(points[:, 0] - x, points[:, 1] - y))
    chosen: list[XY] = []
    while True:
        apart = spacing if len(chosen) >= least else 0.0
        wish = np.where(far >= apart, np.minimum(far, 2.2 * spacing) + score, -np.inf)
        best = int(np.argmax(wish))
        if not np.isfinite(wish[best]):
            return chosen
        x, y = points[best].tolist()
        chosen.append((x, y))
        far = np.minimum(far, np.hypot(points[:, 0] - x, points[:, 1] - y))


def _in_line(points: Floats, ports: Sequence[XY]) -> Flags:
    """Return which points lie straight before one of the ports, along x or y."""
    off = np.abs(points[:, None] - np.array(ports, dtype=np.float64).reshape(1, -1, 2))
    return np.asarray((off < _LINE).any(axis=(1, 2)))


def _joined(
    grid: FloorGrid, ground: Obstacles, places: Sequence[XY], fixed: Sequence[XY], gates: Sequence[XY]
) -> list[XY]:
    """Add places until all are joined to each other, to the fixed ones and to the gates by straight steps.

    Places that cannot be reached from a fixed one or a gate are left out, unless none can.
    """
    nodes = [*fixed, *places]
    for _ in range(len(nodes)):
        parts = _parts(nodes, ground)
        new: list[XY] = []
        for i in np.flatnonzero(parts != parts[0]).tolist():
            others = [nodes[k] for k in np.flatnonzero(parts != parts[i])]
            new = _fresh(pulled_tight(grid.way(nodes[i], others), ground, FARTHEST), nodes)
            if new:
                break
        if not new:
            break
        nodes += new
    for gate in gates:
        if nodes and not _seen(gate, nodes, ground).any():
            nodes += _fresh(pulled_tight(grid.way(gate, nodes), ground, FARTHEST), nodes)
    if not nodes or not (fixed or gates):
        return nodes
    parts = _parts(nodes, ground)
    reached = {*parts[: len(fixed)].tolist()}
    for gate in gates:
        reached |= {*parts[_seen(gate, nodes, ground)].tolist()}
    own = parts[len(fixed) :]
    if len(own) and not reached & {*own.tolist()}:
        reached = {int(np.bincount(own).argmax())}
    kept = [node for node, part in zip(nodes[len(fixed) :], own.tolist(), strict=True) if part in reached]
    return _without_dead_ends(kept, [*fixed, *gates], ground)


def _fresh(corners: Sequence[XY], nodes: Sequence[XY]) -> list[XY]:
    """Return the corners where no node is yet."""
    return [corner for corner in corners if min(math.dist(corner, node) for node in nodes) > 0.04]


def _without_dead_ends(places: list[XY], others: Sequence[XY], ground: Obstacles) -> list[XY]:
    """Leave out places of a room with several from which only one other place can be seen."""
    if len(places) <= _FEW:
        return places
    degree = seen_pairs(np.array([*places, *others]).reshape(-1, 2), ground).sum(axis=1)
    kept = [point for point, count in zip(places, degree.tolist(), strict=False) if count > 1]
    return kept if len(kept) >= _FEW else places


def _parts(nodes: Sequence[XY], ground: Obstacles) -> Ints:
    return components(seen_pairs(np.array(nodes, dtype=np.float64).reshape(-1, 2), ground))


def _seen(point: XY, nodes: Sequence[XY], ground: Obstacles) -> Flags:
    ends = np.array(nodes, dtype=np.float64).reshape(-1, 2)
    starts = np.broadcast_to(np.array(point), ends.shape)
    near: Flags = np.hypot(*(ends - starts).T) <= FARTHEST
    return ground.clear(starts, ends) & near
