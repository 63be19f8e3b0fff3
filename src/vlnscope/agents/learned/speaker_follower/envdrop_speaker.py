"""The speaker of EnvDrop and CLIP-ViL (Tan, Yu and Bansal, NAACL 2019).

A bidirectional LSTM reads what the agent went to at each step, each of its states attends over the 36 views
of the place where that was chosen, and a second bidirectional LSTM goes through the result. An LSTM that
attends over it speaks. Parameters have the names and shapes of the official checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.envdrop import candidates_and_stop
from vlnscope.agents.learned.inputs import panorama_angles
from vlnscope.agents.learned.layers import RecurrentConfig, SoftDotAttention, read_words
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size
from vlnscope.agents.learned.network import presets
from vlnscope.agents.learned.speaker_network import BEGIN, SpeakerNetwork, SpeakerState, WalkStep

BASELINE = 128
"""Width of the part that estimates rewards."""


@dataclass(frozen=True, kw_only=True)
class EnvDropSpeakerConfig(RecurrentConfig):
    """Sizes of the speaker; `max_tokens` is how much it says.

    Attributes:
        word_size: of word embeddings.
        begin_word: id of the mark of the beginning; in released vocabularies, the last one.
        runs_on: whether walks that are shorter than others of their batch are read on, over zeros.
    """

    PRESETS: ClassVar = presets("envdrop_speaker")

    word_size: int = 256
    begin_word: int = BEGIN
    runs_on: bool = False


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
    """Reads walks."""

    def __init__(self, config: EnvDropSpeakerConfig) -> None:
        super().__init__()
        view, half = config.view_size, config.hidden // 2
        self.lstm = nn.LSTM(view, half, batch_first=True, bidirectional=True)
        self.attention_layer = SoftDotAttention(config.hidden, view)
        self.post_lstm = nn.LSTM(config.hidden, half, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, chosen: Tensor, panoramas: Tensor, through: Tensor) -> Tensor:
        """Return (B, T, hidden).

        Args:
            chosen: (B, T, view) the candidate that was gone to at each step; zeros to stop.
            panoramas: (B, T, 36, view) what was seen there.
            through: (B, T) which steps are read, from the first on; at least one per row.
        """
        went = self.drop(read_words(self.lstm, chosen, through)[0])
        every = torch.ones(panoramas.shape[:3], dtype=torch.bool, device=chosen.device).flatten(0, 1)
        seen: Tensor = self.attention_layer(went.flatten(0, 1), panoramas.flatten(0, 1), every)
        seen = self.drop(seen.view_as(went))
        context: Tensor = self.drop(read_words(self.post_lstm, seen, through)[0])
        return context


class SpeakerDecoder(nn.Module):
    """Speaks."""

    def __init__(self, config: EnvDropSpeakerConfig) -> None:
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

    def forward(self, words: Tensor, state: SpeakerState) -> Spoken:
        """Say which word comes after each of some words (B, W)."""
        rows, size = words.shape
        heard, (hidden, cell) = self.lstm(
            self.drop(self.embedding(words)), (state.hidden[None], state.cell[None])
        )
        said: Tensor = self.attention_layer(
            self.drop(heard).flatten(0, 1),
            state.context.repeat_interleave(size, dim=0),
            state.step_mask.repeat_interleave(size, dim=0),
        )
        logits = self.projection(self.drop(said)).view(rows, size, -1)
        return Spoken(logits, hidden[0], cell[0])


class EnvDropSpeaker(SpeakerNetwork):
    """The speaker; ``encoder`` and ``decoder`` are the parts of an official checkpoint."""

    name = "envdrop_speaker"
    Config = EnvDropSpeakerConfig
    layouts = (
        Layout(
            "the speaker of EnvDrop or CLIP-ViL (Tan, Yu and Bansal 2019, Shen et al. 2022)",
            marks=("encoder/post_lstm.weight_ih_l0", "decoder/projection.weight"),
            sizes={
                "vocabulary": Size("decoder/embedding.weight", 0),
                "begin_word": Size("decoder/embedding.weight", 0, less=1),
                "word_size": Size("decoder/embedding.weight", 1),
                "hidden": Size("decoder/attention_layer.linear_in.weight", 0),
                "image_size": Size("encoder/lstm.weight_ih_l0", 1, less="angle_size"),
            },
            fixed={"angle_size": 128, "runs_on": True},
            words="words",
            features=("ResNet-152-imagenet.tsv",),
            angles=AngleConvention(),
        ),
    )
    config: EnvDropSpeakerConfig

    def __init__(self, config: EnvDropSpeakerConfig) -> None:
        super().__init__(config)
        self.begin, self.runs_on = config.begin_word, config.runs_on
        self.encoder = SpeakerEncoder(config)
        self.decoder = SpeakerDecoder(config)

    def read(self, steps: Iterable[WalkStep], sizes: Tensor, until: Tensor | None = None) -> SpeakerState:
        """Read walks."""
        shown = [self._shown(step) for step in steps]
        chosen, panoramas = (torch.stack(parts, dim=1) for parts in zip(*shown, strict=True))
        index = torch.arange(len(shown), device=sizes.device)
        through = index < (self.read_until(sizes) if until is None else until)[:, None]
        context = self.encoder(chosen, panoramas, through)
        none = context.new_zeros(len(sizes), self.config.hidden)
        return SpeakerState(context, index < sizes[:, None], none, none)

    def say(self, words: Tensor, state: SpeakerState) -> tuple[Tensor, SpeakerState]:
        """(B, V) logits of the next word after `words` (B), and the state after."""
        spoken = self.decoder(words[:, None], state)
        return spoken.logits[:, 0], replace(state, hidden=spoken.hidden, cell=spoken.cell)

    def say_each(self, words: Tensor, state: SpeakerState) -> Tensor:
        """(B, L, V): the logits after each of some words (B, L), as `say` one after the other."""
        logits: Tensor = self.decoder(words, state).logits
        return logits

    def _shown(self, step: WalkStep) -> tuple[Tensor, Tensor]:
        """(B, view) what is gone to, and (B, 36, view) what is seen; zeros for walks that are over."""
        visual, size = self.dropped(step.visual), self.config.angle_size
        offered = candidates_and_stop(visual, size)
        rows = torch.arange(len(offered), device=offered.device)
        chosen = offered[rows, step.done.clamp(0, offered.shape[1] - 1)]
        views = torch.cat([visual.images, panorama_angles(visual.look, size, visual.images)], dim=2)
        return chosen * step.there[:, None], views * step.there[:, None, None]
