"""Scenes: a navigation graph with optional layers, the same for Matterport scans and generated houses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.types import Candidate, Floats
from vlnscope.worlds.graph.candidates import candidates_of
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions

LayerLoader = Callable[[], Any]


@dataclass(frozen=True, eq=False)
class Scene:
    """A place to navigate in.

    Attributes:
        id: name of the scene.
        graph: its viewpoints and how they are joined.
        loaders: makes each layer that the scene may have, when it is first asked for. A loader that
            finds its file missing raises `MissingLayerError` and says which file that is.

    Layers that have a name here are ``heights``, ``regions`` and ``objects``; any other can be added and is
    asked for with `layer`.

    Example:
        >>> graph = NavGraph.build(["a"], [[0, 0, 1.5]], [])
        >>> scene = Scene("flat", graph, {"regions": lambda: Regions({"a": 0}, {0: "k"})})
        >>> scene.regions.name("a"), scene.has("regions"), scene.has("objects")
        ('kitchen', True, False)
    """

    id: str
    graph: NavGraph
    loaders: Mapping[str, LayerLoader] = field(default_factory=dict, repr=False)
    _loaded: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def heights(self) -> Floats:
        """Height of the camera above the floor at each node of the graph."""
        return cast(Floats, self.layer("heights"))

    @property
    def regions(self) -> Regions:
        """The room that each viewpoint is in."""
        return cast(Regions, self.layer("regions"))

    @property
    def objects(self) -> Objects:
        """The objects in sight of each viewpoint."""
        return cast(Objects, self.layer("objects"))

    def candidates(self, viewpoint: str) -> tuple[Candidate, ...]:
        """Return where an agent can go from `viewpoint`, in MatterSim's order."""
        return candidates_of(self.graph, viewpoint)

    def has(self, name: str) -> bool:
        """Return whether the scene has a layer (and load it)."""
        try:
            self.layer(name)
        except MissingLayerError:
            return False
        return True

    def layer(self, name: str) -> Any:
        """Return a layer, made on first use.

        Raises:
            MissingLayerError: the scene does not have it.
        """
        if name not in self._loaded:
            if name not in self.loaders:
                raise MissingLayerError(
                    f"scene {self.id} has no layer {name!r}",
                    expected=f"one of {', '.join(sorted(self.loaders))}"
                    if self.loaders
                    else "no layer: the scene is only a graph",
                    fix="open the scene from a data folder that holds the layer's files (--root DIR)",
                )
            self._loaded[name] = self.loaders[name]()
        return self._loaded[name]


class Scenes(Protocol):
    """A collection of scenes, e.g. the scans of a data folder."""

    def scans(self) -> tuple[str, ...]:
        """Return the ids of all scenes, sorted."""

    def scene(self, scan: str) -> Scene:
        """Return a scene by id; an unknown id is an error that suggests the nearest."""
