"""Finishes: the style of a house, what its floors are made of and what its walls look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

Choices = tuple[str, ...]


class HouseStyle(NamedTuple):
    """What a style of house chooses from; what is named twice is taken twice as often.

    Attributes:
        schemes: colours of walls that go together: of most rooms, of some, of few.
        dry: floors of living rooms and corridors.
        wet: floors of kitchens and bathrooms.
        soft: floors of bedrooms and studies.
        papers: coverings of the walls of living rooms, dining rooms, bedrooms and studies.
    """

    schemes: tuple[Choices, ...]
    dry: Choices
    wet: Choices
    soft: Choices
    papers: Choices


STYLES: Mapping[str, HouseStyle] = {
    "modern": HouseStyle(
        schemes=(
            ("white", "dove grey", "dusty blue"),
            ("white", "mist", "taupe"),
            ("chalk", "dove grey", "moss"),
        ),
        dry=("oak", "wood", "laminate", "concrete", "tile"),
        wet=("tile", "marble", "slate"),
        soft=("oak", "laminate", "carpet"),
        papers=("plaster", "plaster", "plaster", "concrete", "wallpaper stripes"),
    ),
    "classic": HouseStyle(
        schemes=(
            ("cream", "linen", "pale sage"),
            ("linen", "straw", "taupe"),
            ("chalk", "pale blue", "blush"),
        ),
        dry=("parquet", "parquet", "walnut", "marble"),
        wet=("marble", "tile", "hexagon tiles"),
        soft=("parquet", "carpet", "wool"),
        papers=("plaster", "panelling", "wallpaper damask", "wallpaper stripes"),
    ),
    "rustic": HouseStyle(
        schemes=(("ivory", "linen", "straw"), ("cream", "taupe", "moss"), ("ivory", "sand", "blush")),
        dry=("wood", "walnut", "stone", "terracotta"),
        wet=("stone", "terracotta", "slate"),
        soft=("wood", "pine"),
        papers=("plaster", "plaster", "brick", "wood", "stone"),
    ),
    "scandinavian": HouseStyle(
        schemes=(
            ("white", "mist", "pale blue"),
            ("chalk", "white", "pale sage"),
            ("white", "linen", "blush"),
        ),
        dry=("pine", "oak", "laminate"),
        wet=("tile", "hexagon tiles"),
        soft=("pine", "oak", "wool"),
        papers=("plaster", "plaster", "plaster", "wallpaper floral", "wood"),
    ),
    "mediterranean": HouseStyle(
        schemes=(("chalk", "straw", "peach"), ("ivory", "blush", "powder blue"), ("white", "cream", "sand")),
        dry=("terracotta", "stone", "tile", "wood"),
        wet=("terracotta", "mosaic", "stone"),
        soft=("terracotta", "wood"),
        papers=("plaster", "plaster", "plaster", "brick"),
    ),
    "cottage": HouseStyle(
        schemes=(
            ("cream", "pale sage", "blush"),
            ("linen", "pale blue", "straw"),
            ("ivory", "blush", "sage"),
        ),
        dry=("pine", "wood", "oak"),
        wet=("hexagon tiles", "tile", "brick"),
        soft=("pine", "carpet"),
        papers=("plaster", "wallpaper floral", "wallpaper stripes", "panelling"),
    ),
    "industrial": HouseStyle(
        schemes=(("chalk", "dove grey", "taupe"), ("dove grey", "white", "terracotta")),
        dry=("concrete", "walnut", "wood"),
        wet=("concrete", "slate", "hexagon tiles"),
        soft=("walnut", "concrete"),
        papers=("plaster", "plaster", "brick", "concrete"),
    ),
}
"""What houses are finished with, by their style."""

_WET = ("a", "t", "k", "j", "u", "S")
_SOFT = ("b", "v", "c", "o", "i", "m")
_PLAIN = ("h", "s", "e", "c", "u", "g", "p", "y", "x")
_BATHS = ("a", "t", "S")
_PAPERED = ("b", "d", "f", "l", "n", "i", "o", "r", "v")
_BARE = {"brick": ("terracotta", "white"), "wood": ("oak", "sand")}
_DRAWN = 17
"""How many rooms have choices of their own; later ones repeat them."""


@dataclass(frozen=True)
class Finishes:
    """Materials and colours of one house.

    Attributes:
        style: a key of `STYLES`.
        dry, wet, soft, outside: materials of its floors.
        bath: what covers the walls of its bathrooms.
        paper: what covers some walls of other rooms.
        colours: of walls: main, second and accent.
        accents: which colour each room has.
        papered: which rooms have `paper`.
    """

    style: str
    dry: str
    wet: str
    soft: str
    outside: str
    bath: str
    paper: str
    colours: tuple[str, ...]
    accents: tuple[int, ...]
    papered: tuple[bool, ...]

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
        covering, plain = self.covering_of(label, number), self.accents[number % _DRAWN] == 0
        if covering in _BARE:
            return _BARE[covering][plain]
        if label in _PLAIN:
            return self.colours[0]
        return self.colours[self.accents[number % _DRAWN]]

    def covering_of(self, label: str, number: int) -> str:
        """Return what covers the walls of a room: tiles in baths, else plaster, paper, panels or brick."""
        if label in _BATHS:
            return self.bath
        if label == "g":
            return "concrete"
        if label == "k":
            return "metro tiles" if self.papered[0] else "plaster"
        if label in ("h", "e") and self.paper == "panelling":
            return "panelling"
        return self.paper if label in _PAPERED and self.papered[number % _DRAWN] else "plaster"


def make_finishes(rng: np.random.Generator) -> Finishes:
    """Draw a style with materials and colours that go with it."""
    name = str(rng.choice(list(STYLES)))
    style = STYLES[name]
    return Finishes(
        name,
        dry=str(rng.choice(style.dry)),
        wet=str(rng.choice(style.wet)),
        soft=str(rng.choice(style.soft)),
        outside=str(rng.choice(["stone", "deck", "paving", "tile"])),
        bath=str(rng.choice(["metro tiles", "metro tiles", "tile", "mosaic"])),
        paper=str(rng.choice(style.papers)),
        colours=style.schemes[int(rng.integers(len(style.schemes)))],
        accents=tuple(int(i) for i in rng.choice(3, size=_DRAWN, p=[0.5, 0.32, 0.18])),
        papered=tuple(bool(chance < 0.45) for chance in rng.random(_DRAWN)),
    )
