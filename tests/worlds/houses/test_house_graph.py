"""Viewpoints and navigation graphs of houses, and the statistics that compare them with real ones."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.graph.edges import components, thinned
from vlnscope.worlds.houses.graph.obstacles import Obstacles
from vlnscope.worlds.houses.graph.viewpoints import CAMERA, Viewpoints, viewpoints
from vlnscope.worlds.houses.house import generate
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan, Opening, PlanItem, Room
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_stats import compare, edge_counts, graph_statistics

SEEDS = (0, 3, 11, 20)


@cache
def house(seed: int) -> tuple[FloorPlan, Viewpoints]:
    plan = generate(seed)
    return plan, viewpoints(plan)


def two_rooms(*, width: float = 0.9, closed: bool = False, items: tuple[PlanItem, ...] = ()) -> FloorPlan:
    return FloorPlan(
        id="two",
        floors=(Floor(level=0, elevation=0.0),),
        rooms=(
            Room(id="west", label="l", floor=0, polygon=((0, 0), (4, 0), (4, 4), (0, 4))),
            Room(id="east", label="k", floor=0, polygon=((4, 0), (8, 0), (8, 4), (4, 4))),
        ),
        openings=(
            Opening(
                id="door-1",
                kind="door",
                rooms=("west", "east"),
                floor=0,
                centre=(4.0, 2.0),
                axis="y",
                width=width,
                closed=closed,
            ),
        ),
        items=items,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_houses_are_connected_and_every_room_has_a_viewpoint(seed: int) -> None:
    plan, found = house(seed)
    assert components(found.graph.adjacency).max() == 0
    assert set(found.regions) == set(range(len(plan.rooms)))
    assert len(set(found.graph.nodes)) == len(found.graph.nodes)
    assert all(len(node) == 32 and set(node) <= set("0123456789abcdef") for node in found.graph.nodes)


@pytest.mark.parametrize("seed", SEEDS)
def test_viewpoints_keep_away_from_walls_and_furniture(seed: int) -> None:
    plan, found = house(seed)
    feet = found.graph.positions - np.array([0.0, 0.0, CAMERA])
    for floor in plan.floors:
        level = np.abs(feet[:, 2] - floor.elevation) < 1e-6
        assert (Obstacles(plan, floor).clearance(feet[level, :2]) > 0.17).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_viewpoints_are_closer_than_forty_centimetres(seed: int) -> None:
    _, found = house(seed)
    apart = np.linalg.norm(found.graph.positions[:, None] - found.graph.positions[None], axis=2)
    assert apart[np.triu_indices(len(apart), 1)].min() >= 0.4 - 1e-9


def test_a_closed_door_parts_the_graph() -> None:
    assert components(viewpoints(two_rooms()).graph.adjacency).max() == 0
    assert components(viewpoints(two_rooms(closed=True)).graph.adjacency).max() == 1


def test_furniture_before_the_only_door_parts_the_graph() -> None:
    sofa = PlanItem(
        id="sofa-1", name="sofa", room="east", position=(4.6, 2.0, 0.0), size=(3.8, 0.9, 0.8), yaw=90
    )
    assert components(viewpoints(two_rooms(items=(sofa,))).graph.adjacency).max() == 1


def test_rugs_are_not_in_the_way() -> None:
    rug = PlanItem(id="rug-1", name="rug", room="east", position=(6.0, 2.0, 0.0), size=(3.0, 3.0, 0.012))
    bare, covered = viewpoints(two_rooms()), viewpoints(two_rooms(items=(rug,)))
    assert bare.graph.digest == covered.graph.digest


def test_edges_walk_around_furniture() -> None:
    place, size = (2.0, 2.0, 0.0), (1.6, 1.6, 0.7)
    table = PlanItem(id="table-1", name="dining table", room="west", position=place, size=size)
    found = viewpoints(two_rooms(items=(table,)))
    ends = found.graph.positions[found.graph.edges][:, :, :2]
    for share in np.linspace(0, 1, 41):
        place = ends[:, 0] * (1 - share) + ends[:, 1] * share
        assert (np.abs(place - 2.0).max(axis=1) > 0.8).all()


def test_an_edit_in_one_room_leaves_the_viewpoints_of_others() -> None:
    plan, before = house(3)
    item = next(item for item in plan.items if item.name == "bed")
    rest = tuple(other for other in plan.items if other.id != item.id and other.on != item.id)
    after = viewpoints(msgspec.structs.replace(plan, items=rest))
    changed = next(i for i, room in enumerate(plan.rooms) if room.id == item.room)
    here = dict(zip(before.graph.nodes, before.graph.positions.tolist(), strict=True))
    there = dict(zip(after.graph.nodes, after.graph.positions.tolist(), strict=True))
    others = [n for n, room in zip(before.graph.nodes, before.regions, strict=True) if room != changed]
    moved = [node for node in others if there.get(node) != here[node]]
    assert len(moved) <= 2  # doorways of the changed room may be needed no longer


def test_viewpoints_are_the_same_in_another_process() -> None:
    code = (
        "from vlnscope.worlds.houses.house import generate\n"
        "from vlnscope.worlds.houses.graph.viewpoints import viewpoints\n"
        "print(viewpoints(generate(0)).graph.digest)"
    )
    env = {"PYTHONHASHSEED": "77", "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == house(0)[1].graph.digest


def test_thinning_drops_what_others_replace_and_keeps_the_rest_connected() -> None:
    row = np.array([[float(i), 0.0, 0.0] for i in range(6)])
    joined = ~np.eye(6, dtype=np.bool_)
    kept = thinned(row, joined)
    assert kept.sum() == 2 * 5
    assert all(kept[i, i + 1] for i in range(5))


def line(count: int, step: float) -> NavGraph:
    names = [f"v{i}" for i in range(count)]
    places = [(0.0, i * step, 1.5) for i in range(count)]
    return NavGraph.build(names, places, list(pairwise(names)))


def test_statistics_of_a_straight_corridor() -> None:
    graph = line(9, 2.0)
    regions = Regions({node: i // 3 for i, node in enumerate(graph.nodes)}, {0: "h", 1: "h", 2: "k"})
    found = graph_statistics([Scene("corridor", graph, {"regions": lambda: regions})])
    assert found.quartiles["edge length"] == (2.0, 2.0, 2.0)
    assert found.quartiles["viewpoints per region"] == (3.0, 3.0, 3.0)
    assert found.turns[0] == 1.0
    assert found.rooms == {"h": 0.6667, "k": 0.3333}
    assert found.several_floors == 0.0
    assert found.quartiles["path length"][0] == 8.0


def test_edge_counts_follow_the_shortest_paths() -> None:
    assert edge_counts(line(4, 1.0)).tolist() == [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]


def test_comparison_names_what_does_not_hold() -> None:
    graph = line(9, 2.0)
    regions = Regions(dict.fromkeys(graph.nodes, 0), {0: "h"})
    found = graph_statistics([Scene("corridor", graph, {"regions": lambda: regions})])
    rows = {row.name: row for row in compare(found, found)}
    assert all(row.holds for name, row in rows.items() if name != "several floors")
    other = msgspec.structs.replace(found, turns=(0.85, 0.15, *found.turns[2:]))
    wrong = [row.name for row in compare(other, found) if not row.holds]
    assert wrong == ["turns of 0-15°", "turns of 15-30°", "several floors"]
