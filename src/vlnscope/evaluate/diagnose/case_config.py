"""What is asked of agents, by size: which benchmarks, on what data, how much of each."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from vlnscope.benchmarks.kit.benchmark import SIZES, Size, benchmarks
from vlnscope.core.exceptions import UnknownNameError
from vlnscope.episodes.datasets.dataset import aligned_data, spec_of_dataset


class CaseConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark, the data that its cases are made of, and the options of its builder."""

    benchmark: str
    data: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)


def resolved_data(data: str, size: Size) -> str:
    """Return the data of a size: of data sets that can be cut, less where nobody says how much.

    Example:
        >>> resolved_data("houses/val_unseen", "quick"), resolved_data("houses/val_unseen@3", "quick")
        ('houses/val_unseen@8', 'houses/val_unseen@3')
    """
    spec = spec_of_dataset(data) if size == "quick" and re.fullmatch(r"[\w-]+/\w+", data) else None
    return data + spec.quick if spec else data


def agent_parts(data: str, size: Size, seed: int) -> list[CaseConfig]:
    """Return what is asked of an agent: the cases of every benchmark that is registered.

    A benchmark that needs words aligned with paths takes the data set with the same episodes that has them,
    where there is one (``fgr2r`` for ``r2r``).
    """
    if size not in SIZES:
        raise UnknownNameError("size", size, SIZES)
    return [
        CaseConfig(
            benchmark=benchmark.name,
            data=aligned_data(data) if benchmark.aligned else data,
            options={**benchmark.sizes.get(size, {}), "seed": seed},
        )
        for benchmark in benchmarks()
    ]


def prediction_parts(data: str) -> list[CaseConfig]:
    """Return what a prediction file for a data set answers: its episodes as they are."""
    return [
        CaseConfig(benchmark=benchmark.name, data=data, options=dict(benchmark.predictions))
        for benchmark in benchmarks()
        if benchmark.predictions is not None
    ]
