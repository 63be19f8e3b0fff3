"""Who draws which kind of picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Motif = Callable[[np.random.Generator, int, int, tuple[int, int, int]], NDArray[np.uint8]]

MOTIFS: dict[str, Motif] = {}
"""What draws each kind of picture, given chance, width and height in pixels, and a main colour."""


def motif(name: str) -> Callable[[Motif], Motif]:
    """Register a function that draws a kind of picture."""

    def register(draw: Motif) -> Motif:
        MOTIFS[name] = draw
        return draw

    return register
