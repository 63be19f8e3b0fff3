"""What a metric is, and how a file makes one known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from vlnscope.core import registry
from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

Compute = Callable[[PathBatch, Switches], Values]


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A number that says something about an episode.

    Attributes:
        name: how it is written in tables and files.
        title: its full name.
        compute: one value per row of a batch.
        unit: ``m``, ``%`` (a share, reported times 100), or empty for a plain number.
        better: which way is better; ``none`` if neither is.
        low: smallest possible value.
        high: largest possible value, or None.
        paper: who defined it.
        switches: the switches that can change it.
        per: whether it has one value per episode, or one per tour of episodes.
    """

    name: str
    title: str
    compute: Compute
    unit: Literal["m", "%", ""]
    better: Literal["higher", "lower", "none"]
    low: float = 0.0
    high: float | None = None
    paper: str
    switches: tuple[str, ...] = ()
    per: Literal["episode", "tour"] = "episode"

    @property
    def scale(self) -> float:
        """What values are multiplied with when a summary is shown."""
        return 100.0 if self.unit == "%" else 1.0

    @property
    def definition(self) -> str:
        """The docstring of the function that computes it, without its example."""
        return re.split(r"\n\s*\n\s*Example:", self.compute.__doc__ or "")[0]


def metric(
    name: str,
    title: str,
    *,
    unit: Literal["m", "%", ""],
    better: Literal["higher", "lower", "none"],
    paper: str,
    low: float = 0.0,
    high: float | None = None,
    switches: tuple[str, ...] = (),
    per: Literal["episode", "tour"] = "episode",
) -> Callable[[Compute], Compute]:
    """Register the decorated function as a metric; its docstring is the metric's definition."""

    def decorate(compute: Compute) -> Compute:
        registry.register(
            "metric",
            name,
            Metric(
                name=name,
                title=title,
                compute=compute,
                unit=unit,
                better=better,
                low=low,
                high=high,
                paper=paper,
                switches=switches,
                per=per,
            ),
        )
        return compute

    return decorate


def get_metric(name: str) -> Metric:
    """Return the metric called `name`."""
    return cast(Metric, registry.get("metric", name))
