"""The buildings around a house: villas, cottages, townhouses, barns, blocks of flats and far simple ones.

All stand around the origin with their front to -y and the ground at 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.roofs import Painted, RoofKind, roof
from vlnscope.worlds.houses.surroundings.stage import Template, look, template

SHAPES = 8
"""How many buildings there are of every kind."""

_WALLS = (
    look(226, 218, 200, "plaster"), look(214, 200, 176, "plaster"), look(206, 208, 206, "plaster"),
    look(170, 98, 78, "brick"), look(150, 84, 66, "brick"), look(232, 228, 218, "siding"),
    look(156, 172, 182, "siding"), look(190, 172, 140, "siding"), look(222, 190, 150, "plaster"),
)  # fmt: skip
_TILES = (
    look(122, 70, 54, "shingles"), look(92, 88, 88, "shingles"), look(142, 84, 60, "shingles"),
    look(78, 70, 66, "shingles"), look(104, 98, 100, "shingles"),
)  # fmt: skip
_PANES = (look(52, 62, 72, "gloss"), look(64, 72, 78, "gloss"), look(44, 50, 58, "gloss"))
_FRAME = look(238, 236, 230)
_PLINTH = look(150, 146, 140, "concrete")
_FLAT = look(140, 136, 130, "gravel")
_STONE = look(196, 192, 184, "concrete")


class _Plan(NamedTuple):
    """How a kind of building is drawn: its widths, depths, storeys and roofs, metres."""

    wide: tuple[float, float]
    deep: tuple[float, float]
    storeys: tuple[int, ...]
    roofs: tuple[RoofKind, ...]
    slope: float
    eave: float


_PLANS = {
    "villa": _Plan((9.0, 13.0), (8.0, 10.0), (1, 2, 2), ("gable", "hip", "hip", "gable"), 0.55, 0.45),
    "cottage": _Plan((7.0, 10.5), (6.0, 7.5), (1, 1, 2), ("gable",), 0.95, 0.35),
    "townhouse": _Plan((6.0, 8.0), (10.0, 12.0), (2, 3, 3, 4), ("gable", "gable", "flat"), 0.7, 0.05),
    "cube": _Plan((8.0, 12.0), (7.5, 9.5), (1, 2, 2), ("flat",), 0.0, 0.0),
    "barn": _Plan((14.0, 18.0), (8.0, 10.0), (2,), ("gable",), 0.8, 0.5),
    "flats": _Plan((18.0, 30.0), (12.0, 16.0), (5, 6, 8, 10, 12), ("flat",), 0.0, 0.0),
}
BUILDINGS = tuple(_PLANS)
"""Kinds of buildings."""

_STOREY = 2.9


class NeighbourBuilding(NamedTuple):
    """A building and how wide and deep it is."""

    shape: Template
    wide: float
    deep: float


@lru_cache(maxsize=128)
def building(kind: str, number: int) -> NeighbourBuilding:
    """Return one of the `SHAPES` buildings of a kind, with windows, a door, a roof and a chimney."""
    rng = rng_for(0, "building", kind, number)
    plan = _PLANS[kind]
    wide, deep = (round(float(rng.uniform(*span)), 1) for span in (plan.wide, plan.deep))
    storeys, top = int(rng.choice(plan.storeys)), str(rng.choice(plan.roofs))
    wall, tiles = _WALLS[int(rng.integers(len(_WALLS)))], _TILES[int(rng.integers(len(_TILES)))]
    if kind == "barn":
        wall = (look(132, 52, 42, "siding"), look(128, 104, 78, "siding"))[number % 2]
    if kind in ("cube", "flats"):
        wall = (
            look(232, 230, 224, "plaster"),
            look(198, 196, 190, "concrete"),
            look(214, 204, 186, "plaster"),
        )[number % 3]
    box = (-wide / 2, -deep / 2, wide / 2, deep / 2)
    high = storeys * _STOREY + 0.4
    parts: list[Painted] = [(shapes.box(box[0], box[2], box[1], box[3], -0.3, high), wall)]
    parts.append(
        (shapes.box(box[0] - 0.03, box[2] + 0.03, box[1] - 0.03, box[3] + 0.03, -0.3, 0.35), _PLINTH)
    )
    kind_of_roof: RoofKind = "gable" if top == "gable" else "hip" if top == "hip" else "flat"
    parts += roof(box, high, kind_of_roof, plan.slope, plan.eave, _FLAT if top == "flat" else tiles, wall)
    parts += _barn_doors(box) if kind == "barn" else _fronts(rng, box, storeys, kind)
    if kind in ("villa", "cottage", "townhouse") and top != "flat":
        parts += _chimney(rng, box, high, plan.slope)
    return NeighbourBuilding(template(parts), wide, deep)


def _fronts(
    rng: np.random.Generator, box: tuple[float, float, float, float], storeys: int, kind: str
) -> list[Painted]:
    """Return the door and the windows of all sides; townhouses have none at their sides."""
    wide, deep = box[2] - box[0], box[3] - box[1]
    door = float(rng.uniform(-0.3, 0.3)) * (wide - 3.0)
    paint = (
        look(92, 44, 36, "wood"),
        look(54, 74, 62, "wood"),
        look(120, 84, 52, "wood"),
        look(62, 66, 82, "wood"),
    )
    parts = _door(door, box[1], paint[int(rng.integers(len(paint)))])
    shutters = (
        paint[int(rng.integers(len(paint)))] if kind in ("cottage", "villa") and rng.random() < 0.4 else None
    )
    pitch = 3.4 if kind == "flats" else float(rng.uniform(2.5, 3.1))
    size = (1.6, 1.4) if kind in ("cube", "flats") else (float(rng.uniform(0.9, 1.3)), 1.35)
    for turn, length, away in (
        (0, wide, deep / 2),
        (1, deep, wide / 2),
        (2, wide, deep / 2),
        (3, deep, wide / 2),
    ):
        if kind == "townhouse" and turn % 2:
            continue
        count = max(1, int((length - 1.2) / pitch))
        for storey in range(storeys):
            z = 0.4 + storey * _STOREY + 0.9
            for i in range(count):
                at = (i - (count - 1) / 2) * (length - 1.0) / count
                if turn == 0 and storey == 0 and abs(at - door) < 0.65 + size[0] / 2:
                    continue
                pane = _PANES[int(rng.integers(len(_PANES)))]
                window = _window(at, away, z, size, pane, shutters, kind != "flats")
                parts += [(shapes.turned(shape, 2, 90.0 * turn), look_) for shape, look_ in window]
    return parts


def _window(
    at: float,
    away: float,
    z: float,
    size: tuple[float, float],
    pane: Paint,
    shutters: Paint | None,
    rich: bool,
) -> list[Painted]:
    wide, high = size[0] / 2, size[1]
    parts = [(_panel(at - wide, at + wide, away + 0.02, z, z + high), _FRAME)]
    halves = ((-wide + 0.06, -0.03), (0.03, wide - 0.06)) if rich else ((-wide + 0.07, wide - 0.07),)
    parts += [(_panel(at + a, at + b, away + 0.035, z + 0.06, z + high - 0.06), pane) for a, b in halves]
    if rich:
        sill = shapes.frustum(
            (at - wide - 0.08, at + wide + 0.08, -away - 0.12, -away),
            (at - wide - 0.08, at + wide + 0.08, -away - 0.1, -away),
            z - 0.08,
            z,
        )
        parts.append((sill, _STONE))
    if shutters is not None:
        for side in (-1, 1):
            a, b = sorted((side * (wide + 0.04), side * (wide + 0.46)))
            parts.append((_panel(at + a, at + b, away + 0.04, z, z + high), shutters))
    return parts


def _panel(x0: float, x1: float, away: float, z0: float, z1: float) -> shapes.Shape:
    return shapes.quad((x0, -away, z0), (x1, -away, z0), (x1, -away, z1), (x0, -away, z1))


def _door(at: float, front: float, paint: Paint) -> list[Painted]:
    return [
        (_panel(at - 0.62, at + 0.62, -front + 0.02, 0.0, 2.55), _FRAME),
        (_panel(at - 0.5, at + 0.5, -front + 0.04, 0.15, 2.4), paint),
        (_panel(at - 0.3, at + 0.3, -front + 0.05, 1.55, 2.2), _PANES[0]),
        (shapes.box(at - 0.8, at + 0.8, front - 0.9, front, 0.0, 0.16), _STONE),
        (shapes.box(at - 0.85, at + 0.85, front - 0.8, front, 2.7, 2.8), shade(_STONE, 0.8)),
    ]


def _barn_doors(box: tuple[float, float, float, float]) -> list[Painted]:
    wood, trim, front = look(104, 74, 52, "planks"), look(224, 218, 206), -box[1]
    doors = [(_panel(s - 1.5, s + 1.5, front + 0.03, 0.0, 3.4), wood) for s in (-1.55, 1.55)]
    bars = [(_panel(-3.2, 3.2, front + 0.05, z, z + 0.14), trim) for z in (0.1, 1.7, 3.3)]
    holes = [(_panel(x - 0.4, x + 0.4, front + 0.03, 4.4, 5.2), _PANES[2]) for x in (-4.5, 0.0, 4.5)]
    return [*doors, *bars, *holes]


def _chimney(
    rng: np.random.Generator, box: tuple[float, float, float, float], high: float, slope: float
) -> list[Painted]:
    wide, deep = box[2] - box[0], box[3] - box[1]
    half, long = min(wide, deep) / 2, max(wide, deep) / 2
    along, off = float(rng.uniform(-0.45, 0.45)) * long, float(rng.uniform(0.1, 0.3)) * half
    x, y = (along, off) if wide >= deep else (off, along)
    top = high + slope * half + 0.7
    brick = look(146, 86, 68, "brick")
    return [
        (shapes.box(x - 0.35, x + 0.35, y - 0.35, y + 0.35, high, top), brick),
        (shapes.box(x - 0.42, x + 0.42, y - 0.42, y + 0.42, top, top + 0.1), _STONE),
    ]


@lru_cache(maxsize=16)
def far_building(number: int) -> Template:
    """Return a simple house to be seen from afar: walls, a gabled roof and rows of windows."""
    rng = rng_for(0, "far building", number)
    wide, deep = float(rng.uniform(8, 12)), float(rng.uniform(7, 9))
    high = float(rng.choice([3.2, 5.8, 5.8]))
    box = (-wide / 2, -deep / 2, wide / 2, deep / 2)
    wall, tiles = _WALLS[number % len(_WALLS)], _TILES[number % len(_TILES)]
    parts: list[Painted] = [(shapes.box(box[0], box[2], box[1], box[3], -0.5, high), wall)]
    parts += roof(box, high, "gable", 0.7, 0.3, tiles, wall)
    for z in (1.0, 3.8)[: 1 if high < 4 else 2]:
        for turn in (0.0, 180.0):
            for at in (-0.3, 0.0, 0.3):
                panel = _panel(at * wide - 0.6, at * wide + 0.6, deep / 2 + 0.05, z, z + 1.3)
                parts.append((shapes.turned(panel, 2, turn), _PANES[0]))
    return template(parts)


@lru_cache(maxsize=16)
def tower(number: int) -> Template:
    """Return a tall building to be seen from afar, 1 m wide, deep and high: bands of windows on its walls."""
    rng = rng_for(0, "tower", number)
    tones = (
        look(168, 172, 178, "concrete"),
        look(186, 180, 170, "concrete"),
        look(128, 144, 160, "gloss"),
        look(160, 120, 104, "brick"),
    )
    wall = tones[number % len(tones)]
    parts: list[Painted] = [(shapes.box(-0.5, 0.5, -0.5, 0.5, 0.0, 1.0), wall)]
    bands = int(rng.integers(8, 14))
    for i in range(bands):
        z0, z1 = (i + 0.35) / bands, (i + 0.8) / bands
        for turn in range(4):
            panel = _panel(-0.46, 0.46, 0.502, z0, z1)
            parts.append((shapes.turned(panel, 2, 90.0 * turn), _PANES[number % 3]))
    parts.append((shapes.box(-0.2, 0.15, -0.2, 0.2, 1.0, 1.06), shade(wall, 0.8)))
    return template(parts)
