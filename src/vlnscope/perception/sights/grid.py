"""``grid:NAME``: a feature and a depth for each patch of the twelve level views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vlnscope.perception.features.grids import PatchGrid, grid_features_of
from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.perception.wire import array_from_wire


def _show(request: SightRequest) -> PatchGrid:
    return grid_features_of(f"grid:{request.argument}", request.root).of(request.scene, request.viewpoint)


def _from_wire(data: Mapping[str, Any]) -> PatchGrid:
    return PatchGrid(**{name: array_from_wire(part) for name, part in data.items()})


register_sight(
    SightKind(
        name="grid",
        summary="features and depths of the patches of twelve level views, 12 × n × n, from files",
        show=_show,
        argument="NAME",
        decode=_from_wire,
    )
)
