"""Toilets and bathroom sinks."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.cupboards import panelled_door
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, PORCELAIN, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.kitchens.counters import painted_fronts
from vlnscope.worlds.houses.parts.kitchens.sinks import basin, tap
from vlnscope.worlds.houses.parts.surfaces import looking

WATER = Paint(150, 196, 214)


def ceramic(k: Kit) -> Paint:
    """Return porcelain for white things, else the main colour glazed."""
    return PORCELAIN if k.item.colour == "white" else looking(k.main, "gloss")


def _bowl(
    k: Kit, middle: float, wide: float, long: float, seat: float, foot: list[tuple[float, float]]
) -> None:
    """A bowl with a rim and water, standing on a foot given as shares of width and heights."""
    look = ceramic(k)
    k.lathe(
        [(0, foot[0][1]), *foot, (0.96, 0.88 * seat), (1.0, 0.94 * seat)], look, (0, middle), 18, (wide, long)
    )
    k.lathe(
        [(1.0, 0.94 * seat), (1.03, seat), (0.62, seat), (0.55, 0.72 * seat), (0, 0.62 * seat)],
        shade(look, 1.3),
        (0, middle),
        18,
        (wide, long),
    )
    k.lathe([(0.5, 0.7 * seat), (0, 0.7 * seat)], WATER, (0, middle), 12, (wide, long))


def _lid(k: Kit, wide: float, seat: float, back: float, tall: float) -> None:
    lid = shapes.lathe([(0, 0), (1, 0), (1, 0.03), (0, 0.03)], 16)
    lid = shapes.turned(shapes.stretched(lid, 0.92 * wide, tall), 0, 82)
    k.add(shapes.moved(lid, 0, back, seat + 0.95 * tall), shade(ceramic(k), 0.93))


@part("toilet")
def tank_toilet(k: Kit) -> None:
    """A bowl with an open seat, a foot, a tank with a lid and a lever."""
    x, y, z = k.x, k.y, k.z
    look, seat = ceramic(k), 0.53 * z
    _bowl(k, -0.24 * y, 0.88 * x, 0.76 * y, seat, [(0.6, 0), (0.5, 0.3 * seat), (0.62, 0.55 * seat)])
    k.box(-0.45 * x, 0.45 * x, 0.2 * y, 0.8 * y, 0, 0.9 * seat, look)
    _lid(k, 0.88 * x, seat, 0.5 * y, 0.42 * z)
    k.soft(-x, x, 0.58 * y, y, 0.45 * z, 0.95 * z, 0.03, look)
    k.soft(-x - 0.01, x + 0.01, 0.55 * y, y, 0.95 * z, z, 0.01, look)
    k.tube((-0.7 * x, 0.54 * y, 0.86 * z), (-0.4 * x, 0.53 * y, 0.85 * z), 0.014, CHROME)


@part("toilet")
def wall_hung_toilet(k: Kit) -> None:
    """A short bowl that hangs on a boxed wall with a flush plate, its lid up."""
    x, y, z = k.x, k.y, k.z
    seat = 0.53 * z
    k.box(-x, x, 0.55 * y, y, 0, z, shade(ceramic(k), 0.97))
    k.soft(-x - 0.01, x + 0.01, 0.52 * y, y, 0.96 * z, z, 0.01, looking(Paint(190, 186, 178), "marble"))
    _bowl(k, -0.25 * y, 0.95 * x, 0.75 * y, seat, [(0.3, 0.3 * seat), (0.6, 0.34 * seat), (0.85, 0.6 * seat)])
    k.box(-0.5 * x, 0.5 * x, 0.0, 0.56 * y, 0.35 * seat, 0.9 * seat, ceramic(k))
    _lid(k, 0.9 * x, seat, 0.45 * y, 0.22 * z)
    k.soft(-0.4 * x, 0.4 * x, 0.53 * y, 0.56 * y, 0.8 * z, 0.92 * z, 0.005, CHROME)
    k.box(-0.01, 0.01, 0.525 * y, 0.53 * y, 0.81 * z, 0.91 * z, STEEL)


@part("toilet")
def one_piece_toilet(k: Kit) -> None:
    """A skirted block with a bowl that flows into a low curved tank with a button, its lid up."""
    x, y, z = k.x, k.y, k.z
    look, seat = ceramic(k), 0.5 * z
    _bowl(k, -0.28 * y, 0.92 * x, 0.72 * y, seat, [(0.72, 0), (0.72, 0.5 * seat)])
    k.soft(-0.66 * x, 0.66 * x, -0.3 * y, y, 0, 0.9 * seat, 0.04, look)
    k.frustum((-0.9 * x, 0.9 * x, 0.2 * y, y), (-x, x, 0.5 * y, y), 0.85 * seat, 0.9 * z, look)
    k.pillow(-x, x, 0.48 * y, y, 0.82 * z, z, look, 14, 4, 0.3, 0.4)
    _lid(k, 0.86 * x, seat, 0.36 * y, 0.26 * z)
    k.lathe([(0.028, 0.99 * z), (0.025, z + 0.004), (0, z + 0.004)], CHROME, (0, 0.74 * y), 10)


def _oval_basin(k: Kit, rim: float, width: float, depth: float) -> None:
    """An oval basin with a drain, its rim at a height."""
    y, at = k.y, (0.0, -0.12 * k.y)
    k.lathe([(0.5, rim - 0.12), (0.9, rim - 0.04), (1, rim)], PORCELAIN, at, 20, (width, depth))
    inside = [(1, rim), (0.88, rim), (0.75, rim - 0.06), (0.2, rim - 0.1), (0, rim - 0.1)]
    k.lathe(inside, shade(PORCELAIN, 0.92), at, 20, (width, depth))
    k.lathe([(0.12, rim - 0.098), (0, rim - 0.096)], DARK, at, 8, (width, width))
    k.box(-0.5 * width, 0.5 * width, 0.55 * y, y, rim - 0.12, rim, PORCELAIN)


def _fronts(k: Kit, low: float, high: float, doors: bool) -> None:
    """A vanity's body with two doors or two broad drawers."""
    x, y = k.x, k.y
    k.box(-x + 0.015, x - 0.015, -y + 0.04, y, low, high, k.dark)
    if doors:
        for side, a, b in both_sides(0.008, x - 0.02):
            panelled_door(k, a, b, low + 0.02, high - 0.02, -y + 0.04, k.main)
            k.ball((side * 0.05, -y + 0.01, low + 0.7 * (high - low)), 0.018, STEEL, 6)
        return
    middle = (low + high) / 2
    for a, b in ((low + 0.01, middle - 0.005), (middle + 0.005, high - 0.01)):
        k.soft(-x + 0.02, x - 0.02, -y + 0.02, -y + 0.04, a, b, 0.006)
        k.path(
            [
                (-0.3 * x, -y + 0.02, b - 0.05),
                (-0.3 * x, -y, b - 0.05),
                (0.3 * x, -y, b - 0.05),
                (0.3 * x, -y + 0.02, b - 0.05),
            ],
            0.008,
            CHROME,
        )


