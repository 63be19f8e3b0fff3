"""Pictures of houses with their phrases, as a house encoder learns from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vlnscope.core.rng import rng_for
from vlnscope.perception.features.house_views import PhraseBook, Phrases, draw
from vlnscope.training.watching import TrainingWatch
from vlnscope.worlds.graph.views import VIEWS
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.rooms import ROOM_NAMES

ROOMS = tuple(names[0] for names in ROOM_NAMES.values())


class Pictures(NamedTuple):
    """Pictures and what is in them; N pictures.

    Attributes:
        rgb: (N, 36, 48, 3) bytes.
        told: phrases of each, with their weights.
    """

    rgb: Tensor
    told: list[Phrases]

    def rooms(self) -> Tensor:
        """(N): the room that most of each picture shows, an index into `ROOMS`; -1 if it shows none."""
        shares = ([(each.get(name, 0.0), -row) for row, name in enumerate(ROOMS)] for each in self.told)
        return torch.tensor([-row if share else -1 for share, row in map(max, shares)])


def take_pictures(
    houses: Sequence[str],
    *,
    viewpoints: int,
    views: int,
    seed: int,
    watch: TrainingWatch | None = None,
) -> Pictures:
    """Draw some views of some viewpoints of each house; which, depends on the seed and the house alone.

    Args:
        houses: names of houses.
        viewpoints: how many of each house; all, if it has fewer.
        views: how many of each viewpoint.
        seed: of the choice.
        watch: is told how it goes.
    """
    watch = watch or TrainingWatch()
    watch.phase("drawing pictures of houses", len(houses))
    parts: list[Tensor] = []
    all_phrases: list[Phrases] = []
    for done, house in enumerate(houses, 1):
        for rgb, phrases in _of_house(house, viewpoints, views, seed):
            parts.append(rgb)
            all_phrases += phrases
        watch.at(done)
    return Pictures(torch.cat(parts), all_phrases)


def _of_house(house: str, viewpoints: int, views: int, seed: int) -> Iterator[tuple[Tensor, list[Phrases]]]:
    scene, rng = HouseScenes([house]).scene(house), rng_for(seed, "pictures", house)
    book, nodes = PhraseBook(scene), scene.graph.nodes
    for node in sorted(rng.permutation(len(nodes))[:viewpoints].tolist()):
        rows = np.sort(rng.permutation(VIEWS)[:views])
        drawn = draw(scene, nodes[node], rows)
        yield torch.from_numpy(drawn.rgb), book.tell(nodes[node], drawn, rows.tolist())


def phrase_list(pictured: Iterable[Phrases], least: int) -> tuple[str, ...]:
    """Return the phrases that at least so many pictures have, the most frequent first."""
    counts = Counter(phrase for each in pictured for phrase in each)
    return tuple(name for count, name in sorted((-n, name) for name, n in counts.items()) if -count >= least)


def phrase_weights(pictured: Sequence[Phrases], phrases: Sequence[str]) -> Tensor:
    """(N, P): the weight of each phrase in each picture; 0 where it is not in it."""
    number = {phrase: column for column, phrase in enumerate(phrases)}
    weights = torch.zeros(len(pictured), len(phrases), dtype=torch.float16)
    for row, each in enumerate(pictured):
        known = {number[phrase]: weight for phrase, weight in each.items() if phrase in number}
        weights[row, list(known)] = torch.tensor(list(known.values()), dtype=torch.float16)
    return weights
