"""The speaker of EnvDrop and CLIP-ViL (Tan, Yu and Bansal, NAACL 2019), which says what a path looks like.

A bidirectional LSTM reads what the agent went to at each step, each of its states attends over the 36 views
of the place where that was chosen, and a second bidirectional LSTM goes through the result. An LSTM that
attends over it speaks. Parameters have the names and shapes of the official checkpoints.

The official code lets the LSTMs run through the steps that fill up shorter paths, so what a path is like
depends on the longest path beside it. So does this; paths of one length beside each other do not disturb.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.envdrop import EnvDropConfig
from vlnscope.agents.learned.layers import SoftDotAttention, read_words

BASELINE = 128
"""Width of the part that estimates rewards."""


class Spoken(NamedTuple):
    """What the decoder says.

    Attributes:
        logits: (B, W, vocabulary) of the word after each.
        hidden: (B, hidden) after the last word.
        cell: (B, hidden) after the last word.
    """

    logits: Tensor
    hidden: Tensor
    cell: Tensor


class SpeakerEncoder(nn.Module):
    """Reads a path."""

    def __init__(self, config: EnvDropConfig) -> None:
        super().__init__()
        view, half = config.view_size, config.hidden // 2
        self.lstm = nn.LSTM(view, half, batch_first=True, bidirectional=True)
        self.attention_layer = SoftDotAttention(config.hidden, view)
        self.post_lstm = nn.LSTM(config.hidden, half, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, chosen: Tensor, panoramas: Tensor) -> Tensor:
        """Return (B, T, hidden).

        Args:
            chosen: (B, T, view) the candidate that was gone to at each step; zeros to stop.
            panoramas: (B, T, 36, view) what was seen there.
        """
        through = torch.ones(chosen.shape[:2], dtype=torch.bool, device=chosen.device)
        went = self.drop(read_words(self.lstm, chosen, through)[0])
        every = torch.ones(panoramas.shape[:3], dtype=torch.bool, device=chosen.device).flatten(0, 1)
        seen: Tensor = self.attention_layer(went.flatten(0, 1), panoramas.flatten(0, 1), every)
        seen = self.drop(seen.view_as(went))
        context: Tensor = self.drop(read_words(self.post_lstm, seen, through)[0])
        return context


class SpeakerDecoder(nn.Module):
    """Speaks."""

    def __init__(self, config: EnvDropConfig) -> None:
        super().__init__()
        hidden = config.hidden
        self.embedding = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
        self.lstm = nn.LSTM(config.word_size, hidden, batch_first=True)
        self.attention_layer = SoftDotAttention(hidden, hidden)
        self.projection = nn.Linear(hidden, config.vocabulary)
        self.baseline_projection = nn.Sequential(
            nn.Linear(hidden, BASELINE), nn.ReLU(), nn.Dropout(config.dropout), nn.Linear(BASELINE, 1)
        )
        self.drop = nn.Dropout(config.dropout)

    def forward(
        self, words: Tensor, context: Tensor, mask: Tensor, before: tuple[Tensor, Tensor] | None = None
    ) -> Spoken:
        """Say which word comes after each.

        Args:
            words: (B, W) ids, the first of which is the mark of the beginning.
            context: (B, T, hidden) the path, as the encoder returns it.
            mask: (B, T) which steps of the path there are.
            before: hidden state and cell (B, hidden) to go on from; zeros if not given.
        """
        rows, size = words.shape
        states = None if before is None else (before[0][None], before[1][None])
        heard, (hidden, cell) = self.lstm(self.drop(self.embedding(words)), states)
        said: Tensor = self.attention_layer(
            self.drop(heard).flatten(0, 1),
            context.repeat_interleave(size, dim=0),
            mask.repeat_interleave(size, dim=0),
        )
        logits = self.projection(self.drop(said)).view(rows, size, -1)
        return Spoken(logits, hidden[0], cell[0])


class EnvDropSpeaker(nn.Module):
    """The speaker; ``encoder`` and ``decoder`` are the parts of an official checkpoint.

    Args:
        config: sizes, as of the follower.
    """

    def __init__(self, config: EnvDropConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = SpeakerEncoder(config)
        self.decoder = SpeakerDecoder(config)

    def score(self, words: Tensor, chosen: Tensor, panoramas: Tensor, mask: Tensor) -> Tensor:
        """(B): the log-probability of instructions, given paths.

        Args:
            words: (B, W) ids from the mark of the beginning to that of the end, then zeros.
            chosen: (B, T, view) as in `SpeakerEncoder.forward`.
            panoramas: (B, T, 36, view) likewise.
            mask: (B, T) which steps there are.
        """
        logits = self.decoder(words[:, :-1], self.encoder(chosen, panoramas), mask).logits
        logs = functional.log_softmax(logits, dim=2).gather(2, words[:, 1:, None])[..., 0]
        return (logs * (words[:, 1:] != 0)).sum(1)
