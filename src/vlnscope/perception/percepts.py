"""Percepts of a scene: what its layers show from each viewpoint, looked up when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

from vlnscope.types import Percept, SeenObject, SeenRoom
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

Sense = Literal["rooms", "objects", "captions"]
SENSES: tuple[Sense, ...] = ("rooms", "objects", "captions")


class CaptionSource(Protocol):
    """Something that knows captions, such as `vlnscope.perception.captions.Captions`."""

    def at(self, viewpoint: str) -> tuple[str, ...]:
        """Return the captions of a viewpoint per heading sector; nothing if it has none."""


def scene_percepts(
    scene: Scene, captions: CaptionSource | None = None, *, senses: Collection[Sense] = SENSES
) -> Mapping[str, Percept]:
    """Return what can be seen from each viewpoint of a scene.

    A layer that the scene lacks shows nothing, as if it were not among the `senses`.

    Args:
        scene: a Matterport scan or a house.
        captions: captions of its viewpoints, if there are any.
        senses: what may be seen: an agent that must not know rooms, say, is shown none.

    Example:
        >>> from vlnscope.worlds.graph.navgraph import NavGraph
        >>> graph = NavGraph.build(["a", "b"], [[0, 0, 1.5], [0, 3, 1.5]], [("a", "b")])
        >>> scene = Scene("flat", graph, {"regions": lambda: Regions({"a": 0, "b": 1}, {0: "k", 1: "h"})})
        >>> seen = scene_percepts(scene)
        >>> seen["a"].room(), seen["a"].rooms(), seen["a"].objects()
        ('k', (SeenRoom(label='h', heading=0.0, distance=3.0),), ())
    """
    return _ScenePercepts(scene, captions, frozenset(senses))


@dataclass(frozen=True, eq=False)
class _ScenePercepts(Mapping[str, Percept]):
    scene: Scene
    caption_source: CaptionSource | None
    senses: frozenset[str]
    _made: dict[str, Percept] = field(default_factory=dict, init=False, repr=False)

    def __getitem__(self, viewpoint: str) -> Percept:
        if viewpoint not in self.scene.graph.index:
            raise KeyError(viewpoint)
        if viewpoint not in self._made:
            self._made[viewpoint] = _ScenePercept(self, viewpoint)
        return self._made[viewpoint]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scene.graph.nodes)

    def __len__(self) -> int:
        return len(self.scene.graph.nodes)

    @cached_property
    def regions(self) -> Regions | None:
        return self.scene.regions if "rooms" in self.senses and self.scene.has("regions") else None

    @cached_property
    def objects(self) -> Objects | None:
        return self.scene.objects if "objects" in self.senses and self.scene.has("objects") else None

    @cached_property
    def captions(self) -> CaptionSource | None:
        return self.caption_source if "captions" in self.senses else None


@dataclass(frozen=True, eq=False)
class _ScenePercept:
    shown: _ScenePercepts
    viewpoint: str

    def room(self) -> str | None:
        regions = self.shown.regions
        return regions.label(self.viewpoint) if regions and self.viewpoint in regions.of else None

    def rooms(self) -> tuple[SeenRoom, ...]:
        return self._rooms

    def objects(self) -> tuple[SeenObject, ...]:
        objects = self.shown.objects
        return objects.seen.get(self.viewpoint, ()) if objects else ()

    def captions(self) -> tuple[str, ...]:
        captions = self.shown.captions
        return captions.at(self.viewpoint) if captions else ()

    @cached_property
    def _rooms(self) -> tuple[SeenRoom, ...]:
        regions = self.shown.regions
        if regions is None:
            return ()
        found = []
        for candidate in self.shown.scene.candidates(self.viewpoint):
            label = regions.label(candidate.viewpoint) if candidate.viewpoint in regions.of else None
            if label is not None:
                found.append(SeenRoom(label, wrap_heading(candidate.heading), candidate.distance))
        return tuple(found)
