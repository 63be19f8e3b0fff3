"""What is around houses: clear of them, the same for the same house, and closed at the horizon."""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys
from functools import cache

import msgspec
import numpy as np
import pytest
import shapely
from shapely import Polygon

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.edit.apply import edit
from vlnscope.worlds.houses.edit.edits import RecolourItem, RemoveItem
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.mesh.builder import Axis
from vlnscope.worlds.houses.mesh.exterior import GROUND, ground_level
from vlnscope.worlds.houses.mesh.house import house_mesh
from vlnscope.worlds.houses.plan.plan import XY, Floor, FloorPlan, Opening, Room
from vlnscope.worlds.houses.surroundings.around import surroundings_mesh
from vlnscope.worlds.houses.surroundings.buildings import BUILDINGS, SHAPES, building
from vlnscope.worlds.houses.surroundings.lot import CLEAR, front_of, lot_of
from vlnscope.worlds.houses.surroundings.plants import CROWNS, TREES, tree
from vlnscope.worlds.houses.surroundings.settings import SETTINGS, setting_of
from vlnscope.worlds.houses.surroundings.stage import SURROUNDINGS
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene

SEEDS = range(12)
MOST_FACES = 30_000
FLAT = 0.2


@cache
def house(seed: int) -> FloorPlan:
    return generate(seed)


@cache
def around(seed: int) -> Mesh:
    return surroundings_mesh(house(seed))


