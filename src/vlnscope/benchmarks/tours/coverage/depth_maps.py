"""Top-down maps from depth images: which pieces of a storey an agent in space has seen.

A pixel of a depth image is a point in space. It marks the cell below it if its depth is more than 1 % and
less than 99 % of what the camera reaches, and its height is in a band around the agent, both as IVLN's mapper
has it (exclusive). That mapper keeps what stands on the floor (`STANDING`) and not the floor, so the floor
has a band of its own (`FLOOR`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Flags, Floats
from vlnscope.worlds.cameras import Camera, look
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.storeys import storeys_of

CELL = 0.1
"""Metres along the side of a cell, as in the map that IVLN's agent reads."""
CAMERA = Camera(128, 128)
"""VLN-CE's depth camera with half its pixels in each direction."""
NEAREST, FARTHEST = 0.01, 0.99
"""Shares of the camera's reach between which a depth counts."""

_MARGIN = 5.0
_STAIRS = 1.5  # stairs belong to the storey that is nearer
_BATCH = 32


class Band(NamedTuple):
    """Heights that count, in metres above the camera, both exclusive."""

    low: float
    high: float


FLOOR = Band(-1.5, -1.0)
"""The floor that the agent stands on, to a quarter of a metre: the feet are 1.25 m below the camera."""
STANDING = Band(-1.0, 0.5)
"""What IVLN's mapper keeps: walls and furniture."""


class StoreyCells(NamedTuple):
    """The cells of the storeys of a scene, numbered storey by storey, then along z, then along x.

    Attributes:
        origin: x and z of the first corner.
        counts: how many storeys, cells along z and cells along x there are.
        cell: metres along the side of a cell.
        storeys: height of the ground of each storey; a point belongs to the nearest.
        counted: which cells count.
    """

    origin: tuple[float, float]
    counts: tuple[int, int, int]
    cell: float
    storeys: Floats
    counted: Flags


def cells_of(scene: Scene, cell: float = CELL, *, walkable: bool = True) -> StoreyCells:
    """Cut the storeys of a scene into cells, up to 5 m beyond the box around its viewpoints.

    Args:
        scene: has a graph, the layer ``heights`` and a navigation mesh.
        cell: metres along the side of a cell.
        walkable: count only cells in whose middle one can stand and from there walk to a viewpoint; the floor
            below furniture does not count then. Where the scene has a plan, the middle must also lie in a
            room, so that gardens do not count, which doors lead to and windows show.
    """
    numbers, feet = storeys_of(scene), feet_of(scene)
    heights = np.array([np.median(feet[numbers == number, 1]) for number in np.unique(numbers)])
    west, north = (float(feet[:, axis].min()) - _MARGIN for axis in (0, 2))
    x = np.arange(west + cell / 2, feet[:, 0].max() + _MARGIN, cell)
    z = np.arange(north + cell / 2, feet[:, 2].max() + _MARGIN, cell)
    middles = np.stack(np.meshgrid(heights, z, x, indexing="ij"), axis=-1)[..., [2, 0, 1]].reshape(-1, 3)
    counted = _walkable(scene, middles) if walkable else np.ones(len(middles), dtype=np.bool_)
    return StoreyCells((west, north), (len(heights), len(z), len(x)), cell, heights, counted)


def _walkable(scene: Scene, points: Floats) -> Flags:
    """Return where one can stand and walk to a viewpoint, in a room if there is a plan."""
    ground: PathFinder = scene.layer("navmesh")
    reached = np.isin(ground.islands(points), ground.islands(feet_of(scene)))
    stands = ground.navigable(points, height=_STAIRS) & reached
    return np.asarray(stands & _indoors(scene.layer("plan"), points) if scene.has("plan") else stands)


def _indoors(plan: FloorPlan, points: Floats) -> Flags:
    """Return which points lie in a room of the floor that is nearest in height."""
    levels = [floor.level for floor in plan.floors]
    elevations = np.array([floor.elevation for floor in plan.floors])
    nearest = np.abs(points[:, 1:2] - elevations).argmin(axis=1)
    inside = np.zeros(len(points), dtype=np.bool_)
    for k, level in enumerate(levels):
        rooms = shapely.union_all(
            [shapely.Polygon(room.polygon) for room in plan.rooms if room.floor == level]
        )
        own = nearest == k
        inside[own] = shapely.contains_xy(rooms, points[own, 0], -points[own, 2])
    return inside


def seen_cells(
    renderer: Renderer,
    cells: StoreyCells,
    poses: Sequence[SpacePose],
    *,
    camera: Camera = CAMERA,
    band: Band = FLOOR,
) -> Flags:
    """Return which cells a depth camera sees from any of some poses.

    Args:
        renderer: of the scene.
        cells: of the scene.
        poses: of the agent; its camera looks level.
        camera: has one view, without a pitch of its own.
        band: which heights count.
    """
    seen = np.zeros_like(cells.counted)
    for start in range(0, len(poses), _BATCH):
        some = poses[start : start + _BATCH]
        feet, yaws = np.array([pose.position for pose in some]), np.array([pose.yaw for pose in some])
        metres = look(renderer, camera, feet, yaws).metres
        feet[:, 1] += camera.sensor_height
        focal = camera.width / 2 / np.tan(np.radians(camera.hfov) / 2)
        limits = (NEAREST * camera.far, FARTHEST * camera.far, *band)
        _mark(metres, feet, yaws, focal, limits, cells.storeys, cells.origin, cells.counts, cells.cell, seen)
    return seen & cells.counted


@compiled
def _mark(
    metres: NDArray[np.float32],
    eyes: Floats,
    yaws: Floats,
    focal: float,
    limits: tuple[float, float, float, float],
    storeys: Floats,
    origin: tuple[float, float],
    counts: tuple[int, int, int],
    cell: float,
    seen: Flags,
) -> None:
    """Set the cells that the pixels of depth images lie in."""
    nearest, farthest, low, high = limits
    _, rows, columns = counts
    frames, height, width = metres.shape
    for n in range(frames):
        sin, cos = np.sin(yaws[n]), np.cos(yaws[n])
        for v in range(height):
            up = -(v + 0.5 - height / 2) / focal
            for u in range(width):
                ahead = float(metres[n, v, u])
                if not (nearest < ahead < farthest and low < ahead * up < high):
                    continue
                right = ahead * (u + 0.5 - width / 2) / focal
                column = int(np.floor((eyes[n, 0] - sin * ahead + cos * right - origin[0]) / cell))
                row = int(np.floor((eyes[n, 2] - cos * ahead - sin * right - origin[1]) / cell))
                if 0 <= row < rows and 0 <= column < columns:
                    storey = np.argmin(np.abs(storeys - (eyes[n, 1] + ahead * up)))
                    seen[(storey * rows + row) * columns + column] = True
