"""What models that reason over a map share: they note what they see, weigh two opinions, and leap.

The map's opinion is about all its nodes, that of what is seen now about the candidates; a model says what it
makes of the latter (`MapModel.view`). Any node that was not visited may be gone to, and to stop may mean to
walk back first: to the visited place where stopping was most probable.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.alike import heeded, in_image_space
from vlnscope.agents.learned.hamt_transformer import Words
from vlnscope.agents.learned.inputs import NOTHING, VisualInput, facing, tilt
from vlnscope.agents.learned.layers import Critic
from vlnscope.agents.learned.maps.fusion import Opinions, fused
from vlnscope.agents.learned.maps.map_config import MapConfig
from vlnscope.agents.learned.maps.map_transformer import (
    EncodedText,
    GlobalEncoder,
    MapLayers,
    Scorer,
    TextEncoder,
)
from vlnscope.agents.learned.maps.panorama_tokens import PanoramaTokens, TokenEncoder
from vlnscope.agents.learned.maps.topological_map import TopologicalMap
from vlnscope.agents.learned.model import LeapingModel, State


@dataclass(frozen=True)
class MapState(State):
    """What a model remembers.

    Attributes:
        words: (B, L, H) the words.
        stored: (B, 2 layers, L, 2 H) what the local layers and then the global ones look up in them.
        word_mask: (B, L).
        alike: (B, L, image) the words as vectors of length 1 in the space of images; no columns if not used.
        kept: (B, image) by what image features are multiplied: their scale, and dropout.
        plan: the map; its tokens hold the images of places besides, if `alike` is used.
        summary: (B, H) what the critic looks at.
    """

    words: Tensor
    stored: Tensor
    word_mask: Tensor
    alike: Tensor
    kept: Tensor
    plan: TopologicalMap
    summary: Tensor

    @property
    def read(self) -> EncodedText:
        """The instruction as the local layers look at it."""
        return EncodedText(self.stored.chunk(2, dim=1)[0], self.word_mask)

    @property
    def map_read(self) -> EncodedText:
        """The instruction as the global layers look at it."""
        return EncodedText(self.stored.chunk(2, dim=1)[1], self.word_mask)


M = TypeVar("M", bound=MapState)


class StepInput(NamedTuple):
    """What a step looks at.

    Attributes:
        visual: what is seen.
        panorama: the same as tokens.
        ways: (B, C) nodes of the candidates, `NOTHING` for padding.
        positions: (B, N, 7) where the nodes of the map lie.
    """

    visual: VisualInput
    panorama: PanoramaTokens
    ways: Tensor
    positions: Tensor


class LocalBranch(nn.Module):
    """What a model looks at where it stands.

    Attributes:
        encoder: the layers that look up in the words.
    """

    encoder: MapLayers


class MapTransformer(nn.Module):
    """What the transformers (``vln_bert``) of such models share; `local` is what each has of its own."""

    def __init__(self, config: MapConfig, local: LocalBranch) -> None:
        super().__init__()
        hidden = config.hidden
        self.embeddings = Words(config, 0 if config.vocabulary else config.word_size)
        self.lang_encoder = TextEncoder(config)
        self.img_embeddings = TokenEncoder(config)
        self.local_encoder = local
        self.global_encoder = GlobalEncoder(config)
        self.global_sap_head = Scorer(hidden, hidden)
        self.local_sap_head = Scorer(hidden, hidden)
        self.sap_fuse_linear = Scorer(hidden, 2 * hidden) if config.dynamic_fusion else None

    def stored(self, words: Tensor) -> Tensor:
        """(B, 2 layers, L, 2 H): what both branches look up in the words."""
        branches = [self.local_encoder.encoder, self.global_encoder.encoder]
        return torch.cat([branch.stored(words) for branch in branches], dim=1)

    def weight(self, map_stop: Tensor, view_stop: Tensor) -> Tensor:
        """(B): how much the map counts."""
        if self.sap_fuse_linear is None:
            return torch.full_like(map_stop[:, 0], 0.5)
        share: Tensor = self.sap_fuse_linear(torch.cat([map_stop, view_stop], dim=1)).sigmoid()
        return share


class MapModel(LeapingModel[M]):
    """A model that reasons over a map."""

    config: MapConfig
    vln_bert: MapTransformer
    critic: Critic

    @abstractmethod
    def begun(self, state: MapState) -> M:
        """Return the state in which an agent has read and not yet looked."""

    @abstractmethod
    def view(self, state: M, now: StepInput) -> tuple[Tensor, Tensor, M]:
        """Look at what is there now.

        Returns:
            (B, C, H) tokens of the candidates, (B, H) that of stopping, and the state after.
        """

    def start(self, tokens: Tensor, mask: Tensor) -> M:
        """Read instructions."""
        like = self.vln_bert.embeddings.LayerNorm.weight
        extra = self.config.image_size if self.config.alike_heads else 0
        return self._begun(tokens, mask, TopologicalMap.empty(len(tokens), self.config.hidden + extra, like))

    def resume(self, state: M, tokens: Tensor, mask: Tensor) -> M:
        """Begin the next episode of a tour: with an empty map, or one on which nothing is visited."""
        if self.forgets:
            return self.start(tokens, mask)
        return self._begun(tokens, mask, state.plan.fresh())

    def step(self, state: M, visual: VisualInput) -> tuple[Tensor, M]:
        """Look, and say where to go."""
        said, ways, state = self.considered(state, visual)
        logits = fused(said, state.plan, ways)
        plan = state.plan.with_stops(logits.detach().softmax(1)[:, -1])
        return logits, replace(state, plan=replace(plan, asked=plan.asked + 1))

    def observe(self, state: M, visual: VisualInput) -> M:
        """Look without deciding: what an agent was led through does not count as a decision."""
        after = self.step(state, visual)[1]
        return replace(after, plan=replace(after.plan, asked=state.plan.asked))

    def considered(self, state: M, visual: VisualInput) -> tuple[Opinions, Tensor, M]:
        """Note what is seen, and let both branches say what they think of it.

        Returns:
            What they say, (B, C) the nodes of the candidates, and the state after.
        """
        net, size = self.vln_bert, self.config.hidden
        seen = replace(visual, images=visual.images * state.kept[:, None])
        panorama = net.img_embeddings(seen, net.embeddings.token_type_embeddings.weight[1])
        plan, ways = state.plan.arrived(visual)
        plan = plan.described(*self._looks(panorama, visual, ways))
        positions = plan.positions_from_here(facing(visual), tilt(visual.look, visual.headings))
        now = StepInput(visual, panorama, ways, positions)
        near, view_stop, state = self.view(replace(state, plan=plan), now)
        heed = self._heed(state, visual)
        nodes = net.global_encoder(plan, plan.tokens[..., :size], positions, state.map_read, heed)
        scores, map_stop = net.global_sap_head(nodes), nodes[:, 0]
        said = Opinions(
            scores[:, 1:],
            scores[:, 0],
            net.local_sap_head(near),
            net.local_sap_head(view_stop),
            net.weight(map_stop, view_stop),
        )
        return said, ways, replace(state, summary=map_stop)

    def places(self, state: M) -> Tensor:
        """(B, N): the viewpoints of the nodes."""
        return state.plan.places.masked_fill(~state.plan.there, NOTHING)

    def routes(self, state: M, columns: Tensor) -> Tensor:
        """(B, K): the viewpoints on the way to the node of a column, or to the best place to stop at."""
        plan = state.plan
        stops = columns == plan.there.shape[1]
        return plan.routes(torch.where(stops, plan.best_stop(), columns))

    def next_hops(self, state: M) -> Tensor:
        """(B, N): the first viewpoint on the way to each node."""
        return state.plan.next_hops()

    def ends(self, state: M) -> Tensor:
        """(B): whether the decision must be to stop."""
        return state.plan.asked >= self.config.max_actions

    def value(self, state: M) -> Tensor:
        """(B): what the critic expects."""
        values: Tensor = self.critic(state.summary)
        return values

    def _begun(self, tokens: Tensor, mask: Tensor, plan: TopologicalMap) -> M:
        net, config = self.vln_bert, self.config
        like = plan.tokens
        tokens = tokens if config.vocabulary else tokens.to(like.dtype)
        alike = like.new_zeros(*mask.shape, 0)
        if config.alike_heads:
            alike = in_image_space(tokens, config.image_size) * mask[..., None]
        if self.training and config.word_dropout:
            kept = torch.rand(mask.shape, device=mask.device) >= config.word_dropout
            tokens = tokens * kept.view(*mask.shape, *[1] * (tokens.dim() - 2))
        words = net.lang_encoder(net.embeddings(tokens), mask)
        scale = self.drop_features(like.new_full((len(mask), config.image_size), config.feature_scale))
        return self.begun(MapState(words, net.stored(words), mask, alike, scale, plan, words[:, 0] * 0))

    def _looks(
        self, panorama: PanoramaTokens, visual: VisualInput, ways: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return what the map is to remember: the place, nodes of the candidates, and the candidates."""
        place, near = panorama.mean, panorama.tokens[:, : ways.shape[1]]
        if self.config.alike_heads:
            place = torch.cat([place, visual.images.mean(1)], dim=1)
            near = torch.cat([near, visual.candidate_images], dim=2)
        return place, ways, near

    def _heed(self, state: M, visual: VisualInput) -> Tensor | None:
        """(B, heads, 1 + N, L): by how much stopping and the nodes of the map prefer words."""
        config = self.config
        if not config.alike_heads:
            return None
        words = state.alike.transpose(1, 2)
        best = (visual.images @ words).amax(1, keepdim=True)
        nodes = state.plan.tokens[..., config.hidden :] @ words
        like = torch.cat([best, nodes], dim=1)
        return heeded(like, state.word_mask, config.alike_heads, config.heads)
