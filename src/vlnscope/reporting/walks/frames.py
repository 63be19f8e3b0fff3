"""What an agent saw on its walk: first-person pictures, as the cameras of VLN-CE take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from PIL import Image

from vlnscope.worlds.cameras import CAMERAS, DEFAULT, Camera, look
from vlnscope.worlds.frames import yaw_of_heading
from vlnscope.worlds.maps.walks import MapWalk
from vlnscope.worlds.rendering.images import depth_picture
from vlnscope.worlds.scene import Scene

Shown = Literal["rgb", "depth"]
CAMERA = CAMERAS[DEFAULT]["rgb"]
"""VLN-CE's camera."""
EYES = 1.5
"""Metres above the floor from which graphs are seen."""
_FINE = 2
_AT_ONCE = 8


def can_see(scene: Scene) -> bool:
    """Say whether pictures can be taken in a scene."""
    return "renderer" in scene.loaders and scene.has("renderer")


def frames(
    scene: Scene,
    walk: MapWalk,
    at: Sequence[int],
    *,
    camera: Camera = CAMERA,
    size: int | None = None,
    shows: Shown = "rgb",
) -> list[Image.Image]:
    """Return what was seen at some positions of a walk.

    Args:
        scene: has a mesh.
        walk: says where the agent stood and looked; where that is not known, north is shown.
        at: numbers of positions.
        camera: its first view is shown.
        size: width of the pictures in pixels; the camera's own if not given.
        shows: ``rgb``, or ``depth``, which is light where things are near.
    """
    width = size or camera.width
    height = max(1, round(width * camera.height / camera.width))
    taken = replace(camera, width=_FINE * width, height=_FINE * height, count=1)
    if walk.on_graph:
        taken = replace(taken, sensor_height=EYES)
    draw = partial(_frames, scene, walk, camera=taken, shows=shows)
    parts = [at[k : k + _AT_ONCE] for k in range(0, len(at), _AT_ONCE)]
    return [picture.resize((width, height), Image.Resampling.BOX) for part in parts for picture in draw(part)]


def _frames(
    scene: Scene, walk: MapWalk, at: Sequence[int], *, camera: Camera, shows: Shown
) -> list[Image.Image]:
    positions = np.array([walk.positions[k] for k in at])
    yaws = np.array([yaw_of_heading(walk.heading(k) or 0.0) for k in at])
    seen = look(scene.layer("renderer"), camera, positions, yaws)
    pictures = seen.rgb if shows == "rgb" else [depth_picture(metres) for metres in seen.metres]
    return [Image.fromarray(picture) for picture in pictures]
