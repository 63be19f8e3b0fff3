"""Which faces of a mesh belong together for light: flat pieces of an object, and its smooth corners."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.mesh import Mesh

SMOOTH = math.cos(math.radians(40.0))
"""Faces of one object whose normals differ by less share the light of their common corners."""
_ODD = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


@dataclass(frozen=True, eq=False)
class FlatPieces:
    """Faces of one object and class in one plane.

    Attributes:
        of_face: number of the piece of each face.
        area: square metres of each piece.
        normal: unit normal of each piece.
    """

    of_face: NDArray[np.int64]
    area: Floats
    normal: Floats


@dataclass(frozen=True, eq=False)
class SmoothCorners:
    """Places where faces of one object meet at small angles.

    Attributes:
        of_face: numbers of the corners of each chosen face, (n, 3).
        position: x, y, z of each, a little towards the middle of its faces.
        normal: mean of its faces' normals, weighted by their areas.
        face: a face of each, the largest.
    """

    of_face: NDArray[np.int64]
    position: Floats
    normal: Floats
    face: NDArray[np.int64]


def face_normals(corners: Floats) -> tuple[Floats, Floats]:
    """Return unit normals (zero for faces without area) and areas of triangles, given as (n, 3, 3)."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt((across * across).sum(axis=1))
    return across / np.maximum(length, 1e-30)[:, None], 0.5 * length


def flat_pieces(mesh: Mesh, corners: Floats, normals: Floats, areas: Floats) -> FlatPieces:
    """Find the flat pieces of a mesh; planes within about 2 mm count as one."""
    offset = (normals * corners[:, 0]).sum(axis=1)
    plane = np.column_stack([np.floor(normals * 250.0 + 0.387), np.floor(offset * 500.0 + 0.387)])
    labels = np.column_stack([mesh.instance, mesh.semantic, plane.astype(np.int64)])
    _, first, of_face = np.unique(mixed(labels), return_index=True, return_inverse=True)
    of_face = of_face.reshape(-1)
    return FlatPieces(of_face, np.bincount(of_face, areas).astype(np.float64), normals[first])


def mixed(labels: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return one number per row of whole numbers; rows that differ differ in it, short of a rare accident."""
    with np.errstate(over="ignore"):
        key = np.zeros(len(labels), dtype=np.uint64)
        for column in labels.T:
            key = (key ^ column.astype(np.uint64)) * np.uint64(_ODD[0])
            key = (key ^ (key >> np.uint64(29))) * np.uint64(_ODD[1])
            key ^= key >> np.uint64(32)
    return key


def smooth_corners(
    mesh: Mesh, chosen: NDArray[np.int64], corners: Floats, normals: Floats, areas: Floats
) -> SmoothCorners:
    """Join the corners of the chosen faces that lie at one place of an object and look about one way."""
    if not len(chosen):
        none = np.zeros((0, 3))
        return SmoothCorners(none.astype(np.int64), none, none, np.zeros(0, dtype=np.int64))
    places = corners[chosen].reshape(-1, 3)
    owner = np.repeat(mesh.instance[chosen], 3)
    labels = np.column_stack([owner, np.floor(places * 2000.0 + 0.387).astype(np.int64)])
    order = np.argsort(mixed(labels), kind="stable")
    starts = mixed(labels[order])
    runs = np.flatnonzero(np.concatenate([[True], starts[1:] != starts[:-1], [True]]))
    face = np.repeat(chosen, 3)
    number = np.empty(len(places), dtype=np.int64)
    count = _join_corners(order, runs, face, normals, areas, number)
    weight = areas[face] + 1e-12
    normal = _sums(number, weight[:, None] * normals[face], count)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    total = np.bincount(number, weight, count)[:, None]
    centre = corners.mean(axis=1)[face]
    inward = _sums(number, weight[:, None] * centre, count) / total
    own = _sums(number, weight[:, None] * places, count) / total
    way = inward - own
    length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    position = own + way * np.minimum(0.25, 0.02 / length)
    largest = np.lexsort((np.arange(len(face)), -areas[face], number))
    head = largest[np.searchsorted(number[largest], np.arange(count))]
    return SmoothCorners(number.reshape(-1, 3), position, normal, face[head])


def _sums(number: NDArray[np.int64], rows: Floats, count: int) -> Floats:
    """Return the sum of the rows that have each number."""
    sums = [np.bincount(number, rows[:, i], count) for i in range(rows.shape[1])]
    return np.column_stack(sums).astype(np.float64)


@compiled
def _join_corners(
    order: NDArray[np.int64],
    runs: NDArray[np.int64],
    face: NDArray[np.int64],
    normals: Floats,
    areas: Floats,
    number: NDArray[np.int64],
) -> int:
    """Number the corners; those of a run share one if they look the same way as the first that has it."""
    count = 0
    for r in range(len(runs) - 1):
        low, high = runs[r], runs[r + 1]
        for i in range(low, high):
            f = face[order[i]]
            found = -1
            for j in range(low, i):
                g = face[order[j]]
                along = 0.0
                for k in range(3):
                    along += normals[f, k] * normals[g, k]
                if along > SMOOTH:
                    found = number[order[j]]
                    break
            if found < 0:
                found = count
                count += 1
            number[order[i]] = found
    return count