def _plain(k: Kit) -> bool:
    """Whether a sink is a narrow white one, which needs no vanity."""
    return k.x <= 0.36 and k.item.colour == "white"


def _pedestal_sink(k: Kit) -> None:
    x, y, z = k.x, k.y, k.z
    radius, rim = min(x, y), 0.84 * z
    profile = [(0, 0), (0.55, 0), (0.32, 0.12 * z), (0.3, 0.6 * z), (0.5, rim - 0.14)]
    k.lathe(profile, PORCELAIN, (0, 0.25 * y), 12, (0.75 * radius, 0.75 * radius))
    _oval_basin(k, rim, x, 0.85 * y)
    tap(k, 0, 0.78 * y, rim, z - rim, 0.62 * y)


@part("bathroom sink")
def door_vanity(k: Kit) -> None:
    """An oval basin with a tap on a vanity with doors; a narrow white one stands on a pedestal."""
    painted_fronts(k)
    if _plain(k):
        _pedestal_sink(k)
        return
    x, y, z = k.x, k.y, k.z
    rim = 0.84 * z
    k.box(-x + 0.04, x - 0.04, -y + 0.08, y, 0, 0.08, DARK)
    _fronts(k, 0.08, rim - 0.12, True)
    k.soft(-x, x, -y, y, rim - 0.12, rim - 0.08, 0.01, PORCELAIN)
    _oval_basin(k, rim, min(0.8 * x, 0.32), 0.72 * y)
    tap(k, 0, 0.78 * y, rim, z - rim, 0.62 * y)


