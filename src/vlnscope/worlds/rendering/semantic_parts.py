"""Numbers for the parts of a mesh that have one class and belong to one object, as Habitat counts them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.mesh import Mesh

_SPREAD = 10368889
"""Odd, so that its multiples are different colours for the first 2²⁴ numbers, and far apart for the next."""


class SemanticPart(NamedTuple):
    """A part of a mesh: the sofa of a room, or all walls of one.

    Attributes:
        number: counts from 1; pixels that see nothing are 0.
        category: name of its class.
        owner: the object or room that it belongs to.
        low: lowest corner of the box around it, in the mesh's frame.
        high: highest corner.
    """

    number: int
    category: str
    owner: str
    low: tuple[float, float, float]
    high: tuple[float, float, float]


class SemanticParts(NamedTuple):
    """All parts of a mesh.

    Attributes:
        parts: in the order of their numbers.
        table: number by object and class; the last row and column, which -1 means, are 0.
    """

    parts: tuple[SemanticPart, ...]
    table: NDArray[np.int32]

    def numbers(self, instance: NDArray[np.int32], semantic: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the number of each pixel or face, given its object and class."""
        return self.table[instance, semantic]


def semantic_parts(mesh: Mesh) -> SemanticParts:
    """Number the parts of a mesh: by object, then by class, from 1 on."""
    key = mesh.instance.astype(np.int64) * len(mesh.classes) + mesh.semantic
    pairs, number = np.unique(key, return_inverse=True)
    table = np.zeros((len(mesh.objects) + 1, len(mesh.classes) + 1), dtype=np.int32)
    owner, category = np.divmod(pairs, max(1, len(mesh.classes)))
    table[owner, category] = np.arange(1, len(pairs) + 1)
    low, high = _boxes(mesh, number, len(pairs))
    parts = tuple(
        SemanticPart(
            k + 1, mesh.classes[category[k]], mesh.objects[owner[k]], _point(low[k]), _point(high[k])
        )
        for k in range(len(pairs))
    )
    return SemanticParts(parts, table)


def part_colours(numbers: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return red, green and blue for the numbers of parts: no two alike, and black only for 0, for nothing.

    Example:
        >>> part_colours(np.array([0, 1, 2], dtype=np.int32)).tolist()
        [[0, 0, 0], [158, 55, 121], [60, 110, 242]]
    """
    mixed = (numbers.astype(np.int64) * _SPREAD) & 0xFFFFFF
    return np.stack([mixed >> shift & 255 for shift in (16, 8, 0)], axis=-1).astype(np.uint8)


def _boxes(mesh: Mesh, number: NDArray[np.int64], count: int) -> tuple[Floats, Floats]:
    corners = mesh.vertices[mesh.faces]
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, number, corners.min(axis=1))
    np.maximum.at(high, number, corners.max(axis=1))
    return low, high


def _point(row: Floats) -> tuple[float, float, float]:
    x, y, z = map(float, row)
    return x, y, z
