"""Kinds of buildings: what a seed makes of a house before it has measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vlnscope.worlds.houses.plan.plan import XY

WEST, EAST, SOUTH = (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0)

Shape = Literal["bar", "wing", "u"]
Void = Literal["", "gallery", "zone"]

_TOWNHOUSE_FLOOR = 76.0
"""Area of one storey of a townhouse that its number of storeys is chosen for, in square metres."""


@dataclass(frozen=True)
class BuildingKind:
    """What kind of building a house is.

    Attributes:
        name: one of `plan.BUILDINGS`.
        floors: how many storeys it has.
        blind: the directions, facing south, to which it has no windows, because neighbours adjoin.
        front: the direction that its front door looks to.
        shape: a straight bar, one with a wing across its end, or two arms around a court.
        void: which ground floor rooms are open to the floor above: none, the living room below a gallery
            (``gallery``), or the whole open plan (``zone``).
        rows: whether a long corridor runs through its top storey, with rows of rooms on both sides.
        attic: whether the ceilings of the top storey slope.
        ground: elevation of the ground around it.
    """

    name: str
    floors: int
    blind: tuple[XY, ...] = ()
    front: XY = SOUTH
    shape: Shape = "bar"
    void: Void = ""
    rows: bool = False
    attic: bool = False
    ground: float = 0.0

    def rows_on(self, floor: int) -> bool:
        """Return whether rooms stand in rows along a corridor on a floor."""
        return self.rows and floor == self.floors - 1


def choose_building(rng: np.random.Generator, views: float, area: float) -> BuildingKind:
    """Draw the kind of a building for a number of viewpoints and the floor area that they stand for."""
    chances = {1: 0.33, 2: 0.50, 3: 0.17}
    if views > 120:
        chances = {1: 0.0, 2: 0.66, 3: 0.34}
    elif views < 55:
        chances = {1: 0.46, 2: 0.50, 3: 0.04}
    floors = int(rng.choice(list(chances), p=list(chances.values())))
    kind, ends = float(rng.random()), float(rng.random())
    if floors == 1 and views < 110 and kind < 0.45:
        blind = (EAST, WEST) if ends < 0.6 else (EAST,)
        storeys = int(rng.integers(1, 9))
        return BuildingKind("apartment", 1, blind, EAST, ground=round(-2.9 * storeys, 2))
    if floors > 1 and views < 90 and kind < 0.28:
        floors = min(max(round(area / _TOWNHOUSE_FLOOR), 2), 4)
        return BuildingKind("townhouse", floors, (WEST, EAST), attic=ends < 0.5)
    if floors > 1 and 40 < views < 90 and kind < 0.40:
        return BuildingKind("loft", 2, void="zone")
    return _detached(rng, floors, area / floors)


def _detached(rng: np.random.Generator, floors: int, storey: float) -> BuildingKind:
    shape: Shape = "bar"
    rows = storey > (132 if floors > 1 else 210) and rng.random() < 0.42
    if not rows and storey > 150:
        shape = ("bar", "wing", "wing", "u")[int(rng.integers(4))]
    void: Void = "gallery" if floors > 1 and shape != "u" and rng.random() < 0.25 else ""
    attic = floors > 1 and rng.random() < 0.3
    name = "courtyard" if shape == "u" and rng.random() < 0.6 else "detached"
    return BuildingKind(name, floors, shape=shape, void=void, rows=rows, attic=attic)
