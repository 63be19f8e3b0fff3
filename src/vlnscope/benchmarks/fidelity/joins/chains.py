"""Which paths are joined to which: all chains of paths that follow each other, or a fair sample of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from vlnscope.types import Flags, Ints

Chain = tuple[int, ...]


class Chains:
    """The chains of a given number of parts in one scene, numbered in the order of their parts.

    They are counted and looked up by number, never all held at once: R8R has a million of them.

    Args:
        follows: square matrix: may the path of the column be joined to the end of the path of the row?
        parts: how many paths a chain has.

    Example:
        >>> chains = Chains(np.array([[0, 1], [1, 1]], dtype=np.bool_), 3)
        >>> [chains.at(number) for number in range(len(chains))]
        [(0, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
    """

    def __init__(self, follows: Flags, parts: int) -> None:
        size = len(follows)
        counts = [np.ones(size, dtype=np.int64)]
        for _ in range(parts - 1):
            counts.append(follows.astype(np.int64) @ counts[-1])
        self._next = [np.arange(size), *(np.flatnonzero(row) for row in follows)]
        self._before = [
            [np.cumsum(count[choices]) for choices in self._next] for count in counts
        ]  # by parts still to come, then by the part before (0: none)
        self._size = int(counts[-1].sum())

    def __len__(self) -> int:
        return self._size

    def at(self, number: int) -> Chain:
        """Return the chain with a number."""
        chain: list[int] = []
        rest, last = number, 0
        for before in reversed(self._before):
            place = int(np.searchsorted(before[last], rest, side="right"))
            rest -= int(before[last][place - 1]) if place else 0
            chain.append(int(self._next[last][place]))
            last = chain[-1] + 1
        return tuple(chain)


class Drawn(NamedTuple):
    """Numbers of the chains that were chosen in one scene, in order."""

    scan: str
    numbers: range | Ints


def draw(chains: Mapping[str, Chains], limit: int | None, rng: np.random.Generator) -> Iterator[Drawn]:
    """Choose chains: all of them, or `limit`, each as likely as any other, without repetition."""
    total = sum(map(len, chains.values()))
    if limit is None or limit >= total:
        yield from (Drawn(scan, range(len(those))) for scan, those in chains.items())
        return
    chosen = np.sort(rng.choice(total, size=limit, replace=False))
    first = 0
    for scan, those in chains.items():
        low, high = np.searchsorted(chosen, (first, first + len(those)))
        yield Drawn(scan, chosen[low:high] - first)
        first += len(those)
