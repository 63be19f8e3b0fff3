"""The 36 views into which MatterSim cuts a panorama: twelve headings, looking down, level and up.

View ``12 * level + k`` looks at heading ``k * 30°`` (0 is +y, clockwise) and elevation ``(level - 1) * 30°``.
"""

from __future__ import annotations

import math

import numpy as np

from vlnscope.types import Floats

HEADINGS = 12
LEVELS = 3
VIEWS = HEADINGS * LEVELS
STEP = math.tau / HEADINGS
VIEW_HEADINGS: Floats = np.tile(np.arange(HEADINGS) * STEP, LEVELS)
VIEW_ELEVATIONS: Floats = np.repeat(np.array([-STEP, 0.0, STEP]), HEADINGS)


def wrap_heading(heading: float) -> float:
    """Return the same direction in [0, 2π)."""
    wrapped = heading % math.tau
    return 0.0 if wrapped == math.tau else wrapped


def snap_heading(heading: float) -> float:
    """Return the nearest multiple of 30° in [0, 2π); halves go up, as in MatterSim.

    Example:
        >>> [round(math.degrees(snap_heading(math.radians(h)))) for h in (14.9, 15.1, 350, -20)]
        [0, 30, 0, 330]
    """
    return _heading_step(heading) * STEP


def view_index(heading: float, elevation: float = 0.0) -> int:
    """Return the view that looks at `heading` and `elevation` most closely.

    More than 15° down is the lower ring, more than 15° up the upper one.

    Example:
        >>> view_index(math.radians(95), math.radians(-20)), view_index(math.radians(95))
        (3, 15)
    """
    level = 1 + int(elevation > STEP / 2) - int(elevation < -STEP / 2)
    return HEADINGS * level + _heading_step(heading)


def _heading_step(heading: float) -> int:
    return math.floor(wrap_heading(heading) / STEP + 0.5) % HEADINGS
