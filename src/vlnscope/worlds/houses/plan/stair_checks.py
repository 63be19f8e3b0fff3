"""Checks of stairs: they lie in their stairwells, join their floors, and can be climbed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, degrees, hypot, pi

from shapely.geometry import Polygon

from vlnscope.worlds.houses.mesh.spiral import POST, spiral_of, spiral_square
from vlnscope.worlds.houses.plan.plan import XY, XYZ, FloorPlan, PlanProblem, Room, Stair, at

MAX_RISER = 0.205
MIN_TREAD = 0.215
SPIRAL_TREAD = 0.18
"""Least depth of the treads of a spiral stair, in their middle, metres."""
_LANDING = 4.0


def stair_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    """Yield what is wrong with the stairs of a plan."""
    rooms = {room.id: room for room in plan.rooms}
    elevations = {floor.level: floor.elevation for floor in plan.floors}
    for stair in plan.stairs:
        bad_ends = list(_end_problems(stair, rooms, elevations))
        yield from bad_ends
        if bad_ends:
            continue
        yield from _height_problems(stair, elevations)
        if stair.centre is not None:
            yield from _spiral_problems(stair, stair.centre)
        else:
            yield from _course_problems(stair)
        yield from _well_problems(stair, rooms)


def _end_problems(
    stair: Stair, rooms: dict[str, Room], elevations: dict[int, float]
) -> Iterator[PlanProblem]:
    lower, upper = stair.floors
    if lower not in elevations or upper not in elevations or lower >= upper:
        yield PlanProblem(
            f"stair {stair.id} joins the floors {lower} and {upper}",
            f"a lower and an upper floor of {', '.join(map(str, elevations))}",
            "correct its member `floors`",
        )
    for name, floor in zip(stair.rooms, stair.floors, strict=True):
        if name not in rooms or rooms[name].floor != floor:
            yield PlanProblem(
                f"stair {stair.id} names {name!r} as its room on floor {floor}, where there is none such",
                "the id of a room on each of its floors",
                "correct its member `rooms`",
            )
    if not stair.runs:
        yield PlanProblem(f"stair {stair.id} has no runs", "at least one run", "add its member `runs`")
    if not stair.width > 0:
        yield PlanProblem(f"stair {stair.id} is {stair.width} m wide", "a width above 0", "widen it")


def _height_problems(stair: Stair, elevations: dict[int, float]) -> Iterator[PlanProblem]:
    ends = (stair.runs[0][0], stair.runs[-1][1])
    for point, floor, name in zip(ends, stair.floors, ("begins", "ends"), strict=True):
        if abs(point[2] - elevations[floor]) > 0.02:
            yield PlanProblem(
                f"stair {stair.id} {name} {point[2]:.2f} m high at {at(point)}, "
                f"not on floor {floor} at {elevations[floor]:.2f} m",
                "runs from the lower to the upper floor",
                "correct the elevations of its runs",
            )


def _course_problems(stair: Stair) -> Iterator[PlanProblem]:
    for (_, head), (foot, _) in pairwise(stair.runs):
        if abs(head[2] - foot[2]) > 0.02 or hypot(head[0] - foot[0], head[1] - foot[1]) > _LANDING:
            yield PlanProblem(
                f"the runs of stair {stair.id} do not meet between {at(head)} and {at(foot)}",
                f"a level landing of at most {_LANDING} m between two runs",
                "correct the ends of its runs",
            )
    for foot, head in stair.runs:
        yield from _slope_problems(stair, foot, head)


def _slope_problems(stair: Stair, foot: XYZ, head: XYZ) -> Iterator[PlanProblem]:
    rise, length = head[2] - foot[2], hypot(head[0] - foot[0], head[1] - foot[1])
    slanted = min(abs(head[0] - foot[0]), abs(head[1] - foot[1])) > 0.01
    if rise <= 0 or slanted:
        yield PlanProblem(
            f"stair {stair.id} has a run from {at(foot)} to {at(head)} that "
            + ("is slanted" if slanted else "does not climb"),
            "runs that climb, parallel to x or y",
            "correct the ends of the run",
        )
        return
    steps = ceil(rise / MAX_RISER - 1e-6)
    if length < (steps - 1) * MIN_TREAD - 1e-6:
        yield PlanProblem(
            f"stair {stair.id} climbs {rise:.2f} m over {length:.2f} m from {at(foot)}: too steep to walk",
            f"a run of at least {(steps - 1) * MIN_TREAD:.2f} m (risers of up to 0.20 m, treads of 0.22 m)",
            "lengthen the run, or add a run with a landing",
        )


def _spiral_problems(stair: Stair, centre: XY) -> Iterator[PlanProblem]:
    """Yield what keeps a spiral stair from being built and climbed."""
    points = [stair.runs[0][0], *(head for _, head in stair.runs)]
    radii = [hypot(point[0] - centre[0], point[1] - centre[1]) for point in points]
    apart = any(hypot(a[0] - b[0], a[1] - b[1]) > 0.01 for (_, a), (b, _) in pairwise(stair.runs))
    if apart or max(radii) - min(radii) > 0.02 or min(radii) < stair.width / 2 + POST:
        yield PlanProblem(
            f"the runs of the spiral stair {stair.id} do not lie on a circle around {at(centre)}",
            f"runs that meet, all ends equally far (over {stair.width / 2 + POST:.2f} m) from the centre",
            "correct the ends of its runs, its centre or its width",
        )
        return
    spiral = spiral_of(stair)
    quarters = abs(spiral.turn) / (pi / 2)
    off = spiral.start / (pi / 2)
    if abs(quarters - 3) > 0.02 or abs(off - round(off)) > 0.02:
        yield PlanProblem(
            f"the spiral stair {stair.id} turns by {degrees(abs(spiral.turn)):.0f}° from an angle of "
            f"{degrees(spiral.start):.0f}°",
            "three quarters of a turn, from the east, north, west or south of its centre",
            "correct the ends of its runs",
        )
    going = abs(spiral.turn) / spiral.treads * spiral.middle
    riser = (spiral.high - spiral.low) / (spiral.treads + 1)
    if going < SPIRAL_TREAD - 1e-6 or riser <= 0:
        yield PlanProblem(
            f"the spiral stair {stair.id} climbs {spiral.high - spiral.low:.2f} m with treads of "
            f"{going:.2f} m: too steep to walk",
            f"treads of at least {SPIRAL_TREAD} m in their middle",
            "move the ends of its runs farther from its centre",
        )


def _well_problems(stair: Stair, rooms: dict[str, Room]) -> Iterator[PlanProblem]:
    for name in stair.rooms:
        well = Polygon(rooms[name].polygon).buffer(0.02)
        if stair.centre is not None and not well.covers(spiral_square(stair)):
            yield PlanProblem(
                f"the spiral stair {stair.id} around {at(stair.centre)} leaves its room {name}",
                "the square around its treads inside the stairwell on both floors",
                "move or narrow the stair, or enlarge the room",
            )
        for foot, head in stair.runs if stair.centre is None else ():
            if not well.covers(run_footprint(foot, head, stair.width)):
                yield PlanProblem(
                    f"the run of stair {stair.id} from {at(foot)} to {at(head)} leaves its room {name}",
                    "runs inside the stairwell on both floors",
                    "move the run, narrow the stair, or enlarge the room",
                )


def run_footprint(foot: XYZ, head: XYZ, width: float) -> Polygon:
    """Return the ground that a run of steps covers."""
    length = hypot(head[0] - foot[0], head[1] - foot[1])
    x, y = (head[1] - foot[1]) / length * width / 2, -(head[0] - foot[0]) / length * width / 2
    corners = [(foot, 1), (head, 1), (head, -1), (foot, -1)]
    return Polygon([(point[0] + sign * x, point[1] + sign * y) for point, sign in corners])
