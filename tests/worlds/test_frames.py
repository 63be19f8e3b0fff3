"""Views of a panorama, and the frames of MatterSim and Habitat."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.worlds import frames
from vlnscope.worlds.graph import views
from vlnscope.worlds.matterport.scans import MatterportScenes

angles = st.floats(-50, 50)
lengths = st.floats(-100, 100)


def gap(a: float, b: float) -> float:
    return abs((a - b + math.pi) % math.tau - math.pi)


@settings(deadline=None)
@given(angles, st.floats(-1.5, 1.5))
def test_view_of_a_direction_is_the_nearest(heading: float, elevation: float) -> None:
    view = views.view_index(heading, elevation)
    nearest = min(gap(heading, float(h)) for h in views.VIEW_HEADINGS)
    assert gap(heading, float(views.VIEW_HEADINGS[view])) == pytest.approx(nearest, abs=1e-9)
    nearest = min(abs(elevation - e) for e in views.VIEW_ELEVATIONS)
    assert abs(elevation - views.VIEW_ELEVATIONS[view]) == pytest.approx(nearest, abs=1e-9)


def test_every_view_is_its_own_view() -> None:
    pairs = zip(views.VIEW_HEADINGS, views.VIEW_ELEVATIONS, strict=True)
    assert [views.view_index(float(h), float(e)) for h, e in pairs] == list(range(36))


def test_halves_are_rounded_up() -> None:
    assert views.view_index(views.STEP / 2) == 13
    assert views.view_index(2.5 * views.STEP) == 15  # to even would be 14
    assert views.view_index(11.5 * views.STEP) == 12
    assert views.view_index(0.0, views.STEP / 2) == views.view_index(0.0, -views.STEP / 2) == 12


@settings(deadline=None)
@given(angles)
def test_headings_are_wrapped_into_one_turn(heading: float) -> None:
    for wrapped in (views.wrap_heading(heading), views.snap_heading(heading)):
        assert 0 <= wrapped < math.tau
    assert gap(views.wrap_heading(heading), heading) < 1e-9
    assert gap(views.snap_heading(heading), heading) <= views.STEP / 2 + 1e-9


def test_tiny_negative_headings_do_not_become_a_full_turn() -> None:
    assert views.wrap_heading(-1e-20) == 0.0


@settings(deadline=None)
@given(st.tuples(lengths, lengths, lengths), st.floats(0, 3), st.floats(-1, 1))
def test_points_round_trip(point: tuple[float, float, float], height: float, above_floor: float) -> None:
    there = frames.to_habitat(point, height, above_floor)
    assert frames.to_mattersim(there, height, above_floor).tolist() == pytest.approx(list(point), abs=1e-9)


@settings(deadline=None)
@given(st.tuples(lengths, lengths, lengths), st.tuples(lengths, lengths, lengths))
def test_frames_differ_by_a_rotation(a: tuple[float, float, float], b: tuple[float, float, float]) -> None:
    here, there = frames.to_habitat([a, b], 1.5)
    assert math.dist(here, there) == pytest.approx(math.dist(a, b), abs=1e-9)


def test_many_points_with_their_own_heights() -> None:
    points = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert frames.to_habitat(points, [1.0, 2.0], 0.0).tolist() == [[1, 2, -2], [4, 4, -5]]
    assert frames.to_habitat(np.zeros((0, 3)), 1.0).shape == (0, 3)
    with pytest.raises(InputError, match="shape"):
        frames.to_habitat([[1.0, 2.0]], 1.0)


@settings(deadline=None)
@given(angles)
def test_headings_round_trip(heading: float) -> None:
    yaw = frames.yaw_of_heading(heading)
    assert -math.pi < yaw <= math.pi
    assert gap(frames.heading_of_yaw(yaw), heading) < 1e-9
    rotation = frames.quaternion_of_heading(heading)
    assert math.hypot(*rotation) == pytest.approx(1)
    assert gap(frames.heading_of_quaternion(rotation), heading) < 1e-9
    x, y, z, w = rotation
    assert gap(frames.heading_of_quaternion((-3 * x, -3 * y, -3 * z, -3 * w)), heading) < 1e-9


@settings(deadline=None)
@given(angles)
def test_heading_is_the_direction_in_which_both_frames_look(heading: float) -> None:
    ahead = [math.sin(heading), math.cos(heading), 0.0]
    x, _, z = frames.to_habitat(ahead, 0.0) - frames.to_habitat([0.0, 0.0, 0.0], 0.0)
    yaw = frames.yaw_of_heading(heading)
    assert (x, z) == pytest.approx((-math.sin(yaw), -math.cos(yaw)), abs=1e-9)


@settings(deadline=None)
@given(angles, st.floats(-1.4, 1.4))
def test_looking_up_or_down_does_not_change_the_heading(heading: float, pitch: float) -> None:
    _, y, _, w = frames.quaternion_of_heading(heading)
    c, s = math.cos(pitch / 2), math.sin(pitch / 2)
    tilted = (w * s, y * c, -y * s, w * c)  # first pitch about x, then turn about y
    assert gap(frames.heading_of_quaternion(tilted), heading) < 1e-6


@pytest.mark.parametrize(
    "rotation", [(0, 0, 0, 0), (math.sqrt(0.5), 0, 0, math.sqrt(0.5)), (0, math.nan, 0, 1)]
)
def test_rotations_without_heading(rotation: frames.Quaternion) -> None:
    with pytest.raises(InputError, match="has no heading"):
        frames.heading_of_quaternion(rotation)


def unpack(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.mark.parametrize(("split", "trajectories"), [("val_seen", 259), ("val_unseen", 613)])
def test_r2r_ce_is_r2r_in_the_other_frame(data_root: Path, split: str, trajectories: int) -> None:
    folder = data_root / "r2r_ce" / "R2R_VLNCE_v1-3_preprocessed" / split
    episodes = unpack(folder / f"{split}.json.gz")["episodes"]
    paths = {path["path_id"]: path for path in unpack(data_root / "r2r" / f"R2R_{split}.json.gz")}
    scenes = MatterportScenes(data_root)
    gaps = []
    for episode in {episode["trajectory_id"]: episode for episode in episodes}.values():
        path = paths[episode["trajectory_id"]]
        scene = scenes.scene(path["scan"])
        rows = [scene.graph.row(node) for node in path["path"]]
        expected = frames.to_habitat(scene.graph.positions[rows], scene.heights[rows])
        gaps.append(np.array(episode["reference_path"]) - expected)
        assert frames.start_rotation(path["heading"]) == pytest.approx(episode["start_rotation"], abs=1e-12)
        looks = frames.heading_of_quaternion(episode["start_rotation"])
        assert gap(looks, path["heading"]) <= math.radians(15)
    assert len(gaps) == trajectories
    x, y, z = np.abs(np.concatenate(gaps)).T
    # the others were moved to the nearest place on the navigation mesh
    assert np.mean(np.hypot(x, z) < 1e-4) > 0.98
    assert np.hypot(x, z).max() < 1.3
    assert np.median(y) < 0.08
    assert np.quantile(y, 0.99) < 0.25
    assert y.max() < 0.62


@given(st.lists(st.tuples(lengths, lengths, lengths), min_size=1, max_size=5))
def test_turning_the_axes_moves_nothing(points: list[tuple[float, float, float]]) -> None:
    there = frames.turned_to_habitat(points)
    assert np.array_equal(frames.turned_to_mattersim(there), points)
    assert np.array_equal(there, frames.to_habitat(points, 0.0, 0.0))
