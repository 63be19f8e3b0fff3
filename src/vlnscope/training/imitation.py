"""Imitation: the model learns to do what a teacher would do, where the teacher or the model itself leads.

Teacher forcing walks where the teacher goes; student forcing draws from the model and asks the teacher at
every place it comes to. Both are done in one walk of a batch that holds each episode once for each, after its
instruction was read once: ``loss = teacher · L_teacher + student · L_student``, each a sum over steps of the
cross entropy, divided by the number of episodes (as in HAMT and EnvDrop). With ``forcing = "either"`` each is
walked once, led by the one or the other, which takes little more than half the time.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from vlnscope.agents.learned.model import NavModel
from vlnscope.core.devices import chances
from vlnscope.training.arrays import EpisodeArrays
from vlnscope.training.experiment import LearningConfig
from vlnscope.training.rollouts import (
    Learner,
    SampledActions,
    TrainingRollout,
    Update,
    led_or,
    roll_out_batch,
    rows_of,
)


def imitation_loss(learner: Learner, batch: EpisodeArrays, update: Update) -> Tensor:
    """Return the loss of a batch, or of the part of it that this process works on."""
    model, world, learning = learner
    rows, leads, shares = _rows(batch, learning, update)
    twice = len(rows) > len(batch)
    both = batch.take(rows) if twice else batch
    state = model.start(batch.tokens, batch.mask)
    if twice:
        state = rows_of(state, rows)
    draw = SampledActions(update.seed, f"student {update.number}", both.keys)
    walked = roll_out_batch(
        model,
        world,
        both,
        led_or(leads, draw),
        state=state,
        taught=leads,
        follow=learning.follow,
        max_steps=learning.max_steps,
        at_goal=learning.at_goal,
    )
    return weighted_loss(learner, both, walked, shares / update.size)


def _rows(batch: EpisodeArrays, learning: LearningConfig, update: Update) -> tuple[Tensor, Tensor, Tensor]:
    """Return which episodes are walked, which of these walks the teacher leads, and how much each counts."""
    teacher, student = learning.teacher, learning.student
    own = torch.arange(len(batch), device=batch.device)
    if learning.forcing == "either":
        leads = chances(update.seed, "mixing", batch.keys, update.number) < teacher / (teacher + student)
        return own, leads.to(own.device), torch.ones(len(batch), device=own.device)
    rows = torch.cat([own] * ((teacher > 0) + (student > 0)))
    leads = torch.arange(len(rows), device=own.device) < (len(batch) if teacher > 0 else 0)
    return rows, leads, torch.where(leads, teacher, student)


def weighted_loss(learner: Learner, batch: EpisodeArrays, walked: TrainingRollout, shares: Tensor) -> Tensor:
    """Return the cross entropy of a rollout, each step with its weight, each row with its share.

    What the teacher does is right; so is stopping within ``lenient`` metres of the goal, if that is above 0.
    """
    model, world, learning = learner
    weights = step_weights(model, walked, len(shares))
    total = shares.new_zeros(())
    for number, step in enumerate(walked.steps):
        away = world.distance(step.nodes, batch.goal[step.rows])
        near = (away <= learning.lenient) & (learning.lenient > 0)  # a reference may pass its goal early
        losses = cross_entropy(step.logits, step.advised, near, learning.smoothing)
        total = total + (losses * weights[step.rows, number] * shares[step.rows]).sum()
    return total


def step_weights(model: NavModel[Any], walked: TrainingRollout, size: int) -> Tensor:
    """(B, T): how much each step of each row counts, as the model wants it (inflection weighting)."""
    turns = torch.zeros((size, len(walked.steps)), device=walked.stopped.device)
    stops, valid = (torch.zeros_like(turns, dtype=torch.bool) for _ in range(2))
    for number, step in enumerate(walked.steps):
        turns[step.rows, number] = step.turns
        stops[step.rows, number] = step.stops
        valid[step.rows, number] = True
    return model.step_weights(turns, stops, valid)


def cross_entropy(logits: Tensor, wanted: Tensor, near: Tensor, smoothing: float) -> Tensor:
    """(b): cross entropy; `smoothing` of the target is spread over all that can be done.

    Where `near`, the last column would be right as well: what counts is the probability of either.

    Example:
        >>> logits, wanted = torch.tensor([[0.0, 0.0, -torch.inf, 0.0]]), torch.tensor([0])
        >>> for near, smoothing in ((False, 0.0), (False, 0.5), (True, 0.0)):
        ...     print(round(float(cross_entropy(logits, wanted, torch.tensor([near]), smoothing)), 4))
        1.0986
        1.0986
        0.4055
    """
    logs = logits.log_softmax(1)
    log_wanted, halts = logs.gather(1, wanted[:, None])[:, 0], wanted == logits.shape[1] - 1
    losses = -torch.where(near & ~halts, torch.logaddexp(log_wanted, logs[:, -1]), log_wanted)
    if smoothing:
        can = torch.isfinite(logits)
        spread = -logs.masked_fill(~can, 0.0).sum(1) / can.sum(1)
        losses = (1 - smoothing) * losses + smoothing * spread
    return losses
