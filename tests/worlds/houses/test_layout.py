"""Generated floor plans: sound for many seeds, reproducible, and like real houses in number and size."""

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import measure_facts
from vlnscope.core.files import digest
from vlnscope.worlds.houses.layout.draft import area
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.layout.programme import facts, views_of
from vlnscope.worlds.houses.layout.walls import shared_walls
from vlnscope.worlds.houses.plan.checks import plan_problems
from vlnscope.worlds.houses.plan.file import decode_plan, encode_plan, normal_form
from vlnscope.worlds.houses.plan.plan import FloorPlan

SEEDS = range(200)
SET = range(60)
PROGRAM = """
import sys
from vlnscope.core.files import digest
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.plan.file import encode_plan
print(*[digest(encode_plan(layout(int(seed)))) for seed in sys.argv[1:]])
"""


@cache
def house(seed: int) -> FloorPlan:
    return layout(seed)


@pytest.mark.parametrize("start", range(0, len(SEEDS), 20))
def test_every_plan_is_sound(start: int) -> None:
    for seed in SEEDS[start : start + 20]:
        assert plan_problems(house(seed)) == [], seed


def test_odd_seeds_work_too() -> None:
    for seed in (-1, 10**12, 2**63):
        assert plan_problems(layout(seed)) == []


def test_plans_are_in_normal_form_and_survive_their_file() -> None:
    for seed in range(0, 200, 20):
        plan = house(seed)
        assert normal_form(plan) == plan
        assert decode_plan(encode_plan(plan)) == plan


