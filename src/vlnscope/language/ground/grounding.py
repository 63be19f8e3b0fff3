"""Grounding: an instruction and what is known of a place become scores over the next steps.

The model is a walk cut into stretches, one per stage of the instruction (`stages`). Each stage
scores its steps by what can be seen (`potentials`); the best way to cut and to walk is found by
dynamic programming (`search`). What is not known is neutral: the same model runs with the rooms and
objects of a house, with Matterport labels, and with captions alone, on a complete map or on one that grows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.language.actions import Action, Parse
from vlnscope.language.ground.known_map import KnownMap, routes
from vlnscope.language.ground.potentials import potentials_of
from vlnscope.language.ground.search import GoalValues, Progress, StageLattice, build_lattice, find_goals
from vlnscope.language.ground.stages import stages_of
from vlnscope.language.ground.terrain import LOWEST, terrain_of
from vlnscope.language.ground.weights import WEIGHTS, Weights
from vlnscope.types import Floats, Percept
from vlnscope.worlds.scene import Scene

MOST_STEPS = 25
"""Most steps of a walk; a walker who is lost stops then."""


def follow(
    instruction: Parse | Sequence[Action],
    scene: Scene,
    percepts: Mapping[str, Percept],
    start: str,
    heading: float,
    *,
    known_map: KnownMap | None = None,
    most_steps: int = MOST_STEPS,
    weights: Weights = WEIGHTS,
) -> tuple[str, ...]:
    """Return the walk of someone who knows at each step what could be seen from the viewpoints visited.

    The walker looks around, scores the next steps with `ground`, takes the best one, and so on until stopping
    is best. Having gone wrong it goes back, and the way back is part of the walk.

    Args:
        instruction: what to do, parsed.
        scene: gives the candidates and places of viewpoints; nothing else of it is looked at.
        percepts: what can be seen from each viewpoint; asked for visited viewpoints only.
        start: where the walk starts.
        heading: where the walker looks there.
        known_map: what is known from before; it is added to. A fresh map if None.
        most_steps: when to give up.
        weights: what counts how much.
    """
    known = KnownMap() if known_map is None else known_map
    graph = scene.graph
    walk = [start]
    while True:
        x, y, z = graph.positions[graph.row(walk[-1])].tolist()
        known.add(walk[-1], scene.candidates(walk[-1]), percepts[walk[-1]], position=(x, y, z))
        step = ground(instruction, known, walk, heading, weights=weights).best
        if step is None or len(walk) > most_steps:
            return tuple(walk)
        walk.append(step)


__all__ = ["WEIGHTS", "Scores", "Weights", "best_walk", "ground"]

LONGEST = 40
"""Most steps of a walk that `best_walk` returns."""


class Scores(NamedTuple):
    """What to do next.

    Attributes:
        candidates: where one can go from the last viewpoint, in the map's order.
        logs: log score of the best whole walk over each candidate, then of stopping here.
        actions: how likely each action is the one under way (or next), then that all are done.
    """

    candidates: tuple[str, ...]
    logs: Floats
    actions: Floats

    @property
    def probabilities(self) -> Floats:
        """Probability of each candidate, then of stopping."""
        return _normalised(self.logs)

    @property
    def best(self) -> str | None:
        """The best candidate; None for stopping. The first of equals wins, and stopping wins over all."""
        stop = len(self.candidates)
        if self.logs[stop] >= self.logs.max():
            return None
        return self.candidates[int(self.logs.argmax())]


def ground(
    instruction: Parse | Sequence[Action],
    known_map: KnownMap,
    walked: Sequence[str],
    heading: float,
    *,
    weights: Weights = WEIGHTS,
) -> Scores:
    """Score the next steps of a walker.

    Args:
        instruction: what to do, parsed.
        known_map: what is known of the place.
        walked: the viewpoints walked so far, start first, the present one last.
        heading: where the walker looked at the start.
        weights: what counts how much.

    Raises:
        InputError: the walk is empty or not one of this map.
    """
    return _Grounding(instruction, known_map, _checked(known_map, walked), heading, weights).scores(walked)


def best_walk(
    instruction: Parse | Sequence[Action],
    known_map: KnownMap,
    start: str,
    heading: float,
    *,
    weights: Weights = WEIGHTS,
) -> tuple[str, ...]:
    """Return the walk that carries out an instruction best, start included.

    In a map with a frontier it may end there, which means: go and look.
    """
    _checked(known_map, (start,))
    return _Grounding(instruction, known_map, start, heading, weights).best()


class _Grounding:
    def __init__(
        self,
        instruction: Parse | Sequence[Action],
        known_map: KnownMap,
        start: str,
        heading: float,
        weights: Weights,
    ) -> None:
        actions = instruction.actions if isinstance(instruction, Parse) else instruction
        self.map = known_map
        self.weights = weights
        self.stages = stages_of(actions)
        self.actions = len(actions)
        terrain = terrain_of(known_map, start, heading)
        self.lattice: StageLattice = build_lattice(
            [potentials_of(stage, terrain, weights) for stage in self.stages], terrain, weights
        )

    def scores(self, walked: Sequence[str]) -> Scores:
        progress = Progress.at_start(self.lattice)
        for node in walked[1:]:
            progress = self._step(progress, node)
        pairs = progress.next_pairs().tolist()
        names = tuple(self._target(pair) for pair in pairs)
        logs = np.array([progress.after(pair).going_on for pair in pairs] + [progress.stopped])
        logs = np.maximum(logs, self._elsewhere(walked[-1], names))
        current = _normalised(progress.by_stage / self.weights.temperature)
        actions = np.zeros(self.actions + 1)
        for stage, share in zip(self.stages, current.tolist(), strict=False):
            actions[stage.action] += share
        actions[-1] += current[-1]
        return Scores(names, logs / self.weights.temperature, actions)

    @cached_property
    def _goals(self) -> GoalValues:
        return find_goals(self.lattice)

    def _elsewhere(self, here: str, names: tuple[str, ...]) -> Floats:
        """Return what there is to be had by giving up the walk and going elsewhere, by the first step."""
        goals = self._goals
        logs = np.full(len(names) + 1, LOWEST)
        row = self.map.index[here]
        logs[-1] = goals.stop[row]
        frontier = self.map.frontier
        value = np.where(frontier, goals.look, goals.stop)
        for index, route in enumerate(routes(self.map, here, names)):
            cost = self.weights.detour + self.weights.detour_metre * route
            logs[index] = (value - cost).max()
        return logs

    def best(self) -> tuple[str, ...]:
        progress = Progress.at_start(self.lattice)
        walk = [self.map.nodes[self.lattice.terrain.source[progress.edge]]]
        while len(walk) <= LONGEST:
            options = [(progress.after(pair), pair) for pair in progress.next_pairs().tolist()]
            if not options or self.lattice.terrain.frontier[progress.edge]:
                break
            best, pair = max(options, key=lambda option: option[0].going_on)
            if progress.stopped >= best.going_on:
                break
            progress = best
            walk.append(self._target(pair))
        return tuple(walk)

    def _target(self, pair: int) -> str:
        terrain = self.lattice.terrain
        return self.map.nodes[int(terrain.target[terrain.follow.after[pair]])]

    def _step(self, progress: Progress, node: str) -> Progress:
        for pair in progress.next_pairs().tolist():
            if self._target(pair) == node:
                return progress.after(pair)
        raise InputError(
            f"the walk steps to {node!r}, which is no neighbour of the viewpoint before",
            expected="a walk along the edges of the map",
            fix="name every viewpoint on the way",
        )


def _checked(known_map: KnownMap, walked: Sequence[str]) -> str:
    unknown = [node for node in walked if node not in known_map.index]
    if not walked or unknown:
        raise InputError(
            f"viewpoint {unknown[0]!r} is not in the map" if unknown else "the walk is empty",
            expected="the viewpoints walked so far, start first",
            fix="add each viewpoint to the map when it is reached",
        )
    return walked[0]


def _normalised(logs: Floats) -> Floats:
    shares = np.exp(logs - logs.max())
    return np.asarray(shares / shares.sum())
