"""What colours and materials look like: names to red, green, blue and to procedural textures."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from vlnscope.core.exceptions import InputError
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
    "peach": (238, 196, 164), "violet": (128, 84, 164), "burgundy": (112, 30, 44), "sand": (216, 200, 164),
}  # fmt: skip
"""Red, green and blue of every colour that a plan may name."""

COLOURS["gray"] = COLOURS["grey"]

_MATERIALS = {
    "wood": "wood", "oak": "wood", "walnut": "wood", "pine": "wood", "bamboo": "wood", "wicker": "fabric",
    "rattan": "fabric", "parquet": "planks", "laminate": "planks", "planks": "planks", "deck": "planks",
    "tile": "tiles", "tiles": "tiles", "carpet": "carpet", "wool": "carpet", "fabric": "fabric",
    "linen": "fabric", "cotton": "fabric", "velvet": "fabric", "canvas": "fabric", "cloth": "fabric",
    "plush": "carpet", "brick": "brick", "stone": "stone", "concrete": "stone", "slate": "stone",
    "gravel": "stone", "granite": "marble", "marble": "marble", "grass": "grass", "leaves": "leaves",
    "leaf": "leaves",
}  # fmt: skip

_FLOORS: dict[str, Rgb] = {
    "wood": (168, 124, 82), "parquet": (150, 104, 64), "oak": (186, 146, 100), "walnut": (112, 76, 52),
    "tile": (206, 202, 194), "tiles": (206, 202, 194), "carpet": (186, 174, 158), "stone": (164, 160, 152),
    "concrete": (150, 150, 148), "marble": (226, 222, 216), "grass": (98, 144, 70), "deck": (150, 116, 84),
    "brick": (158, 92, 72), "slate": (110, 114, 120), "gravel": (168, 160, 148), "laminate": (196, 168, 130),
}  # fmt: skip
_PLANKED = ("wood", "oak", "walnut", "pine", "bamboo")
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


class Paint(NamedTuple):
    """How a face looks: red, green, blue and the number of its texture."""

    red: int
    green: int
    blue: int
    texture: int = 0


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
    """Return the number (in `TEXTURES`) of the texture of a material; one that is not known is plain."""
    return TEXTURES.index(_MATERIALS.get(material.strip().lower(), "plain"))


def paint(colour: str, material: str = "plastic") -> Paint:
    """Return how a thing of a colour and a material looks."""
    return Paint(*rgb(colour), texture(material))


def floor_paint(material: str) -> Paint:
    """Return how a floor of this material looks; one that is not known is grey and plain."""
    plain = material.strip().lower()
    look = "planks" if plain in _PLANKED else _MATERIALS.get(plain, "plain")
    return Paint(*_FLOORS.get(plain, (170, 166, 160)), TEXTURES.index(look))


def shade(look: Paint, factor: float) -> Paint:
    """Return the paint darker (factor < 1) or nearer to white (factor > 1; 2 is white)."""

    def tone(value: int) -> int:
        changed = value * factor if factor <= 1 else value + (255 - value) * (factor - 1)
        return max(0, min(255, round(changed)))

    return Paint(tone(look.red), tone(look.green), tone(look.blue), look.texture)


def plain(look: Paint) -> Paint:
    """Return the paint without texture."""
    return look._replace(texture=0)
