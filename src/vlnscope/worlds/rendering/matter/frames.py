"""How tiles lie on faces: two directions in the plane of each face, and where they begin.

On upright and slanted faces rows of texels are level; on level ones they follow the object's own direction,
found from its edges. Wood grain and the like run along the longer side of each face, boards of a floor along
the room. Patterns begin at the lowest corner of the object's box, so that they move and turn with it.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.tile import TILES
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

_LEVEL = 0.95
_BOARDS = tuple(TEXTURES.index(name) for name in ("planks", "parquet"))


def frames_of(mesh: Mesh) -> NDArray[np.float32]:
    """Return per face the affine map from x, y, z, 1 to u, v in metres, (n, 2, 4)."""
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    turn = _turns(mesh, corners)
    along, up = _axes(normals, turn[mesh.instance])
    swap = _along_length(mesh, corners, along, up) | _along_room(mesh, corners, normals, along, up)
    along, up = np.where(swap[:, None], up, along), np.where(swap[:, None], -along, up)
    start = _starts(mesh, corners, turn)
    shift = _shifts(mesh)
    frames = np.empty((len(mesh), 2, 4), dtype=np.float32)
    for row, axis in enumerate((along, -up)):
        frames[:, row, :3] = axis
        frames[:, row, 3] = shift[:, row] - (axis * start[mesh.instance]).sum(axis=1)
    return frames


def _turns(mesh: Mesh, corners: Floats) -> Floats:
    """Return the angle of each object's sides to the x axis, below 90°: that of most of its edges.

    The longest edge of a face does not count; it is the diagonal of a rectangle.
    """
    count = len(mesh.objects)
    edges = corners - np.roll(corners, 1, axis=1)
    x, y = edges[..., 0], edges[..., 1]
    flat = x * x + y * y
    # squares of the lengths, times cosine and sine of four times the angle
    once, twice = x * x - y * y, 2.0 * x * y
    share = np.divide(1.0, flat, out=np.zeros_like(flat), where=flat > 0)
    share[np.arange(len(edges)), (flat + edges[..., 2] ** 2).argmax(axis=1)] = 0.0
    cosines, sines = (once * once - twice * twice) * share, 2.0 * once * twice * share
    owner = np.repeat(mesh.instance, 3)
    sine = np.bincount(owner, sines.ravel(), count)
    cosine = np.bincount(owner, cosines.ravel(), count)
    return np.asarray(np.arctan2(sine, cosine) / 4.0)


def _axes(normals: Floats, turn: Floats) -> tuple[Floats, Floats]:
    """Return the directions of rows and (upwards) of columns."""
    level = np.abs(normals[:, 2]) > _LEVEL
    zero = np.zeros(len(normals))
    own = np.stack([np.cos(turn), np.sin(turn), zero], axis=1)
    own -= normals * (own * normals).sum(axis=1, keepdims=True)
    level_line = np.stack([-normals[:, 1], normals[:, 0], zero], axis=1)
    along = np.where(level[:, None], own, level_line)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-30)
    up = np.cross(normals, along)
    up[level & (normals[:, 2] < 0)] *= -1.0
    return along, up


def _along_length(mesh: Mesh, corners: Floats, along: Floats, up: Floats) -> NDArray[np.bool_]:
    """Tell the faces whose grain must be turned: the longer side at their widest angle crosses the rows."""
    grained = np.isin(mesh.texture, [TEXTURES.index(name) for name, kind in TILES.items() if kind.grain])
    chosen = np.flatnonzero(grained)
    sides = np.roll(corners[chosen], -1, axis=1) - corners[chosen]
    length = (sides**2).sum(axis=2)
    order = np.argsort(length, axis=1, kind="stable")
    leg = sides[np.arange(len(chosen)), order[:, 1]]  # the longest is the diagonal of a rectangle
    turned = np.zeros(len(mesh), dtype=bool)
    turned[chosen] = np.abs((leg * up[chosen]).sum(axis=1)) > 1.01 * np.abs((leg * along[chosen]).sum(axis=1))
    return turned


def _along_room(mesh: Mesh, corners: Floats, normals: Floats, along: Floats, up: Floats) -> NDArray[np.bool_]:
    """Tell the faces of level boards in objects that are longer across the rows than along them."""
    boards = np.isin(mesh.texture, _BOARDS) & (np.abs(normals[:, 2]) > _LEVEL)
    faces = np.flatnonzero(boards)
    extent = []
    for axis in (along, up):
        reach = np.einsum("fij,fj->fi", corners[faces], axis[faces])
        low, high = np.full(len(mesh.objects), np.inf), np.full(len(mesh.objects), -np.inf)
        np.minimum.at(low, mesh.instance[faces], reach.min(axis=1))
        np.maximum.at(high, mesh.instance[faces], reach.max(axis=1))
        extent.append(high - low)
    turned = np.zeros(len(mesh), dtype=bool)
    turned[faces] = (extent[1] > 1.05 * extent[0])[mesh.instance[faces]]
    return turned


def _starts(mesh: Mesh, corners: Floats, turn: Floats) -> Floats:
    """Return the lowest corner of each object's box, turned as the object is."""
    cos, sin = np.cos(turn), np.sin(turn)
    c, s = cos[mesh.instance, None], sin[mesh.instance, None]
    own = (
        corners[..., 0] * c + corners[..., 1] * s,
        corners[..., 1] * c - corners[..., 0] * s,
        corners[..., 2],
    )
    low = np.full((len(mesh.objects), 3), np.inf)
    for k, reach in enumerate(own):
        np.minimum.at(low[:, k], mesh.instance, reach.min(axis=1))
    low[~np.isfinite(low)] = 0.0
    return np.stack([low[:, 0] * cos - low[:, 1] * sin, low[:, 0] * sin + low[:, 1] * cos, low[:, 2]], axis=1)


def _shifts(mesh: Mesh) -> Floats:
    """Return how far a pattern is moved on each face, by its object's id: no two things look the same."""
    codes = np.array([zlib.crc32(name.encode()) for name in mesh.objects], dtype=np.uint32)[mesh.instance]
    shift = np.stack([codes & 1023, codes >> 22], axis=1) / 64.0
    units = np.array([TILES[name].unit if name in TILES else 0.0 for name in TEXTURES])
    unit = units[mesh.texture][:, None]
    whole = np.floor(shift / np.where(unit > 0, unit, 1.0)) * unit
    return np.where(unit > 0, whole, shift)
