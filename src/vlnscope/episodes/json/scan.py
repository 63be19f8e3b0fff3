"""Follows the nesting of JSON text byte by byte, without decoding it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
State = NDArray[np.int64]

DEEPEST = 64
BRACKETS = 3
QUOTE, OPENING, CLOSING, COMMA, LINE_FEED = range(1, 6)
KINDS = np.zeros(256, dtype=np.uint8)
KINDS[list(b'"')] = QUOTE
KINDS[list(b"[{")] = OPENING
KINDS[list(b"]}")] = CLOSING
KINDS[list(b",")] = COMMA
KINDS[list(b"\n")] = LINE_FEED


class Scan(NamedTuple):
    """What a scan has found; -1 stands for a place that does not occur.

    Attributes:
        comma: place of the last comma.
        commas: how many there are.
        end: place after the bracket that leads to depth 0, where a scan ends.
        torn: how many line feeds there are that do not stand at depth 1.
    """

    comma: int
    commas: int
    end: int
    torn: int


def as_array(data: bytes) -> Bytes:
    """Return bytes as an array, without a copy."""
    return np.frombuffer(data, dtype=np.uint8)


def fresh(depth: int) -> State:
    """Return the state to start a scan with: outside of strings, inside of `depth` brackets."""
    state = np.zeros(BRACKETS + DEEPEST, dtype=np.int64)
    state[0] = depth
    return state


def scan(data: Bytes, state: State, deepest: int, first_only: bool) -> Scan:
    """Follow brackets and strings through a piece of text, up to the end of the container it is in.

    Args:
        data: the piece.
        state: depth, inside a string, after a backslash, and the open brackets from the outermost to
            number `DEEPEST`; updated, so that the next piece can follow.
        deepest: which commas count: those inside of 1 to `deepest` brackets.
        first_only: stop at the first comma that counts.
    """
    # numba takes long to import, and processes that only run agents never come here
    from vlnscope.episodes.json.kernel import follow

    return follow(data, state, deepest, first_only)


def commas_in(data: bytes) -> Iterator[int]:
    """Yield the places of the commas between the elements of a container."""
    rest, state, start = as_array(data), fresh(0), 0
    while (found := scan(rest[start:], state, 1, True)).comma >= 0:
        start += found.comma + 1
        yield start - 1


def open_brackets(state: State) -> bytes:
    """Return the brackets that scans have opened and not closed, the outermost first."""
    return bytes(state[BRACKETS : BRACKETS + state[0]].tolist()).lstrip(b"\0")
