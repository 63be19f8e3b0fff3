"""Where a map's classes come from: the simulator's own semantics, or a segmenter that looks at pictures."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.mapping.classes import scene_table
from vlnscope.perception.mapping.unprojection import map_classes
from vlnscope.worlds.cameras import Look
from vlnscope.worlds.scene import Scene


class Segmenter(Protocol):
    """Tells the class of each pixel from pictures alone, as RedNet does for MAP-CMA."""

    def __call__(self, rgb: NDArray[np.uint8], depth: NDArray[np.float32], /) -> NDArray[np.integer]:
        """Return classes of pixels.

        Args:
            rgb: colours 0-255, (n, height, width, 3); they may have another size than depth.
            depth: as the depth camera gives it, (n, height, width, 1).

        Returns:
            A number below 13 (`classes.CLASSES`) for each pixel of the depth, (n, height, width).
        """


class MapSemantics(Protocol):
    """Tells the class of each pixel of what agents see."""

    def classes(self, seen: Look) -> NDArray[np.uint8]:
        """Return the class of each pixel, in the shape of `Look.metres`."""


class TrueSemantics:
    """The simulator's own semantics of a scene; the table from its objects to classes is made once."""

    def __init__(self, scene: Scene) -> None:
        self._numbers_in, self._table = scene_table(scene)

    def classes(self, seen: Look) -> NDArray[np.uint8]:
        """Return the class of each pixel, in the shape of `Look.metres`."""
        numbers: NDArray[np.int32] = getattr(seen, self._numbers_in)
        return self._table[numbers]


class InferredSemantics(NamedTuple):
    """What a segmenter makes of the pictures of an agent.

    Attributes:
        segmenter: looks at them.
    """

    segmenter: Segmenter

    def classes(self, seen: Look) -> NDArray[np.uint8]:
        """Return the class of each pixel, in the shape of `Look.metres`.

        Raises:
            InputError: the segmenter answers with something else than a class for each pixel.
        """
        shape = seen.metres.shape
        size = shape[-2:]
        rgb, depth = seen.rgb.reshape(-1, *size, 3), seen.depth.reshape(-1, *size, 1)
        return map_classes(self.segmenter(rgb, depth), depth.shape[:3]).reshape(shape)
