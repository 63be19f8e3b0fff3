"""Paths with their instructions, whether they are joined or as the data set has them, and samples of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest

from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath
from vlnscope.benchmarks.fidelity.joins.shortest_paths import ShortestPaths
from vlnscope.benchmarks.kit.routes import Route
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph


@dataclass(frozen=True)
class DescribedPath:
    """A path and how it is described.

    Attributes:
        source: the path.
        ways: the shortest ways of its scene.
    """

    source: Route | JoinedPath
    ways: ShortestPaths

    @property
    def scan(self) -> str:
        """The scene."""
        return self.source.scan

    @property
    def path(self) -> tuple[str, ...]:
        """The viewpoints."""
        return self.source.path

    @property
    def count(self) -> int:
        """How many instructions it has."""
        source = self.source
        return source.instruction_count if isinstance(source, JoinedPath) else len(source.episodes)

    @cached_property
    def length(self) -> float:
        """Metres as stated, or else measured on the graph."""
        if isinstance(self.source, JoinedPath):
            return self.source.distance
        stated = self.source.episodes[0].distance
        return self.ways.along(self.path) if stated is None else stated

    @cached_property
    def direct(self) -> float:
        """Metres of the shortest way from start to end."""
        return self.ways.between(self.path[0], self.path[-1]).length

    @cached_property
    def is_shortest(self) -> bool:
        """Whether no way from start to end is shorter, up to a millimetre."""
        return self.ways.along(self.path) <= self.direct + 1e-3

    def instructions(self) -> Sequence[str]:
        """Return the texts."""
        source = self.source
        return source.instructions() if isinstance(source, JoinedPath) else source.instructions

    def parts(self, episode: Episode) -> tuple[Episode, ...]:
        """Return the episodes whose instructions make up that of one of its own."""
        if isinstance(self.source, JoinedPath):
            return next(islice(self.source.told(), episode.instruction_index, None))
        return (episode,)

    def episodes(self) -> list[Episode]:
        """Return an episode per instruction, which states its length and that of the shortest way."""
        source = self.source
        episodes = source.episodes() if isinstance(source, JoinedPath) else iter(source.episodes)
        return [
            replace(
                episode, distance=self.length, extra={**episode.extra, "shortest_path_distance": self.direct}
            )
            for episode in episodes
        ]


def described_paths(
    sources: Sequence[Route | JoinedPath], graphs: Mapping[str, NavGraph]
) -> list[DescribedPath]:
    """Return paths of some scenes, those of one scene sharing what is known of its ways."""
    ways = {scan: ShortestPaths(graph) for scan, graph in graphs.items()}
    return [DescribedPath(source, ways[source.scan]) for source in sources]


def draw_episodes(
    paths: Sequence[DescribedPath], limit: int | None, seed: int
) -> list[tuple[DescribedPath, Episode]]:
    """Choose episodes, spread over scenes and paths as evenly as there are any; all if `limit` is None.

    Scenes take turns. Within a scene every path gives one instruction, drawn at random, before any gives a
    second one. What is chosen stays in the order of the data set.

    Raises:
        InputError: the limit leaves nothing.
    """
    if limit is not None and limit < 1:
        raise InputError(f"at most {limit} episodes", expected="1 or more", fix="leave the limit out for all")
    if limit is None or limit >= sum(path.count for path in paths):
        return [(path, episode) for path in paths for episode in path.episodes()]
    by_scan: dict[str, list[int]] = {}
    for number, path in enumerate(paths):
        by_scan.setdefault(path.scan, []).append(number)
    scans = list(by_scan)
    order = rng_for(seed, "fidelity", "scenes").permutation(len(scans))
    queues = [_queue(paths, by_scan[scans[int(k)]], seed) for k in order]
    turns = chain.from_iterable(zip_longest(*queues))
    chosen = sorted(islice((turn for turn in turns if turn is not None), limit))
    return [(paths[number], paths[number].episodes()[which]) for number, which in chosen]


def _queue(paths: Sequence[DescribedPath], numbers: Sequence[int], seed: int) -> Iterator[tuple[int, int]]:
    """Yield path and instruction, all paths of one scene in turn."""
    rng = rng_for(seed, "fidelity", "sample", paths[numbers[0]].scan)
    order = [numbers[int(k)] for k in rng.permutation(len(numbers))]
    texts = {number: rng.permutation(paths[number].count) for number in order}
    for turn in range(max(paths[number].count for number in order)):
        for number in order:
            if turn < len(texts[number]):
                yield number, int(texts[number][turn])
