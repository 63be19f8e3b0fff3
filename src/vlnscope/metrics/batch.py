"""Many predictions beside their references, as arrays: what every metric is computed from.

A batch measures each thing that metrics share (lengths, distances to the goal, cost matrices, warping)
once, for all episodes at the same time, when the first metric asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from vlnscope.metrics import kernels
from vlnscope.metrics.fastdtw import fast_warping_costs
from vlnscope.types import Flags, Floats, Ints
from vlnscope.worlds.navgraph import NavGraph


class Ragged(NamedTuple):
    """Rows of different lengths: row k is ``flat[offsets[k]:offsets[k + 1]]``; no row is empty.

    `flat` holds node numbers (int32) or points (n × 3 float64).
    """

    flat: NDArray[np.int32] | Floats
    offsets: Ints

    @property
    def sizes(self) -> Ints:
        """Number of elements of each row."""
        return np.diff(self.offsets)

    @property
    def last(self) -> Ints:
        """Place of the last element of each row."""
        return self.offsets[1:] - 1

    @classmethod
    def nodes(cls, rows: Sequence[Sequence[int]]) -> Ragged:
        """Make ragged rows of node numbers."""
        flat = np.fromiter((node for row in rows for node in row), dtype=np.int32)
        return cls(flat, _offsets([len(row) for row in rows]))

    @classmethod
    def points(cls, rows: Sequence[Sequence[Sequence[float]]]) -> Ragged:
        """Make ragged rows of points."""
        flat = [np.asarray(row, dtype=np.float64).reshape(-1, 3) for row in rows]
        return cls(np.concatenate(flat) if flat else np.zeros((0, 3)), _offsets([len(row) for row in rows]))


class Geometry(Protocol):
    """How distances are measured: along the edges of graphs, or straight."""

    def steps(self, paths: Ragged) -> Floats:
        """Return the length of the step that leads to each element; 0 for the first of a row."""

    def costs(self, pred: Ragged, ref: Ragged, offsets: Ints) -> Floats:
        """Return the distance of every element of a prediction to every element of its reference."""


class GraphTable:
    """The distance matrices of several graphs in one array, so that one loop serves all scenes."""

    def __init__(self, graphs: Sequence[NavGraph]) -> None:
        self.size = np.asarray([len(g.nodes) for g in graphs], dtype=np.int64)
        self.base = np.concatenate(([0], np.cumsum(self.size**2)))[:-1].astype(np.int64)
        self.distances = _joined([g.distances for g in graphs], np.float64)
        self.edges = _joined([g.adjacency for g in graphs], np.uint8)


@dataclass(frozen=True)
class AlongGraph:
    """Shortest distances along the edges; `scene` says which graph of the table each row walks on."""

    table: GraphTable
    scene: Ints

    def steps(self, paths: Ragged) -> Floats:
        """Shortest distance from the node before."""
        t = self.table
        return kernels.graph_steps(t.distances, t.base, t.size, self.scene, paths.flat, paths.offsets)

    def costs(self, pred: Ragged, ref: Ragged, offsets: Ints) -> Floats:
        """Shortest distance between all pairs."""
        t = self.table
        return kernels.graph_costs(t.distances, t.base, t.size, self.scene, *pred, *ref, offsets)

    def to_goal(self, paths: Ragged, goals: NDArray[np.int32]) -> Floats:
        """Shortest distance from every node to its row's goal."""
        t = self.table
        return kernels.goal_distances(t.distances, t.base, t.size, self.scene, *paths, goals)

    def step_kinds(self, paths: Ragged) -> tuple[Ints, Ints]:
        """Per row: number of steps on the spot, and of steps between nodes without an edge."""
        t = self.table
        return kernels.step_kinds(t.edges, t.base, t.size, self.scene, *paths)


@dataclass(frozen=True)
class Straight:
    """Straight lines in three dimensions."""

    def steps(self, paths: Ragged) -> Floats:
        """Straight line from the point before."""
        return kernels.point_steps(paths.flat, paths.offsets)

    def costs(self, pred: Ragged, ref: Ragged, offsets: Ints) -> Floats:
        """Straight line between all pairs."""
        return kernels.point_costs(*pred, *ref, offsets)


