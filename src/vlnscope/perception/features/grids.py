"""Files of grid features: a feature and a depth for each patch of the twelve level views of a viewpoint.

Two HDF5 files go together, both with a data set ``{scan}_{viewpoint}`` per viewpoint (needs `h5py`):

- patches, (12, n², D) or (12, n, n, D): view k looks at heading k · 30° and covers 90° each way;
- depths, (12, n, n) in tens of metres, 0 where there is none: ``depth_{n}x{n}.hdf5`` in the same folder.

So the official features of BEVBert are laid out (n = 14, D = 768, CLIP ViT-B/16).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from functools import cached_property, lru_cache
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.core.files import check_regular
from vlnscope.perception.features.files import Hdf5File
from vlnscope.worlds.graph.views import HEADINGS
from vlnscope.worlds.scene import Scene

ENDINGS = (".hdf5", ".h5")
KEPT = 64
HOUSES = "houses-views"
"""The grid features of houses, which lie in no file."""
DEEPEST = 1.01
"""Ten metres, the farthest that these depths know, and some room for rounding."""
_HELP = "use files of the usual form (docs/agents.md says how they look)"


class PatchGrid(NamedTuple):
    """What is seen from a viewpoint, patch by patch, in the twelve level views.

    Attributes:
        patches: (12, n, n, D) features, of float16 or float32; row 0 is the upper one.
        depths: (12, n, n) float32 depths along the view axis, in tens of metres; 0 where there is none.
    """

    patches: NDArray[Any]
    depths: NDArray[np.float32]


class GridFeatures(ABC):
    """Where grid features come from."""

    @property
    @abstractmethod
    def width(self) -> int:
        """D: how many features each patch has."""

    @abstractmethod
    def of(self, scene: Scene, viewpoint: str) -> PatchGrid:
        """Return what is seen from a viewpoint; the arrays cannot be written to.

        Raises:
            InputError: nothing is known of the viewpoint, or it is no grid.
        """


class GridFiles(GridFeatures):
    """The grid features of two files; those of the viewpoints seen last are kept.

    Args:
        path: the file of patches.
        depths: the file of depths; ``depth_{n}x{n}`` beside it if not given.
    """

    def __init__(self, path: Path, depths: Path | None = None) -> None:
        self.path = path
        self._patches = Hdf5File(path)
        self._given = depths
        self._kept: OrderedDict[tuple[str, str], PatchGrid] = OrderedDict()

    @cached_property
    def width(self) -> int:
        """D: how many features each patch has; the first viewpoint is looked at as a whole."""
        scan, _, viewpoint = self._patches.first()[0].partition("_")
        return int(self._read(scan, viewpoint).patches.shape[-1])

    def of(self, scene: Scene, viewpoint: str) -> PatchGrid:
        """Return what is seen from a viewpoint; files know scenes by their names."""
        return self.at(scene.id, viewpoint)

    def at(self, scan: str, viewpoint: str) -> PatchGrid:
        """Return the same by names."""
        key = (scan, viewpoint)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        grid = self._read(scan, viewpoint)
        if (width := grid.patches.shape[-1]) != self.width:
            found = f"viewpoint {viewpoint} of scan {scan} are {width} wide"
            raise _wrong(self.path, found, f"{self.width} throughout")
        for array in grid:
            array.setflags(write=False)
        self._kept[key] = grid
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return grid

    def _read(self, scan: str, viewpoint: str) -> PatchGrid:
        where = f"viewpoint {viewpoint} of scan {scan}"
        patches = self._shaped(_found(self._patches, scan, viewpoint), where)
        if not np.isfinite(patches).all():
            raise _wrong(self.path, f"{where} are infinite or not a number", "finite numbers")
        file = self._depths(patches.shape[1])
        depths = _found(file, scan, viewpoint).astype(np.float32)
        if depths.shape != patches.shape[:3]:
            raise _wrong(file.path, f"{where} have the shape {depths.shape}", f"{patches.shape[:3]}")
        if not ((depths >= 0) & (depths <= DEEPEST)).all():  # NaN is refused, too
            found = f"{where} lie between {depths.min()} and {depths.max()}"
            raise _wrong(file.path, found, "depths from 0 to 1, in tens of metres (metres divided by 10)")
        return PatchGrid(patches, depths)

    def _shaped(self, patches: NDArray[Any], where: str) -> NDArray[Any]:
        """Return patches as (12, n, n, D)."""
        shape = patches.shape
        if len(shape) == 3 and isqrt(shape[1]) ** 2 == shape[1]:
            side = isqrt(shape[1])
            shape = (shape[0], side, side, shape[2])
        if len(shape) != 4 or shape[0] != HEADINGS or shape[1] != shape[2] or not all(shape):
            found = f"{where} have the shape {patches.shape}"
            raise _wrong(self.path, found, f"{HEADINGS} level views of n² patches each, {HEADINGS} × n² × D")
        return patches.reshape(shape)

    def _depths(self, side: int) -> Hdf5File:
        if "_depth_file" not in self.__dict__:
            names = [self.path.with_name(f"depth_{side}x{side}{ending}") for ending in ENDINGS]
            path = self._given or next((path for path in names if path.is_file()), None)
            if path is None:
                raise MissingLayerError(
                    f"{self.path}: there is no file of depths for its patches",
                    expected=" or ".join(map(str, names)),
                    fix="put it there: without depths nobody knows where patches lie",
                )
            self._depth_file = Hdf5File(path)
        return self._depth_file


@lru_cache(maxsize=4)
def grid_features_of(need: str, root: Path | None) -> GridFeatures:
    """Open the files that an agent needs.

    Args:
        need: ``grid:NAME`` (the file ``features/NAME.hdf5`` or ``.h5`` of the data folder) or
            ``grid:NAME=FILE``; the depths lie beside it. ``grid:houses-views`` is made of houses themselves.
        root: the data folder.

    Raises:
        MissingLayerError: there is no such file.
    """
    name, _, file = need.removeprefix("grid:").partition("=")
    if not name:
        raise InputError(
            f"the need {need!r} cannot be understood",
            expected="grid:NAME or grid:NAME=FILE",
            fix="for example grid:clip=vit_b16_224_clip_patch.hdf5",
        )
    if file:
        path = Path(file).expanduser()
        check_regular(path)
        return GridFiles(path)
    if name == HOUSES:
        from vlnscope.perception.features.house_grids import HouseGrids  # it draws, and needs torch

        return HouseGrids()
    wanted = [(root or Path()) / "features" / f"{name}{ending}" for ending in ENDINGS]
    found = next((path for path in wanted if path.is_file()), None) if root else None
    if found is None:
        raise MissingLayerError(
            f"there is no file of grid features {name!r}"
            + ("" if root else ", since no data folder is named"),
            expected=", ".join(map(str, wanted)),
            fix=f"put it there, or name it: grid:{name}=FILE",
        )
    return GridFiles(found)


def _found(file: Hdf5File, scan: str, viewpoint: str) -> NDArray[Any]:
    numbers = file.read(scan, viewpoint)
    if numbers is None:
        raise InputError(
            f"{file.path}: has nothing of viewpoint {viewpoint} of scan {scan}",
            expected="every viewpoint that the agent may come to",
            fix="name the file that covers the scans of this data set",
        )
    return numbers


def _wrong(path: Path, found: str, expected: str) -> InputError:
    return InputError(f"{path}: the numbers of {found}", expected=expected, fix=_HELP)
