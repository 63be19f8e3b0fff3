"""An evaluation loop with StreamVLN's calls measures what `vlnscope run` and `vlnscope score` measure."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from vlnscope.habitat.config.default import get_agent_config
from vlnscope.habitat.config.default_structured_configs import (
    CollisionsMeasurementConfig,
    FogOfWarConfig,
    TopDownMapMeasurementConfig,
)
from vlnscope.habitat.core.embodied_task import Action, EmbodiedTask, Measure
from vlnscope.habitat.core.registry import registry
from vlnscope.habitat.core.simulator import Simulator
from vlnscope.habitat.habitat_baselines.config.default import get_config as get_habitat_config
from vlnscope.habitat.omegaconf import OmegaConf
from vlnscope.habitat.tasks.nav.nav import DistanceToGoal
from vlnscope.habitat.tasks.nav.shortest_path_follower import ShortestPathFollower
from vlnscope.habitat.utils.visualizations.utils import images_to_video, observations_to_image

import vlnscope.habitat as habitat
from vlnscope.habitat import Env, logger, quaternion

TASK = """\
# @package _global_
defaults:
  - /habitat: habitat_config_base
  - /habitat/task: vln_r2r
  - /habitat/simulator/agents@habitat.simulator.agents.main_agent: rgbd_agent
  - /habitat/dataset/vln: mp3d_r2r
  - /habitat/task/lab_sensors:
    - gps_sensor
    - compass_sensor
  - _self_

habitat:
  environment:
    max_episode_steps: 500
    iterator_options:
      max_scene_repeat_steps: 50000
      shuffle: False
  simulator:
    agents:
      main_agent:
        sim_sensors:
          rgb_sensor: {width: 16, height: 12, hfov: 79}
          depth_sensor: {width: 16, height: 12, hfov: 79, min_depth: 0.0, max_depth: 10.0}
    forward_step_size: 0.25
    turn_angle: 15
    habitat_sim_v0:
      gpu_device_id: 0
  task:
    measurements:
      distance_to_goal: {type: DistanceToGoal, distance_to: POINT}
      success: {type: Success, success_distance: 3.0}
      spl: {type: SPL}
      oracle_success: {type: OracleSuccess}
      oracle_navigation_error: {type: OracleNavigationError}
      ndtw: {type: NDTW}
      sdtw: {type: SDTW}
      path_length: {type: PathLength}
      steps_taken: {type: StepsTaken}
      farthest: {type: FarthestFromGoal}
  dataset:
    type: R2RVLN-v1
    split: val_seen
    scenes_dir: data/scene_datasets/
    data_path: houses-ce/{split}@1
"""
DRILL = [1] * 12 + [2] * 4 + [1] * 10
LIMIT = 40
FOREVER = [1, 2] * LIMIT


@registry.register_measure
class FarthestFromGoal(Measure):
    """A measure of the loop's own, as its `habitat_extensions` have some."""

    cls_uuid: str = "farthest"

    def __init__(self, sim: Simulator, *args: Any, **kwargs: Any) -> None:
        self._sim = sim
        super().__init__(**kwargs)

    def _get_uuid(self, *args: Any, **kwargs: Any) -> str:
        return self.cls_uuid

    def reset_metric(self, *args: Any, task: EmbodiedTask, **kwargs: Any) -> None:
        task.measurements.check_measure_dependencies(self.uuid, [DistanceToGoal.cls_uuid])
        self._metric = 0.0
        self.actions: list[Any] = []
        self.update_metric(task=task, action={"action": None})

    def update_metric(self, *args: Any, task: EmbodiedTask, action: Action, **kwargs: Any) -> None:
        self.actions.append(action["action"])
        far = task.measurements.measures[DistanceToGoal.cls_uuid].get_metric()
        self._metric = max(self._metric, far)


