"""How the cases are rolled out."""

from __future__ import annotations

from vlnscope.types import Rules

STEPS = 20
"""Steps that vln-behave gives an agent, forced ones included."""


def rules(*, hops: int = 0, prefix: int = 0) -> Rules:
    """Return the rules: the agent is led along the truncated path, then its decision is kept.

    Without rooms to search for, that one decision ends a case. With them the agent goes on until it stops,
    for 20 steps with those it was led, as in vln-behave; where the longest path and `hops` moves are more,
    for so many.

    Args:
        hops: how far away the farthest room to search for may be; 0 if there are none.
        prefix: forced steps of the longest case.

    Example:
        >>> rules().max_steps, rules(hops=8, prefix=5).max_steps, rules(hops=8, prefix=19).max_steps
        (1, 20, 27)
    """
    return Rules(max_steps=max(STEPS, prefix + hops) if hops else 1, log="scored")
