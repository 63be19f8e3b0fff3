"""What plants are made of: lumps of leaves with a ragged skin, trunks and stems."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.shapes import Faces, Point, Shape

Painted = tuple[Shape, Paint]


@lru_cache(maxsize=4)
def icosphere(cuts: int) -> Shape:
    """Return a ball of radius 1 made of 20 · 4^cuts triangles."""
    g = (1 + 5**0.5) / 2
    corners: list[Point] = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g)]
    corners += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    points = np.array(corners, dtype=np.float64)
    faces = np.array(
        [[0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2],
         [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5],
         [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1]], dtype=np.int32
    )  # fmt: skip
    for _ in range(cuts):
        points, faces = _cut(points, faces)
    points = points / np.linalg.norm(points, axis=1, keepdims=True)
    points.flags.writeable = False
    return points, faces


def _cut(points: Floats, faces: Faces) -> Shape:
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    pairs, number = np.unique(edges, axis=0, return_inverse=True)
    middle = (number.reshape(3, -1) + len(points)).T
    (a, b, c), (ab, bc, ca) = faces.T, middle.T
    cut = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return (
        np.concatenate([points, points[pairs].mean(axis=1)]),
        np.concatenate([np.stack(corners, axis=1) for corners in cut]).astype(np.int32),
    )


def lump(rng: np.random.Generator, centre: Point, radii: Point, cuts: int = 1, rough: float = 0.16) -> Shape:
    """Return a ball whose surface goes in and out at random by a share of its radii."""
    points, faces = icosphere(cuts)
    wave = 1.0 + rng.uniform(-rough, rough, (len(points), 1))
    return points * wave * np.array(radii) + np.array(centre), faces


def tufts(rng: np.random.Generator, centre: Point, radii: Point, count: int, size: float) -> Shape:
    """Return small ragged leaves that stand out from the skin of a ball, most of them above its middle."""
    way = rng.normal(size=(count, 3))
    way[:, 2] += 0.25
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    normal = way + rng.normal(scale=0.55, size=(count, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    first = np.cross(normal, rng.normal(size=(count, 3)))
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    second = np.cross(normal, first)
    middle = way * np.array(radii) * rng.uniform(0.92, 1.12, (count, 1)) + np.array(centre)
    angles = rng.uniform(0, 0.7, (count, 3)) + np.arange(3) * 2.09
    reach = size * rng.uniform(0.7, 1.3, (count, 3))
    corners = (
        middle[:, None]
        + (np.cos(angles) * reach)[..., None] * first[:, None]
        + (np.sin(angles) * reach)[..., None] * second[:, None]
    )
    return corners.reshape(-1, 3), np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


def crown(
    rng: np.random.Generator,
    lumps: list[tuple[Point, Point]],
    paint: Paint,
    leaves: int,
    size: float,
    cuts: int = 1,
) -> list[Painted]:
    """Return a crown of lumps (middle and radii each), with this many leaves on their skins in all.

    Lower lumps are darker, and the leaves of each are of three tones. Faces within other lumps are left out.
    """
    parts: list[Painted] = []
    low, high = (pick(centre[2] for centre, _ in lumps) for pick in (min, max))
    volume = sum(radii[0] * radii[2] for _, radii in lumps)
    for centre, radii in lumps:
        others = [other for other in lumps if other != (centre, radii)]
        light = 0.78 + 0.2 * (centre[2] - low) / max(high - low, 1e-6)
        parts.append((_seen(lump(rng, centre, radii, cuts), others), shade(paint, light)))
        for tone in (0.86, 1.0, 1.1):
            count = round(leaves * radii[0] * radii[2] / volume / 3)
            own = _seen(tufts(rng, centre, radii, count, size), others)
            if len(own[1]):
                parts.append((own, shade(paint, min(1.25, light * tone + 0.08))))
    return parts


def _seen(shape: Shape, lumps: list[tuple[Point, Point]]) -> Shape:
    """Leave out the faces with two corners or more deep within one of these lumps."""
    points, faces = shape
    deep = np.zeros(len(points), dtype=np.int64)
    for centre, radii in lumps:
        away = ((points - np.array(centre)) / (0.9 * np.array(radii))) ** 2
        deep |= away.sum(axis=1) < 1.0
    return points, faces[deep[faces].sum(axis=1) < 2]


def trunk(points: list[Point], radii: list[float], sides: int = 7) -> Shape:
    """Return a stem through points (lowest first), each with its radius; open at both ends."""
    angles = np.arange(sides) * (2 * np.pi / sides)
    rings = np.array(points)[:, None] + np.array(radii)[:, None, None] * np.stack(
        [np.cos(angles), np.sin(angles), np.zeros(sides)], axis=1
    )
    return rings.reshape(-1, 3), _tube_faces(sides, len(points))


@lru_cache(maxsize=32)
def _tube_faces(sides: int, rows: int) -> Faces:
    i, row = np.meshgrid(np.arange(sides), np.arange(rows - 1))
    a, b = row * sides + i, row * sides + (i + 1) % sides
    faces = np.stack([np.stack([a, b, b + sides], -1), np.stack([a, b + sides, a + sides], -1)], axis=2)
    return faces.reshape(-1, 3).astype(np.int32)


def branch(start: Point, end: Point, radius: float) -> Shape:
    """Return a thin branch that tapers towards its end."""
    return shapes.tube(start, end, radius, 5, 0.4 * radius)
