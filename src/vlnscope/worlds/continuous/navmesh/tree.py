"""The tree of boxes of a tile: its leaves are polygons, and the first of equal ones is taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import inlined
from vlnscope.worlds.continuous.navmesh.plane import ONE, Bools, Float32, Float32s, Int32s
from vlnscope.worlds.continuous.navmesh.tile import Tile

NOWHERE = 1 << 20
"""A coordinate of boxes that nothing overlaps: quantised ones have 16 bits."""
REACH = (np.float32(2), np.float32(4), np.float32(2))
"""How far Habitat looks for a polygon along each axis, to both sides, in metres."""


class Tree(NamedTuple):
    """Boxes within boxes, parents first.

    Attributes:
        nodes: (b, 7) lower and upper corner of the box in quantised units, and the polygon of a leaf, or
            minus the number of nodes to skip if the box is not overlapped.
        bounds: (2, 3) the box around the mesh.
        step: quantised units per metre.
        place: origin x and z, width and depth, column and row of the tile.
    """

    nodes: Int32s
    bounds: Float32s
    step: Float32
    place: Float32s


def tree_of(tile: Tile, origin: tuple[float, float, float], size: tuple[float, float]) -> Tree:
    """Lay out the tree of a tile; `origin` and `size` are those of its file."""
    head, boxes = tile.header, tile.bv_tree
    nodes = np.concatenate([boxes["bmin"], boxes["bmax"], boxes["i"][:, None]], axis=1).astype(np.int32)
    return Tree(
        nodes=nodes,
        bounds=np.stack([head["bmin"], head["bmax"]]).astype(np.float32),
        step=np.float32(head["bv_quant_factor"]),
        place=np.array([origin[0], origin[2], *size, head["x"], head["y"]], np.float32),
    )


def leave_out(tree: Tree, kept: Bools) -> Tree:
    """Give boxes that nothing overlaps to the leaves of all polygons that are not kept."""
    nodes = tree.nodes.copy()
    leaf = np.flatnonzero(nodes[:, 6] >= 0)
    nodes[leaf[~kept[nodes[leaf, 6]]], :6] = NOWHERE, NOWHERE, NOWHERE, 0, 0, 0
    return tree._replace(nodes=nodes)


@inlined
def on_tile(tree: Tree, x: Float32, z: Float32) -> bool:
    """Return whether the box around a point touches the tile, which is all of the mesh."""
    place = tree.place
    return _spans(x, REACH[0], place[0], place[2], place[4]) and _spans(
        z, REACH[2], place[1], place[3], place[5]
    )


@inlined
def _spans(at: Float32, reach: Float32, origin: Float32, size: Float32, number: Float32) -> bool:
    """Whether an interval touches the tile of that number along an axis."""
    first, last = np.floor((at - reach - origin) / size), np.floor((at + reach - origin) / size)
    return bool(first <= number and last >= number)


@inlined
def quantised(tree: Tree, axis: int, at: Float32) -> tuple[int, int]:
    """Clamp the interval around a coordinate to the mesh and count it in units of the tree."""
    least, most = tree.bounds[0, axis], tree.bounds[1, axis]
    low = min(max(at - REACH[axis], least), most) - least
    high = min(max(at + REACH[axis], least), most) - least
    return int(tree.step * low) & 0xFFFE, (int(tree.step * high + ONE) & 0xFFFF) | 1
