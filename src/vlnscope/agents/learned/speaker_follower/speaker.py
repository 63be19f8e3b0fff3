"""The speaker of Speaker-Follower (Fried et al., NeurIPS 2018).

A walk is read step by step: at each, the speaker attends over the 36 views and takes in what it attended to
and what was done. Then it says word after word, attending over the steps.

Parameters have the names and shapes of the official code; the parts are ``encoder`` and ``decoder``. Its
vocabulary has no mark of the beginning, and the id that stands for it is that of the word "the". Official
batches read short walks on, over steps of zeros (`SpeakerConfig.runs_on`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.layers import (
    RecurrentConfig,
    SoftDotAttention,
    ViewAttention,
    begin_words,
    follow_words,
)
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size, WordReading
from vlnscope.agents.learned.network import presets
from vlnscope.agents.learned.speaker_follower.follower import word_table
from vlnscope.agents.learned.speaker_follower.views import scaled, shown_actions, shown_views
from vlnscope.agents.learned.speaker_network import SpeakerNetwork, SpeakerState, WalkStep


@dataclass(frozen=True, kw_only=True)
class SpeakerConfig(RecurrentConfig):
    """Sizes of the speaker; released ones have an `angle_size` of 128. `max_tokens` is how much it says.

    Attributes:
        word_size: of word embeddings.
        common: size at which views and states are compared.
        train_words: whether word embeddings learn; the official ones (GloVe) stay as they are, and are not
            dropped out either.
        feature_scale: by what image features are multiplied, so that their numbers are around 1.
        runs_on: whether walks that are shorter than others of their batch are read on, over zeros.
    """

    PRESETS: ClassVar = presets("speaker")

    word_size: int = 300
    common: int = 256
    train_words: bool = False
    feature_scale: float = 1.0
    runs_on: bool = False


class WalkEncoder(nn.Module):
    """Reads walks."""

    def __init__(self, config: SpeakerConfig) -> None:
        super().__init__()
        hidden, view = config.hidden, config.view_size
        self.drop = nn.Dropout(config.dropout)
        self.visual_attention_layer = ViewAttention(hidden, view, config.common)
        self.lstm = nn.LSTMCell(2 * view, hidden)
        self.encoder2decoder = nn.Linear(hidden, hidden)

    def forward(self, steps: Iterable[tuple[Tensor, Tensor]], until: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the steps (B, T, hidden), and hidden state and cell (B, hidden) to speak from.

        Args:
            steps: T views (B, 36, view) and actions (B, view).
            until: (B) how many steps of each walk are read, those of zeros after its end included.
        """
        hidden = cell = self.encoder2decoder.weight.new_zeros(len(until), self.lstm.hidden_size)
        read: list[Tensor] = []
        for number, (views, action) in enumerate(steps):
            attended = self.visual_attention_layer(hidden, views)
            after = self.lstm(self.drop(torch.cat([action, attended], dim=1)), (hidden, cell))
            goes_on = (until > number)[:, None]
            hidden, cell = (torch.where(goes_on, *pair) for pair in zip(after, (hidden, cell), strict=True))
            read.append(hidden)
        return self.drop(torch.stack(read, dim=1)), torch.tanh(self.encoder2decoder(hidden)), cell


class WordDecoder(nn.Module):
    """Says words."""

    def __init__(self, config: SpeakerConfig) -> None:
        super().__init__()
        self.embedding = word_table(config.vocabulary, config.word_size, learns=config.train_words)
        self.drop = nn.Dropout(config.dropout)
        self.drop_words = nn.Dropout(config.dropout if config.train_words else 0.0)
        self.lstm = nn.LSTMCell(config.word_size, config.hidden)
        self.attention_layer = SoftDotAttention(config.hidden, config.hidden)
        self.decoder2action = nn.Linear(config.hidden, config.vocabulary)

    def forward(self, words: Tensor, state: SpeakerState) -> tuple[Tensor, SpeakerState]:
        """(B, V) logits of the next word after `words` (B), and the state after."""
        heard = self.drop_words(self.embedding(words))
        hidden, cell = self.lstm(heard, (state.hidden, state.cell))
        spoken = self.attention_layer(self.drop(hidden), state.context, state.step_mask)
        return self.decoder2action(spoken), replace(state, hidden=hidden, cell=cell)

    def each(self, words: Tensor, state: SpeakerState) -> Tensor:
        """(B, L, V): the logits after each of some words (B, L), as `forward` one after the other."""
        hidden = follow_words(self.lstm, self.drop_words(self.embedding(words)), (state.hidden, state.cell))
        spoken = self.attention_layer.each(self.drop(hidden), state.context, state.step_mask)
        logits: Tensor = self.decoder2action(spoken)
        return logits


class Speaker(SpeakerNetwork):
    """The speaker of Speaker-Follower."""

    name = "speaker"
    Config = SpeakerConfig
    layouts = (
        Layout(
            "the speaker of Speaker-Follower (Fried et al. 2018)",
            marks=(
                "encoder/visual_attention_layer.linear_in_v.weight",
                "decoder/embedding.weight",
                "decoder/decoder2action.weight",
            ),
            sizes={
                "vocabulary": Size("decoder/embedding.weight", 0),
                "word_size": Size("decoder/embedding.weight", 1),
                "hidden": Size("decoder/decoder2action.weight", 1),
                "common": Size("encoder/visual_attention_layer.linear_in_v.weight", 0),
                "image_size": Size("encoder/visual_attention_layer.linear_in_v.weight", 1, less="angle_size"),
            },
            fixed={"angle_size": 128},
            words="words",
            features=("ResNet-152-imagenet.tsv",),
            angles=AngleConvention(layout="blocks"),
            reads=WordReading(begin=False, cut_end=True),
        ),
    )
    config: SpeakerConfig

    def __init__(self, config: SpeakerConfig) -> None:
        super().__init__(config)
        self.runs_on = config.runs_on
        self.encoder = WalkEncoder(config)
        self.decoder = WordDecoder(config)

    def read(self, steps: Iterable[WalkStep], sizes: Tensor, until: Tensor | None = None) -> SpeakerState:
        """Read walks."""
        most = int(sizes.max())
        until = self.read_until(sizes) if until is None else until
        context, hidden, cell = self.encoder(map(self._shown, steps), until)
        mask = torch.arange(most, device=sizes.device) < sizes[:, None]
        return SpeakerState(context[:, :most], mask, hidden, cell)

    def _shown(self, step: WalkStep) -> tuple[Tensor, Tensor]:
        visual, size = scaled(self.dropped(step.visual), self.config.feature_scale), self.config.angle_size
        actions, there = shown_actions(visual, size), step.there[:, None]
        last = actions.shape[1] - 1
        rows = torch.arange(len(actions), device=actions.device)
        action = actions[rows, step.done.clamp(0, last)] * there
        return shown_views(visual, size) * there[..., None], action

    def say(self, words: Tensor, state: SpeakerState) -> tuple[Tensor, SpeakerState]:
        """(B, V) logits of the next word after `words` (B), and the state after."""
        logits, after = self.decoder(words, state)
        return logits, after

    def say_each(self, words: Tensor, state: SpeakerState) -> Tensor:
        """(B, L, V): the logits after each of some words (B, L), as `say` one after the other."""
        return self.decoder.each(words, state)

    def begin_words(self, vectors: Tensor) -> None:
        """Let word embeddings begin as vectors (V, word_size); rows of zeros stay as they are."""
        begin_words(self.decoder.embedding, vectors)
