"""How tours are walked: an agent phase per episode, oracle phases between them."""

from __future__ import annotations

from vlnscope.types import MAX_STEPS, OracleRule, Rules


def rules(*, max_steps: int = MAX_STEPS, oracle: OracleRule = "whole") -> Rules:
    """Return how the cases of tours are rolled out.

    Args:
        max_steps: steps of an agent phase; 15 in IVLN's discrete code.
        oracle: ``whole``: from where it stopped to the goal and on to the next start, as the paper tells it;
            ``starts``: from where it stopped straight to the next start, as for IVLN's leaderboard, where
            goals are secret; ``ivln``: as the released discrete code does it. The oracle has nothing to do
            where the agent stands on the goal itself; being near it (0.5 m in the paper, which speaks of
            continuous space) is not enough, as in that code.
    """
    return Rules(max_steps=max_steps, oracle=oracle)
