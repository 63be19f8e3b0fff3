"""Turns: how likely the turns of a walk are, given the words for directions in a text, in their order.

A hidden alignment: each word for a direction speaks of one turn of the walk, or of none that can be seen;
the words come in the order of the turns, and roughly where the turns are. What turns a word stands for,
by the part it plays in its action, was learned from walks that were described (``tools/fit_detector.py``);
left and right are mirror images. All alignments are summed over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.errors.detection.protocol import Outing
from vlnscope.benchmarks.errors.detectors.claims import direction_role, side_of
from vlnscope.language.actions import Parse
from vlnscope.language.geometry import heading_to, relative
from vlnscope.types import Floats, Ints

BINS = 24
OTHER = "side:other"
_STILL = 0.1


class Sign(NamedTuple):
    """A word for a direction.

    Attributes:
        start: its first character.
        role: what its action does with it.
        side: -1 left, 1 right, 0 neither.
        at: where in the text it stands, from 0 to 1.
    """

    start: int
    role: str
    side: int
    at: float


class TurnModel(msgspec.Struct, frozen=True, kw_only=True):
    """What words for directions mean.

    Attributes:
        width: how far from its place in the text a word's turn may be: a standard deviation, of the whole.
        unseen: share of the words whose turn is not to be seen.
        together: factor on two words for one turn.
        silent: how often nobody speaks of a turn of this size; a row for the first step, one for the rest.
        spoken: the same for turns that a word with this role stands for, said of the right.
    """

    width: float
    unseen: float
    together: float
    silent: tuple[tuple[float, ...], tuple[float, ...]]
    spoken: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]

    def log_odds(self, signs: Sequence[Sign], turns: Floats) -> float:
        """Return how much more likely the turns are with these words than with none (log)."""
        if not len(turns):
            return 0.0
        reached = np.zeros(len(turns) + 1)
        reached[0] = 1.0
        for weight in self.weights(signs, turns):
            before = np.cumsum(reached)[:-1]
            step = np.concatenate([[0.0], weight * (before + self.together * reached[1:])])
            reached = self.unseen * reached + step
        return math.log(float(reached.sum()))

    def opposed(self, signs: Sequence[Sign], turns: Floats) -> dict[int, float]:
        """Return, for each word for left or right, what the opposite word would gain (log odds)."""
        now = self.log_odds(signs, turns)
        return {
            sign.start: self.log_odds([*signs[:k], sign._replace(side=-sign.side), *signs[k + 1 :]], turns)
            - now
            for k, sign in enumerate(signs)
            if sign.side
        }

    def weights(self, signs: Sequence[Sign], turns: Floats) -> Floats:
        """Return, per word and turn, how well they go together, the place in the text included."""
        steps = np.arange(len(turns))
        kind, size = np.minimum(steps, 1), bins_of(turns)
        silent = np.array(self.silent)
        weights = np.zeros((len(signs), len(turns)))
        for row, sign in enumerate(signs):
            spoken = np.array(self.spoken.get(sign.role) or self.spoken[OTHER])
            seen = size if sign.side >= 0 else BINS - 1 - size
            near = np.exp(-0.5 * (((steps + 0.5) / len(turns) - sign.at) / self.width) ** 2)
            ratio = spoken[kind, seen] / silent[kind, seen]
            weights[row] = (1.0 - self.unseen) * near / near.sum() * ratio
        return weights


def bins_of(turns: Floats) -> Ints:
    """Return the bin of each turn (degrees to the right); bin k and bin BINS - 1 - k mirror each other."""
    return np.clip(((turns + 180.0) / 360.0 * BINS).astype(np.int64), 0, BINS - 1)


def signs_of(read: Parse) -> list[Sign]:
    """Return the words for directions of an instruction, in order."""
    length = max(len(read.text), 1)
    signs = []
    for token in read.tokens:
        side = side_of(token.text.lower())
        if side:
            start = token.span.start
            signs.append(Sign(start, direction_role(read, token), side, start / length))
    for action in read.actions:
        role = {"around": "around", "back": "around", "straight": "straight"}.get(action.direction or "")
        if role == "around" or (role and action.kind == "go"):
            signs.append(Sign(action.span.start, role, 0, action.span.start / length))
    return sorted(signs)


def turns_of(walk: Outing) -> Floats:
    """Return the turns of a walk, in degrees to the right, one per step: each with the turn after it.

    People say “turn left” of a turn that takes two steps. Steps straight up or down keep the heading.
    """
    headings = [walk.heading]
    for a, b in pairwise(walk.positions):
        moved = math.hypot(b[0] - a[0], b[1] - a[1]) >= _STILL
        headings.append(heading_to(a, b) if moved else headings[-1])
    turns = np.array([math.degrees(relative(a, b)) for a, b in pairwise(headings)])
    later = np.append(turns[1:], 0.0) if len(turns) else turns
    both: Floats = np.clip(turns + later, -180.0, 179.0)
    return both
