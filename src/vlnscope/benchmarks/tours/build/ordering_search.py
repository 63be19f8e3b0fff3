"""Compiled search for cheap orders: all sets, nearest neighbour, and local search (exchange, turn, kick).

A trip is an array of stops in order; `place` is its inverse. `near` lists for each stop those that are cheap
to go to next, cheapest first.
"""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.types import Flags, Floats, Ints

_GAIN = 1e-9


@compiled
def best_order(costs: Floats) -> Ints:
    """Find the cheapest order from any first to any last stop, by trying all sets (Held and Karp, 1962).

    Takes time and memory for 2^n sets of n stops.
    """
    size = costs.shape[0]
    best = np.full((1 << size, size), np.inf)  # cheapest way through a set that ends at a stop
    before = np.full((1 << size, size), -1, dtype=np.int64)
    for stop in range(size):
        best[1 << stop, stop] = 0.0
    for members in range(1, 1 << size):
        for last in range(size):
            if best[members, last] < np.inf:
                for stop in range(size):
                    more = members | (1 << stop)
                    cost = best[members, last] + costs[last, stop]
                    if more != members and cost < best[more, stop]:
                        best[more, stop] = cost
                        before[more, stop] = last
    order = np.empty(size, dtype=np.int64)
    members = (1 << size) - 1
    last = int(np.argmin(best[members]))
    for k in range(size - 1, -1, -1):
        order[k] = last
        last, members = int(before[members, last]), members ^ (1 << last)
    return order


@compiled
def greedy_orders(costs: Floats) -> Ints:
    """From each stop, always go on to the cheapest that is left; of equal ones, to the first."""
    size = costs.shape[0]
    orders = np.empty((size, size), dtype=np.int64)
    for first in range(size):
        left = np.ones(size, dtype=np.bool_)
        orders[first, 0] = first
        for k in range(size - 1):
            here = orders[first, k]
            left[here] = False
            best = -1
            for stop in range(size):
                if left[stop] and (best < 0 or costs[here, stop] < costs[here, best]):
                    best = stop
            orders[first, k + 1] = best
    return orders


@compiled
def search(costs: Floats, near: Ints, symmetric: bool, start: Ints, kicks: Ints) -> Ints:
    """Improve a round trip by iterated local search and return the best that was found.

    Each row of `kicks` (a place and three lengths) names three neighbouring stretches whose order is
    reversed, B C D to D C B, which no single exchange undoes. Search goes on from there; what is worse than
    before is taken back.
    """
    size = start.size
    trip, position = start.copy(), np.empty(size, dtype=np.int64)
    _locate(trip, position)
    queue, waiting = start.copy(), np.ones(size, dtype=np.bool_)
    scratch = np.empty(size, dtype=np.int64)
    _descend(costs, near, symmetric, trip, position, scratch, queue, waiting, size)
    kept = trip.copy()
    for k in range(kicks.shape[0]):
        at, b, c, d = kicks[k, 0], kicks[k, 1], kicks[k, 2], kicks[k, 3]
        before = 0.0
        for offset in (0, b, b + c, b + c + d):
            before += costs[trip[(at + offset) % size], trip[(at + offset + 1) % size]]
        _exchange(trip, position, scratch, at + 1, b, c + d)
        _exchange(trip, position, scratch, at + 1, c, d)
        count, after = 0, 0.0
        for offset in (0, d, d + c, d + c + b):
            one, next_ = trip[(at + offset) % size], trip[(at + offset + 1) % size]
            after += costs[one, next_]
            for stop in (one, next_):
                if not waiting[stop]:
                    waiting[stop] = True
                    queue[count] = stop
                    count += 1
        gain = _descend(costs, near, symmetric, trip, position, scratch, queue, waiting, count)
        if gain >= after - before - 1e-12:
            kept[:] = trip
        else:
            trip[:] = kept
            _locate(trip, position)
    return kept


