"""``top_down_map``: a map of the storey on which an episode began, with the agent's path on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vlnscope.habitat.drawing import maps
from vlnscope.habitat.episodes import VLNEpisode
from vlnscope.habitat.measures import WalkMeasure, option
from vlnscope.habitat.registration import registry

_CELLS_PER_STROKE = 128
_STOREY = 2.0


@registry.provide("measure", "TopDownMap")
class TopDownMap(WalkMeasure):
    """A map with start, goal, shortest way and path, and what the agent has seen.

    The value is a dictionary, as Habitat's: ``map`` (numbers as in `maps`), ``fog_of_war_mask``,
    ``agent_map_coord`` and ``agent_angle``, which are lists in Habitat 0.3 and were none in 0.1.7.
    """

    cls_uuid = "top_down_map"

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Draw the map that the walk goes onto."""
        cells = int(option(self._config, "map_resolution", 1024))
        border = bool(option(self._config, "draw_border", True))
        self._map = maps.get_topdown_map_from_sim(self._sim, cells, border)
        rows, columns = maps.filled(self._map)
        size = min(rows.stop - rows.start, columns.stop - columns.start)
        self._stroke = max(1, round(2 * size / _CELLS_PER_STROKE))
        self._point = 2 * math.ceil(size / _CELLS_PER_STROKE)
        self._metres = maps.calculate_meters_per_pixel(cells, self._sim)
        self._fog = option(self._config, "fog_of_war", {})
        self._mask = np.zeros_like(self._map) if option(self._fog, "draw", True) else None
        self._before: tuple[int, int] | None = None
        self._steps = 0
        self._draw_ends(episode)

    def _draw_ends(self, episode: VLNEpisode) -> None:
        if option(self._config, "draw_goal_positions", True):
            for goal in episode.goals:
                if 0.0 <= goal.position[1] - self._at[1] + 1e-3 < _STOREY:
                    self._mark(goal.position, maps.MAP_TARGET_POINT_INDICATOR)
        if option(self._config, "draw_shortest_path", True):
            way = self._sim.get_straight_shortest_path_points(self._at, episode.goals[0].position)
            cells = [self._cell(corner) for corner in way]
            if len(cells) > 1:
                maps.draw_path(self._map, cells, maps.MAP_SHORTEST_PATH_COLOR, self._stroke)
        if option(self._config, "draw_source", True):
            self._mark(episode.start_position, maps.MAP_SOURCE_POINT_INDICATOR)

    def look(self, task: Any) -> None:
        """Draw the last step."""
        here = self._cell(self._at)
        if self._before is not None and self._map[self._within(here)] != maps.MAP_SOURCE_POINT_INDICATOR:
            most = int(option(self._config, "max_episode_steps", 1000))
            colour = maps.FIRST_STEP + min(self._steps * 245 // most, 245)
            maps.draw_path(self._map, [self._before, here], colour, self._stroke)
        self._before = here
        self._steps += 1
        angle = math.atan2(-math.sin(self._sim.pose.yaw), -math.cos(self._sim.pose.yaw))
        self._reveal(here, angle)
        several = "MAP_RESOLUTION" not in (self._config or {})
        self._metric = {
            "map": self._map,
            "fog_of_war_mask": self._mask,
            "agent_map_coord": [here] if several else here,
            "agent_angle": [np.array(angle)] if several else angle,
        }

    def _reveal(self, here: tuple[int, int], angle: float) -> None:
        if self._mask is None:
            return
        far = float(option(self._fog, "visibility_dist", 5.0)) / self._metres
        fov = float(option(self._fog, "fov", 90))
        self._mask = maps.reveal_fog_of_war(self._map, self._mask, np.array(here), angle, fov, far)

    def _mark(self, position: Any, number: int) -> None:
        row, column = self._cell(position)
        low, right = max(0, row - self._point), max(0, column - self._point)
        self._map[low : row + self._point + 1, right : column + self._point + 1] = number

    def _cell(self, position: Any) -> tuple[int, int]:
        rows, columns = self._map.shape
        return maps.to_grid(position[2], position[0], (rows, columns), sim=self._sim)

    def _within(self, cell: tuple[int, int]) -> tuple[int, int]:
        return min(cell[0], self._map.shape[0] - 1), min(cell[1], self._map.shape[1] - 1)
