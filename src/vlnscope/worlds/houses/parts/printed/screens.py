"""Televisions and computers."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, DARK, SCREEN, STEEL, WHITE, Kit, Range, part
from vlnscope.worlds.rendering.mesh import TEXTURES
from vlnscope.worlds.rendering.pictures.gallery import SCREENS, picture

_GLASSY = TEXTURES.index("screen")
_SHOWN = Paint(110, 116, 128, _GLASSY)
_ON = 0.35
"""Share of televisions that are on."""


def screen_panel(k: Kit, xs: Range, zs: Range, front: float, kind: str | None) -> None:
    """Add a screen that looks to the front and shows a picture of a kind, or is off."""
    (x0, x1), (z0, z1) = xs, zs
    panel = shapes.quad((x0, front, z0), (x1, front, z0), (x1, front, z1), (x0, front, z1))
    if kind is None:
        k.add(panel, SCREEN)
    else:
        k.printed(panel, picture(kind, k.identity, round(x1 - x0, 2), round(z1 - z0, 2)), _SHOWN)


def _television(k: Kit, low: float, edge: float) -> None:
    """A thin box with a bezel and a screen from `low` upwards, and its back."""
    x, y, z = k.x, k.y, k.z
    frame = BLACK if k.item.colour in ("black", "grey", "charcoal") else k.main
    thin = min(0.025, y)
    k.soft(-x, x, -thin, thin, low, z, 0.006, frame)
    k.box(-0.6 * x, 0.6 * x, thin, min(2.4 * thin, y), low + 0.15 * z, 0.7 * z, DARK)
    shown = "film" if k.rng.random() < _ON else None
    screen_panel(k, (-x + edge, x - edge), (low + 1.6 * edge, z - edge), -thin - 0.002, shown)
    k.box(-0.012, 0.012, -thin - 0.003, -thin, low + 0.4 * edge, low + 0.8 * edge, Paint(200, 40, 40))


@part("tv")
def tv_on_plate(k: Kit) -> None:
    """A screen on a neck and a plate, unless it hangs on a wall."""
    x, y, z = k.x, k.y, k.z
    low = 0.0 if k.item.mounted else min(0.09, 0.14 * z)
    _television(k, low, min(0.018, 0.04 * x))
    if k.item.mounted:
        k.box(-0.3 * x, 0.3 * x, 0.4 * y, y, 0.3 * z, 0.6 * z, DARK)
        return
    k.box(-0.06, 0.06, -0.3 * y, 0.5 * y, 0.01, low + 0.02, DARK)
    k.soft(-0.4 * x, 0.4 * x, -y, y, 0, 0.015, 0.004, DARK)


@part("tv")
def tv_on_feet(k: Kit) -> None:
    """A screen with a narrow bezel on two splayed feet, or on a bracket."""
    x, y, z = k.x, k.y, k.z
    low = 0.0 if k.item.mounted else min(0.07, 0.1 * z)
    _television(k, low, min(0.010, 0.03 * x))
    if k.item.mounted:
        for side in (-1, 1):
            k.box(0.3 * side * x - 0.02, 0.3 * side * x + 0.02, 0.2 * y, y, 0.15 * z, 0.85 * z, STEEL)
        return
    for side in (-1, 1):
        at = 0.72 * side * x
        for end in (-y, y):
            k.tube((at, 0, low + 0.01), (at, 0.97 * end, 0.006), 0.008, STEEL, 6)


@part("tv")
def tv_with_soundbar(k: Kit) -> None:
    """A screen above a long loudspeaker."""
    x, y, z = k.x, k.y, k.z
    low = min(0.08, 0.12 * z)
    _television(k, low, min(0.014, 0.04 * x))
    k.soft(-0.8 * x, 0.8 * x, -y, 0.4 * y, 0, 0.75 * low, 0.012, shade(DARK, 0.8))
    k.box(
        -0.78 * x,
        0.78 * x,
        -y - 0.001,
        -y,
        0.12 * low,
        0.62 * low,
        Paint(40, 40, 44, TEXTURES.index("fabric")),
    )
    k.box(-0.1 * x, 0.1 * x, 0.0, 0.5 * y, 0.5 * low, 1.2 * low, DARK)


def _keyboard(k: Kit, x0: float, x1: float, y0: float, y1: float) -> None:
    board = shapes.frustum((x0, x1, y0, y1), (x0 + 0.004, x1 - 0.004, y0 + 0.004, y1 - 0.004), 0.0, 0.018)
    image = picture("keyboard", k.item.colour, round(x1 - x0, 2), round(y1 - y0, 2), k.main[:3], 160)
    k.printed(board, image, shade(DARK, 1.2), plane="xy")


def _mouse(k: Kit, x: float, y: float) -> None:
    k.ball((x, y, 0.014), (0.028, 0.045, 0.02), DARK, 8)


@part("computer")
def computer_on_stand(k: Kit) -> None:
    """A monitor on a neck, a keyboard and a mouse."""
    x, y, z = k.x, k.y, k.z
    back, low = y - 0.06, 0.25 * z
    k.soft(-0.94 * x, 0.94 * x, back - 0.03, back, low, z, 0.008)
    _monitor_screen(k, (-0.9 * x, 0.9 * x), (low + 0.06 * z, 0.97 * z), back - 0.031)
    k.box(-0.035, 0.035, back - 0.01, back + 0.015, 0.015, low + 0.12 * z, STEEL)
    k.soft(-0.35 * x, 0.35 * x, back - 0.1, y, 0, 0.015, 0.005, STEEL)
    _desk_set(k, min(-y + 0.15, back - 0.12))


@part("computer")
def computer_in_one(k: Kit) -> None:
    """A flat computer with a chin below its screen, on a bent foot."""
    x, y, z = k.x, k.y, k.z
    back, low = y - 0.07, 0.16 * z
    k.soft(-0.97 * x, 0.97 * x, back - 0.025, back, low, z, 0.006)
    _monitor_screen(k, (-0.93 * x, 0.93 * x), (low + 0.2 * z, 0.98 * z), back - 0.026)
    k.box(-0.02, 0.02, back - 0.028, back - 0.026, low + 0.08 * z, low + 0.12 * z, k.dark)
    k.frustum((-0.12, 0.12, y - 0.03, y), (-0.12, 0.12, back, back + 0.02), 0.0, low + 0.2 * z, STEEL)
    k.soft(-0.12, 0.12, back - 0.08, y, 0, 0.012, 0.004, STEEL)
    _desk_set(k, min(-y + 0.14, back - 0.11))


@part("computer")
def computer_with_tower(k: Kit) -> None:
    """A monitor beside an upright case with a drive, a light and vents."""
    x, y, z = k.x, k.y, k.z
    back, low, end = y - 0.06, 0.22 * z, 0.5 * x
    k.soft(-x, end, back - 0.03, back, low, 0.96 * z, 0.008)
    _monitor_screen(k, (-x + 0.03 * x, end - 0.03 * x), (low + 0.05 * z, 0.93 * z), back - 0.031)
    middle = (end - x) / 2
    k.box(middle - 0.03, middle + 0.03, back - 0.01, back + 0.015, 0.015, low + 0.1 * z, DARK)
    k.soft(middle - 0.3 * x, middle + 0.3 * x, back - 0.1, y, 0, 0.015, 0.005, DARK)
    k.soft(0.58 * x, x, -0.3 * y, y, 0, z, 0.01)
    k.box(0.64 * x, 0.94 * x, -0.3 * y - 0.002, -0.3 * y, 0.8 * z, 0.86 * z, k.dark)
    k.box(0.76 * x, 0.82 * x, -0.3 * y - 0.003, -0.3 * y, 0.68 * z, 0.71 * z, Paint(90, 200, 120, 13))
    for i in range(4):
        k.box(
            0.66 * x, 0.92 * x, -0.3 * y - 0.002, -0.3 * y, (0.12 + 0.07 * i) * z, (0.15 + 0.07 * i) * z, DARK
        )
    _keyboard(k, -0.95 * x, 0.3 * x, -y, min(-y + 0.14, back - 0.12))
    _mouse(k, 0.45 * x, -0.8 * y)


def _monitor_screen(k: Kit, xs: Range, zs: Range, front: float) -> None:
    kinds = (*SCREENS[:3], None)
    screen_panel(k, xs, zs, front, kinds[int(k.rng.integers(len(kinds)))])


def _desk_set(k: Kit, front: float) -> None:
    _keyboard(k, -0.75 * k.x, 0.5 * k.x, -k.y, front)
    _mouse(k, 0.75 * k.x, (front - k.y) / 2)
    k.box(0.6 * k.x, 0.9 * k.x, -k.y, front, 0.0, 0.003, shade(WHITE, 0.4))