@compiled
def _descend(
    costs: Floats,
    near: Ints,
    symmetric: bool,
    trip: Ints,
    position: Ints,
    scratch: Ints,
    queue: Ints,
    waiting: Flags,
    count: int,
) -> float:
    """Improve until no stop of the queue, nor any that a change touches, offers a gain; return the gain."""
    size = trip.size
    head = 0
    total = 0.0
    while count > 0:
        a = queue[head]
        head = (head + 1) % size
        count -= 1
        waiting[a] = False
        gain, first, second = _best_exchange(costs, near, trip, position, a)
        at = position[a]
        if gain > _GAIN:
            ends = (0, 1, second, second + 1, first + second, first + second + 1)
            _exchange(trip, position, scratch, at + 1, first, second)
        elif symmetric:
            gain, at, first = _best_turn(costs, near, trip, position, a)
            ends = (0, 1, first, first + 1, 0, 1)
            if gain > _GAIN:
                _turn(trip, position, at + 1, first)
        if gain > _GAIN:
            total += gain
            for offset in ends:
                stop = trip[(at + offset) % size]
                if not waiting[stop]:
                    waiting[stop] = True
                    queue[(head + count) % size] = stop
                    count += 1
    return total


@compiled
def _best_exchange(costs: Floats, near: Ints, trip: Ints, position: Ints, a: int) -> tuple[float, int, int]:
    """Find two stretches after stop `a` to exchange: a | b…c | d…e | f becomes a | d…e | b…c | f.

    Return the first gain and the lengths of the stretches. Sums of gains must stay positive on the way,
    which loses nothing: each improving exchange has a stop from which they do (Lin and Kernighan, 1973).
    """
    size = trip.size
    at = position[a]
    b = trip[(at + 1) % size]
    for d in near[a]:
        one = costs[a, b] - costs[a, d]
        if one <= _GAIN:
            break
        first = (position[d] - at - 1) % size
        c = trip[position[d] - 1]
        two = one + costs[c, d]
        for f in near[c]:
            if two - costs[c, f] <= _GAIN:
                break
            both = (position[f] - at - 1) % size
            if first == 0 or both <= first:
                continue
            e = trip[position[f] - 1]
            gain = two - costs[c, f] + costs[e, f] - costs[e, b]
            if gain > _GAIN:
                return gain, first, both - first
    return 0.0, 0, 0


@compiled
def _best_turn(costs: Floats, near: Ints, trip: Ints, position: Ints, a: int) -> tuple[float, int, int]:
    """Find a stretch to walk backwards, which changes only its ends if both directions cost the same.

    Return the first gain, the place before the stretch and its length.
    """
    size = trip.size
    for step in (1, -1):
        b = trip[(position[a] + step) % size]
        for c in near[a]:
            if costs[a, b] - costs[a, c] <= _GAIN:
                break
            d = trip[(position[c] + step) % size]
            gain = costs[a, b] + costs[c, d] - costs[a, c] - costs[b, d]
            if gain > _GAIN:
                before = position[a] if step == 1 else position[d]
                last = position[c] if step == 1 else position[b]
                return gain, before, (last - before) % size
    return 0.0, 0, 0


@compiled
def _exchange(trip: Ints, position: Ints, scratch: Ints, at: int, first: int, second: int) -> None:
    """Exchange two neighbouring stretches of these lengths, the first of which begins at a place."""
    size = trip.size
    for k in range(first):
        scratch[k] = trip[(at + k) % size]
    for k in range(second):
        trip[(at + k) % size] = trip[(at + first + k) % size]
    for k in range(first):
        trip[(at + second + k) % size] = scratch[k]
    for k in range(first + second):
        position[trip[(at + k) % size]] = (at + k) % size


@compiled
def _turn(trip: Ints, position: Ints, at: int, length: int) -> None:
    """Reverse a stretch."""
    size = trip.size
    for k in range(length // 2):
        i, j = (at + k) % size, (at + length - 1 - k) % size
        trip[i], trip[j] = trip[j], trip[i]
        position[trip[i]], position[trip[j]] = i, j


@compiled
def _locate(trip: Ints, position: Ints) -> None:
    for k in range(trip.size):
        position[trip[k]] = k
