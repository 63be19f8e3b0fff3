"""What a panorama shows but for its colours, for which light would have to be baked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS
from vlnscope.worlds.rendering.pinhole import camera_axes
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.views import Surfaces


def panorama_surfaces(renderer: Renderer, position: ArrayLike, *, width: int, height: int) -> Surfaces:
    """Return the surfaces in the 36 views that `Renderer.panorama` draws."""
    axes = camera_axes(VIEW_HEADINGS, VIEW_ELEVATIONS)
    places = np.tile(np.asarray(position, dtype=np.float64), (len(axes), 1))
    return renderer.measure_axes(places, axes, width=width, height=height, vfov=60.0)
