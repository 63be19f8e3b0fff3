"""DAgger (Ross et al. 2011) as VLN-CE trains: the agent itself walks, and an expert says what it would do.

In iteration n an agent does what the expert says with probability p^n, else what it draws from its own
distribution. What it saw is added to all that was learned from before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vlnscope.agents.continuous.experts import goals_of
from vlnscope.agents.learned.cma.policy import ContinuousPolicy
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps
from vlnscope.agents.learned.tensors import tokens_of
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.engine.continuous import ground_of
from vlnscope.perception.mapping import Mapper, TrueSemantics
from vlnscope.training.space.collection import ExpertStep, progress, stance_at, start_of, stored
from vlnscope.training.space.experiment import DaggerChoice
from vlnscope.training.space.preparation import ToldWalk, WalkTask, told_episodes
from vlnscope.training.space.training import SpaceTrainer
from vlnscope.training.space.walks import HouseWalks, packed_map
from vlnscope.training.watching import CurveRow
from vlnscope.types import Episode, Point
from vlnscope.worlds.cameras import camera_of
from vlnscope.worlds.continuous.body import MOVES, Body
from vlnscope.worlds.continuous.follower import ARRIVED, GreedyFollower, NoWayError
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in

_NAMES = {number: name for name, number in MOVES.items()}


@dataclass
class _Walker:
    """An agent on its way."""

    episode: Episode
    pose: SpacePose
    goal: Point
    follower: GreedyFollower
    mapper: Mapper
    chance: np.random.Generator
    state: Tensor
    previous: int = 0
    stopped: bool = False
    steps: list[ExpertStep] = field(default_factory=list)
    cells: list[NDArray[np.uint8]] = field(default_factory=list)
    depths: list[NDArray[np.uint8]] = field(default_factory=list)

    def advice(self) -> int:
        """Return the number of what the expert would do; it stops where it finds no way."""
        try:
            move = self.follower.next(self.pose, self.goal)
        except NoWayError:
            return 0
        return 0 if move == ARRIVED else MOVES[move]

    def choose(self, probabilities: NDArray[np.float64], expert: int, beta: float) -> int:
        """Return the number of what is done: the expert's move, or one drawn."""
        led, drawn = self.chance.random(2)
        if led < beta:
            return expert
        total = probabilities.cumsum()
        return int(np.searchsorted(total, drawn * total[-1], side="right").clip(max=len(total) - 1))

    def go(self, ground: PathFinder, action: int) -> None:
        """Do something."""
        self.previous, self.stopped = action, action == 0
        if action:
            self.pose = Body().after(ground, self.pose, _NAMES[action])


@torch.no_grad()
def policy_walks(
    model: ContinuousPolicy,
    task: WalkTask,
    scene: Scene,
    episodes: Sequence[Episode],
    iteration: int,
    choice: DaggerChoice,
) -> HouseWalks:
    """Let an agent walk episodes of a house, all at the same time.

    Args:
        model: the agent, in evaluation mode.
        task: what it learns.
        scene: the house.
        episodes: what it is told.
        iteration: the number of the iteration, from 1 on.
        choice: how far and how often it is led.
    """
    data, ground, semantics = task.experiment.data, ground_of(scene), TrueSemantics(scene)
    camera = camera_of(data.depth, "depth")
    device = model.action_distribution.linear.weight.device
    walkers = [
        _Walker(
            episode,
            start_of(episode),
            goals_of(episode, "goal")[0],
            GreedyFollower(ground, data.radius),
            Mapper(memory=data.lasting, camera=camera),
            rng_for(task.experiment.seed, "dagger", iteration, episode.episode_id),
            model.start(1),
        )
        for episode in episodes
    ]
    texts = [episode.instruction for episode in episodes]
    tokens, _ = tokens_of(texts, task.vocabulary, task.config.max_tokens)
    words = model.read(tokens.to(device))
    for number in range(choice.steps):
        rows = [row for row, walker in enumerate(walkers) if not walker.stopped]
        if not rows:
            break
        going = [walkers[row] for row in rows]
        poses = [walker.pose for walker in going]
        seen = look_in(scene, camera, [pose.position for pose in poses], [pose.yaw for pose in poses])
        sights = _sights(going, seen.depth, semantics.classes(seen), device)
        output = model(words, _steps(going, rows, sights, number > 0), torch.cat([w.state for w in going]))
        chances = output.logits[0].double().softmax(-1).cpu().numpy()
        for walker, row, after in zip(going, chances, output.state.split(1), strict=True):
            expert = walker.advice()
            walker.steps.append(
                ExpertStep(
                    walker.pose, previous=walker.previous, action=expert, walk=walker.episode.episode_id
                )
            )
            walker.state = after
            walker.go(ground, walker.choose(row, expert, choice.p**iteration))
    return _kept(walkers, ground)


