"""The simulator's calls: states, steps, pictures, and questions about the ground."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.habitat import Env, habitat_sim
from vlnscope.habitat.coverage import NotCoveredError

UP, NORTH = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, -1.0])


@pytest.fixture
def goal(env: Env) -> Any:
    return env.current_episode.goals[0].position


def test_a_state_says_where_the_agent_and_its_cameras_are(env: Env) -> None:
    state = env.sim.get_agent_state()
    assert state.position.dtype == np.float32
    assert state.position.tolist() == pytest.approx(env.current_episode.start_position)
    x, y, z, w = env.current_episode.start_rotation
    assert state.rotation.components.tolist() == pytest.approx([w, x, y, z])
    assert set(state.sensor_states) == {"rgb", "depth"}
    eye = state.sensor_states["rgb"]
    assert (eye.position - state.position).tolist() == pytest.approx([0, 1.25, 0], abs=1e-6)
    assert eye.rotation == state.rotation


def test_a_state_can_be_set_from_any_kind_of_rotation(env: Env, goal: Any) -> None:
    half = math.sqrt(0.5)
    for rotation in ([0, half, 0, half], np.array([0, half, 0, half]), env.sim.get_agent_state().rotation):
        assert env.sim.set_agent_state(goal, rotation)
        assert env.sim.get_agent_state().position.tolist() == pytest.approx(goal)
    env.sim.set_agent_state(goal, [0, half, 0, half])
    assert env.sim.get_agent_state().rotation.y == pytest.approx(half)
    env.sim.step_without_obs("move_forward")  # turned left by 90°, -z has become -x
    moved = env.sim.get_agent_state().position - np.float32(goal)
    assert abs(moved[2]) < 0.05
    assert moved[0] <= 0.0
    agent = env.sim.get_agent(0)
    agent.set_state(habitat_sim.AgentState(position=np.float32(goal)))
    assert agent.get_state().position.tolist() == pytest.approx(goal)
    assert agent.get_state().rotation.w == 1.0


def test_a_body_that_leans_and_what_is_no_rotation_are_refused(env: Env, goal: Any) -> None:
    with pytest.raises(NotCoveredError, match="not upright"):
        env.sim.set_agent_state(goal, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    with pytest.raises(InputError, match="is no rotation"):
        env.sim.set_agent_state(goal, [0, 1, 0])
    with pytest.raises(InputError, match="nobody can stand at"):
        env.sim.set_agent_state([math.nan, 0, 0], [0, 0, 0, 1])
    with pytest.raises(InputError, match="has no heading"):
        env.sim.set_agent_state(goal, [0, 0, 0, 0])
    with pytest.raises(NotCoveredError, match="agent 1"):
        env.sim.get_agent_state(1)


def test_turns_and_steps_are_those_of_vlnce(env: Env) -> None:
    before = env.sim.get_agent_state()
    for _ in range(2):
        env.sim.step("turn_left")
    apart = habitat_sim.utils.common.angle_between_quats(before.rotation, env.sim.get_agent_state().rotation)
    assert math.degrees(apart) == pytest.approx(30)
    ahead = habitat_sim.utils.quat_rotate_vector(env.sim.get_agent_state().rotation, np.array([0, 0, -1]))
    wanted = before.position + 0.25 * ahead
    ended = env.sim.step_filter(start_pos=before.position, end_pos=wanted)
    observed = env.sim.step(1)
    assert env.sim.get_agent_state().position.tolist() == pytest.approx(ended.tolist(), abs=1e-5)
    short = np.linalg.norm(ended - before.position) ** 2 + 1e-5 < 0.25**2
    assert env.sim.previous_step_collided == short
    assert set(observed) == {"rgb", "depth"}
    assert set(env.sim.step(None)) == {"rgb", "depth"}


def test_a_wall_stops_the_agent_and_sliding_is_a_switch(env: Env) -> None:
    def pushed(angle: float, sliding: bool) -> float:
        env.sim.set_agent_state(start, [0.0, math.sin(angle / 2), 0.0, math.cos(angle / 2)])
        env.sim.config.sim_cfg.allow_sliding = sliding
        walked, collided = 0.0, False
        for _ in range(20):
            before = env.sim.get_agent_state().position
            env.sim.step_without_obs(1)
            collided |= env.sim.previous_step_collided
            walked += math.dist(before, env.sim.get_agent_state().position)
        assert collided == (walked < 4.999)
        return walked

    start = env.current_episode.start_position
    assert env.sim.config.sim_cfg.allow_sliding is True
    pairs = [(pushed(angle, True), pushed(angle, False)) for angle in np.arange(0.1, 6.2, 0.7)]
    assert all(slid >= stuck - 0.01 for slid, stuck in pairs)
    assert any(slid > stuck + 0.3 for slid, stuck in pairs)
    with pytest.raises(NotCoveredError, match=r"sim_cfg\.gpu_device_id"):
        _ = env.sim.config.sim_cfg.gpu_device_id


def test_pictures_of_another_place_leave_the_agent_where_it_is(env: Env, goal: Any) -> None:
    before = env.sim.get_agent_state()
    here = env.sim.get_observations_at()
    there = env.sim.get_observations_at(goal, [0, 0, 0, 1])
    assert (here["rgb"] != there["rgb"]).any()
    assert env.sim.get_agent_state().position.tolist() == before.position.tolist()
    kept = env.sim.get_observations_at(goal, [0, 0, 0, 1], keep_agent_at_new_pose=True)
    assert (kept["rgb"] == there["rgb"]).all()
    assert env.sim.get_agent_state().position.tolist() == pytest.approx(goal)
    assert (env.render("rgb") == kept["rgb"]).all()
    with pytest.raises(NotCoveredError, match="render"):
        env.render("human")


def test_distances_are_those_of_the_nearest_goal(env: Env, goal: Any) -> None:
    sim, start = env.sim, env.current_episode.start_position
    far = sim.geodesic_distance(start, goal)
    assert far == pytest.approx(env.current_episode.info["geodesic_distance"], abs=1e-4)
    assert far >= math.dist(start, goal) - 1e-6
    near = sim.geodesic_distance(start, start)
    assert near == 0.0
    assert sim.geodesic_distance(start, [goal, start], env.current_episode) == 0.0
    assert sim.geodesic_distance(np.float32(start), np.float32([goal])) == pytest.approx(far, abs=1e-5)
    assert sim.geodesic_distance(start, [100.0, 0.0, 100.0]) == math.inf
    corners = sim.get_straight_shortest_path_points(start, goal)
    assert sum(math.dist(a, b) for a, b in pairwise(corners)) == pytest.approx(far, abs=1e-4)
    assert sim.get_straight_shortest_path_points(start, [100.0, 0.0, 100.0]) == []


def test_paths_are_found_to_one_goal_and_to_the_nearest_of_several(env: Env, goal: Any) -> None:
    finder, start = env.sim.pathfinder, env.current_episode.start_position
    one = habitat_sim.ShortestPath()
    one.requested_start, one.requested_end = start, goal
    assert finder.find_path(one)
    assert one.geodesic_distance == pytest.approx(env.sim.geodesic_distance(start, goal))
    assert one.points[0].tolist() == pytest.approx(start, abs=1e-3)
    assert one.points[-1].tolist() == pytest.approx(goal, abs=1e-3)
    several = habitat_sim.nav.MultiGoalShortestPath()
    several.requested_start, several.requested_ends = start, [[100.0, 0.0, 100.0], goal]
    assert finder.find_path(several)
    assert several.closest_end_point_index == 1
    assert several.geodesic_distance == one.geodesic_distance
    several.requested_ends = [[100.0, 0.0, 100.0], [-100.0, 0.0, 100.0]]
    assert not finder.find_path(several)
    assert (several.geodesic_distance, several.points, several.closest_end_point_index) == (math.inf, [], -1)


def test_the_ground_is_asked_for_points_walls_and_bounds(env: Env, tmp_path: Path) -> None:
    sim, finder, start = env.sim, env.sim.pathfinder, np.array(env.current_episode.start_position)
    assert sim.is_navigable(start)
    assert finder.is_navigable(start + 0.4 * UP)
    assert not finder.is_navigable(start + 0.4 * UP, max_y_delta=0.1)
    assert not sim.is_navigable(start + 30 * UP)
    snapped = finder.snap_point(start + 0.3 * UP)
    assert snapped.dtype == np.float32
    assert snapped.tolist() == pytest.approx(start.tolist(), abs=0.05)
    assert np.isnan(finder.snap_point([500.0, 0.0, 500.0])).all()
    low, high = finder.get_bounds()
    assert (low <= start).all()
    assert (start <= high).all()
    wall = sim.distance_to_closest_obstacle(start)
    assert wall == finder.distance_to_closest_obstacle(start, 2.0)
    assert 0.0 < wall <= 2.0
    assert finder.distance_to_closest_obstacle(start, wall / 2) == pytest.approx(wall / 2)
    walk = finder.try_step(start, start + 0.01 * NORTH)
    assert math.dist(walk, start) <= 0.011
    finder.save_nav_mesh(tmp_path / "house.navmesh")
    other = habitat_sim.PathFinder()
    assert not other.is_loaded
    with pytest.raises(InputError, match="no navigation mesh"):
        other.get_bounds()
    assert other.load_nav_mesh(str(tmp_path / "house.navmesh"))
    assert other.snap_point(start).tolist() == finder.snap_point(start).tolist()
    assert other.get_island(start) == finder.get_island(start) >= 0
    assert sim.island_radius(start) > 3.0
    island = finder.get_island(start)
    np.testing.assert_allclose(finder.snap_point(start, island_index=island), start, atol=0.01)
    assert 0.0 < finder.island_area(island) <= finder.island_area()
    assert finder.distance_to_closest_obstacle([500.0, 0.0, 500.0]) == math.inf


def test_random_points_lie_on_the_ground_and_depend_on_the_seed(env: Env) -> None:
    def drawn(seed: int) -> list[list[float]]:
        env.seed(seed)
        return [env.sim.sample_navigable_point() for _ in range(3)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert all(env.sim.is_navigable(point) for point in drawn(3))
    finder, start = env.sim.pathfinder, np.float32(env.current_episode.start_position)
    near = finder.get_random_navigable_point_near(start, 20.0)
    assert math.dist(near, start) <= 20.0
    assert np.isnan(finder.get_random_navigable_point_near([500.0, 0.0, 0.0], 1.0, max_tries=3)).all()


def test_semantic_numbers_are_named(tiny_config: Any) -> None:
    from vlnscope.habitat.config.default_structured_configs import HabitatSimSemanticSensorConfig

    config = tiny_config()
    config.defrost()
    sensors = config.habitat.simulator.agents.main_agent.sim_sensors
    sensors.semantic_sensor = HabitatSimSemanticSensorConfig(width=16, height=12)
    env = Env(config)
    seen = env.reset()["semantic"]
    assert (seen.dtype, seen.shape) == (np.int32, (12, 16, 1))
    objects = env.sim.semantic_annotations().objects
    named = {objects[k].category.name() for k in np.unique(seen) if k}
    assert named & {"wall", "floor", "ceiling"}
    assert all(objects[k].semantic_id == k for k in np.unique(seen) if k)
    box = objects[int(seen.max())].aabb
    assert (box.sizes >= 0).all()
    raw = env.sim.get_sensor_observations()
    assert (raw["semantic"] == seen[..., 0]).all()
    assert raw["rgb"].shape == (12, 16, 4)
    assert raw["depth"].shape == (12, 16)
    assert 0.1 < raw["depth"].max() < 60
