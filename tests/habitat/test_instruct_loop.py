"""An evaluation loop with InstructNav's calls: an agent that holds the environment and plans in space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from vlnscope.habitat.config.default_structured_configs import (
    CollisionsMeasurementConfig,
    FogOfWarConfig,
    SoftSPLMeasurementConfig,
    TopDownMapMeasurementConfig,
)
from vlnscope.habitat.config.read_write import read_write
from vlnscope.habitat.tasks.nav.shortest_path_follower import ShortestPathFollower
from vlnscope.habitat.utils.visualizations.maps import colorize_draw_agent_and_fit_to_height

import vlnscope.habitat as habitat

TASK = "/opt/habitat-lab/habitat-lab/habitat/config/benchmark/nav/vln_r2r.yaml"  # known, though not there
EPISODES = 3


def r2r_config(stage: str, episodes: int) -> Any:
    config = habitat.get_config(TASK)
    with read_write(config):
        config.habitat.dataset.split = stage
        config.habitat.dataset.scenes_dir = "/opt/scenes"
        config.habitat.dataset.data_path = "houses-ce/{split}@1"
        config.habitat.simulator.scene_dataset = "/opt/scenes/mp3d/mp3d.scene_dataset_config.json"
        config.habitat.environment.iterator_options.num_episode_sample = episodes
        config.habitat.task.measurements.update(
            {
                "top_down_map": TopDownMapMeasurementConfig(
                    map_resolution=128,
                    draw_shortest_path=False,
                    fog_of_war=FogOfWarConfig(draw=True, visibility_dist=5.0, fov=79),
                ),
                "collisions": CollisionsMeasurementConfig(),
                "soft_spl": SoftSPLMeasurementConfig(),
            }
        )
        config.habitat.task.measurements.success.success_distance = 3.0
        sensors = config.habitat.simulator.agents.main_agent.sim_sensors
        sensors.depth_sensor.max_depth = 5.0
        sensors.depth_sensor.normalize_depth = False
        for sensor in sensors.values():
            sensor.width, sensor.height = 16, 12
    return config


class Planner:
    """Looks around, then lets the follower lead it to a place that it worked out from its own camera."""

    def __init__(self, env: habitat.Env) -> None:
        self.env = env
        self.planner = ShortestPathFollower(env.sim, 0.25, False)

    def reset(self) -> None:
        self.steps, self.farthest = 0, 0.0
        self.obs = self.env.reset()
        eye = self.env.sim.get_agent_state().sensor_states["rgb"]
        self.initial_position, self.initial_rotation = eye.position, eye.rotation
        self.update()

    def look_around(self, times: int = 24) -> None:
        for _ in range(times):
            if self.env.episode_over:
                break
            self.obs = self.env.step(3)
            self.update()

    def update(self) -> None:
        self.steps += 1
        self.metrics = self.env.get_metrics()
        self.farthest = max(self.farthest, self.obs["depth"].max())
        self.map = colorize_draw_agent_and_fit_to_height(self.metrics["top_down_map"], 64)
        self.position = self.env.sim.get_agent_state().sensor_states["rgb"].position

    def step(self) -> None:
        waypoint = self.position + (np.array(self.env.current_episode.goals[0].position) - self.position)
        self.obs = self.env.step(self.planner.get_next_action(waypoint))
        self.update()


def test_a_loop_with_the_calls_of_instructnav_measures_what_vlnscope_does(
    shortest: Any, same_metrics: Any
) -> None:
    env = habitat.Env(r2r_config("val_unseen", EPISODES))
    env.episodes = [episode for episode in env.episodes if episode.episode_id in shortest]
    agent = Planner(env)
    found = {}
    for _ in range(EPISODES):
        agent.reset()
        while not env.episode_over and agent.steps < 495:
            agent.step()
        found[env.current_episode.episode_id] = agent.metrics
        assert 1.0 < agent.farthest <= 5.0
        assert agent.map.shape[0] == 64
        assert agent.map.shape[2] == 3
    assert len(found) == EPISODES
    for name, metrics in found.items():
        same_metrics(metrics, shortest[name])
        assert metrics["soft_spl"] == pytest.approx(1 - metrics["distance_to_goal"] / 6, abs=0.15)


def test_a_full_turn_of_15_degrees_ends_where_it_began() -> None:
    env = habitat.Env(r2r_config("val_unseen", 1))
    agent = Planner(env)
    agent.reset()
    before = agent.obs["rgb"]
    agent.look_around(24)
    assert (agent.obs["rgb"] == before).mean() > 0.98
    turned = env.sim.get_agent_state().sensor_states["rgb"].rotation
    assert abs((turned * agent.initial_rotation.inverse()).w) == pytest.approx(1.0)
    assert agent.metrics["collisions"] == {"count": 0, "is_collision": False}
