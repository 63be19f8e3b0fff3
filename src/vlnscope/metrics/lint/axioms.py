"""What a metric should satisfy, each axiom as a function that looks for paths that break it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.metrics.lint.probes import NEVER_MOVES, Path, ProbeWorld, renumbering
from vlnscope.metrics.lint.trial import MetricTrial, Row
from vlnscope.metrics.values import NOT_FINITE, Values

Score = float | None

REFERENCE = "the reference itself"
SCALES = (0.3, 7.0)
TOLERANCE = 1e-9


class Check(NamedTuple):
    """One look at one path: what is wrong with the metric's value for it, if anything."""

    world: ProbeWorld
    probe: str
    value: Score
    fault: str | None


class Axiom(NamedTuple):
    """Something a metric should satisfy.

    Attributes:
        name: what reports call it.
        says: the axiom in one sentence.
        judge: looks at the evidence.
        hard: whether a metric that breaks it is wrong, not just limited.
        directed: whether it makes sense only if one direction is better.
        informs: whether breaking it is no fault, only worth knowing.
    """

    name: str
    says: str
    judge: Callable[[ProbeEvidence], Iterator[Check]]
    hard: bool = False
    directed: bool = False
    informs: bool = False


@dataclass(frozen=True)
class ProbeEvidence:
    """What a metric gave to every probe, and the means to ask it more.

    Attributes:
        trial: the metric under test.
        seed: for what is drawn at random.
        worlds: where it was tested.
        scores: for each world, the score of every path by name; None where undefined for a stated
            reason, NaN where for none.
    """

    trial: MetricTrial
    seed: int
    worlds: tuple[ProbeWorld, ...]
    scores: tuple[dict[str, Score], ...]

    def __iter__(self) -> Iterator[tuple[ProbeWorld, dict[str, Score]]]:
        return zip(self.worlds, self.scores, strict=True)

    def each(self) -> Iterator[tuple[ProbeWorld, str, Score]]:
        """Iterate over all paths of all worlds."""
        return ((world, probe, value) for world, scores in self for probe, value in scores.items())

    def better(self, a: float, b: float) -> bool:
        """Whether `a` is a better value than `b`, by more than rounding."""
        gain = b - a if self.trial.metric.better == "lower" else a - b
        return gain > _slack(a, b)

    def beside_reference(
        self, probes: Callable[[ProbeWorld], Iterable[str]]
    ) -> Iterator[tuple[ProbeWorld, str, float, float]]:
        """Iterate over probes with their values and the reference's, where both are defined."""
        for world, scores in self:
            best = scores[REFERENCE]
            for probe in probes(world):
                value = scores.get(probe)
                if value is not None and best is not None:
                    yield world, probe, value, best

    def comparison(self, world: ProbeWorld, probe: str, value: float, best: float) -> str:
        """Say in words how a value compares with the reference's."""
        relation = "the same as" if close(value, best) else "other than"
        if self.trial.metric.better != "none" and not close(value, best):
            relation = "better than" if self.better(value, best) else "worse than"
        return f"{scored(world, probe, value)}, {relation} the reference ({number(best)})"


def paths(world: ProbeWorld) -> dict[str, Path]:
    """Return all paths that are tried in a world, the reference first."""
    return {REFERENCE: world.reference, **world.probes}


def rows(worlds: Iterable[ProbeWorld]) -> list[Row]:
    """Return what a metric is computed on."""
    return [(world, path) for world in worlds for path in paths(world).values()]


def scores(values: Values) -> list[Score]:
    """Return the values; None where undefined for a stated reason, NaN where for none."""
    no_reason = values.undefined.get(NOT_FINITE, np.zeros(values.values.shape, dtype=np.bool_))
    numbers = np.where(no_reason, np.nan, values.values)
    return [float(v) if ok else None for v, ok in zip(numbers, values.defined | no_reason, strict=True)]


def close(a: float, b: float) -> bool:
    """Whether two values agree but for rounding."""
    return a == b or abs(a - b) <= _slack(a, b) or (math.isnan(a) and math.isnan(b))


