"""From linear light to the bytes of a picture; a film-like curve that keeps bright windows in range."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.screen import to_screen

_DARKEST, _BRIGHTEST = 1e-4, 8.0
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
    middles = (np.arange(_FIRST, _LAST + 1, dtype=np.int32) << _DROPPED) + (1 << (_DROPPED - 1))
    shown = to_screen(compressed(middles.view(np.float32)))
    curve = np.asarray(np.rint(shown * 255.0), dtype=np.uint8)
    curve[0] = 0
    return curve


_DROPPED = 15
"""How many bits of a number in single precision do not matter: steps of light are 0.4 % apart."""
_FIRST, _LAST = (int(np.float32(end).view(np.int32)) >> _DROPPED for end in (_DARKEST, _BRIGHTEST))
CURVE = _curve()
"""Bytes for light between `_DARKEST` and `_BRIGHTEST`, by the leading bits of the number."""


@compiled
def develop(
    light: NDArray[np.float32], curve: NDArray[np.uint8], exposure: float, out: NDArray[np.uint8]
) -> None:
    """Write linear light (m, 3) as the bytes of a picture."""
    scale, last = np.float32(exposure), len(curve) - 1
    shown = light * scale
    bits = shown.view(np.int32)
    for i in range(len(light)):
        for c in range(3):
            out[i, c] = curve[min(max((bits[i, c] >> _DROPPED) - _FIRST, 0), last)]
