"""What an oracle in space sees: maps from depth images, the cells that count, and coverage along tours."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import msgspec
import numpy as np
import pytest
import shapely

from made_up import dataset, street
from made_up import repeated as path
from vlnscope.benchmarks.tours.build.tours import build_tours
from vlnscope.benchmarks.tours.coverage.curves import (
    Leg,
    OracleWalk,
    coverage_curve,
    seen_before,
    seen_regions,
    tour_walks,
)
from vlnscope.benchmarks.tours.coverage.depth_maps import (
    FLOOR,
    STANDING,
    Band,
    StoreyCells,
    cells_of,
    seen_cells,
)
from vlnscope.benchmarks.tours.coverage.kinds import KINDS, coverage_kind
from vlnscope.benchmarks.tours.coverage.observed import episode_poses, observed_in_space
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.types import Flags
from vlnscope.worlds.cameras import Camera
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
SMALL = Camera(32, 32)


def room(x: float, z: float, height: float = 2.5) -> Renderer:
    """An empty room around the origin, 2x wide and 2z long, its floor at height 0 (Habitat's frame)."""
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (0, 1)], dtype=float)
    faces = np.array([t for a, b, c, d in _SIDES for t in ((a, b, c), (a, c, d))], dtype=np.int32)
    zeros = np.zeros(12, dtype=np.int32)
    grey = np.full((12, 3), 200, dtype=np.uint8)
    mesh = Mesh(
        signs * [x, z, height], faces, grey, zeros.astype(np.uint8), zeros, zeros, ("room",), ("room",)
    )
    return Renderer(mesh, threads=1)


def grid(x: float, z: float, cell: float, *storeys: float) -> StoreyCells:
    """All cells of a box around the origin."""
    counts = (len(storeys), round(2 * z / cell), round(2 * x / cell))
    return StoreyCells((-x, -z), counts, cell, np.array(storeys), np.ones(math.prod(counts), dtype=np.bool_))


def all_around(x: float = 0.0, z: float = 0.0) -> list[SpacePose]:
    return [SpacePose((x, 0.0, z), k * math.pi / 2) for k in range(4)]


def test_from_the_middle_of_a_room_the_floor_is_seen_but_for_the_square_at_the_feet() -> None:
    # four views of 90° look all around; 45° down from 1.25 m is 1.25 m away
    cells = grid(2.0, 2.0, 0.25, 0.0)
    seen = seen_cells(room(2.0, 2.0), cells, all_around(), camera=Camera(128, 128)).reshape(16, 16)
    expected = np.ones((16, 16), dtype=np.bool_)
    expected[3:13, 3:13] = False
    assert (seen == expected).all()
    ahead = seen_cells(room(2.0, 2.0), cells, all_around()[:1], camera=Camera(128, 128)).reshape(16, 16)
    assert ahead[:3].all(axis=1).tolist() == [True, False, False]  # north, along -z
    assert not ahead[3:].any()
    nothing = np.zeros(len(cells.counted), dtype=np.bool_)
    assert not seen_cells(room(2.0, 2.0), cells._replace(counted=nothing), all_around()).any()
    assert not seen_cells(room(2.0, 2.0), cells, []).any()


def hits(half: tuple[float, float], height: float, camera: Camera, pose: SpacePose) -> np.ndarray:
    """Where the ray of each pixel meets the room, by the planes of its sides: x, y, z and depth."""
    focal = camera.width / 2 / math.tan(math.radians(camera.hfov) / 2)
    u, v = np.meshgrid(np.arange(camera.width) + 0.5, np.arange(camera.height) + 0.5)
    right, up = (u - camera.width / 2) / focal, (camera.height / 2 - v) / focal
    sin, cos = math.sin(pose.yaw), math.cos(pose.yaw)
    rays = np.stack([cos * right - sin, up, -sin * right - cos], axis=-1).reshape(-1, 3)
    eye = np.add(pose.position, (0.0, camera.sensor_height, 0.0))
    low, high = np.array([-half[0], 0.0, -half[1]]), np.array([half[0], height, half[1]])
    with np.errstate(divide="ignore"):
        depth = np.where(rays > 0, (high - eye) / rays, (low - eye) / rays).min(axis=1)
    return np.column_stack([eye + depth[:, None] * rays, depth])