@dataclass(frozen=True, kw_only=True)
class PathBatch:
    """Predictions and references of the same episodes, row by row.

    Attributes:
        pred: predicted paths.
        ref: reference paths (dense ones where the convention wants them).
        geometry: how distances between their elements are measured.
        goal_distance: distance of every predicted element to the goal, along edges or the navmesh; None
            where it cannot be known from the files.
        straight_goal_distance: the same as the crow flies (continuous paths).
        start_goal: distance from start to goal; NaN where unknown.
        reference_length: length of the annotated reference.
        stopped: 1 if the agent called STOP, 0 if not, -1 if the file does not say.
        has_reference: whether the row has a reference to compare the whole path with (test splits and
            episodes without a dense ground truth do not).
        wrong_start: whether the prediction starts elsewhere than the reference.
        jumps: number of steps between nodes that share no edge.
        repeats: number of steps on the spot.
        tour: number of the tour that each row belongs to, counting up from 0, the rows of a tour in the
            order in which they were walked; None where episodes stand alone.
    """

    pred: Ragged
    ref: Ragged
    geometry: Geometry
    goal_distance: Floats | None
    straight_goal_distance: Floats | None
    start_goal: Floats
    reference_length: Floats
    stopped: NDArray[np.int8]
    has_reference: Flags
    wrong_start: Flags
    jumps: Ints
    repeats: Ints
    tour: Ints | None = None

    def __len__(self) -> int:
        return len(self.pred.offsets) - 1

    @cached_property
    def steps(self) -> Floats:
        """Length of the step that leads to each predicted element."""
        return self.geometry.steps(self.pred)

    @cached_property
    def length(self) -> Floats:
        """Length of each prediction."""
        return _row_sums(self.steps, self.pred.offsets)

    @cached_property
    def cost_offsets(self) -> Ints:
        """Where each cost matrix starts."""
        return _offsets(self.pred.sizes * self.ref.sizes)

    @cached_property
    def costs(self) -> Floats:
        """Cost matrices of all rows, one after the other."""
        return self.geometry.costs(self.pred, self.ref, self.cost_offsets)

    def coverage(self, decay: float) -> Floats:
        """Mean over reference elements of exp(-distance to the nearest predicted one / decay)."""
        return kernels.coverages(self.costs, self.cost_offsets, self.ref.sizes, decay)

    @cached_property
    def exact_warping(self) -> Floats:
        """Cost of the cheapest alignment of prediction and reference."""
        free = np.zeros(len(self), dtype=np.uint8)
        return self.pinned_warping(free, free)

    def pinned_warping(self, first: NDArray[np.uint8], last: NDArray[np.uint8]) -> Floats:
        """Cheapest alignment with the ends of some references pinned (see `kernels.warping_costs`)."""
        return kernels.warping_costs(self.costs, self.cost_offsets, self.ref.sizes, first, last)

    @cached_property
    def fast_warping(self) -> Floats:
        """Cost of the alignment that FastDTW with radius 1 finds (points only)."""
        return fast_warping_costs(*self.pred, *self.ref, 1)

    @cached_property
    def without_repeats(self) -> PathBatch:
        """The same batch with predicted elements left out that equal the one before."""
        flat, offsets = self.pred
        same = np.zeros(len(flat), dtype=np.bool_)
        equal = flat[1:] == flat[:-1]
        same[1:] = equal if flat.ndim == 1 else equal.all(axis=1)
        same[offsets[:-1]] = False
        kept = np.concatenate(([0], np.cumsum(~same)))[offsets].astype(np.int64)
        pred = Ragged(flat[~same], kept)
        goal = None if self.goal_distance is None else self.goal_distance[~same]
        crow = None if self.straight_goal_distance is None else self.straight_goal_distance[~same]
        return PathBatch(
            **{**vars_of(self), "pred": pred, "goal_distance": goal, "straight_goal_distance": crow}
        )

    @cached_property
    def edits(self) -> Ints:
        """Levenshtein distance between the moves of prediction and reference (graphs only)."""
        return kernels.edit_distances(*self.pred, *self.ref)


