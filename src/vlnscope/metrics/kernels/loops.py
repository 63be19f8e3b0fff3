"""Compiled loops over ragged batches: step lengths, cost matrices, warping, coverage, edit distance.

A ragged batch is a flat array with offsets: row k owns ``flat[offsets[k]:offsets[k + 1]]``. A cost
matrix of prediction k against reference k is stored row by row (prediction point by prediction point)
at ``cost_offsets[k]``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats, Ints

Nodes = NDArray[np.int32]
Bytes = NDArray[np.uint8]


@compiled
def graph_steps(
    distances: Floats, base: Ints, size: Ints, scene: Ints, nodes: Nodes, offsets: Ints
) -> Floats:
    """Shortest distance from the node before to each node; 0 for the first of a path."""
    out = np.zeros(nodes.size)
    for k in range(offsets.size - 1):
        s = scene[k]
        for i in range(offsets[k] + 1, offsets[k + 1]):
            out[i] = distances[base[s] + nodes[i - 1] * size[s] + nodes[i]]
    return out


@compiled
def graph_costs(
    distances: Floats,
    base: Ints,
    size: Ints,
    scene: Ints,
    pred: Nodes,
    pred_offsets: Ints,
    ref: Nodes,
    ref_offsets: Ints,
    cost_offsets: Ints,
) -> Floats:
    """Shortest distance from every node of a prediction to every node of its reference."""
    out = np.empty(cost_offsets[-1])
    for k in range(cost_offsets.size - 1):
        s = scene[k]
        at = cost_offsets[k]
        for i in range(pred_offsets[k], pred_offsets[k + 1]):
            row = base[s] + pred[i] * size[s]
            for j in range(ref_offsets[k], ref_offsets[k + 1]):
                out[at] = distances[row + ref[j]]
                at += 1
    return out


@compiled
def goal_distances(
    distances: Floats, base: Ints, size: Ints, scene: Ints, nodes: Nodes, offsets: Ints, goals: Nodes
) -> Floats:
    """Shortest distance from every node of a path to the path's goal."""
    out = np.empty(nodes.size)
    for k in range(offsets.size - 1):
        s = scene[k]
        for i in range(offsets[k], offsets[k + 1]):
            out[i] = distances[base[s] + nodes[i] * size[s] + goals[k]]
    return out


@compiled
def step_kinds(
    edges: Bytes, base: Ints, size: Ints, scene: Ints, nodes: Nodes, offsets: Ints
) -> tuple[Ints, Ints]:
    """Per path: how many steps stay at a node, and how many join nodes that share no edge."""
    repeats = np.zeros(offsets.size - 1, dtype=np.int64)
    jumps = np.zeros(offsets.size - 1, dtype=np.int64)
    for k in range(offsets.size - 1):
        s = scene[k]
        for i in range(offsets[k], offsets[k + 1] - 1):
            if nodes[i] == nodes[i + 1]:
                repeats[k] += 1
            elif not edges[base[s] + nodes[i] * size[s] + nodes[i + 1]]:
                jumps[k] += 1
    return repeats, jumps


@compiled
def point_steps(points: Floats, offsets: Ints) -> Floats:
    """Straight line from the point before to each point; 0 for the first of a path."""
    out = np.zeros(points.shape[0])
    for k in range(offsets.size - 1):
        for i in range(offsets[k] + 1, offsets[k + 1]):
            out[i] = _straight(points, i - 1, points, i)
    return out


@compiled
def refreshes(points: Floats, offsets: Ints) -> Ints:
    """For each point, the last point of its path up to it at which Habitat measures the distance to the goal.

    Habitat does so at the first point, and then wherever some coordinate differs from that of the point
    measured last by more than 1e-4 + 1e-5 times its size (NumPy's allclose).
    """
    out = np.empty(points.shape[0], dtype=np.int64)
    for k in range(offsets.size - 1):
        last = offsets[k]
        for i in range(offsets[k], offsets[k + 1]):
            for axis in range(3):
                here = points[i, axis]
                if abs(points[last, axis] - here) > 1e-4 + 1e-5 * abs(here):
                    last = i
                    break
            out[i] = last
    return out


@compiled
def point_costs(
    pred: Floats, pred_offsets: Ints, ref: Floats, ref_offsets: Ints, cost_offsets: Ints
) -> Floats:
    """Straight-line distance from every point of a prediction to every point of its reference."""
    out = np.empty(cost_offsets[-1])
    for k in range(cost_offsets.size - 1):
        at = cost_offsets[k]
        for i in range(pred_offsets[k], pred_offsets[k + 1]):
            for j in range(ref_offsets[k], ref_offsets[k + 1]):
                out[at] = _straight(pred, i, ref, j)
                at += 1
    return out


