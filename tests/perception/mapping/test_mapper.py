"""Maps from depth, pose and semantics: what holds for every picture, and how long maps last."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping import EgocentricMap, Mapper, map_picture, read_cloud, save_cloud
from vlnscope.perception.mapping.clouds import PointCloud, empty_cloud
from vlnscope.worlds.cameras import Camera, Stance

CAMERA = Camera(24, 16, hfov=90)
RULES = ("clean", "official")
ORIGIN = Stance((0.0, 0.0, 0.0))


def noise(seed: int, frames: int = 3) -> tuple[NDArray[np.float32], NDArray[np.uint8], list[Stance]]:
    """Depths, classes and stances by chance, a few steps apart."""
    rng = np.random.default_rng(seed)
    depth = rng.uniform(0.0, 0.4, (frames, CAMERA.height, CAMERA.width)).astype(np.float32)
    classes = rng.integers(0, 13, depth.shape, dtype=np.uint8)
    places, turns = rng.uniform(-1, 1, (frames, 3)) * [1.0, 0.1, 1.0], rng.uniform(-3, 3, frames)
    poses = zip(places.tolist(), turns.tolist(), strict=True)
    return depth, classes, [Stance((x, y, z), turn) for (x, y, z), turn in poses]


def tour_map(stances: list[Stance], depth: Any, classes: Any, **options: Any) -> EgocentricMap:
    mapper = Mapper(memory="iterative", camera=CAMERA, **options)
    mapper.begin_tour()
    for stance, far, kinds in zip(stances, depth, classes, strict=True):
        mapper.add(far[None], [stance], kinds[None])
    return mapper.read(stances[-1:])


def moved(stance: Stance, quarters: int, columns: tuple[int, int]) -> Stance:
    """A stance turned about the origin by quarters of a turn, then shifted by columns of 5 cm."""
    x, y, z = stance.position
    for _ in range(quarters):
        x, z = z, -x
    yaw = stance.yaw + quarters * math.pi / 2
    return Stance((x + 0.05 * columns[0], y, z + 0.05 * columns[1]), yaw, stance.pitch)


def same(a: EgocentricMap, b: EgocentricMap) -> bool:
    return np.array_equal(a.occupancy, b.occupancy) and np.array_equal(a.classes, b.classes)


@given(st.integers(0, 99), st.integers(0, 3), st.tuples(st.integers(-400, 400), st.integers(-400, 400)))
def test_a_map_does_not_depend_on_where_north_and_the_origin_are(
    seed: int, quarters: int, columns: tuple[int, int]
) -> None:
    depth, classes, stances = noise(seed)
    before = tour_map(stances, depth, classes)
    assert same(before, tour_map([moved(it, quarters, columns) for it in stances], depth, classes))


@given(st.integers(0, 99), st.permutations(range(3)))
def test_a_clean_map_does_not_depend_on_the_order_of_observations(seed: int, order: list[int]) -> None:
    depth, classes, stances = noise(seed)
    maps = []
    for which in (order, sorted(order)):
        mapper = Mapper(memory="iterative", camera=CAMERA)
        for k in which:
            mapper.add(depth[[k]], [stances[k]], classes[[k]])
        maps.append(mapper.read([ORIGIN]))
    assert same(*maps)


@given(st.integers(0, 99))
def test_clean_maps_do_not_depend_on_the_batch(seed: int) -> None:
    depth, classes, stances = noise(seed)
    mapper = Mapper(memory="iterative", environments=3, camera=CAMERA)
    mapper.add(depth, stances, classes)
    mapper.add(depth[:1], stances[1:2], classes[:1], environments=[2])
    together = mapper.read(stances)
    for k in range(3):
        alone = Mapper(memory="iterative", camera=CAMERA)
        alone.add(depth[[k]], [stances[k]], classes[[k]])
        if k == 2:
            alone.add(depth[:1], stances[1:2], classes[:1])
        shown = alone.read([stances[k]])
        assert same(shown, EgocentricMap(together.occupancy[[k]], together.classes[[k]]))
        assert alone.count() == mapper.count(k)


@pytest.mark.parametrize("rule", RULES)
@given(st.integers(0, 99))
def test_maps_hold_zeros_ones_and_classes_where_something_is(rule: Any, seed: int) -> None:
    depth, classes, stances = noise(seed)
    rng = np.random.default_rng(seed)
    odd = np.array([0.0, 1.0, -1.0, 2.0, np.nan, np.inf], np.float32)
    depth[rng.random(depth.shape) < 0.2] = rng.choice(odd)
    shown = tour_map(stances, depth, classes, rule=rule)
    assert shown.occupancy.shape == shown.classes.shape == (1, 64, 64)
    assert shown.occupancy.dtype == shown.classes.dtype == np.uint8
    assert shown.occupancy.max() <= 1
    assert shown.classes.max() <= 12
    assert not shown.classes[shown.occupancy == 0].any()
    layers = shown.channels()
    assert layers.shape == (1, 14, 64, 64)
    np.testing.assert_array_equal(layers[:, 1:].argmax(axis=1), shown.classes)
    assert (layers[:, 1:].sum(axis=1) == 1).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("fraction", [0.0, 0.01, 0.99, 1.0])
def test_depth_without_a_hit_leaves_a_map_as_it_is(rule: Any, fraction: float) -> None:
    depth, classes, stances = noise(1, 1)
    nothing = np.full_like(depth, np.float32(fraction))[..., None]
    mapper = Mapper(rule=rule, memory="iterative", camera=CAMERA)
    mapper.add(nothing, stances, classes[..., None])
    assert mapper.count() == 0
    assert not mapper.read(stances).occupancy.any()
    mapper.add(depth, stances, classes)
    before, count = mapper.read(stances), mapper.count()
    mapper.add(nothing, stances, classes)
    assert same(before, mapper.read(stances))
    assert mapper.count() == count > 0


@pytest.mark.parametrize("rule", RULES)
def test_seeing_the_same_again_adds_no_points(rule: Any) -> None:
    depth, classes, stances = noise(2, 1)
    mapper = Mapper(rule=rule, memory="iterative", camera=CAMERA)
    counts = []
    for _ in range(4):
        mapper.add(depth, stances, classes)
        counts.append(mapper.count())
    assert len(set(counts)) == 1
    assert 0 < counts[0] <= depth.size


def wall_ahead(metres: float, klass: int) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    shape = (1, CAMERA.height, CAMERA.width)
    return np.full(shape, metres / 10, np.float32), np.full(shape, klass, np.uint8)


def known_bed(scan: str) -> PointCloud:
    assert scan == "house"
    return PointCloud(np.array([[0.0, 1.0, -1.0]]), np.array([3], dtype=np.uint8))


@pytest.mark.parametrize("rule", RULES)
def test_how_long_maps_last(rule: Any) -> None:
    """A table 1 m ahead in the first episode, a chair 2 m ahead in the second, then another tour."""
    known = {"episodic": [{7}, set(), {8}, set()], "iterative": [{7}, {7}, {7, 8}, set()], "known": [{3}] * 4}
    for memory, expected in known.items():
        house = known_bed if memory == "known" else None
        mapper = Mapper(rule=rule, memory=memory, camera=CAMERA, known=house)  # type: ignore[arg-type]
        found = []
        mapper.begin_tour("house")
        mapper.begin_episode()
        mapper.add(*_args(wall_ahead(1.0, 7)))
        found.append(_kinds(mapper))
        mapper.begin_episode()
        found.append(_kinds(mapper))
        mapper.add(*_args(wall_ahead(2.0, 8)))
        found.append(_kinds(mapper))
        mapper.begin_tour("house")
        found.append(_kinds(mapper))
        assert found == expected, memory


@pytest.mark.parametrize(("memory", "expected"), [("episodic", {8, 9}), ("iterative", {6, 7, 8, 9})])
def test_episodic_maps_hold_nothing_of_the_way_that_an_oracle_led(memory: Any, expected: set[int]) -> None:
    mapper = Mapper(memory=memory, camera=CAMERA)
    mapper.begin_tour()
    mapper.begin_episode()
    for klass, led in ((6, True), (7, True), (8, False), (9, False)):
        mapper.add(*_args(wall_ahead(klass / 4, klass)), led=led)
    assert _kinds(mapper) == expected


def _args(wall: tuple[Any, Any]) -> tuple[Any, list[Stance], Any]:
    return wall[0], [ORIGIN], wall[1]


def _kinds(mapper: Mapper) -> set[int]:
    return {int(k) for k in np.unique(mapper.read([ORIGIN]).classes) if k}


def test_the_storeys_of_a_house_are_told_apart() -> None:
    mapper = Mapper(memory="iterative", camera=CAMERA)
    up = Stance((0.0, 3.0, 0.0))
    mapper.add(*_args(wall_ahead(1.0, 7)))
    depth, classes = wall_ahead(1.0, 2)
    mapper.add(depth, [up], classes)
    assert _kinds(mapper) == {7}
    assert set(np.unique(mapper.read([up]).classes)) == {0, 2}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rule": "new"}, "rule"),
        ({"memory": "short"}, "short"),
        ({"memory": "known"}, "not given"),
        ({"known": known_bed}, "given"),
    ],
)
def test_mappers_that_there_are_not(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Mapper(**options)


def test_what_cannot_be_mapped_is_refused() -> None:
    depth, classes, stances = noise(0, 2)
    mapper = Mapper(environments=2, camera=CAMERA)
    for bad in (
        lambda: mapper.add(depth[:, :-1], stances, classes[:, :-1]),
        lambda: mapper.add(depth[:1], stances, classes[:1]),
        lambda: mapper.add(depth, stances[:1], classes),
        lambda: mapper.add(depth, stances, classes + 1),
        lambda: mapper.add(depth, stances, classes.astype(float)),
        lambda: mapper.add(depth, [stances[0], Stance((math.nan, 0, 0))], classes),
        lambda: mapper.add(depth, stances, classes, environments=[0, 0]),
        lambda: mapper.add(depth, stances, classes, led=[True]),
        lambda: mapper.read(stances, environments=[1, 2]),
        lambda: mapper.begin_tour(environment=2),
        lambda: mapper.begin_episode(environment=-1),
        lambda: Mapper(memory="known", known=known_bed).read(stances[:1]),
    ):
        with pytest.raises(InputError):
            bad()
    assert mapper.count(0) == mapper.count(1) == 0


def test_clouds_come_back_from_files(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    cloud = PointCloud(rng.normal(size=(50, 3)).astype(np.float32), rng.integers(0, 13, 50, dtype=np.uint8))
    for k, it in enumerate((cloud, empty_cloud())):
        save_cloud(it, tmp_path / f"{k}.npz")
        again = read_cloud(tmp_path / f"{k}.npz")
        np.testing.assert_array_equal(again.xyz, it.xyz)
        np.testing.assert_array_equal(again.classes, it.classes)


@pytest.mark.parametrize(
    "arrays",
    [
        {"xyz": np.zeros((2, 3))},
        {"xyz": np.zeros((2, 3)), "semantics": np.zeros(3, np.uint8)},
        {"xyz": np.zeros((2, 3)), "semantics": np.full(2, 13)},
        {"xyz": np.full((2, 3), np.nan), "semantics": np.zeros(2, np.uint8)},
    ],
)
def test_files_that_are_no_clouds_are_refused(arrays: dict[str, Any], tmp_path: Path) -> None:
    np.savez(tmp_path / "cloud.npz", **arrays)
    with pytest.raises(InputError, match="no point cloud"):
        read_cloud(tmp_path / "cloud.npz")


def test_a_picture_of_a_map_faces_up() -> None:
    mapper = Mapper(camera=CAMERA)
    mapper.add(*_args(wall_ahead(2.0, 6)))
    picture = np.asarray(map_picture(mapper.read([ORIGIN]), scale=4, legend=False))
    blue = (picture == (0x1F, 0x78, 0xB4)).all(axis=-1)
    assert np.unique(np.argwhere(blue)[:, 0] // 4).tolist() == [12]
    assert map_picture(mapper.read([ORIGIN]), scale=4).width > picture.shape[1]
    with pytest.raises(InputError):
        map_picture(mapper.read([ORIGIN]), 1)