def vars_of(batch: PathBatch) -> dict[str, object]:
    """Return the fields of a batch, without what it has measured so far."""
    return {name: getattr(batch, name) for name in PathBatch.__dataclass_fields__}


def graph_batch(
    table: GraphTable, scene: Ints, pred: Ragged, ref: Ragged, stopped: NDArray[np.int8] | None = None
) -> PathBatch:
    """Make a batch of paths on graphs; a reference's last node is its goal.

    Args:
        table: the graphs.
        scene: which of them each row walks on.
        pred: predicted node numbers.
        ref: reference node numbers.
        stopped: whether the agent called STOP (1, 0, -1 unknown).
    """
    geometry = AlongGraph(table, scene)
    goals = ref.flat[ref.last]
    repeats, jumps = geometry.step_kinds(pred)
    starts = Ragged(ref.flat[ref.offsets[:-1]], np.arange(len(ref.offsets), dtype=np.int64))
    return PathBatch(
        pred=pred,
        ref=ref,
        geometry=geometry,
        goal_distance=geometry.to_goal(pred, goals),
        straight_goal_distance=None,
        start_goal=geometry.to_goal(starts, goals),
        reference_length=_row_sums(geometry.steps(ref), ref.offsets),
        stopped=_unknown(len(scene)) if stopped is None else stopped,
        has_reference=np.ones(len(scene), dtype=np.bool_),
        wrong_start=pred.flat[pred.offsets[:-1]] != ref.flat[ref.offsets[:-1]],
        jumps=jumps,
        repeats=repeats,
    )


def point_batch(
    pred: Ragged,
    ref: Ragged,
    goals: Floats,
    *,
    start_goal: Floats | None = None,
    reference_length: Floats | None = None,
    has_reference: Flags | None = None,
    stopped: NDArray[np.int8] | None = None,
    goal_distance: Floats | None = None,
) -> PathBatch:
    """Make a batch of continuous paths.

    Args:
        pred: predicted points.
        ref: reference points (for VLN-CE the dense ground truth).
        goals: one goal per row.
        start_goal: navmesh distance from start to goal, as the episode file states it.
        reference_length: length of the annotated reference; measured along `ref` if not given.
        has_reference: which rows have a reference worth the name.
        stopped: whether the agent called STOP (1, 0, -1 unknown).
        goal_distance: navmesh distance of every predicted point to the goal, if known.
    """
    n = len(pred.offsets) - 1
    geometry = Straight()
    row = np.repeat(np.arange(n), pred.sizes)
    return PathBatch(
        pred=pred,
        ref=ref,
        geometry=geometry,
        goal_distance=goal_distance,
        straight_goal_distance=np.sqrt(((pred.flat - goals[row]) ** 2).sum(axis=1)),
        start_goal=np.full(n, np.nan) if start_goal is None else start_goal,
        reference_length=(
            _row_sums(geometry.steps(ref), ref.offsets) if reference_length is None else reference_length
        ),
        stopped=_unknown(n) if stopped is None else stopped,
        has_reference=np.ones(n, dtype=np.bool_) if has_reference is None else has_reference,
        wrong_start=np.zeros(n, dtype=np.bool_),
        jumps=np.zeros(n, dtype=np.int64),
        repeats=np.zeros(n, dtype=np.int64),
    )


def _row_sums(flat: Floats, offsets: Ints) -> Floats:
    return np.add.reduceat(flat, offsets[:-1]) if len(flat) else np.zeros(0)


def _offsets(sizes: Sequence[int] | Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(np.asarray(sizes, dtype=np.int64)))).astype(np.int64)


def _joined(matrices: Sequence[NDArray[np.generic]], dtype: type) -> NDArray[np.generic]:
    flat = [np.asarray(m, dtype=dtype).ravel() for m in matrices]
    return np.concatenate(flat) if flat else np.zeros(0, dtype=dtype)


def _unknown(n: int) -> NDArray[np.int8]:
    return np.full(n, -1, dtype=np.int8)
