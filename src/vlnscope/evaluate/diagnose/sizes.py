"""What is asked of agents, by size: which benchmarks, on what data, how much of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.episodes.datasets.dataset import spec_of_dataset

Size = Literal["quick", "full"]
PLAIN = "outcomes"
_SIZES: Mapping[str, Mapping[Size, Mapping[str, Any]]] = {
    "outcomes": {"quick": {"most": 96}, "full": {"most": 600}},
    "fidelity": {
        "quick": {"max_episodes": 32, "ablations": ("full", "none", "last-five", "other")},
        "full": {"max_episodes": 200},
    },
    "tours": {"quick": {"max_tours": 1, "max_episodes": 16}, "full": {"max_tours": 1}},
    "behavior": {"quick": {"most": 30}, "full": {"most": 200}},
    "nuances": {"quick": {"most": {"DC": 5, "VM": 3, "NU": 4, "LR": 5, "RR": 5}}, "full": {}},
    "errors": {
        "quick": {"types": ("direction", "room", "object"), "limit": 32},
        "full": {"limit": 150},
    },
}
PARTS = tuple(_SIZES)
"""The benchmarks of a diagnosis, in the order of the report."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
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


def agent_parts(data: str, size: Size, seed: int) -> list[Part]:
    """Return what is asked of an agent.

    `behavior` needs words that are aligned with paths, so it takes the data set with the same episodes that
    has them, where there is one (``fgr2r`` for ``r2r``).
    """
    if size not in get_args(Size):
        raise UnknownNameError("size", size, get_args(Size))
    return [
        Part(
            benchmark=name,
            data=aligned_data(data) if name == "behavior" else data,
            options={**sizes[size], "seed": seed},
        )
        for name, sizes in _SIZES.items()
    ]


def prediction_parts(data: str) -> list[Part]:
    """Return what a prediction file for a data set answers: its episodes as they are."""
    as_they_are = {"variant": "as-is", "ablations": ("full",)}
    return [
        Part(benchmark="outcomes", data=data),
        Part(benchmark="fidelity", data=data, options=as_they_are),
    ]


def aligned_data(data: str) -> str:
    """Return the data set with the same episodes whose words are aligned with their paths, if there is one.

    Example:
        >>> aligned_data("r2r/val_seen"), aligned_data("houses/val_unseen")
        ('fgr2r/val_seen', 'houses/val_unseen')
    """
    spec = spec_of_dataset(data)
    return f"{spec.aligned}/{data.partition('/')[2]}" if spec and spec.aligned else data
