"""What a loop observes: names, types and shapes, depth and its range, cameras, GPS and compass."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from vlnscope.habitat.config.default_structured_configs import (
    CompassSensorConfig,
    GPSSensorConfig,
    HabitatSimDepthSensorConfig,
    HabitatSimRGBSensorConfig,
    HeadingSensorConfig,
    LookDownActionConfig,
    LookUpActionConfig,
    ProximitySensorConfig,
)

from vlnscope.habitat import Env


def metres(env: Env) -> Any:
    """Depth in metres as the simulator itself has it, 0 where there is nothing."""
    return env.sim.get_sensor_observations()["depth"]


def opened(config: Any, **depth: Any) -> Env:
    config.defrost()
    config.habitat.simulator.agents.main_agent.sim_sensors.depth_sensor.update(depth)
    env = Env(config)
    env.reset()
    return env


def test_observations_have_habitats_names_types_and_shapes(tiny_config: Any) -> None:
    env = Env(tiny_config())
    observed = env.reset()
    assert list(observed) == ["rgb", "depth", "instruction"]
    assert (observed["rgb"].dtype, observed["rgb"].shape) == (np.uint8, (12, 16, 3))
    assert (observed["depth"].dtype, observed["depth"].shape) == (np.float32, (12, 16, 1))
    assert observed["instruction"] == {
        "text": env.current_episode.instruction.instruction_text,
        "tokens": None,
        "trajectory_id": env.current_episode.trajectory_id,
    }
    assert env.observation_space["rgb"].contains(observed["rgb"])
    assert env.observation_space["depth"].contains(observed["depth"])
    assert env.action_space.n == 4
    assert observed["rgb"].std() > 5


def test_depth_is_clipped_and_divided_by_its_range(tiny_config: Any) -> None:
    env = opened(tiny_config())
    true = metres(env)
    assert true.min() > 0.0
    close, away = np.quantile(true, (0.3, 0.7)).round(3).tolist()
    for near, far in ((0.0, 10.0), (0.5, 5.0), (close, away)):
        plain = opened(tiny_config(), min_depth=near, max_depth=far, normalize_depth=False)
        shown = plain.sim.get_observations_at()["depth"][..., 0]
        assert shown == pytest.approx(np.clip(true, near, far), abs=1e-6)
        scaled = opened(tiny_config(), min_depth=near, max_depth=far).sim.get_observations_at()["depth"][
            ..., 0
        ]
        assert scaled == pytest.approx((np.clip(true, near, far) - near) / (far - near), abs=1e-6)
        assert plain.observation_space["depth"].low.min() == np.float32(near)
    assert np.isclose(scaled, 1.0, atol=1e-5).any()


def test_what_is_infinitely_far_looks_near_never_far(tiny_config: Any) -> None:
    env = opened(tiny_config(), orientation=[math.pi / 3, 0, 0], min_depth=0.5, max_depth=5.0)
    outside = [*env.sim.pathfinder.get_bounds()[1].tolist()]
    env.sim.set_agent_state([outside[0], 30.0, outside[2]], [0, 0, 0, 1])
    assert (metres(env) == 0.0).all()
    assert (env.sim.observe()["depth"] == 0.0).all()


def test_cameras_stand_and_look_where_the_configuration_says(tiny_config: Any) -> None:
    config = tiny_config()
    config.defrost()
    sensors = config.habitat.simulator.agents.main_agent.sim_sensors
    quarter = math.pi / 2
    size = {"width": 16, "height": 12}
    sensors.left_rgb = {**HabitatSimRGBSensorConfig(**size, orientation=[0, quarter, 0]), "uuid": "rgb_left"}
    sensors.low = {
        **HabitatSimDepthSensorConfig(**size, position=[0.1, 0.5, -0.2], orientation=[-0.2, 0, 0]),
        "uuid": "depth_low",
    }
    env = Env(config)
    observed = env.reset()
    assert {"rgb", "depth", "rgb_left", "depth_low"} <= set(observed)
    state = env.sim.get_agent_state()
    low = state.sensor_states["depth_low"]
    assert (low.position - state.position).tolist() == pytest.approx(
        (state.rotation.turned([0.1, 0.5, -0.2])).tolist(), abs=1e-6
    )
    assert (low.rotation * state.rotation.inverse()).components[0] == pytest.approx(math.cos(0.1), abs=1e-6)
    for _ in range(6):
        observed_left = observed["rgb_left"]
        turned = env.step("turn_left")
    assert (turned["rgb"] == observed_left).mean() > 0.98


def test_places_and_angles_are_told_in_the_frame_of_the_start(tiny_config: Any) -> None:
    config = tiny_config()
    config.defrost()
    config.habitat.task.lab_sensors.update(
        gps=GPSSensorConfig(),
        compass=CompassSensorConfig(),
        heading=HeadingSensorConfig(),
        proximity=ProximitySensorConfig(),
    )
    env = Env(config)
    first = env.reset()
    assert (first["gps"].tolist(), first["compass"].tolist()) == ([0, 0], [0])
    assert first["gps"].dtype == first["compass"].dtype == np.float32
    assert first["proximity"][0] == pytest.approx(env.sim.distance_to_closest_obstacle(env.sim.pose.position))
    ahead = env.step("move_forward")
    walked = env.get_metrics()["path_length"]
    assert ahead["gps"].tolist() == pytest.approx([walked, 0], abs=0.02)
    for _ in range(3):
        left = env.step("turn_left")
    assert math.degrees(left["compass"][0]) == pytest.approx(45, abs=1e-3)
    assert left["heading"][0] - first["heading"][0] == pytest.approx(math.pi / 4, abs=1e-5)
    back = env.step("turn_right")
    assert math.degrees(back["compass"][0]) == pytest.approx(30, abs=1e-3)


def test_looking_up_and_down_tilts_the_cameras_alone(tiny_config: Any) -> None:
    config = tiny_config("habitat.simulator.tilt_angle=30")
    config.defrost()
    config.habitat.task.actions.update(look_up=LookUpActionConfig(), look_down=LookDownActionConfig())
    env = Env(config)
    level = env.reset()
    before = env.sim.get_agent_state()
    up = env.step("look_up")
    after = env.sim.get_agent_state()
    assert (up["rgb"] != level["rgb"]).any()
    assert after.rotation == before.rotation
    tilted = before.sensor_states["rgb"].rotation.inverse() * after.sensor_states["rgb"].rotation
    assert math.degrees(2 * math.asin(tilted.x)) == pytest.approx(30)
    assert (env.step("look_down")["rgb"] == level["rgb"]).all()
    assert env.get_metrics()["collisions"]["count"] == 0
    assert env.action_space.n == 6
    env.step(4)
    assert (env.sim.get_observations_at()["rgb"] == up["rgb"]).all()
    env.sim.set_agent_state(before.position, before.rotation)
    assert (env.sim.observe()["rgb"] == level["rgb"]).all()
