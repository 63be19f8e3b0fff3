"""Layers of BERT over packed tokens: as `layers` has them, with no work on padding.

The tokens of a batch lie one below the other (`Packing`); only where they look at each other are they laid
out side by side. What does not change from step to step, the keys and values of the words, is made once.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.layers import AddNorm, BertLayer, MultiHead, SelfAttention, Widen
from vlnscope.agents.learned.packing import Packing


@dataclass(frozen=True)
class LookedUp:
    """What one attention may look at.

    Attributes:
        keys: (B, heads, m, hidden / heads).
        values: (B, heads, m, hidden / heads).
        mask: (B, heads or 1, n or 1, m) what may be looked at, or by how much it is preferred.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor

    @classmethod
    def of(cls, att: MultiHead, stored: Tensor, mask: Tensor) -> LookedUp:
        """Take keys and values apart that `stored` (B, m, 2 hidden) put together."""
        keys, values = stored.chunk(2, dim=2)
        return cls(by_head(keys, att.heads), by_head(values, att.heads), mask)


def by_head(rows: Tensor, heads: int) -> Tensor:
    """(B, heads, n, hidden / heads) of (B, n, hidden)."""
    return rows.reshape(*rows.shape[:2], heads, rows.shape[2] // heads).transpose(1, 2)


def attended(att: MultiHead, x: Tensor, packing: Packing, at: LookedUp) -> Tensor:
    """(N, hidden): what packed tokens see where they look."""
    query = by_head(packing.spread(att.query(x)), att.heads)
    rate = att.dropout if att.training else 0.0
    mixed = functional.scaled_dot_product_attention(
        query, at.keys, at.values, attn_mask=at.mask, dropout_p=rate
    )
    return packing.pack(mixed.transpose(1, 2).flatten(2))


def scored(att: MultiHead, token: Tensor, at: LookedUp) -> tuple[Tensor, Tensor]:
    """Let one token (B, hidden) look; return what it sees (B, hidden), and its mean scores (B, m).

    The scores are those of all heads before the softmax and without the mask.
    """
    query = by_head(att.query(token)[:, None], att.heads)
    scores = query @ at.keys.transpose(2, 3) * query.shape[3] ** -0.5
    mask = at.mask[:, :, :1]
    hidden = scores.masked_fill(~mask, -torch.inf) if mask.dtype is torch.bool else scores + mask
    shares = functional.dropout(hidden.softmax(3), att.dropout, att.training)
    return (shares @ at.values).transpose(1, 2).flatten(1), scores.mean(1)[:, 0]


def self_attention(layer: SelfAttention, x: Tensor, packing: Packing) -> Tensor:
    """(N, hidden): tokens look at all others of their row."""
    at = LookedUp.of(layer.self, packing.spread(layer.self.stored(x)), packing.mask[:, None, None])
    done: Tensor = layer.output(attended(layer.self, x, packing, at), x)
    return done


def bert_layer(layer: BertLayer, x: Tensor, packing: Packing) -> Tensor:
    """(N, hidden): one layer of BERT."""
    return widened(layer.intermediate, layer.output, self_attention(layer.attention, x, packing))


def widened(inner: Widen, outer: AddNorm, x: Tensor) -> Tensor:
    """Return tokens after a feed-forward block."""
    done: Tensor = outer(inner(x), x)
    return done
