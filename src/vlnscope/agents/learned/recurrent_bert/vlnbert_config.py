"""Sizes of VLN↻BERT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import nn

from vlnscope.agents.learned.alike import AlikeConfig
from vlnscope.agents.learned.layers import TransformerConfig
from vlnscope.agents.learned.network import presets

INITS = ("oscar", "prevalent")


@dataclass(frozen=True, kw_only=True)
class VlnBertConfig(TransformerConfig, AlikeConfig):
    """Sizes of VLN↻BERT.

    Attributes:
        init: as what it begins, ``oscar`` or ``prevalent``, which have different layers.
        text_layers: layers over the words; of ``oscar``, the same layers look at what is seen.
        cross_layers: layers in which candidates look at words, of ``prevalent``.
        surroundings: whether the token that remembers is told the mean of all views, besides where the agent
            looks; the official agents see no view but those of candidates.
    """

    PRESETS: ClassVar = presets("vlnbert")

    init: str = "prevalent"
    surroundings: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.init in INITS, "init", " or ".join(INITS))

    @property
    def view_size(self) -> int:
        """Numbers per candidate: image and angle."""
        return self.image_size + self.angle_size

    def norm(self) -> nn.LayerNorm:
        """Return a layer norm over tokens."""
        return nn.LayerNorm(self.hidden, eps=self.layer_norm_eps)
