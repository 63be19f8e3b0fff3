"""Where walks stop: at the end of the described way, short of it, past it, or never."""

from __future__ import annotations

from typing import Literal

from vlnscope.benchmarks.outcomes.kinds import Outcome
from vlnscope.benchmarks.outcomes.score.divergence import Track

Stop = Literal["there", "short", "past", "never"]
STOPS: tuple[Stop, ...] = ("there", "short", "past", "never")


def stop_of(track: Track, outcome: Outcome, arrived: int | None) -> Stop | None:
    """Return where a walk stopped, or None if that says nothing of stopping, because it had lost the way.

    ``there``: it ended at the last place of the way (see `Way.place`). A walk that ends a step before it may
    well succeed, because the success radius is wider, but is ``short``, as is any that ends at the furthest
    place of the way that it came to. ``past``: it had come to the goal (`arrived`) and ended elsewhere.
    ``never``: all these without calling stop. A walk to and fro has lost the way wherever it ends.
    """
    where = None if outcome == "wandered" else _where(track, outcome, arrived)
    return "never" if where is not None and track.stopped is False else where


def _where(track: Track, outcome: Outcome, arrived: int | None) -> Stop | None:
    if track.places[-1] == track.way.end:
        return "there"
    if track.furthest is not None and track.left_at is None:
        return "short"
    been_there = track.furthest == track.way.end or outcome == "overshot"
    return "past" if been_there and arrived is not None else None
