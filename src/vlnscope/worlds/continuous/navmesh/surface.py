"""A tile laid out for compiled queries: what they need of a polygon lies side by side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.continuous.navmesh.checks import EXTERNAL
from vlnscope.worlds.continuous.navmesh.grid import PolyGrid, grid_of
from vlnscope.worlds.continuous.navmesh.islands import number_islands
from vlnscope.worlds.continuous.navmesh.plane import Bools, Bytes, Float32, Float32s, Int32s
from vlnscope.worlds.continuous.navmesh.tile import CORNERS, Tile
from vlnscope.worlds.continuous.navmesh.tree import Tree, leave_out, tree_of

WALK = 1
"""Habitat's flag of polygons that can be walked on."""
WALL = -1
"""Stands for the neighbour behind an edge that has none."""
SMALLEST = 1e-5
"""Habitat shuts out polygons of a smaller area, in square metres."""


class DetailTriangles(NamedTuple):
    """The triangles that give polygons their heights.

    Attributes:
        first: where the triangles of each polygon begin; one entry more than polygons.
        triangles: (t, 3, 3) their corners.
        numbers: (t, 3) the numbers of these corners within the polygon.
        flags: which edges lie on the boundary: bit 2k for the edge from corner k to k + 1.
    """

    first: Int32s
    triangles: Float32s
    numbers: Bytes
    flags: Bytes


class Surface(NamedTuple):
    """The arrays of a mesh, one row per polygon where nothing else is said.

    Attributes:
        corners: (n, 6, 3) float32.
        counts: how many of them are used.
        neighbours: (n, 6) the polygon behind each edge, or `WALL`; edge k leads from corner k to k + 1.
        portals: (n, 6) the first edge that leads to the same neighbour: Detour takes it for all of them.
        walkable: whether the polygon can be walked on.
        islands: number of its connected piece.
        centres: (n, 3) means of the corners.
        boxes: (n, 6) lowest and highest corner of the box around corners and detail triangles.
        areas: of the detail triangles, in square metres.
        climb: how far above or below a polygon a point still lies on it.
        detail: triangles.
        tree: boxes within boxes, in the order of which ties are broken.
        grid: polygons by place.
    """

    corners: Float32s
    counts: Int32s
    neighbours: Int32s
    portals: Int32s
    walkable: Bools
    islands: Int32s
    centres: Float32s
    boxes: Float32s
    areas: Floats
    climb: Float32
    detail: DetailTriangles
    tree: Tree
    grid: PolyGrid


def surface_of(tile: Tile, origin: tuple[float, float, float], size: tuple[float, float]) -> Surface:
    """Lay out a tile that was checked; `origin` and `size` are those of its file."""
    polys = tile.polys
    counts = polys["vert_count"].astype(np.int32)
    used = np.arange(CORNERS) < counts[:, None]
    corners = tile.verts.reshape(-1, 3)[np.where(used, polys["verts"], polys["verts"][:, :1])]
    corners = np.ascontiguousarray(corners, np.float32)
    neis = polys["neis"].astype(np.int32)
    neighbours = np.where(used & (neis < EXTERNAL), neis - 1, WALL).astype(np.int32)
    detail = _detail(tile)
    areas = _areas(detail)
    flagged = (polys["flags"] & WALK) > 0
    walkable = flagged & (areas >= SMALLEST)
    boxes = _boxes(corners, detail)
    climb = np.float32(tile.header["walkable_climb"])
    tree = leave_out(tree_of(tile, origin, size), walkable)
    return Surface(
        corners=corners,
        counts=counts,
        neighbours=neighbours,
        portals=_portals(neighbours),
        walkable=walkable,
        islands=number_islands(counts, neighbours, flagged),
        centres=_centres(corners, counts),
        boxes=boxes,
        areas=areas,
        climb=climb,
        detail=detail,
        tree=tree,
        grid=grid_of(tree, boxes, climb),
    )


def only_island(surface: Surface, island: int) -> Surface:
    """Return the ground without all other islands, as a place to look for the nearest polygon."""
    walkable = surface.walkable & (surface.islands == island)
    tree = leave_out(surface.tree, walkable)
    grid = grid_of(tree, surface.boxes, surface.climb)
    return surface._replace(walkable=walkable, tree=tree, grid=grid)


def _detail(tile: Tile) -> DetailTriangles:
    """Detail triangles of all polygons, in their order."""
    counts = tile.details["tri_count"].astype(np.int64)
    first = np.concatenate([[0], np.cumsum(counts)])
    owner = np.repeat(np.arange(len(counts)), counts)
    rows = np.arange(len(owner)) + (tile.details["tri_base"].astype(np.int64) - first[:-1])[owner]
    numbers = tile.detail_tris[rows, :3].astype(np.int64)
    own = tile.polys["vert_count"][owner, None]
    is_own = numbers < own
    corner = tile.polys["verts"][owner[:, None], np.where(is_own, numbers, 0)]
    further = len(tile.verts) + tile.details["vert_base"][owner, None] + numbers - own
    every = np.concatenate([tile.verts, tile.detail_verts])
    return DetailTriangles(
        first=first.astype(np.int32),
        triangles=np.ascontiguousarray(every[np.where(is_own, corner, further)], np.float32),
        numbers=numbers.astype(np.uint8),
        flags=np.ascontiguousarray(tile.detail_tris[rows, 3]),
    )


def _areas(detail: DetailTriangles) -> Floats:
    a, b, c = detail.triangles.transpose(1, 0, 2)
    across = np.cross(b - a, c - b)
    half = np.float32(0.5) * np.sqrt((across * across).sum(axis=-1, dtype=np.float32))
    owner = np.repeat(np.arange(len(detail.first) - 1), np.diff(detail.first))
    return np.asarray(np.bincount(owner, half, len(detail.first) - 1), np.float64)


def _boxes(corners: Float32s, detail: DetailTriangles) -> Float32s:
    boxes = np.concatenate(
        [corners.min(axis=1, initial=np.inf), corners.max(axis=1, initial=-np.inf)], axis=1
    )
    owner = np.repeat(np.arange(len(boxes)), np.diff(detail.first))
    np.minimum.at(boxes[:, :3], owner, detail.triangles.min(axis=1, initial=np.inf))
    np.maximum.at(boxes[:, 3:], owner, detail.triangles.max(axis=1, initial=-np.inf))
    return np.ascontiguousarray(boxes, np.float32)


def _centres(corners: Float32s, counts: Int32s) -> Float32s:
    total = np.zeros((len(counts), 3), np.float32)
    for corner in range(CORNERS):
        total += np.where((corner < counts)[:, None], corners[:, corner], np.float32(0))
    return total / counts.astype(np.float32)[:, None]


def _portals(neighbours: Int32s) -> Int32s:
    same = neighbours[:, :, None] == neighbours[:, None, :]
    return np.asarray(same.argmax(axis=2), np.int32)
