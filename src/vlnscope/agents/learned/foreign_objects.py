"""Objects that public codes keep beside weights: configs are read as plain dicts, numbers of numpy left out.

Checkpoints of VLN-CE and of what builds on it hold a config of Habitat. To load it as what it is would run
the code of another package. Here nothing is run: a plain class stands for each class of such objects. Files
with objects of any other class are refused.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import AbstractContextManager
from typing import Any

from torch.serialization import safe_globals


class ForeignNumber:
    """A number or a type of numpy; what it was is not kept."""

    def __init__(self, *parts: Any) -> None:
        """Leave everything out."""

    def __setstate__(self, state: Any) -> None:
        """Leave everything out."""


_CONFIGS = ("habitat.config.default.Config", "habitat_baselines.config.default.Config", "yacs.config.CfgNode")
_NUMBERS = ("numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar", "numpy.dtype")


def stand_ins() -> AbstractContextManager[None]:
    """Let torch read such objects while this is entered."""
    known: list[Any] = [(OrderedDict, name) for name in _CONFIGS]
    return safe_globals([*known, *((ForeignNumber, name) for name in _NUMBERS)])
