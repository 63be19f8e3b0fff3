"""What colours and materials look like: names to red, green, blue and to textures."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.rendering.mesh import TEXTURES

Rgb = tuple[int, int, int]

COLOURS: dict[str, Rgb] = {
    "white": (236, 234, 228), "cream": (235, 224, 196), "beige": (214, 196, 163), "tan": (196, 162, 116),
    "grey": (138, 140, 143), "silver": (186, 190, 194), "charcoal": (70, 72, 76), "black": (38, 38, 41),
    "brown": (124, 82, 48), "oak": (178, 132, 82), "walnut": (92, 60, 38), "red": (182, 44, 40),
    "maroon": (116, 30, 40), "orange": (224, 126, 40), "yellow": (230, 192, 60), "gold": (204, 160, 66),
    "olive": (124, 124, 62), "green": (66, 130, 72), "teal": (40, 128, 128), "turquoise": (72, 178, 176),
    "blue": (52, 92, 168), "navy": (38, 50, 96), "purple": (112, 66, 142), "lavender": (172, 156, 206),
    "pink": (224, 150, 168), "coral": (228, 118, 98), "sage": (158, 174, 142), "mint": (168, 210, 184),
    "ivory": (240, 234, 214), "bronze": (140, 104, 62), "copper": (184, 112, 74), "sky blue": (156, 196, 224),
    "chalk": (232, 232, 226), "linen": (230, 223, 210), "mist": (216, 221, 222), "dove grey": (204, 204, 200),
    "taupe": (186, 174, 160), "pale sage": (208, 215, 198), "pale blue": (208, 218, 225),
    "powder blue": (190, 207, 218), "dusty blue": (134, 156, 176), "blush": (230, 208, 200),
    "straw": (232, 218, 180), "moss": (140, 150, 118), "terracotta": (176, 102, 76),
    "peach": (238, 196, 164), "violet": (128, 84, 164), "burgundy": (112, 30, 44), "sand": (216, 200, 164),
}  # fmt: skip
"""Red, green and blue of every colour that a plan may name."""

COLOURS["gray"] = COLOURS["grey"]


class Paint(NamedTuple):
    """How a face looks: red, green, blue and the number of its texture."""

    red: int
    green: int
    blue: int
    texture: int = 0


_TEXTURE_OF_MATERIAL = {
    "wood": ("wood", "oak", "walnut", "pine", "bamboo"), "thatch": ("wicker", "rattan", "straw"),
    "planks": ("planks", "laminate", "deck"), "parquet": ("parquet",), "tiles": ("tile", "tiles"),
    "metro tiles": ("metro tiles",), "mosaic": ("mosaic",), "hexagon tiles": ("hexagon tiles",),
    "carpet": ("carpet", "wool", "plush"), "fabric": ("fabric", "linen", "cotton", "canvas", "cloth", "felt"),
    "velvet": ("velvet",), "striped fabric": ("striped fabric",), "checked fabric": ("checked fabric",),
    "knit": ("knit",), "leather": ("leather",), "brick": ("brick",), "marble": ("marble", "granite"),
    "concrete": ("stone", "concrete", "slate", "plaster", "clay"), "gravel": ("gravel",),
    "paving": ("paving",), "asphalt": ("asphalt",), "grass": ("grass",), "soil": ("soil",),
    "leaves": ("leaves", "leaf"), "needles": ("needles",), "bark": ("bark",), "water": ("water",),
    "metal": ("metal", "steel", "iron", "brass", "copper", "chrome"), "paper": ("paper", "cardboard"),
    "gloss": ("plastic", "ceramic", "porcelain", "glass", "lacquer"), "plain": ("wax", "rubber", "foam"),
}  # fmt: skip
_MATERIALS = {name: texture for texture, names in _TEXTURE_OF_MATERIAL.items() for name in names}

_FLOORS: dict[str, tuple[Rgb, str]] = {
    "wood": ((168, 124, 82), "planks"),
    "oak": ((186, 146, 100), "planks"), "pine": ((206, 168, 118), "planks"),
    "walnut": ((112, 76, 52), "planks"), "bamboo": ((204, 174, 122), "planks"),
    "laminate": ((190, 170, 146), "planks"), "planks": ((168, 124, 82), "planks"),
    "deck": ((150, 116, 84), "planks"), "parquet": ((158, 112, 70), "parquet"),
    "tile": ((206, 202, 194), "tiles"), "tiles": ((206, 202, 194), "tiles"),
    "terracotta": ((186, 116, 84), "tiles"), "hexagon tiles": ((210, 204, 194), "hexagon tiles"),
    "mosaic": ((150, 172, 176), "mosaic"), "carpet": ((186, 174, 158), "carpet"),
    "wool": ((172, 166, 160), "carpet"),
    "stone": ((164, 160, 152), "stone"), "slate": ((110, 114, 120), "stone"),
    "marble": ((226, 222, 216), "marble"), "granite": ((130, 126, 124), "marble"),
    "concrete": ((150, 150, 148), "concrete"), "brick": ((158, 92, 72), "brick"),
    "paving": ((160, 154, 146), "paving"), "gravel": ((168, 160, 148), "gravel"),
    "asphalt": ((92, 92, 94), "asphalt"), "grass": ((88, 116, 60), "grass"), "soil": ((104, 78, 56), "soil"),
}  # fmt: skip

_WALLS: dict[str, str] = {
    "plaster": "plaster", "wallpaper stripes": "wallpaper stripes", "wallpaper damask": "wallpaper damask",
    "wallpaper floral": "wallpaper floral", "panelling": "painted wood", "metro tiles": "metro tiles",
    "mosaic": "mosaic", "tile": "tiles", "brick": "brick", "concrete": "concrete", "stone": "stone",
    "wood": "planks",
}  # fmt: skip
_HALF_HIGH = {"panelling": 1.0, "metro tiles": 1.5, "mosaic": 1.3, "tile": 2.0}
"""Metres up to which a wall has its material; above it is plaster."""
_TILED = Paint(238, 238, 232)
_WOODEN = ("brown", "beige", "tan", "oak", "walnut", "sand", "bronze", "black", "dark brown", "light brown")
_GREYISH = 24
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def rgb(name: str) -> Rgb:
    """Return red, green and blue (0-255) of a colour.

    Known are the keys of `COLOURS`, each also as ``light …`` or ``dark …``, and ``#rrggbb``.

    Raises:
        InputError: the colour is none of these.

    Example:
        >>> rgb("red"), rgb("#102030")
        ((182, 44, 40), (16, 32, 48))
    """
    plain = name.strip().lower()
    if plain in COLOURS:
        return COLOURS[plain]
    if _HEX.fullmatch(plain):
        return int(plain[1:3], 16), int(plain[3:5], 16), int(plain[5:7], 16)
    tone, _, base = plain.partition(" ")
    if base in COLOURS and tone in ("light", "dark"):
        return shade(Paint(*COLOURS[base]), 1.35 if tone == "light" else 0.6)[:3]
    near = difflib.get_close_matches(plain, COLOURS, n=1)
    raise InputError(
        f"there is no colour called {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
        expected=f"one of {', '.join(sorted(COLOURS))}, or #rrggbb",
        fix="change the colour in the plan",
    )


def texture(material: str) -> int:
    """Return the number (in `TEXTURES`) of the texture of a thing made of this material.

    Raises:
        InputError: the material is not known.
    """
    return TEXTURES.index(_known("material", material, _MATERIALS))


def paint(colour: str, material: str = "plastic") -> Paint:
    """Return how a thing of a colour and a material looks; wood of a colour that no wood has is painted.

    Raises:
        InputError: the colour or the material is not known.
    """
    look = Paint(*rgb(colour), texture(material))
    if TEXTURES[look.texture] == "wood" and colour.strip().lower() not in _WOODEN:
        return look._replace(texture=TEXTURES.index("painted wood"))
    return look


def floor_paint(material: str) -> Paint:
    """Return how a floor of this material looks.

    Raises:
        InputError: no floor is made of it.
    """
    colour, look = _known("floor material", material, _FLOORS)
    return Paint(*colour, TEXTURES.index(look))


def wall_paint(colour: str, material: str = "plaster") -> Paint:
    """Return how a wall of this colour and material looks.

    Raises:
        InputError: the colour is not known, or no wall is covered with the material.
    """
    return Paint(*rgb(colour), TEXTURES.index(_known("wall material", material, _WALLS)))


def wall_bands(colour: str, material: str) -> list[tuple[float, Paint]]:
    """Return how a wall looks from its foot upwards: up to so many metres (or on to infinity) a paint each.

    Tiles and panels end at a height that suits them, with plaster above; tiles are white below a coloured
    wall.
    """
    look = wall_paint(colour, material)
    if material not in _HALF_HIGH:
        return [(math.inf, look)]
    if material != "panelling":
        look = _TILED._replace(texture=look.texture)
    return [(_HALF_HIGH[material], look), (math.inf, wall_paint(colour))]


Known = TypeVar("Known")


def _known(what: str, name: str, table: Mapping[str, Known]) -> Known:
    plain = name.strip().lower()
    if plain in table:
        return table[plain]
    near = difflib.get_close_matches(plain, table, n=1)
    raise InputError(
        f"there is no {what} called {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
        expected=f"one of {', '.join(sorted(table))}",
        fix=f"change the {what} in the plan",
    )


def shade(look: Paint, factor: float) -> Paint:
    """Return the paint darker (factor < 1) or nearer to white (factor > 1; 2 is white)."""

    def tone(value: int) -> int:
        changed = value * factor if factor <= 1 else value + (255 - value) * (factor - 1)
        return max(0, min(255, round(changed)))

    return Paint(tone(look.red), tone(look.green), tone(look.blue), look.texture)


def varied(look: Paint, *keys: str | int) -> Paint:
    """Return the paint a little lighter or darker, warmer or colder, as things of one colour differ.

    Equal keys give equal tones. White, grey and black keep their hue, so that no name of a colour changes.
    """
    rng = rng_for(0, "tone", *keys)
    bright = 1.0 + 0.10 * float(rng.uniform(-1, 1))
    warm = 0.035 * float(rng.uniform(-1, 1))
    grey = max(look[:3]) - min(look[:3]) < _GREYISH
    shift = (1 + warm, 1.0, 1 - warm) if not grey else (1 + 0.3 * warm, 1.0, 1 - 0.3 * warm)
    red, green, blue = (
        max(0, min(255, round(value * bright * turn))) for value, turn in zip(look[:3], shift, strict=True)
    )
    return Paint(red, green, blue, look.texture)


def plain(look: Paint) -> Paint:
    """Return the paint without texture."""
    return look._replace(texture=0)
