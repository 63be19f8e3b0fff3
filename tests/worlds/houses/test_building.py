"""Meshes of houses: rays find walls, holes, floors and stairs where the plan says they are."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from functools import cache

import msgspec
import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.furnish.furnish import furnish
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.mesh.builder import inner, rectangles
from vlnscope.worlds.houses.mesh.colours import rgb
from vlnscope.worlds.houses.mesh.house import house_mesh, shell_mesh
from vlnscope.worlds.houses.mesh.openings import item_zone
from vlnscope.worlds.houses.mesh.stairs import landings, stair_hole
from vlnscope.worlds.houses.plan.plan import WALL, Floor, FloorPlan, Opening, PlanItem, Room, Stair
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.renderer import Renderer

HALF = WALL / 2
RISE = 2.9


def opening(
    name: str, kind: str, rooms: tuple[str, str | None], x: float, y: float, axis: str, **more: object
) -> Opening:
    plain = {
        "id": name,
        "kind": kind,
        "rooms": rooms,
        "floor": 0,
        "centre": (x, y),
        "axis": axis,
        "width": 0.9,
    }
    return msgspec.convert({**plain, **more}, Opening)


def two_storeys() -> FloorPlan:
    """West of x = 4 a living room, east of it a stairwell on both floors; a porch in the south."""
    west, east = ((0, 0), (4, 0), (4, 5), (0, 5)), ((4, 0), (7, 0), (7, 5), (4, 5))
    return FloorPlan(
        id="small",
        floors=(Floor(level=0, elevation=0.0), Floor(level=1, elevation=RISE)),
        rooms=(
            Room(id="living", label="l", floor=0, polygon=west, wall_colour="red"),
            Room(id="well", label="s", floor=0, polygon=east, wall_colour="blue"),
            Room(id="bed", label="b", floor=1, polygon=west, wall_colour="green", floor_material="carpet"),
            Room(id="well-up", label="s", floor=1, polygon=east, wall_colour="yellow"),
            Room(id="porch", label="p", floor=0, polygon=((0, -2), (4, -2), (4, 0), (0, 0)), outdoor=True),
        ),
        openings=(
            opening("d1", "door", ("living", "well"), 4, 4, "y"),
            opening("d2", "door", ("bed", "well-up"), 4, 0.8, "y", floor=1),
            opening("d3", "door", ("living", "porch"), 2, 0, "x"),
            opening("gate", "passage", ("porch", None), 1, -2, "x", width=1.0),
            opening("w1", "window", ("living", None), 0, 2.5, "y", width=1.4, sill=0.9, head=2.1),
        ),
        stairs=(
            Stair(
                id="stair",
                floors=(0, 1),
                rooms=("well", "well-up"),
                runs=(((6.4, 0.3, 0.0), (6.4, 4.3, RISE)),),
                width=1.0,
            ),
        ),
    )


def cast(
    mesh: Mesh, origin: tuple[float, float, float], way: tuple[float, float, float]
) -> tuple[float, str, str]:
    """Return distance, class and object of what a ray meets first."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    o, d = np.array(origin), np.array(way) / np.linalg.norm(way)
    e, f = b - a, c - a
    p = np.cross(d, f)
    size = np.einsum("ij,ij->i", e, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = o - a
        u = np.einsum("ij,ij->i", t, p) / size
        q = np.cross(t, e)
        v = q @ d / size
        along = np.einsum("ij,ij->i", f, q) / size
        hit = (np.abs(size) > 1e-12) & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (along > 1e-9)
    if not hit.any():
        return math.inf, "", ""
    first = int(np.argmin(np.where(hit, along, np.inf)))
    return float(along[first]), mesh.classes[mesh.semantic[first]], mesh.objects[mesh.instance[first]]


@cache
def small() -> Mesh:
    return house_mesh(two_storeys())


def test_walls_stand_half_their_thickness_from_the_line_and_belong_to_their_room() -> None:
    for origin, way, expected, owner in (
        ((2, 2.5, 2.3), (-1, 0, 0), 2 - HALF, "living"),
        ((2, 1.3, 1.5), (1, 0, 0), 2 - HALF, "living"),
        ((4.5, 1.5, 1.5), (-1, 0, 0), 0.5 - HALF, "well"),
        ((2, 2.5, 1.5), (0, 1, 0), 2.5 - HALF, "living"),
        ((-3, 4, 1.0), (1, 0, 0), 3 - HALF, "outside"),
    ):
        distance, kind, found = cast(small(), origin, way)
        assert (round(distance, 6), kind, found) == (round(expected, 6), "wall", owner)


def test_each_side_of_a_wall_has_the_colour_of_its_room() -> None:
    mesh = small()
    for room in two_storeys().rooms[:4]:
        mine = (mesh.instance == mesh.objects.index(room.id)) & (mesh.semantic == mesh.classes.index("wall"))
        colours = {tuple(c) for c in mesh.colour[mine].tolist()}
        others = {rgb(r.wall_colour) for r in two_storeys().rooms[:4]} - {rgb(room.wall_colour)}
        assert rgb(room.wall_colour) in colours
        assert not colours & others


def test_a_door_is_a_hole_of_its_exact_size() -> None:
    mesh, reach = small(), 4.0
    for y, z, through in (
        (4.0, 1.0, True), (3.56, 1.0, True), (4.44, 1.0, True), (4.0, 2.04, True), (4.0, 0.01, True),
        (3.54, 1.0, False), (4.46, 1.0, False), (4.0, 2.06, False),
    ):  # fmt: skip
        distance, _, _ = cast(mesh, (2.0, y, z), (1, 0, 0))
        assert (distance > 2.5) == through, (y, z, distance)
    assert cast(mesh, (2.0, 4.0, 1.0), (1, 0, 0))[0] < reach


def test_a_closed_door_stops_a_ray_in_the_wall_and_an_open_one_lets_it_through() -> None:
    plan = two_storeys()
    closed = msgspec.structs.replace(
        plan, openings=tuple(msgspec.structs.replace(o, closed=o.kind == "door") for o in plan.openings)
    )
    distance, kind, owner = cast(house_mesh(closed), (3.0, 4.1, 1.2), (1, 0, 0))
    assert (kind, owner) == ("door", "d1")
    assert abs(distance - 1.0) < HALF


def test_a_window_has_a_pane_between_sill_and_head() -> None:
    for z, expected in ((1.2, "window"), (0.8, "panelling"), (2.2, "wall")):
        assert cast(small(), (2.0, 2.3, z), (-1, 0, 0))[1] == expected


def test_doorways_have_a_threshold_and_a_lintel() -> None:
    assert cast(small(), (4.0, 4.0, 1.0), (0, 0, -1)) == (pytest.approx(1.0), "floor", "living")
    assert cast(small(), (4.0, 4.0, 1.0), (0, 0, 1)) == (pytest.approx(1.05), "door", "d1")


def test_floors_and_ceilings_lie_at_their_heights() -> None:
    assert cast(small(), (1, 1, 1), (0, 0, -1)) == (pytest.approx(1.0), "floor", "living")
    assert cast(small(), (1, 1, 1), (0, 0, 1)) == (pytest.approx(1.6), "ceiling", "living")
    assert cast(small(), (1, 1, RISE + 1), (0, 0, -1)) == (pytest.approx(1.0), "floor", "bed")
    assert cast(small(), (4.6, 2, RISE + 1), (0, 0, -1)) == (pytest.approx(1.0), "floor", "well-up")
    assert cast(small(), (1, -1, 1), (0, 0, -1)) == (pytest.approx(1.0), "floor", "porch")
    assert cast(small(), (1, -1, 1), (0, 0, 1))[0] == math.inf


def test_one_climbs_the_stair_step_by_step_with_head_room() -> None:
    mesh, before = small(), 0.0
    for y in np.arange(0.325, 4.9, 0.05):
        feet = RISE + 1.2 if y > 4.3 else 2.2 + (y - 0.3) / 4 * RISE * 0.8
        distance, kind, _ = cast(mesh, (6.4, float(y), feet), (0, 0, -1))
        top = feet - distance
        assert kind == ("stairs" if y < 4.3 else "floor")
        assert -1e-6 <= top - before <= 0.2
        pitch = min((y - 0.3) / 4, 1.0) * RISE
        assert abs(top - pitch) < 0.2
        assert cast(mesh, (6.4, float(y), top + 0.01), (0, 0, 1))[0] > 1.9
        before = top
    assert before == pytest.approx(RISE)


def test_the_hole_over_a_stair_has_railings_but_not_where_one_leaves_it() -> None:
    mesh = small()
    distance, kind, owner = cast(mesh, (5.0, 2.0, RISE + 0.95), (1, 0, 0))
    assert (kind, owner) == ("railing", "stair")
    assert distance == pytest.approx(0.9, abs=0.06)
    for x in (6.1, 6.4, 6.7):
        assert cast(mesh, (x, 4.8, RISE + 0.95), (0, -1, 0))[0] > 1.0


def test_stairs_that_turn_have_landings() -> None:
    well = inner(Room(id="w", label="s", floor=0, polygon=((0, 0), (2.3, 0), (2.3, 5), (0, 5))))
    u = Stair(
        id="u", floors=(0, 1), rooms=("w", "w"), width=1.0,
        runs=(((0.6, 1.2, 0), (0.6, 3.7, 1.45)), ((1.7, 3.7, 1.45), (1.7, 1.2, 2.9))),
    )  # fmt: skip
    (((x0, y0, x1, y1), z),) = landings(u, well)
    assert (x0, y0, z) == (pytest.approx(0.1), pytest.approx(3.7), 1.45)
    assert (x1, y1) == (pytest.approx(2.2), pytest.approx(4.94))
    hole = stair_hole(u, well)
    assert hole.bounds == pytest.approx((HALF, 1.2, 2.3 - HALF, 5 - HALF), abs=1e-4)
    corner = Stair(
        id="l", floors=(0, 1), rooms=("w", "w"), width=1.0,
        runs=(((0.6, 0.2, 0), (0.6, 2.0, 1.0)), ((1.1, 2.5, 1.0), (2.2, 2.5, 2.0))),
    )  # fmt: skip
    assert landings(corner, well)[0][0] == pytest.approx((0.1, 2.0, 1.1, 3.0))


def test_an_outdoor_room_has_railings_with_a_gap_at_its_gate() -> None:
    mesh = small()
    railing = mesh.semantic == mesh.classes.index("railing")
    mine = mesh.vertices[mesh.faces[railing & (mesh.instance == mesh.objects.index("porch"))].reshape(-1)]
    south = mine[mine[:, 1] < -1.9]
    assert len(south)
    assert not ((south[:, 0] > 0.55) & (south[:, 0] < 1.45)).any()
    assert (south[:, 0] > 3.5).any()
    assert not (mine[:, 1] > -0.05).any()


def test_an_open_leaf_avoids_furniture_and_is_left_out_without_room() -> None:
    plan = two_storeys()

    def leaf(items: tuple[PlanItem, ...]) -> np.ndarray:
        mesh = shell_mesh(msgspec.structs.replace(plan, items=items))
        mine = (mesh.semantic == mesh.classes.index("door")) & (mesh.instance == mesh.objects.index("d1"))
        points = mesh.vertices[mesh.faces[mine].reshape(-1)]
        return points[abs(points[:, 0] - 4) > HALF + 0.017]

    free = leaf(())
    assert len(free)
    low, high = free.min(axis=0), free.max(axis=0)
    middle = (low + high) / 2
    blocker = PlanItem(
        id="b", name="cabinet", room="living" if middle[0] < 4 else "well",
        position=(float(middle[0]), float(middle[1]), 0), size=(0.2, 0.2, 1.0),
    )  # fmt: skip
    other = leaf((blocker,))
    x0, x1, y0, y1, *_ = item_zone(blocker)
    inside = (other[:, 0] > x0) & (other[:, 0] < x1) & (other[:, 1] > y0) & (other[:, 1] < y1)
    assert not inside.any()
    full = tuple(
        PlanItem(id=f"b{i}", name="cabinet", room=room, position=(x, 2.5, 0), size=(w, 4.8, 1.0))
        for i, (room, x, w) in enumerate((("living", 2.0, 3.8), ("well", 5.5, 2.8)))
    )
    assert not len(leaf(full))


def generated(seed: int) -> FloorPlan:
    return furnish(layout(seed), seed)


@pytest.mark.parametrize("seed", [1, 6, 8])
def test_generated_houses_have_no_leaks(seed: int) -> None:
    plan = generated(seed)
    shut = msgspec.structs.replace(
        plan,
        items=(),
        openings=tuple(
            o if o.kind == "window" else msgspec.structs.replace(o, kind="door", closed=True)
            for o in plan.openings
        ),
    )
    mesh = shell_mesh(shut)
    renderer = Renderer(mesh)
    outside = mesh.objects.index("outside")
    heights = {floor.level: floor.elevation for floor in plan.floors}
    headings, elevations = (
        np.array([0, 1, 2, 3, 0, 0]) * math.pi / 2,
        np.array([0, 0, 0, 0, 1, -1]) * math.pi / 2,
    )
    for room in plan.rooms:
        if room.outdoor:
            continue
        x0, y0, x1, y1 = max(rectangles(inner(room)), key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
        eye = ((x0 + x1) / 2 + 0.013, (y0 + y1) / 2 + 0.017, heights[room.floor] + 1.5)
        views = renderer.render([eye] * 6, headings, elevations, width=60, height=60, vfov=91)
        assert (views.instance >= 0).all(), room.id
        assert not (views.instance == outside).any(), room.id


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_open_doors_of_generated_houses_can_be_walked_through(seed: int) -> None:
    plan = generated(seed)
    mesh = house_mesh(plan)
    renderer = Renderer(mesh)
    heights = {floor.level: floor.elevation for floor in plan.floors}
    rows = []
    for o in plan.openings:
        if o.kind == "door" and not o.closed:
            for shift in (-0.45, 0.0, 0.45):
                along, z = shift * o.width, heights[o.floor] + 1.0
                x, y = o.centre
                eye = (x + along, y - 0.3, z) if o.axis == "x" else (x - 0.3, y + along, z)
                rows.append((eye, 0.0 if o.axis == "x" else math.pi / 2, o.id))
    views = renderer.render([r[0] for r in rows], np.array([r[1] for r in rows]), width=1, height=1, vfov=1)
    blocked = [row[2] for row, depth in zip(rows, views.depth[:, 0, 0], strict=True) if depth < 0.6]
    assert not blocked


@pytest.mark.parametrize("seed", [0, 4, 9])
def test_structure_and_items_of_generated_houses_are_labelled(seed: int) -> None:
    plan = generated(seed)
    mesh = house_mesh(plan)
    assert {"wall", "floor", "ceiling", "door", "window"} <= set(mesh.classes)
    known = {r.id for r in plan.rooms} | {o.id for o in plan.openings} | {s.id for s in plan.stairs}
    known |= {i.id for i in plan.items} | {"outside"}
    assert set(mesh.objects) <= known
    assert {i.id for i in plan.items} <= set(mesh.objects)
    assert {r.id for r in plan.rooms} <= set(mesh.objects)
    assert len(plan.stairs) == sum(s.id in mesh.objects for s in plan.stairs)
    assert mesh.faces.max() < len(mesh.vertices)
    assert np.isfinite(mesh.vertices).all()


def digest(seed: int) -> str:
    mesh = house_mesh(generated(seed))
    content = [mesh.vertices, mesh.faces, mesh.colour, mesh.texture, mesh.semantic, mesh.instance]
    data = b"".join(np.ascontiguousarray(part).tobytes() for part in content)
    return hashlib.sha256(data + repr((mesh.classes, mesh.objects)).encode()).hexdigest()


def test_another_process_and_hash_seed_give_the_same_bytes() -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_building; print(test_building.digest(7))"
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    run = subprocess.run(
        [sys.executable, "-c", code, here],
        env={**os.environ, "PYTHONHASHSEED": "5", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == digest(7)


def test_a_clockwise_room_is_built_like_a_counter_clockwise_one() -> None:
    plan = two_storeys()
    turned = msgspec.structs.replace(
        plan, rooms=tuple(msgspec.structs.replace(r, polygon=r.polygon[::-1]) for r in plan.rooms)
    )
    assert cast(house_mesh(turned), (2, 2.5, 0.5), (-1, 0, 0)) == cast(small(), (2, 2.5, 0.5), (-1, 0, 0))


def test_a_plan_without_rooms_is_an_error() -> None:
    with pytest.raises(InputError, match="no rooms"):
        house_mesh(FloorPlan(id="nothing", floors=(Floor(level=0, elevation=0.0),), rooms=()))
