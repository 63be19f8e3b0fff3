"""An agent under test: how it is made, where it is tried, and what it did there."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from vlnscope.agents.protocol import action_space_of, is_batched, is_need, needs_of
from vlnscope.agents.spec import make_agent
from vlnscope.agents.vectorised import has_many
from vlnscope.engine.action_space import make_action_space
from vlnscope.engine.batched import roll_out_batches
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.vectorised import roll_out_arrays
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.conformance.course import (
    EPISODES,
    course_of,
    placed_course,
    shortened,
    with_small_views,
)
from vlnscope.types import Case, Episode, Rules

RULES = Rules(max_steps=8, log="all")
Behaviour = dict[str, tuple[Any, ...]]
"""What an agent did in each case: why it failed, its path, whether it stopped, its decisions if it told, and
in space where it was."""
LOOKS = {"views", "rgb", "depth", "semantic"}
"""Pictures take long to draw: an agent that needs one of these is tried on few episodes."""


class NotApplicableError(Exception):
    """A rule that cannot be tested with this agent, and why."""


class TrialSetup(NamedTuple):
    """Which agent is tried, and on which data; what another process needs to try it, too.

    Attributes:
        agent: its name, or a class or function without arguments that makes one.
        data: data set to try it on; a house that vlnscope builds if None.
        root: folder of the data.
        seed: of the agent.
    """

    agent: str | Callable[[], Any]
    data: str | Dataset | None = None
    root: str | Path | None = None
    seed: int = 0

    def make(self) -> Any:
        """Make a fresh agent of the same seed."""
        if isinstance(self.agent, str):
            return make_agent(self.agent, seed=self.seed).agent
        return self.agent()

    @property
    def identity(self) -> str:
        """What the agent is called."""
        if isinstance(self.agent, str):
            return make_agent(self.agent, seed=self.seed).identity
        return str(getattr(self.agent, "__qualname__", type(self.agent).__name__))


class AgentTrial:
    """An agent under test.

    Args:
        source: which agent, on which data.
        episodes: how many episodes it is tried on; two if it looks at pictures.
    """

    def __init__(self, source: TrialSetup, episodes: int = EPISODES) -> None:
        self.source = source
        self.make = source.make
        self.sample = self.make()
        needs = tuple(need for need in needs_of(self.sample) if is_need(need))
        space = action_space_of(self.sample)
        course = course_of(source.data, source.root, episodes)
        course = placed_course(course) if make_action_space(space).continuous else course
        course = with_small_views(course) if "views" in needs else course
        self.course = course = (
            shortened(course) if LOOKS & {need.partition(":")[0] for need in needs} else course
        )
        self.untouched = copy.deepcopy(course.episodes[0])
        self.environment = Environment(course.scenes, needs, course.root, space)
        self.narrow = Environment(course.narrow, needs, course.root, space)

    def jobs(self, *, forced: int = 0, episodes: Sequence[Episode] | None = None) -> list[Job]:
        """Return a job per episode."""
        chosen = self.course.episodes if episodes is None else episodes
        return [
            _job(e.episode_id, [Case(case_id=e.episode_id, episode=e, forced_steps=forced)]) for e in chosen
        ]

    def tour(self) -> Job:
        """Return a tour through the first scene, with oracle phases."""
        first = self.course.episodes[0].scan
        cases = [Case(case_id=e.episode_id, episode=e) for e in self.course.episodes if e.scan == first]
        return _job("tour", cases[:3], toured=True)

    def roll_out(
        self, agent: Any, jobs: Sequence[Job], environment: Environment | None = None, *, size: int = 1
    ) -> Behaviour:
        """Roll an agent out on jobs, `size` at once if it takes lists; return what it did in each."""
        env = environment or self.environment
        if is_batched(agent):
            return _did(roll_out_batches(agent, jobs, env, RULES, size))
        return _did(line for job in jobs for line in roll_out(agent, job, env, RULES))

    def roll_out_arrays(self, agent: Any, jobs: Sequence[Job]) -> Behaviour:
        """Let an agent that decides with arrays do so; it does not tell its decisions."""
        return _did(line for lines in roll_out_arrays(agent, jobs, self.environment, RULES) for line in lines)

    @property
    def drivers(self) -> list[Callable[[Any, Sequence[Job]], Behaviour]]:
        """How runs may drive the agent: by `roll_out`, or by arrays too."""
        by_arrays = has_many(self.sample) and not is_batched(self.sample)
        return [self.roll_out, self.roll_out_arrays] if by_arrays else [self.roll_out]


def failure(did: Behaviour) -> str | None:
    """Say how an agent failed, if it did."""
    failed = {case: what for case, (what, *_) in did.items() if what is not None}
    return next((f"episode {case}: {what}" for case, what in failed.items()), None)


def difference(first: Behaviour, second: Behaviour, what: str) -> str | None:
    """Say where two behaviours differ, if they do."""
    for case, did in first.items():
        other = second.get(case)
        if other != did:
            how = "paths" if other is None or other[1] != did[1] else "decisions"
            return f"{what}: different {how} in episode {case}"
    return None


def _job(name: str, cases: Sequence[Case], *, toured: bool = False) -> Job:
    return Job(name=name, scan=cases[0].episode.scan, cases=tuple(cases), toured=toured)


def _did(lines: Iterable[EvidenceLine]) -> Behaviour:
    return {
        line.case_id: (
            line.failed,
            line.path,
            line.stopped,
            msgspec.to_builtins(line.decisions),
            line.positions,
        )
        for line in lines
    }
