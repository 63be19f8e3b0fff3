"""Paints what houses look like onto them: procedural textures and shade become texture images.

Other programs know neither our textures nor our shade. Faces of one object, colour and texture that lie in a
plane share a chart, a rectangle of an image. What depends on where the camera is cannot be painted: the lamp
at the camera and the haze are taken as from `DISTANCE` away at a usual angle, panes mirror the horizon, and
outlines are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.ambient_occlusion import REACH, ambient_occlusion, read_occlusion
from vlnscope.worlds.rendering.appearance import CLAMP, MeshAppearance, TextureImage
from vlnscope.worlds.rendering.chart_packing import packed
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh
from vlnscope.worlds.rendering.shading import GLASS, glazed, lit_colour, openness, to_byte

FINE, COARSE = 0.02, 0.06
"""Width in metres of a texel on faces with a pattern, and on others, where only shade changes."""
DISTANCE = 3.0
_FACING = 0.75
_PLAIN = tuple(TEXTURES.index(name) for name in ("plain", "glass", "glow"))
_MARGIN = 2
_LARGEST = 1024
_MICRO = 1e-6


class _Charts(NamedTuple):
    """The rectangles of a mesh.

    Attributes:
        of_face: the chart of each face.
        face: a face of each chart, which has its colour and texture.
        normal: unit normal of each.
        across: unit vector along the rows of its texels.
        down: unit vector along the columns.
        corner: where the rectangle begins, without margin.
        pitch: width of its texels in metres.
        size: rows and columns in texels, with margin.
    """

    of_face: NDArray[np.int64]
    face: NDArray[np.int64]
    normal: Floats
    across: Floats
    down: Floats
    corner: Floats
    pitch: Floats
    size: NDArray[np.int64]


def painted_mesh(mesh: Mesh) -> Mesh:
    """Return a house with texture images on its faces instead of procedural textures.

    The images hold the colours as screens show them. Faces are painted as they look from the front.
    """
    if not len(mesh):
        return mesh
    charts = _charts(mesh)
    sheet, places, sizes = packed(charts.size)
    images = _drawn(mesh, charts, sheet, places, sizes)
    offsets = mesh.vertices[mesh.faces] - charts.corner[charts.of_face][:, None]
    texels = np.stack(
        [
            np.einsum("fij,fj->fi", offsets, charts.across[charts.of_face]),
            np.einsum("fij,fj->fi", offsets, charts.down[charts.of_face]),
        ],
        axis=-1,
    )
    texels = texels / charts.pitch[charts.of_face][:, None, None] + _MARGIN
    on = sheet[charts.of_face]
    uv = (texels + places[charts.of_face][:, None, ::-1]) / sizes[on][:, None, ::-1]
    appearance = MeshAppearance(
        on.astype(np.int32),
        uv.astype(np.float32),
        np.full((len(mesh), 3, 3), 255, dtype=np.uint8),
        tuple(TextureImage(image, (CLAMP, CLAMP)) for image in images),
    )
    return replace(mesh, appearance=appearance)


def _charts(mesh: Mesh) -> _Charts:
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    offset = (normals * corners[:, 0]).sum(axis=1, keepdims=True)
    planes = np.rint(np.concatenate([normals, offset], axis=1) * 1000.0)
    labels = np.column_stack([mesh.instance, mesh.texture, mesh.colour, planes])
    _, face, of_face = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    of_face = of_face.reshape(-1)
    normal = normals[face]
    across, down = _axes(normal)
    low, high = np.full((len(face), 2), np.inf), np.full((len(face), 2), -np.inf)
    for k in range(3):
        flat = np.stack(
            [(corners[:, k] * across[of_face]).sum(axis=1), (corners[:, k] * down[of_face]).sum(axis=1)], 1
        )
        np.minimum.at(low, of_face, flat)
        np.maximum.at(high, of_face, flat)
    extent = high - low
    pitch = np.where(np.isin(mesh.texture[face], _PLAIN), COARSE, FINE)
    pitch = np.maximum(pitch, extent.max(axis=1) / (_LARGEST - 2 * _MARGIN - 1))
    size = np.ceil(extent / pitch[:, None] - _MICRO).astype(np.int64).clip(1) + 2 * _MARGIN
    height = (normal * corners[face, 0]).sum(axis=1)[:, None] * normal
    corner = across * low[:, :1] + down * low[:, 1:] + height
    return _Charts(of_face, face, normal, across, down, corner, pitch, size[:, ::-1])


def _axes(normal: Floats) -> tuple[Floats, Floats]:
    """Return two unit vectors in each plane, the first one level."""
    level = np.abs(normal[:, 2]) < 0.99
    first = np.where(
        level[:, None],
        np.stack([-normal[:, 1], normal[:, 0], np.zeros(len(normal))], axis=1),
        np.stack([normal[:, 2], np.zeros(len(normal)), -normal[:, 0]], axis=1),
    )
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(normal, first)


def _drawn(
    mesh: Mesh,
    charts: _Charts,
    sheet: NDArray[np.int64],
    places: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> list[NDArray[np.uint8]]:
    shade = ambient_occlusion(np.asarray(mesh.vertices, dtype=np.float64), mesh.faces)
    images = []
    for number, (rows, columns) in enumerate(sizes.tolist()):
        image = np.zeros((rows, columns, 3), dtype=np.uint8)
        own = np.flatnonzero(sheet == number)
        _draw(
            charts.corner[own],
            charts.across[own] * charts.pitch[own, None],
            charts.down[own] * charts.pitch[own, None],
            charts.normal[own],
            charts.pitch[own],
            mesh.texture[charts.face[own]],
            mesh.colour[charts.face[own]],
            np.concatenate([places[own], charts.size[own]], axis=1),
            shade.grid,
            shade.low,
            shade.cell,
            image,
        )
        images.append(image)
    return images


@compiled
def _draw(
    corner: Floats,
    across: Floats,
    down: Floats,
    normal: Floats,
    pitch: Floats,
    texture: NDArray[np.uint8],
    colour: NDArray[np.uint8],
    rectangle: NDArray[np.int64],
    grid: NDArray[np.float32],
    low: Floats,
    cell: float,
    image: NDArray[np.uint8],
) -> None:
    ahead, inverse, flat = REACH * cell, 1.0 / cell, grid.ravel()
    for c in range(len(corner)):
        row, column, rows, columns = rectangle[c]
        n, kind = normal[c], texture[c]
        for i in range(rows):
            for j in range(columns):
                s, t = j + 0.5 - _MARGIN, i + 0.5 - _MARGIN
                x = corner[c, 0] + s * across[c, 0] + t * down[c, 0]
                y = corner[c, 1] + s * across[c, 1] + t * down[c, 1]
                z = corner[c, 2] + s * across[c, 2] + t * down[c, 2]
                at = (x + ahead * n[0], y + ahead * n[1], z + ahead * n[2])
                r, g, b = lit_colour(
                    kind,
                    x,
                    y,
                    z,
                    n[0],
                    n[1],
                    n[2],
                    colour[c, 0] / 255.0,
                    colour[c, 1] / 255.0,
                    colour[c, 2] / 255.0,
                    _FACING,
                    DISTANCE,
                    pitch[c] * _FACING**0.5 / DISTANCE,
                    openness(read_occlusion(flat, grid.shape, low, inverse, at)),
                )
                if kind == GLASS:
                    r, g, b = glazed(r, g, b, 0.0)
                image[row + i, column + j, 0] = to_byte(r)
                image[row + i, column + j, 1] = to_byte(g)
                image[row + i, column + j, 2] = to_byte(b)
