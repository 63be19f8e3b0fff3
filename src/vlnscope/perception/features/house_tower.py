"""The image tower of the house encoder: a small convolutional network, 48 × 36 pixels to 128 numbers.

It is trained against descriptions of what pictures show (`vlnscope.training.encoder.house_encoder`). Its file
holds half-precision weights in NumPy's format; the one that comes with vlnscope was trained on generated
houses of the split ``train`` alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.perception.features.house_views import HEIGHT, WIDTH
from vlnscope.perception.networks import load_weights, one_thread

FEATURES = 128
CHANNELS = (24, 48, 96)


class ImageTower(nn.Module):
    """Makes a row of length 1 of each picture."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for channels in CHANNELS:
            layers += [_block(before, channels, stride=2)]
            before = channels
        self.down = nn.Sequential(*layers)
        self.stay = _block(before, before, stride=1)
        cells = -(-HEIGHT // 8) * -(-WIDTH // 8)
        self.out = nn.Linear(before * cells, FEATURES)

    def forward(self, pictures: Tensor) -> Tensor:
        """(n, 128) of bytes (n, 36, 48, 3)."""
        return functional.normalize(self.out(self.patches(pictures).flatten(1)), dim=1)

    def patches(self, pictures: Tensor) -> Tensor:
        """(n, 96, height / 8, width / 8) of bytes (n, height, width, 3), of any size."""
        seen = pictures.permute(0, 3, 1, 2).to(self.out.weight.dtype) / 127.5 - 1.0
        seen = self.down(seen.contiguous(memory_format=torch.channels_last))
        stayed: Tensor = seen + self.stay(seen)
        return stayed


def _block(before: int, after: int, *, stride: int) -> nn.Sequential:
    convolution = nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


def load_tower(path: str | Path) -> ImageTower:
    """Read a tower, ready to be used.

    Raises:
        InputError: the file is damaged, or holds something else.
    """
    return load_weights(path, ImageTower(), "a house encoder", "vlnscope train house-encoder")


@torch.inference_mode()
def encode(tower: ImageTower, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 128): a row per picture, the same bits however many threads torch has."""
    with one_thread():
        rows: NDArray[np.float32] = tower(torch.from_numpy(pictures)).numpy()
    return rows


@torch.inference_mode()
def encode_patches(tower: ImageTower, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, height / 8, width / 8, 96): a row per patch of 8 × 8 pixels, likewise."""
    with one_thread():
        rows: NDArray[np.float32] = tower.patches(torch.from_numpy(pictures)).permute(0, 2, 3, 1).numpy()
    return rows
