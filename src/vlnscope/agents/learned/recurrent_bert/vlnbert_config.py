"""Sizes of VLN↻BERT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import nn

from vlnscope.agents.learned.hamt_transformer import EPS
from vlnscope.agents.learned.layers import LayerSizes
from vlnscope.agents.learned.model import ModelConfig, presets

INITS = ("oscar", "prevalent")


@dataclass(frozen=True, kw_only=True)
class VlnBertConfig(ModelConfig):
    """Sizes of VLN↻BERT.

    Attributes:
        init: as what it begins, ``oscar`` or ``prevalent``, which have different layers.
        word_size: of vectors of words, with a vocabulary of 0.
        hidden: width of all tokens.
        heads: of each attention.
        wide: width inside feed-forward blocks.
        max_positions: positions of words that have an embedding.
        text_layers: layers over the words; of ``oscar``, the same layers look at what is seen.
        cross_layers: layers in which candidates look at words, of ``prevalent``.
        attention_dropout: of weights of attention, in training.
        layer_norm_eps: of all layer norms.
        feature_scale: by what image features are multiplied, so that their numbers are around 1.
        alike_heads: so many heads of the attention to words prefer words like what is seen, where words
            and images are vectors of one space (the last numbers of each word's vector).
        word_dropout: share of the words that are left out, in training.
        surroundings: whether the token that remembers is told the mean of all views, besides where the agent
            looks; the official agents see no view but those of candidates.
        critic: width of the critic.
    """

    reads_vectors: ClassVar[bool] = True
    PRESETS: ClassVar = presets("vlnbert")

    init: str = "prevalent"
    word_size: int = 768
    hidden: int = 768
    heads: int = 12
    wide: int = 3072
    max_positions: int = 512
    text_layers: int = 9
    cross_layers: int = 4
    attention_dropout: float = 0.1
    layer_norm_eps: float = EPS
    feature_scale: float = 1.0
    alike_heads: int = 0
    word_dropout: float = 0.0
    surroundings: bool = False
    critic: int = 512

    def __post_init__(self) -> None:
        super().__post_init__()
        limit = self.max_positions
        self.require(self.init in INITS, "init", " or ".join(INITS))
        self.require(self.hidden % self.heads == 0, "hidden", f"a multiple of the {self.heads} heads")
        self.require(self.max_tokens <= limit, "max_tokens", f"at most {limit} (max_positions)")
        vectors = not self.vocabulary and self.word_size >= self.image_size
        self.require(
            not self.alike_heads or vectors, "alike_heads", "0, where words are no vectors as wide as images"
        )

    @property
    def block(self) -> LayerSizes:
        """Sizes of one layer."""
        rates = (self.dropout, self.attention_dropout)
        return LayerSizes(self.hidden, self.heads, self.wide, *rates, self.layer_norm_eps)

    @property
    def view_size(self) -> int:
        """Numbers per candidate: image and angle."""
        return self.image_size + self.angle_size

    def norm(self) -> nn.LayerNorm:
        """Return a layer norm over tokens."""
        return nn.LayerNorm(self.hidden, eps=self.layer_norm_eps)
