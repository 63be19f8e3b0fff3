"""Where light is stored: an atlas of texels, and for every face the map from places to texels.

A texel's centre lies at whole numbers: column 3.0, row 5.0 is the middle of ``atlas[5, 3]``, and what lies
between is interpolated between the four texels around it. Large flat pieces of objects are charts, grids of
texels whose outermost ones lie on the piece's edges, so that nothing beyond them is ever read. Every other
face has a block of two by two texels: the light at its three corners and, as the fourth, what makes the
interpolation the one of a triangle (second + third - first).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.cover import amid, cover
from vlnscope.worlds.rendering.light.surfaces import (
    FlatPieces,
    SmoothCorners,
    face_normals,
    flat_pieces,
    smooth_corners,
)
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh
from vlnscope.worlds.rendering.remote import remoteness

COLUMNS = 2048
"""Width of the atlas in texels."""
_PITCH, _SMALL_PITCH, _LARGE = 0.11, 0.16, 1.5
_CLOSE, _COARSER = 3.0, 0.03
_LEAVES = tuple(TEXTURES.index(name) for name in ("leaves", "needles", "bark"))
_FLAT = 0.04
_BENT = 0.25
_MOST = 160


@dataclass(frozen=True, eq=False)
class LightPoints:
    """The places where light is measured.

    Attributes:
        position: x, y, z.
        normal: unit vector away from the surface.
        face: a face that each lies on.
        group: chart of each, or one number per object for corners; points of a group see about the same.
        pattern: which of 16 sets of directions each uses; the 4 by 4 texels around a texel use all.
        pitch: metres between neighbouring texels; 0 for corners.
        spread: metres over which the light of a point is averaged; 0 for corners and on the edges of charts.
    """

    position: Floats
    normal: Floats
    face: NDArray[np.int64]
    group: NDArray[np.int64]
    pattern: NDArray[np.int64]
    pitch: NDArray[np.float32]
    spread: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.position)


@dataclass(frozen=True, eq=False)
class LightAtlas:
    """Where the light of a mesh is stored.

    Attributes:
        frames: per face the map from x, y, z, 1 to column and row, (n, 2, 4).
        shape: rows and columns of the atlas.
        points: where light is measured.
        texel_point: number of the point of each texel, -1 for none; (rows, columns).
        grid: how many of the points, the first ones, are texels of charts; the others are corners.
        texel: row and column of each of those.
        blocks: row and column of the blocks of single faces.
        corners: the points of their three corners.
    """

    frames: NDArray[np.float32]
    shape: tuple[int, int]
    points: LightPoints
    texel_point: NDArray[np.int32]
    grid: int
    texel: NDArray[np.int32]
    blocks: NDArray[np.int32]
    corners: NDArray[np.int64]

    def filled(self, light: Floats) -> NDArray[np.float32]:
        """Return the atlas that holds this light per point; texels that are never read are 0."""
        atlas = np.zeros((*self.shape, 3), dtype=np.float32)
        atlas[self.texel[:, 0], self.texel[:, 1]] = light[: self.grid]
        row, column = self.blocks[:, 0], self.blocks[:, 1]
        a, b, c = (light[self.corners[:, i]] for i in range(3))
        atlas[row, column], atlas[row, column + 1] = a, b
        atlas[row + 1, column], atlas[row + 1, column + 1] = c, b + c - a
        return atlas


@dataclass(frozen=True, eq=False)
class _Grids:
    """Charts: origin, unit axes, steps and sizes of their texels, and where they lie in the atlas."""

    origin: Floats
    across: Floats
    down: Floats
    step: Floats
    size: NDArray[np.int64]
    place: NDArray[np.int64]


def light_atlas(mesh: Mesh) -> LightAtlas:
    """Lay out the light of a mesh."""
    corners = np.asarray(mesh.vertices, dtype=np.float64)[mesh.faces]
    normals, areas = face_normals(corners)
    pieces = flat_pieces(mesh, corners, normals, areas)
    pitch = _pitches(corners, areas, pieces)
    charted = _charted(mesh, pieces, pitch, corners, normals, areas)
    wide = np.flatnonzero(charted[pieces.of_face])
    single = np.flatnonzero(~charted[pieces.of_face])
    number = np.cumsum(charted) - 1
    chart = number[pieces.of_face[wide]]
    grids, rows = _laid_out(corners[wide], chart, pieces.normal[charted], pitch[charted])
    block_place, rows = _block_places(len(single), rows)
    shape = (rows + 1, COLUMNS)
    frames = np.zeros((len(mesh), 2, 4), dtype=np.float64)
    frames[wide] = _grid_frames(grids, chart)
    frames[single] = _block_frames(corners[single], normals[single], block_place)
    smooth = smooth_corners(mesh, single, corners, normals, areas)
    points, texel = _points(mesh, grids, corners, wide, chart, pieces.normal[charted], smooth)
    texel_point = np.full(shape, -1, dtype=np.int32)
    texel_point[texel[:, 0], texel[:, 1]] = np.arange(len(texel))
    own = smooth.of_face + len(texel)
    for i, (dr, dc) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        texel_point[block_place[:, 0] + dr, block_place[:, 1] + dc] = own[:, min(i, 2)]
    return LightAtlas(
        frames.astype(np.float32), shape, points, texel_point, len(texel), texel, block_place, own
    )


def _charted(
    mesh: Mesh, pieces: FlatPieces, pitch: Floats, corners: Floats, normals: Floats, areas: Floats
) -> NDArray[np.bool_]:
    """Return which pieces are charts: large ones, and smaller ones unless they belong to something round.

    Leaves never are: they are many, and their light changes from one to the next.
    """
    smooth = smooth_corners(mesh, np.arange(len(mesh)), corners, normals, areas)
    off = 1.0 - (smooth.normal[smooth.of_face] * normals[:, None]).sum(axis=-1)
    bent = np.zeros(len(pieces.area), dtype=bool)
    bent[pieces.of_face[(off > 1e-3).any(axis=1)]] = True
    leafy = np.zeros(len(pieces.area), dtype=bool)
    leafy[pieces.of_face[np.isin(mesh.texture, _LEAVES)]] = True
    least = np.where(bent, _BENT, _FLAT) * np.maximum(pitch / _SMALL_PITCH, 1.0) ** 2
    return np.asarray(~leafy & (pieces.area > least))


def _pitches(corners: Floats, areas: Floats, pieces: FlatPieces) -> Floats:
    """Return how far apart texels of pieces are: less on large ones, more far from where most faces are."""
    if not len(corners):
        return np.zeros(0)
    total = np.bincount(pieces.of_face, areas * remoteness(corners))
    away = total / np.maximum(pieces.area, 1e-12)
    least = np.where(pieces.area > _LARGE, _PITCH, _SMALL_PITCH)
    return np.asarray(np.maximum(least, _COARSER * (away - _CLOSE)), dtype=np.float64)


def _laid_out(corners: Floats, chart: NDArray[np.int64], normal: Floats, least: Floats) -> tuple[_Grids, int]:
    count = len(normal)
    across, down = _axes(normal)
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    for k in range(3):
        along = [(corners[:, k] * axis[chart]).sum(axis=1) for axis in (across, down)]
        flat = np.stack(along, axis=1)
        np.minimum.at(low, chart, flat)
        np.maximum.at(high, chart, flat)
    depth = np.zeros(count)
    depth[chart] = (corners[:, 0] * normal[chart]).sum(axis=1)
    extent = np.maximum(high - low, 1e-3)
    pitch = np.maximum(least, extent.max(axis=1, initial=0.0) / (_MOST - 1))[:, None]
    size = np.maximum(np.ceil(extent / pitch - 1e-6), 1).astype(np.int64) + 1
    step = extent / (size - 1)
    origin = across * low[:, :1] + down * low[:, 1:] + normal * depth[:, None]
    place, rows = _shelved(size[:, ::-1])
    return _Grids(origin, across, down, step, size, place), rows


def _axes(normal: Floats) -> tuple[Floats, Floats]:
    """Return two unit vectors in each plane, the first one level."""
    level = np.abs(normal[:, 2:]) < 0.99
    none = np.zeros(len(normal))
    first = np.where(
        level,
        np.stack([-normal[:, 1], normal[:, 0], none], axis=1),
        np.stack([normal[:, 2], none, -normal[:, 0]], axis=1),
    )
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-30)
    return first, np.cross(normal, first)


def _shelved(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return row and column of rectangles put into rows, the tallest first, and how many rows they take."""
    place = np.zeros((len(sizes), 2), dtype=np.int64)
    row, column, tallest = 0, 0, 0
    for chart in np.lexsort((np.arange(len(sizes)), -sizes[:, 1], -sizes[:, 0])).tolist():
        rows, columns = sizes[chart].tolist()
        if column + columns > COLUMNS - 1:
            row, column, tallest = row + tallest, 0, 0
        place[chart] = row, column
        column, tallest = column + columns, max(tallest, rows)
    return place, row + tallest


