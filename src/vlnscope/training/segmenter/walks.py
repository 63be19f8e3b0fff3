"""How maps with a segmenter's classes agree with true ones, on walks through houses."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.perception.mapping.egocentric import EgocentricMap
from vlnscope.perception.mapping.mapper import Mapper
from vlnscope.perception.mapping.semantics import InferredSemantics, MapSemantics, Segmenter, TrueSemantics
from vlnscope.training.segmenter.pictures import CAMERA, places_in
from vlnscope.types import Floats
from vlnscope.worlds.cameras import Stance
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in

STEP = 0.5
"""Metres between two pictures of a walk."""
SHORTEST, LONGEST = 5.0, 15.0
"""Metres of a walk."""
_TRIED = 20


class MapAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """How classes of cells agree at the ends of walks.

    Attributes:
        walks: how many walks there were.
        pictures: how many pictures their maps were made of.
        occupied: cells where something is.
        true: cells with a class on the true maps.
        inferred: cells with a class on the others.
        both: cells with a class on both.
        same: cells with the same class on both.
    """

    walks: int = 0
    pictures: int = 0
    occupied: int = 0
    true: int = 0
    inferred: int = 0
    both: int = 0
    same: int = 0

    def plus(self, other: MapAgreement) -> MapAgreement:
        """Return the counts of both."""
        mine, others = (msgspec.structs.asdict(part) for part in (self, other))
        return MapAgreement(**{name: mine[name] + others[name] for name in mine})


def compare_maps(scene: Scene, segmenter: Segmenter, walks: int, seed: int) -> MapAgreement:
    """Return how maps agree on some walks in a house; which walks depends on the seed and the house alone."""
    total = MapAgreement()
    for stances in walks_in(scene, walks, seed):
        total = total.plus(_compared(scene, segmenter, stances))
    return total


def walks_in(scene: Scene, walks: int, seed: int) -> Iterator[list[Stance]]:
    """Draw shortest paths of 5 to 15 m between points of the ground; small houses may have fewer."""
    rng = rng_for(seed, "walks", scene.id)
    ground: PathFinder = scene.layer("navmesh")
    found = 0
    for start, goal in places_in(scene, rng, 2 * _TRIED * walks).reshape(-1, 2, 3):
        path = ground.path(start, goal)
        if found < walks and SHORTEST <= np.linalg.norm(np.diff(path, axis=0), axis=1).sum() <= LONGEST:
            found += 1
            yield stances_along(path)


def stances_along(path: Floats) -> list[Stance]:
    """Return somebody every half metre of a path, who looks ahead.

    Example:
        >>> [stance.position for stance in stances_along(np.array([[0.0, 0, 0], [0, 0, -1.2]]))]
        [(0.0, 0.0, 0.0), (0.0, 0.0, -0.5), (0.0, 0.0, -1.0)]
    """
    stances = []
    legs = np.linalg.norm(np.diff(path, axis=0), axis=1)
    for corner, leg, metres in zip(path[:-1], np.diff(path, axis=0), legs.tolist(), strict=True):
        yaw = math.atan2(-leg[0], -leg[2])
        for walked in np.arange(0.0, metres, STEP):
            x, y, z = (corner + leg * (walked / metres)).tolist()
            stances.append(Stance((x, y, z), yaw))
    return stances


def _compared(scene: Scene, segmenter: Segmenter, stances: list[Stance]) -> MapAgreement:
    true, told = _maps_after(scene, stances, TrueSemantics(scene), InferredSemantics(segmenter))
    both = (true.classes > 0) & (told.classes > 0)
    return MapAgreement(
        walks=1,
        pictures=len(stances),
        occupied=int(true.occupancy.sum()),
        true=int((true.classes > 0).sum()),
        inferred=int((told.classes > 0).sum()),
        both=int(both.sum()),
        same=int((both & (true.classes == told.classes)).sum()),
    )


def _maps_after(scene: Scene, stances: list[Stance], *semantics: MapSemantics) -> list[EgocentricMap]:
    """Return what is known at the end of a walk, with each of some semantics."""
    mappers = [Mapper(camera=CAMERA) for _ in semantics]
    for mapper in mappers:
        mapper.begin_tour()
    for stance in stances:
        seen = look_in(scene, CAMERA, [stance.position], stance.yaw)
        for mapper, told in zip(mappers, semantics, strict=True):
            mapper.add(seen.depth, [stance], told.classes(seen))
    return [mapper.read(stances[-1:]) for mapper in mappers]
