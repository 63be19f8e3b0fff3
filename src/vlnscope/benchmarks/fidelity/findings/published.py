"""What V. Jain et al. (2019) report: their agents on R2R (Table 3) and on R4R (Table 4), and Table 1.

The numbers are in ``published.json``. The path length of Random on R2R val_unseen is left out: the paper
prints 9.32, its navigation error. Table 1 is as printed; R2R val_unseen has 2,349 instructions, not 2,249.
"""

from __future__ import annotations

from importlib import resources
from typing import NamedTuple

import msgspec


class PublishedRow(NamedTuple):
    """A row of a table: metres, or percent; None where the paper has no number.

    Attributes:
        model: as the paper calls it.
        variant: what it was told, in the words of `ablations`.
        tl: path length.
        ne: navigation error.
        sr: success rate.
        spl: success weighted by path length, measured against the shortest way.
        cls: coverage weighted by length score.
    """

    model: str
    variant: str
    tl: float | None
    ne: float | None
    sr: float | None
    spl: float | None = None
    cls: float | None = None


class _File(msgspec.Struct, frozen=True):
    results: dict[str, tuple[PublishedRow, ...]]
    references: dict[str, tuple[int, float, float]]
    examples: dict[str, tuple[tuple[str, float, float], ...]]


_FILE = msgspec.json.decode(
    (resources.files(__package__) / "published.json").read_bytes(), type=_File, strict=False
)
PUBLISHED = {(key.split()[0], key.split()[1]): rows for key, rows in _FILE.results.items()}
"""Rows by variant and data set."""
PUBLISHED_REFERENCES = _FILE.references
"""Instructions, mean length and mean shortest way, by data set."""
EXAMPLES = _FILE.examples
"""The two paths of Figure 1 (SPL, CLS) and those of Figure 4 (SED, CLS), in percent."""
