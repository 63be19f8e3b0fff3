"""Point clouds: places in Habitat's frame, each with the class of map that was seen there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.array_file import read_arrays
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import write_whole
from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.types import Ints

Reals = NDArray[np.floating[Any]]
"""Numbers in the precision of a rule: 32 bits in the official one, 64 in ours."""
REMOTE = 10_000.0
"""Metres from the origin within which everything lies: keys of cells are whole numbers of 64 bits."""
_EXPECTED = f"`xyz` (N × 3, metres, y up) and `semantics` (N whole numbers below {len(CLASSES)})"
_FIX = "write such a file with `save_cloud`"


class PointCloud(NamedTuple):
    """Points with classes.

    Attributes:
        xyz: places in Habitat's frame (y up), one row each.
        classes: index into `classes.CLASSES` for each.
    """

    xyz: Reals
    classes: NDArray[np.uint8]

    def take(self, which: Any) -> PointCloud:
        """Return some of the points, chosen by a mask or by their numbers."""
        return PointCloud(self.xyz[which], self.classes[which])


def empty_cloud(dtype: Any = np.float64) -> PointCloud:
    """Return a cloud without points."""
    return PointCloud(np.zeros((0, 3), dtype=dtype), np.zeros(0, dtype=np.uint8))


def joined_clouds(clouds: list[PointCloud]) -> PointCloud:
    """Return the points of several clouds, one cloud after the other."""
    if not clouds:
        return empty_cloud()
    return PointCloud(
        np.concatenate([cloud.xyz for cloud in clouds]), np.concatenate([cloud.classes for cloud in clouds])
    )


def highest_per_key(keys: Ints, heights: Reals) -> Ints:
    """Return which point is the highest of those that share a key, in the order of the keys.

    Of points that are equally high, the first is taken.

    Args:
        keys: whole numbers from 0 on, one per point.
        heights: as many numbers.

    Example:
        >>> heights = np.array([0.5, 1.0, 0.9, 1.0])
        >>> highest_per_key(np.array([7, 2, 7, 2]), heights).tolist()
        [1, 2]
        >>> highest_per_key(np.array([7, 2, 7, 2]) << 60, heights).tolist()
        [1, 2]
    """
    if not len(keys):
        return np.zeros(0, dtype=np.int64)
    bits = len(keys).bit_length()
    if int(keys.max()) >> (63 - bits):
        keys = np.unique(keys, return_inverse=True)[1]
    # numbers that differ can be sorted by any algorithm: none of them can change which point comes first
    packed = np.sort(keys << bits | np.arange(len(keys)))
    order = packed & ((1 << bits) - 1)
    starts = np.flatnonzero(np.diff(packed >> bits, prepend=-1))
    sorted_heights = heights[order]
    tops = np.maximum.reduceat(sorted_heights, starts)
    sizes = np.diff(starts, append=len(keys))
    highest = np.flatnonzero(sorted_heights == np.repeat(tops, sizes))
    return np.asarray(order[highest[np.searchsorted(highest, starts)]])


def save_cloud(cloud: PointCloud, path: str | Path) -> None:
    """Write a cloud in the form of IVLN-CE's known maps: an ``.npz`` file of `xyz` and `semantics`."""
    with write_whole(path) as stream:
        np.savez_compressed(stream, xyz=cloud.xyz.astype(np.float32), semantics=cloud.classes)


def read_cloud(path: str | Path) -> PointCloud:
    """Read a cloud that `save_cloud` wrote, or a known map of IVLN-CE.

    Raises:
        InputError: the file cannot be read, or holds something else.
    """
    arrays = read_arrays(path, "a point cloud", _EXPECTED, _FIX)
    xyz, classes = arrays.get("xyz"), arrays.get("semantics")
    if xyz is None or classes is None or not _is_cloud(xyz, classes):
        held = ", ".join(f"{name} {array.shape} {array.dtype}" for name, array in arrays.items())
        raise InputError(f"{path}: is no point cloud ({held or 'empty'})", expected=_EXPECTED, fix=_FIX)
    return PointCloud(xyz.astype(np.float32), classes.astype(np.uint8))


def _is_cloud(xyz: NDArray[Any], classes: NDArray[Any]) -> bool:
    shapes = xyz.shape == (len(classes), 3) if classes.ndim == 1 else False
    kinds = xyz.dtype.kind == "f" and classes.dtype.kind in "iuf"
    if not (shapes and kinds and (np.abs(xyz) < REMOTE).all()):
        return False
    return bool(np.isin(classes, np.arange(len(CLASSES))).all())
