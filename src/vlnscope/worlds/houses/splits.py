"""Splits of houses by ranges of seeds, a cache of houses on disk, and houses as a collection of scenes.

The house ``house-00012`` is made from seed 12. The ranges of the splits never meet, however many houses are
taken from each, so nothing trained on one has seen another. ``val_seen`` takes the houses of ``train``.
An edited house (see `vlnscope.worlds.houses.edit.names`) belongs to the split of the house that it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from vlnscope.core import files
from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.core.json_file import NOT_JSON
from vlnscope.worlds.houses.edit.names import base_name, edited_name, edits_in
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.version import GENERATOR_VERSION, houses_key
from vlnscope.worlds.scene import Scene


class Split(NamedTuple):
    """A range of seeds.

    Attributes:
        first: the first seed.
        end: the seed after the last.
        size: how many houses are taken if nothing else is asked for.
        cached: whether its houses are kept on disk.
    """

    first: int
    end: int
    size: int
    cached: bool = True


SPLITS: Mapping[str, Split] = {
    "train": Split(0, 40_000, 40),
    "val_seen": Split(0, 40_000, 40),
    "val_unseen": Split(40_000, 100_000, 10),
    "nuances": Split(100_000, 140_000, 40),
    "fresh": Split(140_000, 10**12, 10, cached=False),
}
"""The splits: ``nuances`` is for the benchmark of that name, ``fresh`` for one look at houses that nobody can
have trained on."""

_KEPT = 8
_ID = re.compile(r"house-(\d{5}|[1-9]\d{5,11})")


def house_id(seed: int) -> str:
    """Return the name of the house that is made from a seed.

    Example:
        >>> house_id(12), house_id(123456)
        ('house-00012', 'house-123456')
    """
    end = max(split.end for split in SPLITS.values())
    if not 0 <= seed < end:
        raise InputError(f"no house has the seed {seed}", expected=f"0 to {end - 1}", fix="take another seed")
    return f"house-{seed:05d}"


def seed_of(house: str) -> int:
    """Return the seed that a house is made from; of an edited one, that of the house that it was.

    Raises:
        DataNotFoundError: this is not the name of a house.
    """
    match = _ID.fullmatch(base_name(house))
    if match is None:
        raise DataNotFoundError(
            f"there is no house called {house!r}",
            expected="house- and a seed of at least five digits, such as house-00012",
            fix="`vlnscope houses generate --help` shows which seeds belong to which split",
        )
    return int(match[1])


def is_house(name: str) -> bool:
    """Return whether this is the name of a house that can be made, edited or not.

    Example:
        >>> is_house("house-00012"), is_house("house-12"), is_house("zsNo4HB9uLZ")
        (True, False, False)
    """
    return _ID.fullmatch(base_name(name)) is not None


def split_of(house: str) -> str:
    """Return the split that a house belongs to; ``train`` for those that val_seen has too."""
    seed = seed_of(house)
    return next(name for name, split in SPLITS.items() if split.first <= seed < split.end)


def house_ids(split: str, size: int | None = None, *, seed: int = 0) -> tuple[str, ...]:
    """Return the names of the houses of a split.

    Args:
        split: one of `SPLITS`.
        size: how many houses; the split's own size if None.
        seed: how many houses of the split's range to skip: other numbers give other houses of the split.

    Example:
        >>> house_ids("val_unseen", 2)
        ('house-40000', 'house-40001')

    Raises:
        InputError: there is no such split, or it has not so many houses.
    """
    if split not in SPLITS:
        raise InputError(
            f"there is no split of houses called {split!r}",
            expected=f"one of {', '.join(SPLITS)}",
            fix="choose one of them",
        )
    its = SPLITS[split]
    count = its.size if size is None else size
    room = its.end - its.first
    if count < 1 or not 0 <= seed <= room - count:
        raise InputError(
            f"{count} houses of {split} from number {seed} on cannot be had",
            expected=f"at least 1 house, numbers 0 to {room - 1}",
            fix="ask for fewer houses or for a smaller seed",
        )
    return tuple(house_id(its.first + seed + k) for k in range(count))


def make_house(house: str) -> FloorPlan:
    """Make a house from its seed without looking at the cache; an edited one from the house that it was.

    An edited house keeps the id of the house that it was, on which the ids of viewpoints depend.

    Raises:
        DataNotFoundError: this is not the name of a house.
        InputError: the edits in the name cannot be made in this house.
    """
    from vlnscope.worlds.houses.edit.apply import replay
    from vlnscope.worlds.houses.house import generate

    edits = edits_in(house)
    return replay(load_house(base_name(house)), edits) if edits else generate(seed_of(house), house)


def load_house(house: str, *, cached: bool | None = None) -> FloorPlan:
    """Return a house by its name, from the cache if it is there, else made (and kept).

    Several processes may load the same house at once. A damaged file in the cache is made anew, and a cache
    that cannot be written to is done without.

    Args:
        house: its name, such as ``house-00012``.
        cached: whether to use the cache; as its split says if None (``fresh`` houses leave no trace).
    """
    from vlnscope.worlds.houses.plan.file import encode_plan

    if not (SPLITS[split_of(house)].cached if cached is None else cached):
        return make_house(house)
    path = cache_path(house)
    plan = _read(path, house)
    if plan is None:
        plan = make_house(house)
        with suppress(InputError), files.write_whole(path) as stream:
            stream.write(encode_plan(plan))
    return plan


def cache_path(house: str) -> Path:
    """Return where a house lies in the cache, if it is there; each version of the generator has a folder."""
    base = base_name(house)
    name = house if house == base else f"{base}-{files.digest(house.encode())[:16]}"
    return files.cache_dir() / "houses" / houses_key() / f"{name}.json.gz"


def _read(path: Path, house: str) -> FloorPlan | None:
    if not path.is_file():
        return None
    with suppress(InputError, *NOT_JSON):
        plan = msgspec.json.decode(files.read_bytes(path), type=FloorPlan)
        right = edited_name(plan.id, plan.history) == house and plan.generator == GENERATOR_VERSION
        return plan if right else None
    return None


class HouseScenes:
    """Generated houses as scenes, for all code that takes Matterport scans.

    Edited houses are found by their names, too, if the houses that they were are in the collection.

    Args:
        houses: names of the houses, or the name of a split.

    Attributes:
        generator: version of the houses.
    """

    generator: int = GENERATOR_VERSION

    def __init__(self, houses: Sequence[str] | str = "val_unseen") -> None:
        named = house_ids(houses) if isinstance(houses, str) else tuple(houses)
        for house in named:
            seed_of(house)
        self._houses = tuple(sorted(dict.fromkeys(named)))
        self._scenes: dict[str, Scene] = {}
        self._edited: dict[str, Scene] = {}

    def scans(self) -> tuple[str, ...]:
        """Return the names of the houses, sorted."""
        return self._houses

    def scene(self, scan: str) -> Scene:
        """Return a house as a scene; the same object every time (of edited houses the last few are kept).

        Raises:
            DataNotFoundError: the collection does not hold this house; the nearest names are suggested.
        """
        from vlnscope.worlds.houses.house import house_scene

        if base_name(scan) not in self._houses:
            raise DataNotFoundError(
                UnknownNameError("house", scan, self._houses).what,
                expected=f"one of the {len(self._houses)} houses of this collection",
                fix="correct the name, or make a collection that holds it",
            )
        known = self._scenes if scan in self._houses else self._edited
        if scan not in known:
            if known is self._edited and len(known) >= _KEPT:
                del known[next(iter(known))]
            house = house_scene(load_house(scan), cached=SPLITS[split_of(scan)].cached)
            known[scan] = Scene(scan, house.graph, house.loaders)
        return known[scan]
