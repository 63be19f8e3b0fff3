"""Colours as screens show them and the amounts of light that they stand for (sRGB)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats


def to_linear(shown: Floats) -> Floats:
    """Turn colours as screens show them (0-1) into amounts of light."""
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)


def to_screen(linear: Floats) -> Floats:
    """Turn amounts of light (0-1) into colours as screens show them."""
    bright = 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, linear * 12.92, bright)


def bytes_to_linear(colour: NDArray[np.uint8]) -> Floats:
    """Turn colours as screens show them (0-255) into amounts of light (0-1)."""
    return np.asarray(to_linear(np.arange(256) / 255.0)[colour])
