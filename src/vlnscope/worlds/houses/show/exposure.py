"""Exposure as a photographer chooses it: for each picture the one at which little is black or burnt out.

Agents see all views of a house at one exposure. Pictures for people may have their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.renderer import Renderer

STOPS = (11.0, 8.0, 5.6, 4.0, 2.8, 2.0, 1.4, 1.0, 0.7, 0.5, 0.35, 0.25, 0.17)
"""Exposures that are tried, times the usual one."""
_MEAN = 0.6
_LOYAL = 0.035
_BURNT, _DARK = 245, 12


def well_exposed(renderer: Renderer, shot: Callable[[Renderer], NDArray[Any]]) -> Renderer:
    """Return the renderer at the exposure that suits a picture best.

    Of two that suit alike, the nearer to the usual one is taken, so that evening stays evening.

    Args:
        renderer: draws the house.
        shot: draws the picture in small and returns the pixels that count, (n, 3) or (height, width, 3).
    """
    faults = {stop: _fault(shot(renderer.exposed(stop))) + _LOYAL * abs(math.log2(stop)) for stop in STOPS}
    return renderer.exposed(min(faults, key=lambda stop: faults[stop]))


def _fault(pixels: NDArray[Any]) -> float:
    """Return how far from well exposed pixels are: in the mean, and by what is burnt out or black."""
    if not pixels.size:
        return 0.0
    grey = pixels.reshape(-1, 3).astype(np.float64) @ np.array([0.3, 0.6, 0.1])
    off = abs(float(grey.mean()) / 255.0 - _MEAN)
    return off + 0.3 * float((grey >= _BURNT).mean()) + 0.3 * float((grey <= _DARK).mean())
