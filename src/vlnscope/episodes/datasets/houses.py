"""The data sets of the built-in houses: ``houses/val_unseen`` and so on, made on demand, needing no root.

``houses`` words its instructions as R2R does, ``houses-terse`` briefly and ``houses-rxr`` at length with
times, all for the same paths. A split is ``train``, ``val_seen`` (other paths in the houses of train),
``val_unseen`` (other houses) or ``fresh`` (houses nobody has seen), each of a usual number of houses;
``val_unseen@3`` has three, ``fresh@3+20270101`` the three after the first 20,270,101.
"""

from __future__ import annotations

import multiprocessing
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vlnscope.core.exceptions import DataNotFoundError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset, DatasetSpec, Preparation, register_dataset
from vlnscope.episodes.datasets.house_episodes import (
    HouseEpisodes,
    HousePart,
    decoded,
    encoded_episodes,
    stored_episodes,
)
from vlnscope.episodes.format import OnProblem
from vlnscope.types import Episode
from vlnscope.worlds.houses.splits import SPLITS, HouseScenes, house_ids

if TYPE_CHECKING:
    from vlnscope.language.describe import Register

    OpenSplit = Callable[[str, Register, str, Path | None], Dataset]

_SPLIT = re.compile(r"(?P<name>\w+)(@(?P<size>\d{1,6}))?(\+(?P<skip>\d{1,12}))?")
_MANY = 3
QUICK = 8
"""Houses of a quick diagnosis: enough for intervals and sign flips, few enough for two minutes."""


def split_houses(split: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of the split of houses and the houses that ``SPLIT[@SIZE][+SKIP]`` means.

    Example:
        >>> split_houses("val_unseen@2+5")
        ('val_unseen', ('house-40005', 'house-40006'))

    Raises:
        DataNotFoundError: there is no such split.
        InputError: it has not so many houses.
    """
    match = _SPLIT.fullmatch(split)
    if match is None or match["name"] not in SPLITS:
        raise DataNotFoundError(
            UnknownNameError("split of houses", split, SPLITS).what,
            expected=f"one of {', '.join(SPLITS)}, with @NUMBER for another number of houses",
            fix="name a split as in houses/val_unseen or houses/val_unseen@3",
        )
    size = None if match["size"] is None else int(match["size"])
    return match["name"], house_ids(match["name"], size, seed=int(match["skip"] or 0))


@dataclass(frozen=True, eq=False)
class MadeEpisodes:
    """The episodes of some houses, made when first asked for.

    Attributes:
        houses: names of the houses, in the order of the episodes.
        part: which of their episodes.
    """

    houses: Sequence[str]
    part: HousePart
    _ready: dict[str, HouseEpisodes] = field(default_factory=dict, init=False, repr=False)

    def prepare(self) -> Preparation:
        """Start making what is not in the cache, in two processes if it is much."""
        for house in self.houses:
            if house not in self._ready and (stored := stored_episodes(house, self.part)):
                self._ready[house] = stored
        missing = [house for house in self.houses if house not in self._ready]
        return Preparation(len(missing), self._make(missing))

    def _make(self, missing: Sequence[str]) -> Iterator[str]:
        from vlnscope.worlds.houses.parallel import for_houses

        work = partial(encoded_episodes, part=self.part)
        made = for_houses(work, missing, workers=workers_for(missing))
        for house, encoded in zip(missing, made, strict=True):
            self._ready[house] = decoded(encoded)
            yield house

    def load(self, on_problem: OnProblem) -> Iterator[Episode]:
        """Yield the episodes, house by house; what is made here has no problems to report."""
        del on_problem
        for house in self.by_house():
            yield from house.episodes

    def by_house(self) -> Iterator[HouseEpisodes]:
        """Yield the episodes of each house, with what was given up on the way."""
        for _ in self.prepare().work:
            pass
        yield from (self._ready[house] for house in self.houses)


def workers_for(missing: Sequence[str]) -> int:
    """Return how many processes are worth starting for so many houses: two if they are many."""
    alone = multiprocessing.current_process().daemon or (os.cpu_count() or 1) < 2
    return 1 if alone or len(missing) < _MANY else 2


def house_episodes(register: Register, split: str) -> MadeEpisodes:
    """Return the episodes of a split (see `split_houses`), worded in a register, house by house."""
    name, houses = split_houses(split)
    return MadeEpisodes(houses, HousePart(register, name == "val_seen"))


def _open(name: str, register: Register, split: str, root: Path | None) -> Dataset:
    del root
    episodes = house_episodes(register, split)
    return Dataset(
        name=f"{name}/{split}",
        split=split,
        format="",
        files=(),
        load=episodes.load,
        load_scenes=partial(HouseScenes, episodes.houses),
        prepare=episodes.prepare,
    )


def register_houses(registers: Mapping[str, tuple[Register, str]], open_split: OpenSplit) -> None:
    """Make data sets of built-in houses known.

    Args:
        registers: how each is worded and titled, by name.
        open_split: opens a split of one, given its name, its register, the split and the root.
    """
    for name, (register, title) in registers.items():
        register_dataset(
            DatasetSpec(
                name=name,
                title=title,
                splits=lambda root: dict.fromkeys(SPLITS),
                open=partial(open_split, name, register),
                world="houses",
                quick=f"@{QUICK}",
            )
        )


register_houses(
    {
        "houses": ("r2r", "built-in houses, instructions as in R2R (@N for N houses)"),
        "houses-terse": ("terse", "the same paths in built-in houses, in few words"),
        "houses-rxr": ("rxr", "the same paths in built-in houses, at length and timed as in RxR"),
    },
    _open,
)
