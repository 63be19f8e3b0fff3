"""The official rule of maps: IVLN-CE's released mapper as it was run, and what is peculiar to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vlnscope.perception.mapping import EgocentricMap, Mapper
from vlnscope.perception.mapping.clouds import PointCloud
from vlnscope.perception.mapping.official import OfficialCloud
from vlnscope.perception.mapping.voxels import VoxelCloud
from vlnscope.worlds.cameras import Camera, Stance

FROM_ROUNDING = 14
"""Cells with a class that the text's own computation in 64 bits has otherwise, all frames together."""


def depth_by_rule(seed: int) -> NDArray[np.float32]:
    v, u = np.mgrid[0:256, 0:256]
    d = 0.12 + 0.05 * (seed % 4)
    d = d + 0.35 * (((5 * u + 3 * v + 17 * seed) % 97) / 97) * (((v // 32 + seed) % 3) > 0)
    d = (d + 0.2 * ((u // 40 + seed) % 4) / 4).astype(np.float32)
    d[(13 * u + 7 * v + seed) % 53 == 0] = 0
    d[(11 * u + 5 * v + seed) % 61 == 0] = 1
    return np.asarray(d)


def classes_by_rule(seed: int) -> NDArray[np.int64]:
    v, u = np.mgrid[0:256, 0:256]
    return np.asarray((u // 16 + 3 * (v // 16) + seed) % 13)


def maps_of(frames: list[dict[str, Any]]) -> list[EgocentricMap]:
    mapper = Mapper(rule="official", memory="iterative", environments=len(frames[0]["seed"]))
    maps = []
    for frame in frames:
        poses = zip(frame["pose"], frame["heading"], frame["elevation"], strict=True)
        stances = [Stance((x, y - 1.25, z), yaw, pitch) for (x, y, z), yaw, pitch in poses]
        for environment, not_done in enumerate(frame["not_done"]):
            if not not_done:
                mapper.begin_tour(environment=environment)
        depth = np.stack([depth_by_rule(seed) for seed in frame["seed"]])
        mapper.add(depth, stances, np.stack([classes_by_rule(seed) for seed in frame["seed"]]))
        maps.append(mapper.read(stances))
    return maps


def expected(rows: list[list[str]]) -> NDArray[np.uint8]:
    return np.array([[[int(cell, 16) for cell in row] for row in rows_of] for rows_of in rows], np.uint8)


def test_maps_are_those_of_the_released_mapper(shared: Path) -> None:
    """Cells with another class are those that the released mapper wrote from two threads at once."""
    cases = json.loads((shared / "fixtures" / "ce_mapper.json").read_text("utf-8"))["cases"]
    different = 0
    for frames in cases.values():
        for frame, shown in zip(frames, maps_of(frames), strict=True):
            np.testing.assert_array_equal(shown.occupancy, expected(frame["occupancy_rows"]))
            different += int((shown.classes != expected(frame["semantic_rows"])).sum())
    assert different <= FROM_ROUNDING


def points(*rows: tuple[float, float, float, int]) -> PointCloud:
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return PointCloud(table[:, :3].astype(np.float32), table[:, 3].astype(np.uint8))


EYE = np.array([0.0, 1.25, 0.0], dtype=np.float32)
CORNERS = points((-0.5, 1.0, 0.0, 1), (0.5, 0.6, 0.0, 2), (-0.5, 0.7, 0.05, 3), (0.5, 0.5, 0.5, 4))


def test_the_last_column_of_a_row_shares_its_key_with_the_first_of_the_next() -> None:
    cloud, voxels = OfficialCloud(), VoxelCloud()
    cloud.insert([0], [CORNERS])
    voxels.insert(CORNERS)
    assert sorted(cloud.around(0, EYE).classes) == [1, 3, 4]
    assert sorted(voxels.around(EYE).classes) == [1, 2, 3, 4]


def test_environments_share_the_smallest_and_largest_indices() -> None:
    cloud = OfficialCloud()
    cloud.insert([0, 1], [CORNERS, points((9.0, 1.0, 9.0, 5))])
    assert sorted(cloud.around(0, EYE).classes) == [1, 2, 3, 4]


def test_upstairs_erases_what_is_below_in_the_official_rule_alone() -> None:
    cloud, voxels = OfficialCloud(), VoxelCloud()
    for seen in (points((0.5, 1.0, -1.0, 7)), points((0.5, 4.0, -1.0, 3))):
        cloud.insert([0], [seen])
        voxels.insert(seen)
    assert cloud.around(0, EYE).classes.tolist() == []
    assert voxels.around(EYE).classes.tolist() == [7]
    assert voxels.around(EYE + np.array([0, 3, 0], np.float32)).classes.tolist() == [3]


def test_of_two_columns_in_a_cell_the_last_is_shown_officially_and_else_the_highest() -> None:
    seen = points((0.0, 1.2, -1.02, 7), (0.0, 1.0, -0.98, 8), (0.04, 1.3, -1.02, 0))
    stance, shown = Stance((0.0, 0.0, 0.0)), []
    for rule in ("official", "clean"):
        mapper = Mapper(rule=rule, memory="known", known=lambda scan: seen)
        mapper.begin_tour("house")
        shown.append(mapper.read([stance]))
    assert [int(it.classes[0, 22, 32]) for it in shown] == [8, 7]
    assert [int(it.occupancy.sum()) for it in shown] == [1, 1]


@pytest.mark.parametrize(("rule", "metres"), [("official", 10.0), ("clean", 5.0)])
def test_the_official_rule_takes_every_camera_to_see_10_metres(rule: Any, metres: float) -> None:
    mapper = Mapper(rule=rule, camera=Camera(3, 3, hfov=20, far=5.0))
    stance = Stance((0.0, 0.0, 0.0))
    mapper.begin_tour()
    mapper.add(np.full((1, 3, 3), 0.3), [stance], np.full((1, 3, 3), 1))
    row = 32 - round(0.3 * metres / 0.1)
    assert np.flatnonzero(mapper.read([stance]).occupancy[0].any(axis=1)).tolist() == [row]
