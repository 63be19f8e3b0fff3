"""Habitat's numbers and names of actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from vlnscope.habitat.config.settings import ACTIONS
from vlnscope.habitat.coverage import NotCoveredError

MOVES = {
    "move_forward": "forward",
    "turn_left": "left",
    "turn_right": "right",
    "look_up": "up",
    "look_down": "down",
}
"""The moves of a body (`vlnscope.worlds.continuous.body.MOVES`) that actions are."""


class SimActionNumbers:
    """``HabitatSimActions``: numbers of actions by name, in small letters and in capitals.

    Example:
        >>> numbers = SimActionNumbers()
        >>> numbers.move_forward, numbers.MOVE_FORWARD, numbers["turn_left"], len(numbers)
        (1, 1, 2, 6)
    """

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> int:
        if name.lower() not in ACTIONS:
            raise NotCoveredError(f"the action {name!r}", ACTIONS)
        return ACTIONS.index(name.lower())

    def has_action(self, name: str) -> bool:
        """Return whether an action is known."""
        return name.lower() in ACTIONS

    def __iter__(self) -> Iterator[str]:
        return iter(ACTIONS)

    def __len__(self) -> int:
        return len(ACTIONS)


NUMBERS = SimActionNumbers()


def action_name(action: Any, offered: tuple[str, ...] = ACTIONS) -> str:
    """Return the name of an action that is given as a number, a name or a mapping with ``action``.

    Args:
        action: what a loop hands to ``step``.
        offered: the actions of the task, in the order of their numbers.

    Raises:
        NotCoveredError: there is no such action, or it has arguments.
    """
    if isinstance(action, dict):
        if any(action.get("action_args") or {}) or set(action) - {"action", "action_args"}:
            raise NotCoveredError(f"the action {action!r} with arguments", offered)
        action = action["action"]
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.item()
    if isinstance(action, int | np.integer) and 0 <= int(action) < len(offered):
        return offered[int(action)]
    if isinstance(action, str) and action.lower() in offered:
        return action.lower()
    raise NotCoveredError(f"the action {action!r}", [f"{k}: {name}" for k, name in enumerate(offered)])
