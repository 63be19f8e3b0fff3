"""Walks through a house as they are learned from: what was seen at each step, and what the expert does there.

A file holds the walks of one house, one behind the other. It is written whole or not at all, so that a
collection that was killed goes on with the next house.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.array_file import read_arrays
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import write_whole
from vlnscope.perception.mapping import CLASSES, EgocentricMap

_EXPECTED = "walks that a training collected"
_FIX = "delete the file; the same command collects it again"
_TYPES: dict[str, type[np.generic]] = {
    "cells": np.uint8,
    "depth": np.uint8,
    "previous": np.uint8,
    "actions": np.uint8,
    "progress": np.float32,
    "starts": np.int64,
}


@dataclass(frozen=True, eq=False)
class HouseWalks:
    """Walks through one house: N steps of P walks.

    Attributes:
        cells: (N, 64, 64) the map: 0 where nothing is, else 1 and the class.
        depth: (N, height, width) depth from 0 to 255.
        previous: (N) the action before; 0 where a walk begins.
        actions: (N) what the expert does.
        progress: (N) the share of the way that is done.
        starts: (P + 1) where each walk begins, and at the end N.
        names: (P) the path, or the episode, that each follows.
    """

    cells: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    previous: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    progress: NDArray[np.float32]
    starts: NDArray[np.int64]
    names: NDArray[np.str_]

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        with write_whole(path) as stream:
            np.savez_compressed(stream, **{each.name: getattr(self, each.name) for each in fields(self)})

    @classmethod
    def read(cls, path: Path) -> HouseWalks:
        """Read a file.

        Raises:
            InputError: it is damaged, or holds something else.
        """
        arrays = read_arrays(path, "stored walks", _EXPECTED, _FIX)
        if not _fit(arrays):
            raise InputError(f"{path}: holds no walks, or parts of some", expected=_EXPECTED, fix=_FIX)
        return cls(**arrays)


def _fit(arrays: dict[str, NDArray[Any]]) -> bool:
    """Say whether arrays are those of some walks."""
    if arrays.keys() != {"names", *_TYPES}:
        return False
    starts, count = arrays["starts"], len(arrays["actions"])
    typed = all(arrays[name].dtype == kind for name, kind in _TYPES.items())
    long = all(len(arrays[name]) == count for name in ("cells", "depth", "previous", "progress"))
    ordered = (
        starts.ndim == 1 and len(starts) == len(arrays["names"]) + 1 and bool((np.diff(starts) > 0).all())
    )
    return typed and long and ordered and starts[0] == 0 and starts[-1] == count


def packed_map(shown: EgocentricMap) -> NDArray[np.uint8]:
    """Return the cells of maps in one layer.

    Example:
        >>> cells = packed_map(EgocentricMap(np.uint8([[[0, 1, 1]]]), np.uint8([[[0, 0, 5]]])))
        >>> cells.tolist(), [layer.tolist() for layer in unpacked_map(cells)]
        ([[[0, 1, 6]]], [[[[0, 1, 1]]], [[[0, 0, 5]]]])
    """
    return np.asarray(shown.occupancy * (1 + shown.classes), dtype=np.uint8)


def unpacked_map(cells: NDArray[np.uint8]) -> EgocentricMap:
    """Return the layers of maps."""
    return EgocentricMap((cells > 0).astype(np.uint8), _CLASS_OF[cells])


_CLASS_OF = np.array([0, *range(len(CLASSES))], dtype=np.uint8)
