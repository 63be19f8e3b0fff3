"""``views``: the panorama of a viewpoint as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vlnscope.perception.sight import SightKind, register_sight
from vlnscope.perception.wire import array_from_wire
from vlnscope.worlds.scene import Scene

if TYPE_CHECKING:
    from vlnscope.worlds.rendering.views import Views

VIEWS_KEPT = 2  # 166 MB each


@lru_cache(maxsize=VIEWS_KEPT)
def _views(scene: Scene, viewpoint: str) -> Any:
    return scene.layer("views").at(viewpoint)


def _from_wire(data: Mapping[str, Any]) -> Views:
    from vlnscope.worlds.rendering.views import Views  # slow to import, needed only by those who see

    arrays = {name: array_from_wire(part) for name, part in data.items() if name != "vfov"}
    return Views(**arrays, vfov=data["vfov"])


register_sight(
    SightKind(
        name="views",
        summary="the panorama as pictures, as worlds.rendering.renderer.Views (houses only)",
        show=lambda request: _views(request.scene, request.viewpoint),
        layers=("views",),
        decode=_from_wire,
    )
)
