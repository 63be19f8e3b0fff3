"""What cameras see in a scene: its pictures, and what its surfaces are."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from vlnscope.worlds.cameras import Camera, Look, look
from vlnscope.worlds.scene import Scene

SEMANTICS = "semantics"
"""The layer of semantics that have a mesh of their own (`vlnscope.worlds.semantics`); houses have none."""


def look_in(
    scene: Scene, camera: Camera, positions: ArrayLike, yaws: ArrayLike = 0.0, pitches: ArrayLike = 0.0
) -> Look:
    """Return what many agents see in a scene; see `cameras.look`.

    Semantics are loaded, and rays cast at their mesh, only when `semantic` or `instance` is asked for.

    Raises:
        MissingLayerError: the scene has no mesh.
        InputError: something is not finite, or the numbers of positions and angles differ.
    """
    own = partial(scene.layer, SEMANTICS) if SEMANTICS in scene.loaders else None
    return look(scene.layer("renderer"), camera, positions, yaws, pitches, semantics=own)


def semantic_classes(scene: Scene) -> tuple[str, ...]:
    """Return the names of the classes that `Look.semantic` counts through in a scene."""
    if SEMANTICS in scene.loaders:
        named: tuple[str, ...] = scene.layer(SEMANTICS).classes
        return named
    classes: tuple[str, ...] = scene.layer("renderer").mesh.classes
    return classes
