"""Top-down maps as Habitat draws them: grids of small numbers, and pictures of them.

Rows go along z and columns along x, from the lower bounds of the ground on. `TopDownMap` keeps such a map up
to date while an agent walks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from vlnscope.core.exceptions import InputError

Grid = NDArray[np.uint8]
Picture = NDArray[np.uint8]

MAP_INVALID_POINT = 0
MAP_VALID_POINT = 1
MAP_BORDER_INDICATOR = 2
MAP_SOURCE_POINT_INDICATOR = 4
MAP_TARGET_POINT_INDICATOR = 6
MAP_SHORTEST_PATH_COLOR = 7
MAP_VIEW_POINT_INDICATOR = 8
MAP_TARGET_BOUNDING_BOX = 9
FIRST_STEP = 10
"""Numbers from here on are the agent's path, rising from its first step to its last."""
_COLOURS = {
    MAP_INVALID_POINT: (255, 255, 255),
    MAP_VALID_POINT: (150, 150, 150),
    MAP_BORDER_INDICATOR: (50, 50, 50),
    MAP_SOURCE_POINT_INDICATOR: (0, 0, 200),
    MAP_TARGET_POINT_INDICATOR: (200, 0, 0),
    MAP_SHORTEST_PATH_COLOR: (0, 200, 0),
    MAP_VIEW_POINT_INDICATOR: (245, 150, 150),
    MAP_TARGET_BOUNDING_BOX: (0, 175, 0),
}
_UNSEEN = 0.5
_ARROW = ((0.0, -1.0), (0.75, 0.9), (0.0, 0.5), (-0.75, 0.9))


def calculate_meters_per_pixel(map_resolution: int, sim: Any = None, pathfinder: Any = None) -> float:
    """Return how many metres a cell is wide if the shorter side of the ground has `map_resolution` cells."""
    low, high = _finder(sim, pathfinder).get_bounds()
    return float(min(abs(high[axis] - low[axis]) for axis in (0, 2)) / map_resolution)


def get_topdown_map(
    pathfinder: Any,
    height: float,
    map_resolution: int = 1024,
    draw_border: bool = True,
    meters_per_pixel: float | None = None,
) -> Grid:
    """Return where the ground is near a height: 0 nowhere, 1 ground, 2 its border."""
    spacing = meters_per_pixel or calculate_meters_per_pixel(map_resolution, pathfinder=pathfinder)
    ground = pathfinder.get_topdown_view(meters_per_pixel=spacing, height=float(height))
    grid = np.where(ground, MAP_VALID_POINT, MAP_INVALID_POINT).astype(np.uint8)
    if draw_border:
        around = np.pad(ground, 1, mode="edge")
        inner = around[:-2, 1:-1] & around[2:, 1:-1] & around[1:-1, :-2] & around[1:-1, 2:]
        grid[ground & ~inner] = MAP_BORDER_INDICATOR
    return grid


def get_topdown_map_from_sim(
    sim: Any,
    map_resolution: int = 1024,
    draw_border: bool = True,
    meters_per_pixel: float | None = None,
    agent_id: int = 0,
) -> Grid:
    """Return the map of the storey that the agent is on; see `get_topdown_map`."""
    height = float(sim.get_agent_state(agent_id).position[1])
    return get_topdown_map(sim.pathfinder, height, map_resolution, draw_border, meters_per_pixel)


def to_grid(
    realworld_x: float,
    realworld_y: float,
    grid_resolution: tuple[int, int],
    sim: Any = None,
    pathfinder: Any = None,
) -> tuple[int, int]:
    """Return row and column of a place; Habitat calls its z `realworld_x` and its x `realworld_y`."""
    low, high = _finder(sim, pathfinder).get_bounds()
    row = (realworld_x - low[2]) / abs(high[2] - low[2]) * grid_resolution[0]
    column = (realworld_y - low[0]) / abs(high[0] - low[0]) * grid_resolution[1]
    return int(row), int(column)


def from_grid(
    grid_x: int, grid_y: int, grid_resolution: tuple[int, int], sim: Any = None, pathfinder: Any = None
) -> tuple[float, float]:
    """Return z and x of the lower corner of a cell, given its row and column; the inverse of `to_grid`."""
    low, high = _finder(sim, pathfinder).get_bounds()
    z = low[2] + grid_x * abs(high[2] - low[2]) / grid_resolution[0]
    x = low[0] + grid_y * abs(high[0] - low[0]) / grid_resolution[1]
    return float(z), float(x)


def draw_path(
    top_down_map: Grid, path_points: Sequence[tuple[int, int]], color: int = 10, thickness: int = 2
) -> None:
    """Draw a line through cells (row, column) into a map."""
    picture = Image.fromarray(top_down_map)
    line = [(int(column), int(row)) for row, column in path_points]
    ImageDraw.Draw(picture).line(line, fill=int(color), width=max(1, thickness))
    top_down_map[...] = np.asarray(picture)


