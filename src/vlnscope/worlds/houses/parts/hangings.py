"""Things that hang on walls."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, WHITE, Kit, part


@part("picture")
def picture(k: Kit) -> None:
    """A frame in the main colour, a mount, and a small landscape or a few shapes within."""
    x, y, z = k.x, k.y, k.z
    edge = min(0.035, 0.12 * x, 0.12 * z)
    k.box(-x, x, 0.2 * y, y, 0, z, k.dark)
    k.frame((-x, x), (-y, 0.2 * y), (0, z), edge)
    k.box(-x + edge, x - edge, -0.1 * y, 0.2 * y, edge, z - edge, Paint(244, 241, 232))
    wide, tall = x - 2 * edge, z / 2 - 2 * edge
    motif = int(k.rng.integers(3))
    (_landscape, _composition, _seascape)[motif](k, wide, tall)


def _flat(k: Kit, corners: list[tuple[float, float]], layer: int, look: Paint) -> None:
    """A flat polygon on the canvas, given by x and z from the middle; later layers lie in front."""
    front = -0.1 * k.y - (0.05 + 0.05 * layer) * k.y
    outline = shapes.prism(corners, 0.0, 0.04 * k.y)
    points, faces = shapes.facing_front(outline)
    k.add((points, faces), look, (0, front + 0.05 * k.y, k.z / 2))


def _landscape(k: Kit, w: float, t: float) -> None:
    _flat(k, [(-w, -t), (w, -t), (w, t), (-w, t)], 0, Paint(160, 200, 228))
    sun = 0.5 * w * (1 if k.rng.random() < 0.5 else -1)
    r = 0.25 * min(w, t)
    _flat(
        k,
        [(sun + r * math.cos(a), 0.5 * t + r * math.sin(a)) for a in (math.tau * i / 12 for i in range(12))],
        1,
        Paint(244, 200, 80),
    )
    _flat(k, [(-w, -0.3 * t), (-0.45 * w, 0.35 * t), (0.1 * w, -0.3 * t)], 2, Paint(112, 122, 150))
    _flat(k, [(-0.3 * w, -0.3 * t), (0.4 * w, 0.1 * t), (w, -0.3 * t)], 3, Paint(88, 106, 130))
    _flat(k, [(-w, -t), (w, -t), (w, -0.2 * t), (-w, -0.35 * t)], 4, Paint(96, 140, 72))


def _seascape(k: Kit, w: float, t: float) -> None:
    _flat(k, [(-w, -t), (w, -t), (w, t), (-w, t)], 0, Paint(246, 190, 138))
    _flat(k, [(-w, -t), (w, -t), (w, -0.1 * t), (-w, -0.1 * t)], 1, Paint(48, 100, 148))
    at = w * (k.rng.random() - 0.5)
    _flat(
        k,
        [
            (at - 0.3 * w, -0.1 * t),
            (at - 0.2 * w, -0.3 * t),
            (at + 0.2 * w, -0.3 * t),
            (at + 0.3 * w, -0.1 * t),
        ],
        2,
        Paint(110, 62, 40),
    )
    _flat(k, [(at - 0.22 * w, 0.0), (at + 0.2 * w, 0.0), (at, 0.6 * t)], 3, WHITE)


def _composition(k: Kit, w: float, t: float) -> None:
    tints = [paint(name) for name in ("red", "navy", "gold", "teal", "coral", "charcoal", "sage", "purple")]
    order = k.rng.permutation(len(tints))
    _flat(k, [(-w, -t), (w, -t), (w, t), (-w, t)], 0, shade(tints[order[0]], 1.6))
    for i in range(3):
        cx, cz = w * (k.rng.random() * 1.0 - 0.5), t * (k.rng.random() * 1.0 - 0.5)
        r = min(w, t) * (0.25 + 0.22 * k.rng.random())
        sides = (4, 14, 3)[i]
        _flat(
            k,
            [
                (cx + r * math.cos(a), cz + r * math.sin(a))
                for a in (math.tau * (j + 0.3) / sides for j in range(sides))
            ],
            i + 1,
            tints[order[i + 1]],
        )


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


@part("clock")
def clock(k: Kit) -> None:
    """A round rim, a white dial with twelve marks and two hands."""
    radius, y = min(k.x, k.z / 2), k.y

    def disc(r: float, front: float, look: Paint) -> None:
        flat = shapes.facing_front(shapes.cylinder(r, -y, -front, 24))
        k.add(flat, look, (0, 0, k.z / 2))

    disc(radius, -0.4 * y, k.main)
    k.add(
        shapes.stretched(
            shapes.facing_front(shapes.ring(0.93 * radius, 0.07 * radius, 24, 6)),
            1,
            min(3.0, 0.55 * y / (0.07 * radius)),
            1,
        ),
        k.main,
        (0, -0.45 * y, k.z / 2),
    )
    disc(0.87 * radius, -0.55 * y, Paint(248, 247, 242))
    for i in range(12):
        long = 0.1 if i % 3 else 0.18
        mark = shapes.box(
            -0.02 * radius, 0.02 * radius, -0.7 * y, -0.5 * y, (0.84 - long) * radius, 0.84 * radius
        )
        k.add(shapes.turned(mark, 1, 30 * i), BLACK, (0, 0, k.z / 2))
    for degrees, long, wide in ((-60, 0.5, 0.045), (60, 0.72, 0.03)):
        hand = shapes.box(-wide * radius, wide * radius, -0.9 * y, -0.7 * y, -0.1 * radius, long * radius)
        k.add(shapes.turned(hand, 1, degrees), BLACK, (0, 0, k.z / 2))
    disc(0.06 * radius, -y, BLACK)


@part("mirror")
def mirror(k: Kit) -> None:
    """A frame in the main colour around a pale pane with slanting glints."""
    x, y, z = k.x, k.y, k.z
    edge = min(0.05, 0.14 * x, 0.14 * z)
    k.box(-x + edge, x - edge, -0.1 * y, y, edge, z - edge, Paint(206, 224, 232))
    k.frame((-x, x), (-y, y), (0, z), edge)
    front, wide, tall = -0.1 * y - 0.001, 0.9 * (x - edge), 0.9 * (z / 2 - edge)
    for at, thick in ((-0.25, 0.16), (0.1, 0.07)):
        middle, reach = at * 2 * wide, min(0.8 * tall, 0.9 * wide)
        corners = [
            (middle - 0.35 * reach, front, z / 2 - 0.7 * reach),
            (middle - 0.35 * reach + thick * wide, front, z / 2 - 0.7 * reach),
            (middle + 0.35 * reach + thick * wide, front, z / 2 + 0.7 * reach),
            (middle + 0.35 * reach, front, z / 2 + 0.7 * reach),
        ]
        k.add(shapes.quad(*corners), Paint(240, 247, 250))


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
