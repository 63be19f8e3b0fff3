"""Scout: a small cross-modal transformer that trains on two cores.

It has HAMT's parts and leaves out what costs most. Words are read once; what visuals look up in them (keys
and values, the same for all layers) is kept. A step has few tokens: one that remembers, one to stop, one per
candidate. They look at the words, at each other and at the steps walked before, of which each is one token
whose keys and values are kept as well. The token that remembers also looks at the whole panorama, through
queries in the space of the features, so that no view has to be projected.

Feature dropout leaves out the same features in all views of an episode (environmental dropout, Tan, Yu and
Bansal, NAACL 2019). Words are ids or, with a vocabulary of 0, vectors that an encoder made of the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.alike import AlikeConfig, in_image_space, preferred
from vlnscope.agents.learned.inputs import NOTHING, VisualInput, candidate_angles, panorama_angles
from vlnscope.agents.learned.layers import Critic, begin_words
from vlnscope.agents.learned.model import NavModel, State, masked_logits
from vlnscope.agents.learned.network import presets
from vlnscope.agents.learned.packing import Packing


@dataclass(frozen=True, kw_only=True)
class ScoutConfig(AlikeConfig):
    """Sizes of Scout.

    Attributes:
        hidden: width of all tokens.
        heads: of each attention.
        wide: width inside feed-forward blocks.
        text_layers: layers over the words.
        layers: layers over what is seen.
        max_steps: positions of history that have an embedding; later steps share the last.
        critic: width of the critic.
    """

    PRESETS: ClassVar = presets("scout")

    word_size: int = 384
    hidden: int = 192
    heads: int = 4
    wide: int = 384
    text_layers: int = 1
    layers: int = 2
    max_steps: int = 20
    critic: int = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.hidden % self.heads == 0, "hidden", f"a multiple of the {self.heads} heads")


@dataclass(frozen=True)
class ScoutState(State):
    """What Scout remembers.

    Attributes:
        keys: (B, heads, L, hidden / heads) keys of the words.
        values: (B, heads, L, hidden / heads) values of the words.
        word_mask: (B, L).
        alike: (B, L, image) the words as vectors of length 1 in the space of images; no columns if not used.
        past: (B, layers, T, 2 hidden) keys and values of the steps walked.
        past_mask: (B, T).
        self_token: (B, hidden) the token that remembers.
        offered: (B, C, hidden) the candidates seen last.
        step: (B) number of the next step.
        kept: (B, image) by what features are multiplied: their scale, and dropout.
    """

    keys: Tensor
    values: Tensor
    word_mask: Tensor
    alike: Tensor
    past: Tensor
    past_mask: Tensor
    self_token: Tensor
    offered: Tensor
    step: Tensor
    kept: Tensor

    def trimmed(self) -> ScoutState:
        """Return the same without history that no row has."""
        used = self.past_mask.any(0)
        return replace(self, past=self.past[:, :, used], past_mask=self.past_mask[:, used])


class PackedRowDropout(nn.Module):
    """Dropout that leaves out the same numbers of all tokens of a row (variational), which is much faster."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor, packing: Packing) -> Tensor:
        """(N, width)."""
        if not self.training or not self.rate:
            return x
        kept = functional.dropout(x.new_ones(len(packing.mask), x.shape[1]), self.rate)
        return x * kept.index_select(0, packing.rows)


