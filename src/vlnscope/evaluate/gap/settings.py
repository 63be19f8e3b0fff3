"""Means of the same walks under many settings of the switches, each computed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from vlnscope.core.toml_file import packaged_toml
from vlnscope.evaluate.score.profile_table import Effect, switches_of
from vlnscope.evaluate.score.score import Measurement, measure, scored_rows
from vlnscope.metrics.encoding import GraphPairs
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile, profiles_for
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

WORDS: dict[str, str] = packaged_toml(__name__)
"""What each switch decides."""


class Mean(NamedTuple):
    """The mean of a metric in the unit shown in tables (None if no episode has a value), and of how many."""

    points: float | None
    n: int
    undefined: int

    def to(self, other: Mean) -> Effect:
        """Return what changes from this one to another."""
        known = self.points is not None and other.points is not None
        points = other.points - self.points if known else None  # type: ignore[operator]
        return Effect(points, other.undefined - self.undefined)


class MeansBySetting:
    """Means of the walks of one file; what was computed once is kept."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self._rows = np.flatnonzero(pairs.predicted)
        self._found: dict[tuple[object, ...], Mean] = {}

    def of(self, metric: str, switches: Switches) -> Mean:
        """Return the mean of a metric under a setting."""
        self.prepare([(metric, switches)])
        return self._found[_key(metric, switches)]

    def prepare(self, wanted: Iterable[tuple[str, Switches]]) -> None:
        """Compute what is not known yet in one pass over the walks, which shares most of the work."""
        new = {_key(metric, s): (metric, s) for metric, s in wanted}
        new = {key: measurements for key, measurements in new.items() if key not in self._found}
        if not new:
            return
        measurements = [Measurement(Profile("", "", s, (metric,)), (metric,)) for metric, s in new.values()]
        values, _ = measure(self.pairs, self._rows, measurements)
        for key, measurement, scores in zip(new, measurements, values, strict=True):
            (metric,) = measurement.metrics
            kept = scored_rows(self.pairs, self._rows, measurement.profile)
            self._found[key] = _mean(scores[metric], kept, get_metric(metric).scale)


def _key(metric: str, switches: Switches) -> tuple[object, ...]:
    return (metric, *(getattr(switches, name) for name in switches_of(metric)))


def _mean(values: Values, kept: np.ndarray[tuple[int], np.dtype[np.bool_]], scale: float) -> Mean:
    defined = values.defined & kept
    n = int(defined.sum())
    points = float(values.values[defined].mean()) * scale if n else None
    return Mean(points, n, int(kept.sum()) - n)


def applying(pairs: Pairs) -> dict[str, Profile]:
    """Return the profiles that are made for such data, the default one first."""
    space: Literal["graph", "continuous"] = "graph" if isinstance(pairs, GraphPairs) else "continuous"
    return profiles_for(space, objects=pairs.seeks_objects)


def changed_for(metrics: Sequence[str], base: Switches, other: Switches) -> dict[str, tuple[object, object]]:
    """Return the switches that differ and can change one of the metrics, with both settings."""
    names = {name for metric in metrics for name in switches_of(metric)}
    return {name: pair for name, pair in base.differences(other).items() if name in names}


def partly(base: Switches, other: Switches, changed: Iterable[str]) -> Switches:
    """Return a setting with some switches as the other one has them."""
    return replace(base, **{name: getattr(other, name) for name in changed})
