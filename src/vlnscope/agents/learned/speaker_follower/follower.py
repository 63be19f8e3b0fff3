"""The follower of Speaker-Follower (Fried et al., NeurIPS 2018), the first panoramic agent of R2R.

An LSTM reads the words from the last to the first. At each step the agent attends over the 36 views with its
state, an LSTM takes in what it did last and what it attended to, attends over the words, and scores each
action by a product of both, weighed. Its partner is the speaker (`speaker_follower.speaker`), with which it
chooses among many routes (`speaker_follower.pragmatic`).

Parameters have the names and shapes of the official code; the parts are ``encoder`` and ``decoder``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.inputs import NOTHING, VisualInput
from vlnscope.agents.learned.layers import (
    RecurrentConfig,
    SoftDotAttention,
    ViewAttention,
    begin_words,
    read_words,
)
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size, WordReading
from vlnscope.agents.learned.model import NavModel, State, masked_logits
from vlnscope.agents.learned.network import presets
from vlnscope.agents.learned.speaker_follower.views import scaled, shown_actions, shown_views


@dataclass(frozen=True, kw_only=True)
class SpeakerFollowerConfig(RecurrentConfig):
    """Sizes of the follower; released ones have an `angle_size` of 128.

    Attributes:
        word_size: of word embeddings, or of the vectors that are read instead (vocabulary 0).
        bidirectional: whether words are read in both directions, with half of `hidden` for each.
        common: size at which views and states, or actions and states, are compared.
        train_words: whether word embeddings learn; the official ones (GloVe) stay as they are, and are not
            dropped out either.
        feature_scale: by what image features are multiplied, so that their numbers are around 1.
    """

    reads_vectors: ClassVar[bool] = True
    PRESETS: ClassVar = presets("speaker_follower")

    word_size: int = 300
    bidirectional: bool = False
    common: int = 256
    train_words: bool = False
    feature_scale: float = 1.0


@dataclass(frozen=True)
class FollowerState(State):
    """What the follower remembers.

    Attributes:
        context: (B, L, hidden) the words.
        word_mask: (B, L).
        hidden: (B, hidden) of the LSTM.
        cell: (B, hidden) of the LSTM.
        offered: (B, C, view) the candidates it was shown last, of which it took one.
    """

    context: Tensor
    word_mask: Tensor
    hidden: Tensor
    cell: Tensor
    offered: Tensor


class FollowerEncoder(nn.Module):
    """Reads words."""

    def __init__(self, config: SpeakerFollowerConfig) -> None:
        super().__init__()
        ways = 2 if config.bidirectional else 1
        self.reads_words = bool(config.vocabulary)
        if config.vocabulary:
            self.embedding = word_table(config.vocabulary, config.word_size, learns=config.train_words)
        self.lstm = nn.LSTM(
            config.word_size, config.hidden // ways, batch_first=True, bidirectional=config.bidirectional
        )
        self.encoder2decoder = nn.Linear(config.hidden, config.hidden)
        self.drop = nn.Dropout(config.dropout)
        self.drop_words = nn.Dropout(config.dropout if config.train_words else 0.0)

    def forward(self, tokens: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the words (B, L, hidden), and hidden state and cell (B, hidden) to start from."""
        words = self.drop_words(
            self.embedding(tokens) if self.reads_words else tokens.to(self.encoder2decoder.weight)
        )
        context, hidden, cell = read_words(self.lstm, words, mask)
        last, kept = (torch.cat(list(part.flip(0)), dim=1) for part in (hidden, cell))
        return self.drop(context), torch.tanh(self.encoder2decoder(last)), kept


class ActionScore(nn.Module):
    """Scores actions by a weighed product with a state.

    Args:
        query: size of the state.
        action: size of each action.
        common: size at which they meet.
    """

    def __init__(self, query: int, action: int, common: int) -> None:
        super().__init__()
        self.linear_in_h = nn.Linear(query, common)
        self.linear_in_a = nn.Linear(action, common)
        self.linear_out = nn.Linear(common, 1)

    def forward(self, h: Tensor, actions: Tensor) -> Tensor:
        """(B, n): a score per action."""
        scores: Tensor = self.linear_out(self.linear_in_h(h)[:, None] * self.linear_in_a(actions))
        return scores[..., 0]


