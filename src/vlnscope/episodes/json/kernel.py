"""The compiled loop of `vlnscope.episodes.json.scan.scan`."""

from __future__ import annotations

from vlnscope.core.compiled import compiled
from vlnscope.episodes.json.scan import (
    BRACKETS,
    CLOSING,
    COMMA,
    DEEPEST,
    KINDS,
    OPENING,
    QUOTE,
    Bytes,
    Scan,
    State,
)


@compiled
def follow(data: Bytes, state: State, deepest: int, first_only: bool) -> Scan:
    """Scan; see there."""
    depth, in_string, escaped = state[0], state[1], state[2]
    comma, commas, end, torn = -1, 0, -1, 0
    for i in range(data.size):
        c = data[i]
        if in_string:
            if escaped:
                escaped = 0
            elif c == 92:
                escaped = 1
            elif c == 34:
                in_string = 0
            continue
        kind = KINDS[c]
        if kind == 0:
            continue
        if kind == QUOTE:
            in_string = 1
        elif kind == OPENING:
            if 0 <= depth < DEEPEST:
                state[BRACKETS + depth] = c
            depth += 1
        elif kind == CLOSING:
            depth -= 1
            if depth <= 0:
                end = i + 1
                break
        elif kind == COMMA:
            if 0 < depth <= deepest:
                comma = i
                commas += 1
                if first_only:
                    break
        elif depth != 1:
            torn += 1
    state[0], state[1], state[2] = depth, in_string, escaped
    return Scan(comma, commas, end, torn)
