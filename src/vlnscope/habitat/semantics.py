"""What the numbers of a semantic picture mean, as habitat-sim says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.habitat.cameras import parts_of
from vlnscope.worlds.frames import turned_to_habitat
from vlnscope.worlds.rendering.semantic_parts import SemanticPart, SemanticParts, semantic_parts
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import SEMANTICS
from vlnscope.worlds.semantics.semantics import Semantics


class SemanticBox(NamedTuple):
    """A box along the axes of Habitat's frame: its middle and its lengths."""

    center: NDArray[np.float32]
    sizes: NDArray[np.float32]


@dataclass(frozen=True)
class SemanticCategory:
    """A class; habitat-sim asks for its name and its number with calls."""

    number: int
    title: str
    raw_title: str = ""

    def name(self, mapping: str = "") -> str:
        """Return the name of the class; with ``raw``, what annotators called the object."""
        return self.raw_title if mapping == "raw" and self.raw_title else self.title

    def index(self, mapping: str = "") -> int:
        """Return the number of the class."""
        return self.number


class SemanticThing(NamedTuple):
    """An object.

    Attributes:
        id: class and number, as ``sofa_12``.
        semantic_id: its number in semantic pictures.
        category: its class.
        aabb: the box around it.
    """

    id: str
    semantic_id: int
    category: SemanticCategory
    aabb: SemanticBox


class SemanticAnnotations(NamedTuple):
    """What is in a scene.

    Attributes:
        objects: by the numbers of semantic pictures; None where a number stands for nothing.
        categories: the classes.
    """

    objects: tuple[SemanticThing | None, ...]
    categories: tuple[SemanticCategory, ...]


def annotations_of(scene: Scene) -> SemanticAnnotations:
    """Return what is in a scene: by its semantic files, if it has any, else by the parts of its mesh."""
    if SEMANTICS in scene.loaders:
        return _by_files(scene.layer(SEMANTICS))
    return _by_parts(parts_of(scene))


def _by_parts(parts: SemanticParts) -> SemanticAnnotations:
    names = sorted({part.category for part in parts.parts})
    categories = {name: SemanticCategory(k + 1, name) for k, name in enumerate(names)}
    things = [
        SemanticThing(f"{part.category}_{part.number}", part.number, categories[part.category], _box(part))
        for part in parts.parts
    ]
    return SemanticAnnotations((None, *things), tuple(categories.values()))


def _by_files(semantics: Semantics) -> SemanticAnnotations:
    """Return the objects that have a surface, at their numbers."""
    boxes = {part.owner: _box(part) for part in semantic_parts(semantics.mesh).parts}
    objects: list[SemanticThing | None] = [None] * (max(semantics.by_number, default=0) + 1)
    for thing, owner in zip(semantics.objects, semantics.mesh.objects, strict=True):
        if thing.number >= 0 and owner in boxes:
            category = SemanticCategory(semantics.classes.index(thing.name), thing.name, thing.raw_name)
            objects[thing.number] = SemanticThing(owner, thing.number, category, boxes[owner])
    classes = tuple(SemanticCategory(k, name) for k, name in enumerate(semantics.classes))
    return SemanticAnnotations(tuple(objects), classes)


def _box(part: SemanticPart) -> SemanticBox:
    ends = turned_to_habitat([part.low, part.high])
    low, high = ends.min(axis=0), ends.max(axis=0)
    return SemanticBox(((low + high) / 2).astype(np.float32), (high - low).astype(np.float32))


_D3 = (
    "1f77b4aec7e8ff7f0effbb782ca02c98df8ad62728ff98969467bdc5b0d58c564bc49c94e377c2f7b6d27f7f7fc7c7c7bcbd22"
    "dbdb8d17becf9edae5393b795254a36b6ecf9c9ede6379398ca252b5cf6bcedb9c8c6d31bd9e39e7ba52e7cb94843c39ad494a"
    "d6616be7969c7b4173a55194ce6dbdde9ed6"
)
d3_40_colors_rgb: NDArray[np.uint8] = np.frombuffer(bytes.fromhex(_D3), dtype=np.uint8).reshape(40, 3)
"""Forty colours to tell classes apart (d3's categories), one row red, green, blue each."""
