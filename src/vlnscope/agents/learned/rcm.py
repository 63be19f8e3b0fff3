"""The reasoning navigator of RCM (Wang et al., CVPR 2019) as the R4R paper trains it (Jain et al., ACL 2019).

An LSTM follows what was seen and done: ``h_t = LSTM([v_t; a_{t-1}], h_{t-1})``, where v_t is attention of
h_{t-1} over the 36 views (Eq. 5). Then the text context is attention of h_t over the words (Eq. 7), the
visual context attention of the text context over the views (Eq. 8), and a candidate is scored by a bilinear
product of all three with its own features (Eq. 6). The baseline for REINFORCE looks at the text context.

Sizes were not published; those of ``full`` follow the public relatives of the model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.envdrop import candidates_and_stop
from vlnscope.agents.learned.inputs import NOTHING, VisualInput, panorama_angles
from vlnscope.agents.learned.layers import Critic, RecurrentConfig, begin_words, read_words
from vlnscope.agents.learned.model import NavModel, State, masked_logits
from vlnscope.agents.learned.network import presets


@dataclass(frozen=True, kw_only=True)
class RcmConfig(RecurrentConfig):
    """Sizes of RCM.

    Attributes:
        word_size: of word embeddings (GloVe has 300).
        attention: width in which queries and keys are compared.
        action_size: width in which states and candidates are compared.
        critic: width of the critic.
    """

    PRESETS: ClassVar = presets("rcm")

    word_size: int = 300
    attention: int = 256
    action_size: int = 256
    critic: int = 64


@dataclass(frozen=True)
class RcmState(State):
    """What RCM remembers.

    Attributes:
        context: (B, L, hidden) the words.
        word_mask: (B, L).
        hidden: (B, hidden) of the navigator.
        cell: (B, hidden) of the navigator.
        offered: (B, C + 1, view) the candidates seen last, then stopping.
        heard: (B, hidden) the text context, for the critic.
    """

    context: Tensor
    word_mask: Tensor
    hidden: Tensor
    cell: Tensor
    offered: Tensor
    heard: Tensor

    def action(self, taken: Tensor) -> Tensor:
        """(B, view): features of the candidate taken; zeros if none was."""
        if not self.offered.shape[1]:
            return self.offered.new_zeros(len(taken), self.offered.shape[2])
        rows = torch.arange(len(taken), device=taken.device)
        return self.offered[rows, taken.clamp(min=0)] * (taken != NOTHING)[:, None]


class Attention(nn.Module):
    """Attention in which queries and keys are first made equally wide."""

    def __init__(self, query: int, key: int, width: int) -> None:
        super().__init__()
        self.query = nn.Linear(query, width, bias=False)
        self.key = nn.Linear(key, width, bias=False)
        self.scale = width**-0.5

    def forward(self, query: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, key): the keys, weighted."""
        # (q Wq)·(k Wk) = (q Wq Wkᵀ)·k: one row to project instead of one per key
        projected = self.query(query) @ self.key.weight
        scores = torch.einsum("bnd,bd->bn", keys, projected) * self.scale
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return torch.einsum("bn,bnd->bd", scores.softmax(-1), keys)


class RcmEncoder(nn.Module):
    """Reads words."""

    def __init__(self, config: RcmConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
        self.lstm = nn.LSTM(config.word_size, config.hidden // 2, batch_first=True, bidirectional=True)
        self.start = nn.Linear(config.hidden, config.hidden)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, tokens: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the words (B, L, hidden) and the navigator's first hidden state (B, hidden)."""
        context, hidden, _ = read_words(self.lstm, self.drop(self.embedding(tokens)), mask)
        return self.drop(context), torch.tanh(self.start(torch.cat([hidden[0], hidden[1]], dim=1)))


class RcmNavigator(nn.Module):
    """Looks and decides."""

    def __init__(self, config: RcmConfig) -> None:
        super().__init__()
        hidden, view = config.hidden, config.view_size
        self.see = Attention(hidden, view, config.attention)
        self.lstm = nn.LSTMCell(2 * view, hidden)
        self.text = Attention(hidden, hidden, config.attention)
        self.visual = Attention(hidden, view, config.attention)
        self.state_to_action = nn.Linear(2 * hidden + view, config.action_size, bias=False)
        self.candidate_to_action = nn.Linear(view, config.action_size)
        self.drop = nn.Dropout(config.dropout)

    def forward(
        self, state: RcmState, action: Tensor, views: Tensor, candidates: Tensor
    ) -> tuple[Tensor, RcmState]:
        """Score candidates (B, C + 1, view), the last of which is stopping."""
        seen = self.see(state.hidden, views)
        hidden, cell = self.lstm(torch.cat([seen, action], dim=1), (state.hidden, state.cell))
        h = self.drop(hidden)
        heard = self.text(h, state.context, state.word_mask)
        shown = self.visual(heard, views)
        wanted = self.state_to_action(self.drop(torch.cat([h, heard, shown], dim=1)))
        scores = torch.einsum("bnd,bd->bn", self.candidate_to_action(candidates), wanted)
        return scores, replace(state, hidden=hidden, cell=cell, offered=candidates, heard=heard)


class Rcm(NavModel[RcmState]):
    """The reasoning navigator."""

    name = "rcm"
    Config = RcmConfig
    config: RcmConfig

    def __init__(self, config: RcmConfig) -> None:
        super().__init__(config)
        self.encoder = RcmEncoder(config)
        self.navigator = RcmNavigator(config)
        self.critic = Critic(config.hidden, config.critic, config.dropout)

    def begin_words(self, vectors: Tensor) -> None:
        """Let word embeddings begin as vectors (V, word_size); rows of zeros begin at random."""
        begin_words(self.encoder.embedding, vectors)

    def start(self, tokens: Tensor, mask: Tensor) -> RcmState:
        """Read instructions."""
        context, hidden = self.encoder(tokens, mask)
        offered = context.new_zeros(len(tokens), 0, self.config.view_size)
        return RcmState(context, mask, hidden, torch.zeros_like(hidden), offered, torch.zeros_like(hidden))

    def step(self, state: RcmState, visual: VisualInput) -> tuple[Tensor, RcmState]:
        """Look, and say where to go."""
        visual, size = self.dropped(visual), self.config.angle_size
        views = torch.cat([visual.images, panorama_angles(visual.look, size, visual.images)], dim=2)
        candidates = candidates_and_stop(visual, size)
        scores, state = self.navigator(state, state.action(visual.taken), views, candidates)
        return masked_logits(scores, visual), state

    def value(self, state: RcmState) -> Tensor:
        """(B): what the baseline expects."""
        values: Tensor = self.critic(state.heard)
        return values
