"""The arrays of a Detour tile, with the layout that they have in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CORNERS = 6
"""Corners of a polygon at most; fixed when Detour is compiled."""

HEADER = np.dtype(
    [
        ("magic", "<i4"), ("version", "<i4"), ("x", "<i4"), ("y", "<i4"), ("layer", "<i4"),
        ("user_id", "<u4"), ("poly_count", "<i4"), ("vert_count", "<i4"), ("max_link_count", "<i4"),
        ("detail_mesh_count", "<i4"),
        ("detail_vert_count", "<i4"), ("detail_tri_count", "<i4"), ("bv_node_count", "<i4"),
        ("off_mesh_con_count", "<i4"), ("off_mesh_base", "<i4"), ("walkable_height", "<f4"),
        ("walkable_radius", "<f4"), ("walkable_climb", "<f4"), ("bmin", "<f4", 3), ("bmax", "<f4", 3),
        ("bv_quant_factor", "<f4"),
    ]
)  # fmt: skip
POLY = np.dtype(
    [
        ("first_link", "<u4"), ("verts", "<u2", CORNERS), ("neis", "<u2", CORNERS), ("flags", "<u2"),
        ("vert_count", "u1"), ("area_and_type", "u1"),
    ]
)  # fmt: skip
LINK = np.dtype(
    [("ref", "<u4"), ("next", "<u4"), ("edge", "u1"), ("side", "u1"), ("bmin", "u1"), ("bmax", "u1")]
)
DETAIL = np.dtype(
    [("vert_base", "<u4"), ("tri_base", "<u4"), ("vert_count", "u1"), ("tri_count", "u1"), ("pad", "<u2")]
)
BV_NODE = np.dtype([("bmin", "<u2", 3), ("bmax", "<u2", 3), ("i", "<i4")])
MAGIC, VERSION = 0x444E4156, 7
"""``DNAV`` and the version of the tile format."""


@dataclass(frozen=True, eq=False)
class Tile:
    """One Detour tile: what a file holds of it, and what a bake makes.

    Attributes:
        header: a scalar of the type `HEADER`.
        verts: corners of polygons, (n, 3) float32.
        polys: polygons, of the type `POLY`; ``neis`` counts neighbours from 1, 0 is a wall.
        links: room for the links that Detour makes when it loads the tile, of the type `LINK`.
        details: the detail mesh of each polygon, of the type `DETAIL`.
        detail_verts: its further vertices, (n, 3) float32.
        detail_tris: its triangles, (n, 4) uint8: three corners and flags.
        bv_tree: bounding volumes, of the type `BV_NODE`.
        off_mesh: off-mesh connections, as bytes; Habitat makes none.
    """

    header: Any
    verts: NDArray[np.float32]
    polys: NDArray[Any]
    links: NDArray[Any]
    details: NDArray[Any]
    detail_verts: NDArray[np.float32]
    detail_tris: NDArray[np.uint8]
    bv_tree: NDArray[Any]
    off_mesh: bytes = b""
