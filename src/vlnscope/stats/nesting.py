"""Rows inside units inside larger units, e.g. instructions inside paths inside scenes, and drawing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.core.exceptions import InputError
from vlnscope.types import Flags, Floats, Ints

ROW = "row"
FEW_UNITS = 6
"""With fewer scenes than this, what is found holds for these scenes, and paths are the observations."""
Seeds = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Nesting:
    """How rows are nested: one level per key, outermost first, and the rows themselves as the last level.

    Units are numbered in the order of their keys and not of the rows, so shuffling the rows changes no
    number except those of the last level.

    Attributes:
        names: the levels, outermost first; the last is ``"row"``.
        codes: per level, the number of the unit that each row belongs to.
        starts: per level, where the units of each parent begin (one entry more than there are parents).
            The parent of the outermost units is the whole sample.
    """

    names: tuple[str, ...]
    codes: tuple[Ints, ...]
    starts: tuple[Ints, ...]

    @classmethod
    def of(cls, keys: Mapping[str, Iterable[str | int]]) -> Nesting:
        """Build a nesting from parallel columns of keys, outermost level first.

        A key counts only within its parent: path ``"7"`` of one scene and path ``"7"`` of another are
        two paths.

        Raises:
            InputError: there is no column, the columns differ in length, one is called ``"row"``, or one
                mixes texts and numbers.

        Example:
            >>> nesting = Nesting.of({"scene": ["B", "A", "B", "A"], "path": ["7", "7", "7", "8"]})
            >>> nesting.names, nesting.sizes
            (('scene', 'path', 'row'), (2, 3, 4))
            >>> nesting.codes[1].tolist()
            [2, 0, 2, 1]
        """
        columns = {
            name: column.tolist() if isinstance(column, np.ndarray) else list(column)
            for name, column in keys.items()
        }
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) != 1 or ROW in columns:
            raise InputError(
                f"the columns of keys that nest the rows are (name: length) {lengths}",
                expected=f"at least one column, with one key per row, and none called {ROW!r}",
                fix="give all columns from the same table, such as the rows of one score",
            )
        codes: list[Ints] = []
        starts: list[Ints] = []
        parent = np.zeros(next(iter(lengths.values())), dtype=np.int64)
        parents = 1
        for name, column in columns.items():
            parent, start = _nest(parent, parents, _number(name, column))
            codes.append(parent)
            starts.append(start)
            parents = int(start[-1])
        order = np.argsort(parent, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        codes.append(rank)
        starts.append(np.searchsorted(parent[order], np.arange(parents + 1)))
        return cls((*columns, ROW), tuple(codes), tuple(starts))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.codes[-1].size

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units at each level."""
        return tuple(int(start[-1]) for start in self.starts)

    def units(self, level: int, among: Flags) -> int:
        """Return how many units of a level hold at least one of the rows `among`."""
        return int(np.count_nonzero(np.bincount(self.codes[level][among], minlength=1)))

    def outermost(self, among: Flags) -> int | None:
        """Return the outermost level at which the rows `among` lie in more than one unit, if there is one."""
        for level, codes in enumerate(self.codes):
            chosen = codes[among]
            if chosen.size and chosen.min() != chosen.max():
                return level
        return None

    def independent(self, among: Flags) -> int | None:
        """Return the level whose units count as the independent observations of the rows `among`.

        It is the outermost level with six units or more: scenes, so that what is found holds for other
        scenes. Fewer say too little of others; then it is the innermost level that has several units, paths,
        and what is found holds for these scenes only. Rows of one path count as independent only if there is
        no other path.

        Example:
            >>> few = Nesting.of({"scene": list("AAABBB"), "path": list("123456")})
            >>> few.names[few.independent(np.ones(6, dtype=np.bool_))]
            'path'
        """
        sizes = [self.units(level, among) for level in range(len(self.names))]
        for level, size in enumerate(sizes[:-1]):
            if size >= FEW_UNITS:
                return level
        inner = [level for level, size in enumerate(sizes[:-1]) if size > 1]
        if inner:
            return inner[-1]
        return len(sizes) - 1 if sizes[-1] > 1 else None

    def replacement(self, replace: Sequence[bool]) -> tuple[bool, ...]:
        """Return one choice per level: levels that `replace` does not reach are not resampled."""
        if len(replace) > len(self.names):
            raise InputError(
                f"{len(replace)} choices of replacement for {len(self.names)} levels",
                expected=f"at most one for each of {', '.join(self.names)}",
                fix="leave out the choices of the innermost levels",
            )
        return (*map(bool, replace), *[False] * (len(self.names) - len(replace)))


