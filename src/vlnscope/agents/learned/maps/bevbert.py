"""BEVBert (An, Qi, Li, Huang, Wang, Tan and Shao, ICCV 2023): DUET with a bird's-eye grid.

What is seen now, and what was seen from neighbouring viewpoints that were visited, becomes a grid around the
agent (`bev_grid`); candidates are the cells in which they lie, stopping is the cell in the middle. All else
is DUET's, but for three conventions: an agent always looks level, a candidate belongs to the view whose
heading and elevation are nearest, and distances of nodes count in units of 30 m.

Parameters have the names and shapes of the official checkpoints for R2R.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.inputs import NOTHING, SeenGrids, VisualInput, facing, look_at
from vlnscope.agents.learned.layers import Critic
from vlnscope.agents.learned.layouts import Size
from vlnscope.agents.learned.maps.bev_grid import NO_CELL, BevGrid, lift, seen_from, splat
from vlnscope.agents.learned.maps.fusion import Opinions
from vlnscope.agents.learned.maps.map_config import MapConfig, map_layout
from vlnscope.agents.learned.maps.map_model import LocalBranch, MapModel, MapState, MapTransformer, StepInput
from vlnscope.agents.learned.maps.map_transformer import EncodedText, MapLayers, initialised, projection
from vlnscope.agents.learned.maps.topological_map import POSITION_SIZE, TopologicalMap
from vlnscope.agents.learned.network import presets
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.graph.views import HEADINGS

CELL_SIZE = POSITION_SIZE + 3
"""Numbers that say where a cell lies: where the episode began, then the cell's own direction and distance."""


@dataclass(frozen=True, kw_only=True)
class BevBertConfig(MapConfig):
    """Sizes of BEVBert.

    Attributes:
        patch_size: numbers per patch of the grid features.
        grid_size: cells per side of the grid, odd.
        cell: metres per side of a cell.
        reach: what was seen from visited viewpoints so many hops away belongs to the grid, too.
    """

    PRESETS: ClassVar = presets("bevbert")

    patch_size: int = 768
    grid_size: int = 21
    cell: float = 0.5
    reach: int = 1
    distance_unit: float = 30.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.grid_size % 2 == 1, "grid_size", "an odd number: the agent stands in the middle")
        self.require(self.cell > 0, "cell", "metres, above 0")

    @property
    def grid(self) -> BevGrid:
        """The grid."""
        return BevGrid(self.grid_size, self.cell)

    @property
    def patch_width(self) -> int:
        """Numbers per patch of the grid features."""
        return self.patch_size


class GridSurroundings(NamedTuple):
    """A grid around each agent.

    Attributes:
        features: (B, cells, D) means of the patches that lie in each cell; zeros where there are none.
        points: (B, cells) how many patches that are.
        candidates: (B, C) the cell of each candidate; several may share one.
    """

    features: Tensor
    points: Tensor
    candidates: Tensor


class GridEncoder(LocalBranch):
    """Looks at the grid (``local_encoder``)."""

    def __init__(self, config: BevBertConfig) -> None:
        super().__init__()
        self.bev_fts_embeddings = projection(config.patch_size, config.hidden)
        self.bev_pos_embeddings = projection(CELL_SIZE, config.hidden)
        self.nav_type_embedding = nn.Embedding(2, config.hidden)
        self.encoder = MapLayers(config)

    def forward(self, features: Tensor, where: Tensor, goals: Tensor, read: EncodedText) -> Tensor:
        """(B, cells, H): all cells are looked at, also those where nothing was seen.

        Args:
            features: (B, cells, D) of what lies there.
            where: (B, cells, 10) where they lie.
            goals: (B, cells) which of them can be gone to, the one in the middle included.
            read: the words.
        """
        cells = self.bev_fts_embeddings(features) + self.bev_pos_embeddings(where)
        cells = cells + self.nav_type_embedding(goals.long())
        looked: Tensor = self.encoder(cells, torch.ones_like(goals), read)
        return looked


_LAYOUT = map_layout(
    "BEVBert (An et al. 2023)",
    "bev_fts_embeddings.0.weight",
    ("CLIP ViT-B/16 of the 36 views (512 numbers)",),
    grids=("vit_b16_224_clip_patch.hdf5",),
)
_LAYOUT = replace(_LAYOUT, sizes={**_LAYOUT.sizes, "patch_size": Size(_LAYOUT.marks[1], 1)})


