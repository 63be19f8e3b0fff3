"""Machines with drums and tanks."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, SCREEN, STEEL, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_COPPER = looking(Paint(184, 112, 74), "metal")
_CLOTHES = Paint(70, 92, 112)


def _case(k: Kit, top: float) -> None:
    x, y = k.x, k.y
    k.soft(-x, x, -y + 0.05, y, 0.02, top, 0.015, looking(k.main, "gloss"))
    k.box(-x + 0.04, x - 0.04, -y + 0.09, y - 0.03, 0, 0.02, DARK)


def _porthole(k: Kit, level: float, radius: float, ring: Paint) -> None:
    """A round glass door with clothes behind it."""
    front = -k.y + 0.05
    k.disc((0, front, level), radius, 0.03, ring, 20)
    k.disc((0, front - 0.03, level), 0.78 * radius, 0.012, _CLOTHES, 18)
    k.disc((0.1 * radius, front - 0.042, level - 0.2 * radius), 0.4 * radius, 0.004, Paint(196, 120, 96), 10)
    k.disc(
        (-0.25 * radius, front - 0.042, level + 0.05 * radius), 0.3 * radius, 0.004, Paint(130, 168, 196), 10
    )
    k.soft(
        0.86 * radius,
        1.05 * radius,
        front - 0.05,
        front - 0.02,
        level - 0.18 * radius,
        level + 0.18 * radius,
        0.008,
        STEEL,
    )


def _panel(k: Kit, low: float, high: float, dial: float) -> None:
    """A soap drawer, a display and a dial on a strip."""
    x, front = k.x, -k.y + 0.05
    k.box(-0.92 * x, -0.3 * x, front - 0.008, front, low, high, k.dark)
    k.box(0.3 * x, 0.9 * x, front - 0.006, front, low, high, SCREEN)
    k.box(
        0.4 * x,
        0.7 * x,
        front - 0.008,
        front - 0.006,
        low + 0.3 * (high - low),
        high - 0.3 * (high - low),
        Paint(120, 210, 230),
    )
    k.disc((dial * x, front, (low + high) / 2), 0.05, 0.03, STEEL, 12)


@part("washing machine")
def front_washing_machine(k: Kit) -> None:
    """A round glass door with a chrome ring, a soap drawer, a dial and a display."""
    z = k.z
    _case(k, z)
    _porthole(k, 0.44 * z, 0.62 * min(k.x, z / 2), CHROME)
    _panel(k, 0.84 * z, 0.95 * z, 0.0)
    k.box(-k.x + 0.02, k.x - 0.02, -k.y + 0.047, -k.y + 0.05, 0.8 * z, 0.81 * z, k.dark)


@part("washing machine")
def big_door_washing_machine(k: Kit) -> None:
    """A very large dark porthole low in the front, a sloped panel and a flap at the foot."""
    x, y, z = k.x, k.y, k.z
    _case(k, 0.97 * z)
    _porthole(k, 0.46 * z, 0.76 * min(x, z / 2), DARK)
    k.frustum((-x, x, -y + 0.02, y), (-x, x, -y + 0.07, y), 0.84 * z, z, shade(k.main, 0.88))
    k.disc((-0.6 * x, -y + 0.045, 0.92 * z), 0.055, 0.03, CHROME, 14)
    k.box(-0.2 * x, 0.5 * x, -y + 0.025, -y + 0.05, 0.88 * z, 0.95 * z, SCREEN)
    k.box(0.5 * x, 0.9 * x, -y + 0.046, -y + 0.05, 0.05 * z, 0.12 * z, k.dark)


@part("washing machine")
def stacked_panel_washing_machine(k: Kit) -> None:
    """A porthole in a square frame, round buttons in a row, a wide soap drawer with a grip."""
    x, y, z = k.x, k.y, k.z
    front = -y + 0.05
    _case(k, z)
    radius = 0.56 * min(x, z / 2)
    k.soft(
        -1.25 * radius,
        1.25 * radius,
        front - 0.015,
        front + 0.01,
        0.42 * z - 1.25 * radius,
        0.42 * z + 1.25 * radius,
        0.01,
        k.dark,
    )
    _porthole(k, 0.42 * z, radius, STEEL)
    _panel(k, 0.86 * z, 0.94 * z, -0.12)
    for i in range(5):
        k.disc(((-0.1 + 0.2 * i) * x, front, 0.82 * z), 0.014, 0.01, CHROME, 8)


def _console(k: Kit, top: float) -> None:
    """A sloped console at the back with dials."""
    x, y, z = k.x, k.y, k.z
    k.frustum((-x, x, 0.5 * y, y), (-x, x, 0.72 * y, y), top, z)
    a, b = top + 0.1 * (z - top), z - 0.1 * (z - top)
    k.add(
        shapes.quad(
            (-0.95 * x, 0.51 * y, a),
            (0.95 * x, 0.51 * y, a),
            (0.95 * x, 0.69 * y, b),
            (-0.95 * x, 0.69 * y, b),
        ),
        DARK,
        (0, -0.003, 0),
    )
    for side in (-0.6, 0.0, 0.6):
        k.disc((side * x, 0.6 * y, (top + z) / 2), 0.3 * (z - top), 0.035, CHROME, 10)


def _lint_grille(k: Kit, top: float) -> None:
    front = -k.y + 0.05
    for i in range(4):
        k.box(
            -0.5 * k.x,
            0.5 * k.x,
            front - 0.004,
            front,
            (0.05 + 0.03 * i) * top,
            (0.065 + 0.03 * i) * top,
            DARK,
        )


@part("dryer")
def round_door_dryer(k: Kit) -> None:
    """A round solid door with a grip, a sloped console at the back with three dials, a grille."""
    z = k.z
    top, front = 0.86 * z, -k.y + 0.05
    _case(k, top)
    radius = 0.68 * min(k.x, top / 2)
    k.disc((0, front, 0.54 * top), radius, 0.02, k.dark, 20)
    k.disc((0, front - 0.02, 0.54 * top), 0.88 * radius, 0.012, k.light, 20)
    k.soft(-0.95 * radius, -0.72 * radius, front - 0.05, front - 0.02, 0.46 * top, 0.6 * top, 0.008, STEEL)
    _lint_grille(k, top)
    _console(k, top)


@part("dryer")
def square_door_dryer(k: Kit) -> None:
    """A square solid door with a pull, a console at the back with dials, a grille below."""
    z = k.z
    top, front = 0.86 * z, -k.y + 0.05
    _case(k, top)
    half = 0.66 * k.x
    k.soft(-half, half, front - 0.02, front, 0.24 * top, 0.9 * top, 0.012, k.light)
    k.soft(0.72 * half, 0.9 * half, front - 0.045, front - 0.02, 0.5 * top, 0.68 * top, 0.008, STEEL)
    _lint_grille(k, top)
    _console(k, top)


@part("dryer")
def vented_dryer(k: Kit) -> None:
    """A solid domed door in a ring, a front panel with a dial, a hose at the side of its back."""
    x, y, z = k.x, k.y, k.z
    front = -y + 0.05
    _case(k, z)
    radius = 0.62 * min(x, z / 2)
    k.disc((0, front, 0.46 * z), radius, 0.02, STEEL, 20)
    dome = shapes.facing_front(shapes.lathe([(0.86 * radius, 0.0), (0.7 * radius, 0.025), (0, 0.04)], 20))
    k.add(dome, k.light, (0, front - 0.02, 0.46 * z))
    _lint_grille(k, z)
    k.box(-x + 0.02, x - 0.02, front - 0.004, front, 0.82 * z, 0.96 * z, k.dark)
    k.disc((-0.55 * x, front, 0.89 * z), 0.055, 0.035, CHROME, 14)
    for i in range(3):
        k.disc(((0.1 + 0.26 * i) * x, front, 0.89 * z), 0.018, 0.016, paint(("red", "green", "white")[i]), 8)


def _pipes(k: Kit, low: float) -> None:
    """Two copper pipes with a red and a blue tap on top."""
    x, y, z = k.x, k.y, k.z
    for sx, look in ((-1, Paint(190, 70, 50)), (1, Paint(60, 100, 180))):
        at = sx * 0.45 * x
        k.path([(at, 0, low), (at, 0, 0.97 * z), (at, 0.8 * y, 0.985 * z)], 0.022, _COPPER, 6)
        k.lathe([(0, 0.92 * z), (0.035, 0.92 * z), (0.035, 0.935 * z), (0, 0.935 * z)], look, (at, 0), 8)


def _feet(k: Kit) -> None:
    for sx in (-0.5, 0.5):
        k.box(sx * k.x - 0.04, sx * k.x + 0.04, -0.04, 0.04, 0, 0.06 * k.z, DARK)


def _tank(k: Kit, low: float, shoulder: float) -> None:
    k.round(
        [
            (0, low),
            (0.94, low),
            (0.97, low + 0.02),
            (0.97, shoulder),
            (0.8, shoulder + 0.04),
            (0, shoulder + 0.06),
        ],
        looking(k.main, "gloss"),
        sides=20,
    )


def _sticker(k: Kit, low: float, high: float) -> None:
    k.box(-0.3 * k.x, 0.3 * k.x, -k.y - 0.004, -0.8 * k.y, low * k.z, high * k.z, Paint(238, 214, 90))
    k.box(
        -0.22 * k.x,
        0.22 * k.x,
        -k.y - 0.006,
        -0.8 * k.y,
        (low + 0.1) * k.z,
        (high - 0.02) * k.z,
        Paint(40, 40, 44),
    )


@part("water heater")
def gas_water_heater(k: Kit) -> None:
    """A tall tank with a domed top, bands, pipes, a control box with a red knob, a drain."""
    x, y, z = k.x, k.y, k.z
    _tank(k, 0.04, 0.84)
    for low in (0.12, 0.78):
        k.round([(0.975, low), (1.0, low), (1.0, low + 0.012), (0.975, low + 0.012)], k.dark, sides=20)
    _pipes(k, 0.86 * z)
    _feet(k)
    k.box(-0.36 * x, 0.36 * x, -y - 0.02, -0.8 * y, 0.2 * z, 0.34 * z, DARK)
    k.disc((0, -y - 0.02, 0.29 * z), 0.12 * x, 0.02, Paint(200, 60, 44), 8)
    _sticker(k, 0.5, 0.66)
    k.tube((0.6 * x, -0.7 * y, 0.12 * z), (0.6 * x, -y, 0.11 * z), 0.018, _COPPER)


@part("water heater")
def electric_water_heater(k: Kit) -> None:
    """A smooth tank with two panels, a thermometer, a cable, and pipes on top."""
    x, y, z = k.x, k.y, k.z
    _tank(k, 0.04, 0.86)
    _pipes(k, 0.88 * z)
    _feet(k)
    for low in (0.16, 0.56):
        k.soft(-0.34 * x, 0.34 * x, -y - 0.01, -0.8 * y, low * z, (low + 0.16) * z, 0.01, k.dark)
    k.disc((0, -0.96 * y, 0.44 * z), 0.06, 0.03, STEEL, 14)
    k.disc((0, -0.96 * y - 0.03, 0.44 * z), 0.048, 0.004, Paint(246, 246, 242), 14)
    k.box(-0.003, 0.003, -0.96 * y - 0.038, -0.96 * y - 0.034, 0.44 * z, 0.44 * z + 0.04, paint("red"))
    k.path(
        [(0.5 * x, -0.8 * y, 0.2 * z), (0.7 * x, -0.9 * y, 0.1 * z), (0.9 * x, -0.6 * y, 0)], 0.012, DARK, 5
    )


@part("water heater")
def boiler_water_heater(k: Kit) -> None:
    """A tank with a flue, a side pipe with a valve and a pump, a drain pan below."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (1.0, 0), (1.0, 0.04), (0.95, 0.04), (0.95, 0.015), (0, 0.015)], STEEL, sides=20)
    _tank(k, 0.05, 0.78)
    k.lathe([(0.2 * x, 0.8 * z), (0.12 * x, 0.86 * z), (0.12 * x, z), (0, z)], STEEL, (0, 0), 12)
    _pipes(k, 0.8 * z)
    k.path(
        [(0.9 * x, -0.3 * y, 0.74 * z), (x, -0.3 * y, 0.72 * z), (x, -0.3 * y, 0.14 * z)], 0.02, _COPPER, 6
    )
    k.ball((x, -0.3 * y, 0.45 * z), 0.045, paint("green"), 8)
    k.box(-0.36 * x, 0.36 * x, -y, -0.8 * y, 0.14 * z, 0.26 * z, DARK)
    k.disc((0, -y, 0.2 * z), 0.1 * x, 0.02, Paint(200, 60, 44), 8)
    _sticker(k, 0.4, 0.58)
