"""What must hold of a tile before compiled code may follow its indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.types import Flags
from vlnscope.worlds.continuous.navmesh.tile import CORNERS, MAGIC, VERSION, Tile

FARTHEST = 1e6
"""Coordinates are within this many metres: beyond, 32-bit numbers are no longer fit to walk on."""
EXTERNAL = 0x8000
"""Marks an edge at the border of a tile."""
_GROUND_TYPE_BITS = 6


def damaged(name: str, what: str) -> InputError:
    """Return the error for a file that contradicts itself."""
    return InputError(
        f"{name}: {what}",
        expected="a .navmesh file as Habitat writes it, complete and with 32-bit references",
        fix="copy the file again, or bake the mesh again",
    )


def check_tile(name: str, tile: Tile) -> None:
    """Refuse a tile of which a count, an index or a coordinate cannot be.

    Raises:
        InputError: what is wrong with it; `name` is what the error calls it.
    """
    _check_header(name, tile)
    _check_polys(name, tile)
    _check_details(name, tile)
    _check_tree(name, tile)


def _check_header(name: str, tile: Tile) -> None:
    head = tile.header
    if head["magic"] != MAGIC or head["version"] != VERSION:
        raise damaged(name, f"has a tile that is not of version {VERSION} of Detour's format")
    if any(head[f"{part}_count"] != len(array) for part, array in _counted(tile).items()):
        raise damaged(name, "has counts that do not agree with what it holds")
    if head["off_mesh_con_count"]:
        raise damaged(name, "has off-mesh connections, which Habitat never makes")
    if not (_near(head["bmin"]) and _near(head["bmax"]) and (head["bmin"] <= head["bmax"]).all()):
        raise damaged(name, "has a tile without sound bounds")
    if not np.isfinite(head["walkable_climb"]) or abs(head["walkable_climb"]) > FARTHEST:
        raise damaged(name, f"has a climb of {head['walkable_climb']} m")
    steps = float(head["bv_quant_factor"]) * (head["bmax"].astype(np.float64) - head["bmin"]).max()
    if len(tile.bv_tree) and not 0 <= steps < 2**31:
        raise damaged(name, "has a tree of boxes without a sound step")
    if not (_near(tile.verts) and _near(tile.detail_verts)):
        raise damaged(name, f"has coordinates that are no numbers or farther than {FARTHEST:.0f} m")


def _counted(tile: Tile) -> dict[str, NDArray[Any]]:
    return {
        "vert": tile.verts, "poly": tile.polys, "max_link": tile.links, "detail_mesh": tile.details,
        "detail_vert": tile.detail_verts, "detail_tri": tile.detail_tris, "bv_node": tile.bv_tree,
    }  # fmt: skip


def _near(values: NDArray[np.float32]) -> bool:
    return bool(np.all(np.abs(values) <= FARTHEST))  # false for NaN


def _check_polys(name: str, tile: Tile) -> None:
    polys = tile.polys
    corners = polys["vert_count"]
    if ((corners < 3) | (corners > CORNERS)).any() or (polys["area_and_type"] >> _GROUND_TYPE_BITS).any():
        raise damaged(name, f"has polygons without 3 to {CORNERS} corners, or that are no ground")
    used = np.arange(CORNERS) < corners[:, None]
    if (used & (polys["verts"] >= len(tile.verts))).any():
        raise damaged(name, "has polygons with corners that are not there")
    neighbours = polys["neis"]
    inside = used & (neighbours > 0) & (neighbours < EXTERNAL)
    if (inside & (neighbours > len(polys))).any():
        raise damaged(name, "has polygons with neighbours that are not there")
    if inside.sum() > len(tile.links):
        raise damaged(name, f"has {inside.sum()} inner edges, and room for {len(tile.links)} links")


def _check_details(name: str, tile: Tile) -> None:
    details, polys = tile.details, tile.polys
    if len(details) != len(polys):
        raise damaged(name, f"has {len(details)} detail meshes of {len(polys)} polygons")
    verts, tris = details["vert_count"].astype(np.int64), details["tri_count"].astype(np.int64)
    if (details["vert_base"] + verts > len(tile.detail_verts)).any():
        raise damaged(name, "has detail meshes with vertices that are not there")
    if (details["tri_base"] + tris > len(tile.detail_tris)).any():
        raise damaged(name, "has detail meshes with triangles that are not there")
    owner = np.repeat(np.arange(len(polys)), tris)
    rows = np.arange(len(owner)) + np.repeat(details["tri_base"] - (np.cumsum(tris) - tris), tris)
    most = polys["vert_count"] + verts
    if (tile.detail_tris[rows, :3] >= most[owner, None]).any():
        raise damaged(name, "has triangles with corners that are not there")


def _check_tree(name: str, tile: Tile) -> None:
    item = tile.bv_tree["i"].astype(np.int64)
    leaf: Flags = item >= 0
    after = len(item) - np.arange(len(item))
    if (item[leaf] >= len(tile.polys)).any() or (-item[~leaf] > after[~leaf]).any():
        raise damaged(name, "has a tree of boxes that leads nowhere")
