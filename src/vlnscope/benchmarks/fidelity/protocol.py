"""How the cases of fidelity are rolled out."""

from __future__ import annotations

from vlnscope.types import MAX_STEPS, Rules

DETOUR = 2


def rules(*, longest: int = 0, max_steps: int | None = None, sample: bool = False, seed: int = 0) -> Rules:
    """Return the rules: an agent decides every step itself and may take twice the steps of the longest path.

    The paper states no limit. The 15 steps of R2R's agents end an R4R path (up to 16 edges) before its goal,
    so an agent may take twice as many steps as the longest reference has edges, and 15 at least.

    Args:
        longest: edges of the longest reference among the cases.
        max_steps: another limit.
        sample: draw from the agent's distribution instead of taking its most probable action.
        seed: of the drawing.

    Example:
        >>> rules(longest=6).max_steps, rules(longest=16).max_steps, rules(max_steps=40).max_steps
        (15, 32, 40)
    """
    limit = max(MAX_STEPS, DETOUR * longest) if max_steps is None else max_steps
    return Rules(max_steps=limit, sample=sample, seed=seed)
