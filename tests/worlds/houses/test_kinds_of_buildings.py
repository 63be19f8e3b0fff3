"""Kinds of buildings: voids, galleries, slopes and spiral stairs are built, walked and checked."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from vlnscope.worlds.houses.checks import check_house
from vlnscope.worlds.houses.graph.viewpoint_spots import APART
from vlnscope.worlds.houses.graph.viewpoints import viewpoints
from vlnscope.worlds.houses.house import generate
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.plan.ceilings import ceiling_at, ceiling_slopes
from vlnscope.worlds.houses.plan.checks import plan_problems
from vlnscope.worlds.houses.plan.plan import BUILDINGS, FloorPlan

SEEDS = range(120)


@cache
def house(seed: int) -> FloorPlan:
    return layout(seed)


def _first(kind: str) -> FloorPlan:
    wanted = {
        "spiral": lambda plan: any(stair.centre for stair in plan.stairs),
        "void": lambda plan: any(room.height for room in plan.rooms),
        "attic": lambda plan: any(floor.eaves for floor in plan.floors),
    }[kind]
    return next(house(seed) for seed in SEEDS if wanted(house(seed)))


def test_every_kind_of_building_is_laid_out() -> None:
    kinds = Counter(house(seed).building for seed in SEEDS)
    assert set(kinds) == set(BUILDINGS)


def test_apartments_lie_above_the_ground_and_townhouses_have_two_blind_sides() -> None:
    for seed in SEEDS:
        plan = house(seed)
        assert (plan.ground < 0) == (plan.building == "apartment"), seed
        if plan.building == "townhouse":
            outer = [o for o in plan.openings if o.kind == "window" and o.rooms[1] is None]
            assert len({window.axis for window in outer}) == 1, seed


@pytest.mark.parametrize("kind", ["spiral", "void", "attic"])
def test_such_houses_can_be_walked(kind: str) -> None:
    seed = int(_first(kind).id.removeprefix("house-"))
    assert check_house(generate(seed)) == []


def test_no_two_viewpoints_stand_in_one_place() -> None:
    for seed in (18, 40002, *range(8)):
        places = viewpoints(generate(seed)).graph.positions
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(len(places))
        assert apart.min() >= APART - 1e-6, seed


def test_ceilings_fall_towards_the_eaves() -> None:
    plan = _first("attic")
    room = next(room for room in plan.rooms if ceiling_slopes(plan, room))
    slope = ceiling_slopes(plan, room)[0]
    floor, wall = plan.floor_of(room), slope.wall
    middle, inward = (wall.low + wall.high) / 2, -wall.out
    near, far = (wall.at + inward * (0.06 + step) for step in (0.0, slope.depth))
    heights = [
        ceiling_at(plan, room, (middle, at) if wall.axis == "x" else (at, middle)) for at in (near, far)
    ]
    assert heights == pytest.approx([floor.elevation + floor.eaves, floor.elevation + floor.height])


def _problem(plan: FloorPlan) -> str:
    return "; ".join(problem.what for problem in plan_problems(plan))


def test_a_void_must_be_free() -> None:
    plan = _first("void")
    above = next(room for room in plan.rooms if room.floor == 1)
    below = next(room for room in plan.rooms if room.floor == 0 and room.label == "h")
    tall = replace(below, height=plan.floors[1].elevation + 2.0)
    rooms = tuple(tall if room is below else room for room in plan.rooms)
    assert "lies over it" in _problem(replace(plan, rooms=rooms)), above.id


def test_ceilings_too_low_to_stand_under_are_refused() -> None:
    plan = _first("attic")
    floors = tuple(replace(floor, eaves=1.2) if floor.eaves else floor for floor in plan.floors)
    assert "slope down to 1.2 m" in _problem(replace(plan, floors=floors))


def test_spiral_stairs_that_cannot_be_climbed_are_refused() -> None:
    plan = _first("spiral")
    stair = plan.stairs[0]
    assert stair.centre is not None
    moved = replace(stair, centre=(stair.centre[0] + 0.3, stair.centre[1]))
    assert "do not lie on a circle" in _problem(replace(plan, stairs=(moved, *plan.stairs[1:])))
    short = replace(stair, runs=stair.runs[:-1])
    assert stair.id in _problem(replace(plan, stairs=(short, *plan.stairs[1:])))
