"""Kitchen sinks."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, PORCELAIN, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.kitchens.counters import fronts, painted_fronts, worktop
from vlnscope.worlds.houses.parts.surfaces import looking


def basin(
    k: Kit,
    x0: float,
    x1: float,
    y0: float,
    y1: float,
    low: float,
    high: float,
    look: Paint,
    rim: float = 0.03,
) -> None:
    """Add a tub that is open at its top."""
    wall = min(rim, 0.2 * (x1 - x0), 0.2 * (y1 - y0))
    k.box(x0, x1, y0, y1, low, low + 0.15 * (high - low), look)
    k.box(x0, x0 + wall, y0, y1, low, high, look)
    k.box(x1 - wall, x1, y0, y1, low, high, look)
    k.box(x0 + wall, x1 - wall, y0, y0 + wall, low, high, look)
    k.box(x0 + wall, x1 - wall, y1 - wall, y1, low, high, look)


def tap(k: Kit, x: float, y: float, low: float, tall: float, reach: float, look: Paint = CHROME) -> None:
    """Add a tap: a bent neck towards the front and a lever."""
    thick = max(0.01, 0.06 * tall)
    k.path(
        [
            (x, y, low),
            (x, y, low + 0.85 * tall),
            (x, y - 0.35 * reach, low + tall - thick),
            (x, y - 0.85 * reach, low + 0.93 * tall),
            (x, y - reach, low + 0.68 * tall),
        ],
        thick,
        look,
    )
    k.lathe(
        [(0, low), (2.2 * thick, low), (1.8 * thick, low + 0.1 * tall), (0, low + 0.1 * tall)],
        look,
        (x, y),
        8,
    )
    k.tube((x, y, low + 0.4 * tall), (x + 0.4 * tall, y, low + 0.55 * tall), 0.7 * thick, look, 5)


def _drain(k: Kit, x: float, y: float, level: float) -> None:
    k.lathe([(0, level), (0.04, level), (0, level + 0.008)], DARK, (x, y), 8)


def _set_in_sink(k: Kit) -> None:
    """A basin to be set in a worktop."""
    x, y, z = k.x, k.y, k.z
    basin(k, -x, x, -y, 0.7 * y, 0, 0.55 * z, CHROME, 0.035)
    k.box(-x, x, 0.7 * y, y, 0, 0.55 * z, CHROME)
    _drain(k, 0, -0.15 * y, 0.09 * z)
    tap(k, 0, 0.82 * y, 0.55 * z, max(0.45 * z, 0.16), 0.9 * y)


def _basin_look(k: Kit) -> Paint:
    return PORCELAIN if k.item.material == "ceramic" else CHROME


def _over_cabinet(k: Kit, top: float, bx: float, front: float, back: float) -> None:
    """Cabinets with a worktop that has a hole from -bx to bx and `front` to `back`."""
    x, y, stone = k.x, k.y, worktop(k)
    fronts(k, top - 0.04, bx)
    for _, a, b in both_sides(x, bx):
        k.box(a, b, -y, y, top - 0.04, top, stone)
    k.box(-bx, bx, -y, front, top - 0.04, top, stone)
    k.box(-bx, bx, back, y, top - 0.04, top, stone)


@part("sink")
def single_sink(k: Kit) -> None:
    """A basin with a tap; over cabinet doors if it is as high as a counter, else to be set in one."""
    painted_fronts(k)
    if k.z < 0.55:
        _set_in_sink(k)
        return
    x, y, z = k.x, k.y, k.z
    top, bx, front, back = min(0.9, 0.8 * z), 0.74 * x, -0.72 * y, 0.5 * y
    _over_cabinet(k, top, bx, front, back)
    basin(k, -bx, bx, front, back, top - 0.2, top + 0.012, _basin_look(k))
    _drain(k, 0, -0.1 * y, top - 0.168)
    tap(k, 0, 0.66 * y, top, z - top, 0.62 * y)


@part("sink")
def double_sink(k: Kit) -> None:
    """Two basins side by side with a high bent tap between them."""
    painted_fronts(k)
    if k.z < 0.55:
        _set_in_sink(k)
        return
    x, y, z = k.x, k.y, k.z
    top, bx, front, back = min(0.9, 0.8 * z), 0.84 * x, -0.7 * y, 0.5 * y
    _over_cabinet(k, top, bx, front, back)
    for a, b in ((-bx, 0.1 * bx), (0.12 * bx, bx)):
        basin(k, a, b, front, back, top - 0.2, top + 0.012, _basin_look(k))
        _drain(k, (a + b) / 2, -0.1 * y, top - 0.168)
    tall = z - top
    line = [
        (0, 0.66 * y, top),
        (0, 0.66 * y, top + 0.75 * tall),
        (0, 0.5 * y, z - 0.01),
        (0, 0.2 * y, z - 0.01),
        (0, 0.1 * y, top + 0.6 * tall),
    ]
    k.path(line, 0.014, CHROME, 6)
    k.tube((0, 0.66 * y, top + 0.2 * tall), (0.1, 0.66 * y, top + 0.3 * tall), 0.01, CHROME, 5)


@part("sink")
def farmhouse_sink(k: Kit) -> None:
    """A deep white trough whose front shows between the cabinets, a tap with two cross handles."""
    painted_fronts(k)
    if k.z < 0.55:
        _set_in_sink(k)
        return
    x, y, z = k.x, k.y, k.z
    top, bx, front, back = min(0.9, 0.8 * z), 0.8 * x, -y, 0.5 * y
    _over_cabinet(k, top, bx, -y + 0.03, back)
    k.soft(-bx, bx, front, -y + 0.05, top - 0.24, top + 0.012, 0.02, PORCELAIN)
    basin(k, -bx, bx, front + 0.03, back, top - 0.22, top + 0.012, PORCELAIN)
    _drain(k, 0, -0.1 * y, top - 0.18)
    tap(
        k, 0, 0.68 * y, top, z - top, 0.62 * y, looking(WOOD, "metal") if k.item.colour == "black" else CHROME
    )
    for side in (-1, 1):
        k.lathe(
            [(0.012, top), (0.012, top + 0.07), (0.03, top + 0.075), (0.03, top + 0.09), (0, top + 0.09)],
            CHROME,
            (side * 0.14, 0.68 * y),
            6,
        )
    k.add(
        shapes.turned(shapes.box(-0.1, 0.1, -0.004, 0.004, -0.12, 0), 2, 4),
        looking(Paint(206, 222, 232), "fabric"),
        (0.5 * bx, -y - 0.006, top + 0.014),
    )
