"""A session: the only thing that moves an agent.

    session = Session(environment)
    observation = session.reset(episode)
    while not session.stopped:
        observation = session.step(choose(observation.actions))

Rollouts, forced prefixes, the oracle phases of tours, gymnasium and agents over HTTP all go through it. The
drivers that move thousands of agents with arrays (`engine.vectorised`, `training.rollouts`) are tested to end
up where a session does.
"""

from __future__ import annotations

from typing import Any

from vlnscope.engine.environment import Environment, without_answer
from vlnscope.types import STOP, Action, Episode, Observation


class Session:
    """One agent in one episode.

    Attributes:
        poses: where it was, the start first; what it was led through by an oracle is left out.
        segments: of how many poses each step is, the start first: more than one where it leapt.
        steps: how many steps it has made, forced ones included.
        stopped: whether it has stopped.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._space = environment.space
        self.poses: list[Any] = []
        self.segments: list[int] = []
        self.steps = 0
        self.stopped = False

    def reset(self, episode: Episode, *, pose: Any = None) -> Observation:
        """Put the agent at the start of an episode, or in a `pose` of the space."""
        environment = self._environment
        self._scene = environment.scene(episode.scan)
        self._annotation = environment.annotation(episode)
        self._episode = without_answer(episode)
        self._pose = self._space.start(self._episode) if pose is None else pose
        self.poses = [self._pose]
        self.segments = [1]
        self.steps = 0
        self.stopped = False
        return self.observe()

    def step(self, action: Action, *, led: bool = False, onward: bool = False) -> Observation:
        """Do an action.

        Args:
            action: one of the observation's, or any other that the space understands if the agent is forced.
            led: an oracle leads the agent: it moves, and neither its trajectory nor its step count grows.
                Only so does an agent move that has stopped.
            onward: the move goes on with the route that the move before began, and is no step of its own.

        Raises:
            RuntimeError: the episode is over, or none has begun.
        """
        if not self.poses or (self.stopped and not led):
            raise RuntimeError(f"{'the episode is over' if self.poses else 'no episode'}: call reset first")
        if action == STOP:
            self.stopped = True
            return self._observation
        move = self._space.lead if led else self._space.move
        self._pose = move(self._scene, self._pose, action)
        if not led:
            self.poses.append(self._pose)
            if onward:
                self.segments[-1] += 1
            else:
                self.segments.append(1)
                self.steps += 1
        return self.observe()

    def show(self, pose: Any) -> Observation:
        """Return what the agent is given in another pose, without putting it there."""
        return self._environment.observe(self._episode, pose, self.steps, self._annotation)

    def observe(self) -> Observation:
        """Return what the agent is given where it is."""
        self._observation = self._environment.observe(self._episode, self._pose, self.steps, self._annotation)
        return self._observation

    @property
    def pose(self) -> Any:
        """Where the agent is, also while an oracle leads it."""
        return self._pose

    @property
    def viewpoint(self) -> str:
        """Where the agent stands, or the viewpoint that it is nearest to."""
        return self._space.viewpoint(self._scene, self._pose)
