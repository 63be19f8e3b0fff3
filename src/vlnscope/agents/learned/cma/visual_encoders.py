"""The networks that see: colours by a ResNet, depth by that of DD-PPO, as cells or as one vector."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.cma.config import CELLS, CmaConfig, PolicyConfig
from vlnscope.agents.learned.cma.group_residual import DdppoEncoder
from vlnscope.agents.learned.cma.residual import trunk
from vlnscope.agents.learned.cma.sights import Sights

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Of the colours of ImageNet."""


class CellTable(nn.Embedding):
    """An embedding for each cell of an image, joined to what is seen there."""

    def __init__(self, config: CmaConfig) -> None:
        super().__init__(CELLS * CELLS, config.cell_size)
        self.scrambled = config.scrambled_cells

    def joined(self, features: Tensor) -> Tensor:
        """(B, channels, cells, cells) to (B, channels + size, cells in a row)."""
        table = self.weight.reshape(self.embedding_dim, -1) if self.scrambled else self.weight.T
        return torch.cat([features.flatten(2), table.expand(len(features), -1, -1)], dim=1)


class VisualEncoder(nn.Module, ABC):
    """A network that may be learned or stay as it is, and what follows it."""

    def __init__(self, config: PolicyConfig) -> None:
        super().__init__()
        self._learned, self._drifts = config.trains_encoders, config.encoders_drift

    @abstractmethod
    def network(self) -> nn.Module | None:
        """Return the network; None if its features are given."""

    def set_trainable(self) -> None:
        """Let the network be learned or not."""
        if (network := self.network()) is not None:
            network.requires_grad_(self._learned)
        self.train()

    def train(self, mode: bool = True) -> Self:
        """Begin or end training; a network that is not learned keeps its statistics, unless it drifts."""
        super().train(mode)
        network = self.network()
        if network is not None and not (self._learned or self._drifts):
            network.eval()
        return self


class RgbEncoder(VisualEncoder):
    """Sees colours."""

    shift: Tensor
    spread: Tensor

    def __init__(self, config: PolicyConfig) -> None:
        super().__init__(config)
        self.cnn: Any = trunk(config.rgb_layers, config.rgb_channels // 32) if config.rgb_layers else None
        shift, spread = (MEAN, DEVIATION) if config.normalise_rgb else ((0.0,) * 3, (1.0,) * 3)
        for name, numbers in (("shift", shift), ("spread", spread)):
            self.register_buffer(name, torch.tensor(numbers).view(3, 1, 1), persistent=False)
        self.set_trainable()

    def network(self) -> nn.Module | None:
        """Return the ResNet."""
        network: nn.Module | None = self.cnn
        return network

    def features(self, sights: Sights, cells: int) -> Tensor:
        """(B, channels, cells, cells)."""
        if sights.rgb_features is not None or self.cnn is None:
            return sights.need("rgb_features")
        images = sights.need("rgb").permute(0, 3, 1, 2).contiguous() / 255.0
        return functional.adaptive_avg_pool2d(self.cnn((images - self.shift) / self.spread), cells)


class DepthEncoder(VisualEncoder):
    """Sees depth."""

    def __init__(self, config: PolicyConfig) -> None:
        super().__init__(config)
        sizes = (config.depth_layers, config.depth_planes, config.depth_channels)
        self.visual_encoder: Any = DdppoEncoder(*sizes) if config.depth_layers else None
        self.set_trainable()

    def network(self) -> nn.Module | None:
        """Return the network of DD-PPO."""
        network: nn.Module | None = self.visual_encoder
        return network

    def features(self, sights: Sights) -> Tensor:
        """(B, channels, cells, cells)."""
        if sights.depth_features is not None or self.visual_encoder is None:
            return sights.need("depth_features")
        seen = self.visual_encoder(sights.need("depth"))
        return functional.adaptive_avg_pool2d(seen, CELLS)


class RgbCellEncoder(RgbEncoder):
    """Sees colours, cell by cell."""

    def __init__(self, config: CmaConfig) -> None:
        super().__init__(config)
        self.spatial_embeddings = CellTable(config)
        self.width = config.rgb_channels + config.cell_size

    def forward(self, sights: Sights) -> Tensor:
        """(B, width, cells in a row)."""
        return self.spatial_embeddings.joined(self.features(sights, CELLS))


class DepthCellEncoder(DepthEncoder):
    """Sees depth, cell by cell."""

    def __init__(self, config: CmaConfig) -> None:
        super().__init__(config)
        self.spatial_embeddings = CellTable(config)
        self.width = config.depth_channels + config.cell_size

    def forward(self, sights: Sights) -> Tensor:
        """(B, width, cells in a row)."""
        return self.spatial_embeddings.joined(self.features(sights))


class RgbVectorEncoder(RgbEncoder):
    """Sees colours as one vector."""

    def __init__(self, config: PolicyConfig) -> None:
        super().__init__(config)
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(config.rgb_channels, config.rgb_out), nn.ReLU())

    def forward(self, sights: Sights) -> Tensor:
        """(B, rgb_out)."""
        seen: Tensor = self.fc(self.features(sights, 1))
        return seen


class DepthVectorEncoder(DepthEncoder):
    """Sees depth as one vector."""

    def __init__(self, config: PolicyConfig) -> None:
        super().__init__(config)
        cells = config.depth_channels * CELLS * CELLS
        self.visual_fc = nn.Sequential(nn.Flatten(), nn.Linear(cells, config.depth_out), nn.ReLU())

    def forward(self, sights: Sights) -> Tensor:
        """(B, depth_out)."""
        seen: Tensor = self.visual_fc(self.features(sights))
        return seen
