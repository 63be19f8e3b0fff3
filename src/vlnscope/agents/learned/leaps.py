"""Choices among the places of a map as decisions about the next step.

What a model that leaps thinks of places farther off is what it thinks of the ways to them: a neighbour has
the probability of all places whose way, along the map, begins there. Stopping keeps its own, wherever the
agent then walks to stop. Where decisions are followed freely, the likeliest *place* is gone to, by a route.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.model import LeapingModel
from vlnscope.agents.learned.tensors import ViewpointNumbers
from vlnscope.core.devices import as_array
from vlnscope.types import STOP, Decision, Floats, Observation


class Leap(NamedTuple):
    """What a model says of the places on its map, names in place of numbers.

    Attributes:
        shares: probability of each place, then of stopping.
        hops: the neighbour through which the way to each place leads; empty where there is none.
        route: the viewpoints on the way to the likeliest place, or to where the agent would stop.
        stops: whether the likeliest is to stop.
    """

    shares: Floats
    hops: Sequence[str]
    route: Sequence[str]
    stops: bool


def decided(leap: Leap, seen: Observation) -> Decision:
    """Return a decision about neighbours and stopping, and the route that carries out the choice.

    Example:
        >>> from vlnscope.types import Candidate
        >>> a, b = (Candidate(n, 0, 1, 0.0, 0.0, 0.0, 1.0) for n in "ab")
        >>> seen = Observation(
        ...     episode_id="1", instruction="", scan="s", heading=0, elevation=0, step=0, candidates=(a, b)
        ... )
        >>> decided(Leap(np.array([0.125, 0.25, 0.375, 0.25]), ["a", "b", "a"], ["a", "c"], False), seen)
        Decision(probabilities=(0.5, 0.25, 0.25), proposals=(), route=('a', 'c'))
    """
    mass = dict.fromkeys((candidate.viewpoint for candidate in seen.candidates), 0.0)
    for share, hop in zip(leap.shares.tolist(), leap.hops, strict=False):
        if hop in mass:
            mass[hop] += share
    shares = [*mass.values(), float(leap.shares[-1])]
    whole = sum(shares)
    route = (*leap.route, STOP) if leap.stops else tuple(leap.route)
    return Decision(tuple(share / whole for share in shares), route=route)


def leaps_of(
    model: LeapingModel[Any], state: Any, logits: Tensor, digits: int, numbers: Sequence[ViewpointNumbers]
) -> list[Leap]:
    """Return what a model says at a step, for each row of a batch.

    Args:
        model: the model.
        state: that after the step.
        logits: (B, N + 1).
        digits: to how many digits logits are rounded.
        numbers: by which each row knows viewpoints.
    """
    stop, must = logits.shape[1] - 1, model.ends(state).tolist()
    table = as_array(logits).astype(np.float64, copy=False)
    shares = [shares_of(row, digits, must_stop=ends) for row, ends in zip(table, must, strict=True)]
    best = [int(row.argmax()) for row in shares]
    routes = model.routes(state, torch.tensor(best, device=logits.device)).tolist()
    hops = model.next_hops(state).tolist()
    return [
        Leap(row, _names(first, known), [name for name in _names(way, known) if name], column == stop)
        for row, first, way, known, column in zip(shares, hops, routes, numbers, best, strict=True)
    ]


def _names(places: Sequence[int], known: ViewpointNumbers) -> list[str]:
    return [known.name(place) if place != NOTHING else "" for place in places]


def shares_of(logits: Floats, digits: int, *, must_stop: bool) -> Floats:
    """Return the probabilities of logits, rounded first; all for the last, stopping, if the model must stop.

    Example:
        >>> shares_of(np.array([0.0, -np.inf, 0.0]), 6, must_stop=False).tolist()
        [0.5, 0.0, 0.5]
    """
    if must_stop:
        return np.append(np.zeros(len(logits) - 1), 1.0)
    can = np.isfinite(logits)
    own = np.round(logits[can], digits)  # padding left out: it would change the order of the sum
    likely = np.exp(own - own.max())
    shares = np.zeros(len(logits))
    shares[can] = likely / likely.sum()
    return shares
