"""The 13 classes of semantic maps, and which of them the surfaces of a scene have.

The classes and their order are those of MAP-CMA (IVLN, Krantz et al. 2023), which took them from Semantic
MapNet: twelve kinds of furniture and fittings, and 0 for everything else. Walls, floors and doors are 0: a
map tells them by its occupancy alone.

Of Matterport3D's objects the name in mpcat40 decides, and where that is ``appliances`` or ``furniture`` the
annotators' own. Generated houses and HM3D name objects more finely (``bookshelf``, ``armchair``);
``classes.toml`` says what those are called in mpcat40.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.toml_file import packaged_toml
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import SEMANTICS, semantic_classes
from vlnscope.worlds.semantics.semantics import SemanticObject, Semantics

NO_CLASS = "other"
_DATA: dict[str, dict[str, Any]] = packaged_toml(__name__)
CLASSES: tuple[str, ...] = (NO_CLASS, *_DATA)
"""The classes by their numbers; 0 is none of the twelve."""
COLOURS: tuple[str, ...] = tuple(entry["colour"] for entry in _DATA.values())
"""Colours of classes 1 to 12 in pictures of maps."""
_NUMBER = {name: k for k, name in enumerate(CLASSES) if k}
_KNOWN_AS = {alias: _NUMBER[name] for name, entry in _DATA.items() for alias in entry["known_as"]}
_TOO_BROAD = ("appliances", "furniture")


def class_of(name: str) -> int:
    """Return the class of an object's name, as mpcat40, a generated house or HM3D gives it.

    Example:
        >>> [CLASSES[class_of(name)] for name in ("chest_of_drawers", "Armchair", "wall")]
        ['chest_of_drawers', 'chair', 'other']
    """
    plain = name.strip().lower()
    return _NUMBER.get(plain.replace(" ", "_")) or _KNOWN_AS.get(plain.replace("_", " "), 0)


def class_table(names: Iterable[str]) -> NDArray[np.uint8]:
    """Return the class of each name, and at the end, which -1 means, that of nothing.

    Example:
        >>> class_table(["wall", "sofa"])[np.array([[1, 0], [-1, 1]])].tolist()
        [[6, 0], [0, 6]]
    """
    return np.array([*map(class_of, names), 0], dtype=np.uint8)


def object_class(thing: SemanticObject) -> int:
    """Return the class of an annotated object, by MAP-CMA's rule: annotators' own names count as they are.

    Example:
        >>> things = SemanticObject(4, "furniture", "cabinet"), SemanticObject(5, "wall", "bed")
        >>> [object_class(thing) for thing in things]
        [9, 0]
    """
    return _NUMBER.get(thing.raw_name, 0) if thing.name in _TOO_BROAD else class_of(thing.name)


def object_table(objects: Sequence[SemanticObject]) -> NDArray[np.uint8]:
    """Return the class of each object by its number, and at the end, which -1 means, that of nothing."""
    table = np.zeros(max((thing.number for thing in objects), default=-1) + 2, dtype=np.uint8)
    for thing in objects:
        if thing.number >= 0:
            table[thing.number] = object_class(thing)
    return table


def scene_table(scene: Scene) -> tuple[str, NDArray[np.uint8]]:
    """Return what tells the class of a pixel in a scene, and the table to look it up in.

    Returns:
        The name of a `Look`'s attribute (``instance`` where a scene's own files name objects, else
        ``semantic``), and the class of each number in it.
    """
    if SEMANTICS in scene.loaders:
        semantics: Semantics = scene.layer(SEMANTICS)
        if semantics.by_number:
            return "instance", object_table(semantics.objects)
    return "semantic", class_table(semantic_classes(scene))
