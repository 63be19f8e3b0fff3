"""Rugs."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import Kit, part
from vlnscope.worlds.rendering.mesh import TEXTURES
from vlnscope.worlds.rendering.pictures.gallery import DrawnImage, picture

_CARPET = TEXTURES.index("carpet")
_FRINGE = Paint(226, 218, 200, TEXTURES.index("fabric"))
_PIXELS = 208


def _woven(k: Kit, *kinds: str) -> DrawnImage:
    """A pattern in the item's colour."""
    kind = kinds[int(k.rng.integers(len(kinds)))]
    return picture(kind, k.identity, round(2 * k.x, 2), round(2 * k.y, 2), k.main[:3], _PIXELS)


@part("rug")
def fringed_rug(k: Kit) -> None:
    """A knotted or woven rug with fringes at its two ends."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    look, fringe = k.main._replace(texture=_CARPET), min(0.06, 0.05 * x)
    k.box(-x + fringe, x - fringe, -y, y, 0, 0.9 * z, shade(look, 0.8))
    top = [(-x + fringe, -y, z), (x - fringe, -y, z), (x - fringe, y, z), (-x + fringe, y, z)]
    k.printed(shapes.quad(*top), _woven(k, "persian", "persian", "kilim"), look, plane="xy")
    count = max(8, min(24, round(2 * y / 0.09)))
    for side in (-1, 1):
        for i in range(count):
            at = -y + (i + 0.5) * 2 * y / count
            a, b = sorted((side * x, side * (x - fringe)))
            low, high = at - 0.35 * y / count, at + 0.35 * y / count
            strand = [(a, low, 0.3 * z), (b, low, 0.3 * z), (b, high, 0.3 * z), (a, high, 0.3 * z)]
            k.add(shapes.quad(*strand), _FRINGE)
    k.box(-x, x, -0.98 * y, 0.98 * y, 0, 0.02 * z, _FRINGE)


@part("rug")
def plain_rug(k: Kit) -> None:
    """A tufted rug with rounded edges: striped, shaggy, with borders or a lattice."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=_CARPET)
    k.soft(-x, x, -y, y, 0, 0.96 * z, 0.4 * z, shade(look, 0.85))
    inset = 0.4 * z
    top = [
        (-x + inset, -y + inset, z),
        (x - inset, -y + inset, z),
        (x - inset, y - inset, z),
        (-x + inset, y - inset, z),
    ]
    image = _woven(k, "striped rug", "shag", "bordered rug", "trellis")
    k.printed(shapes.quad(*top), image, look, plane="xy")


@part("rug")
def round_rug(k: Kit) -> None:
    """An oval or round rug if it is not too long, else a tufted one."""
    if max(k.x, k.y) > 1.5 * min(k.x, k.y):
        plain_rug(k)
        return
    look = k.main._replace(texture=_CARPET)
    rim = shapes.stretched(shapes.cylinder(1.0, 0, 0.95 * k.z, 28), k.x, k.y)
    k.add(rim, shade(look, 0.8))
    top = shapes.stretched(shapes.cylinder(0.995, 0.5 * k.z, k.z, 28), k.x, k.y)
    k.printed(top, _woven(k, "shag", "trellis", "rings"), look, plane="xy")
