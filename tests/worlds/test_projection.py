"""Walks in continuous space become walks on the graph, by the nearest viewpoint along the ground."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike

from plane import Plane
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds import projection
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.frames import to_mattersim
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.projection import feet_of, projected_path
from vlnscope.worlds.scene import Scene

HEIGHT = 1.5


class Floors(Plane):
    """Planes above each other, 3 m apart; a way from one to another is 10 m longer than the straight line."""

    def snap(self, points: ArrayLike) -> Floats:
        rows = np.atleast_2d(np.asarray(points, dtype=np.float64)).copy()
        rows[:, 1] = 3.0 * np.round(rows[:, 1] / 3.0)
        return rows

    def distance(self, starts: ArrayLike, goals: ArrayLike) -> Floats:
        a, b = self.snap(starts), self.snap(goals)
        stairs = np.where(a[:, 1] == b[:, 1], 0.0, 10.0)
        apart = self.islands(a) != self.islands(b)
        return np.where(apart, np.inf, np.sqrt(((a - b) ** 2).sum(axis=1)) + stairs)


def scene_of(ground: PathFinder, feet: dict[str, tuple[float, float, float]]) -> Scene:
    """A scene with viewpoints above these places, in Habitat's frame."""
    cameras = to_mattersim(list(feet.values()), HEIGHT, above_floor=0.0) if feet else np.zeros((0, 3))
    graph = NavGraph.build(list(feet), cameras.tolist(), [])
    heights = np.full(len(feet), HEIGHT)
    return Scene("made", graph, {"navmesh": lambda: ground, "heights": lambda: heights})


def real_scene(shared: Path) -> tuple[Scene, NavMesh]:
    """A house of five storeys, as Recast baked it."""
    pairs = json.loads((shared / "fixtures" / "navmesh_house_40003.json").read_text())["pairs"]
    feet = {pair[end]: tuple(pair[f"foot_{end}"]) for pair in pairs for end in ("start", "goal")}
    ground = NavMesh.read(shared / "data" / "habitat_navmesh" / "house-40003.navmesh")
    return scene_of(ground, feet), ground


def test_every_position_gets_the_nearest_viewpoint_along_the_ground(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, ground = real_scene(shared)
    rng = rng_for(0, "positions")
    feet = feet_of(scene)
    around = feet[rng.integers(len(feet), size=150)] + rng.normal(0, [1.5, 0.05, 1.5], (150, 3))
    points = np.concatenate([ground.step(feet[rng.integers(len(feet), size=150)], around), around])
    on_ground = ground.snap(points)
    on_ground = np.where(np.isfinite(on_ground), on_ground, points)
    count = len(feet)
    every = ground.distance(np.repeat(on_ground, count, axis=0), np.tile(feet, (len(points), 1)))
    lengths = every.reshape(len(points), count)
    lengths[np.abs(on_ground[:, None, 1] - feet[None, :, 1]) > 1.0] = np.inf
    found = [scene.graph.row(node) for node in projected_path(scene, points)]
    reached = np.isfinite(lengths.min(axis=1))
    assert reached.sum() > 200
    chosen = lengths[np.arange(len(points)), found]
    assert (chosen[reached] == lengths.min(axis=1)[reached]).all()
    straight = np.sqrt(((on_ground[:, None] - feet[None]) ** 2).sum(axis=2))
    assert (straight.argmin(axis=1)[reached] != np.array(found)[reached]).any(), "walls matter"
    monkeypatch.setattr(projection, "POINTS_AT_ONCE", 7)
    assert [scene.graph.row(node) for node in projected_path(scene, points)] == found
    mixed = rng.permutation(len(points))
    assert [scene.graph.row(node) for node in projected_path(scene, points[mixed])] == [
        found[k] for k in mixed
    ]


def test_viewpoints_of_other_storeys_do_not_count() -> None:
    scene = scene_of(Floors(), {"below": (4.0, 0.0, 0.0), "above": (0.0, 3.0, 0.0)})
    assert projected_path(scene, [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.4, 0.0)]) == (
        "below",
        "above",
        "below",
    )
    assert projected_path(scene, [(0.0, 6.0, 0.0)]) == ("above",), "nobody is on the third floor"


def test_walls_count_and_straight_lines_stand_in_for_missing_ways() -> None:
    feet = {"east": (1.0, 0.0, 0.0), "far": (5.0, 0.0, 0.0), "west": (-4.0, 0.0, 0.0)}
    ground = Plane(wall_x=0.0)
    assert projected_path(scene_of(ground, feet), [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)]) == ("west", "east")
    beyond = {name: foot for name, foot in feet.items() if name != "west"}
    assert projected_path(scene_of(ground, beyond), [(-0.5, 0.0, 0.0)]) == ("east",)
    upstairs = {"above": (-1.0, 3.0, 0.0), "far": (5.0, 0.0, 0.0)}
    assert projected_path(scene_of(Floors(wall_x=0.0), upstairs), [(-0.5, 0.0, 0.0)]) == ("far",)


def test_one_viewpoint_per_position_among_those_that_are_named() -> None:
    scene = scene_of(Plane(), {"a": (0.0, 0.0, 0.0), "b": (2.0, 0.0, 0.0), "c": (4.0, 0.0, 0.0)})
    walk = [(0.2, 0.0, 0.0), (0.2, 0.0, 0.0), (1.9, 0.0, 0.0), (4.0, 0.0, 1.0), (0.2, 0.0, 0.0)]
    assert projected_path(scene, walk) == ("a", "a", "b", "c", "a")
    assert projected_path(scene, walk, among=("c", "b")) == ("b", "b", "b", "c", "b")
    assert projected_path(scene, [(1.0, 0.0, 0.0)]) == ("a",), "the first of two that are equally near"
    assert projected_path(scene, [(1.0, 0.0, 0.0)], among=("b", "a")) == ("b",)
    assert projected_path(scene, np.zeros((0, 3))) == ()
    assert projected_path(scene_of(Plane(), {}), walk) == ()


def test_feet_stand_on_the_ground_and_are_measured_once() -> None:
    class Once(Plane):
        snapped = 0

        def snap(self, points: ArrayLike) -> Floats:
            self.snapped += 1
            return super().snap(points)

    ground = Once()
    scene = scene_of(ground, {"a": (0.0, 0.12, 0.0), "b": (2.0, -0.1, 0.0)})
    assert feet_of(scene).tolist() == [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    feet_of(scene)
    assert ground.snapped == 1
