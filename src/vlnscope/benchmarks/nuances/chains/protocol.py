"""How chains are rolled out: from the start, until the agent stops."""

from __future__ import annotations

from vlnscope.types import MAX_STEPS, Rules

DETOUR = 2


def rules(*, longest: int = 0, max_steps: int | None = None) -> Rules:
    """Return the rules: an agent may take twice as many steps as the longest reference has, and 15 at least.

    Args:
        longest: edges of the longest reference among the cases.
        max_steps: another limit.

    Example:
        >>> rules(longest=20).max_steps
        40
    """
    limit = max(MAX_STEPS, DETOUR * longest) if max_steps is None else max_steps
    return Rules(max_steps=limit, log="none")
