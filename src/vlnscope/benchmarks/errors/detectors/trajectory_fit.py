"""How well an instruction explains a walk that was made: `vlnscope.language.ground.grounding`, replayed.

Grounding scores walks that could be made; here the walk is given. The stages of the instruction are laid over
its steps in order, in the best way there is, and the score of that is what counts: 0 for a walk that does
exactly what is said, less for everything that does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from vlnscope.benchmarks.errors.detection.protocol import Outing
from vlnscope.language.actions import Action, Span
from vlnscope.language.ground import KnownMap
from vlnscope.language.ground.potentials import Potentials, potentials_of
from vlnscope.language.ground.search import Progress, StageLattice
from vlnscope.language.ground.stages import GroundingStage, stages_of
from vlnscope.language.ground.terrain import Terrain, terrain_of
from vlnscope.language.ground.weights import WEIGHTS, Weights


class WalkFit:
    """A walk that instructions are held against.

    Args:
        walk: what was seen on it.
        weights: what counts how much.
    """

    def __init__(self, walk: Outing, weights: Weights = WEIGHTS) -> None:
        self.map = map_of(walk)
        self._weights = weights
        self._terrain = terrain_of(self.map, walk.path[0], walk.heading)
        self._pairs = _pairs(self._terrain, walk.path)
        self._held: dict[GroundingStage, Potentials] = {}
        self._fits: dict[tuple[GroundingStage, ...], float] = {}

    def score(self, actions: Sequence[Action]) -> float:
        """Return how well the actions explain the walk: a log score, 0 at best."""
        stages = tuple(_bare(stage) for stage in stages_of(actions))
        if stages not in self._fits:
            self._fits[stages] = self._replayed(stages)
        return self._fits[stages]

    def _replayed(self, stages: Sequence[GroundingStage]) -> float:
        potentials = tuple(self._potentials(stage) for stage in stages)
        progress = Progress.at_start(
            StageLattice(self._terrain, self._weights, potentials, np.zeros((0, 0)), ())
        )
        for pair in self._pairs:
            progress = progress.after(pair)
        return progress.stopped

    def _potentials(self, stage: GroundingStage) -> Potentials:
        if stage not in self._held:
            self._held[stage] = potentials_of(stage, self._terrain, self._weights)
        return self._held[stage]


def map_of(walk: Outing) -> KnownMap:
    """Return the map that someone has in mind after a walk."""
    known = KnownMap()
    for node, point, candidates, percept in zip(
        walk.path, walk.positions, walk.candidates, walk.percepts, strict=True
    ):
        known.add(node, candidates, percept, position=point)
    return known


def _pairs(terrain: Terrain, path: Sequence[str]) -> tuple[int, ...]:
    """Return the pairs of steps that a walk consists of."""
    follow, pairs, edge = terrain.follow, [], terrain.start
    ends = [*follow.starts[1:].tolist(), len(follow.before)]
    for node in path[1:]:
        row = terrain.map.index[node]
        options = range(int(follow.starts[edge]), ends[edge])
        pair = next(pair for pair in options if terrain.target[follow.after[pair]] == row)
        pairs.append(pair)
        edge = int(follow.after[pair])
    return tuple(pairs)


def _bare(stage: GroundingStage) -> GroundingStage:
    """Return a stage without where it is written, so that equal stages are equal."""
    place = stage.place
    if place is not None:
        place = msgspec.structs.replace(place, span=Span(0, 0))
    return msgspec.structs.replace(stage, action=0, place=place)
