"""How cases of `errors` are rolled out: both halves of a pair alike, from the start, nothing forced."""

from __future__ import annotations

from vlnscope.types import MAX_STEPS, Rules


def rules(*, max_steps: int = MAX_STEPS) -> Rules:
    """Return the rules; decisions are not kept, because whole paths are compared."""
    return Rules(max_steps=max_steps, log="none")
