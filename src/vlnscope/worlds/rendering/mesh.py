"""Triangle meshes whose faces know their colour, texture, class and object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import MeshAppearance, joined, lit, quartered


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with a colour, a procedural texture, a class and an object each.

    Attributes:
        vertices: one row x, y, z per vertex (z up, metres).
        faces: one row of three vertex numbers per triangle, counter-clockwise seen from outside.
        colour: red, green, blue per face, 0-255.
        texture: number of the procedural texture per face, an index into `TEXTURES`.
        semantic: class per face, an index into `classes`.
        instance: object per face, an index into `objects`.
        classes: names of the classes (``wall``, ``floor``, ``chair``, …).
        objects: ids of the objects (room ids for floors and walls, item ids for furniture, …).
        appearance: the faces' own colours, if they come from a file that has them; `colour` is then about
            their mean.
    """

    vertices: Floats
    faces: NDArray[np.int32]
    colour: NDArray[np.uint8]
    texture: NDArray[np.uint8]
    semantic: NDArray[np.int32]
    instance: NDArray[np.int32]
    classes: tuple[str, ...]
    objects: tuple[str, ...]
    appearance: MeshAppearance | None = None

    def __len__(self) -> int:
        return len(self.faces)


TEXTURES = (
    *("plain", "wood", "planks", "tiles", "carpet", "fabric", "brick", "stone", "grass", "marble", "leaves"),
    *("glass", "mirror", "glow"),
    *("plaster", "wallpaper stripes", "wallpaper damask", "wallpaper floral", "panelling", "parquet"),
    *(
        "metro tiles",
        "mosaic",
        "hexagon tiles",
        "concrete",
        "gravel",
        "asphalt",
        "bark",
        "shingles",
        "siding",
    ),
    *("paving", "leather", "velvet", "striped fabric", "checked fabric", "knit", "metal", "gloss"),
    *("paper", "soil", "needles", "water", "thatch", "screen", "painted wood"),
)
"""Names of the textures. Panes of ``glass`` are seen through, a ``mirror`` reflects, ``glow`` is a lamp."""


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Put meshes together; equal class names and object ids become one."""
    classes = tuple(dict.fromkeys(name for mesh in meshes for name in mesh.classes))
    objects = tuple(dict.fromkeys(name for mesh in meshes for name in mesh.objects))
    class_of = {name: i for i, name in enumerate(classes)}
    object_of = {name: i for i, name in enumerate(objects)}
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    if not meshes:
        none = np.zeros(0, dtype=np.int32)
        empty = np.zeros((0, 3), dtype=np.int32)
        return Mesh(
            np.zeros((0, 3)), empty, empty.astype(np.uint8), none.astype(np.uint8), none, none, (), ()
        )
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]).astype(
            np.int32
        ),
        np.concatenate([mesh.colour for mesh in meshes]),
        np.concatenate([mesh.texture for mesh in meshes]),
        np.concatenate(
            [np.asarray([class_of[n] for n in m.classes], dtype=np.int32)[m.semantic] for m in meshes]
        ),
        np.concatenate(
            [np.asarray([object_of[n] for n in m.objects], dtype=np.int32)[m.instance] for m in meshes]
        ),
        classes,
        objects,
        _joined_appearance(meshes),
    )


def _joined_appearance(meshes: Sequence[Mesh]) -> MeshAppearance | None:
    if all(mesh.appearance is None for mesh in meshes):
        return None
    return joined([lit(len(mesh)) if mesh.appearance is None else mesh.appearance for mesh in meshes])


def subset(mesh: Mesh, faces: NDArray[np.bool_] | NDArray[np.integer[Any]]) -> Mesh:
    """Keep the chosen faces (a mask or numbers) and their vertices; class and object tables stay."""
    kept = mesh.faces[faces]
    used, numbers = np.unique(kept, return_inverse=True)
    return Mesh(
        mesh.vertices[used],
        numbers.reshape(-1, 3).astype(np.int32),
        mesh.colour[faces],
        mesh.texture[faces],
        mesh.semantic[faces],
        mesh.instance[faces],
        mesh.classes,
        mesh.objects,
        None if mesh.appearance is None else mesh.appearance.of(faces),
    )


def scaled(mesh: Mesh, factor: float) -> Mesh:
    """Make a mesh larger or smaller about the origin."""
    return replace(mesh, vertices=mesh.vertices * factor)


def subdivided(mesh: Mesh) -> Mesh:
    """Cut every face into four of the same plane, colour and labels."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    corners = np.stack([a, b, c, (a + b) / 2, (b + c) / 2, (c + a) / 2], axis=1).reshape(-1, 3)
    pattern = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]])
    faces = (np.arange(len(mesh))[:, None, None] * 6 + pattern).reshape(-1, 3)
    return Mesh(
        corners,
        faces.astype(np.int32),
        np.repeat(mesh.colour, 4, axis=0),
        np.repeat(mesh.texture, 4),
        np.repeat(mesh.semantic, 4),
        np.repeat(mesh.instance, 4),
        mesh.classes,
        mesh.objects,
        None if mesh.appearance is None else quartered(mesh.appearance),
    )
