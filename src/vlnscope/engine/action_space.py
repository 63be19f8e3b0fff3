"""Action spaces: what an agent may do, and where that takes it.

An action space is one class: it says where an episode begins, what is offered there, where an action leads,
how forced prefixes and oracle phases go, and how all of it is written into evidence. Nothing else in vlnscope
knows what an action is, so a new space is one module in `vlnscope.engine.action_spaces` that calls
`register_action_space`, or one class in a package that has an entry point in ``vlnscope.action-space``.

An agent names the space it acts in as ``action_space``; ``graph`` (candidates and stop) if it does not say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.types import Action, Decision, Episode, Observation, OracleRule
from vlnscope.worlds.cameras import Stance
from vlnscope.worlds.scene import Scene

P = TypeVar("P")


class OraclePhases(NamedTuple):
    """The actions with which an oracle leads an agent to its goal, and then on to where it starts next."""

    to_goal: tuple[str, ...] = ()
    to_start: tuple[str, ...] = ()


class ActionSpace(ABC, Generic[P]):
    """What an agent may do. `P` is the type of its poses, which nobody else looks into.

    A space is made once per worker, so it may keep what it has worked out. `start` and `observe` are given an
    episode without its answer, so no space can show it by mistake.

    Attributes:
        name: what agents call it in ``action_space``.
        continuous: whether agents move in continuous space, and not from viewpoint to viewpoint.
        decides_next: whether a decision says which viewpoint comes next; if not, the walk after it does.
    """

    name: ClassVar[str]
    continuous: ClassVar[bool] = False
    decides_next: ClassVar[bool] = True

    @abstractmethod
    def start(self, episode: Episode) -> P:
        """Return the pose in which an episode begins."""

    @abstractmethod
    def observe(
        self, scene: Scene, pose: P, episode: Episode, step: int, seen: Mapping[str, Any]
    ) -> Observation:
        """Return what an agent is given in a pose; its ``actions`` are what it may choose from, `STOP` last.

        Args:
            scene: where it is.
            pose: how it stands.
            episode: the episode, without its answer.
            step: how many moves it has made.
            seen: what it declared that it needs.
        """

    @abstractmethod
    def viewpoint(self, scene: Scene, pose: P) -> str:
        """Return the viewpoint that an agent in this pose stands at, or is nearest to: what it sees there."""

    @abstractmethod
    def move(self, scene: Scene, pose: P, action: Action) -> P:
        """Return the pose after an action other than `STOP`."""

    @abstractmethod
    def forced(self, scene: Scene, pose: P, episode: Episode, steps: int) -> Sequence[Action]:
        """Return the actions that lead from the start along the first `steps` steps of the reference."""

    @abstractmethod
    def phases(
        self, scene: Scene, pose: P, episode: Episode, onward: Episode | None, rule: OracleRule
    ) -> OraclePhases:
        """Return how an oracle leads an agent from where it ended to its goal and to the next episode."""

    @abstractmethod
    def trajectory(self, poses: Sequence[P], scene: Scene | None = None) -> dict[str, Any]:
        """Return the members of an evidence line that tell where an agent was.

        Args:
            poses: where it was, the start first.
            scene: the scene, where it can be opened; a line that says why a case failed does without.
        """

    def lead(self, scene: Scene, pose: P, action: Action) -> P:
        """Return the pose after an oracle leads an agent through an action."""
        return self.move(scene, pose, action)

    def stance(self, scene: Scene, pose: P) -> Stance | None:
        """Return where exactly cameras stand; None if that is the viewpoint."""
        return None

    def walked_to(self, scene: Scene, viewpoint: str, poses: Sequence[P]) -> str | None:
        """Return the candidate of a viewpoint that a walk from there leads to first; None if it stays."""
        return next((self.viewpoint(scene, pose) for pose in poses), None)

    def limit(self, steps: int) -> int:
        """Return how many actions an agent has where it has so many steps on a graph."""
        return steps

    def choices(self, observation: Observation, decision: Decision) -> tuple[Action, ...]:
        """Return what the probabilities of a decision are about: what the observation offers.

        A space in which agents propose actions themselves returns ``decision.proposals`` instead, and raises
        `AgentError` where it cannot do one of them.
        """
        return observation.actions

    def written(self, action: Action) -> str:
        """Return how an action is written into evidence."""
        return action if isinstance(action, str) else ",".join(f"{number:g}" for number in action)


S = TypeVar("S", bound=type[ActionSpace[Any]])


def register_action_space(space: S) -> S:
    """Make an action space known under its name; a decorator."""
    return registry.register("action-space", space.name, space)


def make_action_space(name: str) -> ActionSpace[Any]:
    """Make the action space called `name`.

    Raises:
        InputError: there is none, or what a plug-in offers is none.

    Example:
        >>> make_action_space("graph").name
        'graph'
    """
    kind = registry.get("action-space", name)
    if not (isinstance(kind, type) and issubclass(kind, ActionSpace)):
        raise InputError(
            f"the action space {name!r} is {kind!r}",
            expected="a subclass of vlnscope.engine.action_space.ActionSpace",
            fix="name such a class in the entry point of the package that provides it",
        )
    return kind()
