"""Houses as scenes: everything that can be asked of one, derived from its plan."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from vlnscope.worlds.frames import turned_to_habitat
from vlnscope.worlds.houses.daylight import daylight_of, lamps_on, sky_of
from vlnscope.worlds.houses.furnish.furnish import furnish
from vlnscope.worlds.houses.graph.viewpoints import viewpoints
from vlnscope.worlds.houses.graph.visibility import visible_objects
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.mesh.house import house_mesh
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.surroundings.around import surrounded
from vlnscope.worlds.houses.version import GENERATOR_VERSION
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rendering.light.bake import BakedLight
from vlnscope.worlds.rendering.light.cache import cached_light
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.views import Views
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import LayerLoader, Scene

if TYPE_CHECKING:
    from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh


def generate(seed: int, id: str | None = None) -> FloorPlan:  # noqa: A002
    """Return the furnished house of a seed; the same seed always gives the same house.

    Args:
        seed: any integer.
        id: name of the house; ``house-`` and the seed in five digits if not given.
    """
    plan = furnish(layout(seed, id), seed)
    return msgspec.structs.replace(plan, generator=GENERATOR_VERSION, daylight=daylight_of(seed))


class HouseViews:
    """The pictures of a house, one panorama of 36 views per viewpoint."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def at(self, viewpoint: str, *, width: int = 640, height: int = 480, vfov: float = 60.0) -> Views:
        """Draw the panorama of a viewpoint: twelve headings looking down, level and up."""
        graph = self._scene.graph
        renderer: Renderer = self._scene.layer("renderer")
        position = graph.positions[graph.row(viewpoint)]
        return renderer.panorama(position, width=width, height=height, vfov=vfov)


def house_scene(plan: FloorPlan, *, cached: bool = True) -> Scene:
    """Return a house as a scene; `cached` says whether its navigation mesh and light are kept on disk.

    Its layers are those of a Matterport scan (``heights``, ``regions``, ``objects``) and, made when first
    asked for, ``plan``, ``mesh`` (with its surroundings), ``light``, ``renderer``, ``views`` (`HouseViews`)
    and ``navmesh`` (of the house on a bare lawn). The regions are numbered as the plan's rooms are.
    """
    graph, rooms, heights = viewpoints(plan)
    labels = {number: room.label for number, room in enumerate(plan.rooms)}
    loaders: dict[str, LayerLoader] = {}
    scene = Scene(plan.id, graph, loaders)
    loaders |= {
        "heights": lambda: heights,
        "regions": lambda: Regions(dict(zip(graph.nodes, rooms, strict=True)), labels),
        "objects": partial(_objects, scene),
        "plan": lambda: plan,
        "mesh": lambda: surrounded(plan, house_mesh(plan)),
        "light": partial(_light, scene, cached),
        "renderer": partial(_renderer, scene),
        "views": partial(HouseViews, scene),
        "navmesh": partial(_navmesh, scene, cached),
    }
    return scene


def _objects(scene: Scene) -> Objects:
    return visible_objects(scene.layer("plan"), scene.graph, _mesh(scene))


def _light(scene: Scene, cached: bool) -> BakedLight:
    plan: FloorPlan = scene.layer("plan")
    return cached_light(_mesh(scene), sky_of(plan), lamps_on(plan), cached=cached)


def _renderer(scene: Scene) -> Renderer:
    return Renderer(_mesh(scene), light=partial(scene.layer, "light"))


def _navmesh(scene: Scene, cached: bool) -> NavMesh:
    from vlnscope.worlds.continuous.bake.bake import bake  # slow to import, needed only in continuous space

    mesh = house_mesh(scene.layer("plan"))  # on a bare lawn: nobody walks in the gardens of neighbours
    return bake(turned_to_habitat(mesh.vertices), mesh.faces, cached=cached)


def _mesh(scene: Scene) -> Mesh:
    mesh: Mesh = scene.layer("mesh")
    return mesh
