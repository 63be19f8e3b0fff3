"""What a walker knows of a place: viewpoints, ways between them, rooms and things seen so far.

A map is complete (`KnownMap.of_scene`) or grows as a walker goes (`KnownMap.add`). Viewpoints that were only
seen from a neighbour are its *frontier*: where they are is known, and perhaps their room, but not what
can be seen from them nor where one gets from there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from vlnscope.core.exceptions import InputError
from vlnscope.language.geometry import relative
from vlnscope.language.lexicon.matching import Concept, mentions, object_entry
from vlnscope.types import Candidate, Flags, Floats, Ints, Percept, Point, SeenObject
from vlnscope.worlds.graph.candidates import candidates_of
from vlnscope.worlds.graph.navgraph import NavGraph

GUESSED_DISTANCE = 2.0
"""Metres to an object whose distance the source does not tell (REVERIE lists those within 3 m)."""
_SAME_THING = 1.0
_BELOW_CAMERA = 0.6


@dataclass(frozen=True, eq=False)
class KnownObjects:
    """The objects seen so far, one row each.

    Attributes:
        names: entry of the lexicon, or the name as seen if there is none.
        attributes: colours, materials and so on.
        centre: where they are.
        reach: half their extent along x, y and z; 0 where it is unknown.
        seen: from which viewpoints (rows) they were seen (columns are things).
    """

    names: tuple[str, ...]
    attributes: tuple[tuple[str, ...], ...]
    centre: Floats
    reach: Floats
    seen: Flags


@dataclass(frozen=True, eq=False)
class MapEdges:
    """The directed edges of a map, and for each the edges that can follow it.

    Attributes:
        source, target: rows of the viewpoints.
        heading: of the step.
        length, climb: metres along and up.
        first: the edges that leave viewpoint i are ``first[i]`` to ``first[i + 1]``, in candidate order.
    """

    source: Ints
    target: Ints
    heading: Floats
    length: Floats
    climb: Floats
    first: Ints


@dataclass
class _Thing:
    name: str
    attributes: tuple[str, ...]
    centre: Point
    reach: Point
    sightings: set[int]


class KnownMap:
    """A growing map; see the module. Viewpoints are rows in the order in which they became known."""

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.index: dict[str, int] = {}
        self.positions: list[Point] = []
        self.percepts: list[Percept | None] = []
        self.letters: list[str | None] = []
        self.captions: dict[Concept, list[tuple[int, int]]] = {}
        self.captioned: set[int] = set()
        self._next: list[list[int]] = []
        self._things: dict[str, _Thing] = {}
        self._alike: dict[str, list[_Thing]] = {}
        self._edges: MapEdges | None = None
        self._table: KnownObjects | None = None

    @classmethod
    def of_scene(cls, graph: NavGraph, percepts: Mapping[str, Percept]) -> KnownMap:
        """Return the map of a place that is known in full."""
        whole = cls()
        points = [_point(row) for row in graph.positions.tolist()]
        for node, point in zip(graph.nodes, points, strict=True):
            whole._row(node, point)
        for node, point in zip(graph.nodes, points, strict=True):
            whole.add(node, candidates_of(graph, node), percepts[node], position=point)
        return whole

    def add(
        self,
        viewpoint: str,
        candidates: Sequence[Candidate],
        percept: Percept,
        *,
        position: Point | None = None,
    ) -> None:
        """Take in what a walker finds at a viewpoint; a viewpoint that was visited before is left as it is.

        Args:
            viewpoint: where the walker stands.
            candidates: where it can go; those not visited yet become part of the frontier.
            percept: what it sees.
            position: where the viewpoint is, in the frame of `SeenObject.centre`. Without it, places follow
                from the candidates' headings and distances, and the first viewpoint is the origin.

        Raises:
            InputError: the map does not know where the viewpoint is (see `joins`).
        """
        if self.visited(viewpoint):
            return
        absolute = position is not None
        if position is None:
            position = self._located(viewpoint, candidates)
        row = self._row(viewpoint, position)
        self.percepts[row] = percept
        self.letters[row] = percept.room()
        self._next[row] = [self._row(c.viewpoint, _beside(position, c)) for c in candidates]
        for other in self._next[row]:
            if self.percepts[other] is None and row not in self._next[other]:
                self._next[other].append(row)
        self._label_frontier(row, candidates, percept)
        for thing in percept.objects():
            self._take_in(row, thing, absolute)
        for sector, text in enumerate(percept.captions()):
            self.captioned.add(row)
            for mention in mentions(text):
                self.captions.setdefault(mention, []).append((row, sector))
        self._edges = self._table = None

    def joins(self, viewpoint: str, candidates: Sequence[Candidate]) -> bool:
        """Return whether it can be told where a viewpoint is: it, or a neighbour of it, was seen before.

        The first viewpoint of a map always can.
        """
        return not self.nodes or viewpoint in self.index or any(c.viewpoint in self.index for c in candidates)

    def visited(self, viewpoint: str) -> bool:
        """Return whether the percept of a viewpoint is known."""
        return viewpoint in self.index and self.percepts[self.index[viewpoint]] is not None

    def successors(self, viewpoint: str) -> tuple[str, ...]:
        """Return where one can go from a viewpoint as far as is known, in candidate order."""
        return tuple(self.nodes[row] for row in self._next[self.index[viewpoint]])

    @property
    def frontier(self) -> Flags:
        """Which viewpoints were seen but not visited."""
        return np.array([percept is None for percept in self.percepts], dtype=np.bool_)

    @property
    def edges(self) -> MapEdges:
        """The directed edges known so far; from the frontier they lead only back."""
        if self._edges is None:
            self._edges = self._make_edges()
        return self._edges

    @property
    def things(self) -> KnownObjects:
        """The objects seen so far, in the order in which they were first seen."""
        if self._table is None:
            self._table = self._make_things()
        return self._table

    def _located(self, viewpoint: str, candidates: Sequence[Candidate]) -> Point:
        """Return where a viewpoint is by what is known of it, or of where one can go from it."""
        if not self.nodes:
            return (0.0, 0.0, 0.0)
        if viewpoint in self.index:
            return self.positions[self.index[viewpoint]]
        for candidate in candidates:
            if candidate.viewpoint in self.index:
                x, y, z = self.positions[self.index[candidate.viewpoint]]
                there = _beside((0.0, 0.0, 0.0), candidate)
                return (x - there[0], y - there[1], z - there[2])
        raise InputError(
            f"viewpoint {viewpoint!r} is no neighbour of any viewpoint seen so far",
            expected="a step to one of the candidates",
            fix="add the viewpoints in between, or give its position",
        )

    def _row(self, viewpoint: str, position: Point) -> int:
        if viewpoint not in self.index:
            self.index[viewpoint] = len(self.nodes)
            self.nodes.append(viewpoint)
            self.positions.append(position)
            self.percepts.append(None)
            self.letters.append(None)
            self._next.append([])
        return self.index[viewpoint]

    def _label_frontier(self, row: int, candidates: Sequence[Candidate], percept: Percept) -> None:
        for room in percept.rooms():
            if not candidates:
                break
            nearest = min(
                range(len(candidates)),
                key=lambda k: (
                    abs(relative(room.heading, candidates[k].heading))
                    + abs(room.distance - candidates[k].distance)
                ),
            )
            other = self._next[row][nearest]
            if self.percepts[other] is None:
                self.letters[other] = room.label

    def _take_in(self, row: int, thing: SeenObject, absolute: bool) -> None:
        entry = object_entry(thing.name) or thing.name
        centre = thing.centre if absolute and thing.centre else _placed(self.positions[row], thing)
        known = self._known(entry, thing.object_id, centre)
        if known is None:
            box = thing.box or (0.0, 0.0, 0.0)
            known = _Thing(entry, thing.attributes, centre, (box[0] / 2, box[1] / 2, box[2] / 2), set())
            self._things[thing.object_id or f"{row}/{len(self._things)}"] = known
            self._alike.setdefault(entry, []).append(known)
        known.sightings.add(row)

    def _known(self, entry: str, object_id: str | None, centre: Point) -> _Thing | None:
        if object_id is not None:
            return self._things.get(object_id)
        near = (
            thing for thing in self._alike.get(entry, ()) if math.dist(thing.centre, centre) < _SAME_THING
        )
        return next(near, None)

    def _make_edges(self) -> MapEdges:
        source = np.repeat(np.arange(len(self.nodes)), [len(row) for row in self._next])
        target = np.array([other for row in self._next for other in row], dtype=np.int64)
        points = np.array(self.positions, dtype=np.float64).reshape(-1, 3)
        step = points[target] - points[source]
        return MapEdges(
            source,
            target,
            np.arctan2(step[:, 0], step[:, 1]),
            np.sqrt((step**2).sum(axis=1)),
            step[:, 2],
            np.concatenate([[0], np.cumsum([len(row) for row in self._next])]).astype(np.int64),
        )

    def _make_things(self) -> KnownObjects:
        things = list(self._things.values())
        seen = np.zeros((len(self.nodes), len(things)), dtype=np.bool_)
        for column, thing in enumerate(things):
            seen[sorted(thing.sightings), column] = True
        return KnownObjects(
            tuple(thing.name for thing in things),
            tuple(thing.attributes for thing in things),
            np.array([thing.centre for thing in things], dtype=np.float64).reshape(-1, 3),
            np.array([thing.reach for thing in things], dtype=np.float64).reshape(-1, 3),
            seen,
        )


def _point(row: Sequence[float]) -> Point:
    return (row[0], row[1], row[2])


def _beside(position: Point, candidate: Candidate) -> Point:
    level = candidate.distance * math.cos(candidate.elevation)
    return (
        position[0] + level * math.sin(candidate.heading),
        position[1] + level * math.cos(candidate.heading),
        position[2] + candidate.distance * math.sin(candidate.elevation),
    )


def _placed(position: Point, thing: SeenObject) -> Point:
    """Return where an object is by its heading and distance; most things stand below the camera."""
    away = GUESSED_DISTANCE if thing.distance is None else thing.distance
    level = math.sqrt(max(away**2 - _BELOW_CAMERA**2, (away / 2) ** 2))
    x, y, z = position
    return (x + level * math.sin(thing.heading), y + level * math.cos(thing.heading), z - _BELOW_CAMERA)


def routes(known_map: KnownMap, start: str, first: Sequence[str]) -> Floats:
    """Return how long the way to each viewpoint is over each first step; infinite for all but the shortest.

    The way leads over visited viewpoints; only its end may be on the frontier. Rows are first steps, columns
    viewpoints. The start itself is at distance infinity.
    """
    ways, visited = known_map.edges, ~known_map.frontier
    row = known_map.index[start]
    usable = visited[ways.source]
    size = len(known_map.nodes)
    graph = csr_array((ways.length[usable] + 1e-9, (ways.source[usable], ways.target[usable])), (size, size))
    distance, before = dijkstra(graph, indices=row, return_predecessors=True)
    hop = np.full(size, -1)
    for node in np.argsort(distance, kind="stable").tolist():
        if before[node] >= 0:
            hop[node] = node if before[node] == row else hop[before[node]]
    steps = [known_map.index[name] for name in first]
    return np.array([np.where(hop == step, distance, np.inf) for step in steps]).reshape(len(steps), size)
