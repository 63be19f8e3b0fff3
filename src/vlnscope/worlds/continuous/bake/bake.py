"""Bakes a navigation mesh from triangles, as Recast does with Habitat's settings."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from vlnscope.core import files
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.continuous.bake.assemble import assemble
from vlnscope.worlds.continuous.bake.compact import open_space
from vlnscope.worlds.continuous.bake.detail import detail_meshes
from vlnscope.worlds.continuous.bake.filters import filter_ground
from vlnscope.worlds.continuous.bake.grid import Indices, Singles, check_mesh, lay_grid, sampling
from vlnscope.worlds.continuous.bake.holes import join_holes
from vlnscope.worlds.continuous.bake.outlines import outlines
from vlnscope.worlds.continuous.bake.polygons import polygons
from vlnscope.worlds.continuous.bake.regions import regions_of
from vlnscope.worlds.continuous.bake.voxels import rasterise
from vlnscope.worlds.continuous.navmesh.file import NavMeshFile, read_navmesh
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.continuous.navmesh.tile import Tile

VERSION = 1
"""Of the baker: grows with every change of what comes out of it, so that cached meshes are made anew."""
_DEFAULTS = NavMeshSettings()


def bake(
    vertices: ArrayLike, faces: ArrayLike, settings: NavMeshSettings = _DEFAULTS, *, cached: bool = True
) -> NavMesh:
    """Return the navigation mesh of a triangle mesh, from the cache if it was baked before.

    A damaged file in the cache is made anew, and a cache that cannot be written to is done without.

    Args:
        vertices: corners of triangles in Habitat's frame (y up), in metres; (n, 3).
        faces: numbers of the three corners of each triangle, counter-clockwise seen from outside; (m, 3).
        settings: the agent's size and how finely to bake.
        cached: whether to look into the cache and to keep the mesh there.

    Raises:
        InputError: the mesh or a setting cannot be used, or there is no walkable ground.
    """
    points, corners = check_mesh(vertices, faces)
    if not cached:
        return NavMesh.of(bake_tile(points, corners, settings), settings)
    path = cache_path(points, corners, settings)
    if path.is_file():
        with suppress(InputError):
            return NavMesh(read_navmesh(path))
    file = NavMeshFile.of(bake_tile(points, corners, settings), settings)
    with suppress(InputError):
        file.write(path)
    return NavMesh(file)


def cache_path(vertices: Singles, faces: Indices, settings: NavMeshSettings) -> Path:
    """Return where the navigation mesh of a triangle mesh lies in the cache, if it is there."""
    name = files.digest(
        str(VERSION).encode(),
        msgspec.json.encode(settings),
        vertices.tobytes(),
        faces.tobytes(),
    )
    return files.cache_dir() / "navmeshes" / f"{name}.navmesh"


def bake_tile(vertices: ArrayLike, faces: ArrayLike, settings: NavMeshSettings = _DEFAULTS) -> Tile:
    """Return the navigation mesh of a triangle mesh as a Detour tile; see `bake`.

    Raises:
        InputError: the mesh or a setting cannot be used, or there is no walkable ground.
    """
    points, corners = check_mesh(vertices, faces)
    grid = lay_grid(points, settings)
    if not grid.width * grid.depth:  # thinner than half a cell
        raise _no_ground(False)
    solid = rasterise(points, corners, grid, settings.agent_max_slope)
    filter_ground(solid, grid, settings)
    space = open_space(solid, grid)
    region, count = regions_of(space, grid)
    if count == 0:
        raise _no_ground(bool(solid.area.any()))
    error = np.float32(settings.edge_max_error)
    ground = polygons(*join_holes(*outlines(space, region, grid, float(error))), int(settings.verts_per_poly))
    if not len(ground.corners):
        raise _no_ground(True)
    spacing, height_error = sampling(settings)
    detail = detail_meshes(space, region, ground, grid, spacing, height_error, max(1, math.ceil(error)))
    return assemble(ground, detail, grid, settings)


def _no_ground(some: bool) -> InputError:
    reason = "what could be stood on is too small or too near to walls" if some else "nothing can be stood on"
    return InputError(
        f"the mesh has no walkable ground: {reason}",
        expected="floors in Habitat's frame (y up), in metres, with their triangles facing up",
        fix="check axes, units and the direction of faces, or bake for a smaller agent",
    )
