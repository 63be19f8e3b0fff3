"""Pictures of houses with the class of each pixel, as a house segmenter learns from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vlnscope.core.rng import rng_for
from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.mapping.segmenting_network import ROWS, nearest, reduced
from vlnscope.perception.mapping.semantics import TrueSemantics
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Floats
from vlnscope.worlds.cameras import CAMERAS, Look
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in

CAMERA = CAMERAS["vlnce"]["depth"]
_GLANCE = replace(CAMERA, width=32, height=32)
_AT_ONCE = 20


class LabelledPictures(NamedTuple):
    """Pictures and their classes; N pictures.

    Attributes:
        rgb: (N, 128, 128, 3) bytes.
        depth: (N, 128, 128) in half precision, 0 to 1.
        classes: (N, 128, 128) bytes.
    """

    rgb: Tensor
    depth: Tensor
    classes: Tensor


def take_labelled(
    houses: Sequence[str], *, looks: int, choices: int = 1, seed: int, watch: TrainingWatch | None = None
) -> LabelledPictures:
    """Draw what somebody sees in each house; where, depends on the seed and the house alone.

    Args:
        houses: names of houses.
        looks: how many pictures of each.
        choices: each is taken from that of so many places where most is seen that has a class.
        seed: of the choice.
        watch: is told how it goes.
    """
    watch = watch or TrainingWatch()
    watch.phase("drawing pictures of houses", len(houses))
    count = looks * len(houses)
    pictures = LabelledPictures(
        torch.empty(count, ROWS, ROWS, 3, dtype=torch.uint8),
        torch.empty(count, ROWS, ROWS, dtype=torch.float16),
        torch.empty(count, ROWS, ROWS, dtype=torch.uint8),
    )
    row = 0
    for done, house in enumerate(houses, 1):
        scene = HouseScenes([house]).scene(house)
        semantics = TrueSemantics(scene)
        for seen in looks_in(scene, looks, seed, choices=choices):
            part = slice(row, row := row + len(seen.metres))
            pictures.rgb[part], pictures.depth[part] = reduced(seen.rgb, seen.depth[..., 0])
            pictures.classes[part] = nearest(torch.from_numpy(semantics.classes(seen)), ROWS).byte()
        watch.at(done)
    return pictures


def looks_in(scene: Scene, looks: int, seed: int, *, choices: int = 1) -> list[Look]:
    """Return what VLN-CE's camera sees in a house, from anywhere on its ground, some pictures in each look.

    Each is drawn when it is first asked for.

    Args:
        scene: the house.
        looks: how many pictures.
        seed: of where they are taken.
        choices: each is taken from that of so many places where most is seen that has a class.
    """
    rng = rng_for(seed, "looks", scene.id)
    places, yaws = places_in(scene, rng, looks * choices), rng.uniform(-np.pi, np.pi, looks * choices)
    if choices > 1:
        best = _telling(scene, places, yaws).reshape(looks, choices).argmax(axis=1)
        best += np.arange(0, looks * choices, choices)
        places, yaws = places[best], yaws[best]
    cuts = range(_AT_ONCE, looks, _AT_ONCE)
    parts = zip(np.split(places, cuts), np.split(yaws, cuts), strict=True)
    return [look_in(scene, CAMERA, feet, turns) for feet, turns in parts]


def _telling(scene: Scene, places: Floats, yaws: Floats) -> Floats:
    """Return how much is seen that has a class: of each class the root of its share, so that many count."""
    classes = TrueSemantics(scene).classes(look_in(scene, _GLANCE, places, yaws))
    shares = (classes[..., None] == np.arange(1, len(CLASSES), dtype=np.uint8)).mean(axis=(1, 2))
    telling: Floats = np.sqrt(shares).sum(axis=1)
    return telling


def places_in(scene: Scene, rng: np.random.Generator, count: int) -> Floats:
    """Draw points of the ground that most viewpoints of a house stand on; tops of tables are none."""
    ground: PathFinder = scene.layer("navmesh")
    islands, sizes = np.unique(ground.islands(feet_of(scene)), return_counts=True)
    return ground.random_points(rng, count, island=int(islands[sizes.argmax()]))
