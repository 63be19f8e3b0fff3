"""Many predictions beside their references, as arrays: what every metric is computed from.

A batch measures each thing that metrics share (lengths, distances to the goal, cost matrices, warping)
once, for all episodes at the same time, when the first metric asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vlnscope.metrics.kernels import loops as kernels
from vlnscope.metrics.kernels.fastdtw import fast_warping_costs
from vlnscope.metrics.kernels.geometry import AlongGraph, Geometry, GraphTable, Straight
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.metrics.object_targets import ObjectTargets
from vlnscope.types import Flags, Floats, Ints


@dataclass(frozen=True, kw_only=True)
class PathBatch:
    """Predictions and references of the same episodes, row by row.

    Attributes:
        pred: predicted paths.
        ref: reference paths (dense ones where the convention wants them).
        geometry: how distances between their elements are measured.
        goal_distance: distance of every predicted element to the goal, along edges or the navmesh; infinite
            where no way leads there, NaN in rows whose scene has no navmesh, None if none has.
        straight_goal_distance: the same as the crow flies (continuous paths).
        start_goal: distance from start to goal; infinite where there is no way, NaN where unknown.
        stopped: 1 if the agent called STOP, 0 if not, -1 if the file does not say.
        has_goal: whether the goal of the row is known (it is not in test splits).
        has_reference: whether the row has a reference to compare the whole path with (test splits and
            continuous episodes without a dense ground truth do not).
        wrong_start: whether the prediction starts elsewhere than the reference.
        jumps: number of steps between nodes that share no edge.
        repeats: number of steps on the spot.
        objects: what rows ask for whose instruction ends at an object, so that success is to see it, and not
            to be near a place; None where no row does.
        tour: number of the tour that each row belongs to, counting up from 0, the rows of a tour in the
            order in which they were walked; None where episodes stand alone.
        actions: number of low-level actions, STOP included (continuous paths); -1 where the file does not
            list them.
        collisions: number of steps that ran into something (continuous paths); -1 where the file does not
            say.
    """

    pred: Ragged
    ref: Ragged
    geometry: Geometry
    goal_distance: Floats | None
    straight_goal_distance: Floats | None
    start_goal: Floats
    stopped: NDArray[np.int8]
    has_goal: Flags
    has_reference: Flags
    wrong_start: Flags
    jumps: Ints
    repeats: Ints
    objects: ObjectTargets | None = None
    tour: Ints | None = None
    actions: Ints | None = None
    collisions: Ints | None = None

    def __len__(self) -> int:
        return len(self.pred.offsets) - 1

    @cached_property
    def steps(self) -> Floats:
        """Length of the step that leads to each predicted element."""
        return self.geometry.steps(self.pred)

    @cached_property
    def length(self) -> Floats:
        """Length of each prediction."""
        return Ragged(self.steps, self.pred.offsets).sums()

    @cached_property
    def reference_length(self) -> Floats:
        """Length of each reference."""
        return Ragged(self.geometry.steps(self.ref), self.ref.offsets).sums()

    @cached_property
    def cost_offsets(self) -> Ints:
        """Where each cost matrix starts."""
        return offsets_of(self.pred.sizes * self.ref.sizes)

    @cached_property
    def costs(self) -> Floats:
        """Cost matrices of all rows, one after the other."""
        return self.geometry.costs(self.pred, self.ref, self.cost_offsets)

    @cached_property
    def _coverages(self) -> dict[float, Floats]:
        return {}

    def coverage(self, decay: float) -> Floats:
        """Mean over reference elements of exp(-distance to the nearest predicted one / decay)."""
        known = self._coverages
        if decay not in known:
            known[decay] = kernels.coverages(self.costs, self.cost_offsets, self.ref.sizes, decay)
        return known[decay]

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
        return replace(self, pred=pred, goal_distance=goal, straight_goal_distance=crow)

    @cached_property
    def sees_target(self) -> Flags:
        """Whether the object that a row asks for can be seen from each predicted element."""
        if self.objects is None:
            return np.zeros(len(self.pred.flat), dtype=np.bool_)
        return self.objects.in_sight(self.pred)

    @cached_property
    def edits(self) -> Ints:
        """Levenshtein distance between the moves of prediction and reference (graphs only)."""
        return kernels.edit_distances(*self.pred, *self.ref)


def graph_batch(
    table: GraphTable,
    scene: Ints,
    pred: Ragged,
    ref: Ragged,
    *,
    stopped: NDArray[np.int8] | None = None,
    objects: ObjectTargets | None = None,
    is_test: bool = False,
) -> PathBatch:
    """Make a batch of paths on graphs; a reference's last node is its goal.

    Args:
        table: the graphs.
        scene: which of them each row walks on.
        pred: predicted node numbers.
        ref: reference node numbers.
        stopped: whether the agent called STOP (1, 0, -1 unknown).
        objects: the objects that rows ask for, if any does.
        is_test: whether the references hold the start only, so that goals are unknown.
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
        stopped=_unknown(len(scene)) if stopped is None else stopped,
        has_goal=np.full(len(scene), not is_test),
        has_reference=np.full(len(scene), not is_test),
        wrong_start=pred.flat[pred.offsets[:-1]] != ref.flat[ref.offsets[:-1]],
        jumps=jumps,
        repeats=repeats,
        objects=objects,
    )


def point_batch(
    pred: Ragged,
    ref: Ragged,
    goals: Floats,
    *,
    start_goal: Floats | None = None,
    has_reference: Flags | None = None,
    stopped: NDArray[np.int8] | None = None,
    goal_distance: Floats | None = None,
    actions: Ints | None = None,
    collisions: Ints | None = None,
    wrong_start: Flags | None = None,
) -> PathBatch:
    """Make a batch of continuous paths.

    Args:
        pred: predicted points.
        ref: reference points (for VLN-CE the dense ground truth).
        goals: one goal per row; NaN where it is not known.
        start_goal: navmesh distance from start to goal, measured or as the episode file states it.
        has_reference: which rows have a reference worth the name.
        stopped: whether the agent called STOP (1, 0, -1 unknown).
        goal_distance: navmesh distance of every predicted point to the goal, if known.
        actions: number of low-level actions (-1 unknown).
        collisions: number of steps that ran into something (-1 unknown).
        wrong_start: which rows start elsewhere than their episode.
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
        stopped=_unknown(n) if stopped is None else stopped,
        has_goal=np.isfinite(goals).all(axis=1).reshape(n),
        has_reference=np.ones(n, dtype=np.bool_) if has_reference is None else has_reference,
        wrong_start=np.zeros(n, dtype=np.bool_) if wrong_start is None else wrong_start,
        jumps=np.zeros(n, dtype=np.int64),
        repeats=np.zeros(n, dtype=np.int64),
        actions=actions,
        collisions=collisions,
    )


def _unknown(n: int) -> NDArray[np.int8]:
    return np.full(n, -1, dtype=np.int8)
