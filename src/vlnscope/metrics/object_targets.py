"""Objects that episodes ask for: from where each can be seen, and which one the agent chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.types import Flags, Ints, Prediction
from vlnscope.worlds.scene import Scene

ObjectViews = Mapping[str, list[int]]
"""Object id → the nodes of a scene's graph from which the object can be seen."""


class TargetViews(NamedTuple):
    """From where the target of each row can be seen.

    Attributes:
        nodes: the viewpoints, by row; empty where the row asks for no object, or nobody knows.
        has_boxes: whether the objects of the row's scene are known.
    """

    nodes: Ragged
    has_boxes: Flags


@dataclass(frozen=True, eq=False)
class ObjectTargets:
    """What the rows of a batch ask for, in episodes that end at an object and not at a place (REVERIE).

    Attributes:
        sought: whether the row's instruction asks for an object.
        chosen: 1 if the agent chose the object that was asked for, 0 if another or none, -1 if the file
            does not say what it chose.
        look_up: finds from where the targets can be seen; called when a metric first needs it.
    """

    sought: Flags
    chosen: NDArray[np.int8]
    look_up: Callable[[], TargetViews]

    @cached_property
    def views(self) -> TargetViews:
        """From where each target can be seen."""
        return self.look_up()

    @property
    def without_boxes(self) -> Flags:
        """Rows that ask for an object in a scene whose objects are not known."""
        return self.sought & ~self.views.has_boxes

    @property
    def out_of_sight(self) -> Flags:
        """Rows whose target is in no list of what can be seen, although its scene has such lists."""
        listed: Flags = self.views.nodes.sizes > 0
        return self.sought & self.views.has_boxes & ~listed

    def in_sight(self, paths: Ragged) -> Flags:
        """Return for every element of some paths, row by row, whether the row's target can be seen there."""
        nodes = self.views.nodes
        width = int(max(paths.flat.max(initial=0), nodes.flat.max(initial=0))) + 1
        found: Flags = np.isin(_keys(paths, width), _keys(nodes, width))
        return found


def _keys(paths: Ragged, width: int) -> Ints:
    rows = np.repeat(np.arange(len(paths.offsets) - 1, dtype=np.int64), paths.sizes)
    keys: Ints = rows * width + paths.flat
    return keys


def views_of_objects(scene: Scene) -> ObjectViews | None:
    """Return from which nodes each object of a scene can be seen; None if the scene does not say.

    REVERIE lists, for every viewpoint, the objects within 3 m that have a box in one of its 36 views; that
    list is what its evaluator takes for "can be seen".
    """
    try:
        objects = scene.objects
    except MissingLayerError:
        return None
    views: dict[str, list[int]] = {}
    for viewpoint, node in scene.graph.index.items():
        for one in objects.seen.get(viewpoint, ()):
            if one.object_id is not None:
                views.setdefault(one.object_id, []).append(node)
    return views


def choice_of(prediction: Prediction, target: str | None) -> int:
    """Say whether a prediction chooses an object that is asked for: 1 yes, 0 no, -1 if it says nothing.

    A null in the file is a choice of nothing, which is wrong, not a silence.

    Example:
        >>> choice_of(Prediction(episode_id="1_7_0", object_id="7"), "7")
        1
        >>> choice_of(Prediction(episode_id="1_7_0", extra={"predObjId": None}), "7")
        0
        >>> choice_of(Prediction(episode_id="1_7_0"), "7")
        -1
    """
    if target is None or (prediction.object_id is None and "predObjId" not in prediction.extra):
        return -1
    return int(prediction.object_id == target)
