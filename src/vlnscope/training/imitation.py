"""Imitation: the model learns to do what a teacher would do, where the teacher or the model itself leads.

Teacher forcing walks the reference; student forcing draws from the model and asks the teacher at every place
it comes to. Both are done in one walk of a batch that holds each episode once for each, after its instruction
was read once: ``loss = teacher · L_teacher + student · L_student``, each the sum over steps of the cross
entropy, divided by the number of episodes (as in HAMT and EnvDrop).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from vlnscope.agents.learned.model import NavModel
from vlnscope.training.arrays import Episodes, World
from vlnscope.training.experiment import Learning
from vlnscope.training.walking import Drawn, Walk, led_or, rows_of, walk


def imitation_loss(
    model: NavModel[Any],
    world: World,
    batch: Episodes,
    learning: Learning,
    *,
    seed: int,
    update: int,
    size: int,
) -> Tensor:
    """Return the loss of a batch.

    Args:
        model: the model, in training mode.
        world: where.
        batch: the episodes, or those of them that this process works on.
        learning: how to learn.
        seed: of what the student draws.
        update: number of the update, on which that depends, too.
        size: how many episodes the whole batch has.
    """
    teacher, student = learning.teacher, learning.student
    own = torch.arange(len(batch))
    parts = [own] * ((teacher > 0) + (student > 0))
    rows = torch.cat(parts)
    leads = torch.arange(len(rows)) < (len(batch) if teacher > 0 else 0)
    shares = torch.where(leads, teacher, student) / size
    both = batch.take(rows) if len(parts) > 1 else batch
    state = model.start(batch.tokens, batch.mask)
    if len(parts) > 1:
        state = rows_of(state, rows)
    draw = Drawn(seed, f"student {update}", both.keys)
    walked = walk(
        model,
        world,
        both,
        led_or(leads, draw),
        state=state,
        follow=learning.follow,
        max_steps=max(learning.max_steps, int(batch.sizes.max())),
    )
    return weighted_loss(model, walked, shares, learning)


def weighted_loss(model: NavModel[Any], walked: Walk, shares: Tensor, learning: Learning) -> Tensor:
    """Return the cross entropy of a walk, each step with its weight, each row with its share."""
    weights = step_weights(model, walked, len(shares))
    total = shares.new_zeros(())
    for number, step in enumerate(walked.steps):
        losses = cross_entropy(step.logits, step.advised, learning.smoothing)
        total = total + (losses * weights[step.rows, number] * shares[step.rows]).sum()
    return total


def step_weights(model: NavModel[Any], walked: Walk, size: int) -> Tensor:
    """(B, T): how much each step of each row counts, as the model wants it (inflection weighting)."""
    shape = (size, len(walked.steps))
    turns, stops = torch.zeros(shape), torch.zeros(shape, dtype=torch.bool)
    valid = torch.zeros(shape, dtype=torch.bool)
    for number, step in enumerate(walked.steps):
        turns[step.rows, number] = step.turns
        stops[step.rows, number] = step.stops
        valid[step.rows, number] = True
    return model.step_weights(turns, stops, valid)


def cross_entropy(logits: Tensor, wanted: Tensor, smoothing: float) -> Tensor:
    """(b): cross entropy; `smoothing` of the target is spread over all that can be done.

    Example:
        >>> logits = torch.tensor([[0.0, 0.0, -torch.inf]])
        >>> [round(float(cross_entropy(logits, torch.tensor([0]), s)), 4) for s in (0.0, 0.5)]
        [0.6931, 0.6931]
    """
    logs = logits.log_softmax(1)
    losses = -logs.gather(1, wanted[:, None])[:, 0]
    if smoothing:
        can = torch.isfinite(logits)
        spread = -logs.masked_fill(~can, 0.0).sum(1) / can.sum(1)
        losses = (1 - smoothing) * losses + smoothing * spread
    return losses
