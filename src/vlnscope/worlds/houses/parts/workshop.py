"""Workbenches."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, STEEL, Kit, both_sides, part


def _vise(k: Kit, at: float, level: float) -> None:
    """Jaws and a bar at the front edge, below the top."""
    y = k.y
    red = paint("blue", "metal")
    k.soft(at - 0.07, at + 0.07, -y, -y + 0.05, level - 0.13, level, 0.01, red)
    k.soft(at - 0.07, at + 0.07, -y + 0.08, -y + 0.14, level - 0.13, level, 0.01, red)
    k.tube((at, -y + 0.1, level - 0.08), (at, -y - 0.05, level - 0.08), 0.016, STEEL, 6)
    k.tube((at - 0.07, -y - 0.045, level - 0.08), (at + 0.07, -y - 0.045, level - 0.08), 0.008, CHROME, 5)


def _hung_tools(k: Kit, z: float) -> None:
    """A hammer, a saw and a wrench on the front below the top."""
    x, front = k.x, -k.y + 0.02
    k.tube((-0.7 * x, front, z - 0.1), (-0.7 * x, front, z - 0.36), 0.014, paint("oak", "wood"), 6)
    k.box(-0.7 * x - 0.06, -0.7 * x + 0.06, front - 0.02, front + 0.02, z - 0.12, z - 0.07, STEEL)
    saw = [(-0.5 * x, z - 0.3), (-0.1 * x, z - 0.2), (-0.1 * x, z - 0.1), (-0.5 * x, z - 0.1)]
    k.plate(saw, front - 0.004, front + 0.004, STEEL)
    k.soft(-0.1 * x, -0.1 * x + 0.12, front - 0.015, front + 0.015, z - 0.22, z - 0.08, 0.01, paint("orange"))


@part("workbench")
def joiners_workbench(k: Kit) -> None:
    """A thick worn top with a vise, heavy legs, a shelf with a toolbox below, tools at the front."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.05, y, z - 0.08, z, 0.012)
    for sx in (-1, 1):
        for _, a, b in both_sides(y - 0.06, y - 0.16):
            k.box(sx * 0.86 * x - 0.05, sx * 0.86 * x + 0.05, a, b, 0, z - 0.08, k.dark)
    k.box(-0.9 * x, 0.9 * x, -y + 0.1, y - 0.08, 0.2 * z, 0.24 * z, k.dark)
    k.soft(0.1 * x, 0.1 * x + 0.4, -0.4 * y, 0.4 * y, 0.24 * z, 0.46 * z, 0.015, paint("red"))
    k.path(
        [
            (0.1 * x + 0.1, 0, 0.46 * z),
            (0.1 * x + 0.12, 0, 0.52 * z),
            (0.1 * x + 0.28, 0, 0.52 * z),
            (0.1 * x + 0.3, 0, 0.46 * z),
        ],
        0.012,
        BLACK,
    )
    _vise(k, 0.7 * x, z)
    _hung_tools(k, z)


@part("workbench")
def steel_workbench(k: Kit) -> None:
    """A wooden top on a steel frame with a stack of drawers, a vise and tools at the front."""
    x, y, z = k.x, k.y, k.z
    steel = paint("grey", "metal") if k.item.material == "wood" else k.main
    k.soft(
        -x, x, -y + 0.05, y, z - 0.05, z, 0.01, paint("oak", "wood") if k.item.material != "wood" else k.main
    )
    for sx in (-1, 1):
        for sy in (-1, 1):
            k.box(
                sx * 0.93 * x - 0.03,
                sx * 0.93 * x + 0.03,
                sy * 0.8 * y - 0.03,
                sy * 0.8 * y + 0.03,
                0,
                z - 0.05,
                steel,
            )
    k.box(0.25 * x, 0.88 * x, -y + 0.1, y - 0.06, 0.14 * z, z - 0.05, shade(steel, 0.8))
    for i in range(4):
        low = (0.16 + 0.19 * i) * z
        k.soft(0.27 * x, 0.86 * x, -y + 0.08, -y + 0.11, low, low + 0.17 * z, 0.006, paint("red"))
        k.tube(
            (0.4 * x, -y + 0.065, low + 0.13 * z), (0.74 * x, -y + 0.065, low + 0.13 * z), 0.008, CHROME, 5
        )
    k.box(-0.93 * x, 0.93 * x, 0.7 * y, 0.85 * y, 0.15 * z, 0.2 * z, steel)
    _vise(k, 0.0, z)
    _hung_tools(k, z)


@part("workbench")
def cabinet_workbench(k: Kit) -> None:
    """A bench with a cupboard on one side, an open shelf with paint cans, a vise and tools."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.05, y, z - 0.06, z, 0.012)
    k.box(-x + 0.02, -0.1 * x, -y + 0.12, y - 0.03, 0, z - 0.06, k.dark)
    k.box(-x + 0.04, -0.12 * x, -y + 0.1, -y + 0.12, 0.05 * z, 0.55 * z, k.light)
    k.ball((-0.18 * x, -y + 0.09, 0.4 * z), 0.016, STEEL, 6)
    k.box(0.9 * x, 0.97 * x, -y + 0.12, y - 0.05, 0, z - 0.06, k.dark)
    k.box(-0.1 * x, 0.95 * x, -y + 0.12, y - 0.05, 0.3 * z, 0.34 * z, k.dark)
    for i, tint in enumerate(("white", "teal", "yellow")):
        at = (0.1 + 0.25 * i) * x
        k.add(shapes.cylinder(0.08, 0.34 * z, 0.55 * z, 12), STEEL, (at, 0, 0))
        k.add(shapes.cylinder(0.082, 0.38 * z, 0.5 * z, 12), paint(tint), (at, 0, 0))
    _vise(k, 0.6 * x, z)
    _hung_tools(k, z)
