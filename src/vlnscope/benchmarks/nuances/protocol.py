"""How NavNuances cases are rolled out: from the start, until the agent stops."""

from __future__ import annotations

from vlnscope.types import MAX_STEPS, Rules


def rules(*, max_steps: int = MAX_STEPS) -> Rules:
    """Return the rules: nothing is forced, and an agent that never stops is stopped after `max_steps`.

    The paper gives no limit; NavGPT4v stops after ten moves, the R2R agents after fifteen.
    """
    return Rules(max_steps=max_steps, log="none")
