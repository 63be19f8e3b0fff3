"""The first agent for R2R (Anderson et al., CVPR 2018): it sees only the view that it looks at.

An LSTM reads the words; another goes on from it, moment by moment: it takes in its last action and the view
ahead, attends over the words, and turns left, right, up or down by 30°, goes forward to the candidate nearest
the centre of the view, or ends. Parameters have the names and shapes of the official checkpoints.

Here one step of the agent is a whole series of such moments: it keeps turning, always the way it finds most
likely (in training the way a teacher turns, `VisualInput.toward`), and at each moment puts the chance of
going forward on the candidate ahead and that of ending on stopping. What chance is left, of turning
otherwise, is shared out evenly. A candidate that always has another one nearer the centre of its view cannot
be gone to, as in the official environment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.inputs import NOTHING, VisualInput
from vlnscope.agents.learned.layers import Critic, SoftDotAttention, read_words
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size, WordReading
from vlnscope.agents.learned.model import ModelConfig, NavModel, State
from vlnscope.agents.learned.network import presets
from vlnscope.worlds.graph.views import HEADINGS, LEVELS, STEP

LEFT, RIGHT, UP, DOWN, FORWARD, END, START, IGNORE = range(8)
TURNS = HEADINGS // 2 + LEVELS - 1
"""From any view to any other it takes at most so many turns."""
HALF_WIDTH = math.radians(40)
"""A candidate is in a view if it lies no further to the left or right of the centre (MatterSim's rule)."""


@dataclass(frozen=True, kw_only=True)
class Seq2SeqConfig(ModelConfig):
    """Sizes of the sequence-to-sequence agent.

    Attributes:
        word_size: of word embeddings.
        hidden: of encoder and decoder.
        action_size: of action embeddings.
    """

    PRESETS: ClassVar = presets("seq2seq")

    word_size: int = 256
    hidden: int = 512
    action_size: int = 32


@dataclass(frozen=True)
class Seq2SeqState(State):
    """What the agent remembers.

    Attributes:
        context: (B, L, hidden) the words.
        word_mask: (B, L).
        hidden: (B, hidden) of the decoder, if it stays where it is.
        cell: (B, hidden) likewise.
        gone_hidden: (B, C, hidden) of the decoder, if it goes to a candidate.
        gone_cell: (B, C, hidden) likewise.
        begun: (B) whether it has taken a step.
    """

    context: Tensor
    word_mask: Tensor
    hidden: Tensor
    cell: Tensor
    gone_hidden: Tensor
    gone_cell: Tensor
    begun: Tensor

    def after(self, taken: Tensor) -> tuple[Tensor, Tensor]:
        """(B, hidden) each: the decoder after going to the candidate taken."""
        if not self.gone_hidden.shape[1]:
            return self.hidden, self.cell
        rows, index = torch.arange(len(taken), device=taken.device), taken.clamp(min=0)
        went = (taken != NOTHING)[:, None]
        return (
            torch.where(went, self.gone_hidden[rows, index], self.hidden),
            torch.where(went, self.gone_cell[rows, index], self.cell),
        )


class Seq2SeqEncoder(nn.Module):
    """Reads words."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
        self.lstm = nn.LSTM(config.word_size, config.hidden, batch_first=True)
        self.encoder2decoder = nn.Linear(config.hidden, config.hidden)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, tokens: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the words (B, L, hidden), and hidden state and cell (B, hidden) to start from."""
        context, hidden, cell = read_words(self.lstm, self.drop(self.embedding(tokens)), mask)
        return self.drop(context), torch.tanh(self.encoder2decoder(hidden[-1])), cell[-1]


class Seq2SeqDecoder(nn.Module):
    """Looks ahead and acts."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(IGNORE + 1, config.action_size)
        self.drop = nn.Dropout(config.dropout)
        self.lstm = nn.LSTMCell(config.action_size + config.image_size, config.hidden)
        self.attention_layer = SoftDotAttention(config.hidden, config.hidden)
        self.decoder2action = nn.Linear(config.hidden, END + 1)

    def forward(
        self, action: Tensor, front: Tensor, hidden: Tensor, cell: Tensor, context: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return scores of the six actions, and hidden state and cell."""
        heard = self.drop(torch.cat([self.embedding(action), front], dim=1))
        hidden, cell = self.lstm(heard, (hidden, cell))
        scores = self.decoder2action(self.attention_layer(self.drop(hidden), context, mask))
        return scores, hidden, cell


class _Tally(NamedTuple):
    """Chances gathered so far, the best moment of each, and the decoder at that moment; (B, C + 1, …)."""

    chance: Tensor
    best: Tensor
    hidden: Tensor
    cell: Tensor

    def with_moment(self, going: Tensor, hidden: Tensor, cell: Tensor) -> _Tally:
        """Add chances (B, C + 1) of one moment."""
        better = (going > self.best)[..., None]
        return _Tally(
            self.chance + going,
            torch.maximum(self.best, going),
            torch.where(better, hidden[:, None], self.hidden),
            torch.where(better, cell[:, None], self.cell),
        )


class Seq2Seq(NavModel[Seq2SeqState]):
    """The sequence-to-sequence agent."""

    name = "seq2seq"
    Config = Seq2SeqConfig
    layouts = (
        Layout(
            "the first agent for R2R (Anderson et al. 2018)",
            marks=(
                "encoder/embedding.weight",
                "encoder/encoder2decoder.weight",
                "decoder/decoder2action.weight",
                "decoder/lstm.weight_ih",
            ),
            sizes={
                "vocabulary": Size("encoder/embedding.weight", 0),
                "word_size": Size("encoder/embedding.weight", 1),
                "hidden": Size("decoder/lstm.weight_hh", 1),
                "action_size": Size("decoder/embedding.weight", 1),
                "image_size": Size("decoder/lstm.weight_ih", 1, less="action_size"),
            },
            words="words",
            features=("ResNet-152-imagenet.tsv",),
            angles=AngleConvention("none", "none", "none"),
            reads=WordReading(begin=False, backwards=True, cut_end=True),
            steps=20,
        ),
    )
    config: Seq2SeqConfig

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__(config)
        self.encoder = Seq2SeqEncoder(config)
        self.decoder = Seq2SeqDecoder(config)
        self.critic = Critic(config.hidden, config.hidden, config.dropout)

    def start(self, tokens: Tensor, mask: Tensor) -> Seq2SeqState:
        """Read instructions."""
        context, hidden, cell = self.encoder(tokens, mask)
        none = hidden.new_zeros(len(tokens), 0, self.config.hidden)
        return Seq2SeqState(context, mask, hidden, cell, none, none, torch.zeros_like(mask[:, 0]))

    def step(self, state: Seq2SeqState, visual: VisualInput) -> tuple[Tensor, Seq2SeqState]:
        """Turn about, and say where to go."""
        visual = self.dropped(visual)
        hidden, cell = state.after(visual.taken)
        rows, ways = visual.open.shape
        blank = hidden.new_zeros(rows, ways + 1)
        wide = (rows, ways + 1, self.config.hidden)
        tally = _Tally(blank, blank, hidden[:, None].expand(wide), cell[:, None].expand(wide))
        action, look, left = torch.where(state.begun, FORWARD, START), visual.look, blank[:, 0]
        every = torch.arange(rows, device=look.device)
        taught = visual.toward if self.training else None  # what it should do must not leak into what it does
        for _ in range(TURNS + 1):
            scores, hidden, cell = self.decoder(
                action, visual.images[every, look], hidden, cell, state.context, state.word_mask
            )
            ahead = _ahead(visual, look)
            blocked = _only(FORWARD, scores) & (ahead == ways)[:, None]
            likely = scores.masked_fill(blocked, -torch.inf).log_softmax(1)
            forward = (left + likely[:, FORWARD]).exp()[:, None]
            going = torch.zeros_like(blank).scatter(1, ahead[:, None], forward)
            going = going + nn.functional.pad((left + likely[:, END]).exp()[:, None], (ways, 0))
            tally = tally.with_moment(going, hidden, cell)
            action = likely[:, :FORWARD].argmax(1)
            if taught is not None:
                action = torch.where(taught < 0, action, _taught(visual.views, taught, look, ahead))
            left = left + likely.gather(1, action[:, None])[:, 0].masked_fill(action >= FORWARD, -torch.inf)
            look = _turned(look, action)
        return _shared(tally.chance, visual.open), replace(
            state,
            hidden=tally.hidden[:, -1],
            cell=tally.cell[:, -1],
            gone_hidden=tally.hidden[:, :-1],
            gone_cell=tally.cell[:, :-1],
            begun=torch.ones_like(state.begun),
        )

    def value(self, state: Seq2SeqState) -> Tensor:
        """(B): what the critic expects."""
        values: Tensor = self.critic(state.hidden)
        return values


def _ahead(visual: VisualInput, look: Tensor) -> Tensor:
    """(B): the candidate nearest the centre of the view looked at; C if there is none in it."""
    ways = visual.open.shape[1]
    if not ways:
        return torch.zeros_like(look)
    across = visual.headings - (look % HEADINGS).to(visual.headings.dtype)[:, None] * STEP
    across = (across + math.pi).remainder(math.tau) - math.pi
    above = visual.elevations - (look // HEADINGS - 1).to(visual.headings.dtype)[:, None] * STEP
    off = (across.square() + above.square()).masked_fill(
        ~visual.open | (across.abs() > HALF_WIDTH), torch.inf
    )
    nearest = off.min(1)
    return nearest.indices.masked_fill(nearest.values.isinf(), ways)


def _only(action: int, scores: Tensor) -> Tensor:
    return torch.arange(scores.shape[1], device=scores.device) == action


def _turned(look: Tensor, action: Tensor) -> Tensor:
    """(B): the view looked at after an action; there is nothing above the upper and below the lower ring."""
    level, column = look // HEADINGS, look % HEADINGS
    column = (column + (action == RIGHT).long() - (action == LEFT).long()) % HEADINGS
    level = (level + (action == UP).long() - (action == DOWN).long()).clamp(0, LEVELS - 1)
    return level * HEADINGS + column


def _taught(views: Tensor, toward: Tensor, look: Tensor, ahead: Tensor) -> Tensor:
    """(B): what a teacher does who wants to go to a candidate: turns, then looks up or down, then goes."""
    ways, view = views.shape[1], look
    if ways:
        rows = torch.arange(len(look), device=look.device)
        view = views[rows, toward.clamp(0, ways - 1)]
    right = (view - look) % HEADINGS
    turn = torch.where(right <= HEADINGS // 2, RIGHT, LEFT)
    turn = torch.where(right == 0, torch.where(view > look, UP, DOWN), turn)
    turn = torch.where((look == view) | (ahead == toward), FORWARD, turn)
    return torch.where(toward >= ways, END, turn)


def _shared(chance: Tensor, candidates: Tensor) -> Tensor:
    """Share out what is missing to 1 among all that can be done, and return logarithms."""
    real = nn.functional.pad(candidates, (0, 1), value=True)
    missing = (1 - chance.sum(1, keepdim=True)).clamp(min=torch.finfo(chance.dtype).eps)
    return (chance + missing / real.sum(1, keepdim=True)).log().masked_fill(~real, -torch.inf)
