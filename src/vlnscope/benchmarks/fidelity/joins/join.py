"""Makes R4R, R6R and R8R: paths of a data set joined end to start, with all their instructions.

Two paths of a scene are joined if the second starts near the end of the first; the shortest way leads from
one to the other (V. Jain et al., *Stay on the Path*, ACL 2019; W. Zhu et al., *BabyWalk*, ACL 2020, for
three and four). The paper says *nearer than* 3 m and the first script measured by the ``.house`` files;
today's script says *not farther than* 3 m and measures by the connectivity files. The R4R that was released
with the first has 45,162 instructions in val_unseen; today's script makes 45,234. Both can be chosen: the
operator by argument, the positions where the data set is opened (`open_dataset(positions=…)`).

No generator of R6R and R8R was ever released. Here the same rule is applied again: a chain of three or four
paths, each joined to the one before; a path may come back. There are many (R2R's train split gives
1,292,560 chains of four, with 81 instructions each), so by default only 10,000 chains are kept, drawn so
that every chain is as likely as any other, and 9 combinations of instructions of each, drawn likewise
(`VARIANTS`).

The official script puts nothing between two instructions, because those of R2R end in a space. Others do not,
so unless told otherwise one space is put between those of a data set where most do not end in one.

The official script can also compare headings; that filter is off by default there, takes a mathematical angle
for a compass heading, and is not offered.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath, combinations, join
from vlnscope.benchmarks.fidelity.joins.result import Joined
from vlnscope.benchmarks.fidelity.joins.shortest_paths import ShortestPaths
from vlnscope.benchmarks.kit.routes import Route, sound_routes
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Flags, Ints
from vlnscope.worlds.graph.navgraph import NavGraph

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
            index = int(np.searchsorted(before[last], rest, side="right"))
            rest -= int(before[last][index - 1]) if index else 0
            chain.append(int(self._next[last][index]))
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


OPERATORS = ("<=", "<")
NEAR = 3.0
"""Metres from the end of a path to the start of the next, at most."""


class Variant(NamedTuple):
    """How many paths are joined, and how many joined paths and instructions of each are kept by default."""

    parts: int
    max_paths: int | None
    max_instructions: int | None


VARIANTS: Mapping[str, Variant] = {
    "r4r": Variant(2, None, None),
    "r6r": Variant(3, 10_000, 9),
    "r8r": Variant(4, 10_000, 9),
}
PUBLISHED = {
    "r2r/train": (25_930, 233_613),
    "r2r/val_seen": (115, 1_035),
    "r2r/val_unseen": (5_018, 45_162),
}
"""Paths and instructions of the R4R that was released in 2019."""


def join_paths(
    dataset: Dataset,
    variant: str = "r4r",
    *,
    operator: str = "<=",
    near: float = NEAR,
    separator: str | None = None,
    max_paths: int | None = None,
    max_instructions: int | None = None,
    seed: int = 0,
) -> Joined:
    """Join the paths of a data set.

    Args:
        dataset: any data set with paths over navigation graphs. Positions are those of its scenes; open it
            with ``positions="house"`` to measure as the first R4R script did.
        variant: one of `VARIANTS`.
        operator: whether two paths exactly `near` apart are joined: ``<=`` as today's script, ``<`` as the
            paper says.
        near: metres from the end of a path to the start of the next, along the graph.
        separator: what to put between two instructions; None for nothing where most instructions end in
            a space, as R2R's do, and one space elsewhere.
        max_paths: keep so many joined paths, drawn at random; 0 for all, None for the variant's own limit.
        max_instructions: keep so many instructions of each path, as `max_paths`.
        seed: of the samples.

    Returns:
        The joined paths in the order of the official files: scenes by first appearance, then first, second, …
        path. A length that the data set does not state is measured on the graph, and noted.

    Raises:
        InputError: the paths are secret, are single viewpoints, or do not lie on the graphs of their scenes;
            two episodes have the same id; or an argument is out of range.
    """
    chosen = _variant(variant, max_paths, max_instructions)
    if operator not in OPERATORS:
        raise UnknownNameError("operator", operator, OPERATORS)
    if not 0 <= near < float("inf"):
        raise InputError(f"near is {near}", expected="a number of metres, at least 0", fix="leave it at 3")
    routes, graphs = sound_routes(dataset)
    put = separator_of(routes) if separator is None else separator
    follows = {scan: _follows(graphs[scan], group, operator, near) for scan, group in routes.items()}
    chains = {scan: Chains(matrix, chosen.parts) for scan, matrix in follows.items()}
    paths = tuple(_paths(variant, chosen, routes, graphs, chains, put, seed))
    possible = sum(map(len, chains.values()))
    return Joined(
        variant=variant,
        source=dataset,
        paths=paths,
        possible=possible,
        filtered=sum(int(np.count_nonzero(~matrix)) for matrix in follows.values()),
        notes=tuple(_notes(dataset, variant, paths, possible, seed)),
    )


def _variant(name: str, max_paths: int | None, max_instructions: int | None) -> Variant:
    if name not in VARIANTS:
        raise UnknownNameError("variant", name, VARIANTS)
    own = VARIANTS[name]
    for limit in (max_paths, max_instructions):
        if limit is not None and limit < 0:
            raise InputError(
                f"the limit {limit} is negative", expected="0 for no limit, or more", fix="use 0"
            )
    return Variant(
        own.parts,
        own.max_paths if max_paths is None else max_paths or None,
        own.max_instructions if max_instructions is None else max_instructions or None,
    )


def separator_of(routes: Mapping[str, Sequence[Route]]) -> str:
    """Return what keeps the instructions of a data set apart: nothing if most of them end in a space."""
    texts = [text for group in routes.values() for route in group for text in route.instructions]
    return "" if 2 * sum(text[-1:].isspace() for text in texts) > len(texts) else " "


def _follows(graph: NavGraph, routes: Sequence[Route], operator: str, near: float) -> Flags:
    ends = [graph.row(route.end) for route in routes]
    starts = [graph.row(route.start) for route in routes]
    apart = graph.distances[np.ix_(ends, starts)]
    return apart <= near if operator == "<=" else apart < near


def _paths(
    variant: str,
    chosen: Variant,
    routes: Mapping[str, Sequence[Route]],
    graphs: Mapping[str, NavGraph],
    chains: Mapping[str, Chains],
    separator: str,
    seed: int,
) -> Iterator[JoinedPath]:
    number = itertools.count()
    for scan, numbers in draw(chains, chosen.max_paths, rng_for(seed, "fidelity", variant, "paths")):
        ways = ShortestPaths(graphs[scan])
        for rank in numbers:
            parts = tuple(routes[scan][k] for k in chains[scan].at(int(rank)))
            choices = _choices(parts, chosen.max_instructions, seed)
            yield join(next(number), parts, ways, choices, separator)


def _choices(parts: Sequence[Route], limit: int | None, seed: int) -> tuple[tuple[int, ...], ...] | None:
    """Draw combinations of instructions, in the order in which all of them would stand; None for all."""
    total = combinations(parts)
    if limit is None or limit >= total:
        return None
    rng = rng_for(seed, "fidelity", "instructions", parts[0].scan, *(part.path_id for part in parts))
    drawn = np.sort(rng.choice(total, size=limit, replace=False))
    shape = tuple(len(part.episodes) for part in parts)
    return tuple(zip(*(map(int, column) for column in np.unravel_index(drawn, shape)), strict=True))


def _notes(
    dataset: Dataset, variant: str, paths: Sequence[JoinedPath], possible: int, seed: int
) -> Iterator[str]:
    kept = sum(path.instruction_count for path in paths)
    every = sum(combinations(path.parts) for path in paths)
    if len(paths) < possible:
        yield f"{len(paths):,} of {possible:,} joined paths, drawn with seed {seed}"
    if kept < every:
        yield f"{kept:,} of their {every:,} combinations of instructions, drawn with seed {seed}"
    unstated = sum(part.episodes[0].distance is None for part in _distinct(path.parts for path in paths))
    if unstated:
        yield f"{unstated:,} paths state no length: it was measured on the graph"
    before = _distinct(path.parts[:-1] for path in paths if not path.separator)
    glued = sum(not text[-1:].isspace() for part in before for text in part.instructions)
    if glued:
        yield (
            f"{glued:,} instructions end without a space, so that their last word runs into the next one; "
            "a separator of one space keeps them apart"
        )
    published = PUBLISHED.get(dataset.name) if variant == "r4r" else None
    if published and published != (len(paths), kept):
        yield (
            f"the R4R released in 2019 has {published[0]:,} paths and {published[1]:,} instructions here: "
            "the first script took .house positions and `<`"
        )


def _distinct(groups: Iterable[Sequence[Route]]) -> list[Route]:
    return list({id(part): part for group in groups for part in group}.values())
