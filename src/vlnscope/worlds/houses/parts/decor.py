"""Things that make a room pleasant."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import DARK_WOOD, LEAF, WHITE, Kit, part
from vlnscope.worlds.houses.parts.storage import row_of_books



@part("rug")
def rug(k: Kit) -> None:
    """A flat cloth with a border, a field and a diamond, fringes at two ends."""
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=4)
    pale = shade(look, 1.55) if sum(look[:3]) < 430 else shade(look, 0.6)
    edge, fringe = 0.12 * min(x, y), min(0.06, 0.05 * x)
    k.box(-x + fringe, x - fringe, -y, y, 0, 0.7 * z, look)
    k.box(-x + fringe + edge, x - fringe - edge, -y + edge, y - edge, 0.7 * z, 0.8 * z, pale)
    wide, deep = x - fringe - 1.6 * edge, y - 1.6 * edge
    k.box(-wide, wide, -deep, deep, 0.8 * z, 0.9 * z, look)
    k.add(shapes.prism([(0.5 * x, 0), (0, 0.5 * y), (-0.5 * x, 0), (0, -0.5 * y)], 0.9 * z, 0.95 * z), pale)
    k.add(
        shapes.prism([(0.3 * x, 0), (0, 0.3 * y), (-0.3 * x, 0), (0, -0.3 * y)], 0.95 * z, z),
        shade(look, 0.75),
    )
    count = max(8, round(2 * y / 0.09))
    for side in (-1, 1):
        for i in range(count):
            at = -y + (i + 0.5) * 2 * y / count
            a, b = sorted((side * x, side * (x - fringe)))
            k.box(a, b, at - 0.22 * y / count, at + 0.22 * y / count, 0, 0.4 * z, WHITE)


@part("books")
def books(k: Kit) -> None:
    """A row that stands if it is high, else a flat stack with a book of the main colour on top."""
    x, y, z = k.x, k.y, k.z
    if z > 0.75 * 2 * y or z > 0.18:
        row_of_books(k, -x, x, -y, y, 0, z, 0.5)
        return
    tints = ("red", "navy", "green", "gold", "teal", "maroon", "orange", "purple")
    count = max(2, min(6, round(z / 0.032)))
    order, tall = k.rng.permutation(len(tints)), z / count
    for i in range(count):
        look = k.main._replace(texture=0) if i == count - 1 else paint(tints[int(order[i])])
        wide, deep = x * (1 - 0.05 * k.rng.random()), y * (1 - 0.08 * k.rng.random())
        low, board = i * tall, 0.16 * tall
        pages = shapes.box(-wide * 0.97, wide * 0.97, -deep, deep * 0.96, low + board, low + tall - board)
        cover = [
            shapes.box(-wide, wide, -deep, deep, low, low + board),
            shapes.box(-wide, wide, -deep, deep, low + tall - board, low + tall),
            shapes.box(-wide, wide, -deep - 0.004, -deep + 0.004, low, low + tall),
        ]
        twist = (k.rng.random() - 0.5) * 14
        k.add(shapes.turned(pages, 2, twist), Paint(244, 238, 222))
        k.add(shapes.turned(shapes.together(cover), 2, twist), look)
        title = shapes.box(
            -0.5 * wide, 0.3 * wide, -deep - 0.006, -deep, low + 0.35 * tall, low + 0.65 * tall
        )
        k.add(shapes.turned(title, 2, twist), shade(look, 1.6))
