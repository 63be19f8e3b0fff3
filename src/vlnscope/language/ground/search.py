"""Search: the best walk for a row of stages, by dynamic programming over steps and stages.

A walk is cut into stretches, one per stage, in order; its score is the sum of the stages' potentials.
`StageLattice` holds for every step how well a walk can still go on (backwards, over the whole map) and
`Progress` how well the stages explain what was walked so far (forwards, step by step). Together they score
the next step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vlnscope.language.ground.potentials import Potentials, level_cost
from vlnscope.language.ground.terrain import LOWEST, Terrain
from vlnscope.language.ground.weights import Weights
from vlnscope.types import Floats, Ints

_FILLERS = 2


class StageValues(NamedTuple):
    """What is still to be had just after an edge was taken within a stage.

    The first axis is how many more steps the stage may take, then come edges and things.

    Attributes:
        before: while what has to happen in the stage has not happened yet.
        after: when it has, or nothing has to.
    """

    before: Floats
    after: Floats


@dataclass(frozen=True, eq=False)
class StageLattice:
    """How well a walk can go on from every step.

    Attributes:
        terrain, weights, stages: of what.
        ahead: row i: per edge, the best score of stages i and later, beginning after that edge.
        within: for each stage, the values amid it.
    """

    terrain: Terrain
    weights: Weights
    stages: tuple[Potentials, ...]
    ahead: Floats
    within: tuple[StageValues, ...]

    def hope(self, stage: int) -> float:
        """Return what is expected of this and all later stages where nothing is known."""
        return sum(later.expected for later in self.stages[stage:])

    @cached_property
    def stray(self) -> Floats:
        """Per pair of steps: a step that no stage asks for."""
        cost = level_cost(self.terrain, self.weights)[self.terrain.follow.after]
        return self.terrain.bend(self.weights) - self.weights.filler + cost


def build_lattice(stages: Sequence[Potentials], terrain: Terrain, weights: Weights) -> StageLattice:
    """Work out how well a walk can go on from every step, last stage first."""
    size = len(terrain.source)
    ahead = np.zeros((len(stages) + 1, size))
    within: list[StageValues] = []
    lattice = StageLattice(terrain, weights, tuple(stages), ahead, ())
    for number in range(len(stages) - 1, -1, -1):
        stage = stages[number]
        hope = lattice.hope(number)
        values = _within(stage, ahead[number + 1], lattice, hope)
        within.append(values)
        best = np.maximum(stage.zero + ahead[number + 1], _begun(stage, values, terrain))
        for _ in range(_FILLERS):
            best = np.maximum(best, terrain.best_after(lattice.stray + best[terrain.follow.after]))
        ahead[number] = np.where(terrain.frontier, np.maximum(best, hope), best)
    return StageLattice(terrain, weights, tuple(stages), ahead, tuple(reversed(within)))


def _within(stage: Potentials, later: Floats, lattice: StageLattice, hope: float) -> StageValues:
    terrain = lattice.terrain
    done = stage.end + later[:, None]
    unknown = terrain.frontier[:, None]
    farther = hope + stage.onward
    done = np.where(unknown, np.maximum(done, hope if stage.event is not None else farther), done)
    bend = stage.bend[:, None]
    after = [done]
    for _ in range(stage.most - 1):
        on = (stage.each + after[-1])[terrain.follow.after]
        after.append(np.maximum(done, terrain.best_after(bend + on)))
    if stage.event is None:
        values = np.stack(after)
        return StageValues(values, values)
    waiting = np.where(unknown, farther, LOWEST)
    before = [waiting]
    for left in range(stage.most - 1):
        on = (stage.each + np.maximum(stage.event + after[left], before[-1]))[terrain.follow.after]
        before.append(np.maximum(waiting, terrain.best_after(bend + on)))
    return StageValues(np.stack(before), np.stack(after))


def _begun(stage: Potentials, values: StageValues, terrain: Terrain) -> Floats:
    """Return, per edge, the best score of a stage that takes its first step after it."""
    if stage.most == 0:
        return np.full(len(terrain.source), LOWEST)
    rest = values.after[-1]
    if stage.event is not None:
        rest = np.maximum(stage.event + rest, values.before[-1])
    first = stage.begin + stage.each + rest
    follow = terrain.follow
    if stage.where.any():
        best = (first[follow.after] + stage.where[follow.before]).max(axis=1)
    else:
        best = first.max(axis=1)[follow.after]
    return terrain.best_after(stage.turn + best)


class GoalValues(NamedTuple):
    """Where a walk from the start can lead, however it gets there.

    Attributes:
        stop: per viewpoint, the best score of a walk that carries everything out and stops there.
        look: per viewpoint, the best score of a walk that is to be continued from there into the unknown.
    """

    stop: Floats
    look: Floats


def find_goals(lattice: StageLattice) -> GoalValues:
    """Work out where the walks from the start lead, first stage first."""
    terrain = lattice.terrain
    nodes = len(terrain.map.nodes)
    done = np.full(len(terrain.source), LOWEST)
    done[terrain.start] = 0.0
    look = np.full(len(done), LOWEST)
    for number, stage in enumerate(lattice.stages):
        for _ in range(_FILLERS):
            done = np.maximum(done, terrain.best_before(lattice.stray + done[terrain.follow.before]))
        amid, over = _reached(stage, done, lattice)
        hope = lattice.hope(number)
        look = np.maximum(look, np.maximum(done, amid) + hope)
        done = np.maximum(done + stage.zero, over)
    return GoalValues(_by_node(done, terrain, nodes), _by_node(look, terrain, nodes))


def _reached(stage: Potentials, done: Floats, lattice: StageLattice) -> tuple[Floats, Floats]:
    """Return, per edge, the best score amid a stage and at its end, given the best before it."""
    terrain = lattice.terrain
    before = terrain.follow.before
    if stage.most == 0:
        return done, np.full_like(done, LOWEST)
    if stage.where.any():
        begun = terrain.best_before((stage.turn + done[before])[:, None] + stage.where[before])
    else:
        begun = terrain.best_before(stage.turn + done[before])[:, None]
    first = begun + stage.begin + stage.each
    waiting = first
    happened = first if stage.event is None else first + stage.event
    fresh = happened
    for _ in range(stage.most - 1):
        on = terrain.best_before(stage.bend[:, None] + happened[before]) + stage.each
        if stage.event is not None:
            still = terrain.best_before(stage.bend[:, None] + waiting[before]) + stage.each
            waiting = np.maximum(first, still)
            fresh = waiting + stage.event
        happened = np.maximum(fresh, on)
    amid = np.maximum(waiting + stage.onward, happened + (stage.onward if stage.event is None else 0.0))
    return amid.max(axis=1), (happened + stage.end).max(axis=1)


def _by_node(edges: Floats, terrain: Terrain, nodes: int) -> Floats:
    best = np.full(nodes, LOWEST)
    np.maximum.at(best, terrain.target, edges)
    return best


@dataclass(frozen=True, eq=False)
class Progress:
    """How well the stages explain a walk so far.

    Attributes:
        lattice: of what.
        edge: the last step.
        done: entry i: the first i stages are over.
        waiting, happened: for each stage, a row per number of steps that it has taken and a column per
            thing: it is under way, and what has to happen in it is still to come, or has happened (or
            nothing has to).
    """

    lattice: StageLattice
    edge: int
    done: Floats
    waiting: tuple[Floats, ...]
    happened: tuple[Floats, ...]

    @classmethod
    def at_start(cls, lattice: StageLattice) -> Progress:
        """Return the state before the first step."""
        done = np.full(len(lattice.stages) + 1, LOWEST)
        done[0] = 0.0
        none = tuple(np.full((stage.most, stage.end.shape[1]), LOWEST) for stage in lattice.stages)
        return cls(lattice, lattice.terrain.start, _closed(done, lattice, lattice.terrain.start), none, none)

    def next_pairs(self) -> Ints:
        """Return the pairs of the last step with each step that can follow, in candidate order."""
        follow = self.lattice.terrain.follow
        later = follow.starts[self.edge + 1 : self.edge + 2]
        return np.arange(follow.starts[self.edge], later[0] if len(later) else len(follow.before))

    def after(self, pair: int) -> Progress:
        """Return the state after one more step."""
        lattice = self.lattice
        edge = int(lattice.terrain.follow.after[pair])
        done = self.done + lattice.stray[pair]
        waiting, happened = [], []
        for number, stage in enumerate(lattice.stages):
            still, over = self._taken(number, stage, pair, edge)
            waiting.append(still)
            happened.append(over)
            if stage.most:
                done[number + 1] = max(done[number + 1], float((over + stage.end[edge]).max()))
        return Progress(lattice, edge, _closed(done, lattice, edge), tuple(waiting), tuple(happened))

    def _taken(self, number: int, stage: Potentials, pair: int, edge: int) -> tuple[Floats, Floats]:
        """Return what is under way in a stage after one more step."""
        still, over = np.full_like(self.waiting[number], LOWEST), np.full_like(self.happened[number], LOWEST)
        if not stage.most:
            return still, over
        on = stage.bend[pair] + stage.each[edge]
        begun = self.done[number] + stage.turn[pair] + stage.where[self.edge] + stage.begin[edge]
        over[1:] = self.happened[number][:-1] + on
        if stage.event is None:
            over[0] = begun + stage.each[edge]
            return still, over
        still[0] = begun + stage.each[edge]
        still[1:] = self.waiting[number][:-1] + on
        return still, np.maximum(over, still + stage.event[edge])

    @property
    def stopped(self) -> float:
        """Score of stopping here."""
        return float(self.done[-1])

    @property
    def by_stage(self) -> Floats:
        """Per stage, the best score of a whole walk in which it is under way or next; last, of stopping."""
        lattice, edge = self.lattice, self.edge
        best = self.done.copy()
        best[:-1] += lattice.ahead[:-1, edge]
        for number, values in enumerate(lattice.within):
            if lattice.stages[number].most:
                waiting = self.waiting[number] + values.before[::-1, edge]
                happened = self.happened[number] + values.after[::-1, edge]
                best[number] = max(best[number], float(np.maximum(waiting, happened).max()))
        return best

    @property
    def going_on(self) -> float:
        """Best score of a whole walk that goes on from here or stops here."""
        return float(self.by_stage.max())


def _closed(done: Floats, lattice: StageLattice, edge: int) -> Floats:
    """Let stages end that need no step."""
    done = done.copy()
    for number, stage in enumerate(lattice.stages):
        done[number + 1] = max(done[number + 1], done[number] + stage.zero[edge])
    return done
