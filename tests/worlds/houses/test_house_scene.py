"""Houses as scenes: layers, visibility, and the checks that every house passes."""

from __future__ import annotations

import math
from functools import cache

import msgspec
import numpy as np
import pytest

from surfaces import panorama_surfaces
from vlnscope.types import SeenObject
from vlnscope.worlds.houses.checks import check_house, object_problems, reach_problems
from vlnscope.worlds.houses.graph.viewpoints import CAMERA, viewpoints
from vlnscope.worlds.houses.graph.visibility import LEAST, ray_fan
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene
from vlnscope.worlds.scene import Scene

SEEDS = (1, 5, 14)


@cache
def scene(seed: int) -> Scene:
    return house_scene(generate(seed))


def items_at(found: Scene, node: str) -> list[SeenObject]:
    items = {item.id for item in found.layer("plan").items}
    return [seen for seen in found.objects.at(node) if seen.object_id in items]


@pytest.mark.parametrize("seed", SEEDS)
def test_houses_pass_all_checks(seed: int) -> None:
    found = scene(seed)
    assert check_house(found.layer("plan"), mesh=found.layer("mesh")) == []


def test_layers_cover_every_viewpoint() -> None:
    found = scene(1)
    plan: FloorPlan = found.layer("plan")
    assert found.id == plan.id
    assert (found.heights == CAMERA).all()
    assert len(found.heights) == len(found.graph.nodes)
    for node in found.graph.nodes:
        region = found.regions.region(node)
        assert region is not None
        assert found.regions.label(node) == plan.rooms[region].label
        assert found.objects.at(node) is not None
    assert found.candidates(found.graph.nodes[0])


def test_objects_in_sight_cover_pixels_of_the_panorama() -> None:
    found = scene(1)
    mesh: Mesh = found.layer("mesh")
    number = {name: i for i, name in enumerate(mesh.objects)}
    for node, place in zip(found.graph.nodes[:4], found.graph.positions, strict=False):
        instance = panorama_surfaces(found.layer("renderer"), place, width=128, height=96).instance
        pixels = np.bincount(instance[instance >= 0].ravel(), minlength=len(mesh.objects))
        for seen in items_at(found, node):
            assert pixels[number[seen.object_id or ""]] >= 10


def test_objects_are_seen_where_they_are() -> None:
    found = scene(5)
    items = {item.id: item for item in found.layer("plan").items}
    for node, camera in zip(found.graph.nodes[:20], found.graph.positions[:20], strict=True):
        for seen in items_at(found, node):
            item = items[seen.object_id or ""]
            assert (seen.name, seen.attributes) == (item.name, (item.colour, item.material))
            dx, dy = item.position[0] - camera[0], item.position[1] - camera[1]
            away = math.hypot(dx, dy)
            if away > 2 * math.hypot(*item.size[:2]):
                off = abs((seen.heading - math.atan2(dx, dy) + math.pi) % math.tau - math.pi)
                assert off < math.atan2(math.hypot(*item.size[:2]), away) + 0.02


def test_what_stands_behind_a_wall_is_not_seen() -> None:
    found = scene(1)
    plan: FloorPlan = found.layer("plan")
    mesh: Mesh = found.layer("mesh")
    rays = RayScene(mesh)
    node = found.graph.nodes[0]
    fan, _ = ray_fan()
    hits = rays.first_hits(np.broadcast_to(found.graph.positions[0], fan.shape), fan)
    names = [mesh.objects[i] for i in mesh.instance[hits[hits >= 0]]]
    items = {item.id for item in plan.items}
    expected = {name for name in items if names.count(name) >= LEAST}
    assert {seen.object_id for seen in items_at(found, node)} == expected
    assert len(expected) < len(items)


@pytest.mark.parametrize(("aside", "size"), [(0.0, (0.4, 0.4, 1.7)), (0.14, (0.12, 0.12, 1.2))])
def test_an_object_on_an_edge_is_found_by_the_rays(aside: float, size: tuple[float, float, float]) -> None:
    plan: FloorPlan = scene(1).layer("plan")
    found = viewpoints(plan)
    ends = found.graph.positions[found.graph.edges]
    level = (ends[:, :, 2] == CAMERA).all(axis=1)
    i, j = found.graph.edges[np.argmax(np.where(level, found.graph.edge_lengths, 0.0))].tolist()
    a, b = found.graph.positions[[i, j], :2]
    across = np.array([a[1] - b[1], b[0] - a[0]]) / math.dist(a, b)
    x, y = ((a + b) / 2 + aside * across).tolist()
    room = plan.rooms[found.regions[i]].id
    post = PlanItem(id="statue-99", name="statue", room=room, position=(x, y, 0.0), size=size)
    blocked = msgspec.structs.replace(plan, items=(*plan.items, post))
    problems = check_house(blocked, views=found)
    assert any("meets statue-99" in problem for problem in problems)


def test_overlapping_objects_are_named() -> None:
    plan: FloorPlan = scene(1).layer("plan")
    item = next(item for item in plan.items if item.on is None and not item.mounted and item.size[2] > 0.3)
    twin = msgspec.structs.replace(item, id="twin-1")
    doubled = msgspec.structs.replace(plan, items=(*plan.items, twin))
    assert f"{item.id} overlaps twin-1" in list(object_problems(doubled))
    assert not list(object_problems(plan))


def test_objects_in_walls_are_named() -> None:
    plan: FloorPlan = scene(1).layer("plan")
    room = plan.rooms[0]
    corner = (*room.polygon[0], 0.0)
    stray = PlanItem(id="vase-99", name="vase", room=room.id, position=corner, size=(0.3, 0.3, 0.3))
    spoiled = msgspec.structs.replace(plan, items=(stray,))
    assert list(object_problems(spoiled)) == [f"vase-99 goes through a wall of {room.id}"]


def test_rooms_behind_closed_doors_are_named() -> None:
    plan: FloorPlan = scene(1).layer("plan")
    room = next(room for room in plan.rooms if room.label == "a")
    shut = tuple(
        msgspec.structs.replace(way, closed=True) if room.id in way.rooms and way.kind == "door" else way
        for way in plan.openings
    )
    closed = msgspec.structs.replace(plan, openings=shut)
    assert f"{room.id} cannot be reached from the rest of the house" in list(
        reach_problems(closed, viewpoints(closed))
    )


def test_a_viewpoint_in_the_air_is_named() -> None:
    plan: FloorPlan = scene(1).layer("plan")
    found = viewpoints(plan)
    lifted = found.graph.positions.copy()
    lifted[0, 2] += 0.4
    graph = type(found.graph)(found.graph.nodes, lifted, found.graph.edges)
    problems = check_house(plan, views=found._replace(graph=graph), mesh=scene(1).layer("mesh"))
    assert any("does not stand on a floor" in problem for problem in problems)


def test_objects_in_sight_have_the_box_of_their_mesh() -> None:
    found = scene(5)
    mesh: Mesh = found.layer("mesh")
    for seen in items_at(found, found.graph.nodes[0]):
        assert seen.object_id is not None
        assert seen.centre is not None
        assert seen.box is not None
        faces = mesh.faces[mesh.instance == mesh.objects.index(seen.object_id)]
        corners = mesh.vertices[np.unique(faces)]
        low, high = corners.min(axis=0), corners.max(axis=0)
        assert np.allclose(seen.centre, (low + high) / 2, atol=0.02)
        assert np.allclose(seen.box, high - low, atol=0.02)
