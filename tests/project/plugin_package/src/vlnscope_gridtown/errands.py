"""The data set `gridtown`: errands such as “Go two blocks north, then one block east.”"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset, DatasetSpec
from vlnscope.episodes.format import OnProblem
from vlnscope.types import Episode
from vlnscope_gridtown.town import DIRECTIONS, SIZE, Towns, junction

SPLITS = {"test": range(8), "small": range(2)}
NUMBERS = ("no", "one", "two", "three", "four")


def errand(town: str, index: int, first: str, second: str) -> Episode:
    """Make an errand from the middle of a town: two blocks one way, then one or two another."""
    x = y = SIZE // 2
    path, words = [junction(x, y)], []
    for direction, count in ((first, 2), (second, 1 + index % 2)):
        dx, dy = DIRECTIONS[direction]
        for _ in range(count):
            x, y = x + dx, y + dy
            path.append(junction(x, y))
        words.append(f"{NUMBERS[count]} block{'s' if count > 1 else ''} {direction}")
    return Episode(
        episode_id=f"{town}-{index}_0",
        path_id=f"{town}-{index}",
        scan=town,
        instruction=f"Go {words[0]}, then {words[1]}.",
        path=tuple(path),
        heading=0.0,
    )


def _turns() -> list[tuple[str, str]]:
    ways = {"north": "ns", "south": "ns", "east": "ew", "west": "ew"}
    return [(a, b) for a, b in product(DIRECTIONS, DIRECTIONS) if ways[a] != ways[b]]


def _load(names: tuple[str, ...], on_problem: OnProblem) -> Iterator[Episode]:
    for name in names:
        for index, (first, second) in enumerate(_turns()):
            yield errand(name, index, first, second)


def _open(split: str, root: Path | None) -> Dataset:
    if split not in SPLITS:
        raise UnknownNameError("split of gridtown", split, SPLITS)
    names = tuple(f"town-{number}" for number in SPLITS[split])
    return Dataset(
        name=f"gridtown/{split}",
        split=split,
        format="",
        files=(),
        load=partial(_load, names),
        load_scenes=partial(Towns, names),
    )


def _splits(root: Path | None) -> Mapping[str, Path | None]:
    return dict.fromkeys(SPLITS)


ERRANDS = DatasetSpec(
    name="gridtown",
    title="errands in towns of straight streets",
    splits=_splits,
    open=_open,
    world="gridtown",
)
