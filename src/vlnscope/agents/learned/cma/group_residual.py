"""The residual network with group norms that DD-PPO agents see depth through (Wijmans et al., ICLR 2020)."""

from __future__ import annotations

import itertools

from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.cma.residual import BLOCKS, WIDER


def _normed(
    inward: int, outward: int, size: int, groups: int, stride: int = 1
) -> tuple[nn.Conv2d, nn.GroupNorm]:
    convolution = nn.Conv2d(inward, outward, size, stride, padding=size // 2, bias=False)
    return convolution, nn.GroupNorm(groups, outward)


class GroupBottleneck(nn.Module):
    """A bottleneck block whose convolutions are a sequence."""

    def __init__(self, width: int, planes: int, groups: int, stride: int) -> None:
        super().__init__()
        whole = planes * WIDER
        self.convs = nn.Sequential(
            *_normed(width, planes, 1, groups),
            nn.ReLU(inplace=True),
            *_normed(planes, planes, 3, groups, stride),
            nn.ReLU(inplace=True),
            *_normed(planes, whole, 1, groups),
        )
        self.downsample: nn.Module | None = None
        if stride > 1 or width != whole:
            self.downsample = nn.Sequential(*_normed(width, whole, 1, groups, stride))

    def forward(self, x: Tensor) -> Tensor:
        """(B, width, h, w) to (B, 4 planes, h / stride, w / stride)."""
        short = x if self.downsample is None else self.downsample(x)
        return functional.relu(self.convs(x) + short)


class GroupResNet(nn.Module):
    """The stem and the four stages."""

    def __init__(self, layers: int, planes: int) -> None:
        super().__init__()
        groups = planes // 2
        self.conv1 = nn.Sequential(
            nn.Conv2d(1, planes, 7, stride=2, padding=3, bias=False),
            nn.GroupNorm(groups, planes),
            nn.ReLU(inplace=True),
        )
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        widths = [planes * 2**number for number in range(4)]
        parts = [
            _stage(before, inside, blocks, groups, stride=1 if inside == planes else 2)
            for before, inside, blocks in zip(
                [planes, *(width * WIDER for width in widths)], widths, BLOCKS[layers], strict=False
            )
        ]
        self.layer1, self.layer2, self.layer3, self.layer4 = parts

    def forward(self, x: Tensor) -> Tensor:
        """(B, 1, H, W) to (B, 32 planes, H / 32, W / 32)."""
        x = self.maxpool(self.conv1(x))
        for part in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = part(x)
        return x


def _stage(width: int, planes: int, blocks: int, groups: int, stride: int) -> nn.Sequential:
    widths = itertools.chain([(width, stride)], itertools.repeat((planes * WIDER, 1), blocks - 1))
    return nn.Sequential(*(GroupBottleneck(before, planes, groups, step) for before, step in widths))


class DdppoEncoder(nn.Module):
    """What a DD-PPO agent makes of a depth image: few channels in few cells."""

    def __init__(self, layers: int, planes: int, channels: int) -> None:
        super().__init__()
        self.backbone = GroupResNet(layers, planes)
        self.compression = nn.Sequential(
            nn.Conv2d(planes * 32, channels, 3, padding=1, bias=False),
            nn.GroupNorm(1, channels),
            nn.ReLU(inplace=True),
        )

    def forward(self, images: Tensor) -> Tensor:
        """(B, H, W, 1) depths between 0 and 1 to (B, channels, H / 64, W / 64)."""
        halved = functional.avg_pool2d(images.permute(0, 3, 1, 2), 2)
        cells: Tensor = self.compression(self.backbone(halved))
        return cells