class FollowerDecoder(nn.Module):
    """Looks and decides."""

    def __init__(self, config: SpeakerFollowerConfig) -> None:
        super().__init__()
        hidden, view = config.hidden, config.view_size
        self.drop = nn.Dropout(config.dropout)
        self.lstm = nn.LSTMCell(2 * view, hidden)
        self.visual_attention_layer = ViewAttention(hidden, view, config.common)
        self.text_attention_layer = SoftDotAttention(hidden, hidden)
        self.decoder2action = ActionScore(hidden, view, config.common)

    def forward(
        self, before: Tensor, views: Tensor, actions: Tensor, state: FollowerState
    ) -> tuple[Tensor, FollowerState]:
        """Score actions.

        Args:
            before: (B, view) the action that was done last, zeros in the beginning.
            views: (B, 36, view).
            actions: (B, n, view).
            state: what it remembers.
        """
        attended = self.visual_attention_layer(state.hidden, views)
        taken_in = self.drop(torch.cat([before, attended], dim=1))
        hidden, cell = self.lstm(taken_in, (state.hidden, state.cell))
        spoken = self.text_attention_layer(self.drop(hidden), state.context, state.word_mask)
        return self.decoder2action(spoken, actions), replace(state, hidden=hidden, cell=cell)


def _layout(*marks: str) -> Layout:
    """Return what official checkpoints look like; those that read in both directions have more weights."""
    return Layout(
        "the follower of Speaker-Follower (Fried et al. 2018)",
        marks=("decoder/visual_attention_layer.linear_in_v.weight", "encoder/encoder2decoder.weight", *marks),
        sizes={
            "vocabulary": Size("encoder/embedding.weight", 0),
            "word_size": Size("encoder/embedding.weight", 1),
            "hidden": Size("decoder/lstm.weight_hh", 1),
            "common": Size("decoder/visual_attention_layer.linear_in_v.weight", 0),
            "image_size": Size("decoder/visual_attention_layer.linear_in_v.weight", 1, less="angle_size"),
        },
        fixed={"angle_size": 128, "bidirectional": bool(marks)},
        words="words",
        features=("ResNet-152-imagenet.tsv",),
        angles=AngleConvention(layout="blocks"),
        reads=WordReading(begin=False, backwards=True, cut_end=True),
        steps=10,
    )


class SpeakerFollower(NavModel[FollowerState]):
    """The follower of Speaker-Follower."""

    name = "speaker_follower"
    Config = SpeakerFollowerConfig
    layouts = (_layout(), _layout("encoder/lstm.weight_ih_l0_reverse"))
    config: SpeakerFollowerConfig

    def __init__(self, config: SpeakerFollowerConfig) -> None:
        super().__init__(config)
        self.encoder = FollowerEncoder(config)
        self.decoder = FollowerDecoder(config)

    def start(self, tokens: Tensor, mask: Tensor) -> FollowerState:
        """Read instructions."""
        context, hidden, cell = self.encoder(tokens, mask)
        return FollowerState(
            context, mask, hidden, cell, hidden.new_zeros(len(mask), 1, self.config.view_size)
        )

    def step(self, state: FollowerState, visual: VisualInput) -> tuple[Tensor, FollowerState]:
        """Look, and say where to go."""
        visual, size = scaled(self.dropped(visual), self.config.feature_scale), self.config.angle_size
        actions = shown_actions(visual, size)
        scores, state = self.decoder(taken_of(state, visual), shown_views(visual, size), actions, state)
        return masked_logits(scores, visual), replace(state, offered=actions[:, :-1])

    def value(self, state: FollowerState) -> Tensor:
        """Return zeros: the follower has no critic."""
        return state.hidden.new_zeros(len(state.hidden))

    def begin_words(self, vectors: Tensor) -> None:
        """Let word embeddings begin as vectors (V, word_size); rows of zeros stay as they are."""
        begin_words(self.encoder.embedding, vectors)


def taken_of(state: FollowerState, visual: VisualInput) -> Tensor:
    """(B, view): the action that was done last; zeros where none was."""
    if not state.offered.shape[1]:
        return state.offered.new_zeros(len(visual.taken), state.offered.shape[2])
    rows = torch.arange(len(visual.taken), device=visual.taken.device)
    taken = state.offered[rows, visual.taken.clamp(0, state.offered.shape[1] - 1)]
    return taken.masked_fill((visual.taken == NOTHING)[:, None], 0.0)


def word_table(vocabulary: int, size: int, *, learns: bool) -> nn.Embedding:
    """Return word embeddings, the first of which is padding."""
    table = nn.Embedding(vocabulary, size, padding_idx=0)
    table.weight.requires_grad = learns
    return table
