"""Cuts outlines into triangles, ear by ear: always the ear with the shortest diagonal."""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.grid import Bytes, Indices
from vlnscope.worlds.continuous.bake.turns import crosses, in_cone, meets, same_spot


@compiled
def triangulate(outline: Indices, triangles: Indices) -> int:
    """Write the triangles of an outline as numbers of its points, and return how many there are.

    Where bridges to holes or simplification let an outline touch itself, ears are looked for that overlap its
    edges; if there are none either, the rest is left out.
    """
    left = outline.shape[0]
    ring = np.arange(left).astype(np.int32)
    is_ear = np.zeros(left, np.uint8)
    for k in range(left):
        is_ear[(k + 1) % left] = _is_diagonal(outline, ring, left, k, (k + 2) % left, False)
    count = 0
    while left > 3:
        k = _shortest(outline, ring, left, is_ear)
        if k < 0:
            k = _shortest_loose(outline, ring, left)
        if k < 0:
            return count
        tip = (k + 1) % left
        triangles[count, 0], triangles[count, 1], triangles[count, 2] = (
            ring[k],
            ring[tip],
            ring[(k + 2) % left],
        )
        count += 1
        left -= 1
        for i in range(tip, left):
            ring[i], is_ear[i] = ring[i + 1], is_ear[i + 1]
        tip = tip if tip < left else 0
        k = (tip + left - 1) % left
        is_ear[k] = _is_diagonal(outline, ring, left, (k + left - 1) % left, tip, False)
        is_ear[tip] = _is_diagonal(outline, ring, left, k, (tip + 1) % left, False)
    triangles[count, 0], triangles[count, 1], triangles[count, 2] = ring[0], ring[1], ring[2]
    return count + 1


@compiled
def _shortest(outline: Indices, ring: Indices, left: int, is_ear: Bytes) -> int:
    """The point before the ear with the shortest diagonal; -1 if there is no ear."""
    best, least = -1, 0
    for k in range(left):
        if is_ear[(k + 1) % left]:
            length = _squared_length(outline, ring[k], ring[(k + 2) % left])
            if best < 0 or length < least:
                best, least = k, length
    return best


@compiled
def _shortest_loose(outline: Indices, ring: Indices, left: int) -> int:
    """The same for ears whose diagonals may touch edges, measured to the point after them, as Recast does."""
    best, least = -1, 0
    for k in range(left):
        if _is_diagonal(outline, ring, left, k, (k + 2) % left, True):
            length = _squared_length(outline, ring[k], ring[(k + 3) % left])
            if best < 0 or length < least:
                best, least = k, length
    return best


@compiled
def _squared_length(outline: Indices, one: int, other: int) -> int:
    dx, dz = int(outline[one, 0] - outline[other, 0]), int(outline[one, 2] - outline[other, 2])
    return dx * dx + dz * dz


@compiled
def _is_diagonal(outline: Indices, ring: Indices, left: int, i: int, j: int, loose: bool) -> bool:
    """Whether the segment between two points lies inside what is left of the outline."""
    a, b = outline[ring[i]], outline[ring[j]]
    before, after = outline[ring[(i + left - 1) % left]], outline[ring[(i + 1) % left]]
    if not in_cone(before, a, after, b, loose):
        return False
    for k in range(left):
        following = k + 1 if k + 1 < left else 0
        if i in (k, following) or j in (k, following):
            continue
        c, d = outline[ring[k]], outline[ring[following]]
        if same_spot(a, c) or same_spot(b, c) or same_spot(a, d) or same_spot(b, d):
            continue
        if crosses(a, b, c, d) or (not loose and meets(a, b, c, d)):
            return False
    return True
