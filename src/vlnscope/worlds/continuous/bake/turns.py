"""Tests of whole-number points seen from above: on which side a point lies, and whether segments cross.

As in O'Rourke, Computational Geometry in C (1998), chapter 1. Points are rows x, height, z. Outlines
of regions turn to the left.
"""

from __future__ import annotations

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.grid import Indices


@compiled
def turn(a: Indices, b: Indices, c: Indices) -> int:
    """Return twice the signed area of a triangle; negative if it turns to the left, 0 if it has none."""
    ab_x, ab_z, ac_x, ac_z = int(b[0] - a[0]), int(b[2] - a[2]), int(c[0] - a[0]), int(c[2] - a[2])
    return ab_x * ac_z - ac_x * ab_z


@compiled
def same_spot(a: Indices, b: Indices) -> bool:
    """Return whether two points are the same seen from above."""
    return bool(a[0] == b[0] and a[2] == b[2])


@compiled
def crosses(a: Indices, b: Indices, c: Indices, d: Indices) -> bool:
    """Return whether two segments cross in a point inside both."""
    abc, abd, cda, cdb = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if abc == 0 or abd == 0 or cda == 0 or cdb == 0:
        return False
    return (abc < 0) != (abd < 0) and (cda < 0) != (cdb < 0)


@compiled
def _on_segment(a: Indices, b: Indices, point: Indices) -> bool:
    if turn(a, b, point) != 0:
        return False
    axis = 0 if a[0] != b[0] else 2
    return bool(min(a[axis], b[axis]) <= point[axis] <= max(a[axis], b[axis]))


@compiled
def meets(a: Indices, b: Indices, c: Indices, d: Indices) -> bool:
    """Return whether two segments cross or touch."""
    if crosses(a, b, c, d):
        return True
    return _on_segment(a, b, c) or _on_segment(a, b, d) or _on_segment(c, d, a) or _on_segment(c, d, b)


@compiled
def in_cone(before: Indices, here: Indices, after: Indices, point: Indices, loose: bool) -> bool:
    """Return whether a point lies in the corner of a polygon, between its two edges.

    Args:
        before: the corner before.
        here: the corner.
        after: the corner after.
        point: the point.
        loose: whether directions along the edges of a convex corner count.
    """
    if turn(before, here, after) > 0:
        return not (turn(here, point, after) <= 0 and turn(point, here, before) <= 0)
    if loose:
        return turn(here, point, before) <= 0 and turn(point, here, after) <= 0
    return turn(here, point, before) < 0 and turn(point, here, after) < 0
