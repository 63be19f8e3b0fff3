"""``percept``: rooms, objects and captions of a viewpoint, as far as the scene has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.perception.sight import SightKind, register_sight
from vlnscope.perception.sights.captions import captions_of
from vlnscope.perception.sights.objects import objects_from_wire
from vlnscope.perception.sights.rooms import rooms_ahead, rooms_from_wire
from vlnscope.perception.wire import to_wire
from vlnscope.types import Percept, SeenObject, SeenRoom
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

Sense = Literal["rooms", "objects", "captions"]
SCENES_KEPT = 16
SENSES: tuple[Sense, ...] = ("rooms", "objects", "captions")


class CaptionSource(Protocol):
    """Something that knows captions, such as `vlnscope.perception.sights.captions.Captions`."""

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
        if "rooms" not in self.senses or not self.scene.has("regions"):
            return None
        regions = self.scene.regions
        return Regions({**dict.fromkeys(self.scene.graph.nodes), **regions.of}, regions.labels)

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
        return regions.label(self.viewpoint) if regions else None

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
        return rooms_ahead(self.shown.scene, regions, self.viewpoint) if regions else ()


class PlainPercept:
    """A percept of what is given: nothing is looked up.

    Args:
        room: label letter of the room that the viewpoint is in.
        rooms: the rooms of the neighbouring viewpoints.
        objects: the objects in sight.
        captions: a description per heading sector.
    """

    def __init__(
        self,
        room: str | None = None,
        rooms: Sequence[SeenRoom] = (),
        objects: Sequence[SeenObject] = (),
        captions: Sequence[str] = (),
    ) -> None:
        self._room, self._rooms, self._objects, self._captions = room, rooms, objects, captions

    def room(self) -> str | None:
        """Return the label letter of the room that the viewpoint is in."""
        return self._room

    def rooms(self) -> Sequence[SeenRoom]:
        """Return the rooms of the neighbouring viewpoints."""
        return self._rooms

    def objects(self) -> Sequence[SeenObject]:
        """Return the objects in sight."""
        return self._objects

    def captions(self) -> Sequence[str]:
        """Return a description per heading sector."""
        return self._captions


def percept_from_wire(data: Mapping[str, Any]) -> PlainPercept:
    """Return the percept that `percept_to_wire` wrote."""
    rooms, objects = rooms_from_wire(data["rooms"]), objects_from_wire(data["objects"])
    return PlainPercept(data["room"], rooms, objects, tuple(data["captions"]))


def percept_to_wire(percept: Percept) -> dict[str, Any]:
    """Return a percept as plain data."""
    return {part: to_wire(getattr(percept, part)()) for part in ("room", "rooms", "objects", "captions")}


@lru_cache(maxsize=SCENES_KEPT)
def _percepts(scene: Scene, root: Path | None) -> Mapping[str, Percept]:
    try:
        captions = captions_of(scene.id, root)
    except MissingLayerError:
        captions = None
    return scene_percepts(scene, captions)


register_sight(
    SightKind(
        name="percept",
        summary="rooms, objects and captions, as far as the scene has them, as Percept",
        show=lambda request: _percepts(request.scene, request.root)[request.viewpoint],
        encode=percept_to_wire,
        decode=percept_from_wire,
    )
)
