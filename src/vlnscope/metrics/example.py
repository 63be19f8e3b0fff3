"""A tiny building to try metrics in: what the examples in their docstrings are made of.

Viewpoints a, b, c and d lie 2 m apart along a corridor, e lies 2 m beside b, and nothing leads to z::

    a — b — c — d     z
        |
        e
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vlnscope.metrics.batch import graph_batch
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.object_targets import ObjectTargets, TargetViews
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.worlds.graph.navgraph import NavGraph

_PLACES = {"a": (0, 0, 0), "b": (2, 0, 0), "c": (4, 0, 0), "d": (6, 0, 0), "e": (2, 2, 0), "z": (9, 9, 0)}
_EDGES = (("a", "b"), ("b", "c"), ("c", "d"), ("b", "e"))


def example(
    name: str,
    walked: str,
    reference: str,
    *,
    seen_from: str = "",
    chose: bool | None = None,
    **switches: Any,
) -> float | str:
    """Return what a metric says of a walk in the tiny building, or the reason why it says nothing.

    Args:
        name: of the metric.
        walked: viewpoints of the walk, as in ``abc``; of a tour, those of its episodes, as in ``abc cd``.
        reference: the same of the reference.
        seen_from: viewpoints from where the object that is asked for can be seen, if one is asked for.
        chose: whether the agent chose that object; None if its file does not say.
        **switches: settings other than those of the default profile.

    Example:
        >>> example("SR", walked="abc", reference="abcd"), example("NE", walked="abz", reference="abcd")
        (1.0, 'there is no way from there to the goal')
    """
    graph = NavGraph.build(list(_PLACES), [list(map(float, p)) for p in _PLACES.values()], list(_EDGES))
    paths = [[[graph.index[v] for v in walk] for walk in text.split()] for text in (walked, reference)]
    scene = np.zeros(len(paths[0]), dtype=np.int64)
    objects = None
    if seen_from:
        views = TargetViews(Ragged.nodes([[graph.index[v] for v in seen_from]] * len(scene)), scene == 0)
        choice = np.full(len(scene), -1 if chose is None else chose, dtype=np.int8)
        objects = ObjectTargets(scene == 0, choice, lambda: views)
    batch = graph_batch(GraphTable([graph]), scene, *map(Ragged.nodes, paths), objects=objects)
    metric = get_metric(name)
    if metric.per == "tour":
        batch = replace(batch, tour=scene)
    values = metric.compute(batch, Switches(**switches))
    return values.reason(0) or round(float(values.values[0]), 3)
