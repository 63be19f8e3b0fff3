"""Checks of doors, passages and windows: each lies in a wall of its rooms, and no two in the same place."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.worlds.houses.layout.walls import Edge, edges, free_walls, shared_walls
from vlnscope.worlds.houses.plan.ceilings import reaches
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, PlanProblem, Room, at

_NEAR = 0.02
"""How far from the wall line the middle of an opening may lie."""


def opening_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    """Yield what is wrong with the openings of a plan, one by one and then in pairs."""
    rooms = {room.id: room for room in plan.rooms}
    for opening in plan.openings:
        yield from _measures(opening, _height(plan, rooms, opening))
        yield from _place(plan, rooms, opening)
    yield from _overlaps(plan)


def _height(plan: FloorPlan, rooms: dict[str, Room], opening: Opening) -> float:
    """Return how high above its floor an opening may reach: to the lower ceiling of its two rooms."""
    floor = next(floor for floor in plan.floors if floor.level == opening.floor)
    tops = [
        plan.floor_of(rooms[name]).elevation + plan.height_of(rooms[name]) - floor.elevation
        for name in opening.rooms
        if name in rooms
    ]
    return round(min(tops, default=floor.height), 4)


def _name(opening: Opening) -> str:
    return f"{opening.kind} {opening.id} at {at(opening.centre)} on floor {opening.floor}"


def _measures(opening: Opening, height: float) -> Iterator[PlanProblem]:
    if not opening.width > 0:
        yield PlanProblem(f"{_name(opening)} is {opening.width} m wide", "a width above 0", "widen it")
    if not 0 <= opening.sill < opening.head <= height + 1e-6:
        yield PlanProblem(
            f"{_name(opening)} reaches from {opening.sill} to {opening.head} m above the floor",
            f"0 ≤ sill < head ≤ {height}, the height of its rooms",
            "correct its sill or head",
        )


def _place(plan: FloorPlan, rooms: dict[str, Room], opening: Opening) -> Iterator[PlanProblem]:
    own, other = opening.rooms
    floor = next(floor for floor in plan.floors if floor.level == opening.floor)
    for name in (own, other):
        if name is not None and (name not in rooms or not reaches(plan, rooms[name], floor)):
            yield PlanProblem(
                f"{_name(opening)} joins room {name!r}, which is not on that floor",
                "ids of rooms on the opening's floor",
                "correct its member `rooms`",
            )
            return
    if own == other:
        yield PlanProblem(
            f"{_name(opening)} joins {own} with itself", "two rooms", "correct its member `rooms`"
        )
        return
    walls = _walls(plan, rooms, opening)
    touching = [wall for wall in walls if _on_line(wall, opening) and _holds(wall, opening, 0.0)]
    if not touching:
        yield _misplaced(rooms, opening)
    elif not any(_holds(wall, opening, opening.width) for wall in touching):
        wall = max(touching, key=lambda edge: edge.high - edge.low)
        yield PlanProblem(
            f"{_name(opening)} is {opening.width:.2f} m wide and leaves the wall between {_sides(opening)}, "
            f"which runs from {at(wall.point(wall.low))} to {at(wall.point(wall.high))}",
            f"an opening inside its wall of {wall.high - wall.low:.2f} m",
            "narrow it or move it along the wall",
        )


def _walls(plan: FloorPlan, rooms: dict[str, Room], opening: Opening) -> list[Edge]:
    own = rooms[opening.rooms[0]]
    if opening.rooms[1] is not None:
        return shared_walls(own.polygon, rooms[opening.rooms[1]].polygon)
    others = [room.polygon for room in plan.rooms if room.floor == opening.floor and room.id != own.id]
    return free_walls(own.polygon, others)


def _misplaced(rooms: dict[str, Room], opening: Opening) -> PlanProblem:
    sides = [name for name in opening.rooms if name is not None]
    lies = [
        name
        for name in sides
        if any(_on_line(w, opening) and _holds(w, opening, 0.0) for w in edges(rooms[name].polygon))
    ]
    if not lies:
        what = f"{_name(opening)} lies in no wall of {' or '.join(sides)}"
    else:
        what = f"{_name(opening)} lies in a wall of {lies[0]}, but not between {_sides(opening)}"
    return PlanProblem(
        what,
        f"the middle of the opening on a wall between {_sides(opening)}, along its axis {opening.axis}",
        "correct its centre, axis or rooms",
    )


def _sides(opening: Opening) -> str:
    return f"{opening.rooms[0]} and {opening.rooms[1] or 'the outside'}"


def _line(opening: Opening) -> tuple[float, float]:
    """Return the coordinates of an opening along and across its wall."""
    x, y = opening.centre
    return (x, y) if opening.axis == "x" else (y, x)


def _on_line(wall: Edge, opening: Opening) -> bool:
    return wall.axis == opening.axis and abs(wall.at - _line(opening)[1]) <= _NEAR


def _holds(wall: Edge, opening: Opening, width: float) -> bool:
    along = _line(opening)[0]
    return wall.low - 1e-3 <= along - width / 2 and along + width / 2 <= wall.high + 1e-3


def _overlaps(plan: FloorPlan) -> Iterator[PlanProblem]:
    for i, a in enumerate(plan.openings):
        for b in plan.openings[i + 1 :]:
            if _same_hole(a, b):
                yield PlanProblem(
                    f"{_name(a)} and {_name(b)} overlap",
                    "openings side by side in a wall",
                    "move or narrow one of the two",
                )


def _same_hole(a: Opening, b: Opening) -> bool:
    if a.floor != b.floor or a.axis != b.axis:
        return False
    (along_a, across_a), (along_b, across_b) = _line(a), _line(b)
    if abs(across_a - across_b) > 2 * _NEAR or min(a.head, b.head) <= max(a.sill, b.sill):
        return False
    return abs(along_a - along_b) < (a.width + b.width) / 2 - 1e-3
