"""A house as a model for other programs: a glTF file that holds its light, with panes to look through."""

from __future__ import annotations

from pathlib import Path

from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh
from vlnscope.worlds.rendering.painted_glb import to_painted_glb
from vlnscope.worlds.rendering.texture_bake import painted_mesh
from vlnscope.worlds.scene import Scene

_GLASS = TEXTURES.index("glass")


def write_lit_model(scene: Scene, path: str | Path) -> None:
    """Write a house as GLB with its light baked into texture images.

    Blender, browsers (three.js, model-viewer) and Windows show it alike, without lamps of their own: the
    materials are unlit (``KHR_materials_unlit``). Panes let one see through. Mirrors and shiny floors show
    what is painted on them.

    Args:
        scene: a house.
        path: file to write.
    """
    mesh: Mesh = scene.layer("mesh")
    to_painted_glb(painted_mesh(mesh, scene.layer("light")), path, panes=mesh.texture == _GLASS)
