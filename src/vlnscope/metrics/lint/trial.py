"""Runs a metric that is not trusted: it may raise, return anything, or change what it was given."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from vlnscope.metrics.batch import PathBatch, graph_batch, point_batch
from vlnscope.metrics.kernels.geometry import AlongGraph, GraphTable
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.lint.probes import Path, ProbeWorld
from vlnscope.metrics.metric import Metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

Space = Literal["graph", "continuous"]
Row = tuple[ProbeWorld, Path]


class BrokenContractError(Exception):
    """A metric did not return one number, or a reason for none, for each row."""


@dataclass(frozen=True)
class MetricTrial:
    """A metric under test.

    Attributes:
        metric: the metric.
        switches: how it is to be computed.
        space: whether paths are given to it as nodes of graphs or as points.
    """

    metric: Metric
    switches: Switches
    space: Space = "graph"

    def run(self, rows: Sequence[Row], factor: float = 1.0) -> Values:
        """Compute the metric for paths in worlds, one value per row, the radius multiplied by `factor`.

        Raises:
            BrokenContractError: the metric raised, or what it returned is not one value per row.
        """
        return self._checked(self._compute(self.batch(rows), factor), len(rows))

    def altered(self, rows: Sequence[Row]) -> str | None:
        """Return the name of something in the batch that the metric changes, if it does."""
        batch, fresh = self.batch(rows), self.batch(rows)
        self._compute(batch)
        radius = self.switches.radius
        covers = _equal(batch.coverage(radius), fresh.coverage(radius))
        return _difference(batch, fresh) if covers else "coverage"

    def seconds(self, rows: Sequence[Row], repeats: int = 2) -> float:
        """Return the shortest time that computing the metric takes; making the batch is not counted."""
        times = []
        for _ in range(repeats):
            batch = self.batch(rows)
            start = time.perf_counter()
            self._compute(batch)
            times.append(time.perf_counter() - start)
        return min(times)

    def batch(self, rows: Sequence[Row]) -> PathBatch:
        """Return the rows as a batch; for metrics of tours, each row is a tour of its own."""
        spread = np.repeat(np.arange(len(rows)), [world.laps for world, _ in rows])
        walked = [rows[k] for k in spread.tolist()]
        batch = _on_graphs(walked) if self.space == "graph" else _in_space(walked)
        return replace(batch, tour=spread) if self.metric.per == "tour" else batch

    def _compute(self, batch: PathBatch, factor: float = 1.0) -> Any:
        switches = replace(self.switches, radius=self.switches.radius * factor)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                return self.metric.compute(batch, switches)
            except Exception as error:  # a plug-in may fail in any way
                raise BrokenContractError(f"raises {type(error).__name__}: {error}") from error

    def _checked(self, values: Any, size: int) -> Values:
        if not isinstance(values, Values):
            raise BrokenContractError(f"returns {type(values).__name__}, not Values")
        for what, numbers in (("values", values.values), *values.undefined.items()):
            shape = getattr(numbers, "shape", None)
            if shape != (size,):
                raise BrokenContractError(f"returns {what!r} of the shape {shape} for {size} rows")
        if not np.issubdtype(values.values.dtype, np.number) or np.iscomplexobj(values.values):
            raise BrokenContractError(f"returns values of the type {values.values.dtype}")
        return values


def _on_graphs(rows: Sequence[Row]) -> PathBatch:
    scenes = list(dict.fromkeys(world for world, _ in rows))
    number = {world: k for k, world in enumerate(scenes)}
    return graph_batch(
        GraphTable([world.graph for world in scenes]),
        np.asarray([number[world] for world, _ in rows], dtype=np.int64),
        Ragged.nodes([path for _, path in rows]),
        Ragged.nodes([world.reference for world, _ in rows]),
        stopped=np.ones(len(rows), dtype=np.int8),
    )


def _in_space(rows: Sequence[Row]) -> PathBatch:
    """The nodes' coordinates; distances along edges stand for those along a navmesh."""
    to_goal = [world.graph.distances[:, world.reference[-1]] for world, _ in rows]
    return point_batch(
        Ragged.points([world.graph.positions[list(path)].tolist() for world, path in rows]),
        Ragged.points([world.graph.positions[list(world.reference)].tolist() for world, _ in rows]),
        np.asarray([world.graph.positions[world.reference[-1]] for world, _ in rows]),
        start_goal=np.asarray([d[world.reference[0]] for d, (world, _) in zip(to_goal, rows, strict=True)]),
        stopped=np.ones(len(rows), dtype=np.int8),
        goal_distance=np.concatenate([d[list(path)] for d, (_, path) in zip(to_goal, rows, strict=True)]),
    )


def _difference(batch: PathBatch, fresh: PathBatch) -> str | None:
    """Compare what a batch holds, measured on demand or not, with a fresh one."""
    public = {name: value for name, value in vars(batch).items() if not name.startswith("_")}
    for name, value in public.items():
        if isinstance(value, PathBatch):
            if inside := _difference(value, getattr(fresh, name)):
                return inside
        elif not _equal(value, getattr(fresh, name, None)):
            return name
    return None


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, AlongGraph) and isinstance(b, AlongGraph):
        return _equal(a.scene, b.scene) and _equal(list(vars(a.table).values()), list(vars(b.table).values()))
    if isinstance(a, np.ndarray):
        return a.dtype.kind in "biuf" and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)