def reveal_fog_of_war(
    top_down_map: Grid,
    current_fog_of_war_mask: Grid,
    current_point: NDArray[np.integer[Any]],
    current_angle: float,
    fov: float = 90,
    max_line_len: float = 100,
) -> Grid:
    """Return the mask of what was seen, with what an agent sees from a cell added.

    Args:
        top_down_map: the map; nobody sees past its empty cells.
        current_fog_of_war_mask: 1 where something was seen before.
        current_point: row and column of the agent.
        current_angle: as ``agent_angle`` of `TopDownMap`.
        fov: degrees that it sees.
        max_line_len: cells that it sees far.
    """
    half, far = math.radians(fov) / 2, max(1, int(max_line_len))
    angles = current_angle + np.linspace(-half, half, max(2, int(2 * half * far) * 2))
    along = np.arange(far + 1)
    rows = np.rint(current_point[0] + np.cos(angles)[:, None] * along).astype(np.int64)
    columns = np.rint(current_point[1] + np.sin(angles)[:, None] * along).astype(np.int64)
    inside = (rows >= 0) & (rows < top_down_map.shape[0]) & (columns >= 0) & (columns < top_down_map.shape[1])
    rows, columns = rows.clip(0, top_down_map.shape[0] - 1), columns.clip(0, top_down_map.shape[1] - 1)
    free = inside & (top_down_map[rows, columns] != MAP_INVALID_POINT)
    seen = np.logical_and.accumulate(free, axis=1)
    revealed = current_fog_of_war_mask.copy()
    revealed[rows[seen], columns[seen]] = 1
    return revealed


@cache
def map_colours() -> Picture:
    """Return the colour of each number; a path goes from blue over green to red."""
    colours = np.full((256, 3), 150, dtype=np.uint8)
    share = np.linspace(0.0, 1.0, 256 - FIRST_STEP)
    for channel, middle in enumerate((0.75, 0.5, 0.25)):
        bright = np.clip(1.5 - np.abs(share - middle) * 4, 0.0, 1.0)
        colours[FIRST_STEP:, channel] = np.rint(bright * 255)
    for number, colour in _COLOURS.items():
        colours[number] = colour
    colours.setflags(write=False)
    return colours


def colorize_topdown_map(
    top_down_map: Grid, fog_of_war_mask: Grid | None = None, fog_of_war_desat_amount: float = _UNSEEN
) -> Picture:
    """Return a map in colours, (rows, columns, 3); what was not seen is darker."""
    picture = map_colours()[top_down_map]
    if fog_of_war_mask is not None:
        hidden = (fog_of_war_mask == 0) & (top_down_map != MAP_INVALID_POINT)
        picture[hidden] = (picture[hidden] * fog_of_war_desat_amount).astype(np.uint8)
    return picture


def draw_agent(
    image: Picture, agent_center_coord: tuple[int, int], agent_rotation: float, agent_radius_px: int = 5
) -> Picture:
    """Draw an arrow for an agent into a picture and return it.

    Args:
        image: the picture, changed in place.
        agent_center_coord: row and column.
        agent_rotation: as ``agent_angle`` of `TopDownMap`.
        agent_radius_px: half the length of the arrow.
    """
    row, column = (int(part) for part in agent_center_coord)
    turn = agent_rotation - math.pi  # the arrow points up the picture, along -z, where the angle is π
    sin, cos = math.sin(turn), math.cos(turn)
    corners = [
        (column + agent_radius_px * (x * cos + y * sin), row + agent_radius_px * (y * cos - x * sin))
        for x, y in _ARROW
    ]
    picture = Image.fromarray(image)
    ImageDraw.Draw(picture).polygon(corners, fill=(200, 30, 30), outline=(255, 255, 255))
    image[...] = np.asarray(picture)
    return image


def colorize_draw_agent_and_fit_to_height(topdown_map_info: Mapping[str, Any], output_height: int) -> Picture:
    """Return the picture of a `TopDownMap`'s value: coloured, with the agent, as high as asked for.

    Empty margins, where there is no ground on this storey, are cut off.
    """
    grid, mask = topdown_map_info["map"], topdown_map_info["fog_of_war_mask"]
    rows, columns = filled(grid)
    picture = colorize_topdown_map(grid[rows, columns], None if mask is None else mask[rows, columns])
    places, angles = topdown_map_info["agent_map_coord"], topdown_map_info["agent_angle"]
    if not isinstance(places, list):
        places, angles = [places], [angles]
    for (row, column), angle in zip(places, angles, strict=True):
        at = row - rows.start, column - columns.start
        draw_agent(picture, at, float(angle), max(3, min(picture.shape[:2]) // 32))
    if picture.shape[0] > picture.shape[1]:
        picture = np.rot90(picture)
    width = int(picture.shape[1] * output_height / picture.shape[0])
    return np.asarray(Image.fromarray(picture).resize((width, output_height), Image.Resampling.BICUBIC))


def filled(grid: Grid) -> tuple[slice, slice]:
    """Return the rows and columns of a map that hold something, with a little room around."""
    rows, columns = np.nonzero(grid)
    return _span(rows, grid.shape[0]), _span(columns, grid.shape[1])


def _span(cells: NDArray[np.intp], length: int) -> slice:
    if not len(cells):
        return slice(0, length)
    low, high = int(cells.min()), int(cells.max())
    room = max(2, (high - low) // 40)
    return slice(max(0, low - room), min(length, high + room + 1))


def _finder(sim: Any, pathfinder: Any) -> Any:
    if pathfinder is None and sim is None:
        raise InputError(
            "a map needs to know whose ground it shows", expected="sim or pathfinder", fix="pass sim=env.sim"
        )
    return sim.pathfinder if pathfinder is None else pathfinder
