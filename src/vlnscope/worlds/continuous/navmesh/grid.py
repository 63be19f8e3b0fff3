"""Polygons by place: a shortcut to those that a point lies over.

The tree decides which polygon is nearest, but a point on the ground is at no distance from the polygon under
it, and the first such polygon in the order of the tree is the answer. A cell lists the polygons whose boxes
touch it in that order. The shortcut is sound only where the tree would have led to all of them, so a mesh
whose tree is not in order gets a grid without cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled, inlined
from vlnscope.worlds.continuous.navmesh.plane import Float32, Float32s, Int32s
from vlnscope.worlds.continuous.navmesh.tree import Tree

CELL = 0.5
"""Side of a cell, in metres; larger where there would be too many."""
MOST_CELLS = 1 << 16
_SLACK = 0.5  # a box may be this much smaller than what it holds: queries reach much farther


class PolyGrid(NamedTuple):
    """Lists of polygons, cell by cell.

    Attributes:
        first: where the list of each cell begins, row by row; one entry more than cells.
        items: the polygons.
        columns: cells along x; 0 in a grid without cells.
        rows: cells along z.
        x: lower bound along x.
        z: lower bound along z.
        scale: cells per metre.
    """

    first: Int32s
    items: Int32s
    columns: int
    rows: int
    x: Float32
    z: Float32
    scale: Float32


def grid_of(tree: Tree, boxes: Float32s, climb: Float32) -> PolyGrid:
    """List the polygons that the tree leads to; `boxes` are those around their corners."""
    low, high = tree.bounds.astype(np.float64)
    width, depth = high[0] - low[0], high[2] - low[2]
    cell = max(CELL, float(np.sqrt(width * depth / MOST_CELLS)), max(width, depth) / MOST_CELLS)
    items = _leaves(tree)
    sound = len(items) > 0 and _is_sound(tree, boxes, items, climb)
    columns, rows = (int(width / cell) + 1, int(depth / cell) + 1) if sound else (0, 0)
    spans = (boxes[items][:, [0, 2, 3, 5]] - low[[0, 2, 0, 2]]) / cell if sound else np.empty((0, 4))
    spans = np.clip(
        spans + np.array([-0.01, -0.01, 0.01, 0.01]), 0, [columns - 1, rows - 1] * 2 if sound else 0
    )
    first, listed = _fill(spans.astype(np.int32), items, columns, rows)
    return PolyGrid(first, listed, columns, rows, tree.bounds[0, 0], tree.bounds[0, 2], np.float32(1 / cell))


def _leaves(tree: Tree) -> Int32s:
    """The polygons of the leaves that can be walked on, each where it first occurs."""
    items = tree.nodes[(tree.nodes[:, 6] >= 0) & (tree.nodes[:, 0] <= 0xFFFF), 6]
    _, first = np.unique(items, return_index=True)
    return np.asarray(items[np.sort(first)], np.int32)


def _is_sound(tree: Tree, boxes: Float32s, items: Int32s, climb: Float32) -> bool:
    """Whether each leaf holds its polygon, each box its children, and the mesh fills its tile."""
    low, high = tree.bounds.astype(np.float64)
    spread = (high - low) * float(tree.step)
    at_home = np.abs(tree.place - [low[0], low[2], high[0] - low[0], high[2] - low[2], 0, 0]).max() < 0.1
    inside = (boxes[items, :3] > low - 0.01).all() and (boxes[items, 3:] < high + 0.01).all()
    if not (at_home and inside and 0 <= climb < 1 and spread.max() < 0xFFF0 and _is_nested(tree.nodes)):
        return False
    leaves = tree.nodes[tree.nodes[:, 6] >= 0]
    _, first = np.unique(leaves[:, 6], return_index=True)
    leaves = leaves[first]
    leaves = leaves[np.isin(leaves[:, 6], items)]
    slack = _SLACK * float(tree.step)
    held = boxes[leaves[:, 6]].reshape(-1, 2, 3).astype(np.float64)
    held = (held - low) * float(tree.step)
    return bool((leaves[:, :3] <= held[:, 0] + slack).all() and (leaves[:, 3:6] >= held[:, 1] - slack).all())


@compiled
def _is_nested(nodes: Int32s) -> bool:
    """Whether all boxes lie within those of their parents, boxes that nothing overlaps aside."""
    for parent in range(len(nodes)):
        for child in range(parent + 1, parent - nodes[parent, 6]):
            if nodes[child, 0] > 0xFFFF:
                continue
            for axis in range(3):
                if (
                    nodes[child, axis] < nodes[parent, axis]
                    or nodes[child, axis + 3] > nodes[parent, axis + 3]
                ):
                    return False
    return True


@compiled
def _fill(spans: Int32s, items: Int32s, columns: int, rows: int) -> tuple[Int32s, Int32s]:
    """Enter each item in the cells of its span: first and last column and row."""
    first = np.zeros(columns * rows + 1, np.int32)
    for k in range(len(spans)):
        for row in range(spans[k, 1], spans[k, 3] + 1):
            for column in range(spans[k, 0], spans[k, 2] + 1):
                first[row * columns + column + 1] += 1
    for cell in range(columns * rows):
        first[cell + 1] += first[cell]
    at = first.copy()
    listed = np.empty(first[-1], np.int32)
    for k in range(len(spans)):
        for row in range(spans[k, 1], spans[k, 3] + 1):
            for column in range(spans[k, 0], spans[k, 2] + 1):
                listed[at[row * columns + column]] = items[k]
                at[row * columns + column] += 1
    return first, listed


@inlined
def cell_of(grid: PolyGrid, x: Float32, z: Float32) -> int:
    """Return the cell that a point lies in, -1 outside of the grid."""
    column, row = (x - grid.x) * grid.scale, (z - grid.z) * grid.scale
    if column >= 0 and row >= 0 and column < grid.columns and row < grid.rows:  # false for NaN
        return int(row) * grid.columns + int(column)
    return -1
