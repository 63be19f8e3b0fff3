"""Sizes and switches of models that reason over a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from vlnscope.agents.learned.layers import LayerSizes
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size
from vlnscope.agents.learned.model import ModelConfig

EPS = 1e-12
"""Of layer norms outside of layers."""


_IN = "vln_bert/vln_bert."
"""How the names of the transformer's weights begin in official checkpoints."""


def map_layout(title: str, local: str, features: tuple[str, ...], **more: Any) -> Layout:
    """Return what official checkpoints of DUET and its kin look like.

    Args:
        title: what the model is called.
        local: a weight of its local branch.
        features: usual names of files of image features.
        more: as `Layout` has it.
    """
    return Layout(
        title,
        marks=(f"{_IN}global_encoder.gmap_step_embeddings.weight", f"{_IN}local_encoder.{local}"),
        sizes={
            "vocabulary": Size(f"{_IN}embeddings.word_embeddings.weight", 0),
            "max_positions": Size(f"{_IN}embeddings.position_embeddings.weight", 0),
            "hidden": Size(f"{_IN}embeddings.word_embeddings.weight", 1),
            "wide": Size(f"{_IN}lang_encoder.layer.0.intermediate.dense.weight", 0),
            "image_size": Size(f"{_IN}img_embeddings.img_linear.weight", 1),
            "max_steps": Size(f"{_IN}global_encoder.gmap_step_embeddings.weight", 0),
            "critic": Size("critic/state2value.0.weight", 0),
        },
        layers={
            "text_layers": f"{_IN}lang_encoder.layer.",
            "cross_layers": f"{_IN}global_encoder.encoder.x_layers.",
            "pano_layers": f"{_IN}img_embeddings.pano_encoder.layers.",
        },
        switches={
            "dynamic_fusion": f"{_IN}sap_fuse_linear.",
            "distance_bias": f"{_IN}global_encoder.sprel_linear.",
        },
        features=features,
        angles=AngleConvention(elevation="relative"),
        **more,
    )


@dataclass(frozen=True, kw_only=True)
class MapConfig(ModelConfig):
    """Sizes of a model that reasons over a map.

    Attributes:
        hidden: width of all tokens.
        heads: of each attention.
        wide: width inside feed-forward blocks.
        max_positions: positions of words that have an embedding.
        text_layers: layers of the BERT.
        pano_layers: layers over panoramas.
        cross_layers: layers of each branch.
        max_steps: numbers of steps that have an embedding; later ones share the last.
        attention_dropout: of weights of attention, in training.
        layer_norm_eps: in text and cross-modal layers; 1e-12 elsewhere.
        dynamic_fusion: whether what is seen decides how much the map counts; else it counts one half.
        distance_bias: whether nodes heed each other by their distance.
        distance_unit: metres that count as 1 there.
        max_actions: decisions per episode; the last of them is to stop.
        keeps_map: whether the map lasts over a tour; the official agents forget it.
        critic: width of the critic.
        panorama: whether every view is a token; else all views together are one, which is much faster.
        word_size: of the vectors that words are, where the vocabulary is 0.
        word_dropout: share of the words that are left out, in training.
        dropout_by_row: whether dropout leaves out the same numbers of all tokens, which is faster on a CPU.
        feature_scale: by what image features are multiplied, so that their numbers are around 1.
        alike_heads: so many heads of the attention to words prefer words like what is seen, where words
            and images are vectors of one space (the last numbers of each word's vector).
    """

    reads_vectors: ClassVar[bool] = True

    hidden: int = 768
    heads: int = 12
    wide: int = 3072
    max_positions: int = 512
    text_layers: int = 9
    pano_layers: int = 2
    cross_layers: int = 4
    max_steps: int = 100
    attention_dropout: float = 0.1
    layer_norm_eps: float = EPS
    dynamic_fusion: bool = True
    distance_bias: bool = True
    distance_unit: float = 1.0
    max_actions: int = 15
    keeps_map: bool = False
    critic: int = 512
    panorama: bool = True
    word_size: int = 768
    word_dropout: float = 0.0
    dropout_by_row: bool = False
    feature_scale: float = 1.0
    alike_heads: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.hidden % self.heads == 0, "hidden", f"a multiple of the {self.heads} heads")
        limit = self.max_positions
        self.require(self.max_tokens <= limit, "max_tokens", f"at most {limit} (max_positions)")
        self.require(self.distance_unit > 0, "distance_unit", "a number above 0")
        vectors = not self.vocabulary and self.word_size >= self.image_size
        self.require(
            not self.alike_heads or vectors, "alike_heads", "0, where words are no vectors as wide as images"
        )

    @property
    def block(self) -> LayerSizes:
        """Sizes of one layer."""
        rates = (self.dropout, self.attention_dropout)
        return LayerSizes(
            self.hidden, self.heads, self.wide, *rates, self.layer_norm_eps, self.dropout_by_row
        )
