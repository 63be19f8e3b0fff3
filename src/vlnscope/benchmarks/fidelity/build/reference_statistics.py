"""What the references of a data set are like: how long, how roundabout, how much is said about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from vlnscope.benchmarks.fidelity.build.ablations import count_tokens
from vlnscope.benchmarks.fidelity.build.paths import DescribedPath
from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath

STATISTICS = "statistics"
"""The option of a case set that describes all references."""
METRES = 1.0
NEAR = 3.0
TOKENS = 10
Bins = tuple[tuple[float, int], ...]
"""Where each bin begins, and how many are in it."""


class References(msgspec.Struct, frozen=True, kw_only=True):
    """A row of Table 1, and the distributions of Figure 3, of V. Jain et al. (2019).

    Attributes:
        name: of the data set.
        paths: how many references.
        samples: how many instructions.
        length: mean metres of a reference; means and shares are over paths.
        direct: mean metres of the shortest way from its start to its end.
        shortest: share of the references than which no way is shorter.
        returning: share of the references that end less than 3 m from their start, so that an agent that
            stops at once succeeds.
        steps: paths by number of edges.
        lengths: paths by metres.
        directs: paths by metres of the shortest way.
        tokens: instructions by tokens (words and punctuation marks), in tens.
    """

    name: str
    paths: int
    samples: int
    length: float
    direct: float
    shortest: float
    returning: float
    steps: Bins
    lengths: Bins
    directs: Bins
    tokens: Bins


def statistics_of(name: str, paths: Sequence[DescribedPath]) -> References:
    """Describe the references of a data set, of which there must be one or more."""
    sizes: dict[str, int] = {}
    return References(
        name=name,
        paths=len(paths),
        samples=sum(path.count for path in paths),
        length=float(np.mean([path.length for path in paths])),
        direct=float(np.mean([path.direct for path in paths])),
        shortest=float(np.mean([path.is_shortest for path in paths])),
        returning=float(np.mean([path.direct < NEAR for path in paths])),
        steps=_binned((len(path.path) - 1 for path in paths), 1),
        lengths=_binned((path.length for path in paths), METRES),
        directs=_binned((path.direct for path in paths), METRES),
        tokens=_binned((size for path in paths for size in _sizes(path, sizes)), TOKENS),
    )


def _sizes(path: DescribedPath, known: dict[str, int]) -> list[int]:
    """Return the tokens of each instruction; those of a joined one are those of its parts."""
    source = path.source
    groups = source.told() if isinstance(source, JoinedPath) else ((episode,) for episode in source.episodes)
    return [sum(_size(episode.instruction, known) for episode in some) for some in groups]


def _size(text: str, known: dict[str, int]) -> int:
    if text not in known:
        known[text] = count_tokens(text)
    return known[text]


def _binned(numbers: Iterable[float], width: float) -> Bins:
    counts = Counter(width * (number // width) for number in numbers)
    return tuple(sorted(counts.items()))
