"""What the recurrent agents of continuous environments share: words and steps in, scores of actions out.

    words = policy.read(tokens)
    output = policy(words, Steps.one(sights, previous, same_episode), state)     # again and again

The same call takes many steps at once (`Steps`), as training does. Weights have the names of the checkpoints
of VLN-CE (Krantz et al., ECCV 2020) and IVLN-CE (Krantz et al., CVPR 2023).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.cma.config import PolicyConfig
from vlnscope.agents.learned.cma.instructions import InstructionEncoder, Instructions
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps
from vlnscope.agents.learned.network import Network

CAMERAS: Mapping[str, str] = {
    "rgb": "224 x 224 colours, horizontal field of view 90 degrees, 1.25 m above the floor, level",
    "depth": "256 x 256 along the view axis, the same camera, 0 to 10 m as 0 to 1, 0 where nothing is hit",
}


@dataclass(frozen=True)
class PolicyOutput:
    """What an agent makes of T steps.

    Attributes:
        logits: (T, B, actions).
        progress: (T, B) how far along the way it believes to be, where 1 is at the goal.
        features: (T, B, hidden) what both were made of.
        state: (B, slots, hidden) what it remembers after the last one.
    """

    logits: Tensor
    progress: Tensor
    features: Tensor
    state: Tensor


class PolicyNet(nn.Module, ABC):
    """The part of an agent that turns steps into features; what all have in common."""

    slots = 1
    """How many vectors a state has."""

    def __init__(self, config: PolicyConfig, *, both_ways: bool, uses_previous: bool = True) -> None:
        super().__init__()
        self.instruction_encoder = InstructionEncoder(config, both_ways=both_ways)
        self.prev_action_embedding: Any = None
        if uses_previous:
            self.prev_action_embedding = nn.Embedding(config.actions + 1, config.action_size)
        self.progress_monitor = nn.Linear(config.hidden, 1)
        nn.init.kaiming_normal_(self.progress_monitor.weight, nonlinearity="tanh")
        nn.init.zeros_(self.progress_monitor.bias)

    @abstractmethod
    def forward(self, words: Instructions, steps: Steps, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return features (T, B, hidden), and the state (B, slots, hidden) after the last step."""

    @abstractmethod
    def encode_images(self, sights: Sights) -> Sights:
        """Return the features that networks make of images, and whatever else the agent is shown."""

    def embed_previous(self, steps: Steps) -> list[Tensor]:
        """Return previous actions (T, B, action_size), one of its own where an episode begins, or nothing."""
        if self.prev_action_embedding is None:
            return []
        return [self.prev_action_embedding((steps.previous + 1) * steps.same_episode)]


class ActionHead(nn.Module):
    """Scores actions."""

    def __init__(self, hidden: int, actions: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, actions)
        nn.init.orthogonal_(self.linear.weight, gain=0.01)
        nn.init.zeros_(self.linear.bias)

    def forward(self, features: Tensor) -> Tensor:
        """(…, actions)."""
        logits: Tensor = self.linear(features)
        return logits


class ContinuousPolicy(Network):
    """A recurrent agent of continuous environments."""

    Config: ClassVar[type[PolicyConfig]]
    config: PolicyConfig
    net: PolicyNet
    sees = CAMERAS

    def __init__(self, config: PolicyConfig, net: PolicyNet) -> None:
        super().__init__(config)
        self.net = net
        self.action_distribution = ActionHead(config.hidden, config.actions)

    def start(self, rows: int) -> Tensor:
        """(B, slots, hidden): the state of agents that have seen nothing."""
        like = self.action_distribution.linear.weight
        return like.new_zeros(rows, self.net.slots, self.config.hidden)

    def same_episode(self, begins: Tensor, led: Tensor) -> Tensor:
        """Say at which steps an agent takes the episode for that of the step before.

        Args:
            begins: which are the first of an episode that the agent itself takes.
            led: at which an oracle walks, between episodes of a tour.
        """
        return ~(begins | led) if self.config.resets_when_led else ~begins

    def read(self, words: Tensor) -> Instructions:
        """Read instructions: (K, L) ids with zeros at the end, or (K, L, word_size) vectors."""
        read: Instructions = self.net.instruction_encoder(words)
        return read

    @torch.no_grad()
    def features(self, sights: Sights) -> Sights:
        """Return what networks make of images (B, …), to be shown instead of them, as often as wanted."""
        return self.net.encode_images(sights)

    def forward(self, words: Instructions, steps: Steps, state: Tensor) -> PolicyOutput:
        """Decide at each of some steps.

        Args:
            words: the instructions, which the steps say which of they follow.
            steps: what is shown, and what begins where.
            state: (B, slots, hidden) what was remembered before.
        """
        if self.config.padding_runs_on:
            steps = steps.padding_as_steps()
        features, after = self.net(words, steps, state)
        progress = torch.tanh(self.net.progress_monitor(features)).squeeze(-1)
        return PolicyOutput(self.action_distribution(features), progress, features, after)


def without_images(sights: Sights, **features: Tensor) -> Sights:
    """Return sights with features instead of the images that they were made of."""
    return replace(sights, rgb=None, depth=None, **features)
