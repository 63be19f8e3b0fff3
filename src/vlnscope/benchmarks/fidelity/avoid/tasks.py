"""What is asked of an agent beside the way: a room that it must keep out of, or go to first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.types import Episode

Task = Literal["avoid", "rescue"]
TASKS: tuple[Task, ...] = get_args(Task)
FIELD = "task"
"""Where an episode carries its task, among its extra fields."""


class RoomTask(msgspec.Struct, frozen=True, kw_only=True):
    """A room, and whether to keep out of it or to go there first.

    Attributes:
        task: ``avoid`` or ``rescue``.
        room: what it is called.
        viewpoints: all viewpoints of the room.

    Example:
        >>> kitchen = RoomTask(task="avoid", room="kitchen", viewpoints=("k",))
        >>> kitchen.obeyed(("a", "b")), kitchen.obeyed(("a", "k", "b"))
        (True, False)
    """

    task: Task
    room: str
    viewpoints: tuple[str, ...]

    def came_in(self, walk: Sequence[str]) -> bool:
        """Return whether a walk enters the room."""
        return not set(self.viewpoints).isdisjoint(walk)

    def obeyed(self, walk: Sequence[str]) -> bool:
        """Return whether a walk does what is asked of it, wherever it ends."""
        return self.came_in(walk) == (self.task == "rescue")


def task_of(episode: Episode) -> RoomTask:
    """Return the task of an episode.

    Raises:
        InputError: the episode has none, or it cannot be read.
    """
    try:
        return msgspec.convert(episode.extra.get(FIELD), RoomTask)
    except msgspec.ValidationError as error:
        raise InputError(
            f"episode {episode.episode_id}: {error}",
            expected=f"a task in {FIELD!r}",
            fix="build the cases again with `vlnscope build avoid`",
        ) from None
