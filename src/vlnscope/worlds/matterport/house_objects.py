"""Reads the objects of ``.house`` files: what each is called, and which parts of the mesh belong to it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.matterport.house_file import COPY_HOUSE, house_lines

NO_CATEGORY = -1
"""What a ``.house`` file writes for the category of an object that has none."""

_MOST = 1 << 31


class HouseCategory(NamedTuple):
    """A category of objects.

    Attributes:
        mapping: number in the release's table of categories, which faces of its meshes name.
        raw_name: what annotators called it, ``office chair``.
        name: which of the 40 classes of mpcat40 that is, ``chair``.
    """

    mapping: int
    raw_name: str
    name: str


class HouseObject(NamedTuple):
    """An object.

    Attributes:
        region: index of the region that it is in; -1 for none.
        category: index of its category; `NO_CATEGORY` for none.
    """

    region: int
    category: int


class HouseObjects(NamedTuple):
    """What a ``.house`` file says of objects, each by its index in the file.

    Attributes:
        objects: the objects.
        categories: the categories.
        segments: index of the object that each segment of the mesh belongs to, by the segment's id.
    """

    objects: dict[int, HouseObject]
    categories: dict[int, HouseCategory]
    segments: dict[int, int]


def read_house_objects(path: Path) -> HouseObjects:
    """Read the objects, categories and segments of a ``.house`` file, plain or gzip.

    Raises:
        InputError: a line is too short or not numeric, something has the same index twice, an object has a
            category that is missing, or there is no object.
    """
    house = HouseObjects({}, {}, {})
    for where, tokens in house_lines(path, "OCE"):
        try:
            _read_line(house, tokens)
        except (IndexError, ValueError) as error:
            raise InputError(
                f"{where}: cannot be read ({' '.join(tokens)[:60]!r}: {str(error)[:60]})",
                expected="`O index region category …`, `C index mapping name mpcat40-index mpcat40-name …` "
                "or `E index object id …`, each index once",
                fix=COPY_HOUSE,
            ) from None
    if not house.objects:
        raise InputError(f"{path}: no object in the file", expected="lines that start with O", fix=COPY_HOUSE)
    _check_categories(path, house)
    return house


def _read_line(house: HouseObjects, tokens: list[str]) -> None:
    kind, index = tokens[0], int(tokens[1])
    if kind == "O":
        _check_new(index, house.objects)
        house.objects[index] = HouseObject(int(tokens[2]), int(tokens[3]))
    elif kind == "C":
        _check_new(index, house.categories)
        raw_name, name = (token.replace("#", " ") for token in (tokens[3], tokens[5]))
        house.categories[index] = HouseCategory(int(tokens[2]), raw_name, name)
    elif kind == "E":
        house.segments[int(tokens[3])] = int(tokens[2])


def _check_new(index: int, known: dict[int, HouseObject] | dict[int, HouseCategory]) -> None:
    if index in known or not 0 <= index < _MOST:
        raise ValueError(f"{index} is there twice, or beyond all limits")


def _check_categories(path: Path, house: HouseObjects) -> None:
    for index, thing in house.objects.items():
        if thing.category != NO_CATEGORY and thing.category not in house.categories:
            raise InputError(
                f"{path}: object {index} has category {thing.category}, which the file does not list",
                expected=f"a line that starts with C {thing.category}",
                fix=COPY_HOUSE,
            )
