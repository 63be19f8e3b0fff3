"""Small navigation meshes made of square cells, to walk on without a bake and without files."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.worlds.continuous.navmesh.file import NavMeshFile
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.continuous.navmesh.tile import BV_NODE, DETAIL, HEADER, LINK, MAGIC, POLY, VERSION, Tile

STEP = 20.0
_BOUNDARY = (0b000101, 0b010100)  # of the two triangles of a cell: all edges but the diagonal


def ground(cells: ArrayLike, *, side: float = 1.0, heights: ArrayLike | None = None) -> NavMeshFile:
    """Return a mesh with one square polygon for each true cell; rows go along z, columns along x.

    Args:
        cells: which cells can be walked on.
        side: of a cell, in metres.
        heights: of the corners of cells, one row and one column more than cells; 0 if not given.
    """
    filled = np.asarray(cells, bool)
    rows, columns = filled.shape
    z, x = np.mgrid[: rows + 1, : columns + 1] * side
    y = np.zeros_like(x) if heights is None else np.asarray(heights, np.float64)
    verts = np.stack([x, y, z], axis=-1).reshape(-1, 3).astype(np.float32)
    polys = _polys(filled)
    corners = verts[polys["verts"][:, :4]]
    tile = Tile(
        header=None,
        verts=verts,
        polys=polys,
        links=np.zeros(4 * len(polys), LINK),
        details=_details(len(polys)),
        detail_verts=np.empty((0, 3), np.float32),
        detail_tris=np.array([[0, 1, 2, _BOUNDARY[0]], [0, 2, 3, _BOUNDARY[1]]] * len(polys), np.uint8),
        bv_tree=_tree(corners, verts.min(axis=0)),
    )
    object.__setattr__(tile, "header", _header(tile))
    return NavMeshFile.of(tile, NavMeshSettings())


def _polys(filled: NDArray[np.bool_]) -> NDArray[Any]:
    rows, columns = filled.shape
    number = np.zeros((rows + 2, columns + 2), np.int64)
    number[1:-1, 1:-1][filled] = np.arange(1, filled.sum() + 1)
    row, column = np.nonzero(filled)
    first = row * (columns + 1) + column
    polys = np.zeros(len(row), POLY)
    polys["first_link"] = 0xFFFFFFFF
    polys["verts"][:, :4] = np.stack([first, first + columns + 1, first + columns + 2, first + 1], axis=1)
    around = [(row + 1, column), (row + 2, column + 1), (row + 1, column + 2), (row, column + 1)]
    polys["neis"][:, :4] = np.stack([number[place] for place in around], axis=1)
    polys["flags"], polys["vert_count"] = 1, 4
    return polys


def _details(count: int) -> NDArray[Any]:
    details = np.zeros(count, DETAIL)
    details["tri_base"], details["tri_count"] = 2 * np.arange(count), 2
    return details


def _header(tile: Tile) -> Any:
    header = np.zeros((), HEADER)
    counts = {
        "poly": tile.polys, "vert": tile.verts, "max_link": tile.links, "detail_mesh": tile.details,
        "detail_vert": tile.detail_verts, "detail_tri": tile.detail_tris, "bv_node": tile.bv_tree,
    }  # fmt: skip
    for name, array in counts.items():
        header[f"{name}_count"] = len(array)
    header["magic"], header["version"], header["off_mesh_base"] = MAGIC, VERSION, len(tile.polys)
    header["walkable_height"], header["walkable_radius"], header["walkable_climb"] = 1.5, 0.1, 0.2
    header["bmin"], header["bmax"] = tile.verts.min(axis=0), tile.verts.max(axis=0)
    header["bv_quant_factor"] = STEP
    return header


def _tree(corners: NDArray[np.float32], origin: NDArray[np.float32]) -> NDArray[Any]:
    """Halve the polygons along the longer side again and again; parents come before their children."""
    low = np.floor((corners.min(axis=1) - origin) * STEP).astype(np.int64)
    high = np.ceil((corners.max(axis=1) - origin) * STEP).astype(np.int64)
    nodes = np.zeros(2 * len(corners), BV_NODE)
    waiting, at = [np.arange(len(corners))], 0
    while waiting:
        items = waiting.pop()
        nodes[at]["bmin"], nodes[at]["bmax"] = low[items].min(axis=0), high[items].max(axis=0)
        nodes[at]["i"] = items[0] if len(items) == 1 else 1 - 2 * len(items)
        at += 1
        if len(items) > 1:
            axis = int(np.argmax(high[items].max(axis=0) - low[items].min(axis=0)))
            ordered = items[np.argsort(low[items, axis], kind="stable")]
            waiting += [ordered[len(ordered) // 2 :], ordered[: len(ordered) // 2]]
    return nodes
