"""What the official code of VLN↻BERT calls the model: a transformer, and what is around it.

How much the token that remembers looks at a candidate, in the mean over the heads of the last layer, says
where to go; the words and candidates that it looked at renew it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.packing import Packing
from vlnscope.agents.learned.recurrent_bert.vlnbert_config import VlnBertConfig
from vlnscope.agents.learned.recurrent_bert.vlnbert_transformer import Memory, Oscar, Prevalent, Renewal

T = TypeVar("T", Oscar, Prevalent)


class Net(nn.Module, ABC, Generic[T]):
    """What the official code calls the model: a transformer and what is around it."""

    vln_bert: T

    def add_projections(self, config: VlnBertConfig) -> None:
        """Add the parameters, as the official code orders them."""
        told = config.angle_size + config.image_size * config.surroundings
        action = nn.Linear(config.hidden + told, config.hidden)
        self.action_state_project = nn.Sequential(action, nn.Tanh())
        self.action_LayerNorm = config.norm()
        self.img_projection = nn.Linear(config.view_size, config.hidden)
        self.cand_LayerNorm = config.norm()

    def begin_step(self, token: Tensor, action: Tensor) -> Tensor:
        """(B, hidden): the token that remembers, told where the agent looks (B, angle or more)."""
        told: Tensor = self.action_LayerNorm(self.action_state_project(torch.cat([token, action], dim=1)))
        return told

    @abstractmethod
    def candidates(self, x: Tensor) -> Tensor:
        """(…, hidden): embeddings of candidates, given as images and angles."""

    @abstractmethod
    def renewed(self, pooled: Tensor, said: Tensor, shown: Tensor) -> Tensor:
        """(B, hidden): as `Renewal.renewed`."""

    def step(self, token: Tensor, offered: Tensor, packing: Packing, memory: Memory) -> tuple[Tensor, Tensor]:
        """Look and decide.

        Args:
            token: (B, hidden) as `begin_step` returned it.
            offered: (B, 1 + C, hidden) embeddings of stopping and of the candidates; zeros for padding.
            packing: (B, 2 + C) which tokens there are: that which remembers, and those offered.
            memory: the words.

        Returns:
            (B, 1 + C) scores of stopping and of the candidates, and the token renewed.
        """
        x = packing.pack(torch.cat([token[:, None], offered], dim=1))
        glance = self.vln_bert.look(x, packing, memory)
        said = averaged(glance.textual, memory.readable, memory.words)
        shown = averaged(glance.visual, packing.mask[:, 1:], offered)
        return glance.visual, self.renewed(self.vln_bert.pooler(glance.token), said, shown)


def averaged(scores: Tensor, there: Tensor, rows: Tensor) -> Tensor:
    """(B, hidden): the rows (B, n, hidden) that are there, weighted by scores; zeros where none is there."""
    shares = scores.masked_fill(~there, torch.finfo(scores.dtype).min).softmax(1) * there
    return torch.einsum("bn,bnh->bh", shares, rows)


class OscarNet(Net[Oscar]):
    """VLN↻BERT that begins as OSCAR."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.vln_bert = Oscar(config)
        self.add_projections(config)

    def candidates(self, x: Tensor) -> Tensor:
        """(…, hidden): embeddings of candidates."""
        embedded: Tensor = self.cand_LayerNorm(self.img_projection(x))
        return embedded

    def renewed(self, pooled: Tensor, said: Tensor, shown: Tensor) -> Tensor:
        """(B, hidden): as `Renewal.renewed`."""
        return self.vln_bert.renewed(pooled, said, shown)


class PrevalentNet(Renewal, Net[Prevalent]):
    """VLN↻BERT that begins as PREVALENT."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.vln_bert = Prevalent(config)
        self.add_projections(config)
        self.make_renewal(config)

    def candidates(self, x: Tensor) -> Tensor:
        """(…, hidden): embeddings of candidates."""
        embedded: Tensor = self.vln_bert.vision_encoder(x)
        return embedded
