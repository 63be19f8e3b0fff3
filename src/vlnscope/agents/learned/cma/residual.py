"""Residual networks (He et al., CVPR 2016), with the names of weights that torchvision gives them."""

from __future__ import annotations

from torch import Tensor, nn

BLOCKS = {14: (1, 1, 1, 1), 26: (2, 2, 2, 2), 50: (3, 4, 6, 3)}
"""Blocks per stage, by the number of layers."""

WIDER = 4
"""So many times wider than inside are blocks where they end."""


class Bottleneck(nn.Module):
    """Three convolutions, the second of which takes the stride, added to what they started from."""

    def __init__(self, width: int, planes: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(width, planes, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv3 = nn.Conv2d(planes, planes * WIDER, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(planes * WIDER)
        self.relu = nn.ReLU(inplace=True)
        self.downsample: nn.Module | None = None
        if stride > 1 or width != planes * WIDER:
            self.downsample = nn.Sequential(
                nn.Conv2d(width, planes * WIDER, 1, stride, bias=False), nn.BatchNorm2d(planes * WIDER)
            )

    def forward(self, x: Tensor) -> Tensor:
        """(B, width, h, w) to (B, 4 planes, h / stride, w / stride)."""
        short = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        done: Tensor = self.relu(self.bn3(self.conv3(x)) + short)
        return done


def stem(channels: int, planes: int) -> tuple[nn.Conv2d, nn.BatchNorm2d]:
    """Return the first convolution and its normalisation."""
    return nn.Conv2d(channels, planes, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(planes)


def stages(layers: int, planes: int) -> list[nn.Sequential]:
    """Return the four stages of a network of so many layers; each has twice the width of the one before."""
    made: list[nn.Sequential] = []
    width = planes
    for number, blocks in enumerate(BLOCKS[layers]):
        inside = planes * 2**number
        widths = [width, *([inside * WIDER] * (blocks - 1))]
        strides = [1 if number == 0 else 2, *([1] * (blocks - 1))]
        made.append(nn.Sequential(*(Bottleneck(w, inside, s) for w, s in zip(widths, strides, strict=True))))
        width = inside * WIDER
    return made


def trunk(layers: int, planes: int) -> nn.Sequential:
    """Return a network without its last layers: (B, 3, H, W) to (B, 32 planes, H / 32, W / 32)."""
    first, norm = stem(3, planes)
    return nn.Sequential(
        first, norm, nn.ReLU(inplace=True), nn.MaxPool2d(3, stride=2, padding=1), *stages(layers, planes)
    )
