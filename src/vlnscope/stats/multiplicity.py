"""Several tests at once: p-values made larger so that chance finds do not pass for real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats

Correction = Literal["holm", "benjamini-hochberg", "none"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values so that the probability of even one chance find below α is at most α.

    The family-wise error is held without assuming anything about how the tests depend on each other
    (S. Holm, 1979). The k-th smallest of m p-values is multiplied with m − k + 1, and none is smaller than
    those before it.

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    grown = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _placed(grown, order)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values so that of those below α at most a share of α is expected to be chance finds.

    Holds for independent or positively dependent tests (Y. Benjamini and Y. Hochberg, 1995): the k-th
    smallest of m p-values is multiplied with m / k, and none is larger than those after it.

    Example:
        >>> benjamini_hochberg([0.01, 0.04, 0.03])
        [0.03, 0.04, 0.04]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    grown = p[order] * (p.size / np.arange(1, p.size + 1))
    return _placed(np.minimum.accumulate(grown[::-1])[::-1], order)


def adjust(p_values: Sequence[float], correction: Correction) -> list[float]:
    """Adjust p-values by the correction of that name."""
    known: dict[str, Callable[[Sequence[float]], list[float]]] = {
        "holm": holm,
        "benjamini-hochberg": benjamini_hochberg,
        "none": list,
    }
    if correction not in known:
        raise InputError(
            f"a correction called {correction!r}",
            expected=f"one of {', '.join(known)}",
            fix="take holm, which holds the error of the whole family",
        )
    return known[correction](p_values)


def _checked(p_values: Sequence[float]) -> Floats:
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise InputError(
            f"p-values {p_values}",
            expected="numbers between 0 and 1",
            fix="leave out the comparisons that have no p-value",
        )
    return p


def _placed(adjusted: Floats, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[float]:
    placed = np.empty(adjusted.size)
    placed[order] = np.minimum(adjusted, 1.0)
    return [float(p) for p in placed]
