"""What many rooms get at last: drapes, furniture along free walls, pictures, plants, lamps."""

from __future__ import annotations

import msgspec

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.lining import line_walls
from vlnscope.worlds.houses.furnish.wall_groups import SHELF_THINGS, dress_walls
from vlnscope.worlds.houses.furnish.windows import dress_windows


class Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a room gets at last.

    Attributes:
        plants: how likely a plant is (a second one is a third as likely).
        art: share of the bare parts of walls that something is hung on.
        lamp: how likely a lamp or a fan hangs from the ceiling (a floor lamp is half as likely).
        drapes: how likely the windows have curtains or blinds.
        line: furniture for walls that are still free.
        per: area for each piece of it, m².
        shelf: what stands on wall shelves.
        heating: how likely radiators hang below the windows.
    """

    plants: float = 0.0
    art: float = 0.0
    lamp: float = 0.0
    drapes: float = 0.0
    line: tuple[str, ...] = ()
    per: float = 8.0
    shelf: tuple[str, ...] = SHELF_THINGS
    heating: float = 0.45

    def carry_out(self, f: Furnisher) -> None:
        """Finish a room."""
        dress_windows(f, self.drapes, self.heating)
        line_walls(f, self.line, per=self.per)
        for chance in (self.plants, self.plants / 3):
            if f.chance(chance):
                f.corner("plant")
        if f.chance(self.lamp / 2):
            f.corner("floor lamp")
        if f.chance(self.lamp):
            f.ceiling_fan() if f.rng.random() < 0.25 else f.ceiling_lamp()
        dress_walls(f, self.art, self.shelf)