def _sights(
    going: Sequence[_Walker],
    depth: NDArray[np.float32],
    classes: NDArray[np.uint8],
    device: torch.device,
) -> Sights:
    """Put what agents see on their maps, keep both, and return them."""
    maps = []
    for walker, own_depth, own_classes in zip(going, depth, classes, strict=True):
        stance = [stance_at(walker.pose)]
        walker.mapper.add(own_depth[None], stance, own_classes[None])
        maps.append(walker.mapper.read(stance))
        walker.cells.append(packed_map(maps[-1])[0])
        walker.depths.append(np.rint(own_depth[..., 0] * 255).astype(np.uint8))
    occupancy, kinds = (torch.from_numpy(np.concatenate(layer)) for layer in zip(*maps, strict=True))
    sights = Sights(depth=torch.from_numpy(depth), occupancy=occupancy, semantic=kinds)
    return sights.each(lambda tensor: tensor.to(device))


def _steps(going: Sequence[_Walker], rows: Sequence[int], sights: Sights, goes_on: bool) -> Steps:
    previous = torch.tensor([walker.previous for walker in going])
    same = torch.full_like(previous, goes_on, dtype=torch.bool)
    steps = Steps.one(sights, previous, same)
    steps = Steps(
        steps.sights, steps.previous, steps.same_episode, steps.same_tour, torch.tensor([rows]), steps.valid
    )
    return steps.to(going[0].state.device)


def _kept(walkers: Sequence[_Walker], ground: PathFinder) -> HouseWalks:
    """Return what agents saw, with how far they had come."""
    steps: list[ExpertStep] = []
    for walker in walkers:
        left = ground.distance([step.pose.position for step in walker.steps], walker.goal)
        shares = progress(left, float(left[0])).tolist()
        steps += [step._replace(progress=share) for step, share in zip(walker.steps, shares, strict=True)]
    cells = [cell for walker in walkers for cell in walker.cells]
    return stored(steps, cells, [depth for walker in walkers for depth in walker.depths])


class DaggerTrainer(SpaceTrainer):
    """A run in which the agent walks itself before some updates; its walks are kept in the run's folder."""

    _entered = 0

    def begin(self, resume: bool) -> None:
        """Make the folder ready, and take up the state that is in it.

        Raises:
            InputError: the folder cannot be used, or several processes are to learn together.
        """
        if self._ranks.count > 1:
            raise InputError(
                f"{self._ranks.count} processes cannot share a training in which the agent itself walks",
                expected="one process: what batch norms remember differs between processes, and so do walks",
                fix="leave --processes out, or set dagger.iterations=0",
            )
        super().begin(resume)

    def advance(self) -> CurveRow:
        """Let the agent walk if that is due, then do one update."""
        due = self._task.experiment.dagger.iteration_at(self.state.update)
        while self._entered < due:
            self._enter(self._entered + 1)
        return super().advance()

    def _enter(self, iteration: int) -> None:
        """Add the walks of an iteration to what is learned from; those that are missing are made."""
        choice, task = self._task.experiment.dagger, self._task
        folder = self._folder.path / "walks" / str(iteration)
        told: list[ToldWalk] = []
        begins = self.state.update == choice.begin_of(iteration)
        if begins:
            self._save()  # a run that is killed goes on from here, with the same agent
        self._watch.phase(f"iteration {iteration}: the agent walks in houses", len(task.episodes))
        self.model.eval()
        for done, (house, all_of_house) in enumerate(task.episodes.items()):
            self._watch.at(done)
            chance = rng_for(task.experiment.seed, "dagger", iteration, house)
            chosen = chance.permutation(len(all_of_house))[: choice.walks].tolist()
            episodes = [all_of_house[row] for row in chosen]
            file = folder / f"{house}.npz"
            if not file.is_file():
                self._refuse_late(file, begins)
                scene = task.scenes.scene(house)
                policy_walks(self.model, task, scene, episodes, iteration, choice).save(file)
            told += told_episodes(HouseWalks.read(file), episodes, task.vocabulary, task.config.max_tokens)
        self.model.train()
        self._learn_from((*self._walks, *told))
        self._entered = iteration

    @staticmethod
    def _refuse_late(file: Path, begins: bool) -> None:
        if not begins:
            raise InputError(
                f"{file}: is gone, and the agent that walked there has learned on",
                expected="the walks of all iterations in the folder of the run",
                fix="start again in another folder",
            )
