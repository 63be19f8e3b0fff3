"""Kitchen furniture and machines."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, texture
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.storage import panelled_door

_STONE = Paint(92, 92, 96, 9)
_PALE_STONE = Paint(216, 212, 204, 9)


def painted_fronts(k: Kit) -> None:
    """Let stone be the material of the worktop alone: the fronts below it are painted wood."""
    if k.main.texture not in (0, texture("wood")):
        k.main = k.main._replace(texture=0)


def worktop(k: Kit) -> Paint:
    """Return a worktop's look that contrasts with the fronts under it."""
    return _STONE if sum(k.main[:3]) > 420 else _PALE_STONE


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


def _fronts(k: Kit, top: float, hollow: float = 0.0) -> None:
    """Base cabinets below `top`: a recessed plinth, drawers over doors; its middle may be hollow."""
    x, y = k.x, k.y
    k.box(-x, x, -y + 0.08, y, 0, 0.09, DARK)
    k.box(-x, x, -y + 0.045, y, 0.09, top if not hollow else top - 0.2, k.dark)
    if hollow:
        for a, b, c, d in (
            (-x, -hollow, -y + 0.045, y),
            (hollow, x, -y + 0.045, y),
            (-x, x, -y + 0.045, -0.75 * y),
        ):
            k.box(a, b, c, d, top - 0.2, top, k.dark)
    doors = max(1, round(2 * x / 0.5))
    wide = 2 * x / doors
    for i in range(doors):
        left = -x + i * wide
        k.box(left + 0.006, left + wide - 0.006, -y + 0.025, -y + 0.045, 0.8 * top, top - 0.012)
        panelled_door(k, left + 0.006, left + wide - 0.006, 0.1, 0.78 * top, -y + 0.045, k.main, 0.06)
        middle = left + wide / 2
        k.tube(
            (middle - 0.07, -y + 0.012, 0.89 * top), (middle + 0.07, -y + 0.012, 0.89 * top), 0.009, STEEL, 5
        )
        k.tube(
            (middle - 0.07, -y + 0.008, 0.72 * top), (middle + 0.07, -y + 0.008, 0.72 * top), 0.009, STEEL, 5
        )


@part("kitchen counter")
def kitchen_counter(k: Kit) -> None:
    """Drawers and doors under a stone worktop with a low upstand at the wall."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    top = 0.94 * z
    _fronts(k, top - 0.04)
    k.box(-x, x, -y, y, top - 0.04, top, worktop(k))
    k.box(-x, x, y - 0.02, y, top, z, worktop(k))


@part("kitchen island")
def kitchen_island(k: Kit) -> None:
    """Panelled body with a thick top that overhangs on all sides."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    k.box(-x + 0.12, x - 0.12, -y + 0.16, y - 0.16, 0, 0.09, DARK)
    k.box(-x + 0.08, x - 0.08, -y + 0.12, y - 0.12, 0.09, z - 0.05)
    panels = max(2, round(2 * x / 0.55))
    wide = (2 * x - 0.2) / panels
    for i in range(panels):
        left = -x + 0.1 + i * wide
        panelled_door(k, left + 0.02, left + wide - 0.02, 0.13, z - 0.09, -y + 0.12, k.light)
        k.ball((left + wide - 0.05, -y + 0.09, 0.7 * z), 0.018, STEEL, 6)
    k.soft(-x, x, -y, y, z - 0.055, z, 0.012, worktop(k))


@part("sink")
def sink(k: Kit) -> None:
    """A steel basin with a tap; over cabinet doors if it is as high as a counter, else to be set in one."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    if z < 0.55:
        basin(k, -x, x, -y, 0.7 * y, 0, 0.55 * z, CHROME, 0.035)
        k.box(-x, x, 0.7 * y, y, 0, 0.55 * z, CHROME)
        k.lathe([(0, 0.09 * z), (0.035, 0.09 * z), (0, 0.1 * z)], DARK, (0, -0.15 * y), 8)
        tap(k, 0, 0.82 * y, 0.55 * z, max(0.45 * z, 0.16), 0.9 * y)
        return
    top = min(0.9, 0.8 * z)
    stone, bx, front, back = worktop(k), 0.74 * x, -0.72 * y, 0.5 * y
    _fronts(k, top - 0.04, bx)
    for _, a, b in both_sides(x, bx):
        k.box(a, b, -y, y, top - 0.04, top, stone)
    k.box(-bx, bx, -y, front, top - 0.04, top, stone)
    k.box(-bx, bx, back, y, top - 0.04, top, stone)
    basin(k, -bx, bx, front, back, top - 0.2, top + 0.012, CHROME)
    k.lathe([(0, top - 0.168), (0.04, top - 0.168), (0, top - 0.16)], DARK, (0, -0.1 * y), 8)
    tap(k, 0, 0.66 * y, top, z - top, 0.62 * y)
