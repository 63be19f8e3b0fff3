"""Answers equal those of the real Detour library under Habitat's rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from vlnscope.types import Floats
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh


class Oracle(NamedTuple):
    mesh: NavMesh
    answers: dict[str, Any]

    def points(self, kind: str, key: str) -> Floats:
        rows = [row[key] or [np.nan] * 3 for row in self.answers[kind]]
        return np.array(rows, np.float64)


@pytest.fixture(scope="module", params=["hssd_102817140", "hssd_108736851_177263586"])
def oracle(shared: Path, request: pytest.FixtureRequest) -> Oracle:
    mesh = NavMesh.read(shared / "data" / "habitat_navmesh" / f"{request.param}.navmesh")
    return Oracle(mesh, json.loads((shared / "fixtures" / f"navmesh_{request.param}.json").read_text()))


def test_counts(oracle: Oracle) -> None:
    assert oracle.mesh.island_count == oracle.answers["islands"]
    assert len(oracle.mesh.file.tile.polys) == oracle.answers["polys"]


def test_distances(oracle: Oracle) -> None:
    expected = [np.inf if row["distance"] is None else row["distance"] for row in oracle.answers["geodesics"]]
    found = oracle.mesh.distance(oracle.points("geodesics", "from"), oracle.points("geodesics", "to"))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3)


def test_corners_of_paths(oracle: Oracle) -> None:
    for row in oracle.answers["geodesics"]:
        path = oracle.mesh.path(row["from"], row["to"])
        assert len(path) == row["points"]
        if len(path):
            legs = np.linalg.norm(np.diff(path, axis=0), axis=1)
            assert legs.sum() == pytest.approx(row["distance"], abs=1e-3)


@pytest.mark.parametrize(("sliding", "key"), [(True, "reached"), (False, "reached_without_sliding")])
def test_steps(oracle: Oracle, sliding: bool, key: str) -> None:
    found = oracle.mesh.step(oracle.points("steps", "from"), oracle.points("steps", "to"), sliding=sliding)
    np.testing.assert_allclose(found, oracle.points("steps", key), rtol=0, atol=1e-4)


def test_snaps(oracle: Oracle) -> None:
    points = oracle.points("snaps", "point")
    np.testing.assert_allclose(oracle.mesh.snap(points), oracle.points("snaps", "snapped"), rtol=0, atol=1e-4)


def test_walls_and_islands(oracle: Oracle) -> None:
    points, rows = oracle.points("snaps", "point"), oracle.answers["snaps"]
    walls = np.array([row["wall"] for row in rows], np.float64)
    np.testing.assert_allclose(oracle.mesh.wall_distance(points), walls, rtol=0, atol=1e-3)
    assert oracle.mesh.islands(points).tolist() == [row["island"] for row in rows]
    assert oracle.mesh.navigable(points).tolist() == [row["navigable"] for row in rows]


@pytest.mark.parametrize("house", ["00012", "40003"])
def test_distances_between_viewpoints_of_houses(shared: Path, house: str) -> None:
    mesh = NavMesh.read(shared / "data" / "habitat_navmesh" / f"house-{house}.navmesh")
    pairs = json.loads((shared / "fixtures" / f"navmesh_house_{house}.json").read_text())["pairs"]
    starts, goals = (np.array([pair[end] for pair in pairs]) for end in ("foot_start", "foot_goal"))
    expected = [pair["distance"] for pair in pairs]
    np.testing.assert_allclose(mesh.distance(starts, goals), expected, rtol=0, atol=1e-3)
