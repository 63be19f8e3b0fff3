"""Settings: what kind of place a house stands in, drawn from its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.surroundings.lot import Lot

HIGH = 1.5
"""A lowest floor more than this above the ground lies in a block of flats, metres."""

Span = tuple[float, float]
Far = Literal["houses", "fields", "woods", "sea", "skyline"]
Edge = Literal["hedge", "pickets", "planks", "wall", "none"]


@dataclass(frozen=True)
class Setting:
    """A kind of place.

    Attributes:
        name: what it is called.
        front: metres between the house and the street.
        side: metres between the house and the sides of its lot.
        back: metres between the house and the back of its lot.
        road: width of the street; its surface is asphalt where there are pavements, else gravel.
        pavement: width of the pavements, 0 where there are none.
        edges: what may stand along the lot.
        neighbours: kinds of buildings near by.
        gaps: metres between neighbouring houses; none stand near by where it is (0, 0).
        trees: kinds of trees and how many stand on the lot.
        count: least and most of them.
        far: what is seen beyond the neighbours.
        cars: most parked cars.
    """

    name: str
    front: Span
    side: Span
    back: Span
    road: float
    pavement: float
    edges: tuple[Edge, ...]
    neighbours: tuple[str, ...]
    gaps: Span
    trees: tuple[str, ...]
    count: tuple[int, int]
    far: tuple[Far, ...]
    cars: int


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            name="suburb",
            front=(6, 9),
            side=(4, 7),
            back=(11, 17),
            road=6.5,
            pavement=1.8,
            edges=("hedge", "pickets", "planks"),
            neighbours=("villa", "cube", "villa"),
            gaps=(7, 11),
            trees=("leafy", "birch", "leafy", "conifer"),
            count=(5, 8),
            far=("houses",),
            cars=2,
        ),
        Setting(
            name="village",
            front=(4, 7),
            side=(4, 8),
            back=(10, 16),
            road=5.0,
            pavement=0.0,
            edges=("hedge", "wall", "pickets"),
            neighbours=("cottage", "villa", "cottage", "barn"),
            gaps=(9, 16),
            trees=("leafy", "leafy", "birch"),
            count=(4, 7),
            far=("fields", "houses"),
            cars=1,
        ),
        Setting(
            name="town",
            front=(2.5, 4.5),
            side=(3, 3.5),
            back=(9, 13),
            road=7.0,
            pavement=2.4,
            edges=("wall", "hedge"),
            neighbours=("townhouse",),
            gaps=(0, 0.4),
            trees=("leafy", "birch"),
            count=(2, 4),
            far=("skyline", "houses"),
            cars=3,
        ),
        Setting(
            name="country",
            front=(12, 18),
            side=(10, 16),
            back=(16, 24),
            road=4.0,
            pavement=0.0,
            edges=("none", "planks", "hedge"),
            neighbours=("barn", "cottage"),
            gaps=(40, 70),
            trees=("leafy", "birch", "leafy"),
            count=(6, 9),
            far=("fields",),
            cars=1,
        ),
        Setting(
            name="forest",
            front=(9, 14),
            side=(7, 11),
            back=(10, 15),
            road=4.0,
            pavement=0.0,
            edges=("none", "planks"),
            neighbours=("cottage",),
            gaps=(45, 70),
            trees=("conifer", "birch", "conifer", "leafy"),
            count=(6, 9),
            far=("woods",),
            cars=1,
        ),
        Setting(
            name="seaside",
            front=(6, 9),
            side=(5, 8),
            back=(12, 16),
            road=5.5,
            pavement=1.6,
            edges=("wall", "hedge", "none"),
            neighbours=("cube", "villa"),
            gaps=(9, 14),
            trees=("palm", "cypress", "palm", "leafy"),
            count=(5, 8),
            far=("sea",),
            cars=2,
        ),
        Setting(
            name="city",
            front=(5, 7),
            side=(5, 6),
            back=(14, 18),
            road=8.0,
            pavement=3.0,
            edges=("none",),
            neighbours=("flats",),
            gaps=(9, 14),
            trees=("leafy", "birch"),
            count=(5, 7),
            far=("skyline",),
            cars=3,
        ),
    )
}
"""All settings by name."""

_SHARES = {"suburb": 0.31, "village": 0.19, "town": 0.09, "country": 0.14, "forest": 0.13, "seaside": 0.14}


def setting_of(rng: np.random.Generator, plan: FloorPlan, lot: Lot) -> Setting:
    """Draw the setting of a house; blocks of flats stand in cities, townhouses and lofts in towns."""
    building = getattr(plan, "building", "")
    draw = float(rng.random())
    if is_flat(plan, lot):
        return SETTINGS["city" if draw < 0.85 else "town"]
    if building in ("townhouse", "loft"):
        return SETTINGS["town" if draw < 0.85 else "suburb"]
    shares = dict(_SHARES)
    if plan.style == "mediterranean":
        shares |= {"seaside": 0.45, "forest": 0.02, "suburb": 0.2}
    names, weights = list(shares), np.array(list(shares.values()))
    return SETTINGS[names[int(np.searchsorted(np.cumsum(weights / weights.sum()), draw))]]


def is_flat(plan: FloorPlan, lot: Lot) -> bool:
    """Return whether a house is a flat in a larger building."""
    lowest = min(floor.elevation for floor in plan.floors)
    return lowest - lot.ground > HIGH or getattr(plan, "building", "") == "apartment"


def trees_of(setting: Setting, style: str) -> tuple[str, ...]:
    """Return the kinds of trees of a setting; around mediterranean houses grow palms and cypresses."""
    south = style == "mediterranean" and setting.name != "forest"
    return ("cypress", "palm", "leafy", "cypress") if south else setting.trees