def number(value: Score) -> str:
    """Write a score."""
    return "undefined" if value is None else f"{value:.4g}"


def scored(world: ProbeWorld, probe: str, value: Score) -> str:
    """Write which path has which score."""
    return f"{probe!r} on {world.name} scores {number(value)}"


def _range(evidence: ProbeEvidence) -> Iterator[Check]:
    metric = evidence.trial.metric
    high = math.inf if metric.high is None else metric.high
    bounds = f"[{number(metric.low)}, {'∞)' if metric.high is None else number(high) + ']'}"
    for world, probe, value in evidence.each():
        if value is None:
            continue
        if not math.isfinite(value):
            yield Check(world, probe, value, f"{scored(world, probe, value)}, and gives no reason")
        else:
            inside = metric.low - _slack(value, metric.low) <= value <= high + TOLERANCE
            fault = None if inside else f"{scored(world, probe, value)}, outside {bounds}"
            yield Check(world, probe, value, fault)


def _identity(evidence: ProbeEvidence) -> Iterator[Check]:
    metric = evidence.trial.metric
    bound = metric.low if metric.better == "lower" else metric.high
    for world, probe, value, best in evidence.beside_reference(paths):
        if not world.is_direct:
            continue
        fault = evidence.comparison(world, probe, value, best) if evidence.better(value, best) else None
        if probe == REFERENCE and bound is not None and not close(value, bound):
            fault = f"{scored(world, probe, value)}, the best value is {number(bound)}"
        yield Check(world, probe, value, fault)


def _determinism(evidence: ProbeEvidence) -> Iterator[Check]:
    cases, run = rows(evidence.worlds), evidence.trial.run
    again, backwards = scores(run(cases)), scores(run(cases[::-1]))[::-1]
    alone = [score for row in cases for score in scores(run([row]))]
    how = ("computed again", "with the rows of the batch in reverse order", "in a batch of its own")
    for (world, probe, value), *others in zip(evidence.each(), again, backwards, alone, strict=True):
        for other, when in zip(others, how, strict=True):
            fault = f"{scored(world, probe, value)}, but {number(other)} {when}"
            yield Check(world, probe, value, None if _same(value, other) else fault)


def _renaming(evidence: ProbeEvidence) -> Iterator[Check]:
    others = scores(evidence.trial.run(rows(_renamed(evidence.worlds, evidence.seed))))
    for (world, probe, value), other in zip(evidence.each(), others, strict=True):
        fault = f"{scored(world, probe, value)}, but {number(other)} when the nodes are numbered differently"
        yield Check(world, probe, value, None if _same(value, other) else fault)


def _compared(
    probes: Callable[[ProbeWorld], Iterable[str]], is_fault: Callable[[ProbeEvidence, float, float], bool]
) -> Callable[[ProbeEvidence], Iterator[Check]]:
    """Return the judge of an axiom about how the values of some probes compare with the reference's."""

    def judge(evidence: ProbeEvidence) -> Iterator[Check]:
        for world, probe, value, best in evidence.beside_reference(probes):
            wrong = is_fault(evidence, value, best)
            fault = evidence.comparison(world, probe, value, best) if wrong else None
            yield Check(world, probe, value, fault)

    return judge


def _unnoticed(evidence: ProbeEvidence, value: float, best: float) -> bool:
    directed = evidence.trial.metric.better != "none"
    return not evidence.better(best, value) if directed else close(value, best)


def _soft_penalty(evidence: ProbeEvidence) -> Iterator[Check]:
    """Look along each ladder; one that is not punished at all says nothing, unless all are like that."""
    ignored: list[Check] = []
    graded: list[Check] = []
    for world, best, steps in _ladders(evidence):
        if all(close(value, best) for _, value in steps):
            ignored += [Check(world, p, v, evidence.comparison(world, p, v, best)) for p, v in steps]
            continue
        for (before, near), (probe, far) in pairwise(steps):
            fault = f"{scored(world, probe, far)}, no worse than {before!r} ({number(near)})"
            graded.append(Check(world, probe, far, None if evidence.better(near, far) else fault))
    return iter(graded or ignored)


