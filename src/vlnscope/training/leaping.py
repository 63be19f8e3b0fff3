"""Walks of models that leap over their maps: a choice is a place, and may be several moves long.

The teacher chooses on the map as DUET's does: of the places that were not visited, that over which the way to
the goal is shortest, by true distances; it stops at the goal. Where it follows the reference, the next
viewpoint of that is the goal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.model import LeapingModel
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Follow
from vlnscope.training.rollouts import (
    ENDED,
    BatchPose,
    ChoiceContext,
    Chooser,
    RolloutEnds,
    Teacher,
    TrainingRollout,
    TrainingStep,
    rows_of,
)


@dataclass(frozen=True)
class LeapRules:
    """How walks of leaping models are done.

    Attributes:
        follow: what the teacher follows.
        max_steps: how many choices a walk has at most.
        at_goal: whether a walk also ends at its goal, whatever was chosen there, and nobody walks to where
            it would rather stop, as in DUET's training.
        values: whether the critic is asked.
        keep: whether the states in the end are kept.
    """

    follow: Follow = "goal"
    max_steps: int = 15
    at_goal: bool = False
    values: bool = False
    keep: bool = False


def leap_batch(
    model: LeapingModel[Any],
    world: SceneArrays,
    batch: EpisodeArrays,
    choose: Chooser,
    state: Any,
    rules: LeapRules,
) -> TrainingRollout:
    """Let a model walk a batch of episodes; see `roll_out_batch`."""
    teacher, rows = Teacher(world, batch, rules.follow), torch.arange(len(batch), device=batch.device)
    here = BatchPose(batch.start, batch.look, torch.full_like(rows, NOTHING))
    path = _Path(batch.start)
    stopped, ends = torch.zeros_like(rows, dtype=torch.bool), RolloutEnds(rows, rules.keep)
    steps: list[TrainingStep] = []
    while len(rows) and len(steps) < rules.max_steps:
        logits, state = model.step(state, world.visuals.at(*here))
        stop = logits.shape[1] - 1
        advice = advised_place(
            world, model.places(state), logits, here.nodes, teacher.target(rows, here.nodes)
        )
        chosen = choose(ChoiceContext(rows, logits, advice, len(steps)))
        worth = model.value(state) if rules.values else None
        turns = torch.zeros_like(logits[:, 0])
        steps.append(TrainingStep(rows, here.nodes, logits, chosen, advice, turns, worth))
        arrived = (here.nodes == batch.goal[rows]) & rules.at_goal
        over = (chosen == stop) | model.ends(state) | arrived
        walks = model.routes(state, torch.where(over, stop, chosen))
        if rules.at_goal:
            walks = walks.masked_fill(over[:, None], NOTHING)
        here = path.walk(world, rows, here, walks)
        if over.any():
            stopped[rows[over]] = True
            ends.add(rows, here, state, over)
            kept = (~over).nonzero()[:, 0]
            rows, here = rows[kept], BatchPose(*(part[kept] for part in here))
            state = rows_of(state, kept) if len(kept) else state
    ends.add(rows, here, state, torch.ones_like(rows, dtype=torch.bool))
    return TrainingRollout(steps, path.nodes(), stopped, ends.stand, ends.state())


def advised_place(
    world: SceneArrays, places: Tensor, logits: Tensor, nodes: Tensor, targets: Tensor
) -> Tensor:
    """(B): the column that leads to a target on the shortest way, stopping where it is reached.

    Args:
        world: where.
        places: (B, N) viewpoints of the columns.
        logits: (B, N + 1) minus infinity where an agent cannot go.
        nodes: (B) where agents stand.
        targets: (B) where they should go.
    """
    stop, can = places.shape[1], logits[:, :-1].isfinite()
    inside = torch.where(can, places, nodes[:, None])
    to = world.distance(nodes[:, None].expand_as(inside), inside)
    whole = to + world.distance(inside, targets[:, None].expand_as(inside))
    best = whole.masked_fill(~can, torch.inf)
    done = (nodes == targets) | ~can.any(1)
    return torch.where(done, stop, best.argmin(1)) if stop else torch.zeros_like(nodes)


class _Path:
    """Every viewpoint that each row of a batch came through."""

    def __init__(self, starts: Tensor) -> None:
        self._starts = starts
        self._columns = [starts]

    def walk(self, world: SceneArrays, rows: Tensor, here: BatchPose, walks: Tensor) -> BatchPose:
        """Move rows along their walks (b, K), and return where they stand."""
        for places in walks.unbind(1):
            going = places != NOTHING
            leads = world.visuals.nodes[here.nodes] == places[:, None]
            way = (leads & world.visuals.open[here.nodes]).int().argmax(1)
            here = BatchPose(*world.visuals.moved(here.nodes, here.look, way, going), way)
            column = torch.full_like(self._starts, ENDED)
            column[rows] = torch.where(going, here.nodes, ENDED)
            self._columns.append(column)
        return here._replace(taken=torch.full_like(here.nodes, NOTHING))

    def nodes(self) -> Tensor:
        """(B, P): the whole walk of each row, `ENDED` after its end."""
        whole = torch.stack(self._columns, dim=1)
        there = whole != ENDED
        order = there.int().argsort(dim=1, descending=True, stable=True)
        return whole.gather(1, order)[:, : int(there.sum(1).max())]
