"""Things that hold other things."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import Kit, part

_PAGES = Paint(244, 238, 222)
_SPINES = (
    "red",
    "navy",
    "green",
    "cream",
    "teal",
    "maroon",
    "orange",
    "charcoal",
    "gold",
    "blue",
    "white",
    "purple",
)


def panelled_door(
    k: Kit, x0: float, x1: float, z0: float, z1: float, front: float, look: Paint, inset: float = 0.07
) -> None:
    """Add a door front with a raised frame around a panel."""
    inset = min(inset, 0.22 * (x1 - x0), 0.22 * (z1 - z0))
    k.box(x0, x1, front - 0.012, front, z0, z1, shade(look, 0.86))
    k.frame((x0, x1), (front - 0.024, front - 0.012), (z0, z1), inset, look)


def row_of_books(
    k: Kit, x0: float, x1: float, y0: float, y1: float, z0: float, tallest: float, own: float = 0.0
) -> None:
    """Add upright books side by side, their spines at y0, of chance heights and colours.

    The share `own` of the books has the main colour; such a row also shows pages and titles.
    """
    at = x0
    while at < x1 - 0.012:
        wide = min((0.018 if own else 0.028) + (0.026 if own else 0.04) * k.rng.random(), x1 - at)
        tall = tallest * (0.68 + 0.32 * k.rng.random())
        look = paint(_SPINES[int(k.rng.integers(len(_SPINES)))])
        if own and k.rng.random() < own:
            look = k.main._replace(texture=0)
        back = y0 + 0.03 * k.rng.random()
        k.box(at + 0.001, at + wide - 0.001, back, y1, z0, z0 + tall, look)
        if own:
            k.box(at + 0.15 * wide, at + 0.85 * wide, back + 0.01, y1, z0 + tall, z0 + tall + 0.002, _PAGES)
            for low, high in ((0.15, 0.2), (0.6, 0.82)):
                look = shade(look, 1.5) if sum(look[:3]) < 480 else shade(look, 0.6)
                sides = (at + 0.2 * wide, at + 0.8 * wide, back - 0.001, back)
                k.box(*sides, z0 + low * tall, z0 + high * tall, look)
        at += wide


@part("bookshelf")
def bookshelf(k: Kit) -> None:
    """A case of open shelves full of books, here and there a box or a vase."""
    x, y, z = k.x, k.y, k.z
    side = min(0.03, 0.1 * x)
    k.box(-x, x, y - 0.015, y, 0, z, k.dark)
    k.box(-x, -x + side, -y, y, 0, z)
    k.box(x - side, x, -y, y, 0, z)
    rows = max(2, round(z / 0.36))
    tall = (z - 0.05) / rows
    for i in range(rows + 1):
        low = i * tall
        thick = (0.025, 0.05) if i == 0 else (0, 0.025)
        k.box(-x + side, x - side, -y, y - 0.015, low + thick[0], low + thick[1])
    for i in range(rows):
        low, end = i * tall + (0.05 if i == 0 else 0.025), x - side
        filled = end - (0.55 * x * k.rng.random() if i % 2 else 0.0)
        row_of_books(k, -x + side, filled, -y + 0.03, y - 0.02, low, 0.8 * (tall - 0.03))
        if end - filled > 0.16:
            middle = (filled + end) / 2
            k.lathe(
                [(0, low), (0.05, low), (0.065, low + 0.09), (0.03, low + 0.15), (0, low + 0.15)],
                paint("white"),
                (middle, 0.0),
                8,
            )
