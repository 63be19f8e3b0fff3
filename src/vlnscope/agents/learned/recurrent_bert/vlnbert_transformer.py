"""The transformers of VLN↻BERT: one that begins as OSCAR (a single stack), one that begins as PREVALENT.

Both read the words once. At each step a token that remembers and a token per candidate look at the words,
which stay as they are, and at each other; so keys and values of the words are made once. In the last layer
only the token that remembers looks.

Parameters have the names and shapes of the official code, which has some that are not used.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.hamt_transformer import CrossLayer, Words
from vlnscope.agents.learned.layers import BertLayer, CrossAttention
from vlnscope.agents.learned.packing import Packing
from vlnscope.agents.learned.recurrent_bert.vlnbert_config import VlnBertConfig
from vlnscope.agents.learned.recurrent_bert.vlnbert_layers import (
    LookedUp,
    attended,
    bert_layer,
    scored,
    self_attention,
    widened,
)


class Memory(NamedTuple):
    """The words, as steps look at them.

    Attributes:
        words: (B, L, hidden) the words, the first of which is none: the token that remembers replaces it.
        stored: (B, layers, L, 2 hidden) keys and values of the words, for each layer.
        readable: (B, L) which words there are, without the first.
        heed: (B, 1, 1, L) as `readable`, or (B, heads, n, L) by how much tokens prefer words.
    """

    words: Tensor
    stored: Tensor
    readable: Tensor
    heed: Tensor


class Glance(NamedTuple):
    """What the layers make of a step.

    Attributes:
        token: (B, hidden) the token that remembers, after the last layer.
        visual: (B, n - 1) its scores of the others, stopping first.
        textual: (B, L) its scores of the words.
    """

    token: Tensor
    visual: Tensor
    textual: Tensor


class Pooler(nn.Module):
    """BERT's pooler."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden, config.hidden)

    def forward(self, token: Tensor) -> Tensor:
        """(B, hidden)."""
        return torch.tanh(self.dense(token))


class Renewal(nn.Module):
    """How the token that remembers is renewed."""

    def make_renewal(self, config: VlnBertConfig) -> None:
        """Add the parameters, as the official code orders them."""
        self.vis_lang_LayerNorm = config.norm()
        self.state_proj = nn.Linear(2 * config.hidden, config.hidden)
        self.state_LayerNorm = config.norm()

    def renewed(self, pooled: Tensor, said: Tensor, shown: Tensor) -> Tensor:
        """(B, hidden): of what the layers made of it, and of the words and candidates it looked at."""
        mixed = self.vis_lang_LayerNorm(said * shown)
        token: Tensor = self.state_LayerNorm(self.state_proj(torch.cat([pooled, mixed], dim=1)))
        return token


class Stack(nn.Module):
    """The layers of a BERT, as a module of their own."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(config.block) for _ in range(config.text_layers))


class Bert(nn.Module):
    """A BERT."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.embeddings = Words(config, 0 if config.vocabulary else config.word_size)
        self.encoder = Stack(config)
        self.pooler = Pooler(config)