@pytest.mark.parametrize("band", [FLOOR, STANDING, Band(-2.0, 2.0)])
@pytest.mark.parametrize("number", range(3))
def test_cells_are_those_that_rays_meet(number: int, band: Band) -> None:
    rng = rng_for(number, "depth maps")
    half, camera = (3.97, 2.96), Camera(48, 32, hfov=80.0, far=4.0)
    x, z, yaw = rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), rng.uniform(-math.pi, math.pi)
    pose, cells = SpacePose((x, 0.0, z), yaw), grid(4.0, 3.0, 0.1, 0.0)
    seen = seen_cells(room(*half), cells, [pose], camera=camera, band=band)
    points = hits(half, 2.5, camera, pose)
    above = points[:, 1] - camera.sensor_height
    counts = (points[:, 3] > 0.04) & (points[:, 3] < 3.96) & (above > band.low) & (above < band.high)
    places = (points[counts][:, [2, 0]] + [3.0, 4.0]) / 0.1
    sure = np.abs(places - places.round()).min(axis=1) > 1e-4  # between two cells, either is right
    expected = np.zeros((60, 80), dtype=np.bool_)
    expected[tuple(np.floor(places[sure]).astype(int).T)] = True
    assert expected.sum() > 10
    assert (seen.reshape(60, 80) | ~expected).all()
    assert seen.sum() - expected.sum() <= np.count_nonzero(~sure)


def test_a_camera_sees_no_farther_than_it_reaches() -> None:
    cells = grid(2.0, 9.0, 0.25, 0.0)
    for far in (3.0, 6.0):
        seen = seen_cells(room(2.0, 9.0), cells, all_around()[:1], camera=Camera(128, 128, far=far))
        rows = np.flatnonzero(seen.reshape(-1, 16).any(axis=1))
        nearest, farthest = 9.0 - 0.25 * (rows.max() + 1), 9.0 - 0.25 * rows.min()
        assert nearest == 1.25
        assert far - 1.0 <= farthest - 0.25 < 0.99 * far


def test_points_belong_to_the_storey_that_is_nearest_in_height() -> None:
    poses = all_around()
    low, high = seen_cells(room(2.0, 2.0), grid(2.0, 2.0, 0.25, -0.6, 0.5), poses).reshape(2, -1)
    assert not low.any()
    assert high.sum() == 156
    low, high = seen_cells(room(2.0, 2.0), grid(2.0, 2.0, 0.25, -0.1, 3.0), poses).reshape(2, -1)
    assert low.sum() == 156
    assert not high.any()


@pytest.fixture(scope="module")
def house() -> Dataset:
    """Eight paths in a house of three storeys with a garden."""
    whole = open_dataset("houses-ce/val_unseen@1+3")
    chosen = list(dict.fromkeys(episode.path_id for episode in whole.episodes()))[:8]
    few = [episode for episode in whole.episodes() if episode.path_id in chosen]
    return replace(whole, load=lambda on_problem: iter(few))


@pytest.fixture(scope="module")
def scene(house: Dataset) -> Scene:
    assert house.scenes is not None
    return house.scenes.scene("house-40003")


def area(cells: StoreyCells, flags: Flags) -> list[float]:
    return (flags.reshape(cells.counts[0], -1).sum(axis=1) * cells.cell**2).tolist()


def test_the_floor_of_rooms_counts_where_one_can_stand(scene: Scene) -> None:
    cells, plan = cells_of(scene), scene.layer("plan")
    assert isinstance(plan, FloorPlan)
    rooms = [
        sum(shapely.Polygon(r.polygon).area for r in plan.rooms if r.floor == floor.level)
        for floor in plan.floors
    ]
    for standing, whole in zip(area(cells, cells.counted), rooms, strict=True):
        assert 0.5 * whole < standing < 0.8 * whole
    everything = cells_of(scene, walkable=False)
    assert everything.counted.all()
    assert everything.counts == cells.counts
    unplanned = cells_of(
        Scene("x", scene.graph, {k: partial(scene.layer, k) for k in ("heights", "navmesh")})
    )
    assert area(unplanned, unplanned.counted)[0] >= 0.9 * area(cells, cells.counted)[0]
    feet = feet_of(scene)
    columns, rows = (
        np.floor((feet[:, axis] - cells.origin[k]) / cells.cell).astype(int) for k, axis in enumerate((0, 2))
    )
    storeys = np.abs(feet[:, 1:2] - cells.storeys).argmin(axis=1)
    assert cells.counted.reshape(cells.counts)[storeys, rows, columns].mean() > 0.9


