"""Turns episodes and predictions into arrays: names of viewpoints become numbers, once, at the edge."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import groupby

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.metrics.batch import PathBatch, graph_batch
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.metrics.object_targets import ObjectTargets, ObjectViews, TargetViews, views_of_objects
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.point_pairs import PointPairs
from vlnscope.types import Episode, Ints, Prediction
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes


class GraphPairs(Pairs):
    """Episodes and predictions on navigation graphs."""

    def __init__(self, scenes: Scenes, *, is_test: bool = False) -> None:
        super().__init__()
        self._scenes = scenes
        self._is_test = is_test
        self.graphs: list[NavGraph] = []
        self._reference_nodes, self._reference_starts = array("i"), array("q", [0])
        self._nodes = array("i")
        self._views: dict[int, ObjectViews | None] = {}

    @cached_property
    def _table(self) -> GraphTable:
        return GraphTable(self.graphs)

    @property
    def predictions(self) -> Ragged:
        """Node numbers of what was predicted, in the order of arrival."""
        return Ragged(np.asarray(self._nodes, dtype=np.int32), offsets_of(self._sizes))

    @cached_property
    def references(self) -> Ragged:
        """Node numbers of the references, by path number."""
        return Ragged(np.asarray(self._reference_nodes, dtype=np.int32), np.asarray(self._reference_starts))

    def batch(self, rows: Ints) -> PathBatch:
        """Return the predictions of some rows beside their references; all must be predicted."""
        arrivals = self._arrivals(rows)
        return graph_batch(
            self._table,
            self.scan[rows],
            self.predictions.take(arrivals),
            self.references.take(self.path[rows]),
            stopped=self._stops(arrivals),
            objects=self._objects(rows, arrivals),
            is_test=self._is_test,
        )

    def _objects(self, rows: Ints, arrivals: Ints) -> ObjectTargets | None:
        targets = [self._targets[row] for row in rows]
        sought = np.asarray([target is not None for target in targets], dtype=np.bool_)
        if not sought.any():
            return None
        chosen = np.asarray(self._chosen, dtype=np.int8)[arrivals]
        return ObjectTargets(sought, chosen, partial(self._target_views, targets, self.scan[rows]))

    def _target_views(self, targets: Sequence[str | None], scans: Ints) -> TargetViews:
        views = [self._object_views(scan) for scan in scans]
        nodes = [
            its.get(target, []) if its and target is not None else []
            for its, target in zip(views, targets, strict=True)
        ]
        return TargetViews(Ragged.nodes(nodes), np.asarray([its is not None for its in views]))

    def _object_views(self, scan: int) -> ObjectViews | None:
        if scan not in self._views:
            self._views[scan] = views_of_objects(self._scenes.scene(list(self.scans)[scan]))
        return self._views[scan]

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
                fix="score it with a continuous data set such as houses-ce/val_unseen or r2r-ce/val_unseen",
            )
        path = without_standing(prediction.path) if prediction.positions else prediction.path
        index = self.graphs[self._scan[row]].index
        try:
            self._nodes.extend([index[node] for node in path])
        except KeyError as error:
            scan = list(self.scans)[self._scan[row]]
            raise InputError(
                f"episode {prediction.episode_id}: viewpoint {error} is not in scan {scan}",
                expected="viewpoint ids of that scan",
                fix="`vlnscope check` lists all such predictions",
            ) from None
        return len(path)


def without_standing(path: Iterable[str]) -> tuple[str, ...]:
    """Return the viewpoints that a walk in space was projected onto, each once until the next is nearer.

    Example:
        >>> without_standing("aabba")
        ('a', 'b', 'a')
    """
    return tuple(node for node, _ in groupby(path))


def pair_episodes(
    episodes: Iterable[Episode], scenes: Scenes | None, *, is_test: bool = False, continuous: bool = False
) -> Pairs:
    """Start pairing: take in the episodes of a data set, on graphs if they name viewpoints.

    Args:
        episodes: the episodes.
        scenes: where their graphs and navigation meshes come from; None if they have none.
        is_test: whether references hold the start only, so that goals are unknown.
        continuous: whether predictions are positions, even if the episodes name viewpoints as well.

    Raises:
        InputError: there are no episodes, ids repeat, or a reference does not fit its scene.
    """
    pairs: Pairs | None = None
    for episode in episodes:
        if pairs is None:
            if scenes is None or continuous or not episode.path:
                pairs = PointPairs(scenes)
            else:
                pairs = GraphPairs(scenes, is_test=is_test)
        pairs.add_episode(episode)
    if pairs is None:
        raise InputError(
            "the data set has no episodes",
            expected="at least one",
            fix="name another split or file; `vlnscope ls datasets` shows what there is",
        )
    return pairs
