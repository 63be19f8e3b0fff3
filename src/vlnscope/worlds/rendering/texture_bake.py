"""Paints what houses look like onto them: texture tiles and baked light become texture images.

Other programs know neither our textures nor our light. Faces of one object, colour and texture that lie in a
plane share a chart, a rectangle of an image. What depends on where the camera is cannot be painted: mirrors,
shiny floors and haze are left out, and panes are opaque.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import CLAMP, MeshAppearance, TextureImage
from vlnscope.worlds.rendering.chart_packing import packed
from vlnscope.worlds.rendering.glb_images import printed_images
from vlnscope.worlds.rendering.light.bake import BakedLight
from vlnscope.worlds.rendering.looks import USUAL, FaceLooks, face_looks
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh
from vlnscope.worlds.rendering.remote import remoteness
from vlnscope.worlds.rendering.shading import shade_surfaces
from vlnscope.worlds.rendering.tone import CURVE, develop

PRINTED, FINE, COARSE = 0.006, 0.02, 0.06
"""Width in metres of a texel on pictures, on patterns, and on other faces, where only shade changes."""
_PLAIN = tuple(TEXTURES.index(name) for name in ("plain", "glass", "glow"))
_MARGIN, _FARTHER = 2, 0.02
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


def painted_mesh(mesh: Mesh, light: BakedLight | None = None) -> Mesh:
    """Return a house with texture images on its faces instead of texture tiles and baked light.

    The images hold the colours as screens show them. Without light, faces are lit by their direction.
    """
    if not len(mesh):
        return mesh
    charts = _charts(mesh)
    sheet, places, sizes = packed(charts.size)
    images = _drawn(mesh, face_looks(mesh, light), charts, sheet, places, sizes)
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
    printed = printed_images(mesh) >= 0
    labels = np.column_stack([mesh.instance, mesh.texture, mesh.colour, printed, planes])
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
    away = np.full(len(face), np.inf)
    np.minimum.at(away, of_face, remoteness(corners))
    pitch = np.where(np.isin(mesh.texture[face], _PLAIN), COARSE, FINE)
    pitch = np.where(printed[face], PRINTED, pitch) + _FARTHER * away
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
    looks: FaceLooks,
    charts: _Charts,
    sheet: NDArray[np.int64],
    places: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> list[NDArray[np.uint8]]:
    images = []
    corners = np.ascontiguousarray(mesh.vertices[mesh.faces], dtype=np.float64)
    for number, (rows, columns) in enumerate(sizes.tolist()):
        own = np.flatnonzero(sheet[charts.of_face] == number)
        face = np.full((rows, columns), -1, dtype=np.int32)
        far = np.full((rows, columns), np.inf, dtype=np.float32)
        _cover(
            own,
            corners,
            charts.of_face,
            charts.corner,
            charts.across / charts.pitch[:, None],
            charts.down / charts.pitch[:, None],
            np.concatenate([places, charts.size], axis=1),
            face,
            far,
        )
        images.append(_coloured(face, charts, places, looks))
    return images


def _coloured(
    face: NDArray[np.int32], charts: _Charts, places: NDArray[np.int64], looks: FaceLooks
) -> NDArray[np.uint8]:
    """Look straight at each texel from a metre away."""
    image = np.zeros((*face.shape, 3), dtype=np.uint8)
    rows, columns = np.nonzero(face >= 0)
    seen = face[rows, columns]
    chart = charts.of_face[seen]
    pitch = charts.pitch[chart][:, None]
    s = (columns - places[chart, 1] + 0.5 - _MARGIN)[:, None] * pitch
    t = (rows - places[chart, 0] + 0.5 - _MARGIN)[:, None] * pitch
    normal = charts.normal[chart]
    points = charts.corner[chart] + s * charts.across[chart] + t * charts.down[chart]
    shades = np.empty((len(seen), 3), dtype=np.uint8)
    planes = np.zeros((len(looks.colour), 4))
    planes[seen, :3] = normal
    widths = 2.0 ** (np.rint(2.0 * np.log2(charts.pitch)) / 2.0)  # few enough to take one after the other
    for width in np.unique(widths[chart]):
        part = np.flatnonzero(widths[chart] == width)
        light = np.empty((len(part), 3), dtype=np.float32)
        shade_surfaces(
            seen[part],
            -normal[part].astype(np.float32),
            points[part] + normal[part],
            1,
            np.ones(len(part), dtype=np.float32),
            float(width),
            planes,
            looks.colour,
            looks.frames,
            looks.kind,
            looks.tile,
            looks.texels,
            looks.pictures,
            looks.table,
            looks.atlas,
            looks.sky,
            USUAL / looks.exposure,
            light,
        )
        develop(light, CURVE, looks.exposure, shaded := np.empty(light.shape, dtype=np.uint8))
        shades[part] = shaded
    image[rows, columns] = shades
    return image


@compiled
def _cover(
    own: NDArray[np.int64],
    corners: Floats,
    of_face: NDArray[np.int64],
    corner: Floats,
    across: Floats,
    down: Floats,
    rectangle: NDArray[np.int64],
    face: NDArray[np.int32],
    far: NDArray[np.float32],
) -> None:
    """Write into each texel which face of its chart it lies on, or, in margins, which one is nearest."""
    for number in own:
        c = of_face[number]
        row, column, rows, columns = rectangle[c]
        u, v = np.empty(3), np.empty(3)
        for k in range(3):
            u[k], v[k] = 0.0, 0.0
            for i in range(3):
                offset = corners[number, k, i] - corner[c, i]
                u[k] += offset * across[c, i]
                v[k] += offset * down[c, i]
            u[k] += _MARGIN - 0.5
            v[k] += _MARGIN - 0.5
        turn = (u[1] - u[0]) * (v[2] - v[0]) - (u[2] - u[0]) * (v[1] - v[0])
        side = 1.0 if turn >= 0.0 else -1.0
        for i in range(max(0, int(v.min()) - 2), min(rows, int(v.max()) + 4)):
            for j in range(max(0, int(u.min()) - 2), min(columns, int(u.max()) + 4)):
                away = 0.0
                for k in range(3):
                    n = (k + 1) % 3
                    eu, ev = u[n] - u[k], v[n] - v[k]
                    length = max(math.sqrt(eu * eu + ev * ev), 1e-9)
                    away = max(away, -side * (eu * (i - v[k]) - ev * (j - u[k])) / length)
                if away < far[row + i, column + j]:
                    far[row + i, column + j] = away
                    face[row + i, column + j] = number
