"""Scenes from mesh files: any building as GLB, PLY or OBJ, with Habitat's navigation mesh or our own.

A folder holds ``SCAN/SCAN.glb`` (or ``SCAN.glb``), as Habitat's scene datasets do, and beside it, perhaps,
``SCAN.navmesh``, and semantics: ``SCAN.semantic.glb`` with ``SCAN.semantic.txt`` as HM3D has them, or
``SCAN_semantic.ply`` with ``SCAN.house`` as MP3D has them. Where a data folder has the graph of the scan too,
its viewpoints, rooms and objects belong to the same scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.types import Floats
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.frames import turned_to_habitat, turned_to_mattersim
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import LayerLoader, Scene
from vlnscope.worlds.scene_looks import SEMANTICS
from vlnscope.worlds.semantics.files import SEMANTIC_ENDINGS, load_semantics

if TYPE_CHECKING:
    from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
    from vlnscope.worlds.rendering.mesh import Mesh
    from vlnscope.worlds.rendering.renderer import Renderer

USUAL = NavMeshSettings()
"""Whom the ``.navmesh`` files of Habitat's scenes are baked for: VLN-CE's agent."""
MESHES = (".glb", ".ply", ".obj")
NAVMESH = ".navmesh"
COMPRESSED = ".basis"
"""What HM3D writes behind the name of a scan whose textures are compressed."""


class MeshScenes:
    """The buildings of a folder.

    Args:
        folder: holds ``SCAN/SCAN.glb`` or ``SCAN.glb``; also ``.ply``, ``.obj``, or ``.navmesh`` alone.
        root: the data folder, in which graphs of the scans are looked for; None if there is none.
        agent: whom the ground is for; as in Habitat, a ``.navmesh`` is read only for one of the usual size.
    """

    def __init__(self, folder: str | Path, root: Path | None = None, agent: NavMeshSettings = USUAL) -> None:
        self._folder = Path(folder)
        self._agent = agent
        self._graphs = MatterportScenes(root) if root is not None else None
        self._scenes: dict[str, Scene] = {}
        if not self._folder.is_dir():
            raise DataNotFoundError(
                f"{self._folder} is no folder",
                expected="a folder with SCAN/SCAN.glb and SCAN/SCAN.navmesh",
                fix="name the folder of the scenes with --scenes DIR",
            )

    def scans(self) -> tuple[str, ...]:
        """Return the ids of all buildings, sorted."""
        return tuple(sorted(self._files))

    def scene(self, scan: str) -> Scene:
        """Return a building by its id; the same object every time.

        Raises:
            DataNotFoundError: the folder has no such building.
        """
        if scan not in self._files:
            raise DataNotFoundError(
                UnknownNameError("scene", scan, self.scans()).what,
                expected=f"{self._folder / scan / scan}.glb, .ply, .obj or .navmesh",
                fix="put the files of the scene there, or name another folder with --scenes DIR",
            )
        if scan not in self._scenes:
            self._scenes[scan] = self._made(scan, self._files[scan])
        return self._scenes[scan]

    @cached_property
    def _files(self) -> dict[str, dict[str, Path]]:
        """The files of each building by their endings."""
        files: dict[str, dict[str, Path]] = {}
        paths = sorted([*self._folder.glob("*"), *self._folder.glob("*/*")])
        for path in sorted(paths, key=lambda path: len(path.name)):  # SCAN.glb before SCAN.basis.glb
            scan, ending = _named(path.name)
            here = path.parent == self._folder or path.parent.name.endswith(scan)
            if ending and here and path.is_file():
                files.setdefault(scan, {}).setdefault(ending, path)
        return {scan: own for scan, own in files.items() if {*own} & {*MESHES, NAVMESH}}

    def _made(self, scan: str, files: Mapping[str, Path]) -> Scene:
        graph, loaders = self._graph(scan)
        scene = Scene(scan, graph, loaders)
        mesh = next((files[kind] for kind in MESHES if kind in files), None)
        if mesh is not None:
            loaders["mesh"] = partial(_mesh, mesh, files.get(NAVMESH))
            loaders["renderer"] = partial(_renderer, scene)
            named = {ending: path for ending, path in files.items() if ending in SEMANTIC_ENDINGS}
            if named:
                loaders[SEMANTICS] = partial(load_semantics, scan, named, partial(scene.layer, "mesh"))
        loaders["navmesh"] = partial(_navmesh, scene, files.get(NAVMESH), self._agent)
        return scene

    def _graph(self, scan: str) -> tuple[NavGraph, dict[str, LayerLoader]]:
        if self._graphs is not None:
            with suppress(DataNotFoundError):
                scene = self._graphs.scene(scan)
                return scene.graph, dict(scene.loaders)
        return NavGraph.build([], [], []), {}


def _named(name: str) -> tuple[str, str]:
    """Return which scan a file belongs to, and the ending that says what it is; empty for other files."""
    for ending in SEMANTIC_ENDINGS:
        if name.endswith(ending):
            return name.removesuffix(ending), ending
    stem, suffix = Path(name).stem, Path(name).suffix.lower()
    return stem.removesuffix(COMPRESSED), suffix if suffix in (*MESHES, NAVMESH) else ""


def _mesh(path: Path, navmesh: Path | None) -> Mesh:
    """Read a mesh, turned the way its navigation mesh lies: files do not say which of their axes is up."""
    from vlnscope.worlds.rendering.mesh_files import load_mesh

    mesh = load_mesh(path)
    if navmesh is None:
        return mesh
    low, high = _read(navmesh).bounds
    ways = (mesh.vertices, turned_to_habitat(mesh.vertices), turned_to_mattersim(mesh.vertices))
    return replace(mesh, vertices=max(ways, key=lambda way: _overlap(turned_to_habitat(way), low, high)))


def _overlap(points: Floats, low: Floats, high: Floats) -> float:
    shared = np.minimum(points.max(axis=0), high) - np.maximum(points.min(axis=0), low)
    return float(np.prod(np.maximum(shared, 0.0)))


def _renderer(scene: Scene) -> Renderer:
    from vlnscope.worlds.rendering.renderer import Renderer

    return Renderer(scene.layer("mesh"))


def _navmesh(scene: Scene, path: Path | None, agent: NavMeshSettings) -> NavMesh:
    if path is not None and is_usual(agent):
        return _read(path)
    return baked_for(scene, agent)


def is_usual(agent: NavMeshSettings) -> bool:
    """Say whether an agent is as large as Habitat's files are baked for; as there, only its size counts."""
    return (agent.agent_height, agent.agent_radius) == (USUAL.agent_height, USUAL.agent_radius)


def baked_for(scene: Scene, agent: NavMeshSettings) -> NavMesh:
    """Return the ground of a scene for an agent, baked from the scene's triangles.

    Raises:
        InputError: nobody can walk on its mesh; the error names the scene.
    """
    from vlnscope.worlds.continuous.bake.bake import bake  # slow to import

    mesh: Mesh = scene.layer("mesh")
    try:
        return bake(turned_to_habitat(mesh.vertices), mesh.faces, agent)
    except InputError as error:
        what = f"scene {scene.id}: {error.what}"
        raise InputError(what, expected=error.expected, fix=error.fix) from None


def _read(path: Path) -> NavMesh:
    from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh

    return NavMesh.read(path)
