"""Compiled kernels: `compiled` turns a loop over arrays into machine code, cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile `function` with numba (no Python objects, no GIL) and keep the result on disk.

    Where neither the package's folder nor the user's cache can be written, it is compiled anew each time.
    """
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True)(function))
