"""The street before a house: road, kerbs, pavements, lamps, trees and parked cars."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.parts import item_mesh
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.houses.surroundings.plants import SHAPES, tree
from vlnscope.worlds.houses.surroundings.settings import Setting
from vlnscope.worlds.houses.surroundings.stage import Stage, Template, look, template

NEAR, FAR = 45.0, 420.0
"""How far the street reaches to both sides: with all details, and at all."""

_ASPHALT = look(92, 92, 94, "asphalt")
_GRAVEL = look(164, 152, 132, "gravel")
_PAVING = look(168, 164, 158, "paving")
_KERB = look(178, 176, 170, "concrete")
_LINE = look(222, 220, 212)
_CARS = ("white", "silver", "charcoal", "red", "blue", "green", "black")


def build_street(stage: Stage, rng: np.random.Generator, setting: Setting, y: float, z: float) -> float:
    """Build the street whose near edge lies at `y`, and return where its far edge lies.

    The far parts lie a little deeper than the near one, so that light can be kept coarsely there.
    """
    walk, road = setting.pavement, setting.road
    paint = _ASPHALT if walk else _GRAVEL
    near, far = y - walk, y - walk - road
    for x0, x1, deep in ((-NEAR, NEAR, 0.0), (-FAR, -NEAR, 0.01), (NEAR, FAR, 0.01)):
        stage.flat((x0, far, x1, near), z + 0.02 - deep, paint, "street")
        if walk:
            stage.flat((x0, near, x1, y), z + 0.12 - deep, _PAVING, "street")
            stage.flat((x0, far - walk, x1, far), z + 0.12 - deep, _PAVING, "street")
            for at in (near, far):
                stage.add(
                    shapes.box(x0, x1, at - 0.08, at + 0.08, z - 0.05, z + 0.13 - deep), _KERB, "street"
                )
    if walk:
        middle = (near + far) / 2
        for x in np.arange(-NEAR, NEAR, 5.0).tolist():
            stage.flat((x, middle - 0.06, x + 2.2, middle + 0.06), z + 0.03, _LINE, "street")
        _lamps(stage, rng, y, z)
    _cars(stage, rng, setting, near, far, z + 0.02)
    return far - walk


def build_street_trees(
    stage: Stage, rng: np.random.Generator, kinds: tuple[str, ...], y: float, z: float, pitch: float
) -> None:
    """Plant trees along the far side of the street."""
    kind = kinds[int(rng.integers(len(kinds)))]
    xs = np.arange(-48.0, 49.0, pitch)
    xs = xs + rng.uniform(-1.5, 1.5, len(xs))
    for shape in range(SHAPES):
        own = xs[shape::SHAPES]
        rows = np.zeros((len(own), 6))
        rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] = own, y, z, rng.uniform(0, 6.28, len(own))
        rows[:, 4] = rows[:, 5] = rng.uniform(0.75, 1.0, len(own))
        stage.place(tree(kind, shape, near=False), rows, "tree", rng.uniform(0.88, 1.08, len(own)))


def _lamps(stage: Stage, rng: np.random.Generator, y: float, z: float) -> None:
    shift = float(rng.uniform(-6, 6))
    xs = np.array([-36.0, -14.0, 8.0, 30.0]) + shift
    stage.place(_lamp(), [(x, y - 0.35, z, 0.0, 1.0, 1.0) for x in xs.tolist()], "street lamp")


@lru_cache(maxsize=1)
def _lamp() -> Template:
    post, head = look(62, 66, 68, "metal"), look(232, 230, 218)
    return template(
        [
            (shapes.cylinder(0.1, 0.0, 0.9, 8, 0.07), post),
            (shapes.tube((0, 0, 0.9), (0, 0, 5.2), 0.05, 6), post),
            (shapes.tube((0, 0, 5.15), (0, -1.3, 5.45), 0.035, 5), post),
            (shapes.frustum((-0.1, 0.1, -1.75, -1.2), (-0.06, 0.06, -1.7, -1.2), 5.42, 5.52), post),
            (shapes.box(-0.08, 0.08, -1.7, -1.25, 5.39, 5.42), head),
        ]
    )


def _cars(
    stage: Stage, rng: np.random.Generator, setting: Setting, near: float, far: float, z: float
) -> None:
    count = int(rng.integers(0, setting.cars + 1))
    if not setting.pavement:
        return
    taken: list[float] = []
    for _ in range(count):
        x, away = float(rng.uniform(-24, 24)), bool(rng.random() < 0.6)
        if any(abs(x - other) < 6.5 for other in taken):
            continue
        taken.append(x)
        colour = _CARS[int(rng.integers(len(_CARS)))]
        y, turn = (far + 1.15, np.pi / 2) if away else (near - 1.15, -np.pi / 2)
        stage.place(car(colour), [(x, y, z, turn, 1.0, 1.0)], "car")


@lru_cache(maxsize=16)
def car(colour: str) -> Template:
    """Return a car of this colour that stands on the origin, 1.75 m wide and 4.3 m long."""
    item = PlanItem(
        id=f"parked-{colour}",
        name="car",
        room="",
        position=(0.0, 0.0, 0.0),
        size=(1.75, 4.3, 1.45),
        colour=colour,
        material="metal",
    )
    mesh = item_mesh(item)
    return Template(mesh.vertices, mesh.faces, np.column_stack([mesh.colour, mesh.texture]))


def car_colour(rng: np.random.Generator) -> str:
    """Draw the colour of a car."""
    return _CARS[int(rng.integers(len(_CARS)))]
