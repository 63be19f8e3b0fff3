"""Plants in pots."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import LEAF, WHITE, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_BARK = looking(Paint(112, 88, 66), "bark")


_SOIL = looking(Paint(70, 50, 36), "soil")


_GREENS = ("green", "olive", "sage", "mint")


def _pot(k: Kit, tall: float, rim: float) -> float:
    """A pot of one of three forms (terracotta if the plant is green); returns the height of its soil."""
    colour, form = k.pick("copper", "white", "charcoal", "tan"), k.pick("cone", "drum", "belly")
    look = looking(paint(colour) if k.item.colour in _GREENS else k.main, "gloss")
    if colour == "copper" and k.item.colour in _GREENS:
        look = paint("copper")
    profile = {
        "cone": [(0, 0), (0.68, 0), (0.92, 0.82), (1, 0.82), (1, 1), (0.86, 1), (0.84, 0.9)],
        "drum": [(0, 0), (0.9, 0), (0.95, 0.03), (0.95, 0.97), (0.92, 1), (0.84, 1), (0.84, 0.9)],
        "belly": [(0, 0), (0.6, 0), (0.95, 0.3), (1, 0.55), (0.8, 0.92), (0.86, 1), (0.76, 1), (0.76, 0.9)],
    }[form]
    k.lathe(profile, look, sides=12, scale=(rim, tall))
    k.lathe([(0.84 * rim, 0.9 * tall), (0, 0.92 * tall)], _SOIL, sides=12)
    return 0.9 * tall


def _tones(k: Kit, i: int) -> Paint:
    base = LEAF if k.item.colour not in _GREENS or k.item.colour == "green" else k.main
    return looking(shade(base, (1.0, 0.8, 1.18, 0.9)[i % 4]), "gloss")


def leaf(
    k: Kit, base: shapes.Point, tip: shapes.Point, lift: float, width: float, look: Paint, bends: int = 3
) -> None:
    """A pointed leaf from `base` to `tip` that rises `lift` above the line between them, folded a little."""
    d = (tip[0] - base[0], tip[1] - base[1])
    flat = math.hypot(*d) or 1.0
    across = (-d[1] / flat, d[0] / flat, 0.0)
    line, wide = [], []
    for i in range(bends + 1):
        t = i / bends
        line.append(
            (
                base[0] + t * d[0],
                base[1] + t * d[1],
                base[2] + t * (tip[2] - base[2]) + 4 * lift * t * (1 - t),
            )
        )
        wide.append(0.0 if i == bends else width * max(0.12, math.sin(math.pi * min(0.95, t + 0.12)) ** 0.8))
    k.add(shapes.blade(line, wide, across), look)


def _measures(k: Kit) -> tuple[float, float, float]:
    """Radius of the plant, height of its pot and radius of its rim."""
    radius = min(k.x, k.y)
    tall = min(0.3 * k.z, 0.34)
    return radius, tall, min(0.62 * radius, 0.8 * tall)


@part("plant")
def ficus(k: Kit) -> None:
    """A small tree: a thin trunk that forks, a crown of many pointed leaves."""
    radius, tall, rim = _measures(k)
    soil, z = _pot(k, tall, rim), k.z
    fork = soil + 0.35 * (z - soil)
    k.path(
        [(0, 0, soil), (0.04 * radius, 0.03 * radius, 0.5 * (soil + fork)), (0, 0, fork)],
        [0.022, 0.018, 0.016],
        _BARK,
        6,
    )
    count = 0
    for i in range(7):
        a = math.tau * i / 7 + 0.3 * float(k.rng.random())
        out = radius * (0.45 + 0.15 * (i % 2))
        end = (out * math.cos(a), out * math.sin(a), fork + (0.25 + 0.09 * ((i * 3) % 7)) * (z - fork))
        k.path(
            [(0, 0, fork - 0.02), (0.4 * end[0], 0.4 * end[1], 0.5 * (fork + end[2])), end],
            [0.012, 0.008, 0.005],
            _BARK,
            4,
        )
        for j in range(7):
            b = a + math.tau * j / 7 * 0.9 - 1.2
            reach = 0.6 * radius
            base = (end[0] * (0.55 + 0.06 * j), end[1] * (0.55 + 0.06 * j), end[2] - 0.03 * (8 - j) * z * 0.3)
            tip = (
                base[0] + reach * math.cos(b),
                base[1] + reach * math.sin(b),
                base[2] + (0.06 - 0.03 * (j % 3)) * z,
            )
            leaf(k, base, tip, 0.02 * z, 0.22 * radius, _tones(k, count))
            count += 1


@part("plant")
def palm(k: Kit) -> None:
    """Arched fronds with many narrow leaflets that spread from short stems."""
    radius, tall, rim = _measures(k)
    soil, z = _pot(k, tall, rim), k.z
    fronds = 9
    for i in range(fronds):
        a = math.tau * i / fronds + 0.25 * float(k.rng.random())
        reach = radius * (0.75 + 0.25 * (i % 2))
        top = soil + (z - soil) * (0.6 + 0.4 * ((i * 4) % fronds) / fronds)
        c, s = math.cos(a), math.sin(a)
        rib = [
            (
                t * reach * c,
                t * reach * s,
                soil + (top - soil) * (1 - (1 - t) ** 2) - 0.45 * (top - soil) * t**4,
            )
            for t in (0.0, 0.3, 0.6, 0.85, 1.0)
        ]
        k.path(rib, [0.01, 0.008, 0.006, 0.004, 0.002], shade(LEAF, 0.7), 3)
        for j in range(1, 7):
            t = 0.28 + 0.72 * j / 7
            at = (
                t * reach * c,
                t * reach * s,
                soil + (top - soil) * (1 - (1 - t) ** 2) - 0.45 * (top - soil) * t**4,
            )
            for side in (-1, 1):
                b = a + side * 1.0
                long = 0.42 * radius * (1.1 - 0.6 * t)
                leaf(
                    k,
                    at,
                    (at[0] + long * math.cos(b), at[1] + long * math.sin(b), at[2] - 0.06 * z),
                    0.012 * z,
                    0.08 * radius,
                    _tones(k, i + j),
                    2,
                )


@part("plant")
def snake_plant(k: Kit) -> None:
    """Stiff upright blades with pale edges, of unequal heights."""
    radius, tall, rim = _measures(k)
    soil, z = _pot(k, tall, rim), k.z
    pale = looking(Paint(206, 200, 110), "gloss")
    for i in range(13):
        a = i * 2.399
        out = 0.72 * rim * math.sqrt((i + 0.3) / 13)
        top = soil + (z - soil) * (0.55 + 0.45 * ((i * 5) % 13) / 12)
        lean = 0.5 * radius * out / rim
        c, s = math.cos(a), math.sin(a)
        line = [
            (out * c + lean * t * t * c, out * s + lean * t * t * s, soil + (top - soil) * t)
            for t in (0.0, 0.35, 0.7, 0.92, 1.0)
        ]
        across = (math.cos(a + 1.2), math.sin(a + 1.2), 0.0)
        w = 0.17 * rim + 0.02
        k.add(shapes.blade(line, [0.7 * w, 1.25 * w, 1.2 * w, 0.7 * w, 0.0], across), pale)
        k.add(
            shapes.blade(
                [(p[0] + 0.002 * c, p[1] + 0.002 * s, p[2]) for p in line],
                [0.5 * w, w, 0.95 * w, 0.5 * w, 0.0],
                across,
            ),
            _tones(k, i),
        )
        k.add(
            shapes.blade(
                [(p[0] - 0.002 * c, p[1] - 0.002 * s, p[2]) for p in line],
                [0.5 * w, w, 0.95 * w, 0.5 * w, 0.0],
                across,
            ),
            _tones(k, i + 1),
        )


@part("plant")
def monstera(k: Kit) -> None:
    """Large split leaves on long bent stems."""
    radius, tall, rim = _measures(k)
    soil, z = _pot(k, tall, rim), k.z
    for i in range(11):
        a = i * 2.399
        level = (i + 1) / 11
        out = radius * (0.2 + 0.3 * math.sqrt(1 - 0.8 * level))
        c, s = math.cos(a), math.sin(a)
        end = (out * c, out * s, soil + (z - soil) * (0.3 + 0.7 * level))
        k.path(
            [
                (0.2 * rim * c, 0.2 * rim * s, soil),
                (0.5 * out * c, 0.5 * out * s, 0.4 * soil + 0.6 * end[2]),
                end,
            ],
            0.007,
            shade(LEAF, 0.75),
            4,
        )
        _split_leaf(k, end, a, 0.95 * radius, _tones(k, i))


def _split_leaf(k: Kit, base: shapes.Point, angle: float, size: float, look: Paint) -> None:
    """A heart with fingers along both sides of its rib, hanging a little."""
    c, s = math.cos(angle), math.sin(angle)

    def point(along: float, side: float) -> shapes.Point:
        drop = -0.35 * along * along - 0.18 * abs(side)
        return (
            base[0] + size * (along * c - side * s),
            base[1] + size * (along * s + side * c),
            base[2] + size * drop,
        )

    for side in (-1, 1):
        fingers = (
            (-0.15, 0.5, -0.05),
            (0.1, 0.62, 0.2),
            (0.36, 0.56, 0.5),
            (0.62, 0.4, 0.78),
            (0.82, 0.18, 1.0),
        )
        start = point(-0.05, 0.0)
        for i, (along, wide, tip) in enumerate(fingers):
            after = point((0.06, 0.3, 0.55, 0.78, 0.95)[i], 0.0)
            outer, inner = point(tip, side * wide), point(along, side * 0.85 * wide)
            ring = (start, after, outer, inner) if side < 0 else (start, inner, outer, after)
            k.add(shapes.facet(*ring), look)
            start = after


@part("plant")
def cactus(k: Kit) -> None:
    """Ribbed green columns with arms and white spines, a red bloom on top."""
    radius, tall, rim = _measures(k)
    soil, z = _pot(k, tall, rim), k.z
    thick = min(0.36 * radius, 0.2 * (z - soil))
    _column(k, [(0, 0, soil), (0, 0, 0.5 * (soil + z)), (0, 0, z - 0.02)], thick)
    for side, low, high in ((-1, 0.32, 0.82), (1, 0.48, 0.92)):
        reach = radius - 0.72 * thick
        rise = soil + low * (z - soil)
        _column(
            k,
            [
                (0, 0, rise),
                (side * 0.8 * reach, 0, rise),
                (side * reach, 0, rise + 0.12 * (z - soil)),
                (side * reach, 0, soil + high * (z - soil)),
            ],
            0.68 * thick,
        )
    for i in range(6):
        a = math.tau * i / 6
        leaf(
            k,
            (0, 0, z - 0.03),
            (0.7 * thick * math.cos(a), 0.7 * thick * math.sin(a), z),
            0.0,
            0.3 * thick,
            paint("pink"),
            2,
        )


def _column(k: Kit, line: list[shapes.Point], thick: float) -> None:
    """A ribbed green bar with a round end and rows of spines."""
    green = looking(Paint(82, 132, 78), "gloss")
    end, before = line[-1], line[-2]
    cap = (end[0], end[1], end[2] + 0.02)
    k.path([*line, cap], [*(thick for _ in line), 0.4 * thick], green, 10)
    for i in range(5):
        a = math.tau * i / 5
        for j in range(4):
            t = j / 3
            at = (
                before[0] + t * (end[0] - before[0]),
                before[1] + t * (end[1] - before[1]),
                before[2] + t * (end[2] - before[2]),
            )
            out = (at[0] + 1.28 * thick * math.cos(a), at[1] + 1.28 * thick * math.sin(a), at[2] + 0.01)
            foot = (at[0] + 0.9 * thick * math.cos(a), at[1] + 0.9 * thick * math.sin(a))
            k.add(shapes.facet((*foot, at[2] - 0.012), out, (*foot, at[2] + 0.012)), WHITE)


@part("plant")
def leafy_plant(k: Kit) -> None:
    """A bush of broad arching leaves all around in rings."""
    radius, tall, rim = _measures(k)
    soil, z = _pot(k, tall, rim), k.z
    for level, (reach, rise, count) in enumerate(
        ((1.0, 0.28, 9), (0.85, 0.55, 8), (0.6, 0.78, 7), (0.25, 0.98, 5))
    ):
        for i in range(count):
            a = math.tau * i / count + 0.5 * level + 0.35 * float(k.rng.random())
            long = radius * reach * (0.85 + 0.15 * float(k.rng.random()))
            top = soil + (z - soil) * rise
            leaf(
                k,
                (0, 0, soil),
                (long * math.cos(a), long * math.sin(a), top - 0.14 * (z - soil)),
                0.14 * (z - soil),
                0.3 * radius,
                _tones(k, i + level),
                4,
            )
