"""Scout: a small cross-modal transformer that trains on two cores.

It has HAMT's parts and leaves out what costs most. Words are read once; what sights look up in them (keys and
values, the same for all layers) is kept. A step has few tokens: one that remembers, one to stop, one per
candidate. They look at the words, at each other and at the steps walked before, of which each is one token
whose keys and values are kept as well. The token that remembers also looks at the whole panorama, through
queries in the space of the features, so that no view has to be projected.

Feature dropout leaves out the same features in all views of an episode (environmental dropout, Tan, Yu and
Bansal, NAACL 2019). Word embeddings are as wide as sentence embeddings, so that they can begin as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.layers import Critic
from vlnscope.agents.learned.model import ModelConfig, NavModel, State, masked_logits
from vlnscope.agents.learned.sight import NOTHING, Sight, candidate_angles, panorama_angles


@dataclass(frozen=True, kw_only=True)
class ScoutConfig(ModelConfig):
    """Sizes of Scout.

    Attributes:
        word_size: of word embeddings.
        hidden: width of all tokens.
        heads: of each attention.
        wide: width inside feed-forward blocks.
        text_layers: layers over the words.
        layers: layers over what is seen.
        max_steps: positions of history that have an embedding; later steps share the last.
        critic: width of the critic.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "small": {"vocabulary": 1500, "image_size": 384},
    }

    word_size: int = 384
    hidden: int = 192
    heads: int = 4
    wide: int = 384
    text_layers: int = 2
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
        past: (B, layers, T, 2 hidden) keys and values of the steps walked.
        past_mask: (B, T).
        self_token: (B, hidden) the token that remembers.
        offered: (B, C, hidden) the candidates seen last.
        step: (B) number of the next step.
        kept: (B, image) by what features are multiplied: dropout.
    """

    keys: Tensor
    values: Tensor
    word_mask: Tensor
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


class Drop(nn.Module):
    """Dropout that leaves out the same numbers of all tokens of a row (variational), which is much faster."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, n, width)."""
        if not self.training or not self.rate:
            return x
        return x * functional.dropout(x.new_ones(x.shape[0], 1, x.shape[2]), self.rate)


class Feed(nn.Sequential):
    """A feed-forward block."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__(
            nn.LayerNorm(config.hidden),
            nn.Linear(config.hidden, config.wide),
            nn.ReLU(),
            nn.Linear(config.wide, config.hidden),
            Drop(config.dropout),
        )


class Attend(nn.Module):
    """Attention of tokens over keys and values that were made before."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.norm = nn.LayerNorm(config.hidden)
        self.query = nn.Linear(config.hidden, config.hidden)
        self.out = nn.Linear(config.hidden, config.hidden)
        self.drop = Drop(config.dropout)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        """(B, n, hidden): what is added to `x`, which must be normalised."""
        query = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        mixed = functional.scaled_dot_product_attention(query, keys, values, attn_mask=mask[:, None, None])
        added: Tensor = self.drop(self.out(mixed.transpose(1, 2).flatten(2)))
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
        self.attend = Attend(config)
        self.stored = nn.Linear(config.hidden, 2 * config.hidden)
        self.feed = Feed(config)

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        """(B, L, hidden)."""
        normed = self.attend.norm(words)
        words = words + self.attend(normed, *parted(self.stored(normed), self.attend.heads), mask)
        done: Tensor = words + self.feed(words)
        return done