class FeedForward(nn.Module):
    """A feed-forward block."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.hidden)
        self.inner = nn.Linear(config.hidden, config.wide)
        self.outer = nn.Linear(config.wide, config.hidden)
        self.drop = PackedRowDropout(config.dropout)

    def forward(self, x: Tensor, packing: Packing) -> Tensor:
        """(N, hidden): what is added to `x`."""
        added: Tensor = self.drop(self.outer(self.inner(self.norm(x)).relu()), packing)
        return added


class StoredAttention(nn.Module):
    """Attention of tokens over keys and values that were made before."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.norm = nn.LayerNorm(config.hidden)
        self.query = nn.Linear(config.hidden, config.hidden)
        self.out = nn.Linear(config.hidden, config.hidden)
        self.drop = PackedRowDropout(config.dropout)

    def forward(self, x: Tensor, packing: Packing, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        """(N, hidden): what is added to `x`, which must be normalised; `mask` fits (B, heads, n, m)."""
        query = packing.spread(self.query(x)).view(*packing.mask.shape, self.heads, -1).transpose(1, 2)
        mixed = functional.scaled_dot_product_attention(query, keys, values, attn_mask=mask)
        added: Tensor = self.drop(self.out(packing.pack(mixed.transpose(1, 2).flatten(2))), packing)
        return added


def parted(stored: Tensor, heads: int) -> tuple[Tensor, Tensor]:
    """Part (B, m, 2 hidden) into keys and values, (B, heads, m, hidden / heads) each."""
    rows, size, width = stored.shape
    keys, values = stored.chunk(2, dim=-1)
    shape = (rows, size, heads, width // (2 * heads))
    return keys.reshape(shape).transpose(1, 2), values.reshape(shape).transpose(1, 2)


class TextLayer(nn.Module):
    """Words look at each other."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.attend = StoredAttention(config)
        self.stored = nn.Linear(config.hidden, 2 * config.hidden)
        self.feed = FeedForward(config)

    def forward(self, words: Tensor, packing: Packing) -> Tensor:
        """(N, hidden)."""
        normed = self.attend.norm(words)
        keys, values = parted(packing.spread(self.stored(normed)), self.attend.heads)
        words = words + self.attend(normed, packing, keys, values, packing.mask[:, None, None])
        done: Tensor = words + self.feed(words, packing)
        return done


class VisualLayer(nn.Module):
    """Tokens look at words, then at each other and at the past."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.words = StoredAttention(config)
        self.own = StoredAttention(config)
        self.stored = nn.Linear(config.hidden, 2 * config.hidden)
        self.feed = FeedForward(config)

    def forward(self, x: Tensor, packing: Packing, state: ScoutState, heed: Tensor, past: Tensor) -> Tensor:
        """(N, hidden); `heed` masks or prefers words, `past` is what this layer kept of the steps walked."""
        x = x + self.words(self.words.norm(x), packing, state.keys, state.values, heed)
        normed = self.own.norm(x)
        stored = torch.cat([packing.spread(self.stored(normed)), past], dim=1)
        mask = torch.cat([packing.mask, state.past_mask], dim=1)
        x = x + self.own(normed, packing, *parted(stored, self.own.heads), mask[:, None, None])
        done: Tensor = x + self.feed(x, packing)
        return done


class Panorama(nn.Module):
    """Attention of a token over the views, in the space of their features."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.heads, self.angle_size = config.heads, config.angle_size
        self.size = config.image_size + config.angle_size
        self.query = nn.Linear(config.hidden, config.heads * self.size)
        self.out = nn.Linear(config.heads * self.size, config.hidden)

    def forward(self, token: Tensor, visual: VisualInput, kept: Tensor) -> Tensor:
        """(B, hidden)."""
        queries = self.query(token).view(-1, self.heads, self.size)
        images, angles = visual.images, panorama_angles(visual.look, self.angle_size, visual.images)
        width = images.shape[2]
        what, where = queries.split([width, self.angle_size], dim=2)
        scores = (what * kept[:, None]) @ images.transpose(1, 2) + where @ angles.transpose(1, 2)
        shares = (scores * self.size**-0.5).softmax(-1)
        seen = torch.cat([(shares @ images) * kept[:, None], shares @ angles], dim=2)
        looked: Tensor = self.out(seen.flatten(1))
        return looked


class Scout(NavModel[ScoutState]):
    """The model."""

    name = "scout"
    Config = ScoutConfig
    config: ScoutConfig

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__(config)
        hidden = config.hidden
        if config.vocabulary:
            self.embedding = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
            nn.init.normal_(self.embedding.weight, std=config.word_size**-0.5)
        self.word_linear = nn.Linear(config.word_size, hidden)
        self.places = nn.Parameter(torch.randn(config.max_tokens, hidden) * 0.02)
        self.text = nn.ModuleList(TextLayer(config) for _ in range(config.text_layers))
        self.text_norm = nn.LayerNorm(hidden)
        self.stored = nn.Linear(hidden, 2 * hidden)
        self.image_linear = nn.Linear(config.image_size, hidden)
        self.angle_linear = nn.Linear(config.angle_size, hidden)
        self.panorama = Panorama(config)
        self.stop = nn.Parameter(torch.randn(hidden) * 0.02)
        self.layers = nn.ModuleList(VisualLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(hidden)
        self.moved = nn.Linear(2 * hidden, hidden)
        self.times = nn.Embedding(config.max_steps, hidden)
        self.past_norm = nn.LayerNorm(hidden)
        self.score = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.critic = Critic(hidden, config.critic, config.dropout)
        self.drop = PackedRowDropout(config.dropout)

    def begin_words(self, vectors: Tensor) -> None:
        """Let word embeddings begin as vectors (V, word_size); rows of zeros begin at random."""
        begin_words(self.embedding, vectors)

    def visual_layers(self) -> list[VisualLayer]:
        """Return the layers over what is seen."""
        return [layer for layer in self.layers if isinstance(layer, VisualLayer)]

    def start(self, tokens: Tensor, mask: Tensor) -> ScoutState:
        """Read instructions."""
        packing = Packing.of(mask)
        words = self._read(tokens, packing)
        for layer in self.text:
            words = layer(words, packing)
        words = self.text_norm(words)
        keys, values = parted(packing.spread(self.stored(words)), self.config.heads)
        summary = packing.spread(words).sum(1) / mask.sum(1, keepdim=True)
        rows, config = len(tokens), self.config
        return ScoutState(
            keys.contiguous(),
            values.contiguous(),
            mask,
            self._alike(tokens).to(words.dtype) * mask[..., None],
            words.new_zeros(rows, config.layers, 0, 2 * config.hidden),
            mask[:, :0],
            summary,
            words.new_zeros(rows, 0, config.hidden),
            mask.new_zeros(rows, dtype=torch.long),
            self.drop_features(words.new_full((rows, config.image_size), config.feature_scale)),
        )

    def step(self, state: ScoutState, visual: VisualInput) -> tuple[Tensor, ScoutState]:
        """Look, and say where to go."""
        state = self._moved(state, visual.taken)
        offered = self._offered(visual, state.kept)
        looked = self.panorama(state.self_token, visual, state.kept)
        own = torch.stack([state.self_token + looked, self.stop + looked], dim=1)
        yes = torch.ones_like(visual.taken[:, None].expand(-1, 2), dtype=torch.bool)
        packing = Packing.of(torch.cat([yes, visual.open], dim=1))
        x = packing.pack(torch.cat([own, offered], dim=1))
        heed = self._heed(state, visual)
        for layer, past in zip(self.visual_layers(), state.past.unbind(1), strict=True):
            x = layer(x, packing, state, heed, past)
        x = self.norm(x)
        token = packing.spread(x)[:, 0]
        scores = packing.spread(self.score(x * packing.each(token)))[..., 0]
        scores = torch.cat([scores[:, 2:], scores[:, 1:2]], dim=1)
        state = replace(state, self_token=token, offered=offered, step=state.step + 1)
        return masked_logits(scores, visual), state

    def _read(self, tokens: Tensor, packing: Packing) -> Tensor:
        """(N, hidden): words, before they look at each other."""
        words = self.embedding(tokens) if self.config.vocabulary else tokens
        words = packing.pack(words.to(self.places.dtype))
        if self.training and self.config.word_dropout:
            words = words * (torch.rand_like(words[:, :1]) >= self.config.word_dropout)
        position = packing.places - packing.rows * tokens.shape[1]
        read: Tensor = self.word_linear(self.drop(words, packing)) + functional.embedding(
            position, self.places
        )
        return read

    def _alike(self, tokens: Tensor) -> Tensor:
        """(B, L, image): the words in the space of images."""
        if not self.config.alike_heads:
            return tokens.new_zeros((*tokens.shape[:2], 0), dtype=self.places.dtype)
        return in_image_space(tokens.to(self.places.dtype), self.config.image_size)

    def _heed(self, state: ScoutState, visual: VisualInput) -> Tensor:
        """(B, heads, 2 + C, L) or so: by how much tokens prefer words; minus infinity for words not there."""
        if not self.config.alike_heads:
            return state.word_mask[:, None, None]
        return preferred(visual, state.alike, state.word_mask, self.config.alike_heads, self.config.heads)

    def _offered(self, visual: VisualInput, kept: Tensor) -> Tensor:
        """(B, C, hidden): the candidates; zeros for padding."""
        packing = Packing.of(visual.open)
        where = packing.pack(candidate_angles(visual, self.config.angle_size))
        what = visual.images[packing.rows, visual.views.flatten()[packing.places]]
        what = what * kept.index_select(0, packing.rows)
        return packing.spread(self.image_linear(what) + self.angle_linear(where))

    def value(self, state: ScoutState) -> Tensor:
        """(B): what the critic expects."""
        values: Tensor = self.critic(state.self_token)
        return values

    def _moved(self, state: ScoutState, taken: Tensor) -> ScoutState:
        """Make the step before a token of the past; at a start there is none."""
        real = state.step > 0
        if not real.any():
            return state
        action = state.self_token.new_zeros(state.self_token.shape)
        if state.offered.shape[1]:
            rows = torch.arange(len(taken), device=taken.device)
            chosen = state.offered[rows, taken.clamp(0, state.offered.shape[1] - 1)]
            action = chosen * (taken != NOTHING)[:, None]
        summary = self.moved(torch.cat([state.self_token, action], dim=1))
        position = (state.step - 1).clamp(0, self.times.num_embeddings - 1)
        token = self.past_norm(summary + self.times(position))
        stored = torch.stack([layer.stored(token) for layer in self.visual_layers()], dim=1)
        return replace(
            state,
            past=torch.cat([state.past, stored[:, :, None]], dim=2),
            past_mask=torch.cat([state.past_mask, real[:, None]], dim=1),
            self_token=torch.where(real[:, None], token, state.self_token),
        )
