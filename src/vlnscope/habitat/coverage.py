"""What to raise where a loop asks for a part of Habitat that is not here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from vlnscope.core.exceptions import InputError

PAGE = "docs/coming-from-habitat.md"


class NotCoveredError(InputError):
    """A call, an option or a module of Habitat that vlnscope.habitat does not have.

    Args:
        asked: the call, option or module.
        covered: what there is instead.
        fix: what to do; to leave it out or to read the page about Habitat, if not given.

    Example:
        >>> error = NotCoveredError("task.type 'ObjectNav-v1'", ["VLN-v0"])
        >>> error.what
        "vlnscope.habitat does not cover task.type 'ObjectNav-v1'"
    """

    def __init__(self, asked: str, covered: Iterable[str] | str, fix: str = "") -> None:
        listed = covered if isinstance(covered, str) else ", ".join(covered)
        super().__init__(
            f"vlnscope.habitat does not cover {asked}",
            expected=listed or "nothing of this kind",
            fix=fix or f"do without it, or keep Habitat for this part; {PAGE} says what is covered",
        )


class NoSuchNameError(NotCoveredError, AttributeError):
    """A module or an object of Habitat was asked for a name that is not covered."""


class PartlyCovered:
    """Base of classes that have a part of what Habitat's have; asking for the rest is a `NoSuchNameError`.

    Subclasses say how loops call them: ``class Simulator(PartlyCovered, called="sim")``.
    """

    _called: ClassVar[str] = ""

    def __init_subclass__(cls, called: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._called = called or cls._called

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        covered = [known for known in dir(type(self)) if not known.startswith("_")]
        raise NoSuchNameError(f"{self._called}.{name}", covered)
