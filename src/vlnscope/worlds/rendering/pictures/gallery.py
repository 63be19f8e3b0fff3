"""Pictures by kind and seed, drawn when their pixels are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.rendering.appearance import CLAMP, TextureImage

PAINTINGS = (
    *("landscape", "mountains", "forest", "seascape", "city", "photograph", "abstract", "colour fields"),
    *("geometric", "circles", "botanical", "still life", "portrait", "map", "poster", "stripes"),
)
"""Kinds of pictures that hang on walls."""
RUGS = ("persian", "kilim", "striped rug", "shag", "bordered rug", "trellis", "rings")
"""Kinds of rugs."""
SCREENS = ("desktop", "code", "document", "film")
"""What screens show."""
KINDS = (*PAINTINGS, *RUGS, *SCREENS, "spines", "clock face", "scribbles", "newspaper", "keyboard")
"""All kinds of pictures."""
CUTS = (
    *(0.0, 0.045, 0.085, 0.15, 0.19, 0.24, 0.275, 0.345, 0.39, 0.43, 0.495, 0.535, 0.59, 0.63, 0.67),
    *(0.73, 0.785, 0.82, 0.885, 0.935, 1.0),
)
"""Where the books in a picture ``spines`` begin and end."""
_PER_METRE, _LEAST, _MOST, _SHORTEST = 180, 48, 176, 24


class DrawnImage(TextureImage):
    """A lit picture that is drawn when it is first looked at; equal arguments give equal pixels.

    Args:
        kind: one of `KINDS`.
        seed: chance.
        width: in pixels.
        height: in pixels.
        colour: the main colour of what has one (rugs, clocks); pictures of all else have their own.
    """

    def __init__(
        self, kind: str, seed: str | int, width: int, height: int, colour: tuple[int, int, int]
    ) -> None:
        self.__dict__ |= {"wrap": (CLAMP, CLAMP), "lit": True, "recipe": (kind, seed, width, height, colour)}

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """(height, width, 3), 0-255, top row first."""
        from vlnscope.worlds.rendering.pictures import (  # noqa: F401
            abstracts,
            prints,
            rugs,
            scenery,
            screens,
            spines,
        )
        from vlnscope.worlds.rendering.pictures.motif import MOTIFS

        kind, seed, width, height, colour = self.__dict__["recipe"]
        return MOTIFS[kind](rng_for(0, "picture", kind, seed), width, height, colour)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return DrawnImage, self.__dict__["recipe"]


@lru_cache(maxsize=512)
def picture(
    kind: str,
    seed: str | int,
    width: float,
    height: float,
    colour: tuple[int, int, int] = (128, 128, 128),
    longest: int | None = None,
) -> DrawnImage:
    """Return a picture of this width and height in metres.

    Its longer side has `longest` pixels; if not given, 180 per metre, but at least 48 and at most 176.

    Raises:
        UnknownNameError: there is no such kind.
    """
    if kind not in KINDS:
        raise UnknownNameError("picture", kind, KINDS)
    pixels = longest or min(_MOST, max(_LEAST, round(_PER_METRE * max(width, height))))
    share = pixels / max(width, height)
    wide, tall = (max(_SHORTEST, 4 * round(side * share / 4)) for side in (width, height))
    return DrawnImage(kind, seed, wide, tall, colour)