def test_the_oracle_walks_the_ground_truth(house: Dataset, scene: Scene) -> None:
    ground = scene.layer("navmesh")
    for episode in list(house.episodes())[::3]:
        place = episode.continuous
        assert place is not None
        poses = episode_poses(ground, place)
        assert len(poses) == len(place.actions)  # the last action stops
        moved = [poses[0].position] + [b.position for a, b in pairwise(poses) if a.position != b.position]
        assert moved == list(place.locations)
        led = episode_poses(ground, msgspec.structs.replace(place, actions=()))
        assert ground.distance([led[-1].position], [place.goals[0]])[0] < 0.25


def test_what_is_seen_on_a_way(house: Dataset) -> None:
    sight = observed_in_space(house, camera=SMALL)("house-40003")
    first = next(iter(house.episodes())).path
    assert not sight.along(()).any()
    assert not sight.along(first[:1]).any()
    assert not sight.along((first[0], first[1], first[0])).any()  # led nowhere
    assert sight.along(first).any()
    assert (sight.along(first) == sight.along(first)).all()
    detour = (first[0], *reversed(first[1:-1]), first[-1])
    assert (sight.along(detour) == sight.along((first[0], first[-1]))).all()  # led straight to the end
    assert not (sight.along(first) & ~sight.cells.counted).any()
    again = observed_in_space(house, camera=SMALL)("house-40003")
    assert (again.along(first) == sight.along(first)).all()
    nearer = observed_in_space(house, 2.0, camera=SMALL)("house-40003")
    assert not (nearer.along(first) & ~sight.along(first)).any()
    assert 0 < nearer.along(first).sum() < sight.along(first).sum()


def test_coverage_grows_along_a_tour_to_all_that_it_shows(house: Dataset) -> None:
    built = build_tours(house)
    look = observed_in_space(house, camera=SMALL)
    (walk,) = tour_walks(built)
    shares = seen_before(walk, look)
    assert shares[0] == (0.0, 0.0)
    assert all(a.complete <= b.complete for a, b in pairwise(shares))
    assert 0.5 < shares[-1].complete <= 1.0
    assert all(0.0 <= share.upcoming <= 1.0 for share in shares)
    assert coverage_curve([walk], look) == coverage_curve([walk], observed_in_space(house, camera=SMALL))
    paths = OracleWalk(walk.scan, tuple(Leg((), leg.path) for leg in walk.legs))
    turned = paths._replace(legs=paths.legs[::-1])
    assert (seen_regions([paths], look)[walk.scan] == seen_regions([turned], look)[walk.scan]).all()
    twice = paths._replace(legs=(*paths.legs, *turned.legs))
    assert all(share == (1.0, 1.0) for share in seen_before(twice, look)[len(paths.legs) :])


def test_kinds_of_coverage(house: Dataset) -> None:
    with pytest.raises(UnknownNameError, match="kind of coverage"):
        coverage_kind("smell")
    assert all("10 m" in kind.cells.format(10.0) for kind in KINDS.values())
    on_a_graph = dataset(path(1, "ab"), street(0, 1))
    assert coverage_kind("viewpoints").look(on_a_graph, 1.0)("street").along(("a",)).tolist() == [True, True]
    for name in ("observed", "mapped"):
        with pytest.raises(InputError, match="no episode has both viewpoints and a place in space"):
            coverage_kind(name).look(on_a_graph, 1.0)
    walls = observed_in_space(house, camera=SMALL, band=STANDING)("house-40003")
    assert walls.cells.counted.all()
    assert walls.along(next(iter(house.episodes())).path).any()
