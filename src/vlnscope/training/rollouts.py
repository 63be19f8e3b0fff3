"""Walks of a batch: a model looks, something chooses, all move; on arrays, whoever has stopped left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING, facing
from vlnscope.agents.learned.model import LeapingModel, NavModel, State, stack, unstack
from vlnscope.core.devices import as_array, chances
from vlnscope.metrics.batch import PathBatch, graph_batch
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.training.arrays import HALT, EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Follow, LearningConfig

ENDED = -1
"""Fills up the nodes of a walk after its end."""

S = TypeVar("S", bound=State)


class Learner(NamedTuple):
    """A model that learns, where, and how."""

    model: NavModel[Any]
    world: SceneArrays
    learning: LearningConfig


class Update(NamedTuple):
    """Which update of the weights is made.

    Attributes:
        seed: of what is drawn.
        number: of the update, on which that depends, too.
        size: how many episodes, or tours, the whole batch has: this process may work on fewer.
    """

    seed: int
    number: int
    size: int


class TrainingStep(NamedTuple):
    """One step of those rows of a batch that are still under way; b of them.

    Attributes:
        rows: (b) which rows.
        nodes: (b) where they stood.
        logits: (b, C + 1) of the candidates, or the places of a map, then of stopping.
        chosen: (b) the column that was done.
        advised: (b) the column that the teacher would have done.
        turns: (b) change of heading that the teacher's action means; 0 to stop.
        values: (b) what the critic expects; None if it was not asked.
    """

    rows: Tensor
    nodes: Tensor
    logits: Tensor
    chosen: Tensor
    advised: Tensor
    turns: Tensor
    values: Tensor | None

    @property
    def stops(self) -> Tensor:
        """(b): where the teacher stops."""
        return self.advised == self.logits.shape[1] - 1


class BatchPose(NamedTuple):
    """Where agents stand, the views they look at, and which candidate of the visual before each went to."""

    nodes: Tensor
    look: Tensor
    taken: Tensor


class TrainingRollout(NamedTuple):
    """What a batch did.

    Attributes:
        steps: step by step.
        nodes: (B, T + 1) where each row was; `ENDED` after its end. Models that leap may make several moves
            in a step.
        stopped: (B) whether it stopped, and did not run out of steps.
        stand: where each row stands in the end.
        state: the state of each row in the end; None unless it was asked for.
    """

    steps: list[TrainingStep]
    nodes: Tensor
    stopped: Tensor
    stand: BatchPose
    state: Any = None

    @property
    def lengths(self) -> Tensor:
        """(B): how many nodes each row has."""
        return (self.nodes != ENDED).sum(1)

    @property
    def last(self) -> Tensor:
        """(B): where each row ended."""
        return self.nodes.gather(1, self.lengths[:, None] - 1)[:, 0]


class ChoiceContext(NamedTuple):
    """What a chooser is told: the rows under way, their logits, the teacher's advice, and the step."""

    rows: Tensor
    logits: Tensor
    advised: Tensor
    step: int


Chooser = Callable[[ChoiceContext], Tensor]


def advised(look: ChoiceContext) -> Tensor:
    """Do what the teacher says (teacher forcing)."""
    return look.advised


def likeliest(look: ChoiceContext) -> Tensor:
    """Do what is most probable; of several the first, as the engine does."""
    return look.logits.argmax(1)


class SampledActions:
    """Draw from the model's distribution (student forcing).

    What an episode draws depends on the seed, on `purpose`, on the episode and on the step, and on nothing
    else: neither on the batch that it is in, nor on what was drawn before, nor on the device, but for the
    rounding of logits.
    """

    def __init__(self, seed: int, purpose: str, keys: Tensor) -> None:
        self._seed, self._purpose = seed, purpose
        self._keys = keys.cpu()

    def __call__(self, look: ChoiceContext) -> Tensor:
        """Return the column of each row."""
        chance = chances(self._seed, self._purpose, self._keys[look.rows.cpu()], look.step)
        shares = look.logits.detach().cpu().double().softmax(1).cumsum(1)
        column = (shares <= (chance * shares[:, -1])[:, None]).sum(1)
        return column.clamp(max=shares.shape[1] - 1).to(look.rows.device)


def led_or(leads: Tensor, otherwise: Chooser) -> Chooser:
    """Let the teacher lead some rows of a batch, and others choose as `otherwise` says."""

    def choose(look: ChoiceContext) -> Tensor:
        return torch.where(leads[look.rows], look.advised, otherwise(look))

    return choose


class Teacher:
    """Knows the way: a shortest one to the ``goal``, or along the ``reference``.

    Along the reference it leads back to where the reference was left, as the oracle `shortest` does.
    """

    def __init__(self, world: SceneArrays, batch: EpisodeArrays, follow: Follow) -> None:
        self._world, self._batch, self._follow = world, batch, follow
        self._at = torch.zeros_like(batch.start)

    def way(self, rows: Tensor, nodes: Tensor) -> Tensor:
        """Return the candidate to go to, `HALT` to stop; to be asked once per step."""
        return self._world.way(nodes, self.target(rows, nodes))

    def target(self, rows: Tensor, nodes: Tensor) -> Tensor:
        """Return the viewpoint to go to, that of `nodes` itself to stop; to be asked once per step."""
        if self._follow == "goal":
            return self._batch.goal[rows]
        reference, at = self._batch.reference[rows], self._at[rows]
        last = self._batch.sizes[rows] - 1
        ahead = (at + 1).minimum(last)
        at = torch.where((at < last) & (_picked(reference, ahead) == nodes), ahead, at)
        self._at[rows] = at
        wanted = (at + (_picked(reference, at) == nodes).long()).minimum(last)
        return _picked(reference, wanted)