class SightLayer(nn.Module):
    """Tokens look at words, then at each other and at the past."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.words = Attend(config)
        self.own = Attend(config)
        self.stored = nn.Linear(config.hidden, 2 * config.hidden)
        self.feed = Feed(config)

    def forward(self, x: Tensor, mask: Tensor, state: ScoutState, past: Tensor) -> Tensor:
        """(B, n, hidden); `past` is what this layer kept of the steps walked."""
        x = x + self.words(self.words.norm(x), state.keys, state.values, state.word_mask)
        normed = self.own.norm(x)
        keys, values = parted(torch.cat([self.stored(normed), past], dim=1), self.own.heads)
        x = x + self.own(normed, keys, values, torch.cat([mask, state.past_mask], dim=1))
        done: Tensor = x + self.feed(x)
        return done


class Panorama(nn.Module):
    """Attention of a token over the views, in the space of their features."""

    def __init__(self, config: ScoutConfig) -> None:
        super().__init__()
        self.heads, self.angle_size = config.heads, config.angle_size
        self.size = config.image_size + config.angle_size
        self.query = nn.Linear(config.hidden, config.heads * self.size)
        self.out = nn.Linear(config.heads * self.size, config.hidden)

    def forward(self, token: Tensor, sight: Sight, kept: Tensor) -> Tensor:
        """(B, hidden)."""
        asked = self.query(token).unflatten(-1, (self.heads, self.size))
        images, angles = sight.images, panorama_angles(sight.look, self.angle_size, sight.images)
        width = images.shape[2]
        what, where = asked.split([width, self.angle_size], dim=2)
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
        self.embedding = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
        self.word_linear = nn.Linear(config.word_size, hidden)
        self.places = nn.Parameter(torch.randn(config.max_tokens, hidden) * 0.02)
        self.text = nn.ModuleList(TextLayer(config) for _ in range(config.text_layers))
        self.text_norm = nn.LayerNorm(hidden)
        self.stored = nn.Linear(hidden, 2 * hidden)
        self.image_linear = nn.Linear(config.image_size, hidden)
        self.angle_linear = nn.Linear(config.angle_size, hidden)
        self.panorama = Panorama(config)
        self.stop = nn.Parameter(torch.randn(hidden) * 0.02)
        self.layers = nn.ModuleList(SightLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(hidden)
        self.moved = nn.Linear(2 * hidden, hidden)
        self.times = nn.Embedding(config.max_steps, hidden)
        self.past_norm = nn.LayerNorm(hidden)
        self.score = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.critic = Critic(hidden, config.critic, config.dropout)
        self.drop = Drop(config.dropout)
        nn.init.normal_(self.embedding.weight, std=config.word_size**-0.5)

    def begin_words(self, vectors: Tensor) -> None:
        """Let word embeddings begin as vectors (V, word_size); rows of zeros begin at random."""
        with torch.no_grad():
            given = vectors.abs().sum(1, keepdim=True) > 0
            self.embedding.weight.copy_(torch.where(given, vectors, self.embedding.weight))

    def sight_layers(self) -> list[SightLayer]:
        """Return the layers over what is seen."""
        return [layer for layer in self.layers if isinstance(layer, SightLayer)]

    def start(self, tokens: Tensor, mask: Tensor) -> ScoutState:
        """Read instructions."""
        words = self.word_linear(self.drop(self.embedding(tokens))) + self.places[: tokens.shape[1]]
        for layer in self.text:
            words = layer(words, mask)
        words = self.text_norm(words)
        keys, values = parted(self.stored(words), self.config.heads)
        share = mask.to(words.dtype)[..., None]
        summary = (words * share).sum(1) / share.sum(1)
        rows, config = len(tokens), self.config
        kept = self.drop_features(words.new_ones(rows, config.image_size))
        return ScoutState(
            keys.contiguous(),
            values.contiguous(),
            mask,
            words.new_zeros(rows, config.layers, 0, 2 * config.hidden),
            mask[:, :0],
            summary,
            words.new_zeros(rows, 0, config.hidden),
            tokens.new_zeros(rows),
            kept,
        )

    def step(self, state: ScoutState, sight: Sight) -> tuple[Tensor, ScoutState]:
        """Look, and say where to go."""
        state = self._moved(state, sight.taken)
        images = self.image_linear(sight.candidate_images * state.kept[:, None])
        offered = images + self.angle_linear(candidate_angles(sight, self.config.angle_size))
        looked = self.panorama(state.self_token, sight, state.kept)
        own = (state.self_token + looked)[:, None]
        x = torch.cat([own, (self.stop + looked)[:, None], offered], dim=1)
        yes = torch.ones_like(state.step[:, None], dtype=torch.bool)
        mask = torch.cat([yes, yes, sight.open], dim=1)
        for layer, past in zip(self.sight_layers(), state.past.unbind(1), strict=True):
            x = layer(x, mask, state, past)
        own, stop, ways = self.norm(x).split([1, 1, offered.shape[1]], dim=1)
        ways = torch.cat([ways, stop], dim=1)
        scores = self.score(own * ways).squeeze(-1)
        state = replace(state, self_token=own[:, 0], offered=offered, step=state.step + 1)
        return masked_logits(scores, sight), state

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
        told = self.moved(torch.cat([state.self_token, action], dim=1))
        place = (state.step - 1).clamp(0, self.times.num_embeddings - 1)
        token = self.past_norm(told + self.times(place))
        stored = torch.stack([layer.stored(token) for layer in self.sight_layers()], dim=1)
        return replace(
            state,
            past=torch.cat([state.past, stored[:, :, None]], dim=2),
            past_mask=torch.cat([state.past_mask, real[:, None]], dim=1),
            self_token=torch.where(real[:, None], token, state.self_token),
        )
