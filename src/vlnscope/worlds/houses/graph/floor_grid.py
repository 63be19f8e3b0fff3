"""The floor of one room as a grid: where one can stand, what hangs together, and ways across it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from vlnscope.types import Flags, Floats, Ints
from vlnscope.worlds.houses.graph.obstacles import BODY, Obstacles
from vlnscope.worlds.houses.plan.plan import XY, Opening, Room
from vlnscope.worlds.houses.plan.polygons import sides

CELL = 0.05
_MARGIN = 10  # cells around the room, for one step out of its doorways
_TIGHT = 0.2 - 1e-6


class FloorGrid:
    """A grid over a room.

    Attributes:
        clearance: distance of each grid point from what is solid (true to a cell); 0 where one cannot be.
        parts: number of the connected part of the floor that each point is in; 0 where a walker cannot be.
    """

    def __init__(self, room: Room, ways: Sequence[Opening], ground: Obstacles) -> None:
        across, along = zip(*room.polygon, strict=True)
        self._x, self._y = min(across) - _MARGIN * CELL, min(along) - _MARGIN * CELL
        shape = tuple(round((max(side) - min(side)) / CELL) + 1 + 2 * _MARGIN for side in (across, along))
        free = self._inside(room, shape)
        for way in ways:
            x, y = way.centre
            out = _MARGIN * CELL
            w, d = (way.width / 2, out) if way.axis == "x" else (out, way.width / 2)
            free[self._slices(x - w, y - d, x + w, y + d)] = True
        self._block(free, ground)
        self.clearance: Floats = ndimage.distance_transform_edt(np.pad(free, 1))[1:-1, 1:-1] * CELL
        self.parts: NDArray[np.int32] = ndimage.label(self.clearance >= _TIGHT)[0]

    def points(self, chosen: Flags) -> Floats:
        """Return the places (rows x, y) of chosen grid points."""
        return self._places(np.argwhere(chosen))

    def cell(self, point: XY) -> tuple[int, int]:
        """Return the grid point nearest to a place."""
        size = self.clearance.shape
        i, j = round((point[0] - self._x) / CELL), round((point[1] - self._y) / CELL)
        return min(max(i, 0), size[0] - 1), min(max(j, 0), size[1] - 1)

    def part(self, point: XY) -> int:
        """Return the part of the floor that a place is in; 0 if a walker cannot be there."""
        return int(self.parts[self.cell(point)])

    def way(self, start: XY, ends: Sequence[XY]) -> Floats:
        """Return a roomy way (rows x, y) from a place to the nearest of others; empty if there is none."""
        cells = np.argwhere(self.parts > 0)
        number = np.full(self.parts.shape, -1, dtype=np.int64)
        number[tuple(cells.T)] = np.arange(len(cells))
        source, targets = number[self.cell(start)], [number[self.cell(end)] for end in ends]
        targets = [target for target in targets if target >= 0]
        if source < 0 or not targets:
            return np.zeros((0, 2))
        lengths, before = dijkstra(self._steps(cells, number), indices=source, return_predecessors=True)
        best = targets[int(np.argmin(lengths[targets]))]
        if not np.isfinite(lengths[best]):
            return np.zeros((0, 2))
        back = [best]
        while back[-1] != source:
            back.append(int(before[back[-1]]))
        course = self._places(cells[back[::-1]])
        course[0], course[-1] = start, ends[[number[self.cell(end)] for end in ends].index(best)]
        return course

    def _steps(self, cells: Ints, number: Ints) -> coo_array:
        """Return the graph of steps between neighbouring points; steps in narrow places cost more."""
        cost = CELL / np.minimum(self.clearance[tuple(cells.T)], 0.8) ** 2
        padded = np.pad(number, 1, constant_values=-1)
        rows, columns, costs = [], [], []
        for di, dj in ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)):
            other = padded[cells[:, 0] + 1 + di, cells[:, 1] + 1 + dj]
            ok = np.flatnonzero(other >= 0)
            rows.append(ok)
            columns.append(other[ok])
            costs.append((cost[ok] + cost[other[ok]]) * np.hypot(di, dj))
        indices = (np.concatenate(rows), np.concatenate(columns))
        return coo_array((np.concatenate(costs), indices), shape=(len(cells), len(cells))).tocsr()

    def _places(self, cells: Ints) -> Floats:
        return np.asarray(np.round(cells * CELL + np.array([self._x, self._y]), 3))

    def _slices(self, x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
        low = np.ceil((np.array([x0 - self._x, y0 - self._y]) - 1e-6) / CELL).astype(int)
        high = np.floor((np.array([x1 - self._x, y1 - self._y]) + 1e-6) / CELL).astype(int) + 1
        return slice(max(low[0], 0), max(high[0], 0)), slice(max(low[1], 0), max(high[1], 0))

    def _inside(self, room: Room, shape: tuple[int, ...]) -> Flags:
        odd = np.zeros(shape, dtype=np.bool_)
        for (ax, ay), (bx, by) in sides(room.polygon):
            if abs(ax - bx) < abs(ay - by):
                rows, columns = self._slices(self._x, min(ay, by), ax, max(ay, by) - CELL)
                odd[rows, columns] ^= True
        return odd

    def _block(self, free: Flags, ground: Obstacles) -> None:
        size = (np.array(free.shape) - 1) * CELL
        for solid in ground.near(self._x, self._y, self._x + size[0], self._y + size[1]):
            x0, y0, x1, y1 = solid.bounds
            rows, columns = self._slices(x0, y0, x1, y1)
            if solid.area > 0.999 * (x1 - x0) * (y1 - y0):
                free[rows, columns] = False
                continue
            window = np.zeros(free.shape, dtype=np.bool_)
            window[rows, columns] = free[rows, columns]
            cells = np.argwhere(window)
            hit = cells[shapely.intersects_xy(solid, self._places(cells))]
            free[tuple(hit.T)] = False


def pulled_tight(way: Floats, ground: Obstacles, longest: float) -> list[XY]:
    """Return the corners of a way: places on it, each in straight reach of the next; its ends are left out.

    Empty if the way is straight and not longer than `longest`; cut short where it becomes too narrow.
    """
    corners: list[XY] = []
    at, last = 0, len(way) - 1
    while at < last:
        count = last - at
        clear = ground.clear(np.repeat(way[at : at + 1], count, axis=0), way[at + 1 :], BODY)
        near = np.hypot(*(way[at + 1 :] - way[at]).T) <= longest
        reach = np.flatnonzero(clear & near)
        if not len(reach):
            break
        at += int(reach[-1]) + 1
        if at < last:
            corners.append((float(way[at, 0]), float(way[at, 1])))
    return corners
