"""CMA, and the agents that remember tours like it: TourCMA, PoolCMA, PoolEndCMA.

CMA is of Krantz et al. (ECCV 2020), the others of Krantz et al. (CVPR 2023). All see colours and depth.
"""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor, nn

from vlnscope.agents.learned.cma.config import CELLS, CmaConfig
from vlnscope.agents.learned.cma.cross_modal import CrossModalNet, EncodedSense, TourMemory, flat_linear
from vlnscope.agents.learned.cma.official_layouts import cma_layouts, pool_layout, tour_layout
from vlnscope.agents.learned.cma.policy import ContinuousPolicy, without_images
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps
from vlnscope.agents.learned.cma.visual_encoders import DepthCellEncoder, RgbCellEncoder


class RgbDepthNet(CrossModalNet):
    """CMA with colours and depth."""

    def __init__(self, config: CmaConfig, tour_memory: TourMemory) -> None:
        super().__init__(config, tour_memory, (config.rgb_out, config.depth_out))
        self.rgb_encoder, self.depth_encoder = RgbCellEncoder(config), DepthCellEncoder(config)
        rgb, depth = self.rgb_encoder.width, self.depth_encoder.width
        self.rgb_linear = nn.Sequential(
            nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(rgb, config.rgb_out), nn.ReLU()
        )
        self.depth_linear = flat_linear(depth * CELLS * CELLS, config.depth_out)
        self.rgb_kv = nn.Conv1d(rgb, self.key_size + config.rgb_out, 1)
        self.depth_kv = nn.Conv1d(depth, self.key_size + config.depth_out, 1)

    def look(self, steps: Steps) -> tuple[EncodedSense, EncodedSense]:
        """Look at colours and depth."""
        sights = steps.rows()
        rgb: Tensor = self.rgb_encoder(sights)
        depth: Tensor = self.depth_encoder(sights)
        return (
            EncodedSense(self.rgb_linear(rgb), self.rgb_kv(rgb)),
            EncodedSense(self.depth_linear(depth), self.depth_kv(depth)),
        )

    def encode_images(self, sights: Sights) -> Sights:
        """Return the features of colours and depth."""
        rgb = self.rgb_encoder.features(sights, CELLS)
        return without_images(sights, rgb_features=rgb, depth_features=self.depth_encoder.features(sights))


class Cma(ContinuousPolicy):
    """CMA: what it remembers ends with the episode."""

    name = "cma"
    Config = CmaConfig
    layouts = cma_layouts()
    tour_memory: ClassVar[TourMemory] = TourMemory()
    config: CmaConfig

    def __init__(self, config: CmaConfig) -> None:
        super().__init__(config, RgbDepthNet(config, self.tour_memory))


class TourCma(Cma):
    """TourCMA: its recurrent state goes on through a tour."""

    name = "tour_cma"
    layouts = (tour_layout(),)
    tour_memory = TourMemory(tour=True)


class PoolCma(Cma):
    """PoolCMA: its first recurrent unit also hears a memory of the tour."""

    name = "pool_cma"
    layouts = (pool_layout("PoolCMA (Krantz et al. 2023)"),)
    tour_memory = TourMemory(pool=True)


class PoolEndCma(Cma):
    """PoolEndCMA: the memory also takes part in the decision."""

    name = "pool_end_cma"
    layouts = (pool_layout("PoolEndCMA (Krantz et al. 2023)", at_end=True),)
    tour_memory = TourMemory(pool=True, at_end=True)
