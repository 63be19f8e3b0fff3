"""What recurrent agents of continuous environments learn by: imitation, inflection weighted, and progress.

An expert mostly goes on with what it did; the steps at which it changes its mind, inflections, count more
(Wijmans et al., CVPR 2019). A progress monitor says how far along the way an agent is (Ma et al., ICLR 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.cma.policy import PolicyOutput

INFLECTION = 3.2
"""How much an inflection counts: the mean length of runs of one action in R2R-CE."""


@dataclass(frozen=True)
class PolicyLoss:
    """What a batch of episodes costs.

    Attributes:
        action: of the actions.
        progress: of the progress monitor, 0 where it is not learned.
    """

    action: Tensor
    progress: Tensor

    @property
    def total(self) -> Tensor:
        """Both together."""
        return self.action + self.progress


def inflection_weights(actions: Tensor, valid: Tensor, coefficient: float = INFLECTION) -> Tensor:
    """Return how much each step counts: more where the expert changes its mind, and where it begins.

    Args:
        actions: (T, B) of the expert.
        valid: (T, B) which steps there are; padding counts nothing.
        coefficient: how much inflections count.

    Example:
        >>> actions, valid = torch.tensor([[1], [1], [2], [0]]), torch.tensor([[1], [1], [1], [0]]).bool()
        >>> inflection_weights(actions, valid, 4.0).flatten().tolist()
        [4.0, 1.0, 4.0, 0.0]
    """
    changes = torch.ones_like(valid)
    changes[1:] = actions[1:] != actions[:-1]
    return torch.where(changes, coefficient, 1.0) * valid


def imitation_loss(logits: Tensor, actions: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean over the steps of each episode, and of these the mean.

    Args:
        logits: (T, B, actions).
        actions: (T, B) of the expert.
        weights: (T, B) how much each counts; of each episode, at least one does.
    """
    each = functional.cross_entropy(logits.flatten(0, 1), actions.flatten(), reduction="none")
    return ((each.view_as(weights) * weights).sum(0) / weights.sum(0)).mean()


def progress_loss(progress: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """Return the mean squared error over all steps that count, whatever they count.

    Args:
        progress: (T, B) what the agent believes.
        labels: (T, B) the share of the way that is behind it; below 0 where it is farther than at first.
        weights: (T, B).
    """
    counts = weights > 0
    return functional.mse_loss(progress[counts], labels[counts])


def policy_loss(
    output: PolicyOutput,
    actions: Tensor,
    weights: Tensor,
    labels: Tensor | None = None,
    progress_weight: float = 1.0,
) -> PolicyLoss:
    """Return what an agent's decisions cost.

    Args:
        output: what it made of the steps.
        actions: (T, B) of the expert.
        weights: (T, B) as `inflection_weights` makes them.
        labels: (T, B) of its progress; None if that is not learned.
        progress_weight: how much progress counts.
    """
    action = imitation_loss(output.logits, actions, weights)
    if labels is None:
        return PolicyLoss(action, torch.zeros_like(action))
    return PolicyLoss(action, progress_weight * progress_loss(output.progress, labels, weights))