@part("bathroom sink")
def floating_vanity(k: Kit) -> None:
    """A square basin over two drawers that hang above a chrome frame with a towel rail."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    rim = 0.84 * z
    for sx in (-1, 1):
        for sy in (-0.85, 0.9):
            k.box(
                sx * (x - 0.03) - 0.012,
                sx * (x - 0.03) + 0.012,
                sy * y - 0.012,
                sy * y + 0.012,
                0,
                0.42 * z,
                CHROME,
            )
    k.tube((-x + 0.03, -0.85 * y, 0.2 * z), (x - 0.03, -0.85 * y, 0.2 * z), 0.01, CHROME, 6)
    _fronts(k, 0.4 * z, rim - 0.09, False)
    k.soft(-x, x, -y, y, rim - 0.1, rim - 0.06, 0.01, PORCELAIN)
    bx = min(0.84 * x, 0.34)
    basin(k, -bx, bx, -0.85 * y, 0.5 * y, rim - 0.08, rim, PORCELAIN, 0.02)
    k.lathe([(0.03, rim - 0.066), (0, rim - 0.062)], DARK, (0, -0.15 * y), 8)
    k.box(-0.5 * bx, 0.5 * bx, 0.5 * y, y, rim - 0.07, rim, PORCELAIN)
    tap(k, 0, 0.74 * y, rim, z - rim, 0.6 * y)


@part("bathroom sink")
def vessel_sink(k: Kit) -> None:
    """A round bowl that stands on a thick top with a shelf of towels below and a high tap."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    top, rim = 0.7 * z, 0.86 * z
    k.soft(-x, x, -y, y, top - 0.05, top, 0.012, k.main)
    for sx in (-1, 1):
        for sy in (-0.86, 0.86):
            k.box(
                sx * (x - 0.035) - 0.025,
                sx * (x - 0.035) + 0.025,
                sy * y - 0.025,
                sy * y + 0.025,
                0,
                top - 0.05,
                k.dark,
            )
    k.box(-x + 0.02, x - 0.02, -0.9 * y, 0.9 * y, 0.2 * z, 0.225 * z, k.dark)
    for i, tint in enumerate((Paint(240, 238, 230, 5), Paint(150, 186, 200, 5))):
        at = (-0.4 + 0.8 * i) * x
        k.pillow(at - 0.3 * x, at + 0.3 * x, -0.6 * y, 0.6 * y, 0.225 * z, 0.36 * z, tint, 10, 4, 0.3, 0.5)
    r = min(0.62 * x, 0.72 * y, 0.24)
    k.lathe(
        [(0, top), (0.5 * r, top), (0.85 * r, top + 0.45 * (rim - top)), (r, rim)],
        PORCELAIN,
        (0, -0.15 * y),
        18,
    )
    k.lathe(
        [(r, rim), (0.93 * r, rim), (0.75 * r, top + 0.4 * (rim - top)), (0, top + 0.1 * (rim - top))],
        shade(PORCELAIN, 0.92),
        (0, -0.15 * y),
        18,
    )
    tap(k, 0, 0.78 * y, top, z - top, 0.6 * y)
