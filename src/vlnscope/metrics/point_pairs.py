"""Episodes and predictions in continuous space: positions beside the dense ground truth."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.metrics.batch import PathBatch, point_batch
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.metrics.mesh_distances import SceneMeshes
from vlnscope.metrics.pairs import Pairs
from vlnscope.types import Episode, Floats, Ints, Point, Points, Prediction
from vlnscope.worlds.scene import Scenes

NOT_SAID = -1
FAR = 0.5
"""A walk that begins farther than this from the start of its episode, in metres, begins elsewhere."""


class PointPairs(Pairs):
    """Episodes and predictions in continuous space; the reference is the dense ground truth.

    Distances to goals are measured once, on the navigation meshes of the scenes that have one. In a tour an
    episode is measured from its own start, wherever near it the oracle left the agent: IVLN-CE resets its
    measures there.
    """

    def __init__(self, scenes: Scenes | None = None) -> None:
        super().__init__()
        self._meshes = SceneMeshes(scenes)
        self._references: list[Points] = []
        self._starts: list[Point] = []
        self._goals: list[tuple[float, ...]] = []
        self._stated: list[float] = []
        self._dense: list[bool] = []
        self._points = array("d")
        self._actions, self._collisions = array("q"), array("q")

    def add_predictions(self, predictions: Iterable[Prediction]) -> list[str]:
        """Add predictions; see `Pairs.add_predictions`."""
        for measured in ("_goal_distances", "_optima"):
            self.__dict__.pop(measured, None)
        return super().add_predictions(predictions)

    @property
    def predictions(self) -> Ragged:
        """The positions that were predicted, in the order of arrival."""
        return Ragged(np.asarray(self._points, dtype=np.float64).reshape(-1, 3), offsets_of(self._sizes))

    @cached_property
    def references(self) -> Ragged:
        """The positions of the references, by path number."""
        return Ragged.points(self._references)

    @property
    def scenes_without_mesh(self) -> tuple[str, ...]:
        """Scenes of predicted episodes for which no navigation mesh is at hand."""
        scans = list(self.scans)
        predicted = (scans[k] for k in np.unique(self.scan[self.predicted]))
        return tuple(scan for scan in predicted if self._meshes.mesh(scan) is None)

    @property
    def unreachable(self) -> tuple[str, ...]:
        """Predicted episodes whose goal cannot be reached from their start on the navigation mesh."""
        rows = np.flatnonzero(self.predicted)
        return tuple(self.ids[row] for row in rows[np.isinf(self._optima[self.path[rows]])])

    def batch(self, rows: Ints) -> PathBatch:
        """Return the predictions of some rows beside their references; all must be predicted."""
        arrivals, paths = self._arrivals(rows), self.path[rows]
        walks = self.predictions
        to_goal = Ragged(self._goal_distances, walks.offsets).take(arrivals).flat
        begins = walks.flat[walks.offsets[arrivals]]
        return point_batch(
            walks.take(arrivals),
            self.references.take(paths),
            self._goal_points[paths],
            start_goal=self._optima[paths],
            has_reference=np.asarray(self._dense)[paths],
            stopped=self._stops(arrivals),
            goal_distance=None if np.isnan(to_goal).all() else to_goal,
            actions=np.asarray(self._actions, dtype=np.int64)[arrivals],
            collisions=np.asarray(self._collisions, dtype=np.int64)[arrivals],
            wrong_start=((begins - self._start_points[paths]) ** 2).sum(axis=1) > FAR**2,
        )

    @cached_property
    def _start_points(self) -> Floats:
        return np.asarray(self._starts, dtype=np.float64).reshape(-1, 3)

    @cached_property
    def _goal_points(self) -> Floats:
        return np.asarray(self._goals, dtype=np.float64).reshape(-1, 3)

    @cached_property
    def _goal_distances(self) -> Floats:
        """Distance to the goal of every predicted position, in the order of arrival."""
        rows = np.flatnonzero(self.predicted)
        rows = rows[np.argsort(self._arrivals(rows))]
        scans = list(self.scans)
        names = [scans[k] for k in self.scan[rows]]
        return self._meshes.to_goal(names, self.predictions, self._goal_points[self.path[rows]])

    @cached_property
    def _optima(self) -> Floats:
        """Distance from start to goal by path number: on the mesh if there is one, else as stated."""
        optima = np.asarray(self._stated, dtype=np.float64)
        rows = np.flatnonzero(self.predicted)
        paths, first = np.unique(self.path[rows], return_index=True)
        starts, goals = self._start_points[paths], self._goal_points[paths]
        measured = self._meshes.between(list(self.scans), self.scan[rows[first]], starts, goals)
        optima[paths] = np.where(np.isnan(measured), optima[paths], measured)
        return optima

    def _add_scan(self, scan: str) -> None:
        pass

    def _is_path(self, path: int, episode: Episode) -> bool:
        space = episode.continuous
        if space is None:
            return False
        same_ends = self._starts[path] == space.start_position and self._goals[path] == _goal(space.goals)
        return same_ends and self._references[path] == (space.locations or (space.start_position,))

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
        self._starts.append(space.start_position)
        self._goals.append(_goal(space.goals))
        self._stated.append(np.nan if space.geodesic_distance is None else space.geodesic_distance)
        self._dense.append(bool(space.locations))

    def _encode(self, row: int, prediction: Prediction) -> int:
        positions = prediction.positions
        if not positions and "failed" in prediction.extra:
            positions = (self._starts[self._path[row]],)  # an agent that failed counts as one that stayed
        if not positions:
            raise InputError(
                f"episode {prediction.episode_id}: has no coordinates, but the data set is continuous",
                expected="positions",
                fix="score it with a data set on graphs such as r2r/val_unseen",
            )
        if "phases" in prediction.extra:
            positions = (self._starts[self._path[row]], *(positions[1:] or positions))
        self._points.extend(chain.from_iterable(positions))
        self._actions.append(_actions(prediction))
        self._collisions.append(_listed(prediction.extra.get("collisions")))
        return len(positions)


def _goal(goals: Points) -> tuple[float, ...]:
    return goals[0] if goals else (np.nan,) * 3


def _actions(prediction: Prediction) -> int:
    """Return how many low-level actions a prediction lists; a STOP that the list leaves out counts too."""
    actions = prediction.extra.get("actions")
    if not isinstance(actions, list | tuple):
        return NOT_SAID
    return len(actions) + (prediction.stopped is True and tuple(actions[-1:]) != (0,))


def _listed(steps: Any) -> int:
    """Return how many steps a prediction lists, `NOT_SAID` if it has no such list."""
    return len(steps) if isinstance(steps, list | tuple) else NOT_SAID
