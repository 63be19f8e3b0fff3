"""The sight `compass`: which neighbouring junction lies in which direction."""

from __future__ import annotations

from vlnscope.perception.sight import SightKind, SightRequest
from vlnscope_gridtown.town import DIRECTIONS, coordinates, junction


def _look(request: SightRequest) -> dict[str, str]:
    x, y = coordinates(request.viewpoint)
    neighbours = {candidate.viewpoint for candidate in request.scene.candidates(request.viewpoint)}
    seen = {name: junction(x + dx, y + dy) for name, (dx, dy) in DIRECTIONS.items()}
    return {name: viewpoint for name, viewpoint in seen.items() if viewpoint in neighbours}


COMPASS = SightKind(name="compass", summary="the junction in each direction", show=_look)
