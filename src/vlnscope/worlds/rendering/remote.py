"""How far faces are from where most of a mesh is, so that little is spent on what is only seen from afar."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats

_MOST = (0.15, 0.85)
_GROWN = 0.2


def remoteness(corners: Floats) -> Floats:
    """Return metres between the middle of each face and the box that holds most of the mesh; 0 within it.

    The box holds the middle 70 % of all faces along each axis, and a fifth of its width more to every side:
    of a house in its surroundings, the house.

    Args:
        corners: of the faces, (n, 3, 3).
    """
    if not len(corners):
        return np.zeros(0)
    centres = corners.mean(axis=1)
    low, high = np.quantile(centres, _MOST, axis=0)
    grown = _GROWN * (high - low)
    beyond = np.maximum(np.maximum(low - grown - centres, centres - high - grown), 0.0)
    return np.asarray(np.sqrt((beyond * beyond).sum(axis=1)))
