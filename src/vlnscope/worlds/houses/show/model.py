"""A house as a model for other programs: a glTF file that holds its light, with panes to look through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.show.cutaway import house_box
from vlnscope.worlds.houses.surroundings.stage import SURROUNDINGS
from vlnscope.worlds.rendering.light.bake import BakedLight
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, subset
from vlnscope.worlds.rendering.painted_glb import to_painted_glb
from vlnscope.worlds.rendering.texture_bake import painted_mesh
from vlnscope.worlds.scene import Scene

GARDEN = 12.0
"""Metres around a house that its model shows of what lies there."""
_GLASS = TEXTURES.index("glass")


def write_lit_model(scene: Scene, path: str | Path) -> None:
    """Write a house as GLB with its light baked into texture images.

    Blender, browsers (three.js, model-viewer) and Windows show it alike, without lamps of their own: the
    materials are unlit (``KHR_materials_unlit``). Panes let one see through. Mirrors and shiny floors show
    what is painted on them. Of what lies around the house, `GARDEN` metres are kept.

    Args:
        scene: a house.
        path: file to write.
    """
    light: BakedLight = scene.layer("light")
    kept = _near_faces(scene.layer("mesh"), scene.layer("plan"))
    mesh = subset(scene.layer("mesh"), kept)
    painted = painted_mesh(mesh, replace(light, frames=light.frames[kept]))
    to_painted_glb(painted, path, panes=mesh.texture == _GLASS)


def _near_faces(mesh: Mesh, plan: FloorPlan) -> NDArray[np.int64]:
    """Return the numbers of the faces of a house, and of those around it that are near."""
    box = house_box(plan)
    middle = mesh.vertices[mesh.faces].mean(axis=1)[:, :2]
    near = ((middle > box.low[:2] - GARDEN) & (middle < box.high[:2] + GARDEN)).all(axis=1)
    around = [number for number, name in enumerate(mesh.objects) if name == SURROUNDINGS]
    return np.flatnonzero(near | ~np.isin(mesh.instance, around))
