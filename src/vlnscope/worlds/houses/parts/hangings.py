"""Curtains, mirrors and towels."""

from __future__ import annotations

import itertools
import math

import numpy as np

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, CHROME, DARK, Kit, part
from vlnscope.worlds.rendering.mesh import TEXTURES


def _cloth(k: Kit) -> Paint:
    """Plain, striped or velvet cloth of the main colour."""
    kinds = ("fabric", "fabric", "velvet", "striped fabric")
    return k.main._replace(texture=TEXTURES.index(kinds[int(k.rng.integers(len(kinds)))]))


def _folds(
    left: float, right: float, deep: float, low: float, high: float, gather: float = 1.0
) -> shapes.Shape:
    """A hanging cloth with folds; near its middle it is drawn in to a share of its width."""
    count = 2 * max(3, round((right - left) / 0.09)) + 1
    middle = left if gather < 1.0 and left < 0 else right if gather < 1.0 else (left + right) / 2
    levels = ((low, 1.0), (low + 0.4 * (high - low), gather), (high, 1.0))
    points = []
    for z, share in levels:
        for i in range(count):
            x = left + (right - left) * i / (count - 1)
            points.append((middle + (x - middle) * share, deep * (1 if i % 2 else -1), z))
    faces = []
    for row in range(2):
        for i in range(count - 1):
            a, b = row * count + i, (row + 1) * count + i
            faces += [(a, a + 1, b + 1), (a, b + 1, b)]
    return np.array(points), np.array(faces, dtype=np.int32)


def _rod(k: Kit, look: Paint) -> float:
    """Add a rod with knobs and return its height."""
    height = k.z - max(0.02, 0.15 * k.y)
    k.tube((-k.x + 0.02, 0, height), (k.x - 0.02, 0, height), min(0.014, 0.3 * k.y), look)
    for side in (-1, 1):
        k.ball((side * (k.x - 0.02), 0, height), min(0.024, 0.9 * k.y), look, 6)
    return height


def _spans(k: Kit, share: float) -> list[tuple[float, float]]:
    """Where the panels hang: one over the whole width if it is narrow, else one at each side."""
    if k.x < 0.35:
        return [(-0.92 * k.x, 0.92 * k.x)]
    panel = max(0.3, share * k.x)
    return [(-k.x + 0.03, -k.x + 0.03 + panel), (k.x - 0.03 - panel, k.x - 0.03)]


@part("curtain")
def hanging_curtain(k: Kit) -> None:
    """A rod with knobs and two panels of folds, drawn to the sides if it is wide."""
    rod, cloth = _rod(k, DARK), _cloth(k)
    for left, right in _spans(k, 0.5):
        k.add(_folds(left, right, 0.75 * k.y, 0.0, rod + 0.005), cloth)


@part("curtain")
def tied_curtain(k: Kit) -> None:
    """Two panels that are held back by bands at less than half of their height."""
    rod, cloth = _rod(k, BRASS), _cloth(k)
    for left, right in _spans(k, 0.7):
        narrow = 1.0 if k.x < 0.35 else 0.5
        k.add(_folds(left, right, 0.7 * k.y, 0.0, rod + 0.005, narrow), cloth)
        if narrow < 1.0:
            outer, inner = (
                (left, left + 0.5 * (right - left)) if left < 0 else (right - 0.5 * (right - left), right)
            )
            k.box(
                outer - 0.005,
                inner + 0.005,
                -0.85 * k.y,
                0.85 * k.y,
                0.38 * rod,
                0.42 * rod,
                shade(cloth, 0.7),
            )


@part("curtain")
def valance_curtain(k: Kit) -> None:
    """Two narrow panels below a short pleated strip that hides the rod."""
    cloth = _cloth(k)
    for left, right in _spans(k, 0.38):
        k.add(_folds(left, right, 0.5 * k.y, 0.0, 0.93 * k.z), cloth)
    k.add(_folds(-k.x + 0.01, k.x - 0.01, 0.95 * k.y, 0.86 * k.z, k.z), shade(cloth, 0.85))
    k.box(-k.x, k.x, -k.y, k.y, 0.985 * k.z, k.z, shade(cloth, 0.7))


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


_TERRY = TEXTURES.index("carpet")
_PLEATS = 9


def _stripe(look: Paint) -> Paint:
    return shade(look, 1.5) if sum(look[:3]) < 520 else shade(look, 0.7)


