"""Turning: houses are drawn facing south; in the end they are mirrored and turned at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vlnscope.worlds.houses.layout.draft import HouseDraft
from vlnscope.worlds.houses.plan.plan import XY, XYZ


@dataclass(frozen=True)
class Turn:
    """Moves the middle of the house to the origin, mirrors x and y, then perhaps exchanges them."""

    middle: XY
    mirror: tuple[int, int]
    exchange: bool

    def point(self, point: XY) -> XY:
        """Turn a point."""
        x = round((point[0] - self.middle[0]) * self.mirror[0], 3) + 0.0
        y = round((point[1] - self.middle[1]) * self.mirror[1], 3) + 0.0
        return (y, x) if self.exchange else (x, y)

    def lifted(self, point: XYZ) -> XYZ:
        """Turn a point in space."""
        return (*self.point((point[0], point[1])), point[2])

    def axis(self, axis: Literal["x", "y"]) -> Literal["x", "y"]:
        """Turn a direction."""
        if not self.exchange:
            return axis
        return "y" if axis == "x" else "x"


def make_turn(rng: np.random.Generator, draft: HouseDraft) -> Turn:
    """Draw how a house is turned."""
    bounds = np.asarray([space.bounds for space in draft.spaces])
    middle = (bounds[:, :2].min(axis=0) + bounds[:, 2:].max(axis=0)) / 2
    mirror = (int(rng.choice([-1, 1])), int(rng.choice([-1, 1])))
    return Turn((round(float(middle[0]), 1), round(float(middle[1]), 1)), mirror, bool(rng.random() < 0.5))
