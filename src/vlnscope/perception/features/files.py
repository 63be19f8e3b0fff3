"""Files of image features, as they are exchanged for Matterport3D: 36 rows of D numbers per viewpoint.

Two kinds of file are read, both lazily:

- HDF5 with a data set ``{scan}_{viewpoint}`` of the shape (36, D) for each viewpoint (needs `h5py`);
- TSV with the columns scanId, viewpointId, image_w, image_h, vfov and features (base64 of 36 × D float32).

Some files append 1,000 class scores to each row; `at` leaves them out and `logits` returns them.
"""

from __future__ import annotations

import base64
import binascii
import io
from abc import ABC, abstractmethod
from collections import OrderedDict
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError, MissingLayerError, MissingPackageError
from vlnscope.core.files import check_regular, reading, write_whole
from vlnscope.core.limits import RECORD_MB, allowed, too_large
from vlnscope.worlds.graph.views import VIEWS
from vlnscope.worlds.scene import Scene


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array in NumPy's format, whole or not at all."""
    buffer = io.BytesIO()
    np.save(buffer, array)
    with write_whole(path) as stream:
        stream.write(buffer.getbuffer())


LOGITS = 1000
WIDTHS = (512, 640, 768, 1024, 2048)
"""Widths of common networks: a file that is 1,000 wider than one of them holds class scores as well."""

ENDINGS = (".hdf5", ".h5", ".tsv")
KEPT = 256
Rows = NDArray[np.float32]
_HELP = "use a feature file of the usual form, or convert yours (docs/agents.md says how they look)"


class Features(ABC):
    """The features of a file; rows of the viewpoints seen last are kept.

    Args:
        path: the file.
        width: D, where the file's rows are longer; found out if not given.
    """

    def __init__(self, path: Path, width: int | None = None) -> None:
        self.path = path
        self._given = width
        self._kept: OrderedDict[tuple[str, str], Rows] = OrderedDict()

    def at(self, scan: str, viewpoint: str) -> Rows:
        """Return 36 rows of `width` numbers; the array cannot be written to."""
        return self._rows(scan, viewpoint)[:, : self.width]

    def of(self, scene: Scene, viewpoint: str) -> Rows:
        """Return the same for a viewpoint of a scene; files know scenes by their names."""
        return self.at(scene.id, viewpoint)

    def logits(self, scan: str, viewpoint: str) -> Rows:
        """Return the 36 rows of what follows the features in the file; no columns if nothing does."""
        return self._rows(scan, viewpoint)[:, self.width :]

    @cached_property
    def width(self) -> int:
        """D: how many features each view has."""
        first = self._first()
        self._check(first, "its first viewpoint")
        total = int(first.shape[1])
        if self._given is not None:
            if not 0 < self._given <= total:
                raise InputError(
                    f"{self.path}: rows have {total} numbers, fewer than the width {self._given} asked for",
                    expected=f"a width of at most {total}",
                    fix="correct the width, or leave it out",
                )
            return self._given
        return total - LOGITS if total - LOGITS in WIDTHS else total

    def _rows(self, scan: str, viewpoint: str) -> Rows:
        key = (scan, viewpoint)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        rows = self._read(scan, viewpoint)
        if rows is None:
            raise InputError(
                f"{self.path}: has no features of viewpoint {viewpoint} of scan {scan}",
                expected="features of every viewpoint that the agent may come to",
                fix="name the file that covers the scans of this data set",
            )
        self._check(rows, f"viewpoint {viewpoint} of scan {scan}")
        rows.setflags(write=False)
        self._kept[key] = rows
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return rows

    def _check(self, rows: Rows, where: str) -> None:
        if rows.ndim != 2 or rows.shape[0] != VIEWS or not rows.shape[1]:
            raise InputError(
                f"{self.path}: the features of {where} have the shape {rows.shape}",
                expected=f"{VIEWS} rows of numbers, one per view",
                fix=_HELP,
            )
        if not np.isfinite(rows).all():
            raise InputError(
                f"{self.path}: the features of {where} have numbers that are infinite or not a number",
                expected="finite numbers",
                fix="make or download the file again",
            )
        first = self.__dict__.setdefault("_columns", rows.shape[1])
        if rows.shape[1] != first:
            raise InputError(
                f"{self.path}: the features of {where} are {rows.shape[1]} wide, those of others {first}",
                expected="the same width throughout",
                fix=_HELP,
            )

    @abstractmethod
    def _read(self, scan: str, viewpoint: str) -> Rows | None:
        """Return all that the file has of a viewpoint, None if nothing."""

    @abstractmethod
    def _first(self) -> Rows:
        """Return what the file has of any viewpoint."""


