"""REINFORCE with a learned baseline (Williams 1992), as the R4R paper trains RCM (Jain et al. 2019, 4.3).

Rewards, with d the distance to the goal along edges and T the last decision of a walk:

========  ====================================================================================================
goal      Eq. 11: ``d(s_t) - d(s_t+1)`` of every move, not clipped; ``1[d(s_T) <= 3 m]`` at the end
fidelity  Eq. 12: 0, then ``1[d(s_T) <= 3 m] + CLS`` at the end
========  ====================================================================================================

A walk that runs out of steps ends with a move; it gets the reward of the move and that of the end.

One reward counts metres, the other is 2 at most and never below 0. So that the reward is all that differs
between two experiments, returns are counted from their mean in the batch, in units of their standard
deviation there, and so does the critic, which is the baseline: weights of the critic, of entropy and of
cloning batches, and the limit of the gradient, then mean the same. The paper names none of these.
"""

from __future__ import annotations

import torch
from torch import Tensor

from vlnscope.agents.learned.model import LeapingModel
from vlnscope.core.devices import moved
from vlnscope.core.exceptions import InputError
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Reward
from vlnscope.training.ranks import Ranks
from vlnscope.training.rollouts import (
    ENDED,
    Learner,
    SampledActions,
    TrainingRollout,
    Update,
    path_batch,
    roll_out_batch,
)

RADIUS = 3.0
SAME = 1e-9
"""Returns whose variance is not larger are the same but for rounding."""


def policy_loss(learner: Learner, batch: EpisodeArrays, update: Update, ranks: Ranks | None = None) -> Tensor:
    """Return the loss of a policy batch (Eq. 10, with the critic's error and the policy's entropy)."""
    model, world, learning = learner
    if isinstance(model, LeapingModel):
        raise InputError(
            f"the model {model.name!r} leaps: a decision of it may be several moves",
            expected="a model that decides move by move, which is what these rewards count",
            fix='write method = "imitation" under [learning]',
        )
    walked = roll_out_batch(
        model,
        world,
        batch,
        SampledActions(update.seed, f"policy {update.number}", batch.keys),
        follow=learning.follow,
        max_steps=learning.max_steps,
        values=True,
    )
    gains = returns(rewards(world, batch, walked, learning.reward), learning.discount)
    there = torch.cat([gains[step.rows, number] for number, step in enumerate(walked.steps)])
    mean, unit = level(there, ranks or Ranks())
    gains = (gains - mean) / unit
    total = torch.zeros((), device=gains.device)
    for number, step in enumerate(walked.steps):
        assert step.values is not None
        gain = gains[step.rows, number].to(step.values.dtype)
        logs = step.logits.log_softmax(1)
        done = logs.gather(1, step.chosen[:, None])[:, 0]
        surprise = -(logs.exp() * logs.masked_fill(logs.isinf(), 0.0)).sum(1)
        error = gain - step.values
        total = total - (done * error.detach()).sum() - learning.entropy * surprise.sum()
        total = total + learning.critic * error.square().sum()
    return total / update.size


def rewards(world: SceneArrays, batch: EpisodeArrays, walked: TrainingRollout, kind: Reward) -> Tensor:
    """(B, T): the reward of each decision; 0 after the end.

    Args:
        world: where.
        batch: the episodes.
        walked: what was done; there are T decisions in the longest walk.
        kind: what is rewarded.
    """
    lengths, decisions = walked.lengths, walked.nodes.shape[1] - 1
    gained = world.distances.new_zeros(len(batch), decisions)
    if kind == "goal":
        there = walked.nodes != ENDED
        nodes = torch.where(there, walked.nodes, batch.goal[:, None])
        left = world.distance(nodes, batch.goal[:, None].expand_as(nodes))
        gained = torch.where(there[:, 1:], left[:, :-1] - left[:, 1:], 0.0).nan_to_num(0.0)  # no way at all
    end = (world.distance(walked.last, batch.goal) <= RADIUS).to(gained.dtype)
    if kind == "fidelity":
        end = end + moved(_cls(world, batch, walked), end.device)
    final = torch.where(walked.stopped, lengths - 1, lengths - 2)
    return gained.scatter_add(1, final[:, None], end[:, None])


def returns(gained: Tensor, discount: float) -> Tensor:
    """(B, T): what is still to be gained at each decision.

    Example:
        >>> returns(torch.tensor([[1.0, 0.0, 4.0]]), 0.5).tolist()
        [[2.0, 2.0, 4.0]]
    """
    columns = list(gained.unbind(1))
    for step in range(len(columns) - 2, -1, -1):
        columns[step] = columns[step] + discount * columns[step + 1]
    return torch.stack(columns, dim=1)


def level(values: Tensor, ranks: Ranks) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of values over all processes; 1 for the latter if all are the same.

    Example:
        >>> [float(each) for each in level(torch.tensor([1.0, 5.0]), Ranks())]
        [3.0, 2.0]
    """
    exact = values.detach().cpu().double()  # not every device has double precision
    sums = torch.stack([torch.ones_like(exact), exact, exact.square()]).sum(1)
    ranks.sum([sums])
    mean = sums[1] / sums[0]
    variance = sums[2] / sums[0] - mean.square()
    unit = torch.where(variance > SAME, variance.clamp(min=SAME).sqrt(), 1.0)
    return moved(mean, values.device), moved(unit, values.device)


def _cls(world: SceneArrays, batch: EpisodeArrays, walked: TrainingRollout) -> Tensor:
    """(B): CLS; 0 where it is not defined."""
    values = get_metric("CLS").compute(path_batch(world, batch, walked), Switches())
    return torch.from_numpy(values.values)
