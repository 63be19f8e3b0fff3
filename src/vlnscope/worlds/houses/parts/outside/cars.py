"""Cars."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_PANE = looking(Paint(58, 74, 88), "gloss")
_Line = tuple[tuple[float, float], ...]


def _wheel(k: Kit, at: float, end: int, y: float, radius: float) -> None:
    """A tyre in its dark arch with a rim and spokes."""
    outer = end * (y + 0.03)
    for r, out, look in (
        (1.22, end * (y + 0.006), BLACK),
        (1.0, outer, DARK),
        (0.62, outer + end * 0.008, CHROME),
    ):
        low, high = sorted((-out, -0.6 * end * y))
        k.add(shapes.facing_front(shapes.cylinder(r * radius, low, high, 12)), look, (at, 0, radius))
    for i in range(5):
        spoke = shapes.quad(
            *(
                (a * radius, 0.0, b * radius)
                for a, b in ((-0.06, 0.1), (0.06, 0.1), (0.06, 0.58), (-0.06, 0.58))
            )
        )
        k.add(shapes.turned(spoke, 1, 72 * i), STEEL, (at, outer + end * 0.012, radius))


def _body(k: Kit, side: _Line, y: float, look: Paint) -> None:
    """The lower body raised from its side view, its shoulders drawn in."""
    x, z = k.x, k.z
    outline = [(a * x, b * z) for a, b in side]
    k.add(shapes.facing_front(shapes.prism(outline, -y, y)), look)


def _cabin(k: Kit, low: _Line, high: _Line, y: float, waist: float, look: Paint) -> None:
    """Windows all around between the waist and the roof, pillars and the roof.

    `low` and `high` are where pillars stand at the waist and at the roof, in shares of the half length.
    """
    x, z = k.x, k.z
    (front, _), (back, _) = low[0], low[-1]
    (roof_front, _), (roof_back, _) = high[0], high[-1]
    k.frustum(
        (front * x, back * x, -0.96 * y, 0.96 * y),
        (roof_front * x, roof_back * x, -0.8 * y, 0.8 * y),
        waist - 0.01,
        0.965 * z,
        _PANE,
    )
    k.frustum(
        (roof_front * x - 0.03 * x, roof_back * x + 0.03 * x, -0.83 * y, 0.83 * y),
        (roof_front * x + 0.04 * x, roof_back * x - 0.04 * x, -0.74 * y, 0.74 * y),
        0.94 * z,
        z,
        look,
    )
    for end in (-1, 1):
        for (a, wide), (b, _) in zip(low, high, strict=True):
            feet = (a * x - wide * x, a * x + wide * x, end * 0.965 * y - 0.02, end * 0.965 * y + 0.02)
            tops = (b * x - wide * x, b * x + wide * x, end * 0.805 * y - 0.02, end * 0.805 * y + 0.02)
            k.frustum(feet, tops, waist, 0.96 * z, look)


def _details(k: Kit, y: float, waist: float, doors: tuple[float, ...], head: float, look: Paint) -> None:
    """Door seams and handles, mirrors, lights, bumpers, a grille and number plates."""
    x, z = k.x, k.z
    sill = 0.17 * z
    for end in (-1, 1):
        for at in doors:
            k.box(
                at * x,
                at * x + 0.012,
                end * y - 0.004,
                end * y + 0.004,
                sill + 0.04,
                waist,
                shade(look, 0.55),
            )
            k.box(
                at * x - 0.14 * x,
                at * x - 0.03 * x,
                end * 0.955 * y - 0.006,
                end * y + 0.006,
                0.84 * waist,
                0.88 * waist,
                CHROME,
            )
        front, rear, wide = end * 0.74 * y, end * 0.8 * y, 0.14 * y
        k.soft(
            -x - 0.015,
            -0.92 * x,
            front - wide,
            front + wide,
            head * z,
            (head + 0.09) * z,
            0.02,
            looking(Paint(250, 246, 214), "gloss"),
        )
        k.box(
            0.94 * x,
            x + 0.012,
            rear - wide,
            rear + wide,
            0.4 * z,
            0.5 * z,
            looking(Paint(196, 30, 30), "gloss"),
        )
        k.soft(-0.42 * x, -0.36 * x, end * y - 0.02, end * y + 0.09, waist, waist + 0.09 * z, 0.02, look)
    k.soft(-x - 0.03, -0.92 * x, -y, y, sill, 0.28 * z, 0.02, DARK)
    k.soft(0.92 * x, x + 0.03, -y, y, sill, 0.28 * z, 0.02, DARK)
    k.box(-x - 0.012, -0.9 * x, -0.42 * y, 0.42 * y, (head - 0.03) * z, (head + 0.05) * z, BLACK)
    for _, a, b in both_sides(x + 0.035, 0.98 * x):
        k.box(a, b, -0.26 * y, 0.26 * y, 0.2 * z, 0.27 * z, Paint(240, 240, 236))


@part("car")
def saloon(k: Kit) -> None:
    """Bonnet, cabin and boot, four doors, four wheels; it drives along its longer side."""
    k.lengthwise()
    x, y, z = k.x, 0.95 * k.y, k.z
    look, waist = looking(k.main, "gloss"), 0.58 * z
    _body(
        k,
        (
            (-1.0, 0.17),
            (1.0, 0.17),
            (1.0, 0.5),
            (0.97, 0.6),
            (0.5, 0.61),
            (-0.45, 0.58),
            (-0.9, 0.52),
            (-0.98, 0.46),
            (-1.0, 0.38),
        ),
        y,
        look,
    )
    _cabin(k, ((-0.47, 0.035), (0.13, 0.03), (0.8, 0.05)), ((-0.17, 0), (0.16, 0), (0.54, 0)), y, waist, look)
    _details(k, y, waist, (-0.35, 0.15, 0.55), 0.36, look)
    for end in (-1, 1):
        for at in (-0.63, 0.62):
            _wheel(k, at * x, end, y, 0.23 * z)


@part("car")
def hatchback(k: Kit) -> None:
    """A short bonnet, a high cabin with an upright tail, two doors, four wheels."""
    k.lengthwise()
    x, y, z = k.x, 0.95 * k.y, k.z
    look, waist = looking(k.main, "gloss"), 0.56 * z
    _body(
        k,
        (
            (-1.0, 0.17),
            (1.0, 0.17),
            (1.02, 0.4),
            (0.98, 0.58),
            (-0.5, 0.57),
            (-0.88, 0.5),
            (-0.98, 0.44),
            (-1.0, 0.36),
        ),
        y,
        look,
    )
    _cabin(k, ((-0.56, 0.035), (0.2, 0.035), (0.95, 0.06)), ((-0.2, 0), (0.22, 0), (0.82, 0)), y, waist, look)
    _details(k, y, waist, (-0.4, 0.24), 0.35, look)
    k.box(0.8 * x, 0.98 * x, -0.7 * y, 0.7 * y, 0.97 * z, z, look)
    for end in (-1, 1):
        for at in (-0.64, 0.66):
            _wheel(k, at * x, end, y, 0.24 * z)


@part("car")
def off_roader(k: Kit) -> None:
    """A boxy high body with a flat bonnet, upright windows, roof rails, a spare wheel and large tyres."""
    k.lengthwise()
    x, y, z = k.x, 0.93 * k.y, k.z
    look, waist = looking(k.main, "gloss"), 0.62 * z
    _body(k, ((-1.0, 0.22), (0.96, 0.22), (0.96, 0.62), (-0.5, 0.62), (-0.96, 0.6), (-1.0, 0.52)), y, look)
    _cabin(
        k,
        ((-0.42, 0.04), (0.1, 0.04), (0.52, 0.04), (0.95, 0.05)),
        ((-0.3, 0), (0.1, 0), (0.52, 0), (0.9, 0)),
        y,
        waist,
        look,
    )
    _details(k, y, waist, (-0.3, 0.14, 0.56), 0.42, look)
    for end in (-1, 1):
        k.path(
            [
                (-0.2 * x, end * 0.7 * y, 0.97 * z),
                (-0.15 * x, end * 0.7 * y, 0.995 * z),
                (0.8 * x, end * 0.7 * y, 0.995 * z),
                (0.85 * x, end * 0.7 * y, 0.97 * z),
            ],
            0.016,
            DARK,
            4,
        )
        for at in (-0.62, 0.6):
            _wheel(k, at * x, end, y, 0.26 * z)
        k.box(-0.35 * x, 0.35 * x, end * y - 0.03, end * y + 0.05, 0.2 * z, 0.23 * z, DARK)
    spare = shapes.facing_side(shapes.cylinder(0.22 * z, 0.95 * x, 0.95 * x + 0.14, 16))
    k.add(spare, DARK, (0, 0, 0.55 * z))
    k.add(
        shapes.facing_side(shapes.cylinder(0.12 * z, 0.95 * x + 0.14, 0.95 * x + 0.15, 12)),
        CHROME,
        (0, 0, 0.55 * z),
    )
