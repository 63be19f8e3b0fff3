"""Machines and toys for work, music, sport and play."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, Kit, part


@part("teddy bear")
def teddy_bear(k: Kit) -> None:
    """A sitting bear: round ears, muzzle, belly, stretched legs."""
    x, y, z = k.x, k.y, k.z
    fur, pale = k.main._replace(texture=4), shade(k.main._replace(texture=4), 1.4)
    u = z
    k.ball((0, 0.25 * y, 0.3 * u), (0.62 * x, 0.6 * y, 0.29 * u), fur, 12)
    k.ball((0, -0.12 * y, 0.3 * u), (0.42 * x, 0.3 * y, 0.2 * u), pale, 10)
    k.ball((0, 0.1 * y, 0.71 * u), (0.56 * x, 0.52 * y, 0.22 * u), fur, 12)
    k.ball((0, -0.36 * y, 0.66 * u), (0.26 * x, 0.24 * y, 0.09 * u), pale, 8)
    k.ball((0, -0.58 * y, 0.69 * u), (0.09 * x, 0.07 * y, 0.03 * u), BLACK, 6)
    for side in (-1, 1):
        k.ball((side * 0.44 * x, 0.15 * y, 0.91 * u), (0.22 * x, 0.14 * y, 0.095 * u), fur, 8)
        k.ball((side * 0.44 * x, 0.03 * y, 0.91 * u), (0.12 * x, 0.06 * y, 0.05 * u), pale, 6)
        k.ball((side * 0.24 * x, -0.35 * y, 0.76 * u), (0.06 * x, 0.06 * y, 0.026 * u), BLACK, 6)
        k.tube(
            (side * 0.5 * x, 0.15 * y, 0.48 * u),
            (side * 0.86 * x, -0.3 * y, 0.28 * u),
            0.09 * u,
            fur,
            8,
            0.075 * u,
        )
        k.ball((side * 0.84 * x, -0.3 * y, 0.27 * u), (0.16 * x, 0.16 * y, 0.085 * u), fur, 8)
        k.tube(
            (side * 0.3 * x, 0.2 * y, 0.13 * u),
            (side * 0.5 * x, -0.72 * y, 0.12 * u),
            0.12 * u,
            fur,
            8,
            0.1 * u,
        )
        k.ball((side * 0.52 * x, -0.8 * y, 0.15 * u), (0.24 * x, 0.18 * y, 0.15 * u), fur, 8)
        k.ball((side * 0.52 * x, -0.93 * y, 0.15 * u), (0.15 * x, 0.07 * y, 0.095 * u), pale, 8)
    bow = paint("red")
    for side in (-1, 1):
        k.ball((side * 0.16 * x, -0.36 * y, 0.51 * u), (0.15 * x, 0.06 * y, 0.05 * u), bow, 6)


@part("treadmill")
def treadmill(k: Kit) -> None:
    """A belt on a deck, two uprights, handrails, a console at the head (the back)."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y, y, 0.03, 0.12 * z, k.main)
    k.box(-0.76 * x, 0.76 * x, -y - 0.01, 0.72 * y, 0.12 * z, 0.135 * z, BLACK)
    for i in range(7):
        at = -y + (i + 0.5) * 1.7 * y / 7
        k.box(-0.08 * x, 0.08 * x, at, at + 0.05 * y, 0.135 * z, 0.137 * z, STEEL)
    k.soft(-x, x, 0.72 * y, y, 0.03, 0.22 * z, 0.03, k.dark)
    for side in (-1, 1):
        k.box(side * 0.8 * x - 0.04, side * 0.8 * x + 0.04, -y, -0.9 * y, 0, 0.03, DARK)
        k.box(side * 0.8 * x - 0.04, side * 0.8 * x + 0.04, 0.8 * y, 0.9 * y, 0, 0.03, DARK)
        k.tube((side * 0.88 * x, 0.88 * y, 0.12 * z), (side * 0.88 * x, 0.66 * y, 0.86 * z), 0.035, STEEL)
        k.path(
            [
                (side * 0.88 * x, 0.66 * y, 0.82 * z),
                (side * 0.88 * x, 0.1 * y, 0.74 * z),
                (side * 0.88 * x, 0.05 * y, 0.68 * z),
            ],
            0.026,
            BLACK,
        )
    console = shapes.soft(-x, x, -0.05, 0.05, -0.13 * z, 0.13 * z, 0.02)
    k.add(shapes.turned(console, 0, -28), DARK, (0, 0.66 * y, 0.88 * z))
    screen = shapes.box(-0.55 * x, 0.55 * x, -0.056, -0.05, -0.02 * z, 0.09 * z)
    k.add(shapes.turned(screen, 0, -28), Paint(90, 200, 170), (0, 0.66 * y, 0.88 * z))
    for i, tint in enumerate(("red", "green", "yellow")):
        button = shapes.box((0.25 * i - 0.32) * x, (0.25 * i - 0.18) * x, -0.06, -0.05, -0.09 * z, -0.05 * z)
        k.add(shapes.turned(button, 0, -28), paint(tint), (0, 0.66 * y, 0.88 * z))


