"""The pragmatic choice: among routes that a follower found, the one that a speaker would tell this way.

A route's worth is ``w · speaker / σ_s + (1 - w) · follower / σ_f``: logarithms of the probability of the
instruction, given the route, and of the route, given the instruction, each divided by its standard deviation
over all routes of a whole data set, as in the official code, or of the instruction at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from torch import Tensor

from vlnscope.agents.learned.speaker_follower.routes import (
    FoundRoute,
    common_walk,
)
from vlnscope.agents.learned.speaker_follower.search import (
    Found,
)
from vlnscope.agents.learned.speaker_follower.walks import Walks, read_walks
from vlnscope.agents.learned.speaker_network import SpeakerNetwork
from vlnscope.agents.learned.tensors import ImageSource
from vlnscope.types import Floats

WEIGHT = 0.95
"""Of the speaker, as published."""


class ScoreSpread(NamedTuple):
    """Standard deviations of the scores of the speaker and of the follower."""

    speaker: float
    follower: float

    @classmethod
    def of(cls, speaker: Floats, follower: Floats) -> ScoreSpread:
        """Return those of some routes; where all score alike, 1."""
        return cls(*(float(np.std(scores)) or 1.0 for scores in (speaker, follower)))


def speaker_scores(
    speaker: SpeakerNetwork,
    source: ImageSource,
    walks: Walks,
    tokens: Tensor,
    groups: Tensor,
    *,
    together: bool = False,
) -> Tensor:
    """(B, L): logarithms of the probability of each word of each instruction, given its walk.

    Args:
        speaker: the speaker.
        source: where image features come from.
        walks: the walks.
        tokens: (B, L) the instruction of each.
        groups: (B) which agent each walk is of.
        together: a speaker that reads on over shorter walks (`SpeakerConfig.runs_on`) reads all walks of one
            agent as far as the longest of them, so that scores do not depend on other agents; with this, as
            far as the longest of all, as in the official code.
    """
    sizes, until = walks.sizes, None
    if speaker.runs_on and not together:
        longest = sizes.new_zeros(int(groups.max()) + 1)
        until = longest.scatter_reduce(0, groups, sizes, "amax")[groups]
    state = read_walks(speaker, source, walks, until)
    return speaker.word_scores(state, tokens.to(state.hidden.device))


def worths(speaker: Floats, follower: Floats, spread: ScoreSpread, weight: float = WEIGHT) -> Floats:
    """Return what routes are worth.

    Example:
        >>> worths(np.array([-4.0, -2.0]), np.array([-1.0, -3.0]), ScoreSpread(2.0, 1.0), 0.5).tolist()
        [-1.5, -2.0]
    """
    return np.asarray(weight * speaker / spread.speaker + (1 - weight) * follower / spread.follower)


def walk_of(
    found: Found, chosen: FoundRoute, start: FoundRoute | None = None, *, traversal: bool
) -> list[str]:
    """Return the viewpoints that an agent comes through, the last twice if it stops there.

    Args:
        found: by the search.
        chosen: the route.
        start: what was gone already, which is left out; nothing if not given.
        traversal: whether the agent walks its search: it goes to all that it looked at before it
            decides, and back to the route.
    """
    if not traversal:
        return chosen.viewpoints[len(start.parts) - 1 if start else 0 :]
    walked = found.walked + common_walk(found.walked[-1], chosen)[1:]
    return [route.viewpoint for route in walked]


def first_moves(start: FoundRoute, routes: Sequence[FoundRoute], worth: Floats, ways: int) -> Floats:
    """Return how probable each move is from where routes begin, where these are as probable as their worth.

    The probabilities of routes are the softmax of what they are worth; a move has those of all routes that
    begin with it.

    Args:
        start: where all routes begin.
        routes: some.
        worth: what each is worth.
        ways: how many candidates there are; after them comes stopping.
    """
    shares = np.exp(worth - worth.max())
    moves = np.zeros(ways + 1)
    for route, share in zip(routes, shares / shares.sum(), strict=True):
        first = route.parts[len(start.parts)]
        moves[ways if first.stopped else first.action] += share
    return np.asarray(moves / moves.sum())
