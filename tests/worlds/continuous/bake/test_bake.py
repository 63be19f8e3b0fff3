"""Baked navigation meshes: equal to Recast's, and right where the ground is known."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from box_rooms import Triangles, box, floor, joined, room
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.continuous.bake.bake import bake, bake_tile, cache_path
from vlnscope.worlds.continuous.bake.grid import check_mesh
from vlnscope.worlds.continuous.navmesh.file import read_navmesh
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings

HABITAT = NavMeshSettings()
RXR = NavMeshSettings(agent_height=0.88, agent_radius=0.18)


def baked(*parts: Triangles, settings: NavMeshSettings = HABITAT) -> NavMesh:
    vertices, faces = joined(*parts)
    return bake(vertices, faces, settings, cached=False)


def island_of(mesh: NavMesh, x: float, y: float, z: float) -> int:
    """The island of a point, -1 if it does not lie on the ground."""
    return int(mesh.islands([(x, y, z)])[0]) if mesh.navigable([(x, y, z)])[0] else -1


@pytest.mark.parametrize("house", ["00012", "40003"])
def test_houses_are_baked_as_recast_bakes_them(shared: Path, house: str) -> None:
    folder = shared / "data" / "habitat_navmesh"
    triangles = np.load(folder / f"house-{house}.npz")
    ours = bake_tile(triangles["vertices"], triangles["faces"])
    recast = read_navmesh(folder / f"house-{house}.navmesh").tile
    for part in ("verts", "details", "detail_verts", "detail_tris", "bv_tree", "header"):
        assert getattr(ours, part).tobytes() == getattr(recast, part).tobytes(), part
    for name in ("verts", "neis", "flags", "vert_count", "area_and_type"):
        assert np.array_equal(ours.polys[name], recast.polys[name]), name


@pytest.mark.parametrize("house", ["00012", "40003"])
def test_distances_on_own_bakes_equal_those_on_recasts(shared: Path, house: str) -> None:
    triangles = np.load(shared / "data" / "habitat_navmesh" / f"house-{house}.npz")
    pairs = json.loads((shared / "fixtures" / f"navmesh_house_{house}.json").read_text())["pairs"]
    starts, goals = (np.array([pair[end] for pair in pairs]) for end in ("foot_start", "foot_goal"))
    found = bake(triangles["vertices"], triangles["faces"]).distance(starts, goals)
    np.testing.assert_allclose(found, [pair["distance"] for pair in pairs], rtol=1e-6)


def test_a_room_is_its_floor_less_the_radius_of_the_agent() -> None:
    mesh = baked(room(6.0, 4.0))
    rows, columns = np.nonzero(mesh.top_down(0.2, metres_per_pixel=0.02))
    assert np.ptp(columns) * 0.02 == pytest.approx(6.0 - 0.2, abs=0.1)
    assert np.ptp(rows) * 0.02 == pytest.approx(4.0 - 0.2, abs=0.1)
    assert mesh.island_areas[mesh.islands([(3.0, 0.0, 2.0)])[0]] == pytest.approx(5.8 * 3.8, rel=0.03)
    assert mesh.navigable([(3.0, 0.1, 2.0), (0.05, 0.1, 2.0)]).tolist() == [True, False]


def test_a_wider_agent_keeps_farther_from_walls() -> None:
    meshes = [baked(room(6.0, 4.0), settings=settings) for settings in (HABITAT, RXR)]
    narrow, wide = (mesh.snap([(0.0, 0.2, 2.0)])[0, 0] for mesh in meshes)
    assert 0.1 <= narrow < 0.16  # whole cells, one of which the wall begins in
    assert wide - narrow == pytest.approx(0.1, abs=1e-3)


def test_furniture_is_walked_around() -> None:
    table = box((2.0, 0.0, 1.0), (3.0, 1.0, 3.9))
    mesh = baked(room(6.0, 4.0), table)
    start, goal = (1.0, 0.1, 3.0), (5.0, 0.1, 3.0)
    assert island_of(mesh, 2.5, 0.1, 2.5) == -1
    assert 4.0 < mesh.distance([start], [goal])[0] < 8.0
    assert np.isinf(baked(room(6.0, 4.0), box((2.0, 0.0, 0.0), (3.0, 1.0, 4.0))).distance([start], [goal])[0])


@pytest.mark.parametrize(("height", "passable"), [(0.19, True), (0.61, False)])
def test_only_low_steps_are_climbed(height: float, passable: bool) -> None:
    mesh = baked(floor((0, 0), (3, 3)), box((3.0, 0.0, 0.0), (6.0, height, 3.0)))
    path = mesh.distance([(1.0, 0.0, 1.5)], [(5.0, height, 1.5)])[0]
    assert np.isfinite(path) == passable


@pytest.mark.parametrize(("degrees", "passable"), [(40, True), (50, False)])
def test_only_gentle_slopes_are_walked(degrees: int, passable: bool) -> None:
    rise = 2.0 * np.tan(np.radians(degrees))
    ramp = np.array([(3, 0, 0), (3, 0, 3), (5, rise, 3), (5, rise, 0)], np.float64)
    top = floor((5, 0), (8, 3), height=rise)
    mesh = baked(floor((0, 0), (3, 3)), (ramp, np.array([(0, 1, 2), (0, 2, 3)])), top)
    path = mesh.distance([(1.0, 0.0, 1.5)], [(7.0, rise, 1.5)])[0]
    assert np.isfinite(path) == passable


@pytest.mark.parametrize(("settings", "headroom"), [(HABITAT, 2.2), (RXR, 1.6)])
def test_ground_needs_headroom(settings: NavMeshSettings, headroom: float) -> None:
    for height, passable in ((headroom, True), (headroom - 0.5, False)):
        beam = box((3.0, height, -1.0), (5.0, height + 1.0, 4.0))
        mesh = baked(floor((0, 0), (8, 3)), beam, settings=settings)
        assert (island_of(mesh, 4.0, 0.1, 1.5) >= 0) == passable


def test_patches_below_a_square_metre_are_dropped() -> None:
    small, large = floor((10, 0), (10.9, 0.9)), floor((20, 0), (22, 2))
    mesh = baked(floor((0, 0), (3, 3)), small, large)
    assert mesh.island_count == 2
    assert island_of(mesh, 10.45, 0.1, 0.45) == -1
    assert island_of(mesh, 21.0, 0.1, 1.0) >= 0


def test_rims_of_ledges_are_left_out_unless_the_filter_is_off() -> None:
    stage = box((2.0, 0.0, 2.0), (5.0, 1.0, 5.0))
    ground = floor((0, 0), (7, 7))
    free = msgspec.structs.replace(HABITAT, filter_ledge_spans=False)
    areas = [baked(ground, stage, settings=settings).island_areas.sum() for settings in (HABITAT, free)]
    assert areas[0] < areas[1]


def test_a_bake_is_kept_and_made_anew_where_the_file_is_damaged() -> None:
    vertices, faces = joined(room(3.0, 3.0))
    first = bake(vertices, faces)
    path = cache_path(*check_mesh(vertices, faces), HABITAT)
    content = path.read_bytes()
    assert content == first.file.to_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert bake(vertices, faces).file.to_bytes() == content
    assert path.read_bytes() == content
    assert cache_path(*check_mesh(vertices, faces), RXR) != path


def test_order_of_triangles_does_not_matter() -> None:
    vertices, faces = joined(room(6.0, 4.0), box((2.0, 0.0, 1.0), (3.0, 1.0, 3.0)))
    turned = bake_tile(vertices, faces[::-1])
    assert turned.verts.tobytes() == bake_tile(vertices, faces).verts.tobytes()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([floor((0, 0), (0.5, 0.5))], "too small"),
        ([box((0, 0, 0), (0.01, 3.0, 3.0))], "no walkable ground"),
    ],
)
def test_meshes_without_floor_are_refused(parts: list[Triangles], message: str) -> None:
    with pytest.raises(InputError, match=message):
        baked(*parts)


@pytest.mark.parametrize(
    ("vertices", "faces"),
    [
        ([], []),
        ([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0, 1, 3)]),
        ([(0, 0, 0), (1, 0, 0), (0, 0, np.nan)], [(0, 1, 2)]),
        ([(0, 0, 0), (1e6, 0, 0), (0, 0, 1e6)], [(0, 1, 2)]),
        ([(0, 0), (1, 0), (0, 1)], [(0, 1, 2)]),
    ],
)
def test_broken_meshes_are_refused(vertices: list[object], faces: list[object]) -> None:
    with pytest.raises(InputError):
        bake(vertices, faces, cached=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [{"cell_size": 0.0}, {"agent_radius": -1.0}, {"verts_per_poly": 7.0}, {"agent_height": np.nan}]
)
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    vertices, faces = joined(room(3.0, 3.0))
    with pytest.raises(InputError):
        bake(vertices, faces, msgspec.structs.replace(HABITAT, **wrong), cached=False)


COORDINATE = st.floats(-4.0, 4.0, width=32)


@given(
    corners=st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE), min_size=3, max_size=24),
    ground=st.booleans(),
    cell=st.sampled_from([0.05, 0.1, 0.3]),
)
def test_any_triangles_are_baked_or_refused(
    corners: list[tuple[float, float, float]], ground: bool, cell: float
) -> None:
    faces = np.arange(len(corners) // 3 * 3).reshape(-1, 3)
    parts: list[Triangles] = [(np.array(corners), faces)]
    if ground:
        parts.append(floor((-3, -3), (3, 3)))
    try:
        mesh = baked(*parts, settings=msgspec.structs.replace(HABITAT, cell_size=cell, region_min_size=2.0))
    except InputError:
        assert not ground or np.ptp(np.array(corners)[:, 1]) > 0
        return
    points = mesh.random_points(rng_for(0, "points"), 4)
    assert mesh.navigable(points).all()
    islands = mesh.islands(points)
    finite = np.isfinite(mesh.distance(points[:1], points))
    assert finite.tolist() == (islands == islands[0]).tolist()
