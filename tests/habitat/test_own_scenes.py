"""Episodes in a file of VLN-CE, in scenes of one's own: GLB meshes, with a navigation mesh or without."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from vlnscope.habitat.habitat_sim.errors import GreedyFollowerError
from vlnscope.habitat.tasks.nav.shortest_path_follower import ShortestPathFollower

import vlnscope.habitat as habitat
from vlnscope.core.exceptions import InputError
from vlnscope.habitat import Env

START, GOAL, FAR = [-2.0, 0.0, 2.0], [1.0, 0.0, -2.0], [5.0, 0.0, -5.0]


def room(size: float) -> trimesh.Trimesh:
    """A square floor with walls around, in the frame of GLB files: y is up."""
    floor = trimesh.creation.box((size, 0.1, size))
    floor.apply_translation((0.0, -0.05, 0.0))
    walls = []
    for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        wall = trimesh.creation.box((0.1 if x else size, 3.0, 0.1 if z else size))
        wall.apply_translation((x * size / 2, 1.5, z * size / 2))
        walls.append(wall)
    return trimesh.util.concatenate([floor, *walls])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scenes and episodes as Habitat's users have them."""
    folder = tmp_path_factory.mktemp("data")
    for name, size in (("room", 6.0), ("hall", 12.0)):
        scene = folder / "scene_datasets/mp3d" / name
        scene.mkdir(parents=True)
        room(size).export(scene / f"{name}.glb")
    episode = {
        "episode_id": 7,
        "trajectory_id": 70,
        "scene_id": "mp3d/room/room.glb",
        "start_position": START,
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": 5.0},
        "goals": [{"position": GOAL, "radius": 3.0}],
        "instruction": {"instruction_text": "Go to the corner.", "instruction_tokens": [3, 1, 2, 0]},
        "reference_path": [START, GOAL],
    }
    far = {
        **episode,
        "episode_id": 8,
        "scene_id": "mp3d/hall/hall.glb",
        "goals": [{"position": FAR, "radius": 3.0}],
    }
    whole = {"episodes": [episode, far], "instruction_vocab": {"word_list": ["<pad>", "go", "to", "the"]}}
    locations = np.linspace(START, GOAL, 21).tolist()
    truth = {name: {"locations": locations, "forward_steps": 20, "actions": [1] * 20 + [0]} for name in "78"}
    for name, content in (("val_unseen", whole), ("val_unseen_gt", truth)):
        with gzip.open(folder / f"{name}.json.gz", "wt", encoding="utf-8") as file:
            json.dump(content, file)
    return folder


def opened(folder: Path, *more: str) -> Env:
    config = habitat.get_config(
        "vlnce",
        [
            f"habitat.dataset.data_path={folder}/{{split}}.json.gz",
            f"habitat.dataset.scenes_dir={folder}/scene_datasets",
            "habitat.simulator.agents.main_agent.sim_sensors.rgb_sensor.width=8",
            "habitat.simulator.agents.main_agent.sim_sensors.rgb_sensor.height=8",
            *more,
        ],
    )
    return Env(config)


def test_an_episode_of_a_file_is_walked_in_a_scene_of_ones_own(folder: Path) -> None:
    env = opened(folder)
    observed = env.reset()
    assert observed["instruction"] == {
        "text": "Go to the corner.",
        "tokens": [3, 1, 2, 0],
        "trajectory_id": "70",
    }
    assert (env.current_episode.episode_id, env.current_episode.scene_id) == ("7", "mp3d/room/room.glb")
    assert env.sim.geodesic_distance(START, GOAL) == pytest.approx(5.0, abs=0.2)
    middle = observed["depth"][128, 128, 0] * 10
    assert middle == pytest.approx(2.0 + 2.95, abs=0.05)  # the wall in the north stands at z = -2.95
    assert env.sim.distance_to_closest_obstacle(START) == pytest.approx(0.85, abs=0.15)


def test_one_follower_leads_through_several_scenes(folder: Path) -> None:
    env = opened(folder)
    follower = ShortestPathFollower(env.sim, 0.5, return_one_hot=False)
    found = []
    for _ in range(2):
        env.reset()
        while not env.episode_over:
            env.step(follower.get_next_action(env.current_episode.goals[0].position))
        found.append((env.sim.scene.id, env.get_metrics()))
    assert [scene for scene, _ in found] == ["room", "hall"]
    assert [metrics["success"] for _, metrics in found] == [1.0, 1.0]
    assert min(metrics["spl"] for _, metrics in found) > 0.95
    assert found[0][1]["ndtw"] > 0.9


def test_a_follower_stops_where_there_is_no_way_or_says_so(folder: Path) -> None:
    env = opened(folder)
    env.reset()
    one_hot = ShortestPathFollower(env.sim, 0.5).get_next_action(START)
    assert (one_hot.tolist(), one_hot.dtype) == ([1, 0, 0, 0, 0, 0], np.float32)
    nowhere = [100.0, 0.0, 100.0]
    assert ShortestPathFollower(env.sim, 0.5, False).get_next_action(nowhere) == 0
    with pytest.raises(GreedyFollowerError):
        ShortestPathFollower(env.sim, 0.5, False, stop_on_error=False).get_next_action(nowhere)


@pytest.mark.parametrize("sliding", [True, False])
def test_sliding_is_as_the_configuration_says(folder: Path, sliding: bool) -> None:
    env = opened(folder, f"habitat.simulator.habitat_sim_v0.allow_sliding={sliding}")
    env.reset()
    env.sim.set_agent_state([-2.8, 0.0, 0.0], [0.0, math.sin(0.4), 0.0, math.cos(0.4)])
    for _ in range(4):
        env.step("move_forward")
    assert env.get_metrics()["collisions"]["count"] > 0
    assert (env.sim.get_agent_state().position[2] < -0.4) == sliding


def test_the_ground_truth_may_lie_elsewhere_and_has_to_be_somewhere(folder: Path, tmp_path: Path) -> None:
    gt = "habitat.task.measurements.ndtw.gt_path"
    named = opened(folder, f"{gt}={folder}/{{split}}_gt.json.gz")
    named.reset()
    beside = opened(folder)
    beside.reset()
    assert named.get_metrics()["ndtw"] == beside.get_metrics()["ndtw"]
    walk = [math.dist(START, point) for point in np.linspace(START, GOAL, 21)]
    assert beside.get_metrics()["ndtw"] == pytest.approx(math.exp(-sum(walk) / (21 * 3)))
    (tmp_path / "val_unseen.json.gz").write_bytes((folder / "val_unseen.json.gz").read_bytes())
    alone = opened(folder, f"habitat.dataset.data_path={tmp_path}/{{split}}.json.gz")
    with pytest.raises(InputError, match="episode 7: ndtw has no ground truth"):
        alone.reset()


def test_another_size_of_agent_gets_ground_of_its_own(folder: Path) -> None:
    agent = "habitat.simulator.agents.main_agent"
    wide: Any = opened(folder, f"{agent}.radius=0.4")
    usual = opened(folder)
    for env in (wide, usual):
        env.reset()
    rim = [-2.75, 0.0, 0.0]
    assert usual.sim.is_navigable(rim)
    assert not wide.sim.is_navigable(rim)
    assert wide.sim.distance_to_closest_obstacle([0.0, 0.0, 2.0]) < usual.sim.distance_to_closest_obstacle(
        [0.0, 0.0, 2.0]
    )
