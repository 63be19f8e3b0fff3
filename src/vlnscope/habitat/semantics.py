"""What the numbers of a semantic picture mean, as habitat-sim says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.frames import turned_to_habitat
from vlnscope.worlds.rendering.semantic_parts import SemanticParts


class SemanticBox(NamedTuple):
    """A box along the axes of Habitat's frame: its middle and its lengths."""

    center: NDArray[np.float32]
    sizes: NDArray[np.float32]


@dataclass(frozen=True)
class SemanticCategory:
    """A class; habitat-sim asks for its name and its number with calls."""

    number: int
    title: str

    def name(self, mapping: str = "") -> str:
        """Return the name of the class."""
        return self.title

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
        objects: by the numbers of semantic pictures; the first is None, as 0 stands for nothing.
        categories: the classes.
    """

    objects: tuple[SemanticThing | None, ...]
    categories: tuple[SemanticCategory, ...]


def annotations_of(parts: SemanticParts) -> SemanticAnnotations:
    """Return the annotations of a mesh with numbered parts."""
    names = sorted({part.category for part in parts.parts})
    categories = {name: SemanticCategory(k + 1, name) for k, name in enumerate(names)}
    things = []
    for part in parts.parts:
        ends = turned_to_habitat([part.low, part.high])
        low, high = ends.min(axis=0), ends.max(axis=0)
        box = SemanticBox(((low + high) / 2).astype(np.float32), (high - low).astype(np.float32))
        name = f"{part.category}_{part.number}"
        things.append(SemanticThing(name, part.number, categories[part.category], box))
    return SemanticAnnotations((None, *things), tuple(categories.values()))


_D3 = (
    "1f77b4aec7e8ff7f0effbb782ca02c98df8ad62728ff98969467bdc5b0d58c564bc49c94e377c2f7b6d27f7f7fc7c7c7bcbd22"
    "dbdb8d17becf9edae5393b795254a36b6ecf9c9ede6379398ca252b5cf6bcedb9c8c6d31bd9e39e7ba52e7cb94843c39ad494a"
    "d6616be7969c7b4173a55194ce6dbdde9ed6"
)
d3_40_colors_rgb: NDArray[np.uint8] = np.frombuffer(bytes.fromhex(_D3), dtype=np.uint8).reshape(40, 3)
"""Forty colours to tell classes apart (d3's categories), one row red, green, blue each."""
