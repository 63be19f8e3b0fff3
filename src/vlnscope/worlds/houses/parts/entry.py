"""Racks, baskets and bins."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import DARK, STEEL, Kit, both_sides, part


@part("shoe rack")
def shoe_rack(k: Kit) -> None:
    """Open slatted shelves with pairs of shoes."""
    x, y, z = k.x, k.y, k.z
    rows = max(2, min(4, round(z / 0.24)))
    for _, a, b in both_sides(x, x - 0.03):
        k.box(a, b, -y, -y + 0.03, 0, z)
        k.box(a, b, y - 0.03, y, 0, z)
        k.box(a, b, -y, y, z - 0.03, z)
    tints = ("black", "brown", "white", "red", "navy", "tan")
    for i in range(rows):
        low = 0.06 + i * (z - 0.09) / rows if i < rows else z
        for j in range(4):
            at = -y + (j + 0.5) * 2 * y / 4
            k.box(-x + 0.02, x - 0.02, at - 0.018, at + 0.018, low, low + 0.018, k.dark)
        pairs = max(1, int((2 * x - 0.08) / 0.26))
        for j in range(pairs):
            look = paint(tints[int(k.rng.integers(len(tints)))])
            middle = -x + 0.04 + (j + 0.5) * (2 * x - 0.08) / pairs
            for foot in (-0.055, 0.055):
                _shoe(k, middle + foot, low + 0.018, min(y - 0.01, 0.14), look)


def _shoe(k: Kit, at: float, low: float, half: float, look: Paint) -> None:
    sole = shade(look, 0.5) if sum(look[:3]) > 200 else paint("white")
    k.box(at - 0.043, at + 0.043, -half, half, low, low + 0.016, sole)
    front = shapes.frustum(
        (at - 0.043, at + 0.043, -half, half),
        (at - 0.032, at + 0.032, -0.1 * half, 0.95 * half),
        low + 0.016,
        low + 0.085,
    )
    k.add(front, look)
    k.box(at - 0.02, at + 0.02, 0.15 * half, 0.8 * half, low + 0.085, low + 0.087, DARK)


@part("coat rack")
def coat_rack(k: Kit) -> None:
    """A pole on feet with hooks, a coat and a hat; on a wall, a board with hooks and coats."""
    if k.item.mounted:
        _hook_board(k)
        return
    x, y, z = k.x, k.y, k.z
    reach = min(x, y)
    k.tube((0, 0, 0.05), (0, 0, z - 0.03), 0.024, sides=8)
    k.ball((0, 0, z - 0.03), 0.035, None, 8)
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        k.tube((0, 0, 0.12), (0.9 * sx * x, 0.9 * sy * y, 0.02), 0.02)
        end = (sx * 0.62 * x, sy * 0.62 * y, 0.95 * z)
        k.path([(0, 0, 0.88 * z), (sx * 0.5 * x, sy * 0.5 * y, 0.87 * z), end], 0.013)
        k.ball(end, 0.022, None, 6)
    _coat(k, -0.45 * x, -0.4 * y, 0.9 * z, min(0.85, 0.45 * z), reach, paint("navy", "fabric"))
    _coat(k, 0.5 * x, 0.4 * y, 0.9 * z, min(0.7, 0.38 * z), reach, paint("tan", "fabric"))
    k.lathe(
        [(0, 0.95 * z), (0.13, 0.95 * z), (0.13, 0.957 * z), (0.075, 0.96 * z), (0.065, 0.995 * z), (0, z)],
        paint("brown", "fabric"),
        (0.3 * x, -0.45 * y),
    )


def _coat(k: Kit, x: float, y: float, top: float, length: float, reach: float, look: Paint) -> None:
    wide = min(0.2, 0.75 * reach)
    k.lathe(
        [
            (0, top - length),
            (wide, top - length),
            (0.72 * wide, top - 0.35 * length),
            (0.62 * wide, top - 0.1 * length),
            (0.15 * wide, top),
            (0, top),
        ],
        look,
        (x, y),
        8,
        (1.0, 0.62),
    )
    for side in (-1, 1):
        k.tube(
            (x + side * 0.5 * wide, y, top - 0.1 * length),
            (x + side * 0.95 * wide, y - 0.02, top - 0.72 * length),
            0.28 * wide,
            shade(look, 0.85),
            6,
            0.2 * wide,
        )


def _hook_board(k: Kit) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, y - 0.025, y, z - min(0.14, 0.4 * z), z, k.main)
    hooks = max(3, round(2 * x / 0.2))
    tints = ("navy", "tan", "red", "charcoal")
    for i in range(hooks):
        at = -x + (i + 0.5) * 2 * x / hooks
        k.path([(at, y - 0.02, z - 0.07), (at, -y * 0.6, z - 0.09), (at, -y, z - 0.04)], 0.01, STEEL)
        if z > 0.4 and i % 2 == 0:
            _coat(k, at, 0.1 * y, z - 0.08, z - 0.08, min(y, 0.18), paint(tints[i // 2 % 4], "fabric"))


@part("basket")
def basket(k: Kit) -> None:
    """A woven tub of hoops with two handles."""
    z, radius = k.z, min(k.x, k.y)
    rim, rows = 0.86 * z, 6
    profile: list[tuple[float, float]] = [(0, 0)]
    for i in range(rows):
        swell = radius * (0.74 + 0.2 * (i / rows))
        profile += [
            (swell, i * rim / rows),
            (swell + 0.03 * radius + 0.006, (i + 0.5) * rim / rows),
            (swell, (i + 1) * rim / rows - 0.004),
        ]
    profile += [(0.97 * radius, rim), (0.85 * radius, rim), (0.72 * radius, 0.1 * z), (0, 0.1 * z)]
    k.lathe(profile, k.main if k.main.texture else k.main._replace(texture=5), sides=18, oval=k.oval)
    for side in (-1, 1):
        arc = shapes.turned(shapes.ring(0.3 * radius, 0.06 * radius, 8, 5, 180), 0, 90)
        k.add(shapes.turned(arc, 2, 90), k.dark, (side * 0.9 * k.x, 0, rim))


@part("trash can")
def trash_can(k: Kit) -> None:
    """A pedal bin: a slightly conical drum, a domed lid with a gap, a pedal."""
    z = k.z
    k.round([(0, 0), (0.8, 0), (0.8, 0.04), (0.78, 0.05), (0.92, 0.8), (0, 0.8)], sides=18)
    k.round([(0, 0.8), (0.86, 0.8), (0.86, 0.825), (0, 0.825)], DARK, sides=18)
    k.round([(0, 0.825), (0.97, 0.825), (0.97, 0.88), (0.75, 0.96), (0, 1)], k.dark, sides=18)
    k.box(-0.2 * k.x, 0.2 * k.x, -k.y, -0.75 * k.y, 0.02 * z, 0.06 * z, DARK)


@part("toolbox")
def toolbox(k: Kit) -> None:
    """A metal box with a sloped lid, a handle, latches and a drawer line."""
    x, y, z = k.x, k.y, k.z
    body = 0.5 * z
    k.box(-x, x, -y, y, 0, body)
    k.box(-x, x, -y - 0.004, y, 0.48 * body, 0.54 * body, DARK)
    k.frustum((-x, x, -y, y), (-x, x, -0.4 * y, 0.4 * y), body + 0.012, 0.76 * z)
    k.box(-0.98 * x, 0.98 * x, -0.98 * y, 0.98 * y, body, body + 0.012, DARK)
    grip = 0.94 * z
    k.path(
        [(-0.45 * x, 0, 0.74 * z), (-0.38 * x, 0, grip), (0.38 * x, 0, grip), (0.45 * x, 0, 0.74 * z)],
        0.05 * z,
        DARK,
    )
    for side in (-0.6, 0.6):
        k.box(side * x - 0.03, side * x + 0.03, -y - 0.012, -y + 0.02, 0.78 * body, 1.2 * body, STEEL)
    k.box(-0.16 * x, 0.16 * x, -y - 0.008, -y, 0.14 * body, 0.3 * body, paint("yellow"))
