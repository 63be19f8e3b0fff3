"""DUET, the dual-scale graph transformer (Chen, Guhur, Tapaswi, Schmid and Laptev, CVPR 2022), and ScaleVLN.

A global branch looks at the map that the agent draws, a local one at what it sees now; both look at the words
of the instruction. ScaleVLN (Wang et al., ICCV 2023) is the same network on other image features, trained on
more data. Parameters have the names and shapes of the official checkpoints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.alike import heeded
from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.layers import Critic
from vlnscope.agents.learned.maps.map_config import MapConfig, map_layout
from vlnscope.agents.learned.maps.map_model import LocalBranch, MapModel, MapState, MapTransformer, StepInput
from vlnscope.agents.learned.maps.map_transformer import EncodedText, MapLayers, initialised, projection
from vlnscope.agents.learned.maps.topological_map import POSITION_SIZE, TopologicalMap
from vlnscope.agents.learned.network import presets


@dataclass(frozen=True, kw_only=True)
class DuetConfig(MapConfig):
    """Sizes of DUET."""

    PRESETS: ClassVar = presets("duet")


@dataclass(frozen=True, kw_only=True)
class ScaleVlnConfig(DuetConfig):
    """Sizes of ScaleVLN."""

    PRESETS: ClassVar = presets("scalevln")


class LocalEncoder(LocalBranch):
    """Looks at what is seen now (``local_encoder``)."""

    def __init__(self, config: MapConfig) -> None:
        super().__init__()
        self.vp_pos_embeddings = projection(2 * POSITION_SIZE, config.hidden)
        self.encoder = MapLayers(config)

    def forward(
        self, tokens: Tensor, mask: Tensor, where: Tensor, read: EncodedText, heed: Tensor | None = None
    ) -> Tensor:
        """(B, 1 + n, H): stopping, then what is seen.

        Args:
            tokens: (B, n, H) what is seen.
            mask: (B, n) which tokens there are.
            where: (B, 1 + n, 14) where the episode began, and where each token lies.
            read: the words.
            heed: (B, heads, 1 + n, L) by how much words are preferred.
        """
        seen = functional.pad(tokens, (0, 0, 1, 0)) + self.vp_pos_embeddings(where)
        looked: Tensor = self.encoder(seen, functional.pad(mask, (1, 0), value=True), read, heed=heed)
        return looked


class Duet(MapModel[MapState]):
    """The model."""

    name = "duet"
    Config = DuetConfig
    layouts = (
        map_layout(
            "DUET (Chen et al. 2022)",
            "vp_pos_embeddings.0.weight",
            ("pth_vit_base_patch16_224_imagenet.hdf5",),
        ),
    )
    config: DuetConfig

    def __init__(self, config: DuetConfig) -> None:
        super().__init__(config)
        self.forgets = not config.keeps_map
        self.vln_bert = MapTransformer(config, LocalEncoder(config))
        self.vln_bert.apply(initialised)
        self.critic = Critic(config.hidden, config.critic, config.dropout)

    def begun(self, state: MapState) -> MapState:
        """Return the state in which an agent has read and not yet looked."""
        return state

    def view(self, state: MapState, now: StepInput) -> tuple[Tensor, Tensor, MapState]:
        """Look at candidates and views."""
        tokens, mask = now.panorama
        heed = self._near_heed(state, now)
        looked = self.vln_bert.local_encoder(tokens, mask, self._where(state.plan, now), state.read, heed)
        return looked[:, 1 : 1 + now.ways.shape[1]], looked[:, 0], state

    def _near_heed(self, state: MapState, now: StepInput) -> Tensor | None:
        """(B, heads, 1 + n, L): by how much stopping, candidates and views prefer words."""
        config = self.config
        if not config.alike_heads:
            return None
        every = now.visual.images @ state.alike.transpose(1, 2)
        best = every.amax(1, keepdim=True)
        near = every.gather(1, now.visual.views[..., None].expand(-1, -1, every.shape[2]))
        like = torch.cat([best, near, every if config.panorama else best], dim=1)
        return heeded(like, state.word_mask, config.alike_heads, config.heads)

    def _where(self, plan: TopologicalMap, now: StepInput) -> Tensor:
        """(B, 1 + n, 14): where the episode began, beside where candidates lie."""
        rows = torch.arange(len(plan.begin), device=plan.begin.device)[:, None]
        begin = now.positions[rows, plan.begin[:, None]]
        near = now.positions[rows, now.ways.clamp(min=0)] * (now.ways != NOTHING)[..., None]
        others = now.panorama.tokens.shape[1] - near.shape[1]
        lie = functional.pad(near, (0, 0, 1, others))
        return torch.cat([begin.expand_as(lie), lie], dim=2)


class ScaleVln(Duet):
    """DUET as ScaleVLN has it: image features of CLIP (ViT-H/14: 1024 numbers, ViT-B/16: 512)."""

    name = "scalevln"
    Config = ScaleVlnConfig
    layouts = (
        map_layout(
            "ScaleVLN (Wang et al. 2023)",
            "vp_pos_embeddings.0.weight",
            ("clip_vit-h14_mp3d_original.hdf5",),
            only={"image_size": (512, 1024)},
        ),
    )