def near_faces(mesh: Mesh, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """The corners (from above) of faces near the house between two heights, and which are of buildings."""
    corners = mesh.vertices[mesh.faces]
    between = (corners[..., 2].max(axis=1) > low) & (corners[..., 2].min(axis=1) < high)
    near = between & (np.abs(corners[..., :2]).max(axis=(1, 2)) < 60)
    return corners[near][..., :2], mesh.semantic[near] == mesh.classes.index("building")


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_stands_in_or_near_the_house(seed: int) -> None:
    plan = house(seed)
    rooms = shapely.union_all([Polygon(room.polygon) for room in plan.rooms])
    lowest = min(floor.elevation for floor in plan.floors)
    top = max(floor.elevation + floor.height for floor in plan.floors)
    faces, buildings = near_faces(around(seed), max(ground_level(plan) + FLAT, lowest), top)
    away = shapely.distance(shapely.polygons(faces), rooms)
    assert away[~buildings].min() > CLEAR - 0.2
    assert away[buildings].min() > 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_surroundings_keep_to_their_budget_and_are_one_object(seed: int) -> None:
    mesh = around(seed)
    assert 5_000 < len(mesh) <= MOST_FACES
    assert mesh.objects == (SURROUNDINGS,)
    assert {"ground", "street", "tree", "building", "hills"} <= set(mesh.classes)
    assert np.isfinite(mesh.vertices).all()
    assert np.abs(mesh.vertices).max() < 1000.0


@pytest.mark.parametrize("seed", SEEDS)
def test_no_end_of_the_world_is_seen(seed: int) -> None:
    plan = house(seed)
    rays = RayScene(around(seed))
    heading = np.linspace(0, math.tau, 720, endpoint=False)
    for high in (0.3, max(floor.elevation + floor.height for floor in plan.floors)):
        for down in (-0.6, -0.1, -0.02, -0.002):
            ways = np.stack([np.sin(heading), np.cos(heading), np.full(720, down)], axis=1)
            eyes = np.broadcast_to((0.0, 0.0, high), ways.shape)
            assert (rays.first_hits(eyes, ways) >= 0).all(), (high, down)


def digest(mesh: Mesh) -> str:
    parts = (mesh.vertices, mesh.faces, mesh.colour, mesh.texture, mesh.semantic)
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


OTHER = """
import hashlib, numpy as np
from vlnscope.worlds.houses.house import generate
from vlnscope.worlds.houses.surroundings.around import surroundings_mesh
mesh = surroundings_mesh(generate(5))
parts = (mesh.vertices, mesh.faces, mesh.colour, mesh.texture, mesh.semantic)
print(hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest())
"""


def test_the_same_house_has_the_same_surroundings_in_every_process() -> None:
    run = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == digest(around(5))
    assert digest(around(5)) != digest(around(6))


def test_edits_keep_the_surroundings() -> None:
    plan = house(3)
    items = [item for item in plan.items if item.on is None]
    inner = next(o for o in plan.openings if o.kind == "door" and o.rooms[1] and not _outdoor(plan, o))
    edited = edit(plan, RecolourItem(items[0].id, colour="red"), RemoveItem(items[1].id))
    without = msgspec.structs.replace(edited, openings=tuple(o for o in edited.openings if o.id != inner.id))
    assert digest(surroundings_mesh(edited)) == digest(around(3))
    assert digest(surroundings_mesh(without)) == digest(around(3))


def _outdoor(plan: FloorPlan, opening: Opening) -> bool:
    return any(room.outdoor for room in plan.rooms if room.id in opening.rooms)


def test_houses_stand_in_all_kinds_of_places() -> None:
    found = set()
    for seed in range(60):
        plan = msgspec.structs.replace(house(seed % 12), id=f"house-{seed:05d}")
        found.add(setting_of(rng_for(0, "surroundings", plan.id), plan, lot_of(plan)).name)
    assert found >= {"suburb", "village", "town", "country", "forest", "seaside"}
    assert found <= set(SETTINGS)


def cabin(*, door: str, elevation: float = 0.0) -> FloorPlan:
    """One room with a door and a window in the same wall."""
    walls: dict[str, tuple[XY, Axis]] = {
        "s": ((2.0, 0.0), "x"),
        "n": ((2.0, 4.0), "x"),
        "w": ((0.0, 2.0), "y"),
        "e": ((4.5, 2.0), "y"),
    }
    centre, axis = walls[door]
    shift = (1.2, 0.0) if axis == "x" else (0.0, 1.2)
    room = Room(id="hall", label="e", floor=0, polygon=((0, 0), (4.5, 0), (4.5, 4), (0, 4)))
    openings = (
        Opening(id="door", kind="door", rooms=("hall", None), floor=0, centre=centre, axis=axis, width=0.9),
        Opening(
            id="window",
            kind="window",
            rooms=("hall", None),
            floor=0,
            centre=(centre[0] + shift[0], centre[1] + shift[1]),
            axis=axis,
            width=0.8,
            sill=0.9,
        ),
    )
    return FloorPlan(
        id="cabin", floors=(Floor(level=0, elevation=elevation),), rooms=(room,), openings=openings
    )


@pytest.mark.parametrize(("door", "out"), [("s", (0, -1)), ("n", (0, 1)), ("w", (-1, 0)), ("e", (1, 0))])
def test_the_street_lies_before_the_front_door(door: str, out: XY) -> None:
    plan = cabin(door=door)
    assert front_of(plan).out == out
    mesh = surroundings_mesh(plan)
    street = mesh.semantic == mesh.classes.index("street")
    middle = mesh.vertices[mesh.faces[street]].mean(axis=1)
    near = middle[np.abs(middle[:, :2]).max(axis=1) < 45]
    assert (((near[:, :2] - np.array(front_of(plan).at)) * np.array(out)).sum(axis=1) > -1.5).mean() > 0.8
    assert lot_of(plan).blind == (True, True, False, True)


def test_the_front_stays_where_it_was_when_its_door_is_walled_up() -> None:
    plan = cabin(door="s")
    walled = msgspec.structs.replace(plan, openings=())
    assert front_of(walled).out == front_of(plan).out


def test_the_lawn_lies_below_every_floor() -> None:
    assert ground_level(cabin(door="s")) == -GROUND
    assert ground_level(cabin(door="s", elevation=-1.4)) == -1.4 - GROUND


@pytest.mark.parametrize("kind", TREES)
def test_trees_reach_as_far_as_is_kept_free_for_them(kind: str) -> None:
    for shape in range(3):
        reach = np.hypot(*tree(kind, shape).points[:, :2].T).max()
        assert 0.5 * CROWNS[kind] < reach < CROWNS[kind] + 0.6
        assert 60 <= len(tree(kind, shape, near=False).faces) < len(tree(kind, shape).faces) <= 760


@pytest.mark.parametrize("kind", BUILDINGS)
def test_buildings_stand_within_the_ground_they_take(kind: str) -> None:
    for number in range(SHAPES):
        own = building(kind, number)
        size = np.abs(own.shape.points[:, :2]).max(axis=0)
        assert (size <= np.array((own.wide, own.deep)) / 2 + 1.0).all()
        assert own.shape.points[:, 2].min() < 0.0 < 3.0 < own.shape.points[:, 2].max()


def test_scenes_show_surroundings_that_navigation_does_not_know() -> None:
    plan = house(1)
    scene = house_scene(plan)
    mesh: Mesh = scene.layer("mesh")
    bare = house_mesh(plan)
    assert SURROUNDINGS in mesh.objects
    assert SURROUNDINGS not in bare.objects
    lawn = bare.semantic == bare.classes.index("ground")
    assert len(mesh) == (~lawn).sum() + len(around(1))
    assert not {thing.name for node in scene.graph.nodes for thing in scene.objects.at(node)} & {
        "tree",
        "hills",
    }
