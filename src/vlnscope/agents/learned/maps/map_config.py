"""Sizes and switches of models that reason over a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vlnscope.agents.learned.alike import AlikeConfig
from vlnscope.agents.learned.layers import LayerSizes, TransformerConfig
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size

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
class MapConfig(TransformerConfig, AlikeConfig):
    """Sizes of a model that reasons over a map.

    Attributes:
        pano_layers: layers over panoramas.
        max_steps: numbers of steps that have an embedding; later ones share the last.
        dynamic_fusion: whether what is seen decides how much the map counts; else it counts one half.
        distance_bias: whether nodes heed each other by their distance.
        distance_unit: metres that count as 1 there.
        max_actions: decisions per episode; the last of them is to stop.
        keeps_map: whether the map lasts over a tour; the official agents forget it.
        panorama: whether every view is a token; else all views together are one, which is much faster.
        dropout_by_row: whether dropout leaves out the same numbers of all tokens, which is faster on a CPU.
    """

    pano_layers: int = 2
    max_steps: int = 100
    dynamic_fusion: bool = True
    distance_bias: bool = True
    distance_unit: float = 1.0
    max_actions: int = 15
    keeps_map: bool = False
    panorama: bool = True
    dropout_by_row: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.distance_unit > 0, "distance_unit", "a number above 0")

    @property
    def block(self) -> LayerSizes:
        """Sizes of one layer."""
        return super().block._replace(by_row=self.dropout_by_row)
