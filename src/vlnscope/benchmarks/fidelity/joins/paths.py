"""Joined paths: several paths of a data set, one after the other, with the ways between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from vlnscope.benchmarks.fidelity.joins.shortest_paths import ShortestPaths
from vlnscope.benchmarks.kit.routes import Route
from vlnscope.episodes.records import number_or_text
from vlnscope.types import Episode

ORDINALS = ("first", "second", "third", "fourth")


class JoinedPath(msgspec.Struct, frozen=True, kw_only=True):
    """Some paths walked one after the other.

    Attributes:
        path_id: its number in the file.
        scan: scene id.
        parts: the paths that are joined.
        path: all viewpoints: each part and the shortest way from its end to the start of the next, no
            viewpoint twice where they meet.
        starts: where in `path` each part starts.
        distance: the stated lengths of the parts and the lengths of the ways between them, added in order.
        shortest_path: the shortest way from start to end.
        shortest_path_distance: its length.
        choices: which instruction of each part, for each instruction of the whole; None for all combinations,
            the first part's in the outermost loop.
        separator: what stands between the instructions of two parts.
    """

    path_id: int
    scan: str
    parts: tuple[Route, ...]
    path: tuple[str, ...]
    starts: tuple[int, ...]
    distance: float
    shortest_path: tuple[str, ...]
    shortest_path_distance: float
    choices: tuple[tuple[int, ...], ...] | None = None
    separator: str = ""

    @property
    def heading(self) -> float | None:
        """The initial heading: that of the first part."""
        return self.parts[0].episodes[0].heading

    @property
    def instruction_count(self) -> int:
        """How many instructions it has."""
        return combinations(self.parts) if self.choices is None else len(self.choices)

    def told(self) -> Iterator[tuple[Episode, ...]]:
        """Yield the episodes of the parts whose instructions are joined, for each joined instruction."""
        if self.choices is None:
            yield from itertools.product(*(part.episodes for part in self.parts))
            return
        for choice in self.choices:
            yield tuple(part.episodes[k] for part, k in zip(self.parts, choice, strict=True))

    def instructions(self) -> list[str]:
        """Return the joined instructions."""
        return [self.separator.join(episode.instruction for episode in some) for some in self.told()]

    def record(self) -> dict[str, Any]:
        """Return the record of the official files."""
        facing = {} if self.heading is None else {"heading": self.heading}
        return {
            "path_id": self.path_id,
            "scan": self.scan,
            "path": self.path,
            "distance": self.distance,
            "instructions": self.instructions(),
            **facing,
            **self.fields(),
        }

    def fields(self) -> dict[str, Any]:
        """Return what an R4R record has beyond an R2R record."""
        ids = {
            f"{ordinal}_path_id": number_or_text(part.path_id)
            for ordinal, part in zip(ORDINALS, self.parts, strict=False)
        }
        return {
            "shortest_path_distance": self.shortest_path_distance,
            "shortest_path": list(self.shortest_path),
            **ids,
        }

    def episodes(self) -> Iterator[Episode]:
        """Yield an episode per instruction."""
        extra = self.fields()
        for k, some in enumerate(self.told()):
            yield Episode(
                episode_id=f"{self.path_id}_{k}",
                path_id=str(self.path_id),
                scan=self.scan,
                instruction=self.separator.join(episode.instruction for episode in some),
                path=self.path,
                heading=self.heading,
                distance=self.distance,
                instruction_index=k,
                extra=extra,
            )


def combinations(parts: Sequence[Route]) -> int:
    """Return in how many ways the instructions of some paths can be combined."""
    count = 1
    for part in parts:
        count *= len(part.episodes)
    return count


def join(
    path_id: int,
    parts: tuple[Route, ...],
    ways: ShortestPaths,
    choices: tuple[tuple[int, ...], ...] | None = None,
    separator: str = "",
) -> JoinedPath:
    """Join some paths of one scene, the end of each to the start of the next."""
    path, starts, distance = parts[0].path, [0], stated_length(parts[0], ways)
    for part in parts[1:]:
        way = ways.between(path[-1], part.start)
        starts.append(len(path) + len(way.path) - 2)
        path = path[:-1] + way.path + part.path[1:]
        distance = distance + way.length + stated_length(part, ways)
    shortest = ways.between(path[0], path[-1])
    return JoinedPath(
        path_id=path_id,
        scan=parts[0].scan,
        parts=parts,
        path=path,
        starts=tuple(starts),
        distance=distance,
        shortest_path=shortest.path,
        shortest_path_distance=shortest.length,
        choices=choices,
        separator=separator,
    )


def stated_length(route: Route, ways: ShortestPaths) -> float:
    """Return the length of a path as its file states it; where it states none, its length on the graph."""
    stated = route.episodes[0].distance
    return ways.along(route.path) if stated is None else stated