def roll_out_batch(
    model: NavModel[S],
    world: SceneArrays,
    batch: EpisodeArrays,
    choose: Chooser,
    *,
    state: S | None = None,
    taken: Tensor | None = None,
    taught: Tensor | None = None,
    follow: Follow = "goal",
    max_steps: int = 15,
    values: bool = False,
    keep: bool = False,
    at_goal: bool = False,
) -> TrainingRollout:
    """Let a model walk a batch of episodes; models that leap do it by rules of their own (`leaping`).

    Args:
        model: the model.
        world: where.
        batch: the episodes.
        choose: says what is done at each step.
        state: that of the model when it has read the instructions; made here if not given.
        taken: (B) by which candidate of the visual before each row came to its start; by none if not given.
        taught: (B) which rows the teacher leads; only there do models that turn step by step follow it.
        follow: what the teacher follows.
        max_steps: how many moves a walk has at most.
        values: whether the critic is asked.
        keep: whether the states in the end are kept.
        at_goal: for models that leap, whether a walk also ends at its goal.
    """
    state = model.start(batch.tokens, batch.mask) if state is None else state
    if isinstance(model, LeapingModel):
        from vlnscope.training.leaping import LeapRules, leap_batch  # it builds on this module

        rules = LeapRules(follow, max_steps, at_goal, values, keep)
        return leap_batch(model, world, batch, choose, state, rules)
    teacher = Teacher(world, batch, follow)
    rows = torch.arange(len(batch), device=batch.device)
    here = BatchPose(batch.start, batch.look, torch.full_like(rows, NOTHING) if taken is None else taken)
    path = rows.new_full((len(batch), max_steps + 1), ENDED)
    path[:, 0] = here.nodes
    stopped = torch.zeros_like(rows, dtype=torch.bool)
    ends = RolloutEnds(rows, keep)
    steps: list[TrainingStep] = []
    while len(rows) and len(steps) < max_steps:
        visual = world.visuals.at(*here)
        ways = visual.open.shape[1]
        way = teacher.way(rows, here.nodes)
        advice = way.masked_fill(way == HALT, ways)
        toward = None if taught is None else torch.where(taught[rows], advice, NOTHING)
        logits, state = model.step(state, replace(visual, toward=toward))
        chosen = choose(ChoiceContext(rows, logits, advice, len(steps)))
        worth = model.value(state) if values else None
        steps.append(TrainingStep(rows, here.nodes, logits, chosen, advice, _turns(visual, advice), worth))
        going = chosen < ways
        here = BatchPose(*world.visuals.moved(here.nodes, here.look, chosen, going), chosen)
        if not going.all():
            stopped[rows[~going]] = True
            ends.add(rows, here, state, ~going)
            kept = going.nonzero()[:, 0]
            rows, here = rows[kept], BatchPose(*(part[kept] for part in here))
            state = rows_of(state, kept) if len(kept) else state
        path[rows, len(steps)] = here.nodes
    ends.add(rows, here, state, torch.ones_like(rows, dtype=torch.bool))
    return TrainingRollout(steps, path[:, : len(steps) + 1], stopped, ends.stand, ends.state())


class RolloutEnds:
    """Gathers how the rows of a batch end."""

    def __init__(self, rows: Tensor, keep: bool) -> None:
        self.stand = BatchPose(*(torch.full_like(rows, NOTHING) for _ in range(3)))
        self._keep = keep
        self._states: dict[int, Any] = {}

    def add(self, rows: Tensor, here: BatchPose, state: State, over: Tensor) -> None:
        """Hear of rows that are over."""
        for whole, part in zip(self.stand, here, strict=True):
            whole[rows[over]] = part[over]
        if self._keep and over.any():
            parts = unstack(rows_of(state, over.nonzero()[:, 0]))
            self._states |= dict(zip(rows[over].tolist(), parts, strict=True))

    def state(self) -> Any:
        """Return the states of all rows, put together."""
        return stack([self._states[row] for row in sorted(self._states)]) if self._keep else None


def _turns(visual: Any, advice: Tensor) -> Tensor:
    """(b): how far the teacher's action turns away from where the agent looks, not wrapped."""
    headings = torch.cat([visual.headings, facing(visual)[:, None]], dim=1)
    return headings.gather(1, advice[:, None])[:, 0] - facing(visual)


def _picked(table: Tensor, columns: Tensor) -> Tensor:
    return table.gather(1, columns[:, None])[:, 0]


def rows_of(state: S, rows: Tensor) -> S:
    """Return some rows of a state; a row may be taken more than once."""
    columns: dict[str, Any] = {}
    for field in fields(state):
        value = getattr(state, field.name)
        columns[field.name] = (
            rows_of(value, rows) if isinstance(value, State) else value.index_select(0, rows)
        )
    return type(state)(**columns)


@dataclass(frozen=True, eq=False)
class _Local:
    """Node numbers within scenes, as metrics count them."""

    world: SceneArrays
    scene: Tensor

    def ragged(self, nodes: Tensor, sizes: Tensor) -> Ragged:
        inside = nodes - self.world.first[self.scene][:, None]
        kept = torch.arange(nodes.shape[1], device=nodes.device) < sizes[:, None]
        return Ragged(as_array(inside[kept]).astype(np.int32), offsets_of(as_array(sizes)))


def path_batch(world: SceneArrays, batch: EpisodeArrays, walked: TrainingRollout) -> PathBatch:
    """Return what was walked beside the references, as metrics take it."""
    scene = world.scene[batch.start]
    local = _Local(world, scene)
    return graph_batch(
        world.table,
        as_array(scene),
        local.ragged(walked.nodes, walked.lengths),
        local.ragged(batch.reference, batch.sizes),
        stopped=as_array(walked.stopped).astype(np.int8),
    )