@part("exercise ball")
def exercise_ball(k: Kit) -> None:
    """A large ball with ribs around it."""
    k.ball((0, 0, k.z / 2), (k.x, k.y, k.z / 2), None, 20)
    for level in (-0.5, -0.25, 0.0, 0.25, 0.5):
        r = math.sqrt(1 - level * level)
        rib = shapes.stretched(shapes.ring(r, 0.012, 20, 4), k.x, k.y, k.z / 2)
        k.add(rib, k.light, (0, 0, k.z / 2 * (1 + level)))
    k.lathe([(0, 0.985 * k.z), (0.1 * k.x, 0.98 * k.z), (0, 1.003 * k.z)], DARK, sides=8)


@part("bicycle")
def bicycle(k: Kit) -> None:
    """Two spoked wheels, a diamond frame, saddle, handlebar, pedals; it rides along its longer side."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    r = min(0.34 * z, 0.5 * x)
    back, front = (x - r, r), (-x + r, r)
    for at in (back, front):
        wheel = shapes.facing_front(shapes.ring(r - 0.02, 0.022, 20, 5))
        k.add(wheel, BLACK, (at[0], 0, at[1]))
        rim = shapes.facing_front(shapes.ring(r - 0.045, 0.01, 20, 4))
        k.add(rim, CHROME, (at[0], 0, at[1]))
        for i in range(8):
            angle = math.tau * i / 8
            k.tube(
                (at[0], 0, at[1]),
                (at[0] + (r - 0.04) * math.cos(angle), 0, at[1] + (r - 0.04) * math.sin(angle)),
                0.005,
                STEEL,
                3,
            )
    crank, seat = (0.1 * x, 0.0, 0.85 * r), (0.32 * x, 0.0, 0.8 * z)
    head = (-0.5 * x, 0.0, 0.76 * z)
    thick = 0.02
    for a, b in (
        (crank, seat),
        (crank, head),
        ((0.3 * x, 0, 0.74 * z), (-0.49 * x, 0, 0.72 * z)),
        ((back[0], 0, back[1]), crank),
        ((back[0], 0, back[1]), (0.3 * x, 0, 0.74 * z)),
    ):
        k.tube(a, b, thick)
    k.tube((-0.46 * x, 0, 0.93 * z), (-0.54 * x, 0, 0.6 * z), thick)
    k.tube((-0.54 * x, 0, 0.62 * z), (front[0], 0, front[1]), thick * 0.9, CHROME)
    k.path(
        [
            (-0.36 * x, -y, 0.95 * z),
            (-0.5 * x, -0.7 * y, 0.96 * z),
            (-0.46 * x, 0, 0.93 * z),
            (-0.5 * x, 0.7 * y, 0.96 * z),
            (-0.36 * x, y, 0.95 * z),
        ],
        0.016,
        DARK,
    )
    k.tube(seat, (0.34 * x, 0, 0.86 * z), 0.014, CHROME)
    k.frustum(
        (0.18 * x, 0.5 * x, -0.3 * y, 0.3 * y),
        (0.24 * x, 0.5 * x, -0.22 * y, 0.22 * y),
        0.86 * z,
        0.9 * z,
        BLACK,
    )
    k.add(shapes.facing_front(shapes.ring(0.09, 0.012, 12, 4)), STEEL, (crank[0], -0.03, crank[2]))
    for side in (-1, 1):
        pedal, low = crank[0] + side * 0.14, crank[2] - 0.07
        k.tube((crank[0], side * 0.05, crank[2]), (pedal, side * 0.05, low), 0.012, STEEL, 4)
        sole = (side * 0.1 - 0.04, side * 0.1 + 0.04)
        k.box(pedal - 0.05, pedal + 0.05, *sole, crank[2] - 0.085, crank[2] - 0.06, DARK)
