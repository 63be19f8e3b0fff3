"""What must hold of walks on any mesh, on small ones whose answers can be told by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ground_tiles import ground
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.nearest import project_all
from vlnscope.worlds.continuous.navmesh.surface import surface_of
from vlnscope.worlds.continuous.pathfinder import PathFinder

ROOM = np.ones((4, 6), bool)
TWO_ROOMS = np.array([[1, 1, 0, 1, 1], [1, 1, 0, 1, 1]], bool)
AROUND_A_WALL = np.array([[1, 1, 1], [1, 0, 1], [1, 0, 1]], bool)


@pytest.fixture(scope="module")
def room() -> NavMesh:
    return NavMesh(ground(ROOM))


@st.composite
def meshes(draw: st.DrawFn) -> NavMesh:
    """Patchy ground with gaps, steps and now and then a polygon that is shut."""
    seed = draw(st.integers(0, 2**32))
    rng = rng_for(seed, "ground")
    cells = rng.random((draw(st.integers(2, 9)), draw(st.integers(2, 9)))) < draw(
        st.sampled_from([0.5, 0.8, 1])
    )
    cells[0, 0] = True
    heights = rng.normal(scale=draw(st.sampled_from([0, 0.1, 0.5])), size=np.add(cells.shape, 1))
    file = ground(cells, side=draw(st.sampled_from([0.3, 1.0])), heights=heights)
    file.tile.polys["flags"][1:][rng.random(len(file.tile.polys) - 1) < 0.05] = 0
    return NavMesh(file)


def points_around(mesh: NavMesh, seed: int, count: int) -> Floats:
    """Points on the mesh, near it and nowhere."""
    rng = rng_for(seed, "points")
    low, high = mesh.bounds
    points = rng.uniform(low - 1, high + 1, (count, 3))
    points[::2] = mesh.random_points(rng, len(points[::2]))
    return points


def test_is_a_path_finder(room: NavMesh) -> None:
    finder: PathFinder = room
    assert finder.bounds[1].tolist() == [6, 0, 4]


def test_paths_by_hand() -> None:
    mesh = NavMesh(ground(AROUND_A_WALL))
    path = mesh.path([0.5, 0, 2.5], [2.5, 0, 2.5])
    np.testing.assert_allclose(path, [[0.5, 0, 2.5], [1, 0, 1], [2, 0, 1], [2.5, 0, 2.5]], atol=1e-6)
    assert mesh.distance([0.5, 0, 2.5], [2.5, 0, 2.5])[0] == pytest.approx(1 + 2 * np.hypot(0.5, 1.5))
    assert mesh.distance([0.5, 0, 0.5], [2.5, 0, 0.5])[0] == pytest.approx(2)


def test_slides_along_a_wall_or_stops_at_it(room: NavMesh) -> None:
    start, target = [3.0, 0, 0.1], [3.2, 0, -0.1]
    np.testing.assert_allclose(room.step(start, target), [[3.2, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(room.step(start, target, sliding=False), [[3.1, 0, 0]], atol=1e-6)


def test_walls_by_hand(room: NavMesh) -> None:
    points = [[3, 0, 0.4], [0.3, 1, 2], [3, 0, 2], [20, 0, 2]]
    np.testing.assert_allclose(room.wall_distance(points), [0.4, 0.3, 2, np.nan], atol=1e-6)
    np.testing.assert_allclose(room.wall_distance(points[:3], within=0.35), [0.35, 0.3, 0.35], atol=1e-6)


def test_navigable_by_hand(room: NavMesh) -> None:
    points = [[1, 0, 1], [1, 0.6, 1], [-0.005, 0, 1], [-0.02, 0, 1], [1, -0.45, 1]]
    assert room.navigable(points).tolist() == [True, False, True, False, True]
    assert room.navigable(points, height=0.7).tolist() == [True, True, True, False, True]


def test_islands() -> None:
    mesh = NavMesh(ground(TWO_ROOMS))
    left, right = [0.5, 0, 0.5], [4.5, 0, 0.5]
    assert mesh.island_count == 2
    assert mesh.islands([left, right, [2.4, 0, 1], [90, 0, 0]]).tolist() == [0, 1, 0, -1]
    assert np.isinf(mesh.distance(left, right)[0])
    assert mesh.path(left, right).shape == (0, 3)
    np.testing.assert_array_equal(mesh.step(left, right), [left])
    np.testing.assert_allclose(mesh.island_areas, [4, 4])
    np.testing.assert_allclose(mesh.island_radii, np.sqrt(2))
    np.testing.assert_allclose(mesh.snap([2.4, 0, 1], island=1), [[3, 0, 1]], atol=1e-6)
    with pytest.raises(InputError, match="no island 2"):
        mesh.snap(left, island=2)


def test_shut_polygons_are_no_ground() -> None:
    file = ground(np.ones((1, 3), bool))
    file.tile.polys["flags"][1] = 0
    mesh = NavMesh(file)
    assert np.isinf(mesh.distance([0.5, 0, 0.5], [2.5, 0, 0.5])[0])
    np.testing.assert_allclose(mesh.snap([1.4, 0, 0.5]), [[1, 0, 0.5]], atol=1e-6)
    assert mesh.wall_distance([0.9, 0, 0.5])[0] == pytest.approx(0.1, abs=1e-6)
    assert mesh.island_areas.sum() == pytest.approx(2)


def test_nearest_of_several_goals() -> None:
    mesh = NavMesh(ground(AROUND_A_WALL))
    goals = [[2.5, 0, 2.5], [0.5, 0, 0.5], [50, 0, 50]]
    far, which = mesh.nearest_goal([[0.5, 0, 2.5], [2.5, 0, 2.0], [np.nan, 0, 0]], goals)
    assert which.tolist() == [1, 0, -1]
    np.testing.assert_allclose(far, [2, 0.5, np.inf], atol=1e-6)
    np.testing.assert_array_equal(mesh.nearest_goal([[0.5, 0, 2.5]], goals)[0], far[:1])
    assert np.isinf(mesh.nearest_goal([0.5, 0, 2.5], np.empty((0, 3)))[0][0])


def test_one_start_and_many_goals(room: NavMesh) -> None:
    start, goals = [0.5, 0, 0.5], points_around(room, 3, 20)
    each = [room.distance(start, goal)[0] for goal in goals]
    np.testing.assert_array_equal(room.distance(start, goals), each)
    assert room.step(start, goals).shape == (20, 3)
    assert room.distance(np.empty((0, 3)), start).shape == (0,)
    assert room.step(start, np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("ask", ["distance", "step"])
def test_points_that_do_not_belong_together(room: NavMesh, ask: str) -> None:
    with pytest.raises(InputError, match="2 starts and 3 goals"):
        getattr(room, ask)(np.zeros((2, 3)), np.zeros((3, 3)))


@pytest.mark.parametrize("points", [[1.0, 2.0], np.zeros((2, 2)), np.zeros((1, 1, 3)), []])
def test_what_is_no_point(room: NavMesh, points: Any) -> None:
    with pytest.raises(InputError, match="three coordinates"):
        room.snap(points)


def test_one_path_at_a_time(room: NavMesh) -> None:
    with pytest.raises(InputError, match="one point"):
        room.path(np.zeros((2, 3)), np.zeros((2, 3)))


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e300, 3e38])
def test_points_that_are_nowhere(room: NavMesh, odd: float) -> None:
    on, off = [1.0, 0, 1.0], np.array([[odd, 0, 1.0], [1.0, 0, odd], [odd, odd, odd]])
    if not abs(odd) < 3.4e38:
        off = np.append(off, [[1.5, odd, 1.5]], axis=0)
    assert np.isnan(room.snap(off)).all()
    assert (room.islands(off) == -1).all()
    assert np.isinf(room.distance(on, off)).all()
    assert np.isinf(room.distance(off, on)).all()
    assert np.isnan(room.wall_distance(off)).all()
    assert not room.navigable(off).any()
    np.testing.assert_array_equal(room.step(on, off), [on] * len(off))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(room.step(off, on), off.astype(np.float32))


def test_a_mesh_without_a_tree_answers_alike() -> None:
    file = ground(TWO_ROOMS, heights=rng_for(1, "heights").normal(scale=0.1, size=(3, 6)))
    header = np.array(file.tile.header)
    header["bv_node_count"] = 0
    bare = NavMesh(replace(file, tile=replace(file.tile, header=header[()], bv_tree=file.tile.bv_tree[:0])))
    mesh = NavMesh(file)
    points = points_around(mesh, 5, 200)
    np.testing.assert_array_equal(bare.snap(points), mesh.snap(points))


@settings(max_examples=40)
@given(meshes(), st.integers(0, 2**32))
def test_the_grid_finds_what_the_tree_does(mesh: NavMesh, seed: int) -> None:
    surface = surface_of(mesh.file.tile, mesh.file.origin, mesh.file.tile_size)
    assert surface.grid.columns > 0
    by_tree = surface._replace(grid=surface.grid._replace(columns=0))
    points = np.concatenate([points_around(mesh, seed, 60), mesh.file.tile.verts]).astype(np.float32)
    for found, expected in zip(project_all(surface, points), project_all(by_tree, points), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_corridors_of_more_than_256_polygons_are_none() -> None:
    mesh = NavMesh(ground(np.ones((1, 300), bool)))
    far = mesh.distance([0.5, 0, 0.5], [[255.5, 0, 0.5], [256.5, 0, 0.5]])
    assert far.tolist() == [255, np.inf]


def test_searches_of_more_than_2048_polygons_are_given_up() -> None:
    far = []
    for rows in (19, 81):  # 1801 cells, of which all may be touched, and 8001
        cells = np.ones((rows, 100), bool)
        cells[rows // 2, :-1] = False
        mesh = NavMesh(ground(cells))
        assert mesh.island_count == 1
        far += mesh.distance([0.5, 0, rows // 2 - 0.5], [0.5, 0, rows // 2 + 1.5]).tolist()
    assert far == [pytest.approx(2 * 98.5 + 1, abs=1.5), np.inf]


def test_top_down_map() -> None:
    mesh = NavMesh(ground(AROUND_A_WALL))
    cells = mesh.top_down(0.1, metres_per_pixel=0.25)
    assert cells.shape == (12, 12)
    assert cells[1::4, 1::4].tolist() == AROUND_A_WALL.tolist()
    assert not mesh.top_down(1.0, metres_per_pixel=0.5).any()
    assert mesh.top_down(1.0, metres_per_pixel=0.5, band=1.5).any()
    for spacing in (0.0, -1.0, np.nan, 1e-9):
        with pytest.raises(InputError, match="per pixel"):
            mesh.top_down(0, metres_per_pixel=spacing)


def test_random_points_fall_where_there_is_ground() -> None:
    cells = np.array([[1, 0, 1, 1, 1]], bool)
    mesh = NavMesh(ground(cells))
    points = mesh.random_points(rng_for(0, "draw"), 4000)
    assert mesh.navigable(points).all()
    assert np.mean(points[:, 0] < 1) == pytest.approx(0.25, abs=0.03)
    assert (mesh.random_points(rng_for(0, "draw"), 100, island=1)[:, 0] >= 2).all()
    with pytest.raises(InputError, match="no island 7"):
        mesh.random_points(rng_for(0, "draw"), 1, island=7)
    file = ground(cells)
    file.tile.polys["flags"] = 0
    with pytest.raises(InputError, match="no ground"):
        NavMesh(file).random_points(rng_for(0, "draw"), 1)


def test_walls_are_looked_for_within_a_distance(room: NavMesh) -> None:
    with pytest.raises(InputError, match="within nan"):
        room.wall_distance([1, 0, 1], within=np.nan)


@settings(max_examples=60)
@given(meshes(), st.integers(0, 2**32))
def test_snapping_twice_changes_nothing(mesh: NavMesh, seed: int) -> None:
    once = mesh.snap(points_around(mesh, seed, 40))
    np.testing.assert_allclose(mesh.snap(once), once, rtol=0, atol=1e-5)
    found = ~np.isnan(once[:, 0])
    low, high = mesh.bounds
    assert (once[found] >= low - 1e-5).all()
    assert (once[found] <= high + 1e-5).all()


@settings(max_examples=60)
@given(meshes(), st.integers(0, 2**32))
def test_no_path_is_shorter_than_the_straight_line(mesh: NavMesh, seed: int) -> None:
    points = mesh.snap(points_around(mesh, seed, 80)).reshape(-1, 2, 3)
    points = points[~np.isnan(points).any(axis=(1, 2))]
    far = mesh.distance(points[:, 0], points[:, 1])
    assert (far >= np.linalg.norm(points[:, 0] - points[:, 1], axis=1) - 1e-4).all()
    together = mesh.islands(points[:, 0]) == mesh.islands(points[:, 1])
    assert (together | np.isinf(far)).all()
    if mesh.file.tile.polys["flags"].all():  # Habitat lets pieces meet in a polygon that is shut
        np.testing.assert_array_equal(np.isfinite(far), together)  # too few polygons for Detour's limits


@settings(max_examples=60)
@given(meshes(), st.integers(0, 2**32), st.booleans())
def test_steps_stay_on_the_island_and_go_towards_the_target(mesh: NavMesh, seed: int, sliding: bool) -> None:
    starts = mesh.snap(points_around(mesh, seed, 60))
    starts = starts[~np.isnan(starts[:, 0])]
    turn = rng_for(seed, "turn").uniform(0, 2 * np.pi, len(starts))
    targets = starts + 0.25 * np.stack([np.sin(turn), 0 * turn, np.cos(turn)], axis=1)
    ends = mesh.step(starts, targets, sliding=sliding)
    left = np.linalg.norm((ends - targets)[:, [0, 2]], axis=1)
    assert (left <= 0.25 + 2e-4).all()  # a nudge included
    np.testing.assert_array_equal(mesh.islands(ends), mesh.islands(starts))
    assert mesh.navigable(ends).all()
    if sliding:
        stopped = mesh.step(starts, targets, sliding=False)
        assert (left <= np.linalg.norm((stopped - targets)[:, [0, 2]], axis=1) + 2e-4).all()


@settings(max_examples=40)
@given(st.integers(1, 6), st.integers(1, 6), st.floats(0.01, 3), st.integers(0, 2**32), st.booleans())
def test_steps_in_a_room_are_not_longer_than_commanded(
    rows: int, columns: int, length: float, seed: int, sliding: bool
) -> None:
    """Round the corners of walls Detour may slide a little farther than it was told to go."""
    mesh = NavMesh(ground(np.ones((rows, columns), bool), side=0.7))
    rng = rng_for(seed, "steps")
    starts = mesh.random_points(rng, 40)
    turn = rng.uniform(0, 2 * np.pi, len(starts))
    targets = starts + length * np.stack([np.sin(turn), 0 * turn, np.cos(turn)], axis=1)
    ends = mesh.step(starts, targets, sliding=sliding)
    walked = np.linalg.norm((ends - starts)[:, [0, 2]], axis=1)
    assert (walked <= length + 1e-5).all()
