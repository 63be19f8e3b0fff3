"""Bottles, plates and cups."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import STEEL, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_LABEL = Paint(240, 232, 208)


@part("bottle")
def wine_bottle(k: Kit) -> None:
    """A straight body with shoulders, a long neck with a foil, a label."""
    look = looking(k.main, "gloss")
    k.round([(0, 0), (0.95, 0), (1, 0.02), (1, 0.58), (0.85, 0.66), (0.36, 0.74), (0.34, 0.84)], look, 14)
    k.round([(0.36, 0.84), (0.38, 0.97), (0.38, 1), (0, 1)], paint("maroon"), 14)
    k.round([(1.01, 0.16), (1.02, 0.17), (1.02, 0.46), (1.01, 0.47)], _LABEL, 14)
    k.round([(1.025, 0.26), (1.03, 0.27), (1.03, 0.36), (1.025, 0.37)], paint("maroon"), 14)


@part("bottle")
def squat_bottle(k: Kit) -> None:
    """A broad round body with a short neck and a cork, a tag."""
    look = looking(k.main, "gloss")
    k.round(
        [(0, 0), (0.8, 0), (1, 0.12), (1, 0.4), (0.7, 0.58), (0.3, 0.66), (0.3, 0.86), (0.36, 0.9)], look, 14
    )
    k.round([(0.36, 0.9), (0.26, 0.9), (0.26, 1), (0, 1)], Paint(190, 150, 100), 10)
    k.round([(1.01, 0.16), (1.02, 0.17), (1.02, 0.38), (1.01, 0.39)], _LABEL, 14)


@part("bottle")
def water_bottle(k: Kit) -> None:
    """A bottle with a waist, a blue label and a cap."""
    look = looking(shade(k.main, 1.2), "gloss")
    profile = [
        (0, 0),
        (0.9, 0),
        (1, 0.05),
        (0.98, 0.3),
        (0.86, 0.38),
        (0.98, 0.46),
        (1, 0.62),
        (0.7, 0.8),
        (0.36, 0.88),
        (0.36, 0.92),
    ]
    k.round(profile, look, 14)
    k.round([(0.42, 0.92), (0.42, 1), (0, 1)], paint("blue"), 10)
    k.round([(1.01, 0.48), (1.03, 0.49), (1.03, 0.64), (1.01, 0.65)], paint("sky blue"), 14)
    k.round([(1.035, 0.53), (1.035, 0.58)], paint("white"), 14)


def _glazed(k: Kit) -> Paint:
    return looking(k.main, "gloss") if k.main.texture == 0 else k.main


@part("plate")
def rimmed_plate(k: Kit) -> None:
    """A round plate with a broad rim and a line in another colour."""
    look = _glazed(k)
    band = shade(look, 0.55) if sum(look[:3]) > 420 else shade(look, 1.7)
    k.round([(0, 0), (0.55, 0), (0.62, 0.3), (1, 0.9), (1, 1)], look, 20)
    k.round([(1, 1), (0.95, 0.97)], look, 20)
    k.round([(0.95, 0.97), (0.89, 0.9)], band, 20)
    k.round([(0.89, 0.9), (0.62, 0.55), (0.55, 0.2), (0, 0.16)], shade(look, 1.15), 20)


@part("plate")
def deep_plate(k: Kit) -> None:
    """A plate with a high rim, coloured within."""
    look = _glazed(k)
    inside = shade(look, 0.6) if sum(look[:3]) > 420 else shade(look, 1.6)
    k.round([(0, 0), (0.6, 0), (0.9, 0.5), (1, 1), (0.95, 1)], look, 20)
    k.round([(0.95, 1), (0.84, 0.5), (0.5, 0.2), (0, 0.15)], inside, 20)


@part("plate")
def plate_with_a_slice(k: Kit) -> None:
    """A flat plate with a piece of cake and a fork."""
    x, y, z = k.x, k.y, k.z
    look = _glazed(k)
    k.round([(0, 0), (0.6, 0), (1, 0.42), (0.97, 0.46), (0.6, 0.16), (0, 0.14)], look, 20)
    wedge = [(-0.1 * x, -0.4 * y), (0.45 * x, 0.05 * y), (0.1 * x, 0.45 * y)]
    k.slab(wedge, 0.14 * z, 0.55 * z, Paint(206, 150, 90))
    k.slab(wedge, 0.55 * z, 0.62 * z, Paint(250, 240, 220))
    k.slab(wedge, 0.62 * z, 0.9 * z, Paint(120, 66, 36))
    k.ball((0.14 * x, 0.05 * y, 0.95 * z), (0.07 * x, 0.07 * y, 0.12 * z), paint("red"), 7)
    k.tube((-0.6 * x, 0.1 * y, 0.34 * z), (-0.3 * x, -0.6 * y, 0.34 * z), 0.02 * x, STEEL, 4)


def _handle(k: Kit, at: float, radius: float, low: float, high: float, look: Paint) -> None:
    """A ring at the right side of a cup."""
    middle = (low + high) / 2
    line = []
    for i in range(7):
        a = math.pi * (i / 6 - 0.5)
        line.append((at + radius * math.cos(a), 0.0, middle + (high - low) / 2 * math.sin(a)))
    k.path(line, 0.2 * radius, look, 5)


@part("cup")
def mug(k: Kit) -> None:
    """A straight mug with coffee in it and a handle."""
    x, y, z = k.x, k.y, k.z
    look, r = _glazed(k), min(y, 0.72 * x)
    at = -x + r
    k.lathe([(0, 0), (0.9, 0), (1, 0.06), (1, 1), (0.9, 1)], look, (at, 0), 16, (r, y), (1, z))
    k.lathe([(0.9, 1), (0.88, 0.84), (0, 0.84)], Paint(74, 42, 24), (at, 0), 16, (r, y), (1, z))
    _handle(k, at + 0.95 * r, 2 * x - 2 * r, 0.22 * z, 0.82 * z, look)


@part("cup")
def tea_cup(k: Kit) -> None:
    """A wide cup on a saucer, with tea in it."""
    x, y, z = k.x, k.y, k.z
    look = _glazed(k)
    k.round([(0, 0), (0.5, 0), (1, 0.12), (0.97, 0.16), (0.5, 0.06), (0, 0.06)], look, 18)
    r = 0.62 * min(x, y)
    k.lathe(
        [(0, 0.06), (0.5, 0.06), (0.5, 0.12), (0.8, 0.36), (1, 1), (0.92, 1)],
        look,
        (-0.1 * x, 0),
        16,
        (r, r),
        (1, z),
    )
    k.lathe([(0.92, 1), (0.86, 0.84), (0, 0.84)], Paint(150, 86, 36), (-0.1 * x, 0), 16, (r, r), (1, z))
    _handle(k, -0.1 * x + 0.85 * r, 0.3 * x, 0.35 * z, 0.85 * z, look)


@part("cup")
def tall_cup(k: Kit) -> None:
    """A conical mug with a band and a handle."""
    x, y, z = k.x, k.y, k.z
    look, r = _glazed(k), min(y, 0.72 * x)
    at = -x + r
    band = shade(look, 0.5) if sum(look[:3]) > 400 else shade(look, 1.7)
    k.lathe([(0, 0), (0.66, 0), (0.78, 0.4)], look, (at, 0), 16, (r, y), (1, z))
    k.lathe([(0.78, 0.4), (0.88, 0.7)], band, (at, 0), 16, (r, y), (1, z))
    k.lathe([(0.88, 0.7), (1, 1), (0.92, 1)], look, (at, 0), 16, (r, y), (1, z))
    k.lathe([(0.92, 1), (0.86, 0.88), (0, 0.88)], Paint(74, 42, 24), (at, 0), 16, (r, y), (1, z))
    _handle(k, at + 0.85 * r, 2 * x - 1.9 * r, 0.25 * z, 0.85 * z, look)
