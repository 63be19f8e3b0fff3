"""``semantic``: the class of what each pixel sees, and ``semantic-classes``: what the classes are called."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.perception.sights.rgb import look_of
from vlnscope.perception.wire import array_from_wire
from vlnscope.worlds.cameras import camera_of
from vlnscope.worlds.scene_looks import semantic_classes


def _show(request: SightRequest) -> NDArray[np.int32]:
    return np.asarray(look_of(request, camera_of(request.argument, "semantic")).semantic[0])


def _classes(request: SightRequest) -> tuple[str, ...]:
    return semantic_classes(request.scene)


register_sight(
    SightKind(
        name="semantic",
        summary="class of what each pixel sees, H × W: an index into semantic-classes, -1 for nothing",
        show=_show,
        layers=("renderer",),
        argument="CAMERA",
        optional=True,
        check=lambda argument: camera_of(argument, "semantic"),
        decode=array_from_wire,
    )
)
register_sight(
    SightKind(
        name="semantic-classes",
        summary="names of the classes that semantic counts through",
        show=_classes,
        layers=("renderer",),
        decode=tuple,
    )
)
