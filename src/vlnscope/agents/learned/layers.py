"""Layers that several models share; parameters are named as in the public checkpoints.

The transformer layers carry the names of BERT (Devlin et al. 2019) and LXMERT (Tan and Bansal 2019), the
attention of recurrent models those of the R2R code (Anderson et al. 2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.model import ModelConfig

EPS = 1e-12
"""What layer norms add to variances, as in BERT."""


@dataclass(frozen=True, kw_only=True)
class RecurrentConfig(ModelConfig):
    """Sizes of a model that reads words in both directions and then decides step by step.

    Attributes:
        hidden: of the part that decides; half of it per direction of the encoder.
    """

    hidden: int = 512

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.hidden % 2 == 0, "hidden", "an even number: one half per direction")

    @property
    def view_size(self) -> int:
        """Numbers per view: image and angle."""
        return self.image_size + self.angle_size


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(ModelConfig):
    """Sizes of a model that has a BERT and cross-modal layers.

    Attributes:
        hidden: width of all tokens.
        heads: of each attention.
        wide: width inside feed-forward blocks.
        max_positions: positions of words that have an embedding.
        text_layers: layers over the words.
        cross_layers: cross-modal layers.
        attention_dropout: of weights of attention, in training.
        layer_norm_eps: in text and cross-modal layers (1e-12 as BERT, 1e-5 as XLM-R).
        critic: width of the critic.
    """

    hidden: int = 768
    heads: int = 12
    wide: int = 3072
    max_positions: int = 512
    text_layers: int = 9
    cross_layers: int = 4
    attention_dropout: float = 0.1
    layer_norm_eps: float = EPS
    critic: int = 512

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.hidden % self.heads == 0, "hidden", f"a multiple of the {self.heads} heads")
        limit = self.max_positions
        self.require(self.max_tokens <= limit, "max_tokens", f"at most {limit} (max_positions)")

    @property
    def block(self) -> LayerSizes:
        """Sizes of one layer."""
        rates = (self.dropout, self.attention_dropout)
        return LayerSizes(self.hidden, self.heads, self.wide, *rates, self.layer_norm_eps)


class LayerSizes(NamedTuple):
    """Sizes of a transformer layer.

    Attributes:
        hidden: width of tokens.
        heads: of each attention.
        wide: width inside feed-forward parts.
        dropout: of tokens.
        attention_dropout: of weights of attention.
        eps: of layer norms.
        by_row: whether the same numbers of all tokens of a row are dropped, which is much faster on a CPU.
    """

    hidden: int
    heads: int
    wide: int
    dropout: float
    attention_dropout: float
    eps: float
    by_row: bool = False


class RowDropout(nn.Dropout):
    """Dropout that leaves out the same numbers of all tokens of a row (variational; Gal 2016)."""

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, hidden)."""
        if not self.training or not self.p:
            return x
        return x * functional.dropout(x.new_ones(len(x), 1, x.shape[2]), self.p)


class MultiHead(nn.Module):
    """Multi-head attention of `x` over `context`; `mask` (B, n) says what may be looked at.

    A `bias` (B, m, n), the same for all heads, or (B, heads, m, n) is added to what attention scores.
    """

    def __init__(self, block: LayerSizes) -> None:
        super().__init__()
        self.heads, self.dropout = block.heads, block.attention_dropout
        self.query = nn.Linear(block.hidden, block.hidden)
        self.key = nn.Linear(block.hidden, block.hidden)
        self.value = nn.Linear(block.hidden, block.hidden)

    def forward(self, x: Tensor, context: Tensor, mask: Tensor | None, bias: Tensor | None = None) -> Tensor:
        """Return (B, m, hidden)."""
        return self.look(x, self.stored(context), mask, bias)

    def stored(self, context: Tensor) -> Tensor:
        """(B, n, 2 hidden): keys and values of a context, to be looked at as often as wanted."""
        weight = torch.cat([self.key.weight, self.value.weight])
        return functional.linear(context, weight, torch.cat([self.key.bias, self.value.bias]))

    def look(self, x: Tensor, stored: Tensor, mask: Tensor | None, bias: Tensor | None = None) -> Tensor:
        """Return (B, m, hidden): what `x` sees in a context that was `stored`."""
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in (self.query(x), *stored.chunk(2, dim=2))
        )
        seen = None if mask is None else mask[:, None, None, :].expand(-1, 1, x.shape[1], -1)
        if bias is not None:
            each = bias if bias.dim() == 4 else bias[:, None]
            seen = each if seen is None else each.masked_fill(~seen, -torch.inf)
        rate = self.dropout if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen, dropout_p=rate)
        return mixed.transpose(1, 2).flatten(2)


