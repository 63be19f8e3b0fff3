"""Finishes: the style of a house, what its floors are made of and how its walls are painted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STYLES: dict[str, tuple[str, ...]] = {
    "modern": ("white", "light grey", "sky blue"),
    "classic": ("cream", "sand", "sage"),
    "rustic": ("ivory", "beige", "peach"),
    "scandinavian": ("white", "ivory", "mint"),
    "mediterranean": ("white", "peach", "light yellow"),
    "cottage": ("cream", "mint", "lavender"),
}
"""Colours of the walls by style: most rooms, some rooms, few rooms."""

_WET = ("a", "t", "k", "j", "u", "S")
_SOFT = ("b", "v", "c", "o", "i", "m")


@dataclass(frozen=True)
class Finishes:
    """Materials and colours of one house."""

    style: str
    dry: str
    wet: str
    soft: str
    outside: str
    colours: tuple[str, ...]
    accents: tuple[int, ...]

    def floor_of(self, label: str) -> str:
        """Return what the floor of a room with this label is made of."""
        if label == "x":
            return "grass"
        if label in ("p", "y"):
            return self.outside
        if label == "g":
            return "concrete"
        return self.wet if label in _WET else self.soft if label in _SOFT else self.dry

    def wall_of(self, label: str, number: int) -> str:
        """Return the colour of the walls of a room; corridors and stairs have the main one."""
        if label in ("h", "s", "e", "c", "u", "g", "p", "y", "x"):
            return self.colours[0]
        return self.colours[self.accents[number % len(self.accents)]]


def make_finishes(rng: np.random.Generator) -> Finishes:
    """Draw a style with materials and colours that go with it."""
    style = str(rng.choice(list(STYLES)))
    return Finishes(
        style,
        dry=str(rng.choice(["wood", "wood", "stone" if style == "mediterranean" else "wood", "tile"])),
        wet=str(rng.choice(["tile", "tile", "stone", "marble"])),
        soft=str(rng.choice(["wood", "carpet"])),
        outside=str(rng.choice(["stone", "wood", "tile"])),
        colours=STYLES[style],
        accents=tuple(int(i) for i in rng.choice(3, size=17, p=[0.5, 0.32, 0.18])),
    )
