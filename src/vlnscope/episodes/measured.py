"""Metrics of episodes that somebody else has measured: numbers without the walks behind them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import OnProblem, get_format, refuse
from vlnscope.episodes.reading import evidence_in, sniff


class MeasuredEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """What a file states of one episode.

    Attributes:
        episode_id: as in `Episode`.
        scan: the scene; empty if the file does not say.
        values: numbers by the names that the file gives them (`stated.metric_called` says which metric
            each one is); those that are not finite are left out.
        extra: every other field of the source record.
    """

    episode_id: str
    scan: str = ""
    values: dict[str, float] = msgspec.field(default_factory=dict)
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


def is_measured(path: str | Path) -> bool:
    """Tell whether a file holds metrics of episodes and no walks; False if its format is not known."""
    if Path(path).is_dir():
        return False
    try:
        return sniff(path).holds == "episode-metrics"
    except InputError:
        return False


def read_measured(
    path: str | Path,
    format: str | None = None,  # noqa: A002
    on_problem: OnProblem = refuse,
) -> Iterator[MeasuredEpisode]:
    """Yield the episodes of a file with metrics; see `read_predictions` for the arguments."""
    path = evidence_in(path)
    fmt = sniff(path, "episode-metrics") if format is None else get_format(format)
    return fmt.read(path, on_problem)
