"""Maps of whole houses, made before anybody walks there: what ``known`` memories hold.

How IVLN's known maps were made is not published. Here somebody stands at each of some places, every viewpoint
of the house as a rule, and looks around; what is seen goes through the clean rule, its limits of height
included. So a known map holds what a patient walk would have put on an iterative one.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.perception.mapping.clouds import PointCloud
from vlnscope.perception.mapping.semantics import MapSemantics, TrueSemantics
from vlnscope.perception.mapping.unprojection import clean_unprojection
from vlnscope.perception.mapping.voxels import VoxelCloud
from vlnscope.worlds.cameras import CAMERAS, Camera, Stance
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in


def survey(
    scene: Scene,
    feet: ArrayLike,
    *,
    camera: Camera = CAMERAS["vlnce"]["depth"],
    semantics: MapSemantics | None = None,
) -> PointCloud:
    """Return what is seen from some places of a scene, all around, as a cloud of voxels.

    Args:
        scene: has a mesh.
        feet: where to stand, x, y, z in Habitat's frame, one row each; `projection.feet_of` gives those of
            all viewpoints.
        camera: what to look with.
        semantics: tells classes; the scene's own if not given.

    Raises:
        MissingLayerError: the scene has no mesh.
    """
    told = TrueSemantics(scene) if semantics is None else semantics
    around = replace(camera, count=math.ceil(360.0 / camera.hfov))
    unprojection, cloud = clean_unprojection(around), VoxelCloud()
    for x, y, z in np.atleast_2d(np.asarray(feet, dtype=np.float64)).tolist():
        seen = look_in(scene, around, [(x, y, z)])
        shape = (around.count, camera.height, camera.width)
        fraction = unprojection.fraction(seen.depth.reshape(shape))
        classes = told.classes(seen).reshape(shape)
        for view in range(around.count):
            stance = Stance((x, y, z), -view * math.tau / around.count)
            cloud.insert(unprojection.points(fraction[view], classes[view], stance))
    return cloud.points
