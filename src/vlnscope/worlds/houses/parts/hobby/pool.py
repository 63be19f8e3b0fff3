"""Pool tables."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CORNERS, WHITE, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_BALLS = (
    (0.45, 0.0, Paint(232, 190, 40)), (0.5, 0.06, Paint(200, 40, 36)), (0.5, -0.06, Paint(44, 70, 170)),
    (0.55, 0.12, Paint(226, 120, 40)), (0.55, 0.0, BLACK), (0.55, -0.12, Paint(110, 50, 130)),
    (-0.4, 0.1, WHITE),
)  # fmt: skip


def _playing_field(k: Kit, wood: Paint) -> None:
    """Cloth within wooden rails, six pockets, balls and a cue; it runs along x."""
    x, y, z = k.x, k.y, k.z
    rail = min(0.14, 0.14 * y)
    felt = looking(k.main, "fabric")
    k.box(-x + rail / 2, x - rail / 2, -y + rail / 2, y - rail / 2, 0.87 * z, z - 0.05, felt)
    for side, a, b in both_sides(x, x - rail):
        k.soft(a, b, -y, y, 0.85 * z, z, 0.02, wood)
        c, d = sorted((side * y, side * (y - rail)))
        k.soft(-x, x, c, d, 0.85 * z, z, 0.02, wood)
        for end in (-1, 0, 1):
            at = (end * (x - rail * 0.75), side * (y - rail * 0.75))
            k.lathe([(0, z - 0.01), (0.062, z - 0.01), (0.062, z + 0.004), (0, z + 0.004)], BLACK, at, 10)
    for bx, by, tint in _BALLS:
        k.ball((bx * x, by * x, z - 0.02), 0.035, looking(tint, "gloss"), 7)
    k.tube(
        (-0.75 * x, -0.35 * y, z - 0.02), (0.1 * x, 0.3 * y, z - 0.02), 0.018, Paint(206, 160, 96), 5, 0.008
    )


@part("pool table")
def classic_pool_table(k: Kit) -> None:
    """A cloth within wooden rails, six pockets, balls, a cue, heavy turned legs."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    wood = paint("brown", "wood")
    _playing_field(k, wood)
    k.box(-x + 0.05, x - 0.05, -y + 0.05, y - 0.05, 0.66 * z, 0.9 * z, shade(wood, 0.7))
    for sx, sy in CORNERS:
        leg = [(0.1, 0.0), (0.12, 0.1 * z), (0.07, 0.25 * z), (0.12, 0.66 * z)]
        k.lathe(leg, shade(wood, 0.8), (sx * 0.82 * x, sy * 0.74 * y), 8)


@part("pool table")
def cabinet_pool_table(k: Kit) -> None:
    """A closed body with panelled sides on a plinth."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    wood = shade(paint("walnut", "wood"), 1.1)
    _playing_field(k, wood)
    k.frustum(
        (-0.8 * x, 0.8 * x, -0.72 * y, 0.72 * y),
        (-x + 0.05, x - 0.05, -y + 0.05, y - 0.05),
        0.12 * z,
        0.88 * z,
        shade(wood, 0.85),
    )
    k.soft(-0.86 * x, 0.86 * x, -0.8 * y, 0.8 * y, 0, 0.14 * z, 0.02, shade(wood, 0.7))
    for side in (-1, 1):
        for at in (-0.55, 0.0, 0.55):
            k.box(
                at * x - 0.2 * x,
                at * x + 0.2 * x,
                side * 0.86 * y - 0.03,
                side * 0.86 * y + 0.03,
                0.3 * z,
                0.66 * z,
                wood,
            )


@part("pool table")
def modern_pool_table(k: Kit) -> None:
    """A slim top on two broad slanting blocks with a steel foot."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    wood = paint("charcoal", "wood")
    _playing_field(k, wood)
    k.box(-x + 0.08, x - 0.08, -y + 0.08, y - 0.08, 0.72 * z, 0.88 * z, shade(wood, 0.8))
    for side in (-1, 1):
        at = side * 0.58 * x
        k.frustum(
            (at - 0.12 * x, at + 0.12 * x, -0.4 * y, 0.4 * y),
            (at - 0.2 * x, at + 0.2 * x, -0.75 * y, 0.75 * y),
            0.03,
            0.74 * z,
            wood,
        )
        k.soft(at - 0.16 * x, at + 0.16 * x, -0.55 * y, 0.55 * y, 0, 0.04, 0.01, paint("silver", "metal"))
