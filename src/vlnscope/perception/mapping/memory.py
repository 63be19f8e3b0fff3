"""How long maps last: for an episode, for a tour, or known before anybody walks.

IVLN's mapper gets a mask with each observation, and clears a map before it adds an observation whose mask is
0. `MapMemory` says when that is:

- ``iterative``: with the first observation of a tour.
- ``episodic``: with the first observation of an episode, and with every observation while an oracle leads
  the agent, as its mask is that of the agent's own episode. So when the agent begins to act, its map holds
  what it sees there, and nothing of the way on which it was led.
- ``known``: like ``iterative``, but instead of an empty map there is that of the whole house, and
  observations add nothing.
"""

from __future__ import annotations

from typing import Literal, get_args

from vlnscope.core.exceptions import InputError

MemoryMode = Literal["episodic", "iterative", "known"]


class MapMemory:
    """Says when the maps of some environments are cleared: each call returns whether that is now.

    Attributes:
        mode: how long maps last.

    Example:
        >>> memory = MapMemory("episodic", 1)
        >>> memory.begin_tour(0), memory.begin_episode(0)
        (True, True)
        >>> [memory.observe(0, led=led) for led in (False, True, True, False, False)]
        [False, True, True, True, False]
    """

    def __init__(self, mode: MemoryMode, environments: int) -> None:
        if mode not in get_args(MemoryMode):
            raise InputError(
                f"maps cannot be {mode!r}",
                expected=", ".join(get_args(MemoryMode)),
                fix="choose how long maps last",
            )
        self.mode: MemoryMode = mode
        self._led = [False] * environments

    def begin_tour(self, environment: int) -> bool:
        """Begin a tour: always."""
        self._led[environment] = False
        return True

    def begin_episode(self, environment: int) -> bool:
        """Begin an episode: if maps are episodic."""
        self._led[environment] = False
        return self.mode == "episodic"

    def observe(self, environment: int, *, led: bool) -> bool:
        """Observe something: if maps are episodic and an oracle leads the agent, or led it until now."""
        was_led, self._led[environment] = self._led[environment], led
        return self.mode == "episodic" and (led or was_led)
