"""The neighbours of a house: beside it, across the street and behind its garden."""

from __future__ import annotations

import numpy as np

from vlnscope.worlds.houses.surroundings.buildings import SHAPES, NeighbourBuilding, building
from vlnscope.worlds.houses.surroundings.lot import Box, Lot
from vlnscope.worlds.houses.surroundings.settings import Setting
from vlnscope.worlds.houses.surroundings.stage import Stage

_JOINT, _REACH = 0.12, 56.0
"""How far those wall to wall stand from the house, and how far to both sides neighbours stand, metres."""


def build_neighbours(
    stage: Stage, rng: np.random.Generator, lot: Lot, setting: Setting, garden: Box, across: float
) -> tuple[Box, ...]:
    """Build the neighbours and return the boxes x0, y0, x1, y1 that they stand in.

    Args:
        stage: where to build.
        rng: chance.
        lot: where the house stands.
        setting: what kind of place it is.
        garden: the house's own garden.
        across: y of the far edge of the street.
    """
    boxes: list[Box] = []
    x0, y0, x1, _ = lot.bounds
    start = (
        x0 - _JOINT if _joined(lot, setting, 0) else garden[0],
        x1 + _JOINT if _joined(lot, setting, 1) else garden[2],
    )
    for side in (-1, 1):
        at = start[side > 0]
        while abs(at) < _REACH:
            at = _beside(stage, rng, setting, boxes, at, side, y0, lot.ground)
    _row(stage, rng, setting, boxes, across, -1, lot.ground)
    if setting.name != "seaside":
        _row(stage, rng, setting, boxes, garden[3], 1, lot.ground)
    return tuple(boxes)


def _joined(lot: Lot, setting: Setting, side: int) -> bool:
    """Whether a neighbour stands wall to wall with the house."""
    return setting.name == "town" and lot.blind[side]


def _beside(
    stage: Stage,
    rng: np.random.Generator,
    setting: Setting,
    boxes: list[Box],
    at: float,
    side: int,
    front: float,
    z: float,
) -> float:
    own = _draw(rng, setting)
    gap = float(rng.uniform(*setting.gaps)) / 2
    x = at + side * (gap + own.wide / 2)
    shift = 0.0 if setting.name == "town" else float(rng.uniform(-1.5, 1.5))
    _put(stage, boxes, own, x, front + shift + own.deep / 2, 0, z)
    return at + side * (2 * gap + own.wide)


def _row(
    stage: Stage,
    rng: np.random.Generator,
    setting: Setting,
    boxes: list[Box],
    edge: float,
    way: int,
    z: float,
) -> None:
    """Build a row of neighbours beyond `edge`: across the street (-1) or behind the garden (1)."""
    yard = float(rng.uniform(*setting.front)) if way < 0 else 0.6 * float(rng.uniform(*setting.back))
    at = -_REACH + float(rng.uniform(0, 12))
    while at < _REACH:
        own = _draw(rng, setting)
        gap = float(rng.uniform(*setting.gaps))
        y = edge + way * (
            yard + own.deep / 2 + (0.0 if setting.name == "town" else float(rng.uniform(0, 2.5)))
        )
        if way < 0 or rng.random() < 0.8:
            _put(stage, boxes, own, at + own.wide / 2, y, 2, z)
        at += own.wide + max(gap, 0.0)


def _draw(rng: np.random.Generator, setting: Setting) -> NeighbourBuilding:
    kind = setting.neighbours[int(rng.integers(len(setting.neighbours)))]
    return building(kind, int(rng.integers(SHAPES)))


def _put(
    stage: Stage, boxes: list[Box], own: NeighbourBuilding, x: float, y: float, quarters: int, z: float
) -> None:
    stage.place(own.shape, [(x, y, z - 0.05, quarters * np.pi / 2, 1.0, 1.0)], "building")
    boxes.append(
        (x - own.wide / 2 - 0.5, y - own.deep / 2 - 0.5, x + own.wide / 2 + 0.5, y + own.deep / 2 + 0.5)
    )
