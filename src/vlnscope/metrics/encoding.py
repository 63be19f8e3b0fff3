"""Turns episodes and predictions into arrays: names of viewpoints become numbers, once, at the edge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.metrics.batch import PathBatch, graph_batch, point_batch
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.types import Episode, Flags, Ints, Points, Prediction
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes


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
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.rows: dict[str, int] = {}
        self.scans: dict[str, int] = {}
        self.path_ids: list[str] = []
        self._last: Episode | None = None
        self._paths: dict[tuple[int, str], int] = {}
        self._scan, self._path, self._instruction = array("q"), array("q"), array("q")
        self._seeks_object = array("b")
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
        self._seeks_object.append(episode.object_id is not None)
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
            arrival[row] = arrived
            arrived += 1
        return unknown

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


class GraphPairs(Pairs):
    """Episodes and predictions on navigation graphs."""

    def __init__(self, scenes: Scenes, *, is_test: bool = False) -> None:
        super().__init__()
        self._scenes = scenes
        self._is_test = is_test
        self.graphs: list[NavGraph] = []
        self._reference_nodes, self._reference_starts = array("i"), array("q", [0])
        self._nodes = array("i")

    @cached_property
    def _table(self) -> GraphTable:
        return GraphTable(self.graphs)

    @cached_property
    def _reference_rows(self) -> Ragged:
        return Ragged(np.asarray(self._reference_nodes, dtype=np.int32), np.asarray(self._reference_starts))

    def batch(self, rows: Ints) -> PathBatch:
        """Return the predictions of some rows beside their references; all must be predicted."""
        arrivals = self._arrivals(rows)
        return graph_batch(
            self._table,
            self.scan[rows],
            Ragged(np.asarray(self._nodes, dtype=np.int32), offsets_of(self._sizes)).take(arrivals),
            self._reference_rows.take(self.path[rows]),
            stopped=self._stops(arrivals),
            seeks_object=np.asarray(self._seeks_object, dtype=np.bool_)[rows],
            is_test=self._is_test,
        )

    def _add_scan(self, scan: str) -> None:
        self.graphs.append(self._scenes.scene(scan).graph)

    def _is_path(self, path: int, episode: Episode) -> bool:
        nodes = self.graphs[self.scans[episode.scan]].nodes
        start, stop = self._reference_starts[path : path + 2]
        return tuple(nodes[k] for k in self._reference_nodes[start:stop]) == episode.path

    def _add_path(self, scan: int, episode: Episode) -> None:
        index = self.graphs[scan].index
        try:
            self._reference_nodes.extend([index[node] for node in episode.path])
            self._reference_starts.append(len(self._reference_nodes))
        except KeyError as error:
            raise InputError(
                f"episode {episode.episode_id}: its reference names viewpoint {error}, which scan "
                f"{episode.scan} does not have",
                expected="viewpoint ids of that scan",
                fix="check that the episodes and the connectivity files belong together",
            ) from None

    def _encode(self, row: int, prediction: Prediction) -> int:
        if not prediction.path:
            raise InputError(
                f"episode {prediction.episode_id}: has coordinates, but the data set is on graphs",
                expected="viewpoint ids",
                fix="score it with a continuous data set such as r2r-ce/val_unseen",
            )
        index = self.graphs[self._scan[row]].index
        try:
            self._nodes.extend([index[node] for node in prediction.path])
        except KeyError as error:
            scan = list(self.scans)[self._scan[row]]
            raise InputError(
                f"episode {prediction.episode_id}: viewpoint {error} is not in scan {scan}",
                expected="viewpoint ids of that scan",
                fix="`vlnscope check` lists all such predictions",
            ) from None
        return len(prediction.path)


class PointPairs(Pairs):
    """Episodes and predictions in continuous space; the reference is the dense ground truth."""

    def __init__(self) -> None:
        super().__init__()
        self._references: list[Points] = []
        self._goals: list[tuple[float, ...]] = []
        self._optima: list[float] = []
        self._dense: list[bool] = []
        self._points = array("d")

    def batch(self, rows: Ints) -> PathBatch:
        """Return the predictions of some rows beside their references; all must be predicted."""
        arrivals, paths = self._arrivals(rows), self.path[rows]
        flat = np.asarray(self._points, dtype=np.float64).reshape(-1, 3)
        return point_batch(
            Ragged(flat, offsets_of(self._sizes)).take(arrivals),
            Ragged.points(self._references).take(paths),
            np.asarray(self._goals, dtype=np.float64).reshape(-1, 3)[paths],
            start_goal=np.asarray(self._optima)[paths],
            has_reference=np.asarray(self._dense)[paths],
            stopped=self._stops(arrivals),
        )

    def _add_scan(self, scan: str) -> None:
        pass

    def _is_path(self, path: int, episode: Episode) -> bool:
        space = episode.continuous
        return space is not None and self._references[path] == (space.locations or (space.start_position,))

    def _add_path(self, scan: int, episode: Episode) -> None:
        del scan
        space = episode.continuous
        if space is None:
            raise InputError(
                f"episode {episode.episode_id}: has no start position",
                expected="episodes that are all continuous",
                fix="keep episodes in continuous space and on graphs in files of their own",
            )
        self._references.append(space.locations or (space.start_position,))
        self._goals.append(space.goals[0] if space.goals else (np.nan,) * 3)
        self._optima.append(np.nan if space.geodesic_distance is None else space.geodesic_distance)
        self._dense.append(bool(space.locations))

    def _encode(self, row: int, prediction: Prediction) -> int:
        del row
        if not prediction.positions:
            raise InputError(
                f"episode {prediction.episode_id}: has no coordinates, but the data set is continuous",
                expected="positions",
                fix="score it with a data set on graphs such as r2r/val_unseen",
            )
        self._points.extend(chain.from_iterable(prediction.positions))
        return len(prediction.positions)


def pair_episodes(episodes: Iterable[Episode], scenes: Scenes | None, *, is_test: bool = False) -> Pairs:
    """Start pairing: take in the episodes of a data set, on graphs if they name viewpoints.

    Args:
        episodes: the episodes.
        scenes: where their graphs come from; None if they have none.
        is_test: whether references hold the start only, so that goals are unknown.

    Raises:
        InputError: there are no episodes, ids repeat, or a reference does not fit its scene.
    """
    pairs: Pairs | None = None
    for episode in episodes:
        if pairs is None:
            pairs = (
                GraphPairs(scenes, is_test=is_test) if episode.path and scenes is not None else PointPairs()
            )
        pairs.add_episode(episode)
    if pairs is None:
        raise InputError(
            "the data set has no episodes",
            expected="at least one",
            fix="name another split or file; `vlnscope ls datasets` shows what there is",
        )
    return pairs
