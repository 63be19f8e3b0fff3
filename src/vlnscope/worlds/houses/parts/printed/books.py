"""Books and the cases that hold them."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import DARK, WHITE, Kit, part
from vlnscope.worlds.rendering.mesh import TEXTURES
from vlnscope.worlds.rendering.pictures.gallery import CUTS, picture

_PAGES = Paint(240, 232, 214, TEXTURES.index("paper"))
_SPINE = Paint(110, 86, 74, TEXTURES.index("paper"))
_COVERS = ("maroon", "navy", "green", "charcoal", "walnut", "tan", "teal")
_ROWS = 24
"""How many different rows of spines there are; houses share them."""
_BOOK = 0.036
"""Usual thickness of a book."""


def row_of_books(
    k: Kit, x0: float, x1: float, y0: float, y1: float, z0: float, tallest: float, own: float = 0.0
) -> None:
    """Add upright books side by side, their spines at y0, of chance heights and colours.

    They come in blocks of a few books with one height. The share `own` of the blocks is in the main colour.
    """
    image = picture("spines", int(k.rng.integers(_ROWS)), 4.0, 1.0, longest=208)
    at, first = x0, int(k.rng.integers(len(CUTS) - 6))
    while at < x1 - 0.012:
        count = int(k.rng.integers(1, 6))
        last = min(first + count, len(CUTS) - 1)
        share = CUTS[last] - CUTS[first]
        wide = min(max(0.02, share * (len(CUTS) - 1) * _BOOK), x1 - at)
        tall = tallest * (0.7 + 0.3 * k.rng.random())
        front, end = y0 + 0.02 * k.rng.random(), at + wide
        cover, alike = paint(_COVERS[int(k.rng.integers(len(_COVERS)))]), k.rng.random() < own
        k.box(at, end, front + 0.001, y1, z0, z0 + tall, k.main if alike else cover)
        top = [(at + 0.004, front + 0.004), (end - 0.004, front + 0.004), (end - 0.004, y1), (at + 0.004, y1)]
        k.add(shapes.quad(*((px, py, z0 + tall + 0.001) for px, py in top)), _PAGES)
        corners = [(at, front, z0), (end, front, z0), (end, front, z0 + tall), (at, front, z0 + tall)]
        if alike:
            _own_book(k, at, end, front, z0, tall)
        else:
            k.printed(shapes.quad(*corners), image, _SPINE, part=(CUTS[first], 0.0, CUTS[last], 1.0))
        at, first = end, last if last < len(CUTS) - 1 else 0


def _own_book(k: Kit, x0: float, x1: float, front: float, z0: float, tall: float) -> None:
    """Cloth-bound books in the main colour, with titles."""
    cloth = k.main._replace(texture=TEXTURES.index("fabric"))
    count = max(1, round((x1 - x0) / _BOOK))
    wide = (x1 - x0) / count
    for i in range(count):
        left = x0 + i * wide
        k.box(left + 0.001, left + wide - 0.001, front - 0.002, front + 0.04, z0, z0 + tall, cloth)
        gold = shade(cloth, 1.6) if sum(cloth[:3]) < 480 else shade(cloth, 0.5)
        k.box(
            left + 0.2 * wide,
            left + 0.8 * wide,
            front - 0.003,
            front,
            z0 + 0.62 * tall,
            z0 + 0.82 * tall,
            gold,
        )


@part("books")
def standing_books(k: Kit) -> None:
    """A row of books, half of them in the main colour; a low item is a stack instead."""
    x, y, z = k.x, k.y, k.z
    if z < 0.12:
        stack_of_books(k)
        return
    _own_book(k, -x, -0.55 * x, -y, 0, 0.98 * z)
    row_of_books(k, -0.55 * x, x, -y, y, 0, z, 0.4)


@part("books")
def stack_of_books(k: Kit) -> None:
    """Books that lie on each other, the uppermost in the main colour."""
    _stack(k, k.x, k.y, 0.0, k.z, 14.0)


@part("books")
def leaning_books(k: Kit) -> None:
    """A short stack with a row beside it."""
    x, y, z = k.x, k.y, k.z
    if z < 0.12:
        _stack(k, x, y, 0.0, z, 5.0)
        return
    row_of_books(k, -x, 0.1 * x, -y, y, 0, z, 0.5)
    for i in range(3):
        tone = k.main if i == 2 else shade(k.main, 0.7 + 0.9 * i)
        _lying_book(k, (0.15 * x, x), (-y, 0.8 * y), (0.11 * z * i, 0.11 * z * (i + 1)), tone)


def _stack(k: Kit, x: float, y: float, low: float, high: float, twist: float) -> None:
    tints = ("red", "navy", "green", "gold", "teal", "maroon", "orange", "purple")
    count = max(3, min(6, round((high - low) / 0.032)))
    order, tall = k.rng.permutation(len(tints)), (high - low) / count
    for i in range(count):
        look = k.main if i == count - 1 else paint(tints[int(order[i])], "fabric")
        wide, deep = x * (1 - 0.12 * k.rng.random()), y * (1 - 0.16 * k.rng.random())
        bottom = low + i * tall
        _lying_book(
            k, (-wide, wide), (-deep, deep), (bottom, bottom + tall), look, (k.rng.random() - 0.5) * twist
        )


def _lying_book(
    k: Kit,
    xs: tuple[float, float],
    ys: tuple[float, float],
    zs: tuple[float, float],
    look: Paint,
    degrees: float = 0.0,
) -> None:
    """One flat book: two boards, a spine to the front with its title, and pages."""
    (x0, x1), (y0, y1), (z0, z1) = xs, ys, zs
    cloth, board = look._replace(texture=TEXTURES.index("fabric")), 0.14 * (z1 - z0)
    pages = shapes.box(x0 + 0.006, x1 - 0.006, y0 + 0.002, y1 - 0.006, z0 + board, z1 - board)
    cover = [
        shapes.box(x0, x1, y0, y1, z0, z0 + board),
        shapes.box(x0, x1, y0, y1, z1 - board, z1),
        shapes.box(x0, x1, y0 - 0.004, y0 + 0.004, z0, z1),
    ]
    k.add(shapes.turned(pages, 2, degrees), _PAGES)
    k.add(shapes.turned(shapes.together(cover), 2, degrees), cloth)
    middle, wide, tall = (x0 + x1) / 2, x1 - x0, z1 - z0
    title = shapes.box(
        middle - 0.3 * wide, middle + 0.15 * wide, y0 - 0.006, y0, z0 + 0.35 * tall, z1 - 0.35 * tall
    )
    k.add(shapes.turned(title, 2, degrees), shade(cloth, 1.6) if sum(cloth[:3]) < 480 else shade(cloth, 0.5))


def _shelf_goods(k: Kit, x0: float, x1: float, low: float, room: float) -> None:
    """Fill a shelf: books, and sometimes a vase, a box or lying books beside them."""
    y, wide = k.y, x1 - x0
    filled = x1 - (0.0 if k.rng.random() < 0.45 or wide < 0.4 else wide * k.rng.uniform(0.25, 0.5))
    row_of_books(k, x0 + 0.004, filled, -y + 0.03, 0.6 * y, low, 0.9 * room)
    if x1 - filled < 0.14:
        return
    middle, half = (filled + x1) / 2, 0.35 * (x1 - filled)
    kind = int(k.rng.integers(3))
    if kind == 0:
        radius, tall = min(half, 0.07), min(0.7 * room, 0.22)
        profile = [(0.0, 0.0), (0.6, 0.0), (1.0, 0.4), (0.45, 0.8), (0.6, 1.0), (0.0, 0.9)]
        points = [(radius * r, low + tall * h) for r, h in profile]
        tint = ("white", "teal", "gold", "sage", "terracotta")[int(k.rng.integers(5))]
        k.lathe(points, paint(tint, "ceramic"), (middle, 0.0), 10)
    elif kind == 1:
        look = paint(("beige", "grey", "tan")[int(k.rng.integers(3))], "wicker")
        k.soft(middle - half, middle + half, -0.7 * y, 0.6 * y, low, low + 0.6 * room, 0.02, look)
    else:
        for i in range(3):
            tint = ("maroon", "navy", "sand", "green")[int(k.rng.integers(4))]
            zs = (low + 0.035 * i, low + 0.035 * (i + 1))
            _lying_book(k, (middle - half, middle + half), (-0.7 * y, 0.5 * y), zs, paint(tint))


def _shelves(k: Kit, x0: float, x1: float, rows: int, low: float, high: float, thick: float) -> None:
    """Boards from `low` to `high` with goods on all but the uppermost."""
    tall = (high - low - thick) / rows
    for i in range(rows + 1):
        z = low + i * tall
        k.box(x0, x1, -k.y + 0.005, k.y - 0.012, z, z + thick)
        if i < rows:
            _shelf_goods(k, x0, x1, z + thick, tall - thick)


@part("bookshelf")
def open_case(k: Kit) -> None:
    """A case of open shelves with a plinth."""
    x, y, z = k.x, k.y, k.z
    side = min(0.028, 0.1 * x)
    k.box(-x, x, y - 0.012, y, 0, z, k.dark)
    for a, b in ((-x, -x + side), (x - side, x)):
        k.box(a, b, -y, y - 0.012, 0, z)
    plinth = min(0.07, 0.08 * z)
    k.box(-x + side, x - side, -y + 0.02, y - 0.012, 0, plinth, k.dark)
    _shelves(k, -x + side, x - side, max(2, round(z / 0.36)), plinth, z, 0.024)


@part("bookshelf")
def ladder_case(k: Kit) -> None:
    """Boards between slender metal posts, without a back."""
    x, y, z = k.x, k.y, k.z
    post = min(0.012, 0.05 * x)
    for sx in (-1, 1):
        for sy in (-1, 1):
            px, py = sx * (x - post), sy * (y - post)
            k.box(px - post, px + post, py - post, py + post, 0, z, DARK)
    k.tube((-x + post, y - post, 0.06 * z), (x - post, y - post, 0.94 * z), 0.006, DARK, 5)
    _shelves(k, -x + 2 * post, x - 2 * post, max(2, round(z / 0.4)), 0.06, z, 0.03)


@part("bookshelf")
def cupboard_case(k: Kit) -> None:
    """Shelves above two cupboard doors, below a cornice."""
    x, y, z = k.x, k.y, k.z
    side, base = min(0.03, 0.1 * x), 0.32 * z
    k.box(-x + 0.01, x - 0.01, y - 0.012, y, 0, z, k.dark)
    for a, b in ((-x + 0.01, -x + side), (x - side, x - 0.01)):
        k.box(a, b, -y + 0.01, y - 0.012, 0, z)
    k.box(-x + side, x - side, -y + 0.02, y - 0.012, 0, base, k.dark)
    for a, b in ((-x + side, -0.003), (0.003, x - side)):
        k.box(a + 0.004, b - 0.004, -y + 0.006, -y + 0.02, 0.05, base - 0.012)
        k.frame((a + 0.03, b - 0.03), (-y, -y + 0.006), (0.08, base - 0.04), 0.025)
    for side_sign in (-1, 1):
        k.ball((side_sign * 0.035, -y - 0.004, 0.6 * base), 0.012, WHITE, 6)
    k.soft(-x, x, -y - 0.004, y, z - 0.05, z, 0.012)
    _shelves(k, -x + side, x - side, max(1, round((z - base) / 0.36)), base, z - 0.05, 0.024)
