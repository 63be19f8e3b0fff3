"""The follower of EnvDrop (Tan, Yu and Bansal, NAACL 2019), the panoramic recurrent agent of many papers.

A bidirectional LSTM reads the words. At each step the agent attends over the 36 views with what it said last,
an LSTM takes in where it looks and what it attended to, attends over the words, and scores each candidate by
a dot product. Stopping is a candidate of zeros.

Parameters have the names and shapes of the official checkpoints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.inputs import VisualInput, candidate_angles, own_angles, panorama_angles
from vlnscope.agents.learned.layers import Critic, RecurrentConfig, SoftDotAttention, read_words
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size
from vlnscope.agents.learned.model import NavModel, State, masked_logits
from vlnscope.agents.learned.network import presets


@dataclass(frozen=True, kw_only=True)
class EnvDropConfig(RecurrentConfig):
    """Sizes of EnvDrop; released agents have an `angle_size` of 128.

    Attributes:
        word_size: of word embeddings.
        action_size: of the embedding of where the agent looks.
        begin: what the agent starts to decide from: the ``max`` over the words, or the ``last`` states of
            both directions (``tanh`` in the official code), which no padding takes part in.
    """

    PRESETS: ClassVar = presets("envdrop")

    word_size: int = 256
    action_size: int = 64
    begin: str = "max"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.begin in ("max", "last"), "begin", "max or last")


@dataclass(frozen=True)
class EnvDropState(State):
    """What EnvDrop remembers.

    Attributes:
        context: (B, L, hidden) the words.
        word_mask: (B, L).
        hidden: (B, hidden) of the LSTM, for the critic.
        spoken: (B, hidden) what the agent said last (h tilde), which the LSTM goes on from.
        cell: (B, hidden) of the LSTM.
    """

    context: Tensor
    word_mask: Tensor
    hidden: Tensor
    spoken: Tensor
    cell: Tensor


class EnvDropEncoder(nn.Module):
    """Reads words."""

    def __init__(self, config: EnvDropConfig) -> None:
        super().__init__()
        self.begin = config.begin
        self.embedding = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
        self.lstm = nn.LSTM(config.word_size, config.hidden // 2, batch_first=True, bidirectional=True)
        self.encoder2decoder = nn.Linear(config.hidden, config.hidden)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, tokens: Tensor, mask: Tensor, longest: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return the words (B, L, hidden), and hidden state and cell (B, hidden) to start from.

        Args:
            tokens: (B, L) ids of words.
            mask: (B, L) which there are.
            longest: so many words of an instruction are read at most.
        """
        context, hidden, cell = read_words(self.lstm, self.drop(self.embedding(tokens)), mask)
        whole = (
            torch.cat([hidden[1], hidden[0]], dim=1)
            if self.begin == "last"
            else _most(context, mask, longest)
        )
        start = torch.tanh(self.encoder2decoder(whole))
        return self.drop(context), start, torch.cat([cell[1], cell[0]], dim=1)


def _most(context: Tensor, mask: Tensor, longest: int) -> Tensor:
    """(B, hidden): the maximum over the words.

    Official batches fill texts up with zeros, and these take part in it; so here a zero takes part for
    every text that is shorter than the longest that is read, whatever else is in the batch.
    """
    most = context.masked_fill(~mask[..., None], -torch.inf).amax(1)
    short = mask.sum(1) < longest
    return torch.where(short[:, None], most.clamp(min=0), most)


class EnvDropDecoder(nn.Module):
    """Looks and decides."""

    def __init__(self, config: EnvDropConfig) -> None:
        super().__init__()
        hidden, view = config.hidden, config.view_size
        self.embedding = nn.Sequential(nn.Linear(config.angle_size, config.action_size), nn.Tanh())
        self.drop = nn.Dropout(config.dropout)
        self.lstm = nn.LSTMCell(config.action_size + view, hidden)
        self.feat_att_layer = SoftDotAttention(hidden, view)
        self.attention_layer = SoftDotAttention(hidden, hidden)
        self.candidate_att_layer = SoftDotAttention(hidden, view)

    def forward(
        self, looks: Tensor, views: Tensor, candidates: Tensor, state: EnvDropState
    ) -> tuple[Tensor, EnvDropState]:
        """Score candidates, the last of which is stopping.

        Args:
            looks: (B, angle) where the agent looks.
            views: (B, 36, view).
            candidates: (B, C + 1, view).
            state: what it remembers.
        """
        attended = self.feat_att_layer.look(self.drop(state.spoken), views)
        heard = torch.cat([self.drop(self.embedding(looks)), attended], dim=1)
        hidden, cell = self.lstm(heard, (state.spoken, state.cell))
        spoken = self.attention_layer(self.drop(hidden), state.context, state.word_mask)
        scores = self.candidate_att_layer.scores(self.drop(spoken), candidates)
        return scores, replace(state, hidden=hidden, spoken=spoken, cell=cell)


def envdrop_layout(title: str, features: str, **more: Any) -> Layout:
    """Return what official checkpoints of EnvDrop and its kin look like; `more` as `Layout` has it."""
    return Layout(
        title,
        marks=("encoder/encoder2decoder.weight", "decoder/candidate_att_layer.linear_in.weight"),
        sizes={
            "vocabulary": Size("encoder/embedding.weight", 0),
            "word_size": Size("encoder/embedding.weight", 1),
            "hidden": Size("decoder/attention_layer.linear_in.weight", 0),
            "action_size": Size("decoder/embedding.0.weight", 0),
            "angle_size": Size("decoder/embedding.0.weight", 1),
            "image_size": Size("decoder/feat_att_layer.linear_in.weight", 0, less="angle_size"),
        },
        words="words",
        features=(features,),
        angles=AngleConvention(own=True),
        steps=35,
        **more,
    )


class EnvDrop(NavModel[EnvDropState]):
    """The follower of EnvDrop."""

    name = "envdrop"
    Config = EnvDropConfig
    layouts = (envdrop_layout("EnvDrop (Tan, Yu and Bansal 2019)", "ResNet-152-imagenet.tsv"),)
    config: EnvDropConfig

    def __init__(self, config: EnvDropConfig) -> None:
        super().__init__(config)
        self.encoder = EnvDropEncoder(config)
        self.decoder = EnvDropDecoder(config)
        self.critic = Critic(config.hidden, config.hidden, config.dropout)

    def start(self, tokens: Tensor, mask: Tensor) -> EnvDropState:
        """Read instructions."""
        context, hidden, cell = self.encoder(tokens, mask, self.config.max_tokens)
        return EnvDropState(context, mask, hidden, hidden, cell)

    def step(self, state: EnvDropState, visual: VisualInput) -> tuple[Tensor, EnvDropState]:
        """Look, and say where to go."""
        visual, size = self.dropped(visual), self.config.angle_size
        views = torch.cat([visual.images, panorama_angles(visual.look, size, visual.images)], dim=2)
        scores, state = self.decoder(
            own_angles(visual, size), views, candidates_and_stop(visual, size), state
        )
        return masked_logits(scores, visual), state

    def value(self, state: EnvDropState) -> Tensor:
        """(B): what the critic expects."""
        values: Tensor = self.critic(state.hidden)
        return values


def candidates_and_stop(visual: VisualInput, angle_size: int) -> Tensor:
    """(B, C + 1, view): image and angle of each candidate, then zeros for stopping."""
    candidates = torch.cat([visual.candidate_images, candidate_angles(visual, angle_size)], dim=2)
    return torch.cat([candidates, candidates.new_zeros(len(candidates), 1, candidates.shape[2])], dim=1)
