"""Machines with drums and tanks."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, SCREEN, STEEL, Kit, part


def _drum_machine(k: Kit, top: float) -> None:
    x, y = k.x, k.y
    k.soft(-x, x, -y + 0.05, y, 0.02, top, 0.015)
    k.box(-x + 0.04, x - 0.04, -y + 0.09, y - 0.03, 0, 0.02, DARK)


def _disc(
    k: Kit, radius: float, z: float, front: float, deep: float, look: Paint, x: float = 0.0, sides: int = 18
) -> None:
    k.add(shapes.facing_front(shapes.cylinder(radius, 0, deep, sides)), look, (x, front, z))


@part("washing machine")
def washing_machine(k: Kit) -> None:
    """A round glass door, a soap drawer, a dial and a display."""
    x, y, z = k.x, k.y, k.z
    _drum_machine(k, z)
    radius, front = 0.62 * min(x, z / 2), -y + 0.05
    _disc(k, radius, 0.44 * z, front, 0.03, CHROME)
    _disc(k, 0.8 * radius, 0.44 * z, front - 0.03, 0.015, Paint(70, 92, 112))
    _disc(k, 0.55 * radius, 0.44 * z, front - 0.045, 0.005, Paint(116, 156, 186))
    k.box(-0.92 * x, -0.25 * x, front - 0.008, front, 0.84 * z, 0.95 * z, k.dark)
    k.box(0.28 * x, 0.9 * x, front - 0.006, front, 0.85 * z, 0.94 * z, SCREEN)
    _disc(k, 0.05, 0.895 * z, front, 0.03, STEEL, 0.02 * x, 10)
    k.box(-x + 0.02, x - 0.02, front - 0.003, front, 0.8 * z, 0.81 * z, k.dark)


@part("dryer")
def dryer(k: Kit) -> None:
    """A round solid door with a grip, a sloped console at the back with two dials, a grille."""
    x, y, z = k.x, k.y, k.z
    top, front = 0.86 * z, -y + 0.05
    _drum_machine(k, top)
    radius = 0.68 * min(x, top / 2)
    _disc(k, radius, 0.52 * top, front, 0.02, k.dark)
    _disc(k, 0.88 * radius, 0.52 * top, front - 0.02, 0.012, k.light)
    k.box(-0.95 * radius, -0.72 * radius, front - 0.05, front - 0.02, 0.46 * top, 0.58 * top, STEEL)
    for i in range(4):
        k.box(
            -0.5 * x, 0.5 * x, front - 0.004, front, (0.05 + 0.03 * i) * top, (0.065 + 0.03 * i) * top, DARK
        )
    k.frustum((-x, x, 0.5 * y, y), (-x, x, 0.72 * y, y), top, z)
    slope = shapes.quad(
        (-0.95 * x, 0.51 * y, top + 0.1 * (z - top)),
        (0.95 * x, 0.51 * y, top + 0.1 * (z - top)),
        (0.95 * x, 0.69 * y, z - 0.1 * (z - top)),
        (-0.95 * x, 0.69 * y, z - 0.1 * (z - top)),
    )
    k.add(slope, DARK, (0, -0.003, 0))
    for side in (-0.6, 0.0, 0.6):
        _disc(k, 0.3 * (z - top), (top + z) / 2, 0.6 * y, 0.035, CHROME, side * x, 10)


@part("water heater")
def water_heater(k: Kit) -> None:
    """A tall tank with a domed top, pipes, a control box and a drain."""
    x, y, z = k.x, k.y, k.z
    radius = min(x, y)
    k.round([(0, 0.04), (0.94, 0.04), (0.97, 0.06), (0.97, 0.84), (0.8, 0.88), (0, 0.9)], sides=20)
    for low in (0.12, 0.78):
        k.lathe(
            [
                (0.975 * radius, low * z),
                (radius, low * z),
                (radius, (low + 0.012) * z),
                (0.975 * radius, (low + 0.012) * z),
            ],
            k.dark,
            oval=k.oval,
            sides=20,
        )
    for sx, look in ((-1, Paint(190, 70, 50)), (1, Paint(60, 100, 180))):
        k.path(
            [(sx * 0.45 * x, 0, 0.86 * z), (sx * 0.45 * x, 0, 0.97 * z), (sx * 0.45 * x, 0.8 * y, 0.985 * z)],
            0.022,
            paint("copper"),
        )
        k.lathe(
            [(0, 0.92 * z), (0.035, 0.92 * z), (0.035, 0.935 * z), (0, 0.935 * z)],
            look,
            (sx * 0.45 * x, 0),
            8,
        )
        k.box(sx * 0.5 * x - 0.04, sx * 0.5 * x + 0.04, -0.04, 0.04, 0, 0.05 * z, DARK)
    k.box(-0.36 * x, 0.36 * x, -y - 0.02, -0.8 * y, 0.2 * z, 0.34 * z, DARK)
    _disc(k, 0.12 * x, 0.29 * z, -y - 0.02, 0.02, Paint(200, 60, 44), 0, 8)
    k.box(-0.3 * x, 0.3 * x, -y - 0.004, -0.8 * y, 0.5 * z, 0.66 * z, Paint(238, 214, 90))
    k.tube((0.6 * x, -0.7 * y, 0.12 * z), (0.6 * x, -y, 0.11 * z), 0.018, paint("copper"))