def resampled_totals(nesting: Nesting, replace: Sequence[bool], totals: Floats, seeds: Seeds) -> Floats:
    """Draw units once per seed and add up `totals` over what was drawn.

    At a level with replacement, as many children are drawn from each drawn parent as it has; a parent
    drawn k times is drawn from k times, independently. At one without, each child of a drawn parent is
    kept once per draw of the parent.

    Args:
        nesting: the levels.
        replace: for the outermost levels, whether to draw with replacement; deeper ones are kept whole.
        totals: (units, k) numbers per unit of level ``len(replace) - 1``.
        seeds: one per replicate; a replicate depends on its own seed only.

    Returns:
        (replicates, k) sums.
    """
    starts = nesting.starts[: len(replace)]
    begins = np.cumsum([0, *(start.size for start in starts)])
    return _totals(seeds, np.concatenate(starts), begins, np.array(replace, dtype=np.bool_), totals)


def _number(name: str, column: list[str | int]) -> Ints:
    try:
        numbers = {key: number for number, key in enumerate(sorted(set(column)))}
    except TypeError:
        raise InputError(
            f"the keys {name!r} that nest the rows cannot be ordered",
            expected="texts only, or whole numbers only",
            fix="turn all of them into texts",
        ) from None
    return np.fromiter((numbers[key] for key in column), dtype=np.int64, count=len(column))


def _nest(parent: Ints, parents: int, own: Ints) -> tuple[Ints, Ints]:
    width = int(own.max(initial=0)) + 1
    pairs, codes = np.unique(parent * width + own, return_inverse=True)
    return codes.astype(np.int64), np.searchsorted(pairs // width, np.arange(parents + 1))


@compiled
def _totals(seeds: Seeds, starts: Ints, begins: Ints, replace: Flags, totals: Floats) -> Floats:
    units, width = totals.shape
    out = np.zeros((seeds.size, width))
    drawn = np.empty(max(units, 1), dtype=np.int64)
    children = np.empty(max(units, 1), dtype=np.int64)
    for replicate in range(seeds.size):
        state = seeds[replicate]
        drawn[0] = 1
        for level in range(replace.size):
            for parent in range(begins[level + 1] - begins[level] - 1):
                first = starts[begins[level] + parent]
                size = starts[begins[level] + parent + 1] - first
                if not replace[level]:
                    children[first : first + size] = drawn[parent]
                    continue
                children[first : first + size] = 0
                for _ in range(drawn[parent] * size):
                    state, pick = _below(state, size)
                    children[first + pick] += 1
            drawn, children = children, drawn
        for unit in range(units):
            if drawn[unit]:
                for column in range(width):
                    out[replicate, column] += drawn[unit] * totals[unit, column]
    return out


@compiled
def _below(state: np.uint64, size: int) -> tuple[np.uint64, np.int64]:
    """Draw an integer below `size` < 2^32, each equally likely, and return the next state first.

    splitmix64 gives the bits. The high half of its product with `size` is the draw; the few products
    that would favour some integers are rejected.
    """
    bound = np.uint64(size)
    half = np.uint64(0xFFFFFFFF)
    while True:
        state += np.uint64(0x9E3779B97F4A7C15)
        bits = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        product = ((bits ^ (bits >> np.uint64(31))) >> np.uint64(32)) * bound
        low = product & half
        if low >= bound or low >= (half - bound + np.uint64(1)) % bound:
            return state, np.int64(product >> np.uint64(32))
