"""Top-down maps and pictures of what an agent sees."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from vlnscope.habitat.config.default_structured_configs import FogOfWarConfig, TopDownMapMeasurementConfig
from vlnscope.habitat.tasks.nav.shortest_path_follower import ShortestPathFollower
from vlnscope.habitat.utils.visualizations import fog_of_war, maps
from vlnscope.habitat.utils.visualizations.utils import images_to_video, observations_to_image

from vlnscope.core.exceptions import InputError
from vlnscope.habitat import Env

CELLS = 256


@pytest.fixture
def drawn(tiny_config: Any) -> Env:
    config = tiny_config()
    config.defrost()
    config.habitat.task.measurements.top_down_map = TopDownMapMeasurementConfig(
        map_resolution=CELLS, fog_of_war=FogOfWarConfig(draw=True, visibility_dist=5.0, fov=90)
    )
    env = Env(config)
    env.reset()
    return env


def shown(env: Env) -> Any:
    return env.get_metrics()["top_down_map"]


def test_a_map_has_the_ground_the_ends_and_the_way(drawn: Env) -> None:
    grid = shown(drawn)["map"]
    low, high = drawn.sim.pathfinder.get_bounds()
    assert min(grid.shape) == CELLS
    assert grid.shape[0] / grid.shape[1] == pytest.approx((high[2] - low[2]) / (high[0] - low[0]), rel=0.02)
    assert grid.dtype == np.uint8
    episode = drawn.current_episode
    for position, number in (
        (episode.start_position, maps.MAP_SOURCE_POINT_INDICATOR),
        (episode.goals[0].position, maps.MAP_TARGET_POINT_INDICATOR),
    ):
        row, column = maps.to_grid(position[2], position[0], grid.shape, sim=drawn.sim)
        assert number in grid[row - 2 : row + 3, column - 2 : column + 3]
        z, x = maps.from_grid(row, column, grid.shape, sim=drawn.sim)
        assert math.dist((z, x), (position[2], position[0])) < 0.5
    assert {maps.MAP_VALID_POINT, maps.MAP_BORDER_INDICATOR, maps.MAP_SHORTEST_PATH_COLOR} <= set(grid.flat)
    metres = maps.calculate_meters_per_pixel(CELLS, drawn.sim)
    floor = maps.get_topdown_map_from_sim(drawn.sim, CELLS, draw_border=False)
    assert (floor == 1).sum() * metres**2 > 50


def test_a_walk_is_drawn_and_what_was_seen_is_no_longer_hidden(drawn: Env) -> None:
    first = shown(drawn)
    before, place = first["fog_of_war_mask"].sum(), first["agent_map_coord"][0]
    assert before > 0
    assert first["agent_angle"][0] == pytest.approx(
        math.atan2(-math.sin(drawn.sim.pose.yaw), -math.cos(drawn.sim.pose.yaw))
    )
    follower = ShortestPathFollower(drawn.sim, 0.25, False)
    while not drawn.episode_over:
        drawn.step(follower.get_next_action(drawn.current_episode.goals[0].position))
    after = shown(drawn)
    assert after["fog_of_war_mask"].sum() > before
    assert after["agent_map_coord"][0] != place
    assert (after["map"] >= 10).any()


def test_nobody_sees_through_walls_or_behind(drawn: Env) -> None:
    grid = np.ones((41, 41), dtype=np.uint8)
    grid[:, 30] = 0
    mask = fog_of_war.reveal_fog_of_war(grid, np.zeros_like(grid), np.array([20, 20]), math.pi / 2, 90, 40)
    assert mask[20, 29] == 1
    assert mask[:, 30:].sum() == 0
    assert mask[20, 10] == 0
    wide = fog_of_war.reveal_fog_of_war(grid, mask, np.array([20, 20]), -math.pi / 2, 90, 5)
    assert wide[20, 16] == 1
    assert wide[20, 29] == 1
    assert wide[20, 5] == 0


def test_pictures_stand_side_by_side_and_a_collision_is_red(drawn: Env, tmp_path: Path) -> None:
    observed = drawn.step(1)
    info = drawn.get_metrics()
    picture = observations_to_image(observed, {**info, "collisions": {"count": 1, "is_collision": True}})
    map_width = maps.colorize_draw_agent_and_fit_to_height(info["top_down_map"], 12).shape[1]
    assert picture.shape == (12, 32 + map_width, 3)
    assert picture[0, :32].tolist() == [[255, 0, 0]] * 32
    plain = observations_to_image({"rgb": observed["rgb"]}, {})
    assert (plain == observed["rgb"]).all()
    file = images_to_video([plain, plain[::-1]], str(tmp_path / "vis"), "walk", fps=5)
    with Image.open(file) as animation:
        assert (animation.n_frames, animation.size, animation.info["duration"]) == (2, (16, 12), 200)
    with pytest.raises(InputError, match="no picture"):
        observations_to_image({"instruction": {}}, {})
    with pytest.raises(InputError, match="no picture to animate"):
        images_to_video([], tmp_path, "none")
    with pytest.raises(InputError, match="whose ground"):
        maps.to_grid(0.0, 0.0, (3, 3))


def test_an_arrow_points_where_the_agent_looks() -> None:
    blank = np.zeros((41, 41, 3), dtype=np.uint8)
    north = maps.draw_agent(blank.copy(), (20, 20), math.pi, 10)  # yaw 0 looks along -z, up the picture
    west = maps.draw_agent(blank.copy(), (20, 20), -math.pi / 2, 10)  # yaw 90° to the left looks along -x
    for picture, tip in ((north, (11, 20)), (west, (20, 11))):
        assert picture[tip].any()
        assert not picture[40 - tip[0], 40 - tip[1]].any()


def test_a_picture_of_a_map_leaves_out_empty_margins() -> None:
    grid = np.zeros((200, 300), dtype=np.uint8)
    grid[50:110, 200:280] = 1
    info = {"map": grid, "fog_of_war_mask": None, "agent_map_coord": [(80, 240)], "agent_angle": [math.pi]}
    picture = maps.colorize_draw_agent_and_fit_to_height(info, 64)
    assert picture.shape == (64, int(84 * 64 / 64), 3)
    red = np.argwhere((picture == (200, 30, 30)).all(axis=2)).mean(axis=0)
    assert red == pytest.approx([80 - 48, 240 - 198], abs=1)
    empty = {**info, "map": np.zeros_like(grid)}
    assert maps.colorize_draw_agent_and_fit_to_height(empty, 20).shape == (20, 30, 3)


def test_colours_dim_what_was_not_seen() -> None:
    grid = np.array([[0, 1], [1, 12]], dtype=np.uint8)
    bright = maps.colorize_topdown_map(grid)
    dim = maps.colorize_topdown_map(grid, np.array([[0, 1], [0, 0]], dtype=np.uint8))
    assert (bright[0] == dim[0]).all()
    assert (dim[1, 0] == bright[1, 0] // 2).all()
    assert bright[0, 0].tolist() == [255, 255, 255]
