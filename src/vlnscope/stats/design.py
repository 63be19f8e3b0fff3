"""Covariates as columns of numbers: an intercept, continuous covariates, and factors coded by treatment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats

INTERCEPT = "(intercept)"
_DEPENDENT = 1e-9
Covariates = Mapping[str, Iterable[float | str]]


class Design(NamedTuple):
    """The matrix of the fixed effects.

    Attributes:
        matrix: (rows, terms).
        terms: names of the columns: the intercept, then per covariate ``x``, or ``agent[B]`` for each level
            of a factor but the first.
        places: for each covariate, the numbers of its columns.
    """

    matrix: Floats
    terms: tuple[str, ...]
    places: dict[str, tuple[int, ...]]

    def without(self, covariate: str) -> Design:
        """Return the design with one covariate left out."""
        kept = [i for i in range(len(self.terms)) if i not in self.places[covariate]]
        moved = {old: new for new, old in enumerate(kept)}
        places = {n: tuple(moved[i] for i in own) for n, own in self.places.items() if n != covariate}
        return Design(self.matrix[:, kept], tuple(self.terms[i] for i in kept), places)


def design_matrix(covariates: Covariates, rows: int) -> Design:
    """Build the matrix of an intercept and covariates.

    A covariate of texts is a factor: the first of its levels in alphabetical order is the reference, and
    every other has a column that is 1 where the level holds (R's ``contr.treatment``). Numbers and truth
    values are taken as they are.

    Raises:
        InputError: a covariate does not fit the rows, is not finite, or follows from the others.

    Example:
        >>> design = design_matrix({"length": [5, 6, 7, 9], "agent": ["B", "A", "C", "A"]}, 4)
        >>> design.terms, design.places
        (('(intercept)', 'length', 'agent[B]', 'agent[C]'), {'length': (1,), 'agent': (2, 3)})
        >>> design.matrix[0].tolist()
        [1.0, 5.0, 1.0, 0.0]
    """
    columns: list[Floats] = [np.ones(rows)]
    terms = [INTERCEPT]
    places: dict[str, tuple[int, ...]] = {}
    for name, values in covariates.items():
        added = _columns(name, list(values), rows)
        places[name] = tuple(range(len(columns), len(columns) + len(added)))
        terms += added
        columns += added.values()
    matrix = np.stack(columns, axis=1)
    _refuse_dependence(matrix, terms)
    return Design(matrix, tuple(terms), places)


def _columns(name: str, values: list[float | str], rows: int) -> dict[str, Floats]:
    if len(values) != rows:
        raise InputError(
            f"covariate {name!r} has {len(values)} values for {rows} rows",
            expected="one value per row",
            fix="take all columns from the same table",
        )
    if any(isinstance(value, str) for value in values):
        return _factor(name, values)
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.full(rows, np.nan)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        raise InputError(
            f"covariate {name!r} holds {values[wrong[0]]!r} in row {wrong[0]} ({wrong.size} such rows)",
            expected="finite numbers, or texts for a factor",
            fix="leave these rows out",
        )
    return {name: numbers}


def _factor(name: str, texts: list[float | str]) -> dict[str, Floats]:
    if not all(isinstance(value, str) for value in texts):
        raise InputError(
            f"covariate {name!r} mixes texts and numbers",
            expected="texts for a factor, or numbers",
            fix="turn all of them into texts, or into numbers",
        )
    values = np.asarray(texts)
    return {f"{name}[{level}]": (values == level).astype(np.float64) for level in np.unique(values)[1:]}


def _refuse_dependence(matrix: Floats, terms: list[str]) -> None:
    norms = np.linalg.norm(matrix, axis=0)
    triangle = np.linalg.qr(matrix / np.where(norms > 0, norms, 1.0)).R
    own = np.zeros(len(terms))
    own[: triangle.shape[0]] = np.abs(np.diagonal(triangle))
    dependent = [term for term, size in zip(terms, own, strict=True) if size < _DEPENDENT]
    if dependent:
        raise InputError(
            f"the fixed effects {', '.join(dependent)} follow from those before them over these rows",
            expected="covariates of which none is constant or a combination of the others",
            fix="leave them out",
        )
