"""Grid features of houses: drawn, and encoded by the network that makes ``features:houses-views``.

Pictures are 56 × 56 pixels for 90° each way, about as fine as those that the network learned from, and its
last convolution tells of patches of 8 × 8 pixels: 7 × 7 patches of 96 numbers per view. The depth of a patch
is the mean over its pixels, as far as they see something; the renderer measures it.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import MissingLayerError, MissingPackageError
from vlnscope.perception.features.grids import HOUSES, KEPT, GridFeatures, PatchGrid
from vlnscope.worlds.graph.views import HEADINGS, VIEW_HEADINGS
from vlnscope.worlds.scene import Scene

SIDE = 7
"""Patches per side of a picture."""
PIXELS = 8
"""Pixels per side of a patch."""
WIDTH = 96
FULL_DEPTH = 10.0


class HouseGrids(GridFeatures):
    """Grid features of any house, made when they are asked for."""

    def __init__(self) -> None:
        self._made = lru_cache(maxsize=KEPT)(self._make)

    @property
    def width(self) -> int:
        """D: how many features each patch has."""
        return WIDTH

    def of(self, scene: Scene, viewpoint: str) -> PatchGrid:
        """Return what is seen from a viewpoint.

        Raises:
            MissingLayerError: the scene is no house.
        """
        if "plan" not in scene.loaders:
            raise MissingLayerError(
                f"scene {scene.id} has no grid features {HOUSES!r}, since it is no house",
                expected="a generated house, or one that was imported from a plan",
                fix="name a data set such as houses/val_unseen, or features that cover this scene",
            )
        return self._made(scene, viewpoint)

    def _make(self, scene: Scene, viewpoint: str) -> PatchGrid:
        from vlnscope.perception.features.house_tower import encode_patches

        views = scene.layer("renderer").render(
            scene.graph.positions[scene.graph.row(viewpoint)],
            VIEW_HEADINGS[:HEADINGS],
            0.0,
            width=SIDE * PIXELS,
            height=SIDE * PIXELS,
            vfov=90.0,
            supersample=2,
        )
        grid = PatchGrid(encode_patches(self._tower, views.rgb).astype(np.float16), patch_depths(views.depth))
        for array in grid:
            array.setflags(write=False)
        return grid

    @cached_property
    def _tower(self) -> Any:
        try:
            import torch as torch
        except ImportError:
            raise MissingPackageError("torch", "learn", f"the grid features {HOUSES!r} need") from None
        from vlnscope.perception.features.house_tower import load_tower
        from vlnscope.perception.features.stores.houses_views import encoder_file

        return load_tower(encoder_file())


def patch_depths(metres: NDArray[np.float32]) -> NDArray[np.float32]:
    """(k, n, n) depths of patches of pixels (k, 8 n, 8 n), in tens of metres.

    What is farther than ten metres counts as ten; the sky does not count, and a patch of nothing else has 0.
    """
    count, height, width = metres.shape
    blocks = metres.reshape(count, height // PIXELS, PIXELS, width // PIXELS, PIXELS)
    solid = np.isfinite(blocks)
    near = np.where(solid, np.minimum(blocks / FULL_DEPTH, 1.0), 0.0).sum((2, 4))
    return np.asarray(near / np.maximum(solid.sum((2, 4)), 1), dtype=np.float32)
