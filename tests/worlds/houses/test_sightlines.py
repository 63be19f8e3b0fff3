"""Doors, doorways, windows and stairs as things in sight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import msgspec
import numpy as np
import pytest

from vlnscope.types import Floats, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.graph.viewpoints import CAMERA
from vlnscope.worlds.houses.graph.visibility import WIDEST, named_openings, seen_openings
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.mesh.house import house_mesh
from vlnscope.worlds.houses.plan.plan import WALL, Floor, FloorPlan, Opening, Room
from vlnscope.worlds.rendering.rays import RayScene
from vlnscope.worlds.scene import Scene

SEEDS = (3, 6)
NAMES = {"door": "door", "passage": "doorway", "window": "window"}


@cache
def scene(seed: int) -> Scene:
    return house_scene(generate(seed))


def two_rooms(**door: object) -> FloorPlan:
    """Two rooms of 4 m by 4 m side by side, a door between them, a window in the far wall of the second."""
    rooms = tuple(
        Room(id=name, label="b", floor=0, polygon=((x, 0.0), (x + 4, 0.0), (x + 4, 4.0), (x, 4.0)))
        for name, x in (("west", 0.0), ("east", 4.0))
    )
    between = Opening(
        id="d1", kind="door", rooms=("west", "east"), floor=0, centre=(4.0, 2.0), axis="y", width=0.9
    )
    pane = Opening(
        id="w1",
        kind="window",
        rooms=("east", None),
        floor=0,
        centre=(8.0, 2.0),
        axis="y",
        width=1.2,
        sill=0.9,
    )
    openings = (msgspec.structs.replace(between, **door), pane)
    return FloorPlan(id="two", floors=(Floor(level=0, elevation=0.0),), rooms=rooms, openings=openings)


def seen_from(plan: FloorPlan, *places: tuple[float, float]) -> list[dict[str, SeenObject]]:
    names = [f"v{i}" for i in range(len(places))]
    graph = NavGraph.build(names, [(x, y, CAMERA) for x, y in places], [])
    found = seen_openings(plan, graph, RayScene(house_mesh(plan)))
    return [{it.object_id or "": it for it in part} for part in found]


def test_a_window_is_seen_through_an_open_door_and_not_through_a_closed_one() -> None:
    (through,) = seen_from(two_rooms(), (1.0, 2.0))
    (shut,) = seen_from(two_rooms(closed=True), (1.0, 2.0))
    assert set(through) == {"d1", "w1"}
    assert set(shut) == {"d1"}
    assert (through["d1"].attributes, shut["d1"].attributes) == (("open",), ("closed",))
    assert through["w1"].attributes == ()


def test_an_opening_has_the_place_and_size_of_its_hole() -> None:
    (seen,) = seen_from(two_rooms(), (1.0, 3.0))
    door = seen["d1"]
    assert (door.name, door.centre, door.box) == ("door", (4.0, 2.0, 1.025), (WALL, 0.9, 2.05))
    assert door.heading == pytest.approx(math.atan2(3.0, -1.0))
    assert door.distance == pytest.approx(math.dist((4.0, 2.0, 1.025), (1.0, 3.0, CAMERA)), abs=1e-3)


def test_a_hole_is_not_seen_edge_on_but_from_within() -> None:
    along, within = seen_from(two_rooms(), (3.92, 0.2), (4.0, 2.0))
    assert "d1" not in along
    assert within["d1"].heading == pytest.approx(math.pi / 2)


@pytest.mark.parametrize(("width", "named"), [(WIDEST, True), (WIDEST + 0.1, False)])
def test_wide_passages_are_no_doorways(width: float, named: bool) -> None:
    plan = two_rooms(kind="passage", width=width)
    assert ("d1" in {way.id for way in named_openings(plan)}) == named
    assert {it.name for it in seen_from(plan, (1.0, 2.0))[0].values()} == {"window"} | (
        {"doorway"} if named else set()
    )


def crossings(plan: FloorPlan, graph: NavGraph) -> Iterator[tuple[str, Opening]]:
    """Yield viewpoints with an opening that a step from them leads through."""
    base = {floor.level: floor.elevation for floor in plan.floors}
    both: Floats = np.concatenate([graph.edges, graph.edges[:, ::-1]])
    starts, ends = graph.positions[both[:, 0]], graph.positions[both[:, 1]]
    for way in named_openings(plan):
        at, across = (0, 1) if way.axis == "x" else (1, 0)
        before, after = starts[:, across] - way.centre[across], ends[:, across] - way.centre[across]
        share = before / np.where(before == after, 1.0, before - after)
        aside = starts[:, at] + share * (ends[:, at] - starts[:, at]) - way.centre[at]
        level = np.abs(np.stack([starts[:, 2], ends[:, 2]]) - base[way.floor] - CAMERA).max(axis=0) < 0.3
        through = level & (np.abs(before) > 0.05) & (before * after <= 0) & (np.abs(aside) < way.width / 2)
        for row in both[through, 0].tolist():
            yield graph.nodes[row], way


@pytest.mark.parametrize("seed", SEEDS)
def test_who_steps_through_a_door_sees_it_before(seed: int) -> None:
    found = scene(seed)
    crossed = list(crossings(found.layer("plan"), found.graph))
    assert len(crossed) > 50
    for node, way in crossed:
        (seen,) = [it for it in found.objects.at(node) if it.object_id == way.id]
        assert seen.name == NAMES[way.kind]


@pytest.mark.parametrize("seed", SEEDS)
def test_things_come_in_the_order_items_openings_stairs(seed: int) -> None:
    found = scene(seed)
    plan: FloorPlan = found.layer("plan")
    ids = [it.id for part in (plan.items, plan.openings, plan.stairs) for it in part]
    place = {name: i for i, name in enumerate(ids)}
    for node in found.graph.nodes:
        order = [place[seen.object_id or ""] for seen in found.objects.at(node)]
        assert order == sorted(set(order))


@pytest.mark.parametrize("seed", SEEDS)
def test_stairs_are_seen_from_both_of_their_ends_and_within_their_box(seed: int) -> None:
    found = scene(seed)
    plan: FloorPlan = found.layer("plan")
    for stair in plan.stairs:
        seeing = {
            node: it
            for node in found.graph.nodes
            for it in found.objects.at(node)
            if it.object_id == stair.id
        }
        assert {it.name for it in seeing.values()} == {"stairs"}
        for x, y, z in (stair.runs[0][0], stair.runs[-1][1]):
            away = np.linalg.norm(found.graph.positions - (x, y, z + CAMERA), axis=1)
            assert found.graph.nodes[int(away.argmin())] in seeing
        centre, box = (np.array(part) for part in next(iter(seeing.values()))[5:7])
        ends = np.array(stair.runs).reshape(-1, 3)
        assert (np.abs(ends - centre) <= box / 2 + 1e-9).all()
    rooms = {room for stair in plan.stairs for room in stair.rooms}
    hidden = [n for n in found.graph.nodes if not any(it.name == "stairs" for it in found.objects.at(n))]
    assert rooms
    assert hidden
