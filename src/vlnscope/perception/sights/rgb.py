"""``rgb``: what the camera of an agent sees, in colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.perception.wire import array_from_wire
from vlnscope.worlds.cameras import Camera, Look, camera_of
from vlnscope.worlds.frames import turned_to_habitat
from vlnscope.worlds.scene_looks import look_in


def look_of(request: SightRequest, camera: Camera) -> Look:
    """Return what the camera of the agent sees; sights of one observation that share it draw it once.

    An agent that stands at a viewpoint has its camera there, at the viewpoint's own height, and looks along
    heading 0.
    """
    drawn = {} if request.drawn is None else request.drawn
    key = ("look", camera.views)
    if key not in drawn:
        if request.stance is None:
            graph = request.scene.graph
            foot = turned_to_habitat(graph.positions[graph.row(request.viewpoint)])
            stance = (foot - np.array([0.0, camera.sensor_height, 0.0]), 0.0, 0.0)
        else:
            stance = request.stance
        drawn[key] = look_in(request.scene, camera, *stance)
    seen: Look = drawn[key]
    return seen


def _show(request: SightRequest) -> NDArray[np.uint8]:
    return np.asarray(look_of(request, camera_of(request.argument, "rgb")).rgb[0])


register_sight(
    SightKind(
        name="rgb",
        summary="what the agent's camera sees: colours 0-255, H × W × 3 (with count=N: N × H × W × 3)",
        show=_show,
        layers=("renderer",),
        argument="CAMERA",
        optional=True,
        check=lambda argument: camera_of(argument, "rgb"),
        decode=array_from_wire,
    )
)
