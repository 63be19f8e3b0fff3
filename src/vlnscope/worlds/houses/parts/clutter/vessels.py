"""Kettles and bowls."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BRASS,
    DARK,
    Kit,
    part,
)
from vlnscope.worlds.houses.parts.kitchens.stoves import enamel
from vlnscope.worlds.houses.parts.surfaces import looking


@part("kettle")
def whistling_kettle(k: Kit) -> None:
    """A round body with a lid and a knob, a spout to one side, a handle over the top."""
    z, r = k.z, min(k.y, 0.72 * k.x)
    at, body = k.x - r, 0.62 * z
    k.lathe(
        [(0, 0), (0.95 * r, 0), (r, 0.08 * z), (0.98 * r, 0.3 * z), (0.6 * r, body), (0, body)],
        enamel(k),
        (at, 0),
        16,
    )
    k.lathe([(0, body), (0.55 * r, body), (0.4 * r, 0.69 * z), (0, 0.7 * z)], k.dark, (at, 0), 12)
    k.ball((at, 0, 0.73 * z), 0.045 * z + 0.006, DARK, 6)
    k.tube((at - 0.75 * r, 0, 0.28 * z), (-k.x + 0.05 * r, 0, 0.62 * z), 0.28 * r, enamel(k), 8, 0.13 * r)
    arc = shapes.turned(shapes.ring(1, 0.09, 10, 6, 180), 0, 90)
    k.add(shapes.stretched(arc, 0.78 * r, 0.9 * r, 0.42 * z), DARK, (at, 0, 0.55 * z))


@part("kettle")
def electric_kettle(k: Kit) -> None:
    """A tall jug on a base with a beak, a lid, a handle at its back and a window for the water."""
    z, r = k.z, min(k.y, 0.62 * k.x)
    k.lathe([(0, 0), (1.05 * r, 0), (1.05 * r, 0.06 * z), (0, 0.06 * z)], DARK, (-0.15 * k.x, 0), 16)
    k.lathe(
        [(0, 0.07 * z), (r, 0.07 * z), (0.95 * r, 0.4 * z), (0.72 * r, 0.9 * z), (0.6 * r, 0.92 * z)],
        enamel(k),
        (-0.15 * k.x, 0),
        16,
    )
    k.lathe([(0.66 * r, 0.91 * z), (0.5 * r, 0.97 * z), (0, z)], DARK, (-0.15 * k.x, 0), 12)
    k.frustum(
        (-0.15 * k.x - 0.9 * r, -0.15 * k.x - 0.4 * r, -0.2 * r, 0.2 * r),
        (-k.x, -0.15 * k.x - 0.3 * r, -0.12 * r, 0.12 * r),
        0.74 * z,
        0.9 * z,
        enamel(k),
    )
    line = [
        (-0.15 * k.x + 0.6 * r, 0, 0.9 * z),
        (0.85 * k.x, 0, 0.88 * z),
        (k.x, 0, 0.6 * z),
        (0.8 * k.x, 0, 0.2 * z),
        (-0.15 * k.x + 0.9 * r, 0, 0.16 * z),
    ]
    k.path(line, 0.14 * r, DARK, 6)
    k.box(-0.15 * k.x - 0.05, -0.15 * k.x + 0.01, -1.02 * r, -0.7 * r, 0.3 * z, 0.6 * z, Paint(150, 196, 214))


@part("kettle")
def gooseneck_kettle(k: Kit) -> None:
    """A squat pot with a long thin bent spout, a lid and a handle behind."""
    z, r = k.z, min(k.y, 0.55 * k.x)
    k.lathe([(0, 0), (r, 0), (r, 0.06 * z), (0.82 * r, 0.62 * z), (0, 0.64 * z)], enamel(k), (0, 0), 16)
    k.lathe([(0.7 * r, 0.63 * z), (0.5 * r, 0.7 * z), (0, 0.72 * z)], k.dark, (0, 0), 12)
    k.ball((0, 0, 0.77 * z), 0.14 * r, BRASS, 7)
    k.path(
        [(-0.9 * r, 0, 0.14 * z), (-1.35 * r, 0, 0.3 * z), (-1.3 * r, 0, 0.7 * z), (-k.x, 0, 0.86 * z)],
        [0.16 * r, 0.1 * r, 0.08 * r, 0.06 * r],
        enamel(k),
        6,
    )
    k.path(
        [
            (0.8 * r, 0, 0.58 * z),
            (0.8 * k.x, 0, 0.93 * z),
            (k.x, 0, 0.85 * z),
            (0.95 * k.x, 0, 0.4 * z),
            (0.75 * k.x, 0, 0.2 * z),
            (0.9 * r, 0, 0.16 * z),
        ],
        0.11 * r,
        DARK,
        6,
    )


@part("bowl")
def footed_bowl(k: Kit) -> None:
    """An open bowl on a foot, lighter inside."""
    k.round([(0, 0), (0.42, 0), (0.36, 0.1), (0.7, 0.34), (0.92, 0.7), (1, 1)], _glaze(k), sides=14)
    k.round([(1, 1), (0.93, 0.98), (0.8, 0.62), (0.5, 0.26), (0, 0.18)], shade(_glaze(k), 1.3), sides=14)


def _glaze(k: Kit) -> Paint:
    return looking(k.main, "gloss") if k.item.material in ("ceramic", "glass", "plastic") else k.main


@part("bowl")
def wide_bowl(k: Kit) -> None:
    """A shallow dish with a broad turned-out rim and a band inside."""
    k.round([(0, 0), (0.5, 0), (0.66, 0.2), (0.8, 0.7), (1, 0.94), (1, 1)], _glaze(k), sides=14)
    k.round([(1, 1), (0.78, 0.82), (0.74, 0.7)], shade(_glaze(k), 1.3), sides=14)
    k.round([(0.74, 0.7), (0.7, 0.55)], shade(_glaze(k), 0.55), sides=14)
    k.round([(0.7, 0.55), (0.6, 0.3), (0, 0.2)], shade(_glaze(k), 1.3), sides=14)


@part("bowl")
def ribbed_bowl(k: Kit) -> None:
    """A deep bowl with two ridges around it and a rounded rim."""
    k.round(
        [
            (0, 0),
            (0.5, 0),
            (0.78, 0.2),
            (0.86, 0.36),
            (0.9, 0.38),
            (0.9, 0.42),
            (0.93, 0.56),
            (0.97, 0.58),
            (0.97, 0.62),
            (0.96, 0.9),
            (1, 0.95),
            (0.96, 1),
        ],
        _glaze(k),
        sides=14,
    )
    k.round([(0.96, 1), (0.9, 0.94), (0.84, 0.5), (0.5, 0.16), (0, 0.12)], shade(_glaze(k), 1.3), sides=14)
