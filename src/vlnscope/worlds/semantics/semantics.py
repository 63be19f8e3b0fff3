"""Semantics of a building: a mesh of their own, whose surfaces belong to objects with numbers and names.

The semantic mesh is another one than that of the pictures, so it has a renderer of its own, which is made
when somebody first looks. Where objects meet inside a face, as in HM3D's texture images, the mesh is painted
with the indices of objects instead of colours, and pictures are read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import MeshAppearance
from vlnscope.worlds.rendering.mesh import Mesh

if TYPE_CHECKING:
    from vlnscope.worlds.rendering.renderer import Renderer

UNKNOWN = "unknown"
"""The class of surfaces that the files do not name."""
NO_OBJECT = -1
"""The number of surfaces that belong to no object, and of pixels that see nothing."""


class SemanticObject(NamedTuple):
    """An object of a building.

    Attributes:
        number: as in the file; `NO_OBJECT` if it has none.
        name: its class; in MP3D the name in mpcat40.
        raw_name: what annotators called it, in MP3D; otherwise its class again.
        region: number of the region that it is in; -1 for none.
    """

    number: int
    name: str
    raw_name: str
    region: int = -1


NOTHING_KNOWN = SemanticObject(NO_OBJECT, UNKNOWN, UNKNOWN)
"""Stands for all surfaces that belong to no object; the first object of every building."""


class SeenLabels(NamedTuple):
    """What k cameras see of semantics, (k, height, width) each.

    Attributes:
        semantic: index into the classes; -1 where there is nothing.
        instance: number of the object as in the file; `NO_OBJECT` where there is none.
    """

    semantic: NDArray[np.int32]
    instance: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Semantics:
    """The semantics of a building.

    Attributes:
        mesh: the semantic mesh; `mesh.classes` are the names of the classes, and `mesh.objects` are in the
            order of `objects`. If it has an appearance, its colours are the indices of objects (`coded`).
        objects: what there is; the first is `NOTHING_KNOWN`.
    """

    mesh: Mesh
    objects: tuple[SemanticObject, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, the first being ``unknown``."""
        return self.mesh.classes

    @cached_property
    def by_number(self) -> Mapping[int, SemanticObject]:
        """The objects that have numbers, by these."""
        return {thing.number: thing for thing in self.objects if thing.number != NO_OBJECT}

    @cached_property
    def renderer(self) -> Renderer:
        """What casts rays at the semantic mesh."""
        from vlnscope.worlds.rendering.renderer import Renderer  # slow to import

        return Renderer(self.mesh)

    def see(self, origins: Floats, axes: Floats, *, width: int, height: int, vfov: float) -> SeenLabels:
        """Return what cameras see; the arguments are those of `Renderer.render_axes`."""
        size: dict[str, Any] = {"width": width, "height": height, "vfov": vfov}
        if self.mesh.appearance is None:
            index = self.renderer.measure_axes(origins, axes, **size).instance
        else:
            views = self.renderer.render_axes(origins, axes, **size)
            index = np.where(np.isfinite(views.depth), decoded(views.rgb), -1)
        of_class, number = self._tables
        return SeenLabels(of_class[index], number[index])

    @cached_property
    def _tables(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Class and number by index; the last entries, which -1 means, stand for nothing."""
        of_class = class_indices(self.objects, self.classes)
        numbers = [thing.number for thing in self.objects]
        return np.append(of_class, np.int32(-1)), np.array([*numbers, NO_OBJECT], dtype=np.int32)


def class_names(objects: Sequence[SemanticObject]) -> tuple[str, ...]:
    """Return the names of the classes of some objects, in their order, each once."""
    return tuple(dict.fromkeys(thing.name for thing in objects))


def class_indices(objects: Sequence[SemanticObject], classes: Sequence[str]) -> NDArray[np.int32]:
    """Return for each object the index of its class."""
    index = {name: i for i, name in enumerate(classes)}
    return np.array([index[thing.name] for thing in objects], dtype=np.int32)


def labelled(
    vertices: Floats,
    faces: NDArray[np.int32],
    owner: NDArray[np.integer[Any]],
    objects: Sequence[SemanticObject],
    appearance: MeshAppearance | None = None,
) -> Semantics:
    """Return semantics with a mesh whose faces belong to objects.

    Args:
        vertices: x, y, z per vertex, z up.
        faces: three vertex numbers per triangle.
        owner: index of the object that each face belongs to.
        objects: what there is; the first is `NOTHING_KNOWN`.
        appearance: the indices of objects as colours (`coded`), if faces belong to several.
    """
    classes = class_names(objects)
    plain = np.zeros((len(faces), 3), dtype=np.uint8)
    mesh = Mesh(
        vertices,
        faces,
        plain,
        plain[:, 0],
        class_indices(objects, classes)[owner],
        np.asarray(owner, dtype=np.int32),
        classes,
        tuple(_id(thing) for thing in objects),
        appearance,
    )
    return Semantics(mesh, tuple(objects))


def _id(thing: SemanticObject) -> str:
    return thing.raw_name if thing.number == NO_OBJECT else f"{thing.name}_{thing.number}"


def coded(index: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """Return indices of objects as red, green and blue.

    Example:
        >>> coded(np.array([5, 70000])).tolist(), decoded(coded(np.array([5, 70000]))).tolist()
        ([[0, 0, 5], [1, 17, 112]], [5, 70000])
    """
    wide = index.astype(np.int64)
    return np.stack([wide >> shift & 255 for shift in (16, 8, 0)], axis=-1).astype(np.uint8)


def decoded(rgb: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the whole number that red, green and blue are the bytes of; the inverse of `coded`."""
    wide = rgb.astype(np.int32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], dtype=np.int32)
