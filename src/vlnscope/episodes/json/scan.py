"""Follows the nesting of JSON text without decoding it, piece by piece."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CLOSES = {b"[": b"]", b"{": b"}"}
_QUOTE, _OPENING, _CLOSING, _COMMA = range(1, 5)
_KINDS = np.zeros(256, dtype=np.uint8)
_KINDS[list(b'"')] = _QUOTE
_KINDS[list(b"[{")] = _OPENING
_KINDS[list(b"]}")] = _CLOSING
_KINDS[list(b",")] = _COMMA
_STEPS = np.array([0, 0, 1, -1, 0], dtype=np.int64)


class BracketState(NamedTuple):
    """Where a piece of text begins: inside how many brackets, in a string, behind a backslash."""

    depth: int
    in_string: bool = False
    escaped: bool = False


class Scan(NamedTuple):
    """What a piece of text holds.

    Attributes:
        commas: places of the commas that stand inside of one bracket.
        end: place after the bracket that leads to depth 0, where a scan ends; -1 if there is none.
        after: where the next piece begins.
        marks: places of all commas and brackets that stand outside of strings.
        depths: inside how many brackets each of these leaves the text.
    """

    commas: list[int]
    end: int
    after: BracketState
    marks: NDArray[np.int64]
    depths: NDArray[np.int64]


def scan(data: bytes, before: BracketState) -> Scan:
    """Follow brackets and strings through a piece of text, up to the end of the container it is in."""
    text = np.frombuffer(data, dtype=np.uint8)
    kinds = _KINDS[text]
    escaped = _escaped(text, before)
    kinds[escaped[escaped < text.size]] = 0
    places = np.flatnonzero(kinds)
    kinds = kinds[places]
    quotes = np.cumsum(kinds == _QUOTE) + before.in_string
    outside = (kinds != _QUOTE) & (quotes % 2 == 0)
    marks, kinds = places[outside], kinds[outside]
    depths = before.depth + np.cumsum(_STEPS[kinds])
    ends = np.flatnonzero((kinds == _CLOSING) & (depths <= 0))
    end = -1
    if ends.size:
        end = int(marks[ends[0]]) + 1
        marks, kinds, depths = marks[: ends[0]], kinds[: ends[0]], depths[: ends[0]]
    in_string = bool(quotes[-1] % 2 if quotes.size else before.in_string)
    behind_backslash = in_string and escaped.size > 0 and bool(escaped[-1] == text.size)
    after = BracketState(int(depths[-1]) if depths.size else before.depth, in_string, behind_backslash)
    commas = marks[(kinds == _COMMA) & (depths == 1)].tolist()
    return Scan(commas, end, after, marks, depths)


def _escaped(text: NDArray[np.uint8], before: BracketState) -> NDArray[np.int64]:
    """Return the places of bytes behind a backslash that is not itself behind one, in order."""
    slashes = np.flatnonzero(text == ord("\\"))
    first = np.zeros(int(before.escaped), dtype=np.int64)
    if not slashes.size:
        return first
    starts = np.flatnonzero(np.diff(slashes, prepend=-2) != 1)
    rank = np.arange(slashes.size) - np.repeat(starts, np.diff(starts, append=slashes.size))
    if before.escaped and slashes[0] == 0:
        rank[: starts[1] if starts.size > 1 else None] += 1
    return np.concatenate([first, slashes[rank % 2 == 0] + 1])


def close_brackets(text: bytes) -> bytes:
    """Make JSON of the beginning of some: drop what follows the last comma and close what is open there.

    Example:
        >>> close_brackets(b'{"a": [1, 2, {"b": 3, "c')
        b'{"a": [1, 2, {"b": 3}]}'
    """
    marks = scan(text, BracketState(1)).marks.tolist()
    while marks and text[marks[-1]] != ord(","):
        marks.pop()
    if not marks:
        return text
    opened: list[bytes] = []
    for position in marks:
        mark = text[position : position + 1]
        if mark in CLOSES:
            opened.append(mark)
        elif mark != b"," and opened:
            opened.pop()
    return text[: marks[-1]] + b"".join(CLOSES[mark] for mark in reversed(opened))
