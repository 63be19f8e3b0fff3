"""``depth``: how far what the camera of an agent sees is along its view axis, as Habitat gives it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.perception.sights.rgb import look_of
from vlnscope.perception.wire import array_from_wire
from vlnscope.worlds.cameras import camera_of


def _show(request: SightRequest) -> NDArray[np.float32]:
    camera = camera_of(request.argument, "depth")
    return camera.depth_of(look_of(request, camera).metres[0])[..., None]


register_sight(
    SightKind(
        name="depth",
        summary="depth along the view axis: 0-1 (or metres), H × W × 1; where there is nothing, 0",
        show=_show,
        layers=("renderer",),
        argument="CAMERA",
        optional=True,
        check=lambda argument: camera_of(argument, "depth"),
        decode=array_from_wire,
    )
)
