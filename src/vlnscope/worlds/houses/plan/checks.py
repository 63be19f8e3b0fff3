"""What must hold of every floor plan; each breach is named with its place and how to mend it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sin

from shapely.geometry import Polygon

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.mesh.colours import Paint, floor_paint, paint, wall_paint
from vlnscope.worlds.houses.parts import part_names
from vlnscope.worlds.houses.plan.height_checks import height_problems
from vlnscope.worlds.houses.plan.opening_checks import opening_problems
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem, PlanProblem, Room, at
from vlnscope.worlds.houses.plan.polygons import area, sides
from vlnscope.worlds.houses.plan.stair_checks import stair_problems
from vlnscope.worlds.rooms import ROOM_NAMES

LABELS = tuple(label for label in ROOM_NAMES if label not in ("Z", "-"))
"""Room labels that a plan may use."""

HEAD_ROOM = 1.9
"""Least height of sloped ceilings at the wall, metres."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_FARTHEST = 500
_HIGHEST = 20
_LEAST_AREA = 0.25
_OVERLAP = 1e-3
_SHOWN = 8


def check_plan(plan: FloorPlan, where: str | None = None) -> None:
    """Raise an error that names every breach in a plan, if there is any.

    Args:
        plan: with polygons in normal form (see `file.normal_form`).
        where: the source, for the message; the house's id if not given.
    """
    problems = plan_problems(plan)
    if not problems:
        return
    shown = [problem.what for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        shown.append(f"and {len(problems) - _SHOWN} more")
    raise InputError(
        f"{where or plan.id}: " + "; ".join(shown),
        expected="; ".join(dict.fromkeys(problem.expected for problem in problems[:_SHOWN])),
        fix="; ".join(dict.fromkeys(problem.fix for problem in problems[:_SHOWN])),
    )


def plan_problems(plan: FloorPlan) -> list[PlanProblem]:
    """Return all breaches in a plan; later checks are left out where earlier ones make them meaningless."""
    problems = [*_name_problems(plan), *_size_problems(plan)]
    problems = problems or [*_floor_problems(plan), *_shape_problems(plan)]
    if problems:
        return problems
    problems = [*_overlap_problems(plan), *height_problems(plan), *opening_problems(plan)]
    problems += stair_problems(plan)
    problems += _item_problems(plan)
    return problems or list(_reach_problems(plan))


def _name_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    if not _ID.fullmatch(plan.id):
        yield PlanProblem(
            f"the house is called {plan.id!r}",
            "letters, digits, `_`, `.` and `-`, a letter or digit first: files are named after it",
            "change the member `id`",
        )
    ids = Counter(part.id for parts in (plan.rooms, plan.openings, plan.stairs, plan.items) for part in parts)
    for name, count in ids.items():
        if count > 1:
            yield PlanProblem(
                f"the id {name!r} is used {count} times", "ids that are unique in the house", "rename"
            )
    if not plan.rooms:
        yield PlanProblem("the plan has no rooms", "at least one room", "add one to `rooms`")
    for room in plan.rooms:
        if room.label not in LABELS:
            yield PlanProblem(
                f"room {room.id} has the unknown label {room.label!r}",
                f"one of {' '.join(LABELS)}",
                "use the letter of the room's kind, e.g. `b` for a bedroom",
            )


def _size_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    """Yield numbers that no building has, before anything is computed with them."""
    for floor in plan.floors:
        if abs(floor.level) > 99 or abs(floor.elevation) > _FARTHEST or floor.height > _HIGHEST:
            yield PlanProblem(
                f"floor {floor.level} lies at {floor.elevation:g} m and is {floor.height:g} m high",
                f"levels up to 99, elevations up to {_FARTHEST} m, heights up to {_HIGHEST} m",
                "correct these numbers; they are metres",
            )
    for room in plan.rooms:
        if any(abs(v) > _FARTHEST for corner in room.polygon for v in corner):
            yield PlanProblem(
                f"room {room.id} has a corner more than {_FARTHEST} m from the origin",
                f"coordinates up to {_FARTHEST} m",
                "correct its corners; they are metres",
            )
    light = plan.daylight
    if light is not None and not (
        0 <= light.hour <= 24 and 0 <= light.cover <= 1 and 0 <= light.north <= 360
    ):
        yield PlanProblem(
            f"daylight has the hour {light.hour:g}, the cover {light.cover:g} and north at {light.north:g}°",
            "an hour from 0 to 24, a cover from 0 to 1 and north from 0° to 360°",
            "correct the members of `daylight`",
        )
    for item in plan.items:
        if not all(0.001 <= side <= 50 for side in item.size) or any(
            abs(v) > 2 * _FARTHEST for v in item.position
        ):
            yield PlanProblem(
                f"{item.name} {item.id} measures {item.size} at {item.position}",
                "sides of 1 mm to 50 m, at a place in the house",
                "correct its members `size` and `position`; they are metres",
            )


def _floor_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    levels = [floor.level for floor in plan.floors]
    for level, count in Counter(levels).items():
        if count > 1:
            yield PlanProblem(
                f"floor {level} is described {count} times", "one entry per level", "remove one"
            )
    for floor in plan.floors:
        if floor.height < 1.9:
            yield PlanProblem(
                f"floor {floor.level} is {floor.height} m high", "at least 1.9 m", "raise its height"
            )
        if floor.eaves and not HEAD_ROOM <= floor.eaves <= floor.height:
            yield PlanProblem(
                f"the ceilings of floor {floor.level} slope down to {floor.eaves} m",
                f"at least {HEAD_ROOM} m, so that people can stand at walls, and at most {floor.height} m",
                "correct its member `eaves`, or leave it out for level ceilings",
            )
    ordered = sorted(plan.floors, key=lambda floor: floor.level)
    for lower, upper in pairwise(ordered):
        if upper.elevation < lower.elevation + lower.height - 1e-6:
            yield PlanProblem(
                f"floor {upper.level} lies at {upper.elevation} m, below the ceiling of floor {lower.level}",
                f"an elevation of {lower.elevation + lower.height:.2f} m or more",
                "raise its elevation",
            )
    for room in plan.rooms:
        if room.floor not in levels:
            yield _no_floor(f"room {room.id}", room.floor, levels)
    for opening in plan.openings:
        if opening.floor not in levels:
            yield _no_floor(f"{opening.kind} {opening.id}", opening.floor, levels)


def _no_floor(name: str, floor: int, levels: list[int]) -> PlanProblem:
    known = ", ".join(map(str, levels)) or "none"
    return PlanProblem(
        f"{name} is on floor {floor}, which the plan does not have", f"one of {known}", "add the floor"
    )


def _shape_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    for room in plan.rooms:
        yield from _polygon_problems(room)


def _polygon_problems(room: Room) -> Iterator[PlanProblem]:
    corners = room.polygon
    fix = "list the corners in order, each side parallel to x or y"
    if len(corners) < 4:
        yield PlanProblem(f"room {room.id} has {len(corners)} corners", "at least 4", fix)
        return
    slanted = [(a, b) for a, b in sides(corners) if min(abs(a[0] - b[0]), abs(a[1] - b[1])) > 1e-6]
    if slanted:
        a, b = slanted[0]
        yield PlanProblem(
            f"room {room.id} has a slanted side from {at(a)} to {at(b)}", "sides parallel to x or y", fix
        )
    elif not Polygon(corners).is_valid:
        yield PlanProblem(f"the outline of room {room.id} crosses or touches itself", "a simple outline", fix)
    elif abs(area(corners)) < _LEAST_AREA:
        yield PlanProblem(
            f"room {room.id} has an area of {abs(area(corners)):.2f} m² at {at(corners[0])}",
            f"at least {_LEAST_AREA} m²",
            fix,
        )


def _overlap_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    shapes = [Polygon(room.polygon) for room in plan.rooms]
    for i, a in enumerate(plan.rooms):
        for j in range(i + 1, len(plan.rooms)):
            b = plan.rooms[j]
            if a.floor != b.floor or not _boxes_meet(shapes[i].bounds, shapes[j].bounds):
                continue
            common = shapes[i].intersection(shapes[j])
            if common.area > _OVERLAP:
                middle = common.representative_point()
                yield PlanProblem(
                    f"rooms {a.id} and {b.id} overlap by {common.area:.2f} m² "
                    f"around {at((middle.x, middle.y))} on floor {a.floor}",
                    "rooms that touch but do not overlap",
                    "move the corners of one of the two",
                )


def _boxes_meet(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1e-6 and min(a[3], b[3]) - max(a[1], b[1]) > 1e-6


def _item_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    rooms = {room.id: room for room in plan.rooms}
    shapes = {room.id: Polygon(room.polygon).buffer(0.01) for room in plan.rooms}
    names = {item.id for item in plan.items}
    floors = {floor.level: floor for floor in plan.floors}
    hosts = {item.id: item.on for item in plan.items}
    for room in plan.rooms:
        yield from _look_problems(f"room {room.id}", wall_paint, room.wall_colour, room.wall_material)
        yield from _look_problems(f"room {room.id}", floor_paint, room.floor_material)
    for item in plan.items:
        yield from _look_problems(f"{item.name} {item.id}", paint, item.colour, item.material)
        if item.name not in part_names():
            yield PlanProblem(
                f"{item.id} is a {item.name!r}, of which there is no mesh",
                "a class that `vlnscope` can build, such as chair, sofa or table lamp",
                "correct its member `name`",
            )
        if item.room in rooms:
            floor = floors[rooms[item.room].floor]
            high = floor.elevation + plan.height_of(rooms[item.room])
            if not floor.elevation - 0.05 <= item.position[2] <= high:
                yield PlanProblem(
                    f"{item.name} {item.id} lies at a height of {item.position[2]:g} m",
                    f"between {floor.elevation:g} and {high:g} m, the floor and the ceiling of its room",
                    "correct the third number of its position",
                )
        if _stands_on_itself(item.id, hosts):
            yield PlanProblem(
                f"{item.name} {item.id} stands, by way of others, on itself",
                "objects that stand on the floor in the end",
                "correct the member `on` of one of them",
            )
        if item.room not in rooms:
            yield PlanProblem(
                f"{item.name} {item.id} is in room {item.room!r}, which the plan does not have",
                "the id of a room",
                "correct its member `room`",
            )
        elif not shapes[item.room].covers(footprint(item)):
            yield PlanProblem(
                f"{item.name} {item.id} at {at(item.position)} lies outside its room {item.room}",
                "an object inside the outline of its room",
                "move it, or correct its member `room`",
            )
        if item.on is not None and (item.on not in names or item.on == item.id):
            yield PlanProblem(
                f"{item.name} {item.id} stands on {item.on!r}, which the plan does not have",
                "the id of another object",
                "correct its member `on`",
            )


def _look_problems(name: str, look: Callable[..., Paint], *words: str) -> Iterator[PlanProblem]:
    try:
        look(*words)
    except InputError as error:
        yield PlanProblem(f"{name}: {error.what}", error.expected, "correct its colour or material")


def _stands_on_itself(start: str, hosts: dict[str, str | None]) -> bool:
    seen = {start}
    host = hosts.get(start)
    while host is not None and host not in seen:
        seen.add(host)
        host = hosts.get(host)
    return host == start


def footprint(item: PlanItem) -> Polygon:
    """Return the ground that an object covers."""
    c, s = cos(radians(item.yaw)), sin(radians(item.yaw))
    x, y, _ = item.position
    w, d = item.size[0] / 2, item.size[1] / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return Polygon([(x + c * w * i - s * d * j, y + s * w * i + c * d * j) for i, j in signs])


def _reach_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    ways = [o.rooms for o in plan.openings if o.kind != "window" and not o.closed]
    start = _entrance(plan, [a for a, b in ways if b is None])
    reached = _reached([*ways, *(stair.rooms for stair in plan.stairs)], start)
    for room in plan.rooms:
        if room.id not in reached:
            yield PlanProblem(
                f"room {room.id} on floor {room.floor} cannot be reached from the entrance in {start}",
                "a way over open doors, passages and stairs to every room",
                f"add a door or passage to {room.id}, or open one",
            )


def _entrance(plan: FloorPlan, starts: list[str]) -> str:
    """Return the room to walk in from: behind an outer door, an entryway, or the first of the plan."""
    if starts:
        return starts[0]
    entries = [room.id for room in plan.rooms if room.label == "e"]
    return entries[0] if entries else plan.rooms[0].id


def _reached(ways: Sequence[tuple[str, str | None]], start: str) -> set[str]:
    reached, count = {start}, 0
    while count < len(reached):
        count = len(reached)
        reached |= {b for a, b in ways if b and a in reached} | {a for a, b in ways if b in reached}
    return reached