def test_same_bytes_in_other_processes_and_hash_seeds() -> None:
    seeds = [str(seed) for seed in range(6)]
    mine = [digest(encode_plan(layout(int(seed)))) for seed in seeds]
    for hash_seed in ("0", "4321"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        answer = subprocess.run(
            [sys.executable, "-c", PROGRAM, *reversed(seeds)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
        )
        assert answer.stdout.split() == mine[::-1]


def test_seeds_give_different_houses_and_names() -> None:
    assert len({house(seed).rooms for seed in SET}) == len(SET)
    assert layout(3).id == "house-00003"
    assert layout(3, "villa").id == "villa"


def test_numbers_of_rooms_floors_and_viewpoints_are_real() -> None:
    plans = [house(seed) for seed in SET]
    regions = np.percentile([len(plan.rooms) for plan in plans], [25, 50, 75])
    assert (np.abs(regions / [14, 21, 28] - 1) <= 0.25).all(), regions
    assert np.mean([len(plan.floors) > 1 for plan in plans]) >= 0.6
    assert any(len(plan.floors) == 3 for plan in plans)
    views = np.median(
        [sum(views_of(room.label, area(room.polygon)) for room in plan.rooms) for plan in plans]
    )
    assert 61 <= views <= 127


def test_shares_of_room_types_are_real() -> None:
    views: Counter[str] = Counter()
    for seed in SET:
        for room in house(seed).rooms:
            views[room.label] += views_of(room.label, area(room.polygon))  # type: ignore[assignment]
    types = facts("room_types")
    frequent = sorted(types, key=lambda label: -types[label]["share"])[:12]
    for label in frequent:
        real, ours = types[label]["share"], views[label] / sum(views.values())
        assert abs(ours - real) <= max(0.02, 0.3 * real), (label, real, ours)


def test_rooms_have_believable_sizes() -> None:
    areas: dict[str, list[float]] = {}
    for seed in SEEDS:
        for room in house(seed).rooms:
            areas.setdefault(room.label, []).append(area(room.polygon))
    for label, row in facts("room_sizes").items():
        if label in areas:
            assert 0.5 * row["area"][0] <= np.median(areas[label]) <= 2.0 * row["area"][2], label


def test_every_house_has_what_a_house_needs() -> None:
    for seed in SEEDS:
        plan = house(seed)
        labels = Counter(room.label for room in plan.rooms)
        assert labels["k"] == labels["l"] == labels["e"] == 1
        assert labels["b"] >= 1, seed
        assert labels["a"] >= 1, seed
        assert labels["h"] >= len(plan.floors)
        assert bool(labels["s"]) == (len(plan.floors) > 1)


def test_bedrooms_are_joined_to_hallways_most_and_bathrooms_to_both() -> None:
    joined: Counter[str] = Counter()
    for seed in SET:
        label = {room.id: room.label for room in house(seed).rooms}
        for opening in house(seed).openings:
            if opening.kind != "window" and opening.rooms[1]:
                joined["-".join(sorted((label[opening.rooms[0]], label[opening.rooms[1]])))] += 1
    top = [pair for pair, _ in joined.most_common(8)]
    assert top[0] == "b-h"
    assert {"a-b", "a-h", "h-s", "h-h"} <= set(top)


def test_hallways_have_several_doors_on_each_side() -> None:
    busiest = []
    for seed in SET:
        plan = house(seed)
        ways = Counter(
            name for opening in plan.openings if opening.kind != "window" for name in opening.rooms if name
        )
        busiest.append(max(ways[room.id] for room in plan.rooms if room.label == "h"))
    assert np.median(busiest) >= 5


def test_stairwells_lie_above_each_other_and_open_to_a_hallway_on_each_floor() -> None:
    for seed in SEEDS:
        plan = house(seed)
        rooms = {room.id: room for room in plan.rooms}
        assert len(plan.stairs) == len(plan.floors) - 1
        for stair in plan.stairs:
            lower, upper = (rooms[name] for name in stair.rooms)
            assert lower.label == upper.label == "s"
            assert lower.polygon == upper.polygon
            for well in (lower, upper):
                assert any(
                    opening.kind == "passage"
                    and well.id in opening.rooms
                    and "h" in {rooms[name].label for name in opening.rooms if name}
                    for opening in plan.openings
                )


def test_stairs_come_in_all_kinds_and_have_comfortable_steps() -> None:
    kinds = set()
    for seed in SEEDS:
        for stair in house(seed).stairs:
            if stair.centre is not None:
                kinds.add("spiral")
                continue
            directions = [
                (abs(head[0] - foot[0]) > 0.1, np.sign(head[0] - foot[0] + head[1] - foot[1]))
                for foot, head in stair.runs
            ]
            turned = len(directions) == 2 and directions[0][0] == directions[1][0]
            kinds.add("straight" if len(directions) == 1 else "u" if turned else "l")
            for foot, head in stair.runs:
                rise, length = head[2] - foot[2], np.hypot(head[0] - foot[0], head[1] - foot[1])
                steps = round(rise / 0.174)
                assert 0.15 <= rise / steps <= 0.20
                assert length / steps >= 0.22
    assert kinds == {"straight", "u", "l", "spiral"}


def test_bedrooms_kitchens_and_living_rooms_have_windows() -> None:
    lit, rooms = 0, 0
    for seed in SET:
        plan = house(seed)
        bright = {opening.rooms[0] for opening in plan.openings if opening.kind == "window"}
        bright |= {name for o in plan.openings for name in o.rooms if name and _leads_outside(plan, o.rooms)}
        for room in plan.rooms:
            if room.label in "bkl":
                rooms += 1
                lit += room.id in bright
    assert lit == rooms


def _leads_outside(plan: FloorPlan, names: tuple[str, str | None]) -> bool:
    outdoor = {room.id for room in plan.rooms if room.outdoor}
    return names[1] is None or any(name in outdoor for name in names)


def test_outdoor_rooms_are_porches_below_and_balconies_above() -> None:
    for seed in SEEDS:
        for room in house(seed).rooms:
            assert room.outdoor == (room.label in "pyx")
            if room.outdoor:
                above = room.floor > 0 or house(seed).building == "apartment"
                assert (room.label == "y") == above


def test_kitchen_living_and_dining_rooms_are_joined_by_wide_passages() -> None:
    open_plans = 0
    for seed in SET:
        plan = house(seed)
        label = {room.id: room.label for room in plan.rooms}
        open_plans += any(
            opening.kind == "passage"
            and opening.rooms[1] is not None
            and {label[name] for name in opening.rooms if name} <= set("lkdf")
            and opening.width >= 1.2
            for opening in plan.openings
        )
    assert open_plans >= 0.9 * len(SET)


def test_shared_walls_of_an_l_shaped_room() -> None:
    corner = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (2.0, 3.0), (2.0, 1.0), (0.0, 1.0))
    niche = ((0.0, 1.0), (2.0, 1.0), (2.0, 3.0), (0.0, 3.0))
    walls = [(wall.axis, wall.at, wall.low, wall.high) for wall in shared_walls(corner, niche)]
    assert sorted(walls) == [("x", 1.0, 0.0, 2.0), ("y", 2.0, 1.0, 3.0)]


def test_room_facts_are_those_of_the_data(data_root: Path) -> None:
    sizes, joined = measure_facts.measure_hm3d(data_root)
    assert sizes == facts("room_sizes")
    assert dict(joined) == facts("room_adjacency")["hm3d"]


def test_a_scene_of_domestigraph_is_read() -> None:
    text = """rooms:
  room_1:
    label: bathroom
    centroid:
      x: 9.0
      y: 9.0
      z: 9.0
    dims:
      x: 3.5
      y: 2.8
      z: 4.4
  room_2:
    label: bedroom
    dims:
      x: 4.0
      y: 2.5
      z: 3.0
connections:
- - 1
  - 2
- - 2
  - 1
- - 2
  - 7
"""
    rooms, pairs = measure_facts.read_hm3d(text)
    assert rooms[1] == {"label": "bathroom", "x": 3.5, "y": 2.8, "z": 4.4}
    assert pairs == [(1, 2)]
