"""Teddy bears."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _fur(k: Kit) -> tuple[Paint, Paint]:
    fur = looking(k.main, "carpet")
    return fur, shade(fur, 1.4) if sum(fur[:3]) < 600 else shade(fur, 0.8)


def _head(k: Kit, level: float, size: float) -> None:
    """A head with round ears, a muzzle, a nose and eyes; level and size in shares of the height."""
    x, y, u = k.x, k.y, k.z
    fur, pale = _fur(k)
    wide, tall = size / 0.22 * 0.56 * x, size * u
    k.ball((0, 0.1 * y, level * u), (wide, 0.52 * y, tall), fur, 10)
    k.ball((0, -0.36 * y, (level - 0.05) * u), (0.26 * x, 0.24 * y, 0.09 * u), pale, 8)
    k.ball((0, -0.58 * y, (level - 0.02) * u), (0.09 * x, 0.07 * y, 0.03 * u), BLACK, 6)
    for side in (-1, 1):
        k.ball((side * 0.78 * wide, 0.15 * y, level * u + 0.9 * tall), (0.2 * x, 0.14 * y, 0.09 * u), fur, 7)
        k.ball(
            (side * 0.78 * wide, 0.03 * y, level * u + 0.9 * tall), (0.11 * x, 0.06 * y, 0.05 * u), pale, 6
        )
        k.ball((side * 0.24 * x, -0.35 * y, (level + 0.05) * u), (0.06 * x, 0.06 * y, 0.026 * u), BLACK, 6)


def _limb(
    k: Kit, a: tuple[float, float, float], b: tuple[float, float, float], r: float, tip: float, look: Paint
) -> None:
    """A padded limb between two points in shares of the box."""
    p, q = ((c[0] * k.x, c[1] * k.y, c[2] * k.z) for c in (a, b))
    k.path([p, q], [r * k.z, tip * k.z], look, 8)
    k.ball(
        q,
        (
            1.1 * tip * k.z * min(1.0, 2 * k.x / k.z),
            1.1 * tip * k.z * min(1.0, 2 * k.y / k.z),
            1.1 * tip * k.z,
        ),
        look,
        7,
    )


def _bow(k: Kit, level: float, tint: str) -> None:
    for side in (-1, 1):
        k.ball(
            (side * 0.16 * k.x, -0.36 * k.y, level * k.z),
            (0.15 * k.x, 0.06 * k.y, 0.05 * k.z),
            paint(tint),
            6,
        )


@part("teddy bear")
def sitting_bear(k: Kit) -> None:
    """A sitting bear: round ears, muzzle, belly, stretched legs, a bow."""
    x, y, u = k.x, k.y, k.z
    fur, pale = _fur(k)
    k.ball((0, 0.25 * y, 0.3 * u), (0.62 * x, 0.6 * y, 0.29 * u), fur, 12)
    k.ball((0, -0.12 * y, 0.3 * u), (0.42 * x, 0.3 * y, 0.2 * u), pale, 10)
    _head(k, 0.71, 0.22)
    for side in (-1, 1):
        _limb(k, (0.5 * side, 0.15, 0.48), (0.84 * side, -0.3, 0.27), 0.09, 0.075, fur)
        _limb(k, (0.3 * side, 0.2, 0.13), (0.52 * side, -0.74, 0.14), 0.12, 0.12, fur)
        k.ball((side * 0.52 * x, -0.93 * y, 0.15 * u), (0.15 * x, 0.07 * y, 0.095 * u), pale, 7)
    _bow(k, 0.51, "red")


@part("teddy bear")
def standing_bear(k: Kit) -> None:
    """A standing bear with open arms, a striped jumper and short legs."""
    x, y, u = k.x, k.y, k.z
    fur, _ = _fur(k)
    jumper = looking(paint("blue"), "knit")
    k.ball((0, 0.1 * y, 0.4 * u), (0.56 * x, 0.62 * y, 0.22 * u), jumper, 12)
    for level in (0.34, 0.44):
        k.add(
            shapes.stretched(shapes.ring(1.0, 0.04, 14, 4), 0.55 * x, 0.61 * y, 0.6 * u),
            paint("white"),
            (0, 0.1 * y, level * u),
        )
    _head(k, 0.76, 0.19)
    for side in (-1, 1):
        _limb(k, (0.42 * side, 0.05, 0.5), (0.88 * side, -0.25, 0.4), 0.08, 0.07, fur)
        _limb(k, (0.3 * side, 0.1, 0.24), (0.36 * side, -0.1, 0.09), 0.11, 0.09, fur)
        k.ball((side * 0.36 * x, -0.3 * y, 0.06 * u), (0.24 * x, 0.5 * y, 0.06 * u), fur, 8)


@part("teddy bear")
def slumped_bear(k: Kit) -> None:
    """A big soft bear that leans back, its arms hanging, patches on its belly and paws, a scarf."""
    x, y, u = k.x, k.y, k.z
    fur, pale = _fur(k)
    k.pillow(-0.7 * x, 0.7 * x, -0.35 * y, 0.95 * y, 0, 0.6 * u, fur, 14, 6, 0.85, 0.8)
    k.soft(
        -0.3 * x,
        0.3 * x,
        -0.42 * y,
        -0.3 * y,
        0.2 * u,
        0.4 * u,
        0.01,
        looking(paint("gold"), "checked fabric"),
    )
    _head(k, 0.74, 0.2)
    for side in (-1, 1):
        _limb(k, (0.55 * side, 0.1, 0.46), (0.8 * side, -0.1, 0.12), 0.09, 0.09, fur)
        _limb(k, (0.35 * side, 0.0, 0.12), (0.55 * side, -0.72, 0.11), 0.11, 0.11, fur)
        k.ball((side * 0.55 * x, -0.94 * y, 0.12 * u), (0.16 * x, 0.06 * y, 0.08 * u), pale, 7)
    k.add(
        shapes.stretched(shapes.ring(1.0, 0.14, 14, 5), 0.42 * x, 0.42 * y, 0.36 * u),
        looking(paint("red"), "knit"),
        (0, 0.12 * y, 0.57 * u),
    )
    k.path(
        [(0.25 * x, -0.3 * y, 0.55 * u), (0.3 * x, -0.46 * y, 0.44 * u), (0.32 * x, -0.5 * y, 0.3 * u)],
        0.05 * u,
        looking(paint("red"), "knit"),
        6,
    )
