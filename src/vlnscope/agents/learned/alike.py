"""Words that are like what is seen, where both are vectors of one space: attention may begin by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.inputs import VisualInput
from vlnscope.agents.learned.model import ModelConfig


@dataclass(frozen=True, kw_only=True)
class AlikeConfig(ModelConfig):
    """Sizes of a model that may read words as vectors in the space of images.

    Attributes:
        word_size: of the vectors that words are, where the vocabulary is 0.
        word_dropout: share of the words that are left out, in training.
        feature_scale: by what image features are multiplied, so that their numbers are around 1.
        alike_heads: so many heads of the attention to words prefer words like what is seen, where words
            and images are vectors of one space (the last numbers of each word's vector).
    """

    reads_vectors: ClassVar[bool] = True

    word_size: int = 768
    word_dropout: float = 0.0
    feature_scale: float = 1.0
    alike_heads: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        vectors = not self.vocabulary and self.word_size >= self.image_size
        self.require(
            not self.alike_heads or vectors, "alike_heads", "0, where words are no vectors as wide as images"
        )


def in_image_space(vectors: Tensor, width: int) -> Tensor:
    """(B, L, width): the last numbers of words' vectors, the words in the space of images, of length 1."""
    return functional.normalize(vectors[..., -width:], dim=-1)


@torch.no_grad()
def heeded(like: Tensor, word_mask: Tensor, alike_heads: int, heads: int) -> Tensor:
    """(B, heads, n, L): by how much tokens prefer words; minus infinity for words not there.

    Args:
        like: (B, n, L) how much each word is like what a token shows.
        word_mask: (B, L).
        alike_heads: how many heads, of the first ones, prefer words.
        heads: how many there are.
    """
    there = word_mask[:, None]
    count = there.sum(-1, keepdim=True).clamp(min=1)
    like = like * there
    like = (like - like.sum(-1, keepdim=True) / count) * there
    like = like * torch.rsqrt(like.square().sum(-1, keepdim=True) / count + 1e-6)
    chosen = torch.arange(heads, device=like.device) < alike_heads
    return (like[:, None] * chosen[:, None, None]).masked_fill(~there[:, None], -torch.inf)


@torch.no_grad()
def preferred(visual: VisualInput, alike: Tensor, word_mask: Tensor, alike_heads: int, heads: int) -> Tensor:
    """(B, heads, 2 + C, L): by how much tokens prefer words; minus infinity for words not there.

    A candidate prefers words that are like its view, the two tokens before it those that are like any view.

    Args:
        visual: what is seen.
        alike: (B, L, D) words as `in_image_space` returns them.
        word_mask: (B, L).
        alike_heads: how many heads, of the first ones, prefer words.
        heads: how many there are.
    """
    every = visual.images @ alike.transpose(1, 2)
    index = visual.views[..., None].expand(-1, -1, every.shape[2])
    best = every.amax(1, keepdim=True)
    like = torch.cat([best, best, every.gather(1, index)], dim=1)
    return heeded(like, word_mask, alike_heads, heads)
