"""A bird's-eye grid of what an agent sees, centred on it and turned so that ahead is up.

Patches of the twelve level views of a viewpoint, each with a feature and a depth, become points in space
(`lift`); points of several viewpoints, seen from where the agent stands and looks (`seen_from`), fall into
cells (`BevGrid.cells_of`), and the feature of a cell is the mean of its points (`splat`). After BEVBert
(An et al., ICCV 2023).

Points are (…, 3) metres: to the east, to the north and up, as positions are; as an agent sees them, to the
right, ahead and up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from vlnscope.worlds.graph.views import HEADINGS, STEP

FULL_DEPTH = 10.0
"""Metres that a stored depth of 1 stands for."""

NO_CELL = -1
"""As the cell of a point: none."""


@dataclass(frozen=True)
class BevGrid:
    """A square grid with the agent in the cell in its middle.

    Cells are numbered row by row; row 0 is farthest ahead, column 0 farthest to the left.

    Attributes:
        size: cells per side, odd.
        cell: metres per side of a cell.
        headroom: points that lie more metres above the camera are left out; below, none are.
    """

    size: int = 21
    cell: float = 0.5
    headroom: float = 0.5

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.size**2

    @property
    def centre(self) -> int:
        """The cell of the agent."""
        return self.cells // 2

    def squares(self, points: Tensor) -> Tensor:
        """(…, 2): row and column of points seen from the agent, which may lie outside; halves go to even."""
        flat = torch.stack([-points[..., 1], points[..., 0]], dim=-1)
        return (flat / self.cell + (self.size - 1) / 2).round().long()

    def cells_of(self, points: Tensor) -> Tensor:
        """(…): the cell of each point seen from the agent; `NO_CELL` outside the grid and overhead.

        Example:
            >>> points = torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, -9.0], [0.0, 9.0, 0.0]])
            >>> BevGrid().cells_of(points).tolist()
            [178, 222, -1]
        """
        squares = self.squares(points)
        inside = ((squares >= 0) & (squares < self.size)).all(-1) & (points[..., 2] <= self.headroom)
        return (squares[..., 0] * self.size + squares[..., 1]).masked_fill(~inside, NO_CELL)

    def nearest_cells(self, points: Tensor) -> Tensor:
        """(…): the cell of each point, or the one at the edge of the grid towards which it lies."""
        squares = self.squares(points).clamp(0, self.size - 1)
        return squares[..., 0] * self.size + squares[..., 1]

    def positions(self, like: Tensor) -> Tensor:
        """(cells, 3): where cells lie: cosine (to the right) and sine (ahead) of the direction, and distance.

        A distance of 1 is half a side of the grid. The middle has zeros.
        """
        steps = torch.arange(self.size, dtype=like.dtype, device=like.device) - self.size // 2
        ahead, right = torch.meshgrid(-steps, steps, indexing="ij")
        distance = torch.sqrt(ahead**2 + right**2)
        far = distance.clamp(min=1)
        return torch.stack([right / far, ahead / far, distance / (self.size / 2)], dim=-1).flatten(0, 1)


def lift(depths: Tensor) -> tuple[Tensor, Tensor]:
    """Return where the patches of level views lie around the viewpoint that they were seen from.

    Views cover 90° each way; view k looks at heading k · 30°. Depth is along the view axis, to the middle of
    each patch.

    Args:
        depths: (…, 12, n, n) in tens of metres; 0 where it is not known.

    Returns:
        (…, 12 n², 3) east, north, up; and (…, 12 n²) which are known.
    """
    count = depths.shape[-1]
    metres = depths * FULL_DEPTH
    slope = (torch.arange(count, dtype=depths.dtype, device=depths.device) + 0.5) * (2 / count) - 1
    heading = (torch.arange(HEADINGS, dtype=depths.dtype, device=depths.device) * STEP)[:, None, None]
    right, up = metres * slope, metres * -slope[:, None]
    east = metres * heading.sin() + right * heading.cos()
    north = metres * heading.cos() - right * heading.sin()
    return torch.stack([east, north, up], dim=-1).flatten(-4, -2), (depths != 0).flatten(-3)


def seen_from(points: Tensor, heading: Tensor) -> Tensor:
    """Return points (B, n, 3) around agents as they see them who look at `heading` (B).

    Example:
        >>> east, looking_east = torch.tensor([[[2.0, 0.0, 1.0]]]), torch.tensor([torch.pi / 2])
        >>> seen_from(east, looking_east).round().abs().tolist()
        [[[0.0, 2.0, 1.0]]]
    """
    sine, cosine = heading.sin()[:, None], heading.cos()[:, None]
    east, north, up = points.unbind(-1)
    return torch.stack([east * cosine - north * sine, east * sine + north * cosine, up], dim=-1)


def splat(
    parts: Iterable[tuple[Tensor, Tensor]], shape: tuple[int, int], like: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the mean feature of each cell, zeros where no point fell, and how many points did.

    Args:
        parts: features (n, D) of points, and the cell (n) of each, `NO_CELL` for those to leave out; one
            viewpoint after the other, since all of them at once would take much memory.
        shape: how many cells there are, and D.
        like: a tensor of the type wanted.
    """
    sums, points = like.new_zeros(shape), torch.zeros(shape[0], dtype=torch.long, device=like.device)
    for features, cells in parts:
        kept = cells != NO_CELL
        inside = cells[kept]
        sums.index_add_(0, inside, features[kept].to(like))
        points += torch.bincount(inside, minlength=shape[0])
    return sums / points.clamp(min=1)[:, None], points
