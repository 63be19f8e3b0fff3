"""Layers that several models share; parameters are named as in the public checkpoints.

The transformer layers carry the names of BERT (Devlin et al. 2019) and LXMERT (Tan and Bansal 2019), the
attention of recurrent models those of the R2R code (Anderson et al. 2018).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Block(NamedTuple):
    """Sizes of a transformer layer.

    Attributes:
        hidden: width of tokens.
        heads: of each attention.
        wide: width inside feed-forward parts.
        dropout: of tokens.
        attention_dropout: of weights of attention.
        eps: of layer norms.
    """

    hidden: int
    heads: int
    wide: int
    dropout: float
    attention_dropout: float
    eps: float


class MultiHead(nn.Module):
    """Multi-head attention of `x` over `context`; `mask` (B, n) says what may be looked at."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.heads, self.dropout = block.heads, block.attention_dropout
        self.query = nn.Linear(block.hidden, block.hidden)
        self.key = nn.Linear(block.hidden, block.hidden)
        self.value = nn.Linear(block.hidden, block.hidden)

    def forward(self, x: Tensor, context: Tensor, mask: Tensor | None) -> Tensor:
        """Return (B, m, hidden)."""
        query, key, value = (
            layer(part).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer, part in ((self.query, x), (self.key, context), (self.value, context))
        )
        seen = None if mask is None else mask[:, None, None, :].expand(-1, 1, x.shape[1], -1)
        rate = self.dropout if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen, dropout_p=rate)
        return mixed.transpose(1, 2).flatten(2)


class AddNorm(nn.Module):
    """A linear layer, added to what it started from, and normalised."""

    def __init__(self, size: int, block: Block) -> None:
        super().__init__()
        self.dense = nn.Linear(size, block.hidden)
        self.LayerNorm = nn.LayerNorm(block.hidden, eps=block.eps)
        self.dropout = nn.Dropout(block.dropout)

    def forward(self, x: Tensor, before: Tensor) -> Tensor:
        """Return (B, n, hidden)."""
        normed: Tensor = self.LayerNorm(self.dropout(self.dense(x)) + before)
        return normed


class Widen(nn.Module):
    """The first half of a feed-forward block."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.dense = nn.Linear(block.hidden, block.wide)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, n, wide)."""
        return functional.gelu(self.dense(x))


class SelfAttention(nn.Module):
    """Attention of a sequence over itself, with its output layer; of its `first` tokens only, if asked."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.self = MultiHead(block)
        self.output = AddNorm(block.hidden, block)

    def forward(self, x: Tensor, mask: Tensor | None, first: int | None = None) -> Tensor:
        """Return (B, n, hidden)."""
        asking = x[:, :first]
        mixed: Tensor = self.output(self.self(asking, x, mask), asking)
        return mixed


class CrossAttention(nn.Module):
    """Attention of one sequence over another, with its output layer."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.att = MultiHead(block)
        self.output = AddNorm(block.hidden, block)

    def forward(self, x: Tensor, context: Tensor, mask: Tensor) -> Tensor:
        """Return (B, n, hidden)."""
        mixed: Tensor = self.output(self.att(x, context, mask), x)
        return mixed


class BertLayer(nn.Module):
    """One layer of BERT."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.attention = SelfAttention(block)
        self.intermediate = Widen(block)
        self.output = AddNorm(block.wide, block)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Return (B, n, hidden)."""
        x = self.attention(x, mask)
        done: Tensor = self.output(self.intermediate(x), x)
        return done


class SoftDotAttention(nn.Module):
    """Attention of a vector over a sequence by a dot product (Luong et al. 2015).

    Args:
        query: size of the vector.
        context: size of what it looks at.
    """

    def __init__(self, query: int, context: int) -> None:
        super().__init__()
        self.linear_in = nn.Linear(query, context, bias=False)
        self.linear_out = nn.Linear(query + context, query, bias=False)

    def scores(self, h: Tensor, context: Tensor) -> Tensor:
        """(B, n): how well each part of `context` fits."""
        return torch.einsum("bnd,bd->bn", context, self.linear_in(h))

    def look(self, h: Tensor, context: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, context): the parts of `context`, weighted."""
        scores = self.scores(h, context)
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return torch.einsum("bn,bnd->bd", scores.softmax(-1), context)

    def forward(self, h: Tensor, context: Tensor, mask: Tensor) -> Tensor:
        """(B, query): the vector, with what it looked at mixed in."""
        return torch.tanh(self.linear_out(torch.cat([self.look(h, context, mask), h], dim=1)))


class Critic(nn.Module):
    """Estimates the value of a state."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.state2value = nn.Sequential(
            nn.Linear(size, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return one number per row."""
        values: Tensor = self.state2value(x).squeeze(-1)
        return values


def read_words(lstm: nn.LSTM, words: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Run an LSTM over sequences of different lengths.

    Returns:
        (B, L, h) what it says at each word, zeros where there is none, and its last hidden and cell states
        (directions, B, h).
    """
    lengths = mask.sum(1).cpu()
    packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
    spoken, (hidden, cell) = lstm(packed)
    context, _ = pad_packed_sequence(spoken, batch_first=True, total_length=words.shape[1])
    return context, hidden, cell
