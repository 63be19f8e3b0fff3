"""What the builder lets through, counted filter by filter."""

from __future__ import annotations

from vlnscope.benchmarks.kit.case_set import Loss


class Sieve:
    """Counts what each filter was given and what it let through, in the order of first use.

    Example:
        >>> sieve = Sieve()
        >>> [k for k in range(5) if sieve.passes("even", k % 2 == 0)]
        [0, 2, 4]
        >>> sieve.losses()
        (Loss(filter='even', before=5, after=3),)
    """

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}

    def passes(self, name: str, ok: bool) -> bool:
        """Count one candidate, and return whether it is let through."""
        self.add(name, 1, int(ok))
        return ok

    def add(self, name: str, before: int, after: int) -> None:
        """Count several at once."""
        counts = self._counts.setdefault(name, [0, 0])
        counts[0] += before
        counts[1] += after

    def losses(self) -> tuple[Loss, ...]:
        """Return what was counted; filters of one skill (``SKILL: FILTER``) stand together."""
        skills: dict[str, list[str]] = {}
        for name in self._counts:
            skills.setdefault(name.partition(": ")[0], []).append(name)
        return tuple(Loss(name, *self._counts[name]) for names in skills.values() for name in names)