class AddNorm(nn.Module):
    """A linear layer, added to what it started from, and normalised."""

    def __init__(self, size: int, block: LayerSizes) -> None:
        super().__init__()
        self.dense = nn.Linear(size, block.hidden)
        self.LayerNorm = nn.LayerNorm(block.hidden, eps=block.eps)
        self.dropout = (RowDropout if block.by_row else nn.Dropout)(block.dropout)

    def forward(self, x: Tensor, before: Tensor) -> Tensor:
        """Return (B, n, hidden)."""
        normed: Tensor = self.LayerNorm(self.dropout(self.dense(x)) + before)
        return normed


class Widen(nn.Module):
    """The first half of a feed-forward block."""

    def __init__(self, block: LayerSizes) -> None:
        super().__init__()
        self.dense = nn.Linear(block.hidden, block.wide)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, n, wide)."""
        return functional.gelu(self.dense(x))


class SelfAttention(nn.Module):
    """Attention of a sequence over itself, with its output layer; of its `first` tokens only, if asked."""

    def __init__(self, block: LayerSizes) -> None:
        super().__init__()
        self.self = MultiHead(block)
        self.output = AddNorm(block.hidden, block)

    def forward(
        self, x: Tensor, mask: Tensor | None, first: int | None = None, bias: Tensor | None = None
    ) -> Tensor:
        """Return (B, n, hidden)."""
        asking = x[:, :first]
        mixed: Tensor = self.output(self.self(asking, x, mask, bias), asking)
        return mixed


class CrossAttention(nn.Module):
    """Attention of one sequence over another, with its output layer."""

    def __init__(self, block: LayerSizes) -> None:
        super().__init__()
        self.att = MultiHead(block)
        self.output = AddNorm(block.hidden, block)

    def forward(self, x: Tensor, context: Tensor, mask: Tensor) -> Tensor:
        """Return (B, n, hidden)."""
        return self.look(x, self.att.stored(context), mask)

    def look(self, x: Tensor, stored: Tensor, mask: Tensor, bias: Tensor | None = None) -> Tensor:
        """Return (B, n, hidden), for a context that was stored (`MultiHead.stored`)."""
        mixed: Tensor = self.output(self.att.look(x, stored, mask, bias), x)
        return mixed


class BertLayer(nn.Module):
    """One layer of BERT."""

    def __init__(self, block: LayerSizes) -> None:
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

    def each(self, h: Tensor, context: Tensor, mask: Tensor) -> Tensor:
        """(B, m, query): as `forward`, for m vectors of each row (B, m, query) at once."""
        scores = self.linear_in(h) @ context.transpose(1, 2)
        looked = scores.masked_fill(~mask[:, None], -torch.inf).softmax(-1) @ context
        return torch.tanh(self.linear_out(torch.cat([looked, h], dim=2)))


class ViewAttention(nn.Module):
    """Attention of a vector over views, both brought to one size first (Fried et al. 2018).

    Args:
        query: size of the vector.
        view: size of each view.
        common: size at which they meet.
    """

    def __init__(self, query: int, view: int, common: int) -> None:
        super().__init__()
        self.linear_in_h = nn.Linear(query, common)
        self.linear_in_v = nn.Linear(view, common)

    def forward(self, h: Tensor, views: Tensor) -> Tensor:
        """(B, view): the views as they are, weighted."""
        asked = self.linear_in_h(h)
        # the product with the vector comes first: that saves the product of all views with a matrix
        scores = torch.einsum("bnv,bv->bn", views, asked @ self.linear_in_v.weight)
        scores = scores + (asked @ self.linear_in_v.bias)[:, None]
        return torch.einsum("bn,bnv->bv", scores.softmax(-1), views)


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
    """Run an LSTM of one layer over sequences of different lengths, each valid from its first word on.

    All words are weighed at once and directions go side by side: torch's own packed sequences take a time
    that grows with the square of the length when gradients are wanted on a CPU.

    Returns:
        (B, L, h) what it says at each word, zeros where there is none, and its last hidden and cell states
        (directions, B, h).
    """
    ways = ["", "_reverse"][: 2 if lstm.bidirectional else 1]
    inward = torch.cat([getattr(lstm, f"weight_ih_l0{way}") for way in ways])
    bias = torch.cat([getattr(lstm, f"bias_ih_l0{way}") + getattr(lstm, f"bias_hh_l0{way}") for way in ways])
    weighed = functional.linear(words, inward, bias).view(*mask.shape, len(ways), -1).permute(2, 0, 1, 3)
    back = torch.stack([getattr(lstm, f"weight_hh_l0{way}").T for way in ways])
    valid = mask.expand(len(ways), *mask.shape)
    if lstm.bidirectional:
        weighed = torch.stack([weighed[0], weighed[1].flip(1)])
        valid = torch.stack([mask, mask.flip(1)])
    start = weighed.new_zeros(len(ways), len(mask), back.shape[1])
    spoken, hidden, cell = _recur(weighed, valid, back, (start, start))
    turned = [spoken[0], *(way.flip(1) for way in spoken[1:])]
    return torch.cat(turned, dim=2) * mask[..., None], hidden, cell


def follow_words(lstm: nn.LSTMCell, words: Tensor, start: tuple[Tensor, Tensor]) -> Tensor:
    """(B, L, h): the hidden states of an LSTM over words (B, L, …) that are known beforehand.

    Args:
        lstm: the LSTM.
        words: all of them count.
        start: (B, h) hidden and cell state.
    """
    weighed = functional.linear(words, lstm.weight_ih, lstm.bias_ih + lstm.bias_hh)[None]
    valid = torch.ones_like(weighed[..., 0], dtype=torch.bool)
    hidden, cell = (part[None] for part in start)
    return _recur(weighed, valid, lstm.weight_hh.T[None], (hidden, cell))[0][0]


def _recur(
    weighed: Tensor, valid: Tensor, back: Tensor, start: tuple[Tensor, Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """Go through words that are weighed already, (directions, B, L, 4 h); what is not valid is left out."""
    hidden, cell = start
    spoken: list[Tensor] = []
    whole = valid.all(dim=1).all(dim=0).tolist()
    for gates, there, every in zip(weighed.unbind(2), valid[..., None].unbind(2), whole, strict=True):
        enter, forget, new, out = torch.baddbmm(gates, hidden, back).chunk(4, dim=2)
        after = forget.sigmoid() * cell + enter.sigmoid() * new.tanh()
        heard = out.sigmoid() * after.tanh()
        cell = after if every else torch.where(there, after, cell)
        hidden = heard if every else torch.where(there, heard, hidden)
        spoken.append(hidden)
    return torch.stack(spoken, dim=2), hidden, cell


def begin_words(embedding: nn.Embedding, vectors: Tensor) -> None:
    """Let word embeddings begin as vectors (V, word_size); rows of zeros stay as they are."""
    with torch.no_grad():
        is_given = vectors.abs().sum(1, keepdim=True) > 0
        embedding.weight.copy_(torch.where(is_given, vectors, embedding.weight))
