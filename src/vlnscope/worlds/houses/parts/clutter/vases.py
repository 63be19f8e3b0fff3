"""Vases, the tall ones with flowers."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import GLASS, LEAF, Kit, part
from vlnscope.worlds.houses.parts.plants import leaf
from vlnscope.worlds.houses.parts.surfaces import looking

_PETALS = ("red", "yellow", "pink", "orange", "lavender", "white")


def _bouquet(k: Kit, mouth: float, radius: float) -> None:
    """Stems with round blooms and leaves from the mouth of a vase to the top."""
    z = k.z
    tint = paint(_PETALS[int(k.rng.integers(len(_PETALS)))])
    for i in range(5):
        a = i * 2.399
        out = 0.72 * radius * math.sqrt((i + 0.2) / 5)
        end = (math.cos(a) * out, math.sin(a) * out, z - 0.08 * z - 0.12 * z * out / radius)
        k.tube((0, 0, 0.9 * mouth), end, 0.006, LEAF, 3)
        for j in range(6):
            b = math.tau * j / 6
            size = 0.34 * radius
            tip = (end[0] + size * math.cos(b), end[1] + size * math.sin(b), end[2] + 0.6 * size)
            leaf(k, end, tip, -0.1 * size, 0.42 * size, tint if i % 2 else shade(tint, 1.25), 2)
        k.ball((end[0], end[1], end[2] + 0.2 * radius * 0.5), 0.09 * radius, Paint(240, 200, 70), 5)
        leaf(
            k,
            (0, 0, mouth),
            (0.7 * radius * math.cos(a + 0.5), 0.7 * radius * math.sin(a + 0.5), mouth + 0.06 * z),
            0.05 * z,
            0.1 * radius,
            LEAF,
            2,
        )


def _vase(k: Kit, profile: list[tuple[float, float]], oval: bool = True) -> None:
    """A vessel of a profile in shares of radius and height; a tall one holds flowers."""
    radius, z = min(k.x, k.y), k.z
    flowers = z > 0.24
    tall, r = (0.56 * z, 0.62 * radius) if flowers else (z, radius)
    look = GLASS if k.item.material == "glass" and k.item.colour == "white" else looking(k.main, "gloss")
    k.lathe(profile, look, oval=k.oval if oval else (1.0, 1.0), sides=12, scale=(r, tall))
    band = shade(k.main, 0.6) if sum(k.main[:3]) > 380 else shade(k.main, 1.5)
    wide, level = max(profile)
    k.lathe(
        [
            (wide * r, (level - 0.03) * tall),
            (1.02 * wide * r, level * tall),
            (wide * r, (level + 0.03) * tall),
        ],
        band,
        oval=k.oval if oval else (1.0, 1.0),
        sides=12,
    )
    if flowers:
        _bouquet(k, tall, radius)


@part("vase")
def bellied_vase(k: Kit) -> None:
    """A bellied vase with a narrow neck; a tall one holds flowers."""
    _vase(
        k,
        [
            (0, 0),
            (0.5, 0),
            (0.9, 0.25),
            (1, 0.42),
            (0.72, 0.68),
            (0.4, 0.86),
            (0.56, 1),
            (0.44, 1),
            (0.3, 0.86),
            (0, 0.6),
        ],
    )


@part("vase")
def flared_vase(k: Kit) -> None:
    """A slim vase that widens to its mouth; a tall one holds flowers."""
    _vase(
        k,
        [
            (0, 0),
            (0.62, 0),
            (0.5, 0.1),
            (0.42, 0.3),
            (0.55, 0.65),
            (0.9, 0.96),
            (1.0, 1),
            (0.86, 1),
            (0.5, 0.66),
            (0, 0.3),
        ],
    )


@part("vase")
def urn_vase(k: Kit) -> None:
    """An urn with a foot, high shoulders and two handles; a tall one holds flowers."""
    _vase(
        k,
        [
            (0, 0),
            (0.5, 0),
            (0.46, 0.05),
            (0.28, 0.1),
            (0.6, 0.3),
            (0.95, 0.66),
            (0.8, 0.82),
            (0.5, 0.88),
            (0.62, 1),
            (0.5, 1),
            (0.4, 0.9),
            (0, 0.6),
        ],
    )
    radius, z = min(k.x, k.y), k.z
    tall, r = (0.56 * z, 0.62 * radius) if z > 0.24 else (z, radius)
    for side in (-1, 1):
        k.path(
            [
                (side * 0.55 * r, 0, 0.92 * tall),
                (side * 1.05 * r, 0, 0.95 * tall),
                (side * 1.1 * r, 0, 0.75 * tall),
                (side * 0.9 * r, 0, 0.62 * tall),
            ],
            0.07 * r,
            k.dark,
            5,
        )
