"""Paths of a house with their instructions, to be looked at: which words go with which steps, and maps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.house_episodes import (
    HouseEpisodes,
    HousePart,
    house_episodes,
    instructions,
    make_episodes,
    reworded,
)
from vlnscope.types import Chunk, Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.splits import is_house
from vlnscope.worlds.maps.floor_map import floor_maps
from vlnscope.worlds.maps.overlays import MapPath
from vlnscope.worlds.scene import Scene

if TYPE_CHECKING:
    from vlnscope.language.describe import Register


class WordedPath(msgspec.Struct, frozen=True):
    """An instruction, the pieces that go with the steps of its path, and why it is ambiguous if it is."""

    text: str
    chunks: tuple[Chunk, ...]
    ambiguous: str | None = None


class PathDescription(msgspec.Struct, frozen=True, kw_only=True):
    """A path with its instructions.

    Attributes:
        name: what it is called: its path id.
        path: its viewpoints.
        rooms: the rooms that it goes through, in order.
        heading: where the walker looks at the start.
        length: in metres.
        instructions: the ways to say it.
    """

    name: str
    path: tuple[str, ...]
    rooms: tuple[str, ...]
    heading: float
    length: float
    instructions: tuple[WordedPath, ...]

    def lines(self) -> Iterator[str]:
        """Yield what people read of it."""
        yield f"{self.name}: {self.length:.1f} m, {len(self.path)} viewpoints, {' → '.join(self.rooms)}"
        for worded in self.instructions:
            yield f"  {worded.text}"
            for chunk in worded.chunks:
                yield f"      {chunk.first_step} – {chunk.last_step}  {' '.join(chunk.words)}"
            if worded.ambiguous:
                yield f"      ambiguous: {worded.ambiguous}"


def episodes_of(house: str, scene: Scene, register: Register) -> HouseEpisodes:
    """Return the episodes of a house by its name or, of any other scene with a plan, those of seed 0."""
    if is_house(house):
        return house_episodes(house, HousePart(register))
    episodes = make_episodes(scene, 0)
    return episodes if register == episodes.register else reworded(scene, episodes, register)


def dataset_paths(scene: Scene, episodes: Sequence[Episode]) -> list[PathDescription]:
    """Return episodes by path."""
    paths = []
    for name, group in groupby(episodes, key=lambda episode: episode.path_id):
        path_episodes = list(group)
        worded = tuple(WordedPath(episode.instruction, episode.chunks) for episode in path_episodes)
        paths.append(_described(scene, name, path_episodes[0].path, path_episodes[0].heading or 0.0, worded))
    return paths


def own_path(scene: Scene, text: str, register: Register) -> PathDescription:
    """Describe the path that a user names by viewpoints; the walker looks where it begins to go.

    Args:
        scene: where the path is.
        text: ids of viewpoints or their first digits, with commas between; between two that share no edge
            the path takes the shortest way.
        register: how to word the instructions.

    Raises:
        InputError: a viewpoint is not known or could be several, or there is no way between two.
    """
    graph = scene.graph
    named = [_viewpoint(graph, part.strip()) for part in text.split(",")]
    nodes = named[:1]
    for a, b in pairwise(named):
        way = graph.shortest_path(a, b)
        if not way:
            raise InputError(f"no way leads from {a} to {b}", expected="a way", fix="name another viewpoint")
        nodes += way[1:]
    heading = 0.0
    if len(nodes) > 1:
        (ax, ay, _), (bx, by, _) = graph.positions[[graph.row(node) for node in nodes[:2]]].tolist()
        heading = math.atan2(bx - ax, by - ay) % math.tau
    worded = tuple(
        WordedPath(it.text, it.chunks, it.ambiguous)
        for it in instructions(scene, nodes, heading, register, seed=0)
    )
    return _described(scene, "your path", tuple(nodes), heading, worded)


def _viewpoint(graph: NavGraph, start: str) -> str:
    matching = [node for node in graph.nodes if start and node.startswith(start)]
    if len(matching) != 1:
        raise InputError(
            f"{len(matching)} viewpoints are called {start!r} or start so",
            expected=f"first digits of one of {len(graph.nodes)} viewpoints, such as {graph.nodes[0][:6]}",
            fix="give more digits"
            if matching
            else "`vlnscope houses describe HOUSE --json` shows viewpoints",
        )
    return matching[0]


def _described(
    scene: Scene, name: str, nodes: tuple[str, ...], heading: float, worded: tuple[WordedPath, ...]
) -> PathDescription:
    graph = scene.graph
    rooms = (scene.regions.name(node) or "nowhere" for node in nodes)
    length = sum(
        math.dist(*graph.positions[[graph.row(a), graph.row(b)]].tolist()) for a, b in pairwise(nodes)
    )
    return PathDescription(
        name=name,
        path=nodes,
        rooms=tuple(room for room, _ in groupby(rooms)),
        heading=heading,
        length=round(length, 2),
        instructions=worded,
    )


def maps_of(scene: Scene, paths: Sequence[PathDescription]) -> dict[str, str]:
    """Return maps of all floors with the paths on them, by a name for their files."""
    drawn = [MapPath(path.path, path.name) for path in paths]
    maps = floor_maps(scene.layer("plan"), scene=scene, paths=drawn)
    return {f"{scene.id}-paths-floor-{level}.svg": svg for level, svg in maps.items()}
