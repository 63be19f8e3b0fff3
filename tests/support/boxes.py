"""Boxes as meshes, to build small scenes of."""

from __future__ import annotations

import math

import numpy as np

from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

_QUADS = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def box(low, high, name, colour=(200, 200, 200), texture="plain", yaw=0.0) -> Mesh:
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
    points = np.asarray(low) + corners * (np.asarray(high, dtype=float) - low)
    middle, turn = (
        points.mean(axis=0),
        np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]]),
    )
    points[:, :2] = (points - middle)[:, :2] @ turn + middle[:2]
    faces = np.array([t for a, b, c, d in _QUADS for t in ((a, b, c), (a, c, d))], dtype=np.int32)
    zeros = np.zeros(12, dtype=np.int32)
    paint = np.tile(np.array(colour, dtype=np.uint8), (12, 1))
    pattern = np.full(12, TEXTURES.index(texture), dtype=np.uint8)
    return Mesh(points, faces, paint, pattern, zeros, zeros, (name.split("-")[0],), (name,))
