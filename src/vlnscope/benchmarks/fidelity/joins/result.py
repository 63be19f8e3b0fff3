"""What building joined paths gives: the paths, their file, and what there is to say about them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec
import numpy as np

from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath
from vlnscope.core.files import write_whole
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Episode


def write_joined(paths: Iterable[JoinedPath], stream: IO[bytes]) -> None:
    """Write joined paths as one file, record by record."""
    before = b"[\n  "
    for path in paths:
        text = json.dumps(path.record(), indent=2, sort_keys=True, separators=(",", ": "))
        stream.write(before + text.replace("\n", "\n  ").encode())
        before = b",\n  "
    stream.write(b"[]" if before == b"[\n  " else b"\n]")


class JoinedSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What the official script prints about its result, and more.

    Attributes:
        paths: joined paths.
        instructions: instructions of all of them.
        avg_distance: mean length in metres; None if there are no paths, as the next three.
        avg_shortest: mean length of the shortest way from start to end.
        avg_path_nodes: mean number of viewpoints.
        avg_shortest_nodes: mean number of viewpoints of the shortest way.
        filtered_distance: ordered pairs of paths of one scene that are too far apart to be joined.
        self_joins: joined paths that contain a path directly after itself.
        possible: how many joined paths the rule allows; `paths` is less if a limit was set.
    """

    paths: int
    instructions: int
    avg_distance: float | None
    avg_shortest: float | None
    avg_path_nodes: float | None
    avg_shortest_nodes: float | None
    filtered_distance: int
    self_joins: int
    possible: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Joined:
    """A data set of joined paths.

    Attributes:
        variant: ``r4r``, ``r6r`` or ``r8r``.
        source: the data set that the paths come from.
        paths: the joined paths, scenes in the order of the source, then by the order of the parts.
        possible: how many the rule allows.
        filtered: ordered pairs of paths that are too far apart.
        notes: what a user should know: samples drawn, lengths computed, words glued together.
    """

    variant: str
    source: Dataset
    paths: tuple[JoinedPath, ...]
    possible: int
    filtered: int
    notes: tuple[str, ...]

    def episodes(self) -> Iterator[Episode]:
        """Yield one episode per instruction, equal to those read from the saved file."""
        return itertools.chain.from_iterable(path.episodes() for path in self.paths)

    def dataset(self) -> Dataset:
        """Return the joined paths as a data set, to run or score without a file."""
        return Dataset(
            name=f"{self.variant} of {self.source.name}",
            split=self.source.split,
            format="",
            files=(),
            load=lambda on_problem: self.episodes(),
            load_scenes=self.source.load_scenes,
        )

    def save(self, path: str | Path) -> Path:
        """Write the file, byte for byte as the official script would; compressed if it ends in ``.gz``."""
        with write_whole(path) as stream:
            write_joined(self.paths, stream)
        return Path(path)

    @property
    def file_name(self) -> str:
        """The usual name of the file: ``R4R_val_unseen.json``."""
        return f"{self.variant.upper()}_{self.source.split or Path(self.source.name).name.split('.')[0]}.json"

    def summary(self) -> JoinedSummary:
        """Count and average."""
        columns = (
            [path.distance for path in self.paths],
            [path.shortest_path_distance for path in self.paths],
            [len(path.path) for path in self.paths],
            [len(path.shortest_path) for path in self.paths],
        )
        means = [float(np.mean(column)) if column else None for column in columns]
        return JoinedSummary(
            paths=len(self.paths),
            instructions=sum(path.instruction_count for path in self.paths),
            avg_distance=means[0],
            avg_shortest=means[1],
            avg_path_nodes=means[2],
            avg_shortest_nodes=means[3],
            filtered_distance=self.filtered,
            self_joins=sum(any(a is b for a, b in itertools.pairwise(path.parts)) for path in self.paths),
            possible=self.possible,
        )
