"""Features that are made here once and then known by name: ``features:captions-minilm``.

A store lies in the cache folder under a key that depends on what went in (a digest of it) and on what made
numbers of it (the encoder), so that one that is out of date is never found. It holds a vector per distinct
input and says which of them each viewpoint has::

    features/NAME-KEY/vectors.npy      (T, D) float16, memory-mapped
    features/NAME-KEY/index.npy        (V, P) which vectors a viewpoint has
    features/NAME-KEY/store.json       written last: a folder without it is not finished
    features/NAME-KEY/parts/…          what is done of one that is not finished

Kinds of stores are registered under the kind ``feature-store``; the built-in ones lie in
`vlnscope.perception.features.stores`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.core import registry
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import MissingLayerError
from vlnscope.core.files import cache_dir, digest, reading, write_whole
from vlnscope.core.json_file import read_json
from vlnscope.perception.features.files import Features, Rows, save_array
from vlnscope.types import Ints

VERSION = 1
PART = 1024
_AGAIN = "remove that folder and make the features again"
"""Inputs that are encoded between two moments at which nothing would be lost."""


class FeatureEncoder(Protocol):
    """Makes a row of numbers of each text, or whatever else a kind of store has for inputs."""

    def encode(self, inputs: Sequence[Any]) -> NDArray[np.float32]:
        """Return as many rows as there are inputs."""


class Inputs(NamedTuple):
    """What a store is made of.

    Attributes:
        keys: scan and viewpoint of each row of `parts`.
        things: distinct inputs, those that are alike in size together.
        parts: (V, P) which things belong to each viewpoint.
    """

    keys: list[tuple[str, str]]
    things: Sequence[Any]
    parts: Ints


@dataclass(frozen=True, eq=False)
class StoreSpec:
    """A kind of store.

    Attributes:
        name: what users call it, behind ``features:``.
        summary: one line.
        command: the words after ``vlnscope features build`` that make it.
        encoder_id: tells encoders apart whose numbers differ.
        width: numbers per row.
        views: (36, P) how the rows of the 36 views are mixed from the P vectors of a viewpoint.
        fingerprint: tells what is in a data folder; raises `MissingLayerError` if there is nothing.
        inputs: reads it.
        encoder: makes the encoder on a device, as `device_of` takes it; raises `InputError` if a package or
            the device is missing.
    """

    name: str
    summary: str
    command: str
    encoder_id: str
    width: int
    views: NDArray[np.float32]
    fingerprint: Callable[[Path], str]
    inputs: Callable[[Path], Inputs]
    encoder: Callable[[str], FeatureEncoder]

    def folder(self, root: Path) -> Path:
        """Return where the store of a data folder lies, or would."""
        key = digest(f"{VERSION} {self.encoder_id}".encode(), self.fingerprint(root).encode())
        return cache_dir() / "features" / f"{self.name}-{key}"


@dataclass(frozen=True, eq=False)
class LiveStore:
    """A kind of store that needs no data folder: it makes rows when they are asked for, and keeps them.

    Attributes:
        name: what users call it, behind ``features:``.
        summary: one line.
        command: the word after ``vlnscope features build`` that makes rows beforehand.
        width: numbers per row.
        open: opens it; is given how many columns to take, None for all.
    """

    name: str
    summary: str
    command: str
    width: int
    open: Callable[[int | None], Features]


class _About(msgspec.Struct, frozen=True):
    """What ``store.json`` says."""

    version: int
    name: str
    encoder: str
    width: int
    keys: list[tuple[str, str]]


def register_store(spec: StoreSpec | LiveStore) -> None:
    """Make a kind of store known under its name."""
    registry.register("feature-store", spec.name, spec)


def stores() -> dict[str, StoreSpec | LiveStore]:
    """Return all kinds of stores by name."""
    return registry.everything("feature-store")


def store_spec(name: str) -> StoreSpec | LiveStore:
    """Return a kind of store by name.

    Raises:
        UnknownNameError: there is none.
    """
    spec: StoreSpec | LiveStore = registry.get("feature-store", name)
    return spec


class StoredFeatures(Features):
    """The features of a store; the file is mapped into memory, not read.

    Args:
        spec: what kind of store it is.
        folder: where it lies.
        width: D, to take the first columns only.
    """

    def __init__(self, spec: StoreSpec, folder: Path, width: int | None = None) -> None:
        super().__init__(folder, width)
        self._spec = spec

    @cached_property
    def _rows_of(self) -> dict[tuple[str, str], int]:
        about = read_json(self.path / "store.json", _About, "what `vlnscope features build` writes", _AGAIN)
        return {key: row for row, key in enumerate(about.keys)}

    @cached_property
    def _arrays(self) -> tuple[NDArray[np.float16], Ints]:
        with reading(self.path, "features", "what `vlnscope features build` writes", _AGAIN):
            return np.load(self.path / "vectors.npy", mmap_mode="r"), np.load(self.path / "index.npy")

    def _read(self, scan: str, viewpoint: str) -> Rows | None:
        row = self._rows_of.get((scan, viewpoint))
        if row is None:
            return None
        vectors, index = self._arrays
        mixed: Rows = self._spec.views @ vectors[index[row]].astype(np.float32)
        return mixed

    def _first(self) -> Rows:
        return np.zeros((len(self._spec.views), self._spec.width), dtype=np.float32)


def open_store(name: str, root: Path | None, width: int | None = None) -> Features:
    """Open a store.

    Raises:
        UnknownNameError: there is no such kind of store.
        MissingLayerError: it has not been made for this data folder.
    """
    spec = store_spec(name)
    if isinstance(spec, LiveStore):
        return spec.open(width)
    command = f"vlnscope features build {spec.command}"
    if root is None:
        raise MissingLayerError(
            f"the features {name!r} cannot be found, since no data folder is named",
            expected="the data folder that they were made for",
            fix="add --root DIR, or set the environment variable VLNSCOPE_DATA",
        )
    folder = spec.folder(root)
    if not (folder / "store.json").is_file():
        raise MissingLayerError(
            f"the features {name!r} have not been made for {root}, or not to their end",
            expected=str(folder),
            fix=f"{command} --root {root}",
        )
    return StoredFeatures(spec, folder, width)


class Building(NamedTuple):
    """A store that is being made: where it will lie, how many parts are to do, and the work, part by part."""

    folder: Path
    parts: int
    work: Iterator[int]


def build_store(
    spec: StoreSpec, root: Path, encoder: FeatureEncoder | None = None, *, device: str = AUTO
) -> Building:
    """Make a store; parts that an earlier attempt finished are not made again.

    Args:
        spec: what to make.
        root: the data folder.
        encoder: used instead of the store's own.
        device: where the store's own encoder computes, as `device_of` takes it.

    Returns:
        What is to do; nothing is done before the work is iterated over.
    """
    folder = spec.folder(root)
    if (folder / "store.json").is_file():
        shutil.rmtree(folder / "parts", ignore_errors=True)  # of an attempt that was killed at its very end
        return Building(folder, 0, iter(()))
    inputs = spec.inputs(root)
    starts = range(0, len(inputs.things), PART)
    wanted = [start for start in starts if not _part(folder, start).is_file()]
    return Building(folder, len(wanted), _work(spec, folder, inputs, wanted, encoder, device))


def _work(
    spec: StoreSpec,
    folder: Path,
    inputs: Inputs,
    wanted: Sequence[int],
    encoder: FeatureEncoder | None,
    device: str,
) -> Iterator[int]:
    maker = encoder or spec.encoder(device) if wanted else None
    for start in wanted:
        assert maker is not None
        rows = maker.encode(inputs.things[start : start + PART])
        save_array(_part(folder, start), rows.astype(np.float16))
        yield start
    parts = [np.load(_part(folder, start)) for start in range(0, len(inputs.things), PART)]
    save_array(folder / "vectors.npy", np.concatenate(parts))
    save_array(folder / "index.npy", inputs.parts)
    about = _About(VERSION, spec.name, spec.encoder_id, spec.width, inputs.keys)
    with write_whole(folder / "store.json") as stream:
        stream.write(msgspec.json.encode(about))
    shutil.rmtree(folder / "parts")


def _part(folder: Path, start: int) -> Path:
    return folder / "parts" / f"{start:08d}.npy"
