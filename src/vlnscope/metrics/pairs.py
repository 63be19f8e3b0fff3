"""What predictions of all kinds have in common when they are put beside the episodes of a data set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.object_targets import choice_of
from vlnscope.types import Episode, Flags, Ints, Prediction

ROWS_AT_ONCE = 4096
CELLS_AT_ONCE = 2**22
"""How many numbers the cost matrices of a batch may hold, so that long walks do not fill the memory."""


class Pairs(ABC):
    """Episodes of a data set and what was predicted for them, without the texts.

    Episodes are added first, then predictions in any order; `batch` then gives any rows as arrays.

    Attributes:
        ids: episode ids in the order of the data set.
        rows: row of each id.
        scans: names of the scenes.
        scan: scene number of each row.
        path_ids: ids of the paths.
        path: path number of each row; the instructions of one path share it.
        instruction: which instruction of its path each row is.
        choices: how many predictions choose an object.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.rows: dict[str, int] = {}
        self.scans: dict[str, int] = {}
        self.path_ids: list[str] = []
        self.choices = 0
        self._last: Episode | None = None
        self._paths: dict[tuple[int, str], int] = {}
        self._scan, self._path, self._instruction = array("q"), array("q"), array("q")
        self._targets: list[str | None] = []
        self._chosen = array("b")
        self._sizes, self._arrival, self._stopped = array("q"), array("q"), array("b")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def scan(self) -> Ints:
        """Scene number of each row."""
        return np.asarray(self._scan, dtype=np.int64)

    @property
    def path(self) -> Ints:
        """Path number of each row."""
        return np.asarray(self._path, dtype=np.int64)

    @property
    def instruction(self) -> Ints:
        """Number of each row among the instructions of its path."""
        return np.asarray(self._instruction, dtype=np.int64)

    @property
    def predicted(self) -> Flags:
        """Which rows have a prediction."""
        return np.asarray(self._arrival, dtype=np.int64) >= 0

    @property
    def seeks_objects(self) -> bool:
        """Whether an episode asks for an object."""
        return any(target is not None for target in self._targets)

    def add_episode(self, episode: Episode) -> None:
        """Add the next episode of the data set."""
        if episode.episode_id in self.rows:
            raise InputError(
                f"the data set has two episodes {episode.episode_id}",
                expected="unique ids",
                fix="remove or rename one of them in the episode file",
            )
        if episode.scan not in self.scans:
            self._add_scan(episode.scan)
        scan = self.scans.setdefault(episode.scan, len(self.scans))
        path = self._path_number(scan, episode)
        self.rows[episode.episode_id] = len(self.ids)
        self.ids.append(episode.episode_id)
        self._scan.append(scan)
        self._path.append(path)
        self._instruction.append(episode.instruction_index)
        self._targets.append(episode.object_id)
        self._arrival.append(-1)

    def _path_number(self, scan: int, episode: Episode) -> int:
        last = self._last
        if last and last.path is episode.path and last.path_id == episode.path_id and episode.path:
            return self._path[-1]  # the next instruction of the same record
        self._last = episode
        key = (scan, episode.path_id)
        path = self._paths.setdefault(key, len(self.path_ids))
        if path < len(self.path_ids) and not self._is_path(path, episode):
            path = len(self.path_ids)  # one id for two references: the later ones share the newest
            self._paths[key] = path
        if path == len(self.path_ids):
            self.path_ids.append(episode.path_id)
            self._add_path(scan, episode)
        return path

    def add_predictions(self, predictions: Iterable[Prediction]) -> list[str]:
        """Add predictions; return the ids of those that are for no episode of the data set.

        Raises:
            InputError: a second prediction for the same episode, or one that cannot be used.
        """
        unknown: list[str] = []
        rows, arrival, encode = self.rows, self._arrival, self._encode
        arrived = len(self._sizes)
        for prediction in predictions:
            row = rows.get(prediction.episode_id)
            if row is None:
                unknown.append(prediction.episode_id)
                continue
            if arrival[row] >= 0:
                raise InputError(
                    f"episode {prediction.episode_id} has more than one prediction",
                    expected="one prediction for each episode",
                    fix="`vlnscope check` lists all duplicates; keep one of each",
                )
            self._sizes.append(encode(row, prediction))
            self._stopped.append(-1 if prediction.stopped is None else prediction.stopped)
            self._chosen.append(choice_of(prediction, self._targets[row]))
            self.choices += prediction.object_id is not None
            arrival[row] = arrived
            arrived += 1
        return unknown

    def blocks(self, rows: Ints) -> Iterator[Ints]:
        """Yield rows some thousands at a time, fewer where walks are long; all must be predicted."""
        cells = self.predictions.sizes[self._arrivals(rows)] * self.references.sizes[self.path[rows]]
        ends = np.cumsum(np.maximum(cells, CELLS_AT_ONCE // ROWS_AT_ONCE))
        cuts = np.flatnonzero(np.diff((ends - 1) // CELLS_AT_ONCE)) + 1
        yield from np.split(rows, cuts) if len(rows) else ()

    @property
    @abstractmethod
    def predictions(self) -> Ragged:
        """What was predicted, in the order of arrival."""

    @property
    @abstractmethod
    def references(self) -> Ragged:
        """The references, by path number."""

    @abstractmethod
    def batch(self, rows: Ints) -> PathBatch:
        """Return the predictions of some rows beside their references; all must be predicted."""

    @abstractmethod
    def _add_scan(self, scan: str) -> None:
        """Take in the next scene."""

    @abstractmethod
    def _is_path(self, path: int, episode: Episode) -> bool:
        """Tell whether the episode's reference is the one that was taken in under a number."""

    @abstractmethod
    def _add_path(self, scan: int, episode: Episode) -> None:
        """Take in the next reference."""

    @abstractmethod
    def _encode(self, row: int, prediction: Prediction) -> int:
        """Store the prediction's path and return its number of elements."""

    def _arrivals(self, rows: Ints) -> Ints:
        return np.asarray(self._arrival, dtype=np.int64)[rows]

    def _stops(self, arrivals: Ints) -> NDArray[np.int8]:
        return np.asarray(self._stopped, dtype=np.int8)[arrivals]
