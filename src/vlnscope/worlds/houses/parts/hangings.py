"""Curtains, mirrors and towels."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, Kit, part
from vlnscope.worlds.rendering.mesh import TEXTURES


@part("curtain")
def curtain(k: Kit) -> None:
    """A rod with knobs and two panels of folds, drawn to the sides if it is wide."""
    x, y, z = k.x, k.y, k.z
    rod = z - max(0.02, 0.15 * y)
    k.tube((-x + 0.02, 0, rod), (x - 0.02, 0, rod), min(0.014, 0.3 * y), DARK)
    for side in (-1, 1):
        k.ball((side * (x - 0.02), 0, rod), min(0.024, 0.9 * y), DARK, 6)
    panel = 0.92 * x if x < 0.35 else max(0.3, 0.5 * x)
    spans = [(-panel, panel)] if x < 0.35 else [(-x + 0.03, -x + 0.03 + panel), (x - 0.03 - panel, x - 0.03)]
    for left, right in spans:
        k.add(_folds(left, right, 0.75 * y, 0.0, rod + 0.005), k.main._replace(texture=5))


def _folds(left: float, right: float, deep: float, low: float, high: float) -> shapes.Shape:
    """A hanging cloth with folds, with a front and a back."""
    count = 2 * max(3, round((right - left) / 0.09)) + 1
    outline = [(left + (right - left) * i / (count - 1), deep if i % 2 else -deep) for i in range(count)]
    panels = []
    for (a, b), (c, d) in itertools.pairwise(outline):
        panels.append(shapes.quad((a, b, low), (c, d, low), (c, d, high), (a, b, high)))
        panels.append(
            shapes.quad((c, d + 0.004, low), (a, b + 0.004, low), (a, b + 0.004, high), (c, d + 0.004, high))
        )
    return shapes.together(panels)


_SILVER = Paint(225, 230, 232, TEXTURES.index("mirror"))


@part("mirror")
def framed_mirror(k: Kit) -> None:
    """A rectangular pane in a frame in the main colour."""
    x, y, z = k.x, k.y, k.z
    edge = min(0.06, 0.16 * x, 0.16 * z)
    k.box(-x + 0.5 * edge, x - 0.5 * edge, 0.0, y, 0.5 * edge, z - 0.5 * edge, k.dark)
    k.frame((-x, x), (-0.6 * y, y), (0, z), edge)
    k.frame((-x, x), (-y, -0.6 * y), (0, z), 0.45 * edge, k.light)
    front, (a, b), (low, high) = -0.01 * y, (-x + edge, x - edge), (edge, z - edge)
    k.add(shapes.quad((a, front, low), (b, front, low), (b, front, high), (a, front, high)), _SILVER)


def _outline(k: Kit, kind: str, grow: float) -> list[tuple[float, float]]:
    """The outline (x, z) of an oval or of an arched pane, shrunk to a share about its middle."""
    turns = [math.tau * i / 32 for i in range(32)]
    if kind == "oval":
        points = [(math.cos(a), math.sin(a)) for a in turns]
    else:
        arch = [(math.cos(a), math.sin(a)) for a in (math.pi * i / 16 for i in range(17))]
        rise = min(0.9, k.x / k.z * 2)
        points = [(px, 1 - rise + rise * pz) for px, pz in arch] + [(-1.0, -1.0), (1.0, -1.0)]
    border = (1.0 - grow) * min(k.x, k.z / 2)
    return [(px * (k.x - border), k.z / 2 + pz * (k.z / 2 - border)) for px, pz in points]


def _shaped_mirror(k: Kit, kind: str) -> None:
    y = k.y
    for grow, front, look in ((1.0, -0.5, k.main), (0.93, -1.0, k.light), (0.86, -1.02, _SILVER)):
        plate = shapes.prism(_outline(k, kind, grow), -y, -front * y)
        k.add(shapes.facing_front(plate), look)


@part("mirror")
def oval_mirror(k: Kit) -> None:
    """An oval or round pane in a stepped frame in the main colour."""
    _shaped_mirror(k, "oval")


@part("mirror")
def arched_mirror(k: Kit) -> None:
    """A pane with an arch at its top in a stepped frame in the main colour."""
    _shaped_mirror(k, "arch")


@part("towel")
def towel(k: Kit) -> None:
    """On a wall, hung over a bar with its ends at unequal heights; else a folded stack."""
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=5)
    stripe = shade(look, 1.5) if sum(look[:3]) < 520 else shade(look, 0.7)
    if not k.item.mounted:
        for i in range(3):
            tone = (look, stripe, shade(look, 0.85))[i]
            k.soft(
                -x * (1 - 0.03 * i), x * (1 - 0.03 * i), -y, y, i * z / 3, (i + 1) * z / 3 - 0.002, 0.02, tone
            )
        return
    bar = z - max(0.25 * y, 0.015)
    k.tube((-x, 0, bar), (x, 0, bar), max(0.16 * y, 0.008), CHROME)
    for side in (-1, 1):
        end = side * (x - 0.012)
        k.box(end - 0.012, end + 0.012, -0.2 * y, y, bar - 0.025, bar + 0.012, CHROME)
    wide = 0.86 * x
    k.soft(-wide, wide, -y, -0.45 * y, 0.0, bar + 0.012, 0.01, look)
    k.soft(-wide, wide, -0.45 * y, 0.55 * y, bar - 0.004, bar + 0.016, 0.006, look)
    k.soft(-wide, wide, 0.4 * y, 0.85 * y, 0.3 * z, bar + 0.008, 0.01, shade(look, 0.85))
    for low in (0.1, 0.17):
        k.box(-wide, wide, -y - 0.003, -y, low * z, (low + 0.035) * z, stripe)
