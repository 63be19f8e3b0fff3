"""The paths of a house in continuous space: start, goal, reference and an expert's way, as R2R-CE has them.

A viewpoint is where an agent's feet stand on the navigation mesh below it. As in R2R-CE, the agent first
looks along the heading of the episode rounded to 30°, and the ground truth is what VLN-CE's older follower
does, led from one point of the reference to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from vlnscope.core import files
from vlnscope.core.cache_key import cache_key
from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import NOT_JSON
from vlnscope.episodes.datasets.house_episodes import HousePart, episodes_key, house_episodes
from vlnscope.episodes.in_space import path_in_space
from vlnscope.types import Continuous, Episode, Point, Points
from vlnscope.worlds.continuous.body import MOVES
from vlnscope.worlds.continuous.follower import Follower, GreedyFollower, TurningFollower, walk_along
from vlnscope.worlds.continuous.motion import SpacePose, pose_at
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.houses.splits import SPLITS, HouseScenes, split_of
from vlnscope.worlds.scene import Scene

SPACE_VERSION = 2
"""Version of these paths and walks, raised and guarded like `GENERATOR_VERSION` of the houses they are in."""
NEAR = 0.5
"""How near the expert comes to each point of the reference, as in R2R-CE's ground truth."""
_LIMIT = 200


class HousePaths(msgspec.Struct, frozen=True, kw_only=True):
    """The paths of a house in continuous space, by `Episode.path_id`."""

    house: str
    held_out: bool
    paths: dict[str, Continuous]


def house_paths_in_space(house: str, part: HousePart) -> HousePaths:
    """Return the paths of a house, from the cache if they are there, else made (and kept).

    All registers word the same paths, so `part.register` does not matter. Houses of `fresh` leave no trace.
    """
    path = _cache_path(house, part)
    cached = SPLITS[split_of(house)].cached
    if cached and path.is_file():
        with suppress(InputError, *NOT_JSON):
            stored = msgspec.json.decode(files.read_bytes(path), type=HousePaths)
            if (stored.house, stored.held_out) == (house, part.held_out):
                return stored
    plain = house_episodes(house, HousePart("r2r", part.held_out))
    made = _made(HouseScenes([house]).scene(house), part.held_out, plain.episodes)
    if cached:
        with suppress(InputError), files.write_whole(path) as stream:
            stream.write(msgspec.json.encode(made))
    return made


def encoded_paths(house: str, part: HousePart) -> bytes:
    """Return the paths of a house as the cache holds them, for other processes."""
    return msgspec.json.encode(house_paths_in_space(house, part))


def _cache_path(house: str, part: HousePart) -> Path:
    from vlnscope.worlds.continuous.bake.bake import VERSION

    own = cache_key(f"{SPACE_VERSION}.{VERSION}", libraries=(), sources=_sources())
    name = f"{house}-held-out" if part.held_out else house
    return files.cache_dir() / "house-space" / f"{episodes_key()}-{own}" / f"{name}.json.gz"


def _sources() -> Sequence[Path]:
    from vlnscope.episodes import in_space
    from vlnscope.worlds import projection
    from vlnscope.worlds.continuous import body, follower, motion

    modules = (in_space, projection, body, follower, motion)
    return [*(Path(str(module.__file__)) for module in modules), Path(__file__)]


def _made(scene: Scene, held_out: bool, episodes: Sequence[Episode]) -> HousePaths:
    distinct: Mapping[str, Episode] = {episode.path_id: episode for episode in episodes}
    paths = {path_id: walked_path(scene, episode) for path_id, episode in distinct.items()}
    return HousePaths(house=scene.id, held_out=held_out, paths=paths)


def walked_path(scene: Scene, episode: Episode) -> Continuous:
    """Return the path of an episode in continuous space, with the walk of an expert along it."""
    place = path_in_space(scene, episode)
    start = pose_at(place.start_position, place.start_rotation)
    codes, locations = expert_walk(scene.layer("navmesh"), start, place.reference_path)
    return msgspec.structs.replace(
        place, locations=locations, actions=codes, forward_steps=codes.count(MOVES["forward"])
    )


def expert_walk(
    ground: PathFinder, start: SpacePose, reference: Sequence[Point]
) -> tuple[tuple[int, ...], Points]:
    """Return the actions of an expert along a reference, stopping included, and where its steps led.

    Where the older follower gets stuck, Habitat's greedy one takes over for the whole walk.

    Returns:
        Action numbers as in Habitat, and locations: the start, and one for each step forward.
    """
    followers: tuple[Follower, ...] = (TurningFollower(ground, NEAR), GreedyFollower(ground, NEAR))
    for follower in followers:
        moves = list(walk_along(follower, ground, start, reference[1:], limit=_LIMIT))
        end = moves[-1][1] if moves else start
        if float(ground.distance([end.position], [reference[-1]])[0]) <= NEAR:
            break
    codes = [MOVES[move] for move, _ in moves]
    steps = [pose.position for move, pose in moves if move == "forward"]
    return (*codes, 0), (start.position, *steps)
