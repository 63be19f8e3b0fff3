"""Calibration: evidence for and against each claim of an instruction becomes a probability.

Either nothing is wrong, or one of the claims is: a multinomial logit over these answers, fitted to errors
planted in training instructions (``tools/fit_detector.py``), as many directions as rooms and as objects.
Its weights belong to kinds of claims, never to single words: those would learn what a builder likes to plant.
What is known of a word was counted in training instructions as they are: how often it is said, and how often
it is then seen. There is one calibration for walks that see rooms and objects with their names, and one for
walks that know places by captions. They lie in ``grounding_*.json``, with what they were fitted on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from vlnscope.benchmarks.errors.detection.protocol import Outing
from vlnscope.benchmarks.errors.detectors.claims import Claim, kind_of, opposite_of
from vlnscope.benchmarks.errors.detectors.presence import LEVELS
from vlnscope.benchmarks.errors.detectors.turns import TurnModel

Senses = Literal["labels", "captions"]
Sightings = dict[str, dict[str, tuple[tuple[float, ...], tuple[float, ...]]]]
MOST_FIT = 6.0
MOST_TURNS = 5.0
MOST_UNSEEN = 4.0
_DOUBT = 2.0
_HARDLY = 0.05


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """What evidence means.

    Attributes:
        about: what it was fitted on.
        turns: what words for directions mean.
        said: how often training instructions say each direction, room and object.
        sightings: for ``room`` and ``object`` and each name (``*`` for all others): how often each level of
            presence was found on walks whose instruction names it, and on other walks.
        weights: of the features of `features`.
    """

    about: str
    turns: TurnModel
    said: dict[str, dict[str, int]]
    sightings: Sightings
    weights: dict[str, float]

    def unseen(self, claim: Claim, level: int) -> float:
        """Return how much a level of presence speaks against a name (log odds)."""
        by_name = self.sightings.get(claim.aspect, {})
        named, others = by_name.get(claim.word) or by_name.get("*") or ((1.0,) * len(LEVELS),) * 2
        return math.log(others[level] / sum(others)) - math.log(named[level] / sum(named))

    def beforehand(self, claim: Claim) -> dict[str, float]:
        """Return what is to be thought of a claim before one looks, by name.

        A direction is suspicious if people rather say its opposite; a room or an object if people seldom
        name it although it is to be seen on many walks.
        """
        said = self.said.get(claim.aspect, {})
        if claim.aspect == "direction":
            here, there = (said.get(word, 0) + _DOUBT for word in (claim.word, opposite_of(claim.word)))
            return {"unusual": math.log(there / here)}
        if claim.aspect not in ("room", "object"):
            return {}
        _, others = self.sightings.get(claim.aspect, {}).get(claim.word) or ((), ())
        seen = 1.0 - others[0] / sum(others) if others else _HARDLY
        return {
            f"seldom:{claim.aspect}": -math.log(said.get(claim.word, 0) + _DOUBT),
            f"common:{claim.aspect}": math.log(max(seen, _HARDLY / 10)),
        }

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return the log odds that a claim with these features is wrong, against that nothing is."""
        return sum(self.weights.get(name, 0.0) * value for name, value in features.items())


def features(
    claim: Claim,
    *,
    among: int,
    gain: float,
    turned: float | None = None,
    unseen: float | None = None,
) -> dict[str, float]:
    """Return the evidence on a claim by name.

    Args:
        claim: what is said.
        among: how many claims of the instruction are about the same aspect.
        gain: how much better the instruction explains the walk otherwise.
        turned: how much likelier the turns of the walk are with the opposite word.
        unseen: how much the presence of the place speaks against its name.
    """
    kind = kind_of(claim)
    gain = clipped(gain, MOST_FIT)
    values = {
        f"is:{kind}": 1.0,
        f"is:{kind}:{claim.role}": 1.0,
        f"among:{claim.aspect}": math.log(among),
        f"gain:{kind}": gain,
        f"gain:{kind}:{claim.role}": gain,
    }
    if turned is not None:
        values["turned"] = clipped(turned, MOST_TURNS)
        values[f"turned:{claim.role}"] = clipped(turned, MOST_TURNS)
    if unseen is not None:
        values[f"unseen:{claim.aspect}"] = clipped(unseen, MOST_UNSEEN)
    return values


def together(odds: Sequence[float]) -> float:
    """Return the log odds that one of several claims is wrong, given those of each; none are never wrong.

    Example:
        >>> together([0.0, 0.0]) == math.log(2)
        True
    """
    return math.log(sum(math.exp(min(one, 30.0)) for one in odds)) if odds else -math.inf


def clipped(value: float, most: float) -> float:
    """Keep a value within ±`most`."""
    return max(-most, min(most, value))


def share(log_odds: float) -> float:
    """Return a probability."""
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, log_odds))))


def senses_of(walk: Outing) -> Senses:
    """Return by what a walker knows places: by captions as soon as there are any."""
    return "captions" if any(percept.captions() for percept in walk.percepts) else "labels"


@cache
def calibration(senses: Senses) -> Calibration:
    """Return the calibration for what a walker senses."""
    path = Path(__file__).with_name(f"grounding_{senses}.json")
    return msgspec.json.decode(path.read_bytes(), type=Calibration)
