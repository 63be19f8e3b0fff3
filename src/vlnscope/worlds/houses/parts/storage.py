"""Things that hold other things."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, STEEL, Kit, part
from vlnscope.worlds.houses.parts.tables import drawer


def panelled_door(
    k: Kit, x0: float, x1: float, z0: float, z1: float, front: float, look: Paint, inset: float = 0.07
) -> None:
    """Add a door front with a raised frame around a panel."""
    inset = min(inset, 0.22 * (x1 - x0), 0.22 * (z1 - z0))
    k.box(x0, x1, front - 0.012, front, z0, z1, shade(look, 0.86))
    k.frame((x0, x1), (front - 0.024, front - 0.012), (z0, z1), inset, look)


@part("dresser")
def dresser(k: Kit) -> None:
    """A chest with rows of drawers, two beside each other if it is wide."""
    x, y, z = k.x, k.y, k.z
    foot = min(0.08, 0.12 * z)
    k.legs(0.06, foot, k.dark)
    k.box(-x + 0.01, x - 0.01, -y + 0.03, y, foot, z - 0.03, k.dark)
    k.soft(-x, x, -y, y, z - 0.035, z, 0.01)
    columns, rows = (2 if x > 0.42 else 1), max(3, min(5, round((z - 0.1) / 0.23)))
    wide, tall = (2 * x - 0.04) / columns, (z - foot - 0.06) / rows
    for i in range(columns):
        for j in range(rows):
            left, low = -x + 0.02 + i * wide, foot + 0.015 + j * tall
            drawer(k, left + 0.01, left + wide - 0.01, low + 0.01, low + tall - 0.01, -y + 0.03, BRASS)


@part("wardrobe")
def wardrobe(k: Kit) -> None:
    """A tall case with panelled doors, long handles, a plinth and a cornice."""
    x, y, z = k.x, k.y, k.z
    k.box(-x + 0.02, x - 0.02, -y + 0.04, y, 0, 0.08, k.dark)
    k.box(-x + 0.015, x - 0.015, -y + 0.03, y, 0.08, z - 0.06, k.dark)
    k.soft(-x, x, -y, y, z - 0.07, z, 0.015)
    doors = 3 if x > 0.75 else 2
    wide = (2 * x - 0.05) / doors
    for i in range(doors):
        left = -x + 0.025 + i * wide
        panelled_door(k, left + 0.006, left + wide - 0.006, 0.1, z - 0.09, -y + 0.03, k.main, 0.09)
        handle = left + (wide - 0.05 if i % 2 == 0 else 0.05)
        k.tube((handle, -y - 0.015, 0.42 * z), (handle, -y - 0.015, 0.56 * z), 0.012, STEEL)


@part("cabinet")
def cabinet(k: Kit) -> None:
    """Two panelled doors with knobs; a plinth if it stands on the floor."""
    x, y, z = k.x, k.y, k.z
    foot = 0.0 if k.item.mounted else min(0.08, 0.1 * z)
    k.box(-x + 0.03, x - 0.03, -y + 0.06, y, 0, foot, k.dark)
    k.box(-x, x, -y + 0.025, y, foot, z - 0.02, k.dark)
    k.box(-x, x, -y + 0.005, y, z - 0.025, z)
    k.box(-x, x, -y + 0.02, y, foot, foot + 0.02)
    doors = max(2, round(2 * x / 0.5))
    wide = 2 * x / doors
    for i in range(doors):
        left = -x + i * wide
        panelled_door(k, left + 0.008, left + wide - 0.008, foot + 0.03, z - 0.035, -y + 0.025, k.main)
        knob = left + (wide - 0.05 if i % 2 == 0 else 0.05)
        k.ball((knob, -y - 0.01, foot + (0.22 if k.item.mounted else 0.72) * (z - foot)), 0.02, STEEL, 6)
