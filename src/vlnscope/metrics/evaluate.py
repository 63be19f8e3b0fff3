"""Computes the metrics of a profile on a batch."""

from __future__ import annotations

from collections.abc import Iterable

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.metrics.values import Values
from vlnscope.types import Flags

JUMP = "a step joins two viewpoints without an edge; the evaluator refuses such a path"
WRONG_START = "the path does not start where the episode does; the evaluator refuses such a path"


def evaluate(batch: PathBatch, profile: Profile, metrics: Iterable[str] | None = None) -> dict[str, Values]:
    """Return the values of the profile's metrics, or of those named, for every row of a batch.

    Metrics of tours are left out where the batch has no tours. Rows that the profile's evaluator would
    refuse (see the switches `jumps` and `start`) are undefined for every metric.
    """
    refused = _refused(batch, profile)
    values_by_name: dict[str, Values] = {}
    for name in profile.metrics if metrics is None else metrics:
        metric = get_metric(name)
        if metric.per == "episode":
            values = metric.compute(batch, profile.switches)
            values_by_name[name] = Values.of(values.values, values.undefined).excluding(refused)
        elif batch.tour is not None:
            values_by_name[name] = metric.compute(batch, profile.switches)
    return values_by_name


def _refused(batch: PathBatch, profile: Profile) -> dict[str, Flags]:
    refused: dict[str, Flags] = {}
    if profile.switches.jumps == "undefined":
        refused[JUMP] = batch.jumps > 0
    if profile.switches.start == "reference":
        refused[WRONG_START] = batch.wrong_start
    return refused
