"""Oracles in continuous space: Habitat's greedy follower as an agent, and one that errs at a known rate."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.agents.counting import CountingAgent, episode_key
from vlnscope.agents.protocol import Annotation
from vlnscope.agents.spec import AgentSpec, Option
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import uniform
from vlnscope.types import STOP, Action, Decision, Episode, Observation, Point, SpaceObservation
from vlnscope.worlds.continuous.follower import ARRIVED, GreedyFollower, NoWayError
from vlnscope.worlds.continuous.motion import pose_at

FOLLOWS = ("goal", "reference")
FOLLOW = Option(str, "goal", "goal (the shortest way there) or reference (point by point)")
RADIUS = Option(float, 0.25, "how near it comes to the goal before it stops, in metres along the ground")


class GreedyFollowerAgent:
    """Does what Habitat's greedy follower does, and stops where it arrives or finds no way.

    Args:
        follow: ``goal``, or ``reference``: one point of the reference path after the other.
        radius: how near is near enough.
    """

    needs = ("annotation",)
    action_space = "vlnce"

    def __init__(self, follow: str = "goal", radius: float = 0.25) -> None:
        if follow not in FOLLOWS or not radius > 0:
            raise InputError(
                f"an oracle cannot follow {follow!r} to {radius} m",
                expected="goal or reference, and a distance above 0",
                fix="write follow=reference,radius=0.25",
            )
        self._follow = follow
        self._radius = radius
        self._follower: GreedyFollower | None = None
        self._goals: list[Point] = []

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Look up where to go."""
        annotation: Annotation = observation.seen["annotation"]
        self._follower = GreedyFollower(annotation.scene.layer("navmesh"), self._radius)
        self._goals = list(goals_of(annotation.episode, self._follow))

    def act(self, observation: Observation) -> Decision:
        """Take the next step, or stop."""
        return Decision.choose(observation, observation.actions.index(self.right(observation)))

    def right(self, observation: Observation) -> Action:
        """Return the right action."""
        assert isinstance(observation, SpaceObservation)
        assert self._follower is not None
        pose = pose_at(observation.position, observation.rotation)
        try:
            while self._goals:
                advice = self._follower.next(pose, self._goals[0])
                if advice != ARRIVED:
                    return advice
                self._goals.pop(0)
        except NoWayError:
            pass
        return STOP


def goals_of(episode: Episode, follow: str) -> Sequence[Point]:
    """Return the points that an oracle walks to: the goal, or the reference after its start."""
    space = episode.continuous
    if space is None or not space.goals:
        raise InputError(
            f"episode {episode.episode_id} has no goal in space",
            expected="an episode of a data set in continuous space whose goals are known",
            fix="name such data, for example houses-ce/val_unseen",
        )
    return space.goals[:1] if follow == "goal" else (space.reference_path[1:] or space.goals[:1])


class NoisyFollowerAgent(CountingAgent):
    """Does the right thing, but for a share of decisions in which it does any other with equal chance.

    Args:
        p: share of wrong decisions.
        follow: what the right thing is; see `GreedyFollowerAgent`.
        seed: of all choices.
    """

    needs = ("annotation",)
    action_space = "vlnce"

    def __init__(self, p: float, follow: str, seed: int) -> None:
        if not 0 <= p <= 1:
            raise InputError(
                f"agent 'noisy': p={p} is no probability",
                expected="a number from 0 to 1",
                fix="for example p=0.3",
            )
        self._p = p
        self._seed = seed
        self._oracle = GreedyFollowerAgent(follow)

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Start counting decisions."""
        super().start_episode(instruction, observation)
        self._oracle.start_episode(instruction, observation)

    def act(self, observation: Observation) -> Decision:
        """Do what is right, or something else."""
        key, step = episode_key(observation), self.count()
        choice = observation.actions.index(self._oracle.right(observation))
        if uniform(self._seed, "noisy slip", key, step) < self._p:
            other = int(uniform(self._seed, "noisy choice", key, step) * (len(observation.actions) - 1))
            choice = other + (other >= choice)
        return Decision.choose(observation, choice)


SHORTEST = AgentSpec(
    name="shortest",
    summary="oracle: Habitat's greedy follower, to the goal or along the reference",
    make=lambda follow, radius, seed: GreedyFollowerAgent(follow, radius),
    options={"follow": FOLLOW, "radius": RADIUS},
)
NOISY = AgentSpec(
    name="noisy",
    summary="oracle that errs with probability p at each action, stopping included",
    make=NoisyFollowerAgent,
    options={"p": Option(float, 0.1, "share of actions that are wrong"), "follow": FOLLOW},
)