class BevBert(MapModel[MapState]):
    """The model."""

    name = "bevbert"
    Config = BevBertConfig
    layouts = (
        _LAYOUT,
        replace(
            _LAYOUT,
            title="BEVBert for RxR (An et al. 2023)",
            only={"vocabulary": (250002,)},
            fixed={"layer_norm_eps": 1e-5},
            words="XLM-R",
        ),
    )
    config: BevBertConfig

    def __init__(self, config: BevBertConfig) -> None:
        super().__init__(config)
        self.forgets = not config.keeps_map
        self.vln_bert = MapTransformer(config, GridEncoder(config))
        self.vln_bert.apply(initialised)
        self.critic = Critic(config.hidden, config.critic, config.dropout)

    def begun(self, state: MapState) -> MapState:
        """Return the state in which an agent has read and not yet looked."""
        return state

    def considered(self, state: MapState, visual: VisualInput) -> tuple[Opinions, Tensor, MapState]:
        """Look level, and let both branches say what they think of it."""
        return super().considered(state, levelled(visual))

    def view(self, state: MapState, now: StepInput) -> tuple[Tensor, Tensor, MapState]:
        """Look at the grid."""
        around, plan = self.surroundings(state.plan, now), state.plan
        grid = self.config.grid
        cells = around.candidates.masked_fill(now.ways == NOTHING, grid.centre)
        goals = torch.zeros_like(around.points, dtype=torch.bool).scatter(1, cells, True)
        goals[:, grid.centre] = True
        features = self.drop_features(around.features)
        where = torch.cat(
            [self._begin(plan, now), grid.positions(features).expand(len(goals), -1, -1)], dim=2
        )
        looked = self.vln_bert.local_encoder(features, where, goals, state.read)
        near = looked.gather(1, cells[..., None].expand(-1, -1, looked.shape[2]))
        return near, looked[:, grid.centre], state

    def surroundings(self, plan: TopologicalMap, now: StepInput) -> GridSurroundings:
        """Lay what was seen on a grid."""
        grids, grid, heading = _grids_of(now.visual), self.config.grid, facing(now.visual)
        offsets = seen_from(plan.positions - plan.of_here(plan.positions)[:, None], heading)
        rows = torch.arange(len(heading), device=heading.device)[:, None]
        shape = (grid.cells, self.config.patch_size)
        near = plan.visited & plan.known & (plan.of_here(plan.hops) <= self.config.reach)
        laid = [
            splat(
                self._seen(grids, row, plan.places[row], near[row], offsets[row], heading[row]),
                shape,
                offsets,
            )
            for row in range(len(heading))
        ]
        return GridSurroundings(
            torch.stack([features for features, _ in laid]),
            torch.stack([points for _, points in laid]),
            grid.nearest_cells(offsets[rows, now.ways.clamp(min=0)]),
        )

    def _seen(
        self, grids: SeenGrids, row: int, places: Tensor, near: Tensor, offsets: Tensor, heading: Tensor
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield patches that were seen from nodes near to one agent, and the cells in which they lie."""
        for node in near.nonzero()[:, 0].tolist():
            patches, depths = grids.at(row, int(places[node]))
            if patches.shape[-1] != self.config.patch_size:
                raise InputError(
                    f"grid features have {patches.shape[-1]} numbers per patch, and the model takes "
                    f"{self.config.patch_size}",
                    expected="the grid features that the model was trained with",
                    fix="name these",
                )
            points, known = lift(depths.to(offsets))
            cells = self.config.grid.cells_of(seen_from(points[None], heading[None])[0] + offsets[node])
            yield patches.to(cells.device).flatten(0, 2), cells.masked_fill(~known, NO_CELL)

    def _begin(self, plan: TopologicalMap, now: StepInput) -> Tensor:
        """(B, cells, 7): where the episode began, the same for all cells."""
        rows = torch.arange(len(plan.begin), device=plan.begin.device)
        return now.positions[rows, plan.begin][:, None].expand(-1, self.config.grid.cells, -1)


def levelled(visual: VisualInput) -> VisualInput:
    """Return what agents see who look level, each candidate in the view that is nearest in both angles."""
    return replace(
        visual,
        look=HEADINGS + visual.look % HEADINGS,
        views=look_at(visual.headings, visual.elevations),
    )


def _grids_of(visual: VisualInput) -> SeenGrids:
    if visual.grids is None:
        raise InputError(
            "the model looks at a grid, and is shown no grid features",
            expected="a feature and a depth per patch of the twelve level views",
            fix="name some: learned:file=FILE,features=NAME,grid=NAME",
        )
    return visual.grids
