"""Assembles a Detour tile of polygons and their detail meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.continuous.bake.detail import Detail
from vlnscope.worlds.continuous.bake.grid import Grid, Indices, Singles
from vlnscope.worlds.continuous.bake.polygons import Polygons
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.continuous.navmesh.tile import (
    BV_NODE,
    DETAIL,
    HEADER,
    LINK,
    MAGIC,
    POLY,
    VERSION,
    Tile,
)

_WALK = 1
_LARGEST = 0xFFFF


def assemble(polygons: Polygons, detail: Detail, grid: Grid, settings: NavMeshSettings) -> Tile:
    """Return a tile with these polygons, all of them walkable ground."""
    sizes = (polygons.corners >= 0).sum(axis=1)
    scale = np.array([grid.cell, grid.level, grid.cell], np.float32)
    own, details = _details(detail, sizes)
    tree = _bounding_volumes(detail, grid)
    return Tile(
        header=_header(polygons, detail, grid, settings, int(sizes.sum()), int(own.sum())),
        verts=grid.low + polygons.points.astype(np.float32) * scale,
        polys=_polys(polygons, sizes),
        links=np.zeros(int(sizes.sum()), LINK),
        details=details,
        detail_verts=detail.points[own],
        detail_tris=detail.triangles,
        bv_tree=tree,
    )


def _header(
    polygons: Polygons, detail: Detail, grid: Grid, settings: NavMeshSettings, edges: int, detail_verts: int
) -> Any:
    header = np.zeros((), HEADER)
    header["magic"], header["version"] = MAGIC, VERSION
    header["poly_count"] = header["detail_mesh_count"] = header["off_mesh_base"] = len(polygons.corners)
    header["vert_count"], header["max_link_count"] = len(polygons.points), edges
    header["detail_vert_count"], header["detail_tri_count"] = detail_verts, len(detail.triangles)
    header["bv_node_count"] = 2 * len(polygons.corners)
    header["walkable_height"], header["walkable_radius"] = settings.agent_height, settings.agent_radius
    header["walkable_climb"] = settings.agent_max_climb
    header["bmin"], header["bmax"] = grid.low, grid.high
    header["bmax"][1] += np.float32(grid.headroom) * grid.level
    header["bv_quant_factor"] = np.float32(1.0) / grid.cell
    return header[()]


def _polys(polygons: Polygons, sizes: NDArray[np.int64]) -> NDArray[np.void]:
    polys = np.zeros(len(sizes), POLY)
    polys["verts"] = np.maximum(polygons.corners, 0)
    polys["neis"] = polygons.neighbours + 1
    polys["flags"] = _WALK
    polys["vert_count"] = sizes
    return polys


def _details(detail: Detail, sizes: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.void]]:
    """Which points of detail meshes are no corners of polygons, and the table of detail meshes."""
    points, triangles = detail.sizes[:, 0], detail.sizes[:, 1]
    within = np.arange(len(detail.points)) - np.repeat(np.cumsum(points) - points, points)
    own = within >= np.repeat(sizes, points)
    details = np.zeros(len(sizes), DETAIL)
    details["vert_count"], details["tri_count"] = points - sizes, triangles
    details["vert_base"] = np.cumsum(points - sizes) - (points - sizes)
    details["tri_base"] = np.cumsum(triangles) - triangles
    return own, details


def _bounding_volumes(detail: Detail, grid: Grid) -> NDArray[np.void]:
    """A tree of boxes around detail meshes: each node is followed by what lies in it."""
    start = np.cumsum(detail.sizes[:, 0]) - detail.sizes[:, 0]
    low = _quantised(np.minimum.reduceat(detail.points, start), grid)
    high = _quantised(np.maximum.reduceat(detail.points, start), grid)
    nodes = np.zeros(2 * len(start), BV_NODE)
    _subdivide(nodes, 0, low, high, np.arange(len(start)))
    return nodes


def _quantised(points: Singles, grid: Grid) -> Indices:
    factor = np.float32(1.0) / grid.cell
    return np.clip(((points - grid.low) * factor).astype(np.int32), 0, _LARGEST)


def _subdivide(
    nodes: NDArray[np.void], at: int, low: Indices, high: Indices, members: NDArray[np.int64]
) -> int:
    """Write the node of these polygons and all below it; return the number after the last."""
    nodes[at]["bmin"], nodes[at]["bmax"] = low[members].min(axis=0), high[members].max(axis=0)
    if len(members) == 1:
        nodes[at]["i"] = members[0]
        return at + 1
    extent = high[members].max(axis=0) - low[members].min(axis=0)
    members = members[np.argsort(low[members, int(extent.argmax())], kind="stable")]
    half = len(members) // 2
    end = _subdivide(nodes, at + 1, low, high, members[:half])
    end = _subdivide(nodes, end, low, high, members[half:])
    nodes[at]["i"] = at - end
    return end
