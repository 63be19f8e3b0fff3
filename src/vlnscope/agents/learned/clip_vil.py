"""CLIP-ViL (Shen et al., ICLR 2022): the follower of EnvDrop, which sees through CLIP.

The layers are those of `envdrop`; what differs are features (512 numbers of ViT-B/32 or RN101, 640 of RN50x4,
2,048 of a ResNet for comparison) and training. The agent for RxR (preset ``rxr``) reads 160 words. Stopping
is a candidate of zeros that is scored without a bias: its logit is exactly 0, so the agent stops where all
candidates score less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from vlnscope.agents.learned.envdrop import EnvDrop, EnvDropConfig, envdrop_layout
from vlnscope.agents.learned.network import presets


@dataclass(frozen=True, kw_only=True)
class ClipVilConfig(EnvDropConfig):
    """Sizes of CLIP-ViL: as of `EnvDropConfig`."""

    PRESETS: ClassVar = presets("clip_vil")


class ClipVil(EnvDrop):
    """The follower of CLIP-ViL."""

    name = "clip_vil"
    Config = ClipVilConfig
    layouts = (
        envdrop_layout(
            "CLIP-ViL (Shen et al. 2022)", "CLIP-ViT-B-32-views.tsv", only={"image_size": (512, 640)}
        ),
    )
