"""Joins the holes of a region to its outline by bridges, so that one polygon goes around all of it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.types import Ints
from vlnscope.worlds.continuous.bake.grid import ZERO, Indices, int64
from vlnscope.worlds.continuous.bake.turns import in_cone, meets, same_spot

_NONE = int64(-1)


def join_holes(outlines: list[Indices], owner: Indices) -> tuple[list[Indices], Indices]:
    """Return one outline per region, holes joined to it, and their regions.

    A hole that no bridge leads to, or whose region has no outline, is left as it is.
    """
    joined = list(outlines)
    holes: defaultdict[int, list[int]] = defaultdict(list)
    around: dict[int, int] = {}
    for k, outline in enumerate(outlines):
        if _double_area(outline) < -2:
            holes[int(owner[k])].append(k)
        else:
            around[int(owner[k])] = k
    for region, inside in holes.items():
        if region in around:
            _join(joined, around[region], inside)
    kept = [k for k, outline in enumerate(joined) if len(outline)]
    return [joined[k] for k in kept], owner[kept]


def _double_area(outline: Indices) -> int:
    x, z = outline[:, 0].astype(np.int64), outline[:, 2].astype(np.int64)
    return int((x * np.roll(z, 1) - np.roll(x, 1) * z).sum())


def _join(outlines: list[Indices], around: int, inside: list[int]) -> None:
    """Join holes from left to right, each at its leftmost point if a bridge from there is free."""
    leftmost = {k: int(np.lexsort((outlines[k][:, 2], outlines[k][:, 0]))[0]) for k in inside}
    order = sorted(inside, key=lambda k: tuple(outlines[k][leftmost[k], [0, 2]].tolist()))
    for n, k in enumerate(order):
        hole = outlines[k]
        left = np.concatenate([outlines[other] for other in order[n:]])
        ends = np.cumsum([len(outlines[other]) for other in order[n:]])
        here, there = _bridge(outlines[around], hole, leftmost[k], left, ends)
        if here >= 0:
            parts = (outlines[around][here:], outlines[around][: here + 1], hole[there:], hole[: there + 1])
            outlines[around], outlines[k] = np.concatenate(parts), hole[:0]


@compiled
def _bridge(outline: Indices, hole: Indices, first: int, holes: Indices, ends: Ints) -> tuple[int, int]:
    """The point of the outline and that of the hole between which the shortest free bridge lies; -1: none."""
    for turned in range(hole.shape[0]):
        there = (first + turned) % hole.shape[0]
        corner = hole[there]
        lengths = _lengths(outline, corner)
        for _ in range(lengths.size):
            here = _nearest(lengths)
            if here < 0:
                break
            lengths[here] = -1
            blocked = _blocked(outline[here], corner, outline, ZERO, outline.shape[0], here)
            start = ZERO
            for end in ends:
                blocked = blocked or _blocked(outline[here], corner, holes, start, end, _NONE)
                start = end
            if not blocked:
                return here, there
    return -1, -1


@compiled
def _lengths(outline: Indices, corner: Indices) -> Ints:
    """Squared distances of a point from the points of an outline; -1 where their corners open elsewhere."""
    size = outline.shape[0]
    out = np.empty(size, np.int64)
    for k in range(size):
        out[k] = -1
        if in_cone(outline[k - 1 if k else size - 1], outline[k], outline[(k + 1) % size], corner, False):
            dx, dz = outline[k, 0] - corner[0], outline[k, 2] - corner[2]
            out[k] = dx * dx + dz * dz
    return out


@compiled
def _nearest(lengths: Ints) -> int:
    best = -1
    for k in range(lengths.size):
        if lengths[k] >= 0 and (best < 0 or lengths[k] < lengths[best]):
            best = k
    return best


@compiled
def _blocked(a: Indices, b: Indices, polygon: Indices, start: int, end: int, skipped: int) -> bool:
    """Whether a segment meets an edge of a polygon that shares no corner with it."""
    for k in range(start, end):
        following = k + 1 if k + 1 < end else start
        if skipped in (k, following):
            continue
        c, d = polygon[k], polygon[following]
        if same_spot(a, c) or same_spot(b, c) or same_spot(a, d) or same_spot(b, d):
            continue
        if meets(a, b, c, d):
            return True
    return False
