"""``features:NAME``: one row of numbers per view, 36 × D."""

from __future__ import annotations

from vlnscope.perception.features.files import Rows, features_of
from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.perception.wire import array_from_wire


def _show(request: SightRequest) -> Rows:
    features = features_of(f"features:{request.argument}", request.root)
    return features.of(request.scene, request.viewpoint)


register_sight(
    SightKind(
        name="features",
        summary="one row of numbers per view, 36 × D, from a file or a feature store",
        show=_show,
        argument="NAME",
        decode=array_from_wire,
    )
)
