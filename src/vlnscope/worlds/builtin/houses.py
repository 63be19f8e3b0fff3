"""Houses that vlnscope builds itself, from the seed in their name."""

from __future__ import annotations

from vlnscope.worlds.houses.splits import HouseScenes, is_house
from vlnscope.worlds.houses.version import GENERATOR_VERSION
from vlnscope.worlds.world import World, register_world

register_world(
    World(
        name="houses",
        summary="built-in houses, made from the seed in their name",
        open=lambda scans, root: HouseScenes(scans),
        recognises=is_house,
        generator=GENERATOR_VERSION,
    )
)
