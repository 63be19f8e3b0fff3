"""The built-in houses in continuous space: ``houses-ce/val_unseen`` and so on, as R2R-CE is to R2R.

They have the episodes of ``houses`` with the same ids, and splits are written in the same way. An episode has
both its viewpoints and its place in space, so agents on graphs and in space can be compared on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vlnscope.episodes.datasets.dataset import Dataset, Preparation
from vlnscope.episodes.datasets.house_space import HousePaths, encoded_paths
from vlnscope.episodes.datasets.houses import MadeEpisodes, house_episodes, register_houses, workers_for
from vlnscope.episodes.format import OnProblem
from vlnscope.types import Episode
from vlnscope.worlds.houses.splits import HouseScenes

if TYPE_CHECKING:
    from vlnscope.language.describe import Register


@dataclass(frozen=True, eq=False)
class EpisodesInSpace:
    """The episodes of some houses with their places in continuous space, made when first asked for."""

    episodes: MadeEpisodes
    _ready: dict[str, HousePaths] = field(default_factory=dict, init=False, repr=False)

    def prepare(self) -> Preparation:
        """Start making what is not in the cache."""
        words = self.episodes.prepare()
        missing = [house for house in self.episodes.houses if house not in self._ready]
        return Preparation(words.parts + len(missing), self._make(words.work, missing))

    def _make(self, words: Iterator[str], missing: Sequence[str]) -> Iterator[str]:
        from vlnscope.worlds.houses.parallel import for_houses

        yield from words
        work = partial(encoded_paths, part=self.episodes.part)
        made = for_houses(work, missing, workers=workers_for(missing))
        for house, encoded in zip(missing, made, strict=True):
            self._ready[house] = msgspec.json.decode(encoded, type=HousePaths)
            yield house

    def load(self, on_problem: OnProblem) -> Iterator[Episode]:
        """Yield the episodes, house by house."""
        for _ in self.prepare().work:
            pass
        for episode in self.episodes.load(on_problem):
            place = self._ready[episode.scan].paths[episode.path_id]
            yield msgspec.structs.replace(episode, continuous=place)


def _open(name: str, register: Register, split: str, root: Path | None) -> Dataset:
    del root
    episodes = EpisodesInSpace(house_episodes(register, split))
    return Dataset(
        name=f"{name}/{split}",
        split=split,
        format="",
        files=(),
        load=episodes.load,
        load_scenes=partial(HouseScenes, episodes.episodes.houses),
        prepare=episodes.prepare,
        continuous=True,
    )


register_houses(
    {
        "houses-ce": ("r2r", "built-in houses in continuous space, as R2R-CE (@N for N houses)"),
        "houses-ce-terse": ("terse", "the same in few words"),
        "houses-ce-rxr": ("rxr", "the same at length and timed as in RxR"),
    },
    _open,
)
