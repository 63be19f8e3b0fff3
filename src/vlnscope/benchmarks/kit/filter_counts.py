"""What a builder lets through, counted filter by filter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from vlnscope.benchmarks.kit.case_set import Loss

T = TypeVar("T")


class FilterCounts:
    """Counts what each filter was given and what it let through, in the order of first use.

    Example:
        >>> counts = FilterCounts()
        >>> counts.keep("even", range(5), lambda k: k % 2 == 0)
        [0, 2, 4]
        >>> counts.losses()
        (Loss(filter='even', before=5, after=3),)
    """

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}

    def keep(self, name: str, candidates: Iterable[T], test: Callable[[T], bool]) -> list[T]:
        """Return the candidates that pass a test, and count them."""
        before = list(candidates)
        after = [candidate for candidate in before if test(candidate)]
        self.add(name, len(before), len(after))
        return after

    def passes(self, name: str, ok: bool) -> bool:
        """Count one candidate, and return whether it is let through."""
        self.add(name, 1, int(ok))
        return ok

    def add(self, name: str, before: int, after: int) -> None:
        """Count several at once."""
        counts = self._counts.setdefault(name, [0, 0])
        counts[0] += before
        counts[1] += after

    def losses(self, *, by_prefix: bool = False) -> tuple[Loss, ...]:
        """Return what was counted; with `by_prefix`, filters called ``PREFIX: …`` stand together."""
        order = list(self._counts)
        if by_prefix:
            prefixes = list(dict.fromkeys(name.partition(": ")[0] for name in order))
            order.sort(key=lambda name: prefixes.index(name.partition(": ")[0]))
        return tuple(Loss(name, *self._counts[name]) for name in order)