def _block_places(count: int, row: int) -> tuple[NDArray[np.int32], int]:
    per_row = COLUMNS // 2 - 1
    number = np.arange(count)
    place = np.stack([row + 2 * (number // per_row), 2 * (number % per_row)], axis=1)
    return place.astype(np.int32), row + 2 * -(-count // per_row)


def _grid_frames(grids: _Grids, chart: NDArray[np.int64]) -> Floats:
    frames = np.empty((len(grids.origin), 2, 4))
    for i, axis in enumerate((grids.across, grids.down)):
        frames[:, i, :3] = axis / grids.step[:, i : i + 1]
        frames[:, i, 3] = grids.place[:, 1 - i] - (frames[:, i, :3] * grids.origin).sum(axis=1)
    return frames[chart]


def _block_frames(corners: Floats, normals: Floats, place: NDArray[np.int32]) -> Floats:
    frames = np.zeros((len(corners), 2, 4))
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = np.maximum((np.cross(u, v) * normals).sum(axis=1, keepdims=True), 1e-18)
    frames[:, 0, :3] = np.cross(v, normals) / area
    frames[:, 1, :3] = np.cross(normals, u) / area
    for i in range(2):
        frames[:, i, 3] = place[:, 1 - i] - (frames[:, i, :3] * a).sum(axis=1)
    return frames


def _points(
    mesh: Mesh,
    grids: _Grids,
    corners: Floats,
    wide: NDArray[np.int64],
    chart: NDArray[np.int64],
    normal: Floats,
    smooth: SmoothCorners,
) -> tuple[LightPoints, NDArray[np.int32]]:
    starts = np.concatenate([[0], np.cumsum(grids.size[:, 0] * grids.size[:, 1])])
    nearest = np.full(starts[-1], np.inf)
    face = np.full(starts[-1], -1, dtype=np.int64)
    position = np.zeros((starts[-1], 3))
    cover(
        corners[wide], wide, chart, grids.origin, grids.across, grids.down, grids.step, grids.size,
        starts, nearest, face, position,
    )  # fmt: skip
    used = np.flatnonzero(face >= 0)
    own = np.searchsorted(starts, used, side="right") - 1
    inside = used - starts[own]
    row, column = inside // grids.size[own, 0], inside % grids.size[own, 0]
    texel = (grids.place[own] + np.stack([row, column], axis=1)).astype(np.int32)
    objects = len(grids.origin) + mesh.instance[smooth.face]
    none = np.zeros(len(smooth.position), dtype=np.float32)
    pitch = np.concatenate([grids.step[own].max(axis=1).astype(np.float32), none])
    points = LightPoints(
        np.concatenate([position[used], smooth.position]),
        np.concatenate([normal[own], smooth.normal]),
        np.concatenate([face[used], smooth.face]),
        np.concatenate([own, objects]),
        np.concatenate([4 * (row % 4) + column % 4, 5 * np.arange(len(none)) % 16]),
        pitch,
        np.where(np.concatenate([amid(grids.size, starts, nearest)[used], none > 0.0]), pitch, 0.0),
    )
    return points, texel
