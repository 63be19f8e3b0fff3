"""The episodes of one house: its paths with three instructions each, kept on disk.

Which paths a house has does not depend on how they are described: a path that cannot be described without
ambiguity in the manner of R2R is replaced by another, and the other registers describe the same paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vlnscope.core import files
from vlnscope.core.cache_key import PACKAGE, cache_key
from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import NOT_JSON
from vlnscope.episodes.datasets.house_paths import HousePath, house_paths
from vlnscope.types import Episode
from vlnscope.worlds.houses.splits import SPLITS, load_house, seed_of, split_of
from vlnscope.worlds.houses.version import houses_key
from vlnscope.worlds.scene import Scene

if TYPE_CHECKING:
    from vlnscope.language.describe.describer import Description, Register

EPISODES_VERSION = 2
"""Version of paths and words, raised and guarded like `GENERATOR_VERSION` of the houses they are in."""
PATHS = 60
"""Paths of a house."""
HELD_OUT_PATHS = 8
"""Paths of a house of `train` that `val_seen` has."""
INSTRUCTIONS = 3
"""Instructions of a path."""

_IDS = 100
_HELD_OUT_IDS = 60
_TRIES = 4
_ATTEMPTS = 3


class HouseEpisodes(msgspec.Struct, frozen=True, kw_only=True):
    """The episodes of a house.

    Attributes:
        house: its name.
        register: how they are worded.
        held_out: whether these are the paths that `val_seen` has.
        wanted: how many paths there should be; a small house may have fewer.
        given_up: paths that were replaced, with the reason why they cannot be described.
        episodes: three per path, path by path.
    """

    house: str
    register: str
    held_out: bool
    wanted: int
    given_up: tuple[tuple[str, str], ...]
    episodes: tuple[Episode, ...]

    @property
    def missing(self) -> int:
        """How many paths there are too few."""
        return self.wanted - len(self.episodes) // INSTRUCTIONS


class HousePart(NamedTuple):
    """Which episodes of a house are meant."""

    register: Register = "r2r"
    held_out: bool = False

    @property
    def name(self) -> str:
        """A name for files."""
        return f"{self.register}-held-out" if self.held_out else self.register


def house_episodes(house: str, part: HousePart) -> HouseEpisodes:
    """Return the episodes of a house, from the cache if they are there, else made (and kept).

    Several processes may ask for the same house at once. A damaged file in the cache is made anew, and a
    cache that cannot be written to is done without. Houses of `fresh` leave no trace.
    """
    return stored_episodes(house, part) or _made(house, part)


def stored_episodes(house: str, part: HousePart) -> HouseEpisodes | None:
    """Return the episodes of a house if they are in the cache."""
    path = cache_path(house, part)
    if not _cached(house) or not path.is_file():
        return None
    with suppress(InputError, *NOT_JSON):
        stored = decoded(files.read_bytes(path))
        return stored if (stored.house, stored.register, stored.held_out) == (house, *part) else None
    return None


def encoded_episodes(house: str, part: HousePart) -> bytes:
    """Return the episodes of a house as the cache holds them, for other processes."""
    return msgspec.json.encode(house_episodes(house, part))


def decoded(encoded: bytes) -> HouseEpisodes:
    """Return episodes from what `encoded_episodes` returned."""
    return msgspec.json.decode(encoded, type=HouseEpisodes)


def cache_path(house: str, part: HousePart) -> Path:
    """Return where the episodes of a house lie in the cache, if they are there."""
    return files.cache_dir() / "house-episodes" / episodes_key() / f"{house}-{part.name}.json.gz"


@cache
def episodes_key() -> str:
    """Return the name of the cache folder for episodes of this version in houses of this version."""
    language = [
        path for path in (PACKAGE / "language").rglob("*") if path.suffix in (".py", ".json", ".lark")
    ]
    folders = ("types", "worlds", "worlds/graph", "worlds/rendering")
    sources = [
        *sorted(language),
        *(path for folder in folders for path in sorted((PACKAGE / folder).glob("*.py"))),
        Path(__file__).with_name("house_paths.py"),
        Path(__file__),
    ]
    own = cache_key(EPISODES_VERSION, libraries=("scipy", "embreex"), sources=sources)
    return f"{houses_key()}-{own}"


def _cached(house: str) -> bool:
    return SPLITS[split_of(house)].cached


def _made(house: str, part: HousePart) -> HouseEpisodes:
    from vlnscope.worlds.houses.house import house_scene

    scene = house_scene(load_house(house))
    plain = HousePart("r2r", part.held_out)
    base = stored_episodes(house, plain) or _kept(
        plain, make_episodes(scene, seed_of(house), held_out=part.held_out)
    )
    return base if part == plain else _kept(part, reworded(scene, base, part.register))


def _kept(part: HousePart, stored: HouseEpisodes) -> HouseEpisodes:
    if _cached(stored.house):
        with suppress(InputError), files.write_whole(cache_path(stored.house, part)) as stream:
            stream.write(msgspec.json.encode(stored))
    return stored


def make_episodes(scene: Scene, seed: int, *, held_out: bool = False) -> HouseEpisodes:
    """Draw the paths of a house and describe them in the manner of R2R.

    Paths are numbered from ``100 * seed`` on, or from ``100 * seed + 60`` on if they are held out.

    Args:
        scene: the house.
        seed: what it is made from.
        held_out: whether to take the paths of `val_seen`.
    """
    wanted = HELD_OUT_PATHS if held_out else PATHS
    first = _IDS * seed + (_HELD_OUT_IDS if held_out else 0)
    given_up: list[tuple[str, str]] = []
    episodes: list[Episode] = []
    for path in islice(house_paths(scene, seed, held_out=held_out), _TRIES * wanted):
        path_id = first + len(episodes) // INSTRUCTIONS
        descriptions: list[Description] = []
        for it in instructions(scene, path.nodes, path.heading, "r2r", seed=path_id):
            descriptions.append(it)
            if it.ambiguous:
                given_up.append((f"{path.nodes[0]} … {path.nodes[-1]}", it.ambiguous))
                break
        else:
            episodes += _episodes(scene.id, path, path_id, descriptions)
        if len(episodes) == wanted * INSTRUCTIONS:
            break
    return HouseEpisodes(
        house=scene.id,
        register="r2r",
        held_out=held_out,
        wanted=wanted,
        given_up=tuple(given_up),
        episodes=tuple(episodes),
    )


def reworded(scene: Scene, base: HouseEpisodes, register: Register) -> HouseEpisodes:
    """Describe the paths of `base` in another register, as well as it can be done."""
    descriptions = (
        it
        for old in base.episodes[::INSTRUCTIONS]
        for it in instructions(scene, old.path, old.heading or 0.0, register, seed=int(old.path_id))
    )
    episodes = tuple(_worded(old, it, register) for old, it in zip(base.episodes, descriptions, strict=True))
    return msgspec.structs.replace(base, register=register, episodes=episodes)


def instructions(
    scene: Scene, nodes: Sequence[str], heading: float, register: Register, *, seed: int
) -> Iterator[Description]:
    """Yield the instructions of a path, all different and none ambiguous if a few attempts can achieve it.

    Args:
        scene: where the path is.
        nodes: its viewpoints.
        heading: where the walker looks at the start.
        register: how to word them.
        seed: whatever the random choices should depend on.
    """
    from vlnscope.language.describe.describer import Describer

    describer = Describer(scene, nodes, heading)
    texts: list[str] = []
    for number in range(INSTRUCTIONS):
        for attempt in range(_ATTEMPTS):
            it = describer.describe(register, variant=number + INSTRUCTIONS * attempt, seed=seed)
            if not it.ambiguous and it.text not in texts:
                break
        texts.append(it.text)
        yield it


def _episodes(house: str, path: HousePath, path_id: int, instructions: list[Description]) -> list[Episode]:
    return [
        _worded(
            Episode(
                episode_id=f"{path_id}_{variant}",
                path_id=str(path_id),
                scan=house,
                instruction="",
                path=path.nodes,
                heading=path.heading,
                distance=round(path.length, 2),
                instruction_index=variant,
            ),
            it,
            "r2r",
        )
        for variant, it in enumerate(instructions)
    ]


def _worded(episode: Episode, instructions: Description, register: Register) -> Episode:
    spoken = register == "rxr"
    return msgspec.structs.replace(
        episode,
        instruction=instructions.text,
        chunks=instructions.chunks,
        language="en-US" if spoken else None,
        words=instructions.timed_words if spoken else (),
    )