class Evaluator:
    """Goes through the episodes of each scene, shows them to a policy, and notes how it fared."""

    def __init__(self, config_path: str, split: str, output: Path, policy: Callable[[Env], Iterator[int]]):
        self.output, self.policy = output, policy
        self.config = get_habitat_config(config_path)
        self.agent_config = get_agent_config(self.config.habitat.simulator)
        self.sensors = self.config.habitat.simulator.agents.main_agent.sim_sensors
        with habitat.config.read_write(self.config):
            self.config.habitat.dataset.split = split
            self.config.habitat.task.measurements.update(
                {
                    "top_down_map": TopDownMapMeasurementConfig(
                        map_padding=3,
                        map_resolution=128,
                        draw_source=True,
                        draw_border=True,
                        draw_shortest_path=True,
                        draw_view_points=True,
                        draw_goal_positions=True,
                        draw_goal_aabbs=True,
                        fog_of_war=FogOfWarConfig(draw=True, visibility_dist=5.0, fov=90),
                    ),
                    "collisions": CollisionsMeasurementConfig(),
                }
            )
        logger.info(OmegaConf.to_yaml(self.config))
        self.height = self.sensors.rgb_sensor.position[1]
        self.near, self.far = self.sensors.depth_sensor.min_depth, self.sensors.depth_sensor.max_depth
        self.focal = self.sensors.depth_sensor.width / (2 * np.tan(np.deg2rad(79) / 2))

    def evaluate(self, index: int, shards: int, most: int) -> dict[str, dict[str, Any]]:
        env = Env(config=self.config)
        by_scene: dict[str, list[Any]] = defaultdict(list)
        for episode in env.episodes:
            by_scene[episode.scene_id].append(episode)
        results = {}
        for scene in sorted(by_scene):
            scene_id = scene.split("/")[-2]
            for episode in by_scene[scene][index::shards][:most]:
                env.current_episode = episode
                frames = self.walk(env, env.reset())
                metrics = env.get_metrics()
                results[episode.episode_id] = metrics
                images_to_video(
                    frames, self.output / "vis", f"{scene_id}_{episode.episode_id}", fps=6, quality=9
                )
                line = {
                    "scene_id": scene_id,
                    "success": metrics["success"],
                    "ne": metrics["distance_to_goal"],
                }
                with (self.output / "result.json").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
        env.close()
        return results

    def walk(self, env: Env, observations: dict[str, Any]) -> list[Any]:
        frames = []
        first_height = env.sim.get_agent_state().position[1]
        start = np.array(env.current_episode.start_position)
        policy = self.policy(env)
        while not env.episode_over:
            x, y = observations["gps"]
            state = env.sim.get_agent_state()
            place = np.array([x, -y, self.height + state.position[1] - first_height])
            metres = observations["depth"].reshape(observations["depth"].shape[:2])
            metres = metres * (self.far - self.near) + self.near
            assert metres.max() <= self.far
            turned = np.eye(4)
            turned[:3, :3] = quaternion.as_rotation_matrix(state.rotation)
            turned[:3, 3] = state.position
            assert np.hypot(*place[:2]) == pytest.approx(np.hypot(*(turned[:3, 3] - start)[[0, 2]]), abs=1e-5)
            info = env.get_metrics()
            if info["top_down_map"] is not None and len(frames) < 3:
                frames.append(observations_to_image({"rgb": observations["rgb"]}, info))
            observations = env.step(next(policy))
        return frames


def leads(env: Env) -> Iterator[int]:
    follower = ShortestPathFollower(env.sim, 0.25, False)
    while True:
        yield follower.get_next_action(env.current_episode.goals[0].position)


def drills(env: Env) -> Iterator[int]:
    yield from [*DRILL, 0]


def circles(env: Env) -> Iterator[int]:
    yield from FOREVER


@pytest.mark.parametrize("who", ["shortest", "drill", "no stop"])
def test_a_loop_with_the_calls_of_streamvln_measures_what_vlnscope_does(
    who: str, here: Path, shortest: Any, scored: Any, drilled: Any, same_metrics: Any
) -> None:
    (here / "vln_r2r.yaml").write_text(TASK, "utf-8")
    policy, actions, episodes = {
        "shortest": (leads, [], 6),
        "drill": (drills, DRILL, 4),
        "no stop": (circles, FOREVER, 1),
    }[who]
    evaluator = Evaluator("vln_r2r.yaml", "val_unseen", here, policy)
    if who == "no stop":
        with habitat.config.read_write(evaluator.config):
            evaluator.config.habitat.environment.max_episode_steps = LIMIT
    found = evaluator.evaluate(0, 1, episodes)
    most = LIMIT if who == "no stop" else None
    rows = scored(drilled(actions), episodes, max_steps=most) if actions else shortest
    assert found.keys() == rows.keys()
    for name, metrics in found.items():
        same_metrics(metrics, rows[name])
        assert metrics["farthest"] >= metrics["distance_to_goal"] >= metrics["oracle_navigation_error"]
    assert any(metrics["collisions"]["count"] for metrics in found.values()) == (who != "shortest")
    assert {metrics["success"] for metrics in found.values()} == {1.0 if who == "shortest" else 0.0}
    assert len((here / "result.json").read_text("utf-8").splitlines()) == episodes
    assert len(list((here / "vis").glob("*.gif"))) == episodes


def test_shards_have_every_episode_once(here: Path) -> None:
    (here / "vln_r2r.yaml").write_text(TASK, "utf-8")
    env = Env(config=get_habitat_config("vln_r2r.yaml", ["habitat.dataset.split=val_unseen"]))
    names = [episode.episode_id for episode in env.episodes]
    assert sorted(names[0::3] + names[1::3] + names[2::3]) == sorted(names)
    assert len(set(names)) == env.number_of_episodes


def test_measures_of_the_loops_own_get_the_action_as_a_dictionary(here: Path) -> None:
    (here / "vln_r2r.yaml").write_text(TASK, "utf-8")
    env = Env(config=get_habitat_config("vln_r2r.yaml", ["habitat.dataset.split=val_unseen"]))
    env.reset()
    for action in (2, "turn_right", {"action": 1}):
        env.step(action)
    assert env.task.measurements.measures["farthest"].actions == [None, 2, "turn_right", 1]
