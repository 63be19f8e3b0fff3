"""Small closed shapes, each a pair of vertices and triangles, to put furniture and buildings together.

All shapes have their triangles counter-clockwise seen from outside. Lengths are metres, z points up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats

Faces = NDArray[np.int32]
Shape = tuple[Floats, Faces]
Point = tuple[float, float, float]
Rectangle = tuple[float, float, float, float]
Outline = list[tuple[float, float]]


def _grid(rows: Sequence[Sequence[int]]) -> Faces:
    faces = np.asarray(rows, dtype=np.int32)
    faces.flags.writeable = False
    return faces


_BOX_FACES = _grid(
    [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
     [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]
)  # fmt: skip
_QUAD_FACES = _grid([[0, 1, 2], [0, 2, 3]])


def box(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> Shape:
    """Return an upright box (12 triangles)."""
    return frustum((x0, x1, y0, y1), (x0, x1, y0, y1), z0, z1)


def frustum(low: Rectangle, high: Rectangle, z0: float, z1: float) -> Shape:
    """Return a box whose lower and upper rectangle (x0, x1, y0, y1) differ."""
    (a, b, c, d), (e, f, g, h) = low, high
    corners = [
        (a, c, z0), (b, c, z0), (b, d, z0), (a, d, z0), (e, g, z1), (f, g, z1), (f, h, z1), (e, h, z1),
    ]  # fmt: skip
    return np.array(corners, dtype=np.float64), _BOX_FACES


def quad(a: Point, b: Point, c: Point, d: Point) -> Shape:
    """Return a four-cornered face, counter-clockwise seen from its front."""
    return np.array((a, b, c, d), dtype=np.float64), _QUAD_FACES


def facet(*points: Point) -> Shape:
    """Return a flat convex face, counter-clockwise seen from its front; equal neighbours count once."""
    kept = [point for i, point in enumerate(points) if math.dist(point, points[i - 1]) > 1e-9]
    faces = [(0, i, i + 1) for i in range(1, len(kept) - 1)]
    return np.array(kept, dtype=np.float64).reshape(-1, 3), np.array(faces, dtype=np.int32).reshape(-1, 3)


@lru_cache(maxsize=256)
def _lathe_faces(sides: int, poles: tuple[bool, ...]) -> Faces:
    faces = []
    for row in range(len(poles) - 1):
        for i in range(sides):
            j = (i + 1) % sides
            a, b, c, d = row * sides + i, row * sides + j, (row + 1) * sides + j, (row + 1) * sides + i
            if not poles[row]:
                faces.append((a, b, c))
            if not poles[row + 1]:
                faces.append((a, c, d))
    return _grid(faces)


@lru_cache(maxsize=64)
def _circle(sides: int, phase: float) -> Floats:
    angles = np.arange(sides) * (math.tau / sides) + phase
    return np.stack([np.cos(angles), np.sin(angles), np.zeros(sides)], axis=1)


def lathe(profile: Sequence[tuple[float, float]], sides: int = 12, phase: float = 0.0) -> Shape:
    """Turn a profile of (radius, z) around the z axis.

    The profile runs from the bottom to the top along the outside (a bowl then goes on down its inside). It
    is closed where it begins and ends with radius 0.
    """
    radii = np.array([r for r, _ in profile])
    points = _circle(sides, phase)[None] * radii[:, None, None]
    points[:, :, 2] = np.array([z for _, z in profile])[:, None]
    return points.reshape(-1, 3), _lathe_faces(sides, tuple(bool(r == 0.0) for r in radii))


def cylinder(radius: float, z0: float, z1: float, sides: int = 12, top: float | None = None) -> Shape:
    """Return an upright cylinder around the z axis, or a cone stump if `top` gives another radius."""
    return lathe([(0, z0), (radius, z0), (radius if top is None else top, z1), (0, z1)], sides)


def ball(centre: Point, radii: Point, sides: int = 10, rings: int = 6) -> Shape:
    """Return an ellipsoid."""
    angles = [math.pi * i / rings - math.pi / 2 for i in range(rings + 1)]
    profile = [(math.cos(t), math.sin(t)) for t in angles]
    profile[0], profile[-1] = (0.0, -1.0), (0.0, 1.0)
    points, faces = lathe(profile, sides)
    return points * np.array(radii) + np.array(centre), faces


def pillow(
    low: Point, high: Point, sides: int = 16, rings: int = 6, square: float = 0.45, flat: float = 0.7
) -> Shape:
    """Return a rounded block between two corners: a cushion, a mattress, a bag.

    Args:
        low: its least x, y, z.
        high: its greatest x, y, z.
        sides: how many corners its outline has.
        rings: how many rows of faces from the bottom to the top.
        square: 1 for an ellipse seen from above, towards 0 for a rectangle.
        flat: 1 for an ellipse seen from the side, towards 0 for a box.
    """
    turn = _circle(sides, math.pi / sides)
    plan = np.sign(turn) * np.abs(turn) ** square
    rows = []
    for i in range(rings + 1):
        t = math.pi * i / rings - math.pi / 2
        wide = 0.0 if i in (0, rings) else math.cos(t) ** flat
        rows.append(plan * wide + np.array((0.0, 0.0, math.copysign(abs(math.sin(t)) ** flat, t))))
    poles = (True, *(False for _ in range(rings - 1)), True)
    a, b = np.array(low, dtype=np.float64), np.array(high, dtype=np.float64)
    reach = np.array((*np.abs(plan).max(axis=0)[:2], 1.0))
    return np.concatenate(rows) / reach * (b - a) / 2 + (a + b) / 2, _lathe_faces(sides, poles)


def blade(middle: Sequence[Point], widths: Sequence[float], across: Point) -> Shape:
    """Return a thin leaf or strap: half `widths` to both sides of a middle line along `across`.

    It is one sheet without thickness; where a width is 0 it is pointed.
    """
    line = np.array(middle, dtype=np.float64)
    side = np.array(widths)[:, None] * np.array(across)[None]
    points = np.concatenate([line - side, line + side])
    count, faces = len(line), []
    for i in range(count - 1):
        a, b, c, d = i, i + 1, count + i + 1, count + i
        if widths[i]:
            faces.append((a, b, d))
        if widths[i + 1]:
            faces.append((b, c, d))
    return points, _grid(faces)


def rounded(x0: float, x1: float, y0: float, y1: float, radius: float, steps: int = 3) -> Outline:
    """Return the outline of a rectangle with round corners, counter-clockwise, to raise it (`prism`)."""
    r = min(radius, 0.499 * (x1 - x0), 0.499 * (y1 - y0))
    corners = ((x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180), (x1 - r, y0 + r, 270))
    return [
        (cx + r * math.cos(math.radians(start + 90 * i / steps)),
         cy + r * math.sin(math.radians(start + 90 * i / steps)))
        for cx, cy, start in corners
        for i in range(steps + 1)
    ]  # fmt: skip


def tube(start: Point, end: Point, radius: float, sides: int = 6, tip: float | None = None) -> Shape:
    """Return a round bar from `start` to `end`; with `tip` its end has another radius."""
    p, q = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    length = math.dist(start, end)
    points, faces = cylinder(radius, 0.0, length, sides, tip)
    return points @ _towards((q - p) / max(length, 1e-9)) + p, faces


def _towards(direction: Floats) -> Floats:
    x, y, z = (float(v) for v in direction)
    if abs(z) < 0.9:
        flat = math.hypot(x, y)
        first = (-y / flat, x / flat, 0.0)
    else:
        flat = math.hypot(x, z)
        first = (z / flat, 0.0, -x / flat)
    a, b, c = first
    second = (y * c - z * b, z * a - x * c, x * b - y * a)
    return np.array((first, second, (x, y, z)))


def path(points: Sequence[Point], radius: float | Sequence[float], sides: int = 5) -> Shape:
    """Return a round bar through the points, bent without gaps at each; one radius, or one per point.

    Points that coincide with the one before are left out; with fewer than two left the shape is empty.
    """
    rows = [np.array(points[0], dtype=np.float64)]
    radii = [radius] * len(points) if isinstance(radius, float | int) else list(radius)
    thick = [radii[0]]
    for point, each in zip(points[1:], radii[1:], strict=True):
        row = np.array(point, dtype=np.float64)
        if float(np.abs(row - rows[-1]).max()) > 1e-9:
            rows.append(row)
            thick.append(each)
    if len(rows) < 2:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)
    return _bent(np.array(rows), thick, sides)


def _bent(rows: Floats, thick: Sequence[float], sides: int) -> Shape:
    steps = np.diff(rows, axis=0)
    steps /= np.linalg.norm(steps, axis=1)[:, None]
    frame = _towards(steps[0])
    circle = _circle(sides, 0.0)[:, :2]
    rings = [np.repeat(rows[:1], sides, axis=0)]
    for i in range(len(rows)):
        along = steps[max(i - 1, 0)] + steps[min(i, len(steps) - 1)]
        size = float(np.linalg.norm(along))
        along = along / size if size > 1e-6 else steps[min(i, len(steps) - 1)]
        frame = _bent_frame(frame, along)
        rings.append(rows[i] + thick[i] * (circle @ frame[:2]))
    rings.append(np.repeat(rows[-1:], sides, axis=0))
    poles = (True, *(False for _ in rows), True)
    return np.concatenate(rings), _lathe_faces(sides, poles)


def _bent_frame(frame: Floats, along: Floats) -> Floats:
    """Turn a frame the shortest way so that its third axis is `along`."""
    axis, cos = np.cross(frame[2], along), float(frame[2] @ along)
    if cos < -0.999:
        return _towards(along)
    swept = frame + np.cross(axis, frame) + np.cross(axis, np.cross(axis, frame)) / (1.0 + cos)
    return np.asarray(swept, dtype=np.float64)


def ring(radius: float, thickness: float, sides: int = 16, around: int = 5, sweep: float = 360.0) -> Shape:
    """Return a torus in the plane z = 0 around the origin; with `sweep` < 360 an arc from +x on, open."""
    closed = sweep >= 360.0
    steps = sides if closed else sides + 1
    angles = np.arange(steps) * math.radians(min(sweep, 360.0)) / sides
    turn = _circle(around, 0.0)
    out = np.broadcast_to(radius + thickness * turn[None, :, 0], (steps, around))
    points = np.stack(
        [np.cos(angles)[:, None] * out, np.sin(angles)[:, None] * out,
         np.broadcast_to(thickness * turn[None, :, 1], (steps, around))], axis=2
    ).reshape(-1, 3)  # fmt: skip
    return points, _ring_faces(sides, around, closed)


@lru_cache(maxsize=64)
def _ring_faces(sides: int, around: int, closed: bool) -> Faces:
    faces = []
    for i in range(sides):
        for j in range(around):
            after = (i + 1) % sides if closed else i + 1
            a, b = i * around + j, after * around + j
            c, d = after * around + (j + 1) % around, i * around + (j + 1) % around
            faces += [(a, b, c), (a, c, d)]
    return _grid(faces)


def prism(outline: Sequence[tuple[float, float]], low: float, high: float) -> Shape:
    """Raise an outline (x, y) from z = `low` to `high`.

    The outline is counter-clockwise and all of it must be visible from its mean point.
    """
    count = len(outline)
    flat = np.array(outline, dtype=np.float64)
    flat = np.concatenate([flat, flat.mean(axis=0)[None]])
    points = np.concatenate(
        [np.column_stack([flat, np.full(count + 1, low)]), np.column_stack([flat, np.full(count + 1, high)])]
    )
    return points, _prism_faces(count)


@lru_cache(maxsize=64)
def _prism_faces(count: int) -> Faces:
    faces = []
    for i in range(count):
        j, top = (i + 1) % count, count + 1
        faces += [(j, i, count), (top + i, top + j, top + count), (i, j, top + j), (i, top + j, top + i)]
    return _grid(faces)


@lru_cache(maxsize=1)
def _soft_faces() -> Faces:
    """Faces of a bevelled box; vertex 3 i + k of corner i stays out along axis k and else moves in."""
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    points = np.array(
        [[s[a] * (0.5 if a != keep else 1.0) for a in range(3)] for s in signs for keep in range(3)]
    )
    normals = [n for n in np.ndindex(3, 3, 3) if n != (1, 1, 1)]
    faces: list[tuple[int, int, int]] = []
    for normal in normals:
        n = np.array(normal, dtype=np.float64) - 1
        reach = points @ n
        corners = np.flatnonzero(reach > reach.max() - 1e-9)
        faces += _fan(points, corners, n)
    return _grid(faces)


def _fan(points: Floats, corners: NDArray[np.intp], normal: Floats) -> list[tuple[int, int, int]]:
    middle = points[corners].mean(axis=0)
    first = points[corners[0]] - middle
    second = np.cross(normal, first)
    offsets = points[corners] - middle
    order = corners[np.argsort(np.arctan2(offsets @ second, offsets @ first))]
    return [(int(order[0]), int(order[i]), int(order[i + 1])) for i in range(1, len(order) - 1)]


_SOFT_SIGNS = np.repeat(
    np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64), 3, axis=0
)
_SOFT_INWARD = np.tile(1.0 - np.eye(3), (8, 1))


def soft(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float, bevel: float) -> Shape:
    """Return a box with bevelled edges (44 triangles); the bevel is at most 45 % of the shortest side."""
    half = np.array(((x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2))
    bevel = min(bevel, 0.9 * float(half.min()))
    centre = np.array(((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2))
    return centre + _SOFT_SIGNS * (half - bevel * _SOFT_INWARD), _soft_faces()


def together(shapes: Sequence[Shape]) -> Shape:
    """Put shapes together into one."""
    starts = np.cumsum([0, *(len(points) for points, _ in shapes)])
    return (
        np.concatenate([points for points, _ in shapes]),
        np.concatenate([faces + np.int32(start) for (_, faces), start in zip(shapes, starts, strict=False)]),
    )


def moved(shape: Shape, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Shape:
    """Return the shape shifted."""
    return shape[0] + np.array((x, y, z)), shape[1]


def stretched(shape: Shape, x: float = 1.0, y: float = 1.0, z: float = 1.0) -> Shape:
    """Return the shape scaled along the axes by positive factors."""
    return shape[0] * np.array((x, y, z)), shape[1]


def turned(shape: Shape, axis: int, degrees: float) -> Shape:
    """Return the shape turned about an axis (0 x, 1 y, 2 z) through the origin."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    points = shape[0].copy()
    a, b = (axis + 1) % 3, (axis + 2) % 3
    points[:, a] = shape[0][:, a] * cos - shape[0][:, b] * sin
    points[:, b] = shape[0][:, a] * sin + shape[0][:, b] * cos
    return points, shape[1]


def facing_front(shape: Shape) -> Shape:
    """Return a shape that was made looking up (+z) so that it looks to the front (-y), its +y up."""
    points = shape[0][:, (0, 2, 1)] * np.array((1.0, -1.0, 1.0))
    return points, shape[1]


def facing_side(shape: Shape) -> Shape:
    """Return a shape that was made looking up (+z) so that it looks to +x, its +x to +y and its +y up."""
    return shape[0][:, (2, 0, 1)], shape[1]
