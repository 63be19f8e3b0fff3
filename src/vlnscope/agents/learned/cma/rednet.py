"""RedNet (Jiang et al. 2018): which class each pixel is of, from colours and depth.

With 13 classes, as Semantic MapNet trained it (Cartillier et al., AAAI 2021), it is what MAP-CMA's inferred
maps are made with. Colours and depth go through a ResNet each; what depth sees is added to what colours see
after each stage, and the way back up is made of transposed residual blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.cma.residual import BLOCKS, WIDER, stages, stem
from vlnscope.agents.learned.cma.visual_encoders import DEVIATION, MEAN
from vlnscope.agents.learned.layouts import Layout, Size
from vlnscope.agents.learned.network import Network, NetworkConfig, presets

SIDE = 256
"""Images are looked at as squares of so many pixels."""

DEPTH_MEAN, DEPTH_DEVIATION = 0.213, 0.285
"""Of depths between 0 and 1."""

_BLOCKS_UP = (6, 4, 3, 3)


@dataclass(frozen=True, kw_only=True)
class RedNetConfig(NetworkConfig):
    """Sizes of RedNet.

    Attributes:
        classes: how many classes there are, "nothing" included.
        planes: width where it begins.
        layers: of each ResNet: 14, 26 or 50.
    """

    PRESETS: ClassVar = presets("rednet")

    classes: int = 13
    planes: int = 64
    layers: int = 50

    def __post_init__(self) -> None:
        self.require(self.layers in BLOCKS, "layers", f"one of {', '.join(map(str, BLOCKS))}")


class TransposedBlock(nn.Module):
    """Two convolutions added to what they started from; the second may double both sides of an image."""

    def __init__(self, inward: int, outward: int, *, doubles: bool) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inward, inward, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(inward)
        self.conv2: nn.Module = nn.Conv2d(inward, outward, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(outward)
        self.upsample: nn.Module | None = None
        if doubles:
            self.conv2 = nn.ConvTranspose2d(inward, outward, 3, 2, padding=1, output_padding=1, bias=False)
            self.upsample = nn.Sequential(
                nn.ConvTranspose2d(inward, outward, 2, 2, bias=False), nn.BatchNorm2d(outward)
            )

    def forward(self, x: Tensor) -> Tensor:
        """(B, inward, h, w) to (B, outward, h, w), or twice as large."""
        short = x if self.upsample is None else self.upsample(x)
        x = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(self.bn2(self.conv2(x)) + short)


def _up(inward: int, outward: int, blocks: int) -> nn.Sequential:
    """Return blocks the last of which doubles both sides."""
    same = [TransposedBlock(inward, inward, doubles=False) for _ in range(blocks - 1)]
    return nn.Sequential(*same, TransposedBlock(inward, outward, doubles=True))


def _skip(inward: int, outward: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inward, outward, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU())


class RedNet(Network):
    """RedNet."""

    name = "rednet"
    Config = RedNetConfig
    layouts = (
        Layout(
            "RedNet (Jiang et al. 2018)",
            marks=("rednet/conv1_d.weight", "rednet/agant0.0.weight"),
            sizes={
                "classes": Size("rednet/final_deconv_custom.weight", 1),
                "planes": Size("rednet/conv1.weight", 0),
            },
            fixed={"layers": 50},
            words="",
        ),
    )
    sees: ClassVar[Mapping[str, str]] = {
        "rgb": "colours of any size, made into 256 x 256",
        "depth": "likewise, 0 to 10 m as 0 to 1",
    }
    config: RedNetConfig

    def __init__(self, config: RedNetConfig) -> None:
        super().__init__(config)
        first = config.planes
        widths = [first, *(first * WIDER * 2**number for number in range(4))]
        self.conv1, self.bn1 = stem(3, first)
        self.conv1_d, self.bn1_d = stem(1, first)
        self.layer1, self.layer2, self.layer3, self.layer4 = stages(config.layers, first)
        self.layer1_d, self.layer2_d, self.layer3_d, self.layer4_d = stages(config.layers, first)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        narrow = [first, first, 2 * first, 4 * first, 8 * first]
        skips = [_skip(wide, thin) for wide, thin in zip(widths, narrow, strict=True)]
        self.agant0, self.agant1, self.agant2, self.agant3, self.agant4 = skips
        downward = narrow[::-1]
        ups = [_up(a, b, n) for a, b, n in zip(downward, downward[1:], _BLOCKS_UP, strict=False)]
        self.deconv1, self.deconv2, self.deconv3, self.deconv4 = ups
        self.final_conv = nn.Sequential(*(TransposedBlock(first, first, doubles=False) for _ in range(3)))
        self.final_deconv_custom = nn.ConvTranspose2d(first, config.classes, 2, 2)
        # scores at lower resolutions, which only training looks at
        outs = [nn.Conv2d(width, config.classes, 1) for width in downward[1:]]
        self.out5_conv_custom, self.out4_conv_custom, self.out3_conv_custom, self.out2_conv_custom = outs

    def parts(self) -> dict[str, nn.Module]:
        """Return the whole network, as its file has it."""
        return {self.name: self}

    def forward(self, rgb: Tensor, depth: Tensor) -> Tensor:
        """Score classes of pixels.

        Args:
            rgb: (B, 3, H, W) normalised colours.
            depth: (B, 1, H, W) normalised depths.

        Returns:
            (B, classes, H, W).
        """
        x = functional.relu(self.bn1(self.conv1(rgb)))
        depth = functional.relu(self.bn1_d(self.conv1_d(depth)))
        fused = [x + depth]
        x, depth = self.maxpool(fused[0]), self.maxpool(depth)
        for see, feel in self._stages():
            x, depth = see(x), feel(depth)
            x = x + depth
            fused.append(x)
        x = self.agant4(x)
        for up, skip, before in zip(self._ups(), self._skips(), fused[-2::-1], strict=True):
            x = up(x) + skip(before)
        scores: Tensor = self.final_deconv_custom(self.final_conv(x))
        return scores

    def _stages(self) -> list[tuple[nn.Module, nn.Module]]:
        return [
            (self.layer1, self.layer1_d),
            (self.layer2, self.layer2_d),
            (self.layer3, self.layer3_d),
            (self.layer4, self.layer4_d),
        ]

    def _ups(self) -> list[nn.Module]:
        return [self.deconv1, self.deconv2, self.deconv3, self.deconv4]

    def _skips(self) -> list[nn.Module]:
        return [self.agant3, self.agant2, self.agant1, self.agant0]

    @torch.no_grad()
    def classes(self, rgb: Tensor, depth: Tensor) -> Tensor:
        """(B, 256, 256) the class of each pixel, as bytes.

        Args:
            rgb: (B, H, W, 3) colours between 0 and 255.
            depth: (B, H, W, 1) depths between 0 and 1.
        """
        images = _squared(rgb) / 255.0
        mean, deviation = (images.new_tensor(numbers).view(3, 1, 1) for numbers in (MEAN, DEVIATION))
        depths = (_squared(depth) - DEPTH_MEAN) / DEPTH_DEVIATION
        scores: Tensor = self((images - mean) / deviation, depths)
        return scores.argmax(1).to(torch.uint8)


def _squared(images: Tensor) -> Tensor:
    turned = images.permute(0, 3, 1, 2).contiguous().float()
    return functional.interpolate(turned, (SIDE, SIDE), mode="bilinear", align_corners=False)
