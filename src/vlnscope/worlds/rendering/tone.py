"""From linear light to the bytes of a picture; a film-like curve that keeps bright windows in range."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.glb import to_screen

_BRIGHTEST = 16.0
_STEPS = 4096
_SHOULDER = 0.55
_ENOUGH = 6.0


def compressed(light: ArrayLike) -> Floats:
    """Return light as film shows it: unchanged up to a shoulder, beyond it ever closer to 1.

    Light of `_ENOUGH` and more is white. The curve has no kink.
    """
    value = np.asarray(light, dtype=np.float64)
    above = np.maximum(value - _SHOULDER, 0.0) / (1.0 - _SHOULDER)
    most = (_ENOUGH - _SHOULDER) / (1.0 - _SHOULDER)
    bent = above * (1.0 + above / most**2) / (1.0 + above)
    return np.minimum(np.where(value > _SHOULDER, _SHOULDER + (1.0 - _SHOULDER) * bent, value), 1.0)


def _curve() -> NDArray[np.uint8]:
    light = (np.arange(_STEPS) / (_STEPS - 1)) ** 2 * _BRIGHTEST
    return np.asarray(np.rint(to_screen(compressed(light)) * 255.0), dtype=np.uint8)


CURVE = _curve()
"""Bytes for light between 0 and `_BRIGHTEST`, in steps of its square root."""


@compiled
def develop(
    light: NDArray[np.float32], curve: NDArray[np.uint8], exposure: float, out: NDArray[np.uint8]
) -> None:
    """Write linear light (m, 3) as the bytes of a picture."""
    scale = exposure / _BRIGHTEST
    last = len(curve) - 1
    for i in range(len(light)):
        for c in range(3):
            share = min(max(light[i, c] * scale, 0.0), 1.0)
            out[i, c] = curve[int(np.sqrt(share) * last + 0.5)]
