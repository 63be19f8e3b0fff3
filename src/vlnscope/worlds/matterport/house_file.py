"""Reads ``.house`` files, Matterport3D's annotation of a building: where panoramas are and in which room."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_lines
from vlnscope.types import Point

COPY_HOUSE = "copy the .house file again from the Matterport3D release"
"""What to do about a damaged ``.house`` file."""


class HouseFile(NamedTuple):
    """What vlnscope uses of a ``.house`` file.

    Attributes:
        positions: place of each panorama by name (z up, metres).
        regions: index of the region each panorama is in; -1 for none.
        labels: label letter of each region.
    """

    positions: dict[str, Point]
    regions: dict[str, int]
    labels: dict[int, str]


def read_house_file(path: Path) -> HouseFile:
    """Read the panoramas and regions of a ``.house`` file, plain or gzip.

    Raises:
        InputError: a line is too short or not numeric, a panorama is named twice, or there is none.
    """
    house = HouseFile({}, {}, {})
    for where, tokens in house_lines(path, "PR"):
        _read_line(house, tokens, where)
    if not house.positions:
        raise InputError(
            f"{path}: no panorama in the file", expected="lines that start with P", fix=COPY_HOUSE
        )
    return house


def house_lines(path: Path, kinds: str) -> Iterator[tuple[str, list[str]]]:
    """Yield where the lines are that begin with one of the letters `kinds`, and the words of each."""
    letters = kinds.encode()
    for number, line in enumerate(read_lines(path), 1):
        if line[:1] and line[:1] in letters:
            yield f"{path}: line {number}", line.decode("utf-8", "replace").split()


def _read_line(house: HouseFile, tokens: list[str], where: str) -> None:
    try:
        if tokens[0] == "P":
            _read_panorama(house, tokens, where)
        elif tokens[0] == "R":
            house.labels[int(tokens[1])] = tokens[5]
    except (IndexError, ValueError):
        raise InputError(
            f"{where}: cannot be read ({' '.join(tokens)[:60]!r})",
            expected="`P name index region 0 x y z …` or `R index level 0 0 label …`",
            fix=COPY_HOUSE,
        ) from None


def _read_panorama(house: HouseFile, tokens: list[str], where: str) -> None:
    name, region = tokens[1], int(tokens[3])
    x, y, z = (float(token) for token in tokens[5:8])
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        raise InputError(
            f"{where}: viewpoint {name} is at {x}, {y}, {z}", expected="three finite numbers", fix=COPY_HOUSE
        )
    if name in house.positions:
        raise InputError(
            f"{where}: viewpoint {name} is named twice", expected="each viewpoint once", fix=COPY_HOUSE
        )
    house.positions[name] = (x, y, z)
    house.regions[name] = region
