"""How the cases of outcomes are rolled out."""

from __future__ import annotations

from msgspec.structs import replace

from vlnscope.benchmarks.fidelity import protocol as fidelity
from vlnscope.types import Logged, Rules


def rules(*, longest: int = 0, max_steps: int | None = None, log: Logged = "all") -> Rules:
    """Return the rules: an agent decides every step itself, and every decision is kept.

    Args:
        longest: edges of the longest reference; as in fidelity an agent may take twice as many steps, and
            15 at least.
        max_steps: another limit.
        log: which decisions are kept; all of them let a report show what else was probable at any step.

    Example:
        >>> rules(longest=6).max_steps, rules(longest=12).max_steps, rules().log
        (15, 24, 'all')
    """
    return replace(fidelity.rules(longest=longest, max_steps=max_steps), log=log)
