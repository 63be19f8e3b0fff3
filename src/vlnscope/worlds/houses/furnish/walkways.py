"""Ways through a room: whether a person can still get from every door to every other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy import ndimage

from vlnscope.types import Flags
from vlnscope.worlds.houses.furnish.boxes import Box
from vlnscope.worlds.houses.furnish.room import RoomSpace, Zone
from vlnscope.worlds.houses.plan.polygons import sides

PERSON = 0.2
"""Radius of a person."""


class Walkways:
    """The floor that a person's middle may be over, as a grid; obstacles are added one by one.

    Obstacles grow by the radius in both directions, so a way that is found is at least as wide as the person.

    Attributes:
        radius: of the person.
        free: which cells a person's middle may be over; replaced, not changed, by `try_block`.
        joined: whether all doors are joined to each other now.
    """

    def __init__(self, space: RoomSpace, radius: float = PERSON, cell: float = 0.05) -> None:
        self.radius = radius
        self._cell = cell
        across, along = zip(*space.room.polygon, strict=True)
        self._x, self._y = min(across), min(along)
        shape = (round((max(across) - self._x) / cell) + 1, round((max(along) - self._y) / cell) + 1)
        self.free = _indoors(space, self._x, self._y, shape, cell)
        for box in (*space.slabs, *space.stairs):
            self.free[self._slice(box)] = False
        self._floor = max(int(self.free.sum()), 1)
        targets = [self._target(zone) for zone in space.doors]
        self._targets = [t for t in targets if t is not None]
        self.joined = len(self._targets) == len(targets) and self._fine(self.free, 0.0)

    def block(self, boxes: Iterable[Box]) -> None:
        """Put obstacles in, whatever they cut off."""
        for box in boxes:
            self.free[self._slice(box)] = False
        self.joined = self._fine(self.free, 0.0)

    def try_block(self, box: Box, share: float = 0.85) -> bool:
        """Put an obstacle in unless it parts the doors, or cuts off more than ``1 - share`` of the floor."""
        free = self.free.copy()
        free[self._slice(box)] = False
        if not self._fine(free, share):
            return False
        self.free = free
        return True

    def _fine(self, free: Flags, share: float) -> bool:
        parts, count = ndimage.label(free)
        if not count:
            return not self._targets and share == 0.0
        labels = [int(parts[t]) for t in self._targets]
        if 0 in labels or len(set(labels)) > 1:
            return False
        if share == 0.0:
            return True
        sizes = np.bincount(parts.ravel())[1:]
        reached = int(sizes[labels[0] - 1]) if labels else int(sizes.max())
        return reached >= share * int(sizes.sum()) and reached >= 0.2 * self._floor

    def _slice(self, box: Box) -> tuple[slice, slice]:
        grow, cell = self.radius - 1e-6, self._cell
        x0, x1 = (box.x0 - grow - self._x) / cell, (box.x1 + grow - self._x) / cell
        y0, y1 = (box.y0 - grow - self._y) / cell, (box.y1 + grow - self._y) / cell
        return _between(x0, x1), _between(y0, y1)

    def _target(self, zone: Zone) -> tuple[int, int] | None:
        """Return the free cell in front of a door that is nearest to the middle of what stays free there."""
        box, cell = zone.box, self._cell
        rows = _between((box.x0 - self._x) / cell, (box.x1 - self._x) / cell)
        columns = _between((box.y0 - self._y) / cell, (box.y1 - self._y) / cell)
        cells = np.argwhere(self.free[rows, columns])
        if not len(cells):
            return None
        cells = cells + np.array([rows.start, columns.start])
        aim = (np.array(zone.middle) - np.array([self._x, self._y])) / cell
        best = cells[int(np.argmin(((cells - aim) ** 2).sum(axis=1)))]
        return int(best[0]), int(best[1])


def _between(low: float, high: float) -> slice:
    return slice(max(int(np.ceil(low)), 0), max(int(np.floor(high)) + 1, 0))


def _indoors(space: RoomSpace, x: float, y: float, shape: tuple[int, int], cell: float) -> Flags:
    """Return which points of the grid lie in the polygon (even-odd rule)."""
    across = x + cell * np.arange(shape[0])[:, None]
    along = y + cell * np.arange(shape[1])[None, :] + 1e-9
    odd = np.zeros(shape, dtype=np.bool_)
    for (ax, ay), (bx, by) in sides(space.room.polygon):
        if ax == bx:
            odd ^= ((ay > along) != (by > along)) & (across < ax)
    return odd
