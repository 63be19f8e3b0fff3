"""What a describer knows of a scene: its viewpoints, edges, rooms and things, looked up fast.

An index is made once per scene and kept as long as the scene is. Viewpoints and things are row numbers here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

from vlnscope.core.exceptions import InputError
from vlnscope.language.geometry import ABREAST, FLAT, across, heading_to, passing, relative, same_storey
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.types import Point, SeenObject
from vlnscope.worlds.scene import Scene

STAIRWELL = "s"
"""Label letter of stairs."""
OPENINGS = frozenset({"door", "doorway"})


class SceneObject(NamedTuple):
    """An object of a scene; `name` is an entry of the lexicon."""

    id: str
    name: str
    attributes: tuple[str, ...]
    centre: Point | None
    box: Point | None


class ObjectBearing(NamedTuple):
    """A thing as seen from a viewpoint."""

    thing: int
    heading: float
    distance: float | None


class PassedObject(NamedTuple):
    """A thing that a step goes by: where on the step, and how far to the right."""

    thing: int
    along: float
    aside: float


@dataclass(frozen=True, eq=False)
class SceneIndex:
    """A scene as rows of plain numbers.

    Attributes:
        nodes, positions: viewpoints and where they are.
        edges: from each viewpoint, the neighbours with the heading of the step.
        regions: region of each viewpoint; None where there is none, or no layer of rooms.
        labels: label letter of each region.
        things: all objects that the lexicon has a word for.
        visible: what each viewpoint sees, by thing.
        homes: region of each thing: that of the nearest viewpoint that sees it.
    """

    nodes: tuple[str, ...]
    positions: tuple[Point, ...]
    edges: tuple[dict[int, float], ...]
    regions: tuple[int | None, ...]
    labels: dict[int, str]
    things: tuple[SceneObject, ...]
    visible: tuple[dict[int, ObjectBearing], ...]
    homes: tuple[int | None, ...]
    _answering: dict[str, frozenset[int]] = field(default_factory=dict, repr=False)
    _in_view: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict, repr=False)
    _bends: dict[tuple[int, int], tuple[tuple[int, float], ...]] = field(default_factory=dict, repr=False)
    _abreast: dict[tuple[int, int], tuple[PassedObject, ...]] = field(default_factory=dict, repr=False)
    _crossed: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict, repr=False)

    def label(self, node: int) -> str | None:
        """Return the label letter of the room that a viewpoint is in, None if it is in none."""
        region = self.regions[node]
        return None if region is None else self.labels[region]

    def answering(self, name: str) -> frozenset[int]:
        """Return the things that answer to a name of the lexicon."""
        if name not in self._answering:
            words = lexicon()
            fits = {known: words.is_a(known, name) for known in {thing.name for thing in self.things}}
            self._answering[name] = frozenset(i for i, thing in enumerate(self.things) if fits[thing.name])
        return self._answering[name]

    def in_view(self, node: int, name: str) -> tuple[int, ...]:
        """Return the things in sight of a viewpoint that answer to a name of the lexicon."""
        key = (node, name)
        if key not in self._in_view:
            fits = self.answering(name)
            self._in_view[key] = tuple(thing for thing in self.visible[node] if thing in fits)
        return self._in_view[key]

    def turn(self, heading: float, start: int, end: int) -> float:
        """Return how far to the right a walker who looks to `heading` turns for a step."""
        return relative(heading, self.edges[start][end])

    def bends(self, before: int, node: int) -> tuple[tuple[int, float], ...]:
        """Return where a walker who comes from `before` can go on, with the turn that each way takes."""
        key = (before, node)
        if key not in self._bends:
            heading = self.edges[before][node]
            self._bends[key] = tuple(
                (row, relative(heading, course)) for row, course in self.edges[node].items()
            )
        return self._bends[key]

    def rise(self, start: int, end: int) -> float:
        """Return how much higher one viewpoint is than another."""
        return self.positions[end][2] - self.positions[start][2]

    def apart(self, a: int, b: int) -> float:
        """Return the straight line between two viewpoints."""
        return math.dist(self.positions[a], self.positions[b])

    def abreast(self, start: int, end: int) -> tuple[PassedObject, ...]:
        """Return the things in sight that a step goes by, as it meets them."""
        key = (start, end)
        if key not in self._abreast:
            self._abreast[key] = tuple(sorted(self._meet(start, end), key=lambda a: a.along))
        return self._abreast[key]

    def _meet(self, start: int, end: int) -> list[PassedObject]:
        here, there = self.positions[start], self.positions[end]
        met = []
        for number in self.visible[start].keys() | self.visible[end].keys():
            centre = self.things[number].centre
            if centre is None or not same_storey(here, centre):
                continue
            along, aside = passing(here, there, centre)
            if 0.0 <= along <= 1.0 and abs(aside) <= ABREAST:
                met.append(PassedObject(number, along, aside))
        return met

    def offset(self, node: int, heading: float, thing: int) -> tuple[float, float] | None:
        """Return how far ahead and to the right of a heading a thing is; None if nobody knows."""
        centre = self.things[thing].centre
        if centre is None:
            return None
        dx, dy = centre[0] - self.positions[node][0], centre[1] - self.positions[node][1]
        sine, cosine = math.sin(heading), math.cos(heading)
        return dx * sine + dy * cosine, dx * cosine - dy * sine

    def is_landing(self, node: int) -> bool:
        """Return whether a viewpoint is on a landing: in a stairwell, with no way off but by stairs."""
        return self.label(node) == STAIRWELL and all(
            self.label(other) == STAIRWELL or abs(self.rise(node, other)) > FLAT for other in self.edges[node]
        )

    def crossed(self, start: int, end: int) -> tuple[int, ...]:
        """Return the doors and doorways that a step goes through or into."""
        key = (start, end)
        if key not in self._crossed:
            here, there = self.positions[start], self.positions[end]
            near = sorted(self.visible[start].keys() | self.visible[end].keys())
            self._crossed[key] = tuple(
                number
                for number in near
                if self.things[number].name in OPENINGS and self._meets_hole(number, here, there)
            )
        return self._crossed[key]

    def _meets_hole(self, number: int, here: Point, there: Point) -> bool:
        thing = self.things[number]
        if thing.centre is None or thing.box is None or not same_storey(here, thing.centre):
            return False
        flat = 0 if thing.box[0] < thing.box[1] else 1
        wide = 1 - flat
        a, b = here[flat] - thing.centre[flat], there[flat] - thing.centre[flat]
        if a * b > 0 and min(abs(a), abs(b)) > thing.box[flat]:
            return False
        share = 0.5 if a == b else min(1.0, max(0.0, a / (a - b)))
        at = here[wide] + share * (there[wide] - here[wide]) - thing.centre[wide]
        return abs(at) <= thing.box[wide] / 2 + 0.1

    def beyond(self, number: int, start: int, end: int) -> bool:
        """Return whether two viewpoints lie on different sides of an opening, neither of them in it."""
        thing = self.things[number]
        if thing.centre is None or thing.box is None:
            return False
        a, b = (across(thing.box, thing.centre, self.positions[node]) for node in (start, end))
        return a * b < 0 and min(abs(a), abs(b)) > min(thing.box[:2])

    def inside(self, number: int, node: int) -> bool:
        """Return whether a viewpoint stands in an opening."""
        thing = self.things[number]
        if thing.centre is None or thing.box is None or not same_storey(self.positions[node], thing.centre):
            return False
        near = [abs(self.positions[node][k] - thing.centre[k]) for k in (0, 1)]
        return near[0] <= thing.box[0] / 2 + 0.15 and near[1] <= thing.box[1] / 2 + 0.15


_INDEXES: WeakKeyDictionary[Scene, SceneIndex] = WeakKeyDictionary()


def index_scene(scene: Scene) -> SceneIndex:
    """Return the index of a scene, made when first asked for."""
    if scene not in _INDEXES:
        _INDEXES[scene] = _build_index(scene)
    return _INDEXES[scene]


def _build_index(scene: Scene) -> SceneIndex:
    graph = scene.graph
    positions: tuple[Point, ...] = tuple(map(tuple, graph.positions.tolist()))
    edges: tuple[dict[int, float], ...] = tuple({} for _ in graph.nodes)
    for i, j in graph.edges.tolist():
        edges[i][j] = heading_to(positions[i], positions[j])
        edges[j][i] = heading_to(positions[j], positions[i])
    regions: tuple[int | None, ...] = (None,) * len(graph.nodes)
    labels: dict[int, str] = {}
    if scene.has("regions"):
        layer = scene.regions
        regions = tuple(layer.of.get(node) for node in graph.nodes)
        labels = dict(layer.labels)
    things, visible = _things(scene) if scene.has("objects") else ((), tuple({} for _ in graph.nodes))
    homes = _homes(len(things), regions, visible)
    return SceneIndex(graph.nodes, positions, edges, regions, labels, things, visible, homes)


def _homes(
    count: int, regions: tuple[int | None, ...], visible: tuple[dict[int, ObjectBearing], ...]
) -> tuple[int | None, ...]:
    nearest: list[tuple[float, int | None]] = [(math.inf, None)] * count
    for region, seen in zip(regions, visible, strict=True):
        for thing, sight in seen.items():
            away = 1.5 if sight.distance is None else sight.distance
            if away < nearest[thing][0]:
                nearest[thing] = (away, region)
    return tuple(region for _, region in nearest)


def _things(scene: Scene) -> tuple[tuple[SceneObject, ...], tuple[dict[int, ObjectBearing], ...]]:
    names = object_names()
    numbers: dict[str, int] = {}
    things: list[SceneObject] = []
    visible = []
    for node in scene.graph.nodes:
        seen: dict[int, ObjectBearing] = {}
        for number, thing in enumerate(scene.objects.seen.get(node, ())):
            name = names.get(thing.name)
            if name is None:
                continue
            key = thing.object_id or f"{node}/{number}"
            if key not in numbers:
                numbers[key] = len(things)
                things.append(
                    SceneObject(key, name, thing.attributes, _centre(scene, node, thing), thing.box)
                )
            seen[numbers[key]] = ObjectBearing(numbers[key], thing.heading, thing.distance)
        visible.append(seen)
    return tuple(things), tuple(visible)


def _centre(scene: Scene, node: str, thing: SeenObject) -> Point | None:
    """Return where an object is, from its heading and distance if nothing better is known."""
    if thing.centre is not None or thing.distance is None:
        return thing.centre
    x, y, z = scene.graph.positions[scene.graph.row(node)].tolist()
    return x + thing.distance * math.sin(thing.heading), y + thing.distance * math.cos(thing.heading), z - 0.5


@cache
def object_names() -> dict[str, str]:
    """Return the entry of the lexicon for each name of an object; entries' own names come first."""
    entries = lexicon().objects
    names = {name: name for name in entries}
    for name, entry in entries.items():
        for form in (*entry.forms, *entry.plurals):
            names.setdefault(form, name)
    return names


def path_rows(scene: Scene, path: tuple[str, ...]) -> tuple[int, ...]:
    """Return a path as rows of the graph.

    Raises:
        InputError: the path is empty, names a viewpoint that the graph does not have, or jumps.
    """
    if not path:
        raise InputError(
            f"a path in scene {scene.id} is empty",
            expected="at least one viewpoint",
            fix="name the viewpoints",
        )
    rows = tuple(scene.graph.row(node) for node in path)
    for a, b in pairwise(rows):
        if not scene.graph.adjacency[a, b]:
            raise InputError(
                f"a path in scene {scene.id} jumps from {scene.graph.nodes[a]} to {scene.graph.nodes[b]}",
                expected="a walk: each viewpoint a neighbour of the one before",
                fix="put the viewpoints between them into the path, or take another scene",
            )
    return rows
