"""Paintings and clocks."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, DARK, Kit, part
from vlnscope.worlds.rendering.appearance import TextureImage
from vlnscope.worlds.rendering.mesh import TEXTURES
from vlnscope.worlds.rendering.pictures.gallery import picture as drawn

_MOUNT = Paint(244, 241, 232, TEXTURES.index("paper"))
_CANVAS = Paint(150, 140, 126, TEXTURES.index("paper"))
_WIDE = (
    *("landscape", "mountains", "forest", "seascape", "city", "photograph", "abstract", "colour fields"),
    *("geometric", "circles", "still life", "map", "stripes"),
)
_TALL = (
    *("portrait", "botanical", "poster", "botanical", "portrait", "abstract", "colour fields", "forest"),
    *("circles", "geometric", "still life", "seascape", "stripes"),
)


def motif_of(k: Kit, wide: float, tall: float, turn: int = 0) -> TextureImage:
    """Return a painting of this shape, chosen by the item's id; `turn` counts those of one item."""
    kinds = _TALL if wide < 0.95 * tall else _WIDE
    kind = kinds[int(k.rng.integers(len(kinds)))]
    return drawn(kind, f"{k.identity}/{turn}", round(wide, 2), round(tall, 2))


def _canvas(k: Kit, xs: tuple[float, float], zs: tuple[float, float], front: float, turn: int = 0) -> None:
    (x0, x1), (z0, z1) = xs, zs
    panel = shapes.quad((x0, front, z0), (x1, front, z0), (x1, front, z1), (x0, front, z1))
    k.printed(panel, motif_of(k, x1 - x0, z1 - z0, turn), _CANVAS)


@part("picture")
def framed_print(k: Kit) -> None:
    """A narrow frame in the main colour around a broad mount and a small picture."""
    x, y, z = k.x, k.y, k.z
    edge = min(0.025, 0.1 * x, 0.1 * z)
    mount = edge + min(0.09, 0.22 * x, 0.11 * z)
    k.frame((-x, x), (-y, y), (0, z), edge)
    front = -0.1 * y
    k.add(
        shapes.quad(
            (-x + edge, front, edge),
            (x - edge, front, edge),
            (x - edge, front, z - edge),
            (-x + edge, front, z - edge),
        ),
        _MOUNT,
    )
    _canvas(k, (-x + mount, x - mount), (mount, z - mount), front - 0.002)


@part("picture")
def gallery_frame(k: Kit) -> None:
    """A broad frame in the main colour that rises from the picture to its outer edge."""
    x, y, z = k.x, k.y, k.z
    edge = min(0.07, 0.2 * x, 0.2 * z)
    k.box(-x, x, 0.5 * y, y, 0, z, k.dark)
    k.frame((-x, x), (-0.5 * y, 0.5 * y), (0, z), edge)
    k.frame((-x, x), (-y, -0.5 * y), (0, z), 0.35 * edge, k.dark)
    inner = 0.82 * edge
    k.frame(
        (-x + inner, x - inner), (-0.75 * y, -0.4 * y), (inner, z - inner), edge - inner, shade(BRASS, 1.1)
    )
    _canvas(k, (-x + edge, x - edge), (edge, z - edge), -0.35 * y)


@part("picture")
def stretched_canvas(k: Kit) -> None:
    """A canvas without a mount in a thin floating frame."""
    x, y, z = k.x, k.y, k.z
    edge = min(0.012, 0.08 * x, 0.08 * z)
    gap = 1.8 * edge
    k.box(-x, x, 0.6 * y, y, 0, z, DARK)
    k.frame((-x, x), (-y, 0.6 * y), (0, z), edge)
    k.box(-x + gap, x - gap, -0.6 * y, 0.6 * y, gap, z - gap, _CANVAS)
    _canvas(k, (-x + gap, x - gap), (gap, z - gap), -0.62 * y)


@part("picture")
def group_of_three(k: Kit) -> None:
    """Three narrow frames side by side if it is wide enough, else one with a broad mount."""
    x, y, z = k.x, k.y, k.z
    if x < 0.35:
        framed_print(k)
        return
    wide = 2 * x / 3.16
    for i in range(3):
        left = -x + i * 1.08 * wide
        edge = min(0.018, 0.1 * wide)
        k.frame((left, left + wide), (-y, y), (0, z), edge)
        _canvas(k, (left + edge, left + wide - edge), (edge, z - edge), -0.2 * y, i)


def _dial(k: Kit, radius: float, front: float) -> None:
    face = shapes.facing_front(shapes.cylinder(radius, 0.0, 0.1 * k.y, 24))
    image = drawn("clock face", k.identity, 1.0, 1.0, k.main[:3], 128)
    k.printed(face, image, Paint(226, 224, 216, TEXTURES.index("gloss")), (0, front, k.z / 2))


@part("clock")
def round_clock(k: Kit) -> None:
    """A round rim in the main colour around a dial."""
    radius, y = min(k.x, k.z / 2), k.y
    k.add(shapes.facing_front(shapes.cylinder(radius, -y, 0.3 * y, 24)), k.main, (0, 0, k.z / 2))
    rim = shapes.facing_front(shapes.ring(0.92 * radius, 0.08 * radius, 24, 6))
    flat = min(3.0, 0.6 * y / (0.08 * radius))
    k.add(shapes.stretched(rim, 1, flat, 1), k.main, (0, -0.4 * y, k.z / 2))
    _dial(k, 0.87 * radius, -0.3 * y)


@part("clock")
def sunburst_clock(k: Kit) -> None:
    """Rays in the main colour around a small dial."""
    radius, y = min(k.x, k.z / 2), k.y
    for i in range(16):
        long = radius if i % 2 == 0 else 0.8 * radius
        ray = shapes.frustum(
            (-0.05 * radius, 0.05 * radius, -0.3 * y, 0.6 * y),
            (-0.012 * radius, 0.012 * radius, -0.2 * y, 0.4 * y),
            0.4 * radius,
            long,
        )
        k.add(shapes.turned(ray, 1, 22.5 * i), k.main if i % 2 == 0 else k.dark, (0, 0, k.z / 2))
    k.add(shapes.facing_front(shapes.cylinder(0.58 * radius, -y, 0.5 * y, 24)), k.main, (0, 0, k.z / 2))
    _dial(k, 0.5 * radius, -0.5 * y)


@part("clock")
def square_clock(k: Kit) -> None:
    """A dial in a square case with a bevelled edge."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.6 * y, y, 0, z, 0.05 * min(x, z))
    edge = 0.1 * min(x, z / 2)
    k.frame((-x, x), (-y, -0.6 * y), (0, z), edge, k.dark)
    _dial(k, 0.84 * min(x, z / 2), -0.6 * y)
