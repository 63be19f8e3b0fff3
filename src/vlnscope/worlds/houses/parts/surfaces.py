"""Looks of usual surfaces: colour and texture together, and textures by name."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, Rgb
from vlnscope.worlds.rendering.mesh import TEXTURES


def surface(name: str) -> int:
    """Return the number of a texture by its name in `TEXTURES`."""
    return TEXTURES.index(name)


def looking(colour: Rgb | Paint, name: str) -> Paint:
    """Return a colour (or the colour of a paint) with the texture of a name."""
    return Paint(*colour[:3], surface(name))
