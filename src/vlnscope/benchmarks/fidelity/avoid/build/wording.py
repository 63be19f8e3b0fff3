"""The words of a task: the way as it is described anyway, and what is said of the room."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

import msgspec

from vlnscope.benchmarks.fidelity.avoid.tasks import Task
from vlnscope.core.rng import rng_for
from vlnscope.language.lexicon.matching import mentions
from vlnscope.language.names.nouns import noun

_WORDINGS = msgspec.toml.decode(
    (resources.files(__package__) / "wordings.toml").read_bytes(), type=dict[Task, tuple[str, ...]]
)


def task_text(task: Task, room: str, ways: Sequence[str], seed: int, name: str) -> str:
    """Return the instruction of a task.

    Args:
        task: which one.
        room: what the room is called.
        ways: the description of the way; of a rescue, to the room and on from there.
        seed: of the choice of words.
        name: of the case, on which it depends too.

    Example:
        >>> "the kitchen" in task_text("avoid", "kitchen", ["Walk into the den."], 0, "any")
        True
    """
    options = _WORDINGS[task]
    draw = int(rng_for(seed, "avoid wording", name).integers(len(options)))
    told = [_sentence(way) for way in ways]
    first, second = (*told, "")[:2]
    return options[draw].format(room=noun(room).definite, first=first, second=second).strip()


def _sentence(way: str) -> str:
    """Return a text that can follow another: without stray blanks, begun large, ended."""
    text = " ".join(way.split())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def speaks_of(room: str, text: str) -> bool:
    """Return whether a text names a room, by whatever name the lexicon knows for it.

    Example:
        >>> speaks_of("kitchen", "Walk past the kitchen counter."), speaks_of("kitchen", "Enter the kitchen.")
        (False, True)
    """
    return any(concept.part == "room" and concept.name == room for concept in mentions(text))


def alludes_to(room: str, text: str) -> bool:
    """Return whether a text has the name of a room in it, be it as part of another name.

    Example:
        >>> alludes_to("kitchen", "Walk past the kitchen counter.")
        True
    """
    return speaks_of(room, text) or room.lower() in text.lower()
