"""The layers of transformers that reason over a map (DUET and its kin), named as in public checkpoints."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.layers import (
    EPS,
    AddNorm,
    BertLayer,
    CrossAttention,
    LayerSizes,
    SelfAttention,
    Widen,
)
from vlnscope.agents.learned.maps.map_config import MapConfig
from vlnscope.agents.learned.maps.topological_map import POSITION_SIZE, TopologicalMap


class TextEncoder(nn.Module):
    """Layers over words."""

    def __init__(self, config: MapConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(config.block) for _ in range(config.text_layers))

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        """(B, L, H)."""
        for layer in self.layer:
            words = layer(words, mask)
        return words


@dataclass(frozen=True)
class EncodedText:
    """An instruction as layers look at it.

    Attributes:
        stored: (B, layers, L, 2 H) keys and values of the words, for each layer.
        mask: (B, L) which words there are.
    """

    stored: Tensor
    mask: Tensor


class MapLayer(nn.Module):
    """A layer in which tokens look at words and then at each other; words stay as they are."""

    def __init__(self, block: LayerSizes) -> None:
        super().__init__()
        self.visn_self_att = SelfAttention(block)
        self.visn_inter = Widen(block)
        self.visn_output = AddNorm(block.wide, block)
        self.visual_attention = CrossAttention(block)

    def forward(self, tokens: Tensor, mask: Tensor, bias: Tensor | None) -> Tensor:
        """(B, n, H): let tokens look at each other, preferring some by `bias` (B, n, n)."""
        tokens = self.visn_self_att(tokens, mask, bias=bias)
        done: Tensor = self.visn_output(self.visn_inter(tokens), tokens)
        return done


class MapLayers(nn.Module):
    """Layers over tokens (``encoder``)."""

    def __init__(self, config: MapConfig) -> None:
        super().__init__()
        self.x_layers = nn.ModuleList(MapLayer(config.block) for _ in range(config.cross_layers))

    def layers(self) -> list[MapLayer]:
        """Return the layers."""
        return [layer for layer in self.x_layers if isinstance(layer, MapLayer)]

    def stored(self, words: Tensor) -> Tensor:
        """(B, layers, L, 2 H): what layers look up in words (B, L, H), which is the same at every step."""
        return torch.stack([layer.visual_attention.att.stored(words) for layer in self.layers()], dim=1)

    def forward(
        self,
        tokens: Tensor,
        mask: Tensor,
        read: EncodedText,
        bias: Tensor | None = None,
        heed: Tensor | None = None,
    ) -> Tensor:
        """(B, n, H).

        Args:
            tokens: (B, n, H).
            mask: (B, n) which there are.
            read: the words.
            bias: (B, n, n) by how much tokens prefer each other.
            heed: (B, heads, n, L) by how much they prefer words.
        """
        for layer, stored in zip(self.layers(), read.stored.unbind(1), strict=True):
            tokens = layer(layer.visual_attention.look(tokens, stored, read.mask, heed), mask, bias)
        return tokens


def projection(size: int, hidden: int) -> nn.Sequential:
    """A linear layer and a norm."""
    return nn.Sequential(nn.Linear(size, hidden), nn.LayerNorm(hidden, eps=EPS))


class GlobalEncoder(nn.Module):
    """Looks at the whole map (``global_encoder``)."""

    def __init__(self, config: MapConfig) -> None:
        super().__init__()
        self.unit = config.distance_unit
        self.gmap_pos_embeddings = projection(POSITION_SIZE, config.hidden)
        self.gmap_step_embeddings = nn.Embedding(config.max_steps, config.hidden)
        self.encoder = MapLayers(config)
        self.sprel_linear = nn.Linear(1, 1) if config.distance_bias else None

    def forward(
        self,
        plan: TopologicalMap,
        looks: Tensor,
        positions: Tensor,
        read: EncodedText,
        heed: Tensor | None = None,
    ) -> Tensor:
        """(B, 1 + N, H): stopping, then the nodes.

        Args:
            plan: the map.
            looks: (B, N, H) what its nodes look like.
            positions: (B, N, 7) where they lie.
            read: the words.
            heed: (B, heads, 1 + N, L) by how much words are preferred.
        """
        nodes = functional.pad(looks, (0, 0, 1, 0))
        steps = functional.pad(plan.steps, (1, 0)).clamp(max=self.gmap_step_embeddings.num_embeddings - 1)
        where = torch.cat([_nowhere(positions), positions], dim=1)
        tokens = nodes + self.gmap_step_embeddings(steps) + self.gmap_pos_embeddings(where)
        bias = None
        if self.sprel_linear is not None:
            apart = functional.pad(plan.pair_distances() / self.unit, (1, 0, 1, 0))
            bias = self.sprel_linear(apart[..., None])[..., 0]
        mask = functional.pad(plan.known, (1, 0), value=True)
        looked: Tensor = self.encoder(tokens, mask, read, bias, heed)
        return looked


def _nowhere(positions: Tensor) -> Tensor:
    """(B, 1, 7): the position feature of stopping, whose angles are 0."""
    row = positions.new_tensor([0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    return row.expand(len(positions), 1, POSITION_SIZE)


class Scorer(nn.Module):
    """Scores tokens."""

    def __init__(self, hidden: int, size: int) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(size, hidden), nn.ReLU(), nn.LayerNorm(hidden, eps=EPS), nn.Linear(hidden, 1)
        )

    def forward(self, tokens: Tensor) -> Tensor:
        """Return one number per token."""
        scores: Tensor = self.net(tokens).squeeze(-1)
        return scores


def initialised(module: nn.Module) -> None:
    """Start as BERT does."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
