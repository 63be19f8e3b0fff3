"""Collects what an expert sees on its walks through houses, once for all instructions of a path.

The expert walks as agents do: alone, or through a tour, in which an oracle leads it from one walk to the next
and it sees what agents see (`vlnscope.engine.tour_loop`). All poses are known before anything is drawn, so
pictures are drawn many at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.agents.continuous.experts import goals_of
from vlnscope.core.cache_key import PACKAGE, cache_key
from vlnscope.core.files import cache_dir, digest
from vlnscope.core.json_file import json_text
from vlnscope.core.rng import rng_for
from vlnscope.engine.continuous import ground_of
from vlnscope.engine.tour_loop import TourEpisode, TourLoop
from vlnscope.perception.mapping import Mapper, TrueSemantics
from vlnscope.training.space import walks
from vlnscope.training.space.experiment import WalkChoice
from vlnscope.training.space.walks import HouseWalks, packed_map
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Episode, Floats, Point
from vlnscope.worlds.cameras import Stance, camera_of
from vlnscope.worlds.continuous.body import MOVES
from vlnscope.worlds.continuous.follower import GreedyFollower, walk_along
from vlnscope.worlds.continuous.motion import SpacePose, pose_at
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.scene import Scene, Scenes
from vlnscope.worlds.scene_looks import look_in

VERSION = 1
"""Version of the files, raised with every change of what they hold."""
TOGETHER = 64
"""So many pictures are drawn at once."""
LONGEST = 499
"""Moves of a walk, at most: with stopping, as many actions as agents have."""
_NEAR = 1.0
"""Walks that end farther from their goal, in metres along the ground, teach nothing and are left out."""


class ExpertStep(NamedTuple):
    """A step of a tour: where somebody stands, and what the expert does there.

    Attributes:
        pose: the pose.
        begins: whether an episode begins with it.
        led: whether an oracle leads, and the expert does nothing.
        previous: the number of the move before; 0 where a walk begins.
        action: the number of the expert's move; 0 for stopping.
        progress: the share of the way that is done.
        walk: the path that is walked; empty if it is not learned from.
    """

    pose: SpacePose
    begins: bool = False
    led: bool = False
    previous: int = 0
    action: int = 0
    progress: float = 0.0
    walk: str = ""


def collect(
    scenes: Scenes,
    episodes: Sequence[Episode],
    choice: WalkChoice,
    seed: int,
    watch: TrainingWatch,
) -> dict[str, Path]:
    """Make sure that the walks of all houses are stored; return their files by house.

    A house whose file is there already is not walked again.
    """
    houses: dict[str, list[Episode]] = {}
    for episode in episodes:
        houses.setdefault(episode.scan, []).append(episode)
    files = {house: walk_file(own, choice, seed) for house, own in houses.items()}
    missing = [house for house, file in files.items() if not file.is_file()]
    if missing:
        watch.phase("collecting walks in houses", len(missing))
    for done, house in enumerate(missing):
        watch.at(done)
        collected_walks(scenes.scene(house), houses[house], choice, seed).save(files[house])
    return files


def walk_file(episodes: Sequence[Episode], choice: WalkChoice, seed: int) -> Path:
    """Return where the walks of a house are kept: by what decides them, and by the code that makes them."""
    parts = ("perception/mapping", "worlds/continuous", "worlds/rendering")
    sources = [path for part in parts for path in sorted((PACKAGE / part).glob("*.py"))]
    sources += [Path(__file__), Path(str(walks.__file__))]
    key = cache_key(VERSION, libraries=("numpy", "embreex"), sources=sources)
    asked = msgspec.structs.replace(choice, train="", held=1)
    own = [(each.path_id, msgspec.to_builtins(each.continuous)) for each in episodes]
    name = digest(json_text({"asked": asked, "seed": seed, "episodes": own}).encode())[:24]
    return cache_dir() / "space-walks" / key / f"{episodes[0].scan}-{name}.npz"


def collected_walks(scene: Scene, episodes: Sequence[Episode], choice: WalkChoice, seed: int) -> HouseWalks:
    """Walk the paths of a house, look, and draw maps."""
    paths = list({episode.path_id: episode for episode in episodes}.values())[: choice.limit or None]
    ground = ground_of(scene)
    cells, depths, kept = [], [], []
    for tour in tours_of(paths, choice, seed):
        mapper = Mapper(memory=choice.lasting, camera=camera_of(choice.depth, "depth"))
        mapper.begin_tour()
        steps = list(tour_steps(ground, tour, choice))
        for step, (depth, classes) in zip(steps, looks(scene, steps, choice.depth), strict=True):
            stance = [stance_at(step.pose)]
            if step.begins:
                mapper.begin_episode()
            mapper.add(depth[None], stance, classes[None], led=step.led)
            if step.walk and not step.led:
                cells.append(packed_map(mapper.read(stance))[0])
                depths.append(np.rint(depth[..., 0] * 255).astype(np.uint8))
                kept.append(step)
    return stored(kept, cells, depths)


def stored(
    steps: Sequence[ExpertStep], cells: Sequence[NDArray[np.uint8]], depths: Sequence[NDArray[np.uint8]]
) -> HouseWalks:
    """Put steps of walks, one walk after the other, into arrays."""
    names = [step.walk for step in steps]
    starts = [row for row, name in enumerate(names) if row == 0 or name != names[row - 1]]
    return HouseWalks(
        cells=np.stack(cells),
        depth=np.stack(depths),
        previous=np.array([step.previous for step in steps], dtype=np.uint8),
        actions=np.array([step.action for step in steps], dtype=np.uint8),
        progress=np.array([step.progress for step in steps], dtype=np.float32),
        starts=np.array([*starts, len(steps)], dtype=np.int64),
        names=np.array([names[row] for row in starts], dtype=np.str_),
    )


def tours_of(paths: Sequence[Episode], choice: WalkChoice, seed: int) -> list[list[Episode]]:
    """Put the paths of a house into tours, in an order by chance; each is one of its own where maps end."""
    if choice.memory == "episodic":
        return [[path] for path in paths]
    order = rng_for(seed, "tours", paths[0].scan).permutation(len(paths)).tolist()
    return [[paths[row] for row in order[at : at + choice.tour]] for at in range(0, len(order), choice.tour)]


def tour_steps(ground: PathFinder, tour: Sequence[Episode], choice: WalkChoice) -> Iterator[ExpertStep]:
    """Yield the steps of a tour, in the order in which they are seen."""
    stops = [goals_of(episode, choice.follow) for episode in tour]
    starts = [start_of(episode) for episode in tour]
    loop = TourLoop(
        ground,
        [
            TourEpisode(episode.path_id, "tour", start, goals[-1])
            for episode, start, goals in zip(tour, starts, stops, strict=True)
        ],
    )
    for episode, goals in zip(tour, stops, strict=True):
        shown = loop.reset().shown
        begins = True
        while loop.phase == "oracle_start":
            yield ExpertStep(shown, begins=begins, led=True)
            shown, begins = loop.step("").shown, False
        own = list(expert_steps(ground, loop.pose, goals, choice.radius, episode.path_id))
        yield own[0]._replace(pose=shown, begins=begins)
        yield from own[1:]
        led = loop.take_over(own[-1].pose)
        while not led.episode_done:
            led = loop.step("")
            yield ExpertStep(led.shown, led=True)


def expert_steps(
    ground: PathFinder, start: SpacePose, goals: Sequence[Point], radius: float, walk: str
) -> Iterator[ExpertStep]:
    """Yield the steps of an expert from a start to one goal after the other; it stops at the last."""
    moves = list(islice(walk_along(GreedyFollower(ground, radius), ground, start, goals), LONGEST))
    codes = [MOVES[move] for move, _ in moves]
    poses = [start, *(pose for _, pose in moves)]
    left = ground.distance([pose.position for pose in poses], goals[-1])
    name = walk if left[-1] < _NEAR else ""
    done = progress(left, float(left[0]))
    for pose, before, code, share in zip(poses, [0, *codes], [*codes, 0], done.tolist(), strict=True):
        yield ExpertStep(pose, previous=before, action=code, progress=share, walk=name)


def progress(left: Floats, whole: float) -> Floats:
    """Return the shares of a way that are done where so much is left; 0 where there is no way."""
    shares = (whole - left) / max(whole, 1e-6)
    return np.where(np.isfinite(shares), shares, 0.0)


def looks(
    scene: Scene, steps: Sequence[ExpertStep], camera: str
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.uint8]]]:
    """Yield depth and classes as they are seen at steps, drawn many at a time."""
    semantics, eye = TrueSemantics(scene), camera_of(camera, "depth")
    for at in range(0, len(steps), TOGETHER):
        poses = [step.pose for step in steps[at : at + TOGETHER]]
        seen = look_in(scene, eye, [pose.position for pose in poses], [pose.yaw for pose in poses])
        yield from zip(seen.depth, semantics.classes(seen), strict=True)


def stance_at(pose: SpacePose) -> Stance:
    """Return how a body stands in a pose."""
    return Stance(pose.position, pose.yaw, pose.pitch)


def start_of(episode: Episode) -> SpacePose:
    """Return where an episode begins."""
    assert episode.continuous is not None  # whoever opens data for training has checked it
    return pose_at(episode.continuous.start_position, episode.continuous.start_rotation)
