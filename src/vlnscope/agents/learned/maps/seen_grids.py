"""Grid features as models ask for them: of agents that walk, and of graphs on which they learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from vlnscope.perception.features.grids import GridFeatures, PatchGrid
from vlnscope.worlds.graph.views import HEADINGS
from vlnscope.worlds.scene import Scene


@dataclass(frozen=True)
class RememberedGrids:
    """Grid features of the viewpoints where agents stood, a mapping by number for each row."""

    rows: Sequence[Mapping[int, PatchGrid]]

    def at(self, row: int, number: int) -> tuple[Tensor, Tensor]:
        """Return patches and depths; `KeyError` where the agent never stood."""
        return _tensors(self.rows[row][number])


@dataclass(frozen=True)
class GraphGrids:
    """Grid features of all viewpoints of some scenes, read when they are asked for.

    Attributes:
        source: where they come from.
        nodes: scene and viewpoint of each number.
        mirrored: numbers from this one on are the same viewpoints again, with left and right exchanged.
    """

    source: GridFeatures
    nodes: Sequence[tuple[Scene, str]]
    mirrored: int

    @classmethod
    def of(cls, scenes: Sequence[Scene], source: GridFeatures) -> GraphGrids:
        """Number the viewpoints of scenes, and once more for their mirror images."""
        nodes = [(scene, viewpoint) for scene in scenes for viewpoint in scene.graph.nodes]
        return cls(source, nodes, len(nodes))

    def at(self, row: int, number: int) -> tuple[Tensor, Tensor]:
        """Return patches and depths; the row does not matter."""
        grid = self.source.of(*self.nodes[number % self.mirrored])
        return _tensors(mirrored_grid(grid) if number >= self.mirrored else grid)


def mirrored_grid(grid: PatchGrid) -> PatchGrid:
    """Return what is seen in a mirror that exchanges east and west."""
    turned = -np.arange(HEADINGS) % HEADINGS
    return PatchGrid(grid.patches[turned, :, ::-1], grid.depths[turned, :, ::-1])


def _tensors(grid: PatchGrid) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(grid.patches.copy()), torch.from_numpy(grid.depths.copy())
