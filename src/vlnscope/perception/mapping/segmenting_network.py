"""The network of the house segmenter: a small U-Net from colours and depth to a class for each pixel.

It looks at pictures of about 128 rows: others are brought there, and its answers are brought to the size of
the depth. Besides colour and depth each pixel says how far above or below the camera its surface is, which
tells a bed from a cabinet and which convolutions, alike in all rows, could not find out. It is trained on
VLN-CE's camera (`vlnscope.training.segmenter`); for that camera a height comes out in tens of metres.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.networks import load_weights, one_thread

ROWS = 128
"""Rows of the pictures that the network looks at."""
BLOCK = 16
"""Sides of these pictures are multiples of it."""
CHANNELS = (24, 40, 72, 112)
"""At a half, a fourth, an eighth and a sixteenth of the pictures' size."""
_INPUTS = 5
_AT_ONCE = 16


class SegmentingNetwork(nn.Module):
    """Gives each pixel a number per class; the largest says its class."""

    def __init__(self) -> None:
        super().__init__()
        half, fourth, eighth, least = CHANNELS
        self.stem = _block(_INPUTS, half, stride=2)
        self.down = nn.ModuleList([_level(before, after) for before, after in pairwise(CHANNELS)])
        self.middle = _Stay(least, dilation=2)
        self.up = nn.ModuleList([_Join(least, eighth), _Join(eighth, fourth), _Join(fourth, half)])
        self.out = nn.Conv2d(half, len(CLASSES), 1)

    def forward(self, rgb: Tensor, depth: Tensor) -> Tensor:
        """(n, 13, height / 2, width / 2) of colours 0-255 (n, height, width, 3) and depth (n, height, width).

        Depth is 0 (near) to 1 (10 m); sides are multiples of 16.
        """
        levels = [self.stem(_inputs(rgb, depth).contiguous(memory_format=torch.channels_last))]
        for level in self.down:
            levels.append(level(levels[-1]))
        seen = self.middle(levels.pop())
        for join in self.up:
            seen = join(seen, levels.pop())
        numbers: Tensor = self.out(seen)
        return numbers


class _Stay(nn.Module):
    """Adds what a convolution makes of its surroundings."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.block = _block(channels, channels, dilation=dilation)

    def forward(self, seen: Tensor) -> Tensor:
        stayed: Tensor = seen + self.block(seen)
        return stayed


class _Join(nn.Module):
    """Joins what a coarse level saw with the next finer level."""

    def __init__(self, coarse: int, fine: int) -> None:
        super().__init__()
        self.mix = nn.Conv2d(coarse + fine, fine, 1, bias=False)
        self.stay = _Stay(fine)

    def forward(self, coarse: Tensor, fine: Tensor) -> Tensor:
        larger = functional.interpolate(coarse, scale_factor=2.0, mode="nearest")
        joined: Tensor = self.stay(self.mix(torch.cat([larger, fine], 1)))
        return joined


def _block(before: int, after: int, *, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(before, after, 3, stride=stride, padding=dilation, dilation=dilation, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


def _level(before: int, after: int) -> nn.Sequential:
    return nn.Sequential(_block(before, after, stride=2), _Stay(after))


def _inputs(rgb: Tensor, depth: Tensor) -> Tensor:
    """(n, 5, height, width): colours, depth, and how far below the camera, of these."""
    rows = depth.shape[1]
    below = (torch.arange(rows, dtype=torch.float32) + 0.5) / (rows / 2) - 1.0
    near = depth.float()
    colours = rgb.permute(0, 3, 1, 2).float() / 127.5 - 1.0
    return torch.cat([colours, 2 * near[:, None], 8 * (near * below[:, None])[:, None]], 1)


def reduced(rgb: NDArray[np.uint8], depth: NDArray[np.float32]) -> tuple[Tensor, Tensor]:
    """Return colours and depth in the size that the network looks at: means of colours, single depths.

    Args:
        rgb: (n, height, width, 3).
        depth: (n, height, width).
    """
    height, width = depth.shape[1:]
    columns = max(BLOCK, round(ROWS * width / height / BLOCK) * BLOCK)
    colours = torch.from_numpy(np.ascontiguousarray(rgb)).permute(0, 3, 1, 2).float()
    colours = functional.interpolate(colours, (ROWS, columns), mode="bilinear", antialias=True)
    return colours.permute(0, 2, 3, 1).round().byte(), nearest(torch.from_numpy(depth), columns)


def nearest(pictures: Tensor, columns: int) -> Tensor:
    """(n, 128, columns) of pictures (n, height, width), of which nothing is mixed."""
    return functional.interpolate(pictures[:, None].float(), (ROWS, columns), mode="nearest-exact")[:, 0]


def load_network(path: str | Path) -> SegmentingNetwork:
    """Read a network, ready to be used.

    Raises:
        InputError: the file is damaged, or holds something else.
    """
    return load_weights(path, SegmentingNetwork(), "a segmenter", "vlnscope train house-segmenter")


@torch.inference_mode()
def segment(
    network: SegmentingNetwork, rgb: NDArray[np.uint8], depth: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """(n, height, width): the class of each pixel of the depth, the same however many threads torch has.

    Args:
        network: looks at the pictures.
        rgb: (n, height', width', 3).
        depth: (n, height, width), from 0 to 1.
    """
    classes = np.empty(depth.shape, dtype=np.uint8)
    with one_thread():
        for begin in range(0, len(depth), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            numbers = network(*reduced(rgb[part], depth[part]))
            fine = functional.interpolate(numbers, depth.shape[1:], mode="bilinear", align_corners=False)
            classes[part] = fine.argmax(1).byte().numpy()
    return classes
