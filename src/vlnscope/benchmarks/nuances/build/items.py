"""What the builders of all categories share: items, the scene as they look at it, and counting of losses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from vlnscope.benchmarks.nuances.build.sight import seen_things
from vlnscope.benchmarks.nuances.evaluators.evaluator import Category
from vlnscope.language.describe.scene_index import SceneIndex, index_scene
from vlnscope.language.geometry import heading_to, relative, same_storey
from vlnscope.perception.sights.percept import CaptionSource
from vlnscope.types import Case, Episode, Floats, Point
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene


class NuanceItem(NamedTuple):
    """One atomic instruction, before it is worded.

    Attributes:
        category: which of the five tests.
        subset: which part of it, such as ``left``.
        name: its path id, unique in the set and without an underscore, as the official evaluators want it.
        path: the reference.
        heading: where the agent looks at the start.
        phrase: which wordings may be used, a key of `vlnscope.benchmarks.nuances.build.paraphrases.PHRASES`.
        slots: what is put into the wording.
        fields: what the official evaluators read beside path and text.
        pair: shared by the items that start from one view.
        groups: further groups of the case.
    """

    category: Category
    subset: str
    name: str
    path: tuple[str, ...]
    heading: float
    phrase: str
    slots: dict[str, str]
    fields: dict[str, Any]
    pair: str
    groups: dict[str, str]


@dataclass(frozen=True, eq=False)
class IndexedScene:
    """A scene with the places of its viewpoints at hand; viewpoints are rows of the graph here.

    Attributes:
        scene: the scene.
        clear: whether items that a stranger may doubt are left out.
        any_of: whether one of several landmarks alike may be asked for.
        captions: what others wrote of each viewpoint, if there is such a thing.
    """

    scene: Scene
    clear: bool = True
    any_of: bool = True
    captions: CaptionSource | None = None

    @property
    def graph(self) -> NavGraph:
        """The navigation graph."""
        return self.scene.graph

    @property
    def places(self) -> Floats:
        """Where the viewpoints are."""
        return self.scene.graph.positions

    @property
    def estimated(self) -> bool:
        """Whether places and sizes of objects are estimates from pictures, which show only what is near."""
        return self.scene.has("objects") and bool(self.scene.objects.spans)

    @cached_property
    def scene_index(self) -> SceneIndex:
        """What can be seen from where."""
        return index_scene(self.scene)

    @cached_property
    def sights(self) -> tuple[frozenset[int], ...]:
        """The things in sight of each viewpoint, those included that captions put there."""
        return seen_things(self.scene_index, self.captions if self.clear and self.estimated else None)

    @cached_property
    def ways(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each viewpoint that an agent can go to, in the order of its candidates."""
        graph = self.graph
        return tuple(
            tuple(graph.index[candidate.viewpoint] for candidate in self.scene.candidates(node))
            for node in graph.nodes
        )

    def point(self, row: int) -> Point:
        """Return where a viewpoint is."""
        x, y, z = self.places[row].tolist()
        return x, y, z

    def course(self, start: int, end: int) -> float:
        """Return the heading from one viewpoint to another."""
        return heading_to(self.point(start), self.point(end))

    def label(self, row: int) -> str | None:
        """Return the letter of the room that a viewpoint is in."""
        return self.scene_index.label(row)

    def on_storey(self, row: int, other: int) -> bool:
        """Return whether two viewpoints are on one floor."""
        return same_storey(self.point(row), self.point(other))

    def walk(self, start: int, end: int) -> tuple[int, ...]:
        """Return a shortest path, both ends included; empty where there is no way."""
        graph = self.graph
        return tuple(graph.index[node] for node in graph.shortest_path(graph.nodes[start], graph.nodes[end]))

    def metres(self, path: tuple[int, ...]) -> float:
        """Return the length of a path."""
        points = self.places[list(path)]
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())

    def named(self, path: Iterable[int]) -> tuple[str, ...]:
        """Return the names of viewpoints."""
        return tuple(self.graph.nodes[row] for row in path)

    def sharpest(self, path: tuple[int, ...]) -> float:
        """Return the greatest turn between two steps of a path; 0 if there is one step at most."""
        return max((abs(relative(a, b)) for a, b in pairwise(self.courses(path))), default=0.0)

    def courses(self, path: tuple[int, ...]) -> list[float]:
        """Return the headings of the steps of a path."""
        return [self.course(a, b) for a, b in pairwise(path)]


def flat(a: Point | Floats, b: Point | Floats) -> float:
    """Return how far apart two points are, seen from above."""
    return math.hypot(float(a[0] - b[0]), float(a[1] - b[1]))


def case_of(item: NuanceItem, scan: str, instruction: str) -> Case:
    """Return an item as a case; its episode is that of the NavNuances file."""
    groups = {"category": item.category, "subset": item.subset, "pair": item.pair, "scene": scan}
    return Case(
        case_id=item.name,
        episode=Episode(
            episode_id=f"{item.name}_0",
            path_id=item.name,
            scan=scan,
            instruction=instruction,
            path=item.path,
            heading=item.heading,
            extra=item.fields,
        ),
        groups=groups | item.groups,
    )
