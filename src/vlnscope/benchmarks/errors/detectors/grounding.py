"""`grounding`: reads the instruction, replays it on the walk, and asks of each word whether it fits.

For every claim (`claims`) three kinds of evidence are weighed: how much better the instruction explains
the walk without it or with its opposite (`WalkFit`), how much likelier the turns really made are with the
opposite word (`turns`), and whether what is named was to be seen, about when it should be (`presence`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.errors.detection.protocol import (
    Detection,
    DetectorSpec,
    Outing,
    Reason,
    register_detector,
    words_at,
)
from vlnscope.benchmarks.errors.detectors.calibration import (
    Calibration,
    calibration,
    features,
    senses_of,
    share,
    together,
)
from vlnscope.benchmarks.errors.detectors.claims import Claim, claims_of
from vlnscope.benchmarks.errors.detectors.presence import LEVELS, presence
from vlnscope.benchmarks.errors.detectors.turns import signs_of, turns_of
from vlnscope.language.actions import Action, Span
from vlnscope.language.alignment import words_of
from vlnscope.language.ground import KnownMap
from vlnscope.language.ground.potentials import Potentials, potentials_of
from vlnscope.language.ground.search import Progress, StageLattice
from vlnscope.language.ground.stages import GroundingStage, stages_of
from vlnscope.language.ground.terrain import Terrain, terrain_of
from vlnscope.language.ground.weights import WEIGHTS, Weights
from vlnscope.language.parse import parse

_TOLD = 0.2
_REST = 0.01
_GAIN = 0.3


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


class Evidence(NamedTuple):
    """What speaks for or against a claim.

    Attributes:
        claim: what is said.
        gain: how much better the instruction explains the walk otherwise (log score).
        turned: how much likelier the turns are with the opposite word; None for what is not left or right.
        level: presence of what is named; None for what is no room or object.
    """

    claim: Claim
    gain: float
    turned: float | None
    level: int | None


class GroundingDetector:
    """Weighs what an instruction says against a walk.

    Args:
        known: the calibration; by default that for what the walker senses.
    """

    def __init__(self, known: Calibration | None = None) -> None:
        self._known = known
        self._last: tuple[Outing, WalkFit] | None = None

    def detect(self, instruction: str, walk: Outing) -> Detection:
        """Return probabilities: that the instruction is wrong, and that each word is."""
        known = self._known or calibration(senses_of(walk))
        evidence = self._weighed(instruction, walk, known)
        odds = [known.log_odds(values) for values in found_in(evidence, known)]
        shares = _shares(odds)
        reasons = [Reason(e.claim.span, p, told(e)) for e, p in zip(evidence, shares, strict=True)]
        reasons = sorted((r for r in reasons if r.score >= _TOLD), key=lambda r: (-r.score, r.span))
        by_aspect: dict[str, list[float]] = {}
        for one, its in zip(evidence, odds, strict=True):
            by_aspect.setdefault(one.claim.aspect, []).append(its)
        return Detection(
            score=share(together(odds)),
            words=_over_words(instruction, evidence, shares),
            reasons=tuple(reasons),
            aspects={aspect: share(together(its)) for aspect, its in sorted(by_aspect.items())},
        )

    def _weighed(self, instruction: str, walk: Outing, known: Calibration) -> list[Evidence]:
        if self._last is None or self._last[0] is not walk:
            self._last = (walk, WalkFit(walk))
        return weigh(instruction, walk, self._last[1], known)


def _shares(odds: Sequence[float]) -> list[float]:
    """Return the probability of each claim to be the wrong one; that none is has odds of 1."""
    sure = together([0.0, *odds])
    return [math.exp(min(one, 30.0) - sure) for one in odds]


def _over_words(instruction: str, evidence: Sequence[Evidence], shares: Sequence[float]) -> tuple[float, ...]:
    """Return a score per word. A name of several words is one claim: its first word stands for it."""
    words = words_of(instruction)
    scores = [0.0] * len(words)
    for one, its in zip(evidence, shares, strict=True):
        for nth, word in enumerate(words_at(words, one.claim.span)):
            scores[word] = max(scores[word], its * (_REST if nth else 1.0))
    return tuple(scores)


def weigh(instruction: str, walk: Outing, fit: WalkFit, known: Calibration) -> list[Evidence]:
    """Gather what speaks for or against each claim of an instruction."""
    read = parse(instruction)
    now = fit.score(read.actions)
    turned = known.turns.opposed(signs_of(read), turns_of(walk))
    return [
        Evidence(
            claim,
            fit.score(claim.otherwise) - now,
            turned.get(claim.span.start) if claim.aspect == "direction" else None,
            presence(claim.aspect, claim.word, claim.at, walk)
            if claim.aspect in ("room", "object")
            else None,
        )
        for claim in claims_of(read)
    ]


def found_in(evidence: Sequence[Evidence], known: Calibration) -> list[dict[str, float]]:
    """Return what speaks for or against the claims as features that a calibration weighs."""
    among = Counter(one.claim.aspect for one in evidence)
    return [
        features(
            one.claim,
            among=among[one.claim.aspect],
            gain=one.gain,
            turned=one.turned,
            unseen=None if one.level is None else known.unseen(one.claim, one.level),
        )
        | known.beforehand(one.claim)
        for one in evidence
    ]


def told(one: Evidence) -> str:
    """Say in words what speaks against a claim."""
    claim, parts = one.claim, []
    if claim.aspect == "direction":
        if one.turned is not None and one.turned > _GAIN:
            parts.append("the turns made fit the opposite better")
        if one.gain > _GAIN:
            parts.append("the walk fits the opposite better")
    else:
        if one.level is not None and one.level < 2:
            parts.append("never seen on the way" if one.level == 0 else f"seen {LEVELS[one.level]} only")
        if one.gain > _GAIN:
            parts.append("the walk fits better without it")
    return f"“{claim.word}”: {', '.join(parts) or 'seldom said where it is right'}"


register_detector(
    DetectorSpec(
        name="grounding",
        summary="replays the instruction on the walk: turns, rooms, objects and their order",
        make=lambda seed: GroundingDetector(),
    )
)