class Hdf5File:
    """Numbers in an HDF5 file, a data set ``{scan}_{viewpoint}`` per viewpoint; opened when first asked.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _file(self) -> Any:
        try:
            import h5py
        except ModuleNotFoundError:
            raise MissingPackageError("h5py", "features", f"{self.path} needs") from None
        with reading(self.path, "HDF5", "a complete HDF5 file"):
            return h5py.File(self.path, "r")

    def read(self, scan: str, viewpoint: str) -> NDArray[Any] | None:
        """Return what the file has of a viewpoint, None if nothing."""
        key = f"{scan}_{viewpoint}"
        return self._numbers(key) if key in self._file else None

    def first(self) -> tuple[str, NDArray[Any]]:
        """Return what the file has of any viewpoint, and under which name."""
        for key in self._file:
            return key, self._numbers(key)
        raise _empty(self.path)

    def _numbers(self, key: str) -> NDArray[Any]:
        with reading(f"{self.path}, {key}", "numbers", "a data set of numbers under SCAN_VIEWPOINT", _HELP):
            stored = self._file[key]
            if getattr(stored, "nbytes", 0) > allowed(RECORD_MB):
                raise too_large(self.path, RECORD_MB, key)
            numbers = np.asarray(stored[...])
            return numbers if numbers.dtype == np.float16 else numbers.astype(np.float32)


class Hdf5Features(Features):
    """Features in an HDF5 file."""

    @cached_property
    def _file(self) -> Hdf5File:
        return Hdf5File(self.path)

    def _read(self, scan: str, viewpoint: str) -> Rows | None:
        rows = self._file.read(scan, viewpoint)
        return None if rows is None else rows.astype(np.float32)

    def _first(self) -> Rows:
        return self._file.first()[1].astype(np.float32)


class TsvFeatures(Features):
    """Features in a TSV file; where each viewpoint's line begins is found out once, by going through it."""

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        places: dict[tuple[str, str], int] = {}
        most = allowed(RECORD_MB)
        with reading(self.path, "TSV", "a TSV file"), self.path.open("rb") as stream:
            if stream.read(2) == b"\x1f\x8b":
                raise InputError(
                    f"{self.path}: is compressed, so lines cannot be found one by one",
                    expected="a plain TSV file",
                    fix="unpack it with `gunzip`",
                )
            stream.seek(offset := 0)
            for number, line in enumerate(iter(lambda: stream.readline(most + 1), b"")):
                if len(line) > most:
                    raise too_large(self.path, RECORD_MB, f"line {number + 1}")
                fields = line.split(b"\t", 2)
                if len(fields) != 3:
                    raise InputError(
                        f"{self.path}, line {number + 1}: has {len(fields)} columns",
                        expected="scanId, viewpointId, image_w, image_h, vfov, features, with tabs between",
                        fix=_HELP,
                    )
                scan, viewpoint = (field.decode(errors="replace") for field in fields[:2])
                places.setdefault((scan, viewpoint), offset)
                offset += len(line)
        places.pop(("scanId", "viewpointId"), None)
        return places

    def _read(self, scan: str, viewpoint: str) -> Rows | None:
        if (scan, viewpoint) not in self._places:
            return None
        with reading(self.path, "TSV", "a TSV file"), self.path.open("rb") as stream:
            stream.seek(self._places[scan, viewpoint])
            packed = stream.readline().rstrip(b"\r\n").rpartition(b"\t")[2]
        try:
            flat = np.frombuffer(base64.b64decode(packed, validate=True), dtype="<f4")
            return flat.reshape(VIEWS, -1).astype(np.float32)
        except (binascii.Error, ValueError) as error:
            raise InputError(
                f"{self.path}: the features of viewpoint {viewpoint} of scan {scan} are damaged ({error})",
                expected=f"base64 of {VIEWS} rows of float32 numbers",
                fix="copy or download the file again",
            ) from None

    def _first(self) -> Rows:
        for scan, viewpoint in self._places:
            return self._rows(scan, viewpoint)
        raise _empty(self.path)


def open_features(path: str | Path, width: int | None = None) -> Features:
    """Open a feature file; nothing is read before it is needed.

    Raises:
        DataNotFoundError: there is no such file.
        InputError: its name does not end as one of a feature file does.
    """
    path = Path(path).expanduser()
    check_regular(path)
    if path.suffix not in ENDINGS:
        raise InputError(
            f"{path}: is no kind of feature file that is known",
            expected=f"a name that ends in {', '.join(ENDINGS)}",
            fix="rename it if it is one of these",
        )
    return (TsvFeatures if path.suffix == ".tsv" else Hdf5Features)(path, width)


@lru_cache(maxsize=8)
def features_of(need: str, root: Path | None) -> Features:
    """Open the file that an agent needs.

    Args:
        need: ``features:NAME`` (the file ``features/NAME.hdf5``, ``.h5`` or ``.tsv`` of the data folder, or
            else a store that `vlnscope features build` made: `features.store`), ``features:NAME=FILE``, or
            either with ``@D`` behind the name, to take the first D columns.
        root: the data folder.
    """
    name, _, file = need.removeprefix("features:").partition("=")
    name, _, text = name.partition("@")
    if not name or (text and not text.isdecimal()):
        raise InputError(
            f"the need {need!r} cannot be understood",
            expected="features:NAME, features:NAME=FILE or features:NAME@WIDTH=FILE",
            fix="for example features:clip=clip_vit_b32.hdf5",
        )
    width = int(text) if text else None
    if file:
        return open_features(file, width)
    wanted = [(root or Path()) / "features" / f"{name}{ending}" for ending in ENDINGS]
    stored = next((path for path in wanted if path.is_file()), None) if root else None
    if stored is None:
        from vlnscope.perception.features.store import open_store, stores

        if name in stores():
            return open_store(name, root, width)
        raise MissingLayerError(
            f"there is no feature file {name!r}" + ("" if root else ", since no data folder is named"),
            expected=", ".join(map(str, wanted)),
            fix=f"put it there, or name it: features:{name}=FILE",
        )
    return open_features(stored, width)


def _empty(path: Path) -> InputError:
    return InputError(f"{path}: holds no features", expected="at least one viewpoint", fix=_HELP)