def _ladders(evidence: ProbeEvidence) -> Iterator[tuple[ProbeWorld, float, list[tuple[str, float]]]]:
    for world, values in evidence:
        best = values[REFERENCE]
        for ladder in world.ladders:
            steps = [(probe, value) for probe in ladder if (value := values[probe]) is not None]
            if best is not None and steps:
                yield world, best, steps


def _units(evidence: ProbeEvidence) -> Iterator[Check]:
    return _under_scaling(evidence, grows=evidence.trial.metric.unit == "m")


def _scale(evidence: ProbeEvidence) -> Iterator[Check]:
    return _under_scaling(evidence, grows=False)


def _under_scaling(evidence: ProbeEvidence, *, grows: bool) -> Iterator[Check]:
    for factor in SCALES:
        others = scores(evidence.trial.run(rows(_scaled(evidence.worlds, factor)), factor))
        for (world, probe, value), other in zip(evidence.each(), others, strict=True):
            expected = value * factor if grows and value is not None else value
            fault = f"{scored(world, probe, value)}, but {number(other)} with all lengths times {factor:g}"
            yield Check(world, probe, value, None if _same(expected, other) else fault)


_direction = _compared(lambda world: (NEVER_MOVES,), ProbeEvidence.better)
_path_similarity = _compared(lambda world: world.deviations, _unnoticed)
_uniqueness = _compared(
    lambda world: [probe for probe in world.probes if probe not in world.same_route],
    lambda evidence, value, best: not evidence.better(best, value),
)
_order = _compared(lambda world: world.reorderings, lambda evidence, value, best: close(value, best))
_sampling = _compared(lambda world: world.same_route, lambda evidence, value, best: not close(value, best))

AXIOMS = (
    Axiom("range", "values lie within the declared bounds, or are undefined for a reason", _range, hard=True),
    Axiom("identity", "a reference that is a shortest way has the best value", _identity, True, True),
    Axiom("determinism", "neither repetition nor the other rows of a batch matter", _determinism, hard=True),
    Axiom("renaming", "how nodes are numbered does not matter", _renaming, hard=True),
    Axiom("direction", "an agent that never moves does not beat the reference", _direction, directed=True),
    Axiom("path similarity", "a place left out or added costs, even if the end is right", _path_similarity),
    Axiom("soft penalty", "the farther from the reference, the worse", _soft_penalty, directed=True),
    Axiom("uniqueness", "no other path is as good as the reference", _uniqueness, directed=True),
    Axiom("order", "visiting the same places in another order is noticed", _order),
    Axiom("units", "lengths grow with the world, shares and counts do not", _units),
    Axiom("scale", "nothing changes if the world and the radius grow together", _scale),
    Axiom("sampling", "logging more places along the same way changes nothing", _sampling, informs=True),
)


@lru_cache(maxsize=8)
def _scaled(worlds: tuple[ProbeWorld, ...], factor: float) -> tuple[ProbeWorld, ...]:
    return tuple(world.scaled(factor) for world in worlds)


@lru_cache(maxsize=4)
def _renamed(worlds: tuple[ProbeWorld, ...], seed: int) -> tuple[ProbeWorld, ...]:
    return tuple(
        w.renamed(renumbering(len(w.graph.nodes), rng_for(seed, "check-metric", "renumbering", w.name)))
        for w in worlds
    )


@lru_cache(maxsize=4)
def walked_twice(worlds: tuple[ProbeWorld, ...]) -> tuple[ProbeWorld, ...]:
    """Return the same worlds, where a tour consists of two episodes that are walked alike."""
    return tuple(replace(world, name=f"{world.name}, walked twice", laps=2) for world in worlds)


def _slack(a: float, b: float) -> float:
    return TOLERANCE * max(1.0, abs(a), abs(b))


def _same(a: Score, b: Score) -> bool:
    return a is b if a is None or b is None else close(a, b)
