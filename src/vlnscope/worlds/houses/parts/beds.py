"""Beds."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import shade
from vlnscope.worlds.houses.parts.kit import DARK_WOOD, WHITE, WOOD, Kit, part


@part("bed")
def bed(k: Kit) -> None:
    """A headboard at the back, a frame, a mattress, a blanket in the main colour, pillows."""
    x, y, z = k.x, k.y, k.z
    wooden = k.item.material in ("wood", "oak", "walnut", "pine")
    frame = (DARK_WOOD if sum(k.main[:3]) > 380 else WOOD) if not wooden else k.dark
    top = 0.56 * z
    k.soft(-x, x, y - 0.07, y, 0, z, 0.02, frame)
    k.box(-0.85 * x, 0.85 * x, y - 0.085, y - 0.07, 0.62 * z, 0.93 * z, shade(frame, 1.2))
    k.box(-x, x, -y + 0.02, y - 0.06, 0.14 * z, 0.32 * z, frame)
    k.box(-x, x, -y, -y + 0.05, 0.0, 0.4 * z, frame)
    k.soft(-x + 0.03, x - 0.03, -y + 0.05, y - 0.07, 0.3 * z, top - 0.02, 0.04, WHITE)
    fold = y - 0.62 if y > 0.8 else 0.35 * y
    k.soft(-x + 0.005, x - 0.005, -y + 0.03, fold, 0.34 * z, top + 0.015, 0.04)
    k.soft(-x + 0.002, x - 0.002, fold - 0.16, fold + 0.02, 0.36 * z, top + 0.025, 0.03, k.light)
    pillows = 2 if x > 0.58 else 1
    width = min(0.68, (2 * x - 0.1) / pillows - 0.04)
    for i in range(pillows):
        middle = (i - (pillows - 1) / 2) * (width + 0.06)
        pillow = shapes.soft(-width / 2, width / 2, -0.2, 0.2, -0.07, 0.07, 0.06)
        k.add(shapes.turned(pillow, 0, 20), WHITE, (middle, y - 0.3, top + 0.1))
