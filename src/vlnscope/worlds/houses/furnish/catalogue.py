"""What objects there are: how large, of which colours and materials, and where people put them.

The numbers lie in ``facts/objects.json``; this module reads them and draws looks (size, colour, material)
that suit the style of a house.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.worlds.houses.plan.plan import XYZ, PlanItem

Place = Literal["wall", "corner", "centre", "surface", "mounted", "ceiling", "cover"]
Range = tuple[float, float]

COLOURS = (
    "white",
    "grey",
    "black",
    "brown",
    "beige",
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
)
"""The colours that objects can have, all of which people name alike."""


class ObjectKind(msgspec.Struct, frozen=True, kw_only=True):
    """A class of objects.

    Attributes:
        width, depth, height: least and greatest size, metres.
        colours, materials: what it comes in.
        stands: where it may be: against a wall, in a corner, in the open (``centre``), on another object
            (``surface``), on a wall (``mounted``), below the ceiling, or flat on the floor (``cover``).
        clear: depth of the floor to keep free in front of it.
        surface: share of its height at which other things stand on it; 0 if nothing does.
    """

    width: Range
    depth: Range
    height: Range
    colours: tuple[str, ...]
    materials: tuple[str, ...]
    stands: tuple[Place, ...]
    clear: float
    surface: float


class Appearance(NamedTuple):
    """How one object looks: its size before turning, its colour and its material."""

    size: XYZ
    colour: str
    material: str


class Palette(NamedTuple):
    """What a style prefers where a class of objects leaves the choice."""

    colours: tuple[str, ...]
    materials: tuple[str, ...]


PALETTES: Mapping[str, Palette] = {
    "plain": Palette(("brown", "beige"), ("wood", "fabric")),
    "modern": Palette(("white", "grey", "black"), ("metal", "glass", "leather")),
    "rustic": Palette(("brown", "beige"), ("wood", "stone", "wicker")),
    "classic": Palette(("brown", "beige", "white"), ("wood", "marble", "leather")),
    "scandinavian": Palette(("white", "beige", "grey"), ("wood", "fabric")),
    "mediterranean": Palette(("white", "beige", "brown"), ("stone", "ceramic", "wicker", "wood")),
    "cottage": Palette(("white", "beige", "brown"), ("wood", "fabric", "wicker")),
    "industrial": Palette(("black", "grey", "brown"), ("metal", "leather", "stone")),
    "colourful": Palette(("white", "grey"), ("plastic", "fabric")),
}
"""Preferences by style of house; a style that is not listed here takes one of these by the house's seed."""


class _Facts(msgspec.Struct):
    about: str
    classes: dict[str, ObjectKind]


@cache
def catalogue() -> Mapping[str, ObjectKind]:
    """Return every class of objects by name, in a fixed order."""
    path = Path(__file__).parents[1] / "facts" / "objects.json"
    return msgspec.json.decode(path.read_bytes(), type=_Facts).classes


def kind(name: str) -> ObjectKind:
    """Return a class by name.

    Raises:
        UnknownNameError: there is no such class; the message suggests the nearest.
    """
    try:
        return catalogue()[name]
    except KeyError:
        raise UnknownNameError("object", name, catalogue()) from None


def surface_height(name: str, size: XYZ) -> float | None:
    """Return how high above its base things stand on an object of this size; None if nothing does.

    Example:
        >>> surface_height("side table", (0.5, 0.5, 0.6)), surface_height("stove", (0.6, 0.6, 0.9))
        (0.6, None)
    """
    share = kind(name).surface
    return round(size[2] * share, 4) if share else None


_ACCENTS: Mapping[str, tuple[str, ...]] = {
    "plain": ("blue", "green", "red"),
    "modern": ("red", "blue", "yellow", "orange"),
    "rustic": ("green", "orange", "red"),
    "classic": ("red", "purple", "blue", "green"),
    "scandinavian": ("blue", "green", "pink", "yellow"),
    "mediterranean": ("blue", "orange", "yellow"),
    "cottage": ("green", "pink", "red", "blue"),
    "industrial": ("orange", "red", "green"),
    "colourful": ("yellow", "pink", "green", "blue", "orange", "purple"),
}
"""Colours of which a house of a style prefers two."""


def palette_of(style: str, rng: np.random.Generator) -> Palette:
    """Return the preferences of a house: the quiet colours of its style and two accents drawn at random.

    A style that is not known stands for one drawn at random.
    """
    names = tuple(PALETTES)
    drawn = names[int(rng.integers(len(names)))]
    known = style if style in PALETTES else drawn
    accents = (str(colour) for colour in rng.choice(_ACCENTS[known], 2, replace=False))
    quiet = PALETTES[known]
    return Palette((*quiet.colours, *accents), quiet.materials)


def draw_look(name: str, rng: np.random.Generator, palette: Palette) -> Appearance:
    """Draw size, colour and material of an object; preferences of the palette count four times."""
    facts = kind(name)
    width, depth, height = (
        round(float(rng.uniform(low, high)), 3 if high < 0.1 else 2)
        for low, high in (facts.width, facts.depth, facts.height)
    )
    if facts.depth == facts.width:  # round or square things
        depth = width
    if facts.height == facts.width:
        height = width
    colour = _prefer(facts.colours, palette.colours, rng)
    material = _prefer(facts.materials, palette.materials, rng)
    return Appearance((width, depth, height), colour, material)


def look_of(item: PlanItem) -> Appearance:
    """Return how an object looks, to make another one like it."""
    return Appearance(item.size, item.colour, item.material)


def _prefer(choices: tuple[str, ...], preferred: tuple[str, ...], rng: np.random.Generator) -> str:
    left = float(rng.random()) * sum(4 if choice in preferred else 1 for choice in choices)
    for choice in choices:
        left -= 4 if choice in preferred else 1
        if left < 0:
            return choice
    return choices[-1]
