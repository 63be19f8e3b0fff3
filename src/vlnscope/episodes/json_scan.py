"""Follows the nesting of JSON text byte by byte, without decoding it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.compiled import compiled

Bytes = NDArray[np.uint8]
Positions = NDArray[np.int64]

DEEPEST = 64


def as_array(data: bytes) -> Bytes:
    """Return bytes as an array, without a copy."""
    return np.frombuffer(data, dtype=np.uint8)


@compiled
def scan(data: Bytes, state: Positions, first_only: bool) -> tuple[int, int, int]:
    """Follow a container through a piece of its text.

    Args:
        data: the piece.
        state: depth, inside a string, after a backslash; updated, so that the next piece can follow.
        first_only: stop at the first comma.

    Returns:
        The place of the last comma at depth 1, how many there were, and the place after the bracket that
        leads to depth 0; -1 for a place that does not occur.
    """
    depth, in_string, escaped = state[0], state[1], state[2]
    comma, commas, end = -1, 0, -1
    for i in range(data.size):
        c = data[i]
        if in_string:
            if escaped:
                escaped = 0
            elif c == 92:
                escaped = 1
            elif c == 34:
                in_string = 0
        elif c == 34:
            in_string = 1
        elif c == 91 or c == 123:
            depth += 1
        elif c == 93 or c == 125:
            depth -= 1
            if depth <= 0:
                end = i + 1
                break
        elif c == 44 and depth == 1:
            comma = i
            commas += 1
            if first_only:
                break
    state[0], state[1], state[2] = depth, in_string, escaped
    return comma, commas, end


@compiled
def commas_in(data: Bytes, count: int) -> Positions:
    """Return the places of the first `count` commas at depth 1 of a whole container."""
    places = np.empty(count, dtype=np.int64)
    depth, in_string, escaped, found = 0, False, False, 0
    for i in range(data.size):
        c = data[i]
        if found == count:
            break
        if in_string:
            if escaped:
                escaped = False
            elif c == 92:
                escaped = True
            elif c == 34:
                in_string = False
        elif c == 34:
            in_string = True
        elif c == 91 or c == 123:
            depth += 1
        elif c == 93 or c == 125:
            depth -= 1
        elif c == 44 and depth == 1:
            places[found] = i
            found += 1
    return places[:found]


@compiled
def commas_between_lines(data: Bytes) -> int:
    """Count the commas at depth 1 of an array with one element per line; -1 if a line is not one value."""
    depth, in_string, escaped, commas = 0, False, False, 0
    for i in range(data.size):
        c = data[i]
        if in_string:
            if escaped:
                escaped = False
            elif c == 92:
                escaped = True
            elif c == 34:
                in_string = False
            elif c == 10:
                return -1
        elif c == 34:
            in_string = True
        elif c == 91 or c == 123:
            depth += 1
        elif c == 93 or c == 125:
            depth -= 1
        elif c == 44 and depth == 1:
            commas += 1
        elif c == 10 and depth != 1:
            return -1
    return commas


@compiled
def last_comma(data: Bytes, stack: Bytes) -> tuple[int, int]:
    """Return place and depth of the last comma no deeper than `DEEPEST`; put its open brackets on `stack`."""
    open_brackets = np.zeros(DEEPEST, dtype=np.uint8)
    depth, in_string, escaped = 0, False, False
    place, depth_there = -1, 0
    for i in range(data.size):
        c = data[i]
        if in_string:
            if escaped:
                escaped = False
            elif c == 92:
                escaped = True
            elif c == 34:
                in_string = False
        elif c == 34:
            in_string = True
        elif c == 91 or c == 123:
            if 0 <= depth < DEEPEST:
                open_brackets[depth] = c
            depth += 1
        elif c == 93 or c == 125:
            depth -= 1
        elif c == 44 and 0 <= depth <= DEEPEST:
            place, depth_there = i, depth
            stack[:depth] = open_brackets[:depth]
    return place, depth_there
