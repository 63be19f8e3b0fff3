"""Viewpoints that came too close to each other: one of two goes, or moves, and no way is lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from vlnscope.types import Flags, Floats
from vlnscope.worlds.houses.graph.edges import FARTHEST, components, seen_pairs
from vlnscope.worlds.houses.graph.obstacles import BODY, Obstacles
from vlnscope.worlds.houses.graph.viewpoint_spots import APART, ViewpointSpot
from vlnscope.worlds.houses.plan.plan import FloorPlan

_STEP = 0.1
_REACH = 0.8
_CLEAR = BODY + 0.03


def spread_out(
    plan: FloorPlan, ground: Obstacles, spots: Sequence[ViewpointSpot], fixed: int
) -> list[ViewpointSpot]:
    """Return the spots of a storey, no two of them closer than `APART` where that can be had.

    Of two that are too close, one is left out if its neighbours can get to each other without it and its room
    has others; else one moves aside, to where its neighbours get to it and to each other. Both depend on
    what is near them only.

    Args:
        plan: the house.
        ground: its storey.
        spots: all spots of the storey.
        fixed: how many of them, from the first on, stay where they are.
    """
    crowd = _Crowd(plan, ground, spots, fixed)
    while (pair := crowd.closest()) is not None:
        crowd.part(*pair)
    return crowd.left()


class _Crowd:
    def __init__(
        self, plan: FloorPlan, ground: Obstacles, spots: Sequence[ViewpointSpot], fixed: int
    ) -> None:
        self.plan, self.ground, self.fixed = plan, ground, fixed
        self.spots = list(spots)
        self.places: Floats = np.array([spot.place[:2] for spot in spots], dtype=np.float64).reshape(-1, 2)
        self.seen: Flags = seen_pairs(self.places, ground)
        self.alive: Flags = np.ones(len(spots), dtype=np.bool_)
        steps = self.places[:, None] - self.places[None]
        self.far: Floats = np.hypot(steps[..., 0], steps[..., 1])
        np.fill_diagonal(self.far, np.inf)
        self.given_up: set[tuple[int, int]] = set()

    def left(self) -> list[ViewpointSpot]:
        return [spot for spot, alive in zip(self.spots, self.alive.tolist(), strict=True) if alive]

    def closest(self) -> tuple[int, int] | None:
        """Return the two that are closest to each other, if they are too close."""
        pairs = np.argwhere(np.triu(self.far < APART - 1e-6))
        near = [
            (float(self.far[i, j]), i, j)
            for i, j in pairs.tolist()
            if self.alive[i] and self.alive[j] and (i, j) not in self.given_up
        ]
        return min(near)[1:] if near else None

    def part(self, i: int, j: int) -> None:
        """Leave out or move one of two spots."""
        for gone, kept in ((j, i), (i, j)):
            if self._spare(gone, kept):
                self.alive[gone] = False
                return
        for one in (j, i):
            if one >= self.fixed and self._move(one):
                return
        self.given_up.add((i, j))

    def _spare(self, gone: int, kept: int) -> bool:
        """Whether nobody misses a spot: its room has others, and its neighbours do not need it."""
        room = self.spots[gone].room
        others = sum(1 for k in np.flatnonzero(self.alive).tolist() if self.spots[k].room == room)
        if gone < self.fixed or others < 2:
            return False
        around = np.flatnonzero(self.seen[gone] & self.alive).tolist()
        group = [kept, *(k for k in around if k not in (kept, gone))]
        parts = components(self.seen[np.ix_(group, group)])
        return bool((parts == parts[0]).all())

    def _move(self, one: int) -> bool:
        """Move a spot aside; return whether there is a place for it."""
        around = np.flatnonzero(self.seen[one] & self.alive)
        goals = self.places[around]
        joined = np.zeros((len(around) + 1, len(around) + 1), dtype=np.bool_)
        joined[1:, 1:] = self.seen[np.ix_(around, around)]
        for place in self._options(one):
            near = np.hypot(*(goals - place).T) <= FARTHEST
            joined[0, 1:] = near & self.ground.clear(np.broadcast_to(place, goals.shape), goals)
            joined[1:, 0] = joined[0, 1:]
            parts = components(joined)
            if (parts == parts[0]).all():
                self._put(one, place)
                return True
        return False

    def _options(self, one: int) -> Floats:
        """Return the places near a spot, in its room and away from solids and other spots, nearest first."""
        steps = np.arange(-_REACH, _REACH + 1e-9, _STEP)
        shifts = np.stack([grid.ravel() for grid in np.meshgrid(steps, steps)], axis=1)
        shifts = shifts[np.argsort(np.hypot(*shifts.T), kind="stable")]
        options = np.round(self.places[one] + shifts, 3)
        room = shapely.Polygon(self.plan.rooms[self.spots[one].room].polygon)
        others = self.places[self.alive & (np.arange(len(self.spots)) != one)]
        apart = np.hypot(*(options[:, None] - others[None]).transpose(2, 0, 1)).min(axis=1) >= APART
        options = options[apart & shapely.intersects_xy(room, options)]
        roomy: Floats = options[self.ground.clearance(options) >= _CLEAR]
        return roomy

    def _put(self, one: int, place: Floats) -> None:
        self.places[one] = place
        spot = self.spots[one]
        self.spots[one] = spot._replace(place=(float(place[0]), float(place[1]), spot.place[2]))
        self.far[one] = self.far[:, one] = np.hypot(*(self.places - place).T)
        self.far[one, one] = np.inf
        self.seen = seen_pairs(self.places, self.ground)