@compiled
def _straight(a: Floats, i: int, b: Floats, j: int) -> float:
    x, y, z = a[i, 0] - b[j, 0], a[i, 1] - b[j, 1], a[i, 2] - b[j, 2]
    return float(np.sqrt(x * x + y * y + z * z))


@compiled
def warping_costs(
    costs: Floats, cost_offsets: Ints, ref_sizes: Ints, pin_first: Bytes, pin_last: Bytes
) -> Floats:
    """Exact dynamic time warping: the cheapest monotone alignment, unit weights, both ends joined.

    ``pin_first`` lets the first reference point be matched by the first predicted point only,
    ``pin_last`` the last one by the last only; infinity where no alignment obeys.
    """
    widest = 0
    for k in range(ref_sizes.size):
        widest = max(widest, ref_sizes[k])
    above = np.empty(widest + 1)
    here = np.empty(widest + 1)
    out = np.empty(ref_sizes.size)
    for k in range(ref_sizes.size):
        m = ref_sizes[k]
        n = (cost_offsets[k + 1] - cost_offsets[k]) // m
        above[: m + 1] = np.inf
        above[0] = 0.0
        at = cost_offsets[k]
        for i in range(n):
            here[0] = np.inf
            not_first = pin_first[k] and i > 0
            not_last = pin_last[k] and i < n - 1
            for j in range(m):
                if (not_first and j == 0) or (not_last and j == m - 1):
                    here[j + 1] = np.inf
                else:
                    here[j + 1] = costs[at] + min(above[j + 1], here[j], above[j])
                at += 1
            above, here = here, above
        out[k] = above[m]
    return out


@compiled
def coverages(costs: Floats, cost_offsets: Ints, ref_sizes: Ints, decay: float) -> Floats:
    """Mean over reference points of exp(-distance to the nearest predicted point / decay)."""
    out = np.empty(ref_sizes.size)
    for k in range(ref_sizes.size):
        m = ref_sizes[k]
        n = (cost_offsets[k + 1] - cost_offsets[k]) // m
        total = 0.0
        for j in range(m):
            nearest = np.inf
            for i in range(n):
                nearest = min(nearest, costs[cost_offsets[k] + i * m + j])
            total += np.exp(-nearest / decay)
        out[k] = total / m
    return out


@compiled
def edit_distances(pred: Nodes, pred_offsets: Ints, ref: Nodes, ref_offsets: Ints) -> Ints:
    """Levenshtein distance between the sequences of moves (pairs of successive nodes) of two paths."""
    widest = 0
    for k in range(ref_offsets.size - 1):
        widest = max(widest, ref_offsets[k + 1] - ref_offsets[k])
    row = np.empty(widest + 1, dtype=np.int64)
    out = np.empty(ref_offsets.size - 1, dtype=np.int64)
    for k in range(out.size):
        p, r = pred_offsets[k], ref_offsets[k]
        n, m = pred_offsets[k + 1] - p - 1, ref_offsets[k + 1] - r - 1
        for j in range(m + 1):
            row[j] = j
        for i in range(n):
            corner = row[0]
            row[0] = i + 1
            for j in range(m):
                same = pred[p + i] == ref[r + j] and pred[p + i + 1] == ref[r + j + 1]
                best = min(corner + (0 if same else 1), row[j] + 1, row[j + 1] + 1)
                corner = row[j + 1]
                row[j + 1] = best
        out[k] = row[m]
    return out


@compiled
def best_stops(
    steps: Floats, goal: Floats, offsets: Ints, optimum: Floats, radius: float, or_equal: bool
) -> Floats:
    """Best optimum / max(length so far, optimum) over all places near enough to the goal; 0 if none.

    ``steps`` is the length of the step that leads to each point (0 for the first of a path).
    """
    out = np.zeros(offsets.size - 1)
    for k in range(out.size):
        walked = 0.0
        for i in range(offsets[k], offsets[k + 1]):
            walked += steps[i]
            near = goal[i] <= radius if or_equal else goal[i] < radius
            if near:
                longer = max(walked, optimum[k])
                out[k] = max(out[k], optimum[k] / longer if longer > 0.0 else 1.0)
    return out
