"""When a house is seen: the hour, the clouds, where north is, and whether the lamps are on."""

from __future__ import annotations

from vlnscope.core.files import digest
from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.plan.plan import Daylight, FloorPlan
from vlnscope.worlds.rendering.light.sky import Sky, sky_at

EVENING = 0.2
"""Share of houses that are seen after sunset with their lamps on."""
_DULL = 0.25


def daylight_of(seed: int) -> Daylight:
    """Return when the house of a seed is seen: mostly by day, else in the evening with lamps on."""
    chance = rng_for(seed, "daylight")
    evening = bool(chance.random() < EVENING)
    hour = chance.uniform(18.6, 21.5) if evening else chance.uniform(8.0, 17.5)
    cover = chance.uniform(0.75, 1.0) if chance.random() < _DULL else chance.uniform(0.0, 0.45)
    return Daylight(
        hour=round(float(hour), 2),
        cover=round(float(cover), 2),
        north=round(float(chance.uniform(0.0, 360.0)), 1),
        lamps=evening,
    )


def sky_of(plan: FloorPlan) -> Sky:
    """Return the sky over a house; the shapes of its clouds belong to the house's id."""
    light = plan.daylight or Daylight()
    return sky_at(light.hour, light.cover, light.north, int(digest(plan.id.encode())[:8], 16))


def lamps_on(plan: FloorPlan) -> bool:
    """Return whether the lamps of a house are on."""
    return plan.daylight is not None and plan.daylight.lamps
