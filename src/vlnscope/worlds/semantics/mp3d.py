"""MP3D's semantics: ``SCAN_semantic.ply``, whose faces have numbers, and ``SCAN.house``, their meaning.

Habitat's files give each face its ``object_id``. Matterport's own give the segment (``material_id``), which
the ``.house`` file assigns to an object, and the category (``category_id``), which is used where the file
lists no segments: then classes are known, but no objects. Faces with a negative number have the class
``unknown``; a number that the ``.house`` file does not list is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.matterport.house_objects import HouseObjects, read_house_objects
from vlnscope.worlds.rendering.ply import PlyMesh, read_ply
from vlnscope.worlds.semantics.semantics import (
    NO_OBJECT,
    NOTHING_KNOWN,
    UNKNOWN,
    SemanticObject,
    Semantics,
    labelled,
)

OBJECT, SEGMENT, CATEGORY = "object_id", "material_id", "category_id"
"""The properties of faces that are read, the first one that is there and has a meaning."""


def read_mp3d(mesh: Path, table: Path) -> Semantics:
    """Read the semantics of a scene.

    Args:
        mesh: ``SCAN_semantic.ply``.
        table: ``SCAN.house``.

    Raises:
        InputError: a file is damaged, or faces have no numbers, or others than the ``.house`` file lists.
    """
    shape, house = read_ply(mesh), read_house_objects(table)
    if not len(shape.faces):
        raise InputError(f"{mesh}: holds no triangles", expected="a mesh", fix="copy the file again")
    if OBJECT in shape.labels or (SEGMENT in shape.labels and house.segments):
        owner, objects = _by_object(mesh, table, shape, house)
    elif CATEGORY in shape.labels:
        owner, objects = _by_category(mesh, table, shape, house)
    else:
        raise InputError(
            f"{mesh}: its faces do not say which objects they belong to",
            expected=f"{OBJECT}, {SEGMENT} (with E lines in {table.name}) or {CATEGORY}, whole numbers",
            fix="take the semantic file of Habitat's MP3D task data, or of Matterport's house_segmentations",
        )
    return labelled(shape.points, shape.faces, owner, (NOTHING_KNOWN, *objects))


Owners = tuple[NDArray[np.int64], list[SemanticObject]]


def _by_object(mesh: Path, table: Path, shape: PlyMesh, house: HouseObjects) -> Owners:
    numbers = sorted(house.objects)
    place = {number: i for i, number in enumerate(numbers, 1)}
    if OBJECT in shape.labels:
        owner = _placed(shape.labels[OBJECT], place, f"{mesh}: {OBJECT}", table)
    else:
        listed = {segment: place[number] for segment, number in house.segments.items() if number in place}
        owner = _placed(shape.labels[SEGMENT], listed, f"{mesh}: {SEGMENT}", table)
    return owner, [_thing(number, house) for number in numbers]


def _thing(number: int, house: HouseObjects) -> SemanticObject:
    region, category = house.objects[number]
    if category not in house.categories:
        return SemanticObject(number, UNKNOWN, UNKNOWN, region)
    _, raw_name, name = house.categories[category]
    return SemanticObject(number, name, raw_name, region)


def _by_category(mesh: Path, table: Path, shape: PlyMesh, house: HouseObjects) -> Owners:
    categories = list(house.categories.values())
    place = {category.mapping: i for i, category in enumerate(categories, 1)}
    owner = _placed(shape.labels[CATEGORY], place, f"{mesh}: {CATEGORY}", table)
    return owner, [SemanticObject(NO_OBJECT, name, raw_name) for _, raw_name, name in categories]


def _placed(
    numbers: NDArray[np.int64], place: Mapping[int, int], where: str, table: Path
) -> NDArray[np.int64]:
    """Return the place of each number in a list; negative ones have place 0."""
    kinds, which = np.unique(numbers, return_inverse=True)
    missing = [number for number in kinds.tolist() if number >= 0 and number not in place]
    if missing:
        raise InputError(
            f"{where} {missing[0]} of {(numbers == missing[0]).sum():,} faces is not in {table.name}"
            + (f", nor are {len(missing) - 1:,} others" if missing[1:] else ""),
            expected="numbers that the .house file lists; negative ones stand for no object",
            fix="copy both files again, of the same scan and release",
        )
    return np.array([place.get(number, 0) for number in kinds.tolist()], dtype=np.int64)[which]