class Oscar(Renewal):
    """One stack of layers, for words and for what is seen."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.bert = Bert(config)
        self.make_renewal(config)

    @property
    def embeddings(self) -> Words:
        """How words are embedded."""
        return self.bert.embeddings

    @property
    def pooler(self) -> Pooler:
        """What is made of the token that remembers."""
        return self.bert.pooler

    def layers(self) -> list[BertLayer]:
        """Return the layers."""
        return [layer for layer in self.bert.encoder.layer if isinstance(layer, BertLayer)]

    def read(self, x: Tensor, packing: Packing) -> Tensor:
        """(N, hidden): words after all layers."""
        for layer in self.layers():
            x = bert_layer(layer, x, packing)
        return x

    def first(self, token: Tensor) -> Tensor:
        """(B, hidden): the token that remembers begins as the first word."""
        return token

    def keep(self, words: Tensor) -> list[Tensor]:
        """Return keys and values of words (…, 2 hidden), for each layer."""
        return [layer.attention.self.stored(words) for layer in self.layers()]

    def look(self, x: Tensor, packing: Packing, memory: Memory) -> Glance:
        """Let packed tokens, in each row that which remembers first, look at words and at each other."""
        mask = joined(packing.mask, memory.heed)
        *earlier, last = zip(self.layers(), memory.stored.unbind(1), strict=True)
        for layer, words in earlier:
            att = layer.attention.self
            at = LookedUp.of(att, torch.cat([packing.spread(att.stored(x)), words], dim=1), mask)
            x = layer.attention.output(attended(att, x, packing, at), x)
            x = widened(layer.intermediate, layer.output, x)
        layer, words = last
        att, token = layer.attention.self, packing.first(x)
        at = LookedUp.of(att, torch.cat([packing.spread(att.stored(x)), words], dim=1), mask)
        seen, scores = scored(att, token, at)
        token = widened(layer.intermediate, layer.output, layer.attention.output(seen, token))
        size = packing.mask.shape[1]
        return Glance(token, scores[:, 1:size], scores[:, size:])


def joined(there: Tensor, heed: Tensor) -> Tensor:
    """Return the mask of visuals (B, n) and the `Memory.heed` of words side by side."""
    mask = there[:, None, None]
    if heed.dtype is not torch.bool:
        mask = heed.new_zeros(mask.shape).masked_fill(~mask, -torch.inf)
    return torch.cat([mask.expand(-1, heed.shape[1], heed.shape[2], -1), heed], dim=3)


class Vision(nn.Module):
    """Embeddings of candidates."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.visn_fc = nn.Linear(config.view_size, config.hidden)
        self.visn_layer_norm = config.norm()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(…, hidden)."""
        embedded: Tensor = self.dropout(self.visn_layer_norm(self.visn_fc(x)))
        return embedded


class Prevalent(nn.Module):
    """Layers for words, then others in which what is seen looks at words and at itself."""

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__()
        self.embeddings = Words(config, 0 if config.vocabulary else config.word_size)
        self.pooler = Pooler(config)
        self.lalayer = nn.ModuleList(BertLayer(config.block) for _ in range(config.text_layers))
        self.addlayer = nn.ModuleList(CrossLayer(config.block) for _ in range(config.cross_layers))
        self.vision_encoder = Vision(config)

    def read(self, x: Tensor, packing: Packing) -> Tensor:
        """(N, hidden): words after the layers of text."""
        for layer in self.lalayer:
            assert isinstance(layer, BertLayer)
            x = bert_layer(layer, x, packing)
        return x

    def first(self, token: Tensor) -> Tensor:
        """(B, hidden): the token that remembers begins as the first word, pooled."""
        pooled: Tensor = self.pooler(token)
        return pooled

    def cross_layers(self) -> list[CrossLayer]:
        """Return the cross-modal layers."""
        return [layer for layer in self.addlayer if isinstance(layer, CrossLayer)]

    def keep(self, words: Tensor) -> list[Tensor]:
        """Return keys and values of words (…, 2 hidden), for each cross-modal layer."""
        return [layer.visual_attention.att.stored(words) for layer in self.cross_layers()]

    def look(self, x: Tensor, packing: Packing, memory: Memory) -> Glance:
        """Let packed tokens, in each row that which remembers first, look at words and at each other."""
        *earlier, (last, words) = zip(self.cross_layers(), memory.stored.unbind(1), strict=True)
        for layer, each in earlier:
            at = LookedUp.of(layer.visual_attention.att, each, memory.heed)
            x = crossed(layer.visual_attention, x, packing, at)
            x = self_attention(layer.visn_self_att, x, packing)
            x = widened(layer.visn_inter, layer.visn_output, x)
        at = LookedUp.of(last.visual_attention.att, words, memory.heed)
        textual = scored(last.visual_attention.att, packing.first(x), at)[1]
        x = crossed(last.visual_attention, x, packing, at)
        own, token = last.visn_self_att, packing.first(x)
        at = LookedUp.of(own.self, packing.spread(own.self.stored(x)), packing.mask[:, None, None])
        seen, visual = scored(own.self, token, at)
        token = widened(last.visn_inter, last.visn_output, own.output(seen, token))
        return Glance(token, visual[:, 1:], textual)


def crossed(layer: CrossAttention, x: Tensor, packing: Packing, at: LookedUp) -> Tensor:
    """(N, hidden): packed tokens look at words."""
    done: Tensor = layer.output(attended(layer.att, x, packing, at), x)
    return done
