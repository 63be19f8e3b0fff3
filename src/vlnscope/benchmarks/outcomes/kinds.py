"""The kinds of ways in which an episode ends; `vlnscope.benchmarks.outcomes.score.outcomes` tells which."""

from __future__ import annotations

from typing import Literal

Outcome = Literal[
    "reached",
    "never-left",
    "other-path",
    "overshot",
    "wandered",
    "stopped-early",
    "ran-out",
    "wrong-floor",
    "wrong-turn",
    "failed",
]
OUTCOMES: dict[Outcome, str] = {
    "reached": "reaches the goal on the described way",
    "never-left": "never leaves the start",
    "other-path": "reaches the goal by another way or after a detour",
    "overshot": "comes to the goal and goes away again",
    "wandered": "walks to and fro",
    "stopped-early": "stops on the way before the goal",
    "ran-out": "is on the way or at the goal when its steps run out",
    "wrong-floor": "ends on another floor than the goal",
    "wrong-turn": "takes a wrong turn",
    "failed": "breaks down",
}
"""All kinds, in the order in which they are looked for, with what is said of an agent; ``failed`` is a case
that the agent did not finish."""
SUCCESSES: tuple[Outcome, ...] = ("reached", "other-path")
