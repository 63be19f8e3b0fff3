"""MAP-CMA (Krantz et al., CVPR 2023): CMA that sees depth and a map of what was seen before.

The map is all that goes on from one episode of a tour to the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.cma.config import CELLS, MapCmaConfig
from vlnscope.agents.learned.cma.cross_modal import CrossModalNet, EncodedSense, TourMemory, flat_linear
from vlnscope.agents.learned.cma.official_layouts import map_layout
from vlnscope.agents.learned.cma.policy import CAMERAS, ContinuousPolicy, without_images
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps
from vlnscope.agents.learned.cma.visual_encoders import DepthCellEncoder


class MapConvolution(nn.Module):
    """A convolution over the map, halved."""

    def __init__(self, inward: int, outward: int) -> None:
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(inward, outward, 7, padding="same"),
            nn.BatchNorm2d(outward),
            nn.ReLU(inplace=True),
            nn.AvgPool2d(2),
        )

    def forward(self, x: Tensor) -> Tensor:
        """(B, inward, R, C) to (B, outward, R / 2, C / 2)."""
        halved: Tensor = self.conv(x)
        return halved


class MapEncoder(nn.Module):
    """Turns a map into cells: what is occupied, and one channel for each class."""

    def __init__(self, config: MapCmaConfig) -> None:
        super().__init__()
        self.classes = config.classes
        first, growth = config.map_channels, config.map_growth
        widths = [1 + config.classes, first, 2 * first, 4 * first, growth * first]
        self.width = widths[-1]
        self.cnn = nn.Sequential(*(MapConvolution(a, b) for a, b in itertools.pairwise(widths)))

    def forward(self, sights: Sights) -> Tensor:
        """(B, width, R / 16, C / 16)."""
        kinds = functional.one_hot(sights.need("semantic").long(), self.classes).permute(0, 3, 1, 2)
        occupied = sights.need("occupancy")[:, None]
        like = next(self.parameters())
        cells: Tensor = self.cnn(torch.cat([occupied.to(like), kinds.to(like)], dim=1))
        return cells


class DepthMapNet(CrossModalNet):
    """CMA with depth and a map."""

    def __init__(self, config: MapCmaConfig) -> None:
        super().__init__(config, TourMemory(), (config.depth_out, config.map_out))
        self.depth_encoder, self.map_encoder = DepthCellEncoder(config), MapEncoder(config)
        depth, places = self.depth_encoder.width, self.map_encoder.width
        self.depth_linear = flat_linear(depth * CELLS * CELLS, config.depth_out)
        self.map_linear = flat_linear(places * CELLS * CELLS, config.map_out)
        self.dep_kv = nn.Conv1d(depth, self.key_size + config.depth_out, 1)
        self.map_kv = nn.Conv1d(places, self.key_size + config.map_out, 1)

    def look(self, steps: Steps) -> tuple[EncodedSense, EncodedSense]:
        """Look at depth and at the map."""
        sights = steps.rows()
        depth: Tensor = self.depth_encoder(sights)
        places: Tensor = self.map_encoder(sights).flatten(2)
        return (
            EncodedSense(self.depth_linear(depth), self.dep_kv(depth)),
            EncodedSense(self.map_linear(places), self.map_kv(places)),
        )

    def encode_images(self, sights: Sights) -> Sights:
        """Return the features of depth; the network over maps is learned with the rest."""
        return without_images(sights, depth_features=self.depth_encoder.features(sights))


class MapCma(ContinuousPolicy):
    """MAP-CMA."""

    name = "map_cma"
    Config = MapCmaConfig
    layouts = (map_layout(),)
    sees: ClassVar[Mapping[str, str]] = {
        "depth": CAMERAS["depth"],
        "map": "occupancy and class of 64 x 64 cells of 0.1 m around the agent, which faces up",
    }
    config: MapCmaConfig

    def __init__(self, config: MapCmaConfig) -> None:
        super().__init__(config, DepthMapNet(config))