def _folded(k: Kit) -> None:
    """A stack of three folded towels."""
    look = k.main._replace(texture=_TERRY)
    for i, tone in enumerate((look, _stripe(look), shade(look, 0.85))):
        x, tall = k.x * (1 - 0.03 * i), k.z / 3
        k.soft(-x, x, -k.y, k.y, i * tall, (i + 1) * tall - 0.002, 0.02, tone)


@part("towel")
def towel_on_bar(k: Kit) -> None:
    """On a wall, hung over a bar with its ends at unequal heights; else a folded stack."""
    if not k.item.mounted:
        _folded(k)
        return
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=_TERRY)
    bar, wide = z - max(0.25 * y, 0.015), 0.86 * x
    k.tube((-x, 0, bar), (x, 0, bar), max(0.16 * y, 0.008), CHROME)
    for side in (-1, 1):
        end = side * (x - 0.012)
        k.box(end - 0.012, end + 0.012, -0.2 * y, y, bar - 0.025, bar + 0.012, CHROME)
    k.soft(-wide, wide, -y, -0.45 * y, 0.0, bar + 0.012, 0.01, look)
    k.soft(-wide, wide, -0.45 * y, 0.55 * y, bar - 0.004, bar + 0.016, 0.006, look)
    k.soft(-wide, wide, 0.4 * y, 0.85 * y, 0.3 * z, bar + 0.008, 0.01, shade(look, 0.85))
    for low in (0.1, 0.17):
        k.box(-wide, wide, -y - 0.003, -y, low * z, (low + 0.035) * z, _stripe(look))


@part("towel")
def towel_on_hook(k: Kit) -> None:
    """Gathered on a hook, its folds falling from there; else a folded stack."""
    if not k.item.mounted:
        _folded(k)
        return
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=_TERRY)
    k.ball((0, 0.1 * y, z - 0.025), 0.022, CHROME, 8)
    k.tube((0, 0.1 * y, z - 0.025), (0, y, z - 0.025), 0.008, CHROME)
    rows = ((0.0, 1.0, 0.9), (0.1, 0.97, 0.85), (0.15, 0.95, 0.8), (0.7, 0.72, 0.6), (0.96, 0.12, 0.2))
    for number, (lower, upper) in enumerate(itertools.pairwise(rows)):
        tone = _stripe(look) if number == 1 else look
        for i in range(_PLEATS):
            a, b = (2 * (i + j) / _PLEATS - 1 for j in (0, 1))
            near, far = (-1.0, -0.3) if i % 2 else (-0.3, -1.0)
            (z0, w0, d0), (z1, w1, d1) = lower, upper
            corners = [(a * w0 * x, near * d0 * y, z0 * z), (b * w0 * x, far * d0 * y, z0 * z)]
            corners += [(b * w1 * x, far * d1 * y, z1 * z), (a * w1 * x, near * d1 * y, z1 * z)]
            k.add(shapes.quad(*corners), tone if i % 2 else shade(tone, 0.92))


@part("towel")
def pair_of_towels(k: Kit) -> None:
    """A long and a short towel side by side on a bar; else a folded stack."""
    if not k.item.mounted:
        _folded(k)
        return
    x, y, z = k.x, k.y, k.z
    look, bar = k.main._replace(texture=_TERRY), z - max(0.25 * y, 0.015)
    k.tube((-x, 0, bar), (x, 0, bar), max(0.16 * y, 0.008), CHROME)
    for side in (-1, 1):
        k.tube((side * (x - 0.01), 0, bar), (side * (x - 0.01), y, bar), 0.012, CHROME)
    for (a, b), low, tone in (((-0.92, 0.12), 0.0, look), ((0.2, 0.9), 0.38, shade(look, 0.85))):
        k.soft(a * x, b * x, -y, -0.35 * y, low * z, bar + 0.012, 0.012, tone)
        k.soft(a * x, b * x, -0.4 * y, 0.5 * y, bar - 0.004, bar + 0.016, 0.006, tone)
        k.soft(a * x, b * x, 0.35 * y, 0.8 * y, (low + 0.15) * z, bar + 0.008, 0.01, shade(tone, 0.9))
        for up in (0.06, 0.11):
            k.box(a * x, b * x, -y - 0.003, -y, (low + up) * z, (low + up + 0.022) * z, _stripe(look))
