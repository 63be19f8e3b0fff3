"""What is checked of an agent, one function each: it returns what is wrong, or None."""

from __future__ import annotations

import copy
import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np

from vlnscope.agents.many import has_many
from vlnscope.agents.protocol import NEEDS, is_batched, needs_of
from vlnscope.agents.wire import plain
from vlnscope.engine.batches import roll_batches
from vlnscope.engine.environment import Environment, start_pose
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import STOPS_THE_RUN, roll
from vlnscope.engine.vector import roll_many
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.studies.agent_course import Course, with_small_views
from vlnscope.types import Case, Episode, Observation, Rules

RULES = Rules(max_steps=8, log="all")
NOT_APPLICABLE = "not applicable"
_ARGUMENTS = {
    "start_tour": 1, "start_episode": 2, "act": 1, "observe": 1, "end_episode": 0, "end_tour": 0
}  # fmt: skip
_Did = dict[str, tuple[Any, ...]]


class Trial:
    """An agent under test: how to make it, and where it is tried.

    Args:
        make: makes a fresh agent of the same seed.
        course: where.
    """

    def __init__(self, make: Callable[[], Any], course: Course) -> None:
        self.make = make
        self.sample = make()
        needs = tuple(need for need in needs_of(self.sample) if _is_need(need))
        self.course = course = with_small_views(course) if "views" in needs else course
        self.untouched = copy.deepcopy(course.episodes[0])
        self.environment = Environment(course.scenes, needs, course.root)
        self.narrow = Environment(course.narrow, needs, course.root)

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

    def lives(self, agent: Any, jobs: Sequence[Job], environment: Environment | None = None) -> _Did:
        """Let an agent live through jobs; return what it did in each case."""
        env = environment or self.environment
        if is_batched(agent):
            return _did(roll_batches(agent, jobs, env, RULES, 1))
        return _did(line for job in jobs for line in roll(agent, job, env, RULES))


def _job(name: str, cases: Sequence[Case], *, toured: bool = False) -> Job:
    return Job(name=name, scan=cases[0].episode.scan, cases=tuple(cases), toured=toured)


def _did(lines: Iterator[EvidenceLine]) -> _Did:
    return {
        line.case_id: (line.failed, line.path, line.stopped, msgspec.to_builtins(line.decisions))
        for line in lines
    }


def methods(trial: Trial) -> str | None:
    """Its methods exist and take what they are given."""
    extra = int(is_batched(trial.sample))
    for name, count in _ARGUMENTS.items():
        method = getattr(trial.sample, name, None)
        if method is None and name != "act":
            continue
        if not callable(method):
            return f"`{name}` is of the type {type(method).__name__}, not a method"
        try:
            inspect.signature(method).bind(*[None] * (count + extra))
        except (TypeError, ValueError) as error:
            return f"`{name}` cannot be called with {count + extra} arguments: {error}"
    return None


def needs(trial: Trial) -> str | None:
    """What it needs has a name that is known."""
    told = getattr(trial.sample, "needs", ())
    if isinstance(told, str) or not isinstance(told, Sequence):
        return f"`needs` is {told!r}; it must be a tuple of names, such as ('objects',)"
    unknown = [need for need in told if not _is_need(need)]
    return f"`needs` names {unknown[0]!r}; known are {', '.join(NEEDS)}, features:NAME" if unknown else None


def _is_need(need: Any) -> bool:
    return need in NEEDS or (isinstance(need, str) and need.startswith("features:"))


def decisions(trial: Trial) -> str | None:
    """It finishes every episode, with a distribution over candidates and stop at each step."""
    return _failure(trial.lives(trial.make(), trial.jobs()))


def forced(trial: Trial) -> str | None:
    """It can be led along a path before it decides."""
    return _failure(trial.lives(trial.make(), trial.jobs(forced=2)))


def tours(trial: Trial) -> str | None:
    """It can walk several episodes in one tour, led from one to the next."""
    return _failure(trial.lives(trial.make(), [trial.tour()]))


def dead_ends(trial: Trial) -> str | None:
    """It copes with places that have one way out, and with places that have none."""
    return _failure(trial.lives(trial.make(), trial.jobs(episodes=trial.course.ends), trial.narrow))


def determinism(trial: Trial) -> str | None:
    """Made twice with one seed, it decides alike, whatever random numbers others have drawn."""
    with _random_state(1):
        first = trial.lives(trial.make(), trial.jobs())
    with _random_state(2):
        second = trial.lives(trial.make(), trial.jobs())
    return _difference(first, second, "two agents of one seed")


@contextmanager
def _random_state(seed: int) -> Iterator[None]:
    """Put the global generators into a certain state, and back afterwards."""
    plain_state, numpy_state = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(plain_state)
        np.random.set_state(numpy_state)


def order(trial: Trial) -> str | None:
    """It does not matter which episodes it walked before."""
    jobs = trial.jobs()
    forward = trial.lives(trial.make(), jobs)
    backward = trial.lives(trial.make(), jobs[::-1])
    return _difference(forward, backward, "the same episodes in another order")


def memory(trial: Trial) -> str | None:
    """It forgets a tour when the tour ends."""
    agent, tour = trial.make(), trial.tour()
    first = trial.lives(agent, [tour])
    trial.lives(agent, trial.jobs())
    return _difference(first, trial.lives(agent, [tour]), "the same tour for the second time")


def idleness(trial: Trial) -> str | None:
    """It survives tours without episodes and episodes without a decision, and is none the wiser."""
    agent, job = trial.make(), trial.jobs()[0]
    episode = job.cases[0].episode
    seen = trial.environment.observe(episode, *start_pose(episode), 0)
    calls: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("start_tour", (job.scan,)),
        ("end_tour", ()),
        ("start_tour", (job.scan,)),
        ("start_episode", (episode.instruction, seen)),
        ("end_episode", ()),
        ("end_tour", ()),
    )
    for method, arguments in calls:
        function = getattr(agent, method, None)
        if function is None:
            continue
        told = ([0], *([value] for value in arguments)) if is_batched(agent) else arguments
        try:
            function(*told)
        except STOPS_THE_RUN:
            raise
        except Exception as error:  # whatever the agent does
            return f"`{method}` raised {type(error).__name__}: {error}"
    first = trial.lives(trial.make(), [job])
    return _difference(first, trial.lives(agent, [job]), "an episode after one without decisions")


def batches(trial: Trial) -> str | None:
    """It decides alike for many at once and one at a time."""
    jobs = trial.jobs()
    if is_batched(trial.sample):
        alone = _did(roll_batches(trial.make(), jobs, trial.environment, RULES, 1))
        for size in (2, len(jobs)):
            together = _did(roll_batches(trial.make(), jobs, trial.environment, RULES, size))
            if found := _difference(alone, together, f"one at a time and {size} at a time"):
                return found
        return None
    if not has_many(trial.sample):
        return NOT_APPLICABLE
    one = trial.lives(trial.make(), jobs)
    lines = (line for part in roll_many(trial.make(), jobs, trial.environment, RULES) for line in part)
    many = {line.case_id: (line.failed, line.path, line.stopped) for line in lines}
    return _difference({key: did[:3] for key, did in one.items()}, many, "act and act_many")


def observations(trial: Trial) -> str | None:
    """It leaves what it is shown as it is."""
    watched = _Watched(trial.make())
    [job] = trial.jobs(episodes=[copy.deepcopy(trial.untouched)])
    rules = msgspec.structs.replace(RULES, max_steps=3)
    if is_batched(watched):
        list(roll_batches(watched, [job], trial.environment, rules, 1))
    else:
        list(roll(watched, job, trial.environment, rules))
    return watched.complaint


class _Watched:
    """An agent whose observations are compared before and after each call."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self.batched = is_batched(agent)
        self.complaint: str | None = None

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._agent, name)
        if name not in ("start_episode", "observe", "act"):
            return method

        def call(*arguments: Any) -> Any:
            shown = arguments[-1] if self.batched else [arguments[-1]]
            before = [_snapshot(observation) for observation in shown]
            answer = method(*arguments)
            after = [_snapshot(observation) for observation in shown]
            if before != after and self.complaint is None:
                self.complaint = f"`{name}` changed the observation that it was given"
            return answer

        return call


def _snapshot(observation: Observation) -> Any:
    seen: dict[str, Any] = {}
    for need in observation.seen:
        value = observation.seen[need]
        if need == "annotation":
            seen[need] = msgspec.to_builtins(value.episode)
        else:
            seen[need] = plain(value) if _is_need(need) else repr(value)
    return msgspec.json.encode([plain(observation.candidates), seen])


def _failure(did: _Did) -> str | None:
    failed = {case: what for case, (what, *_) in did.items() if what is not None}
    return next((f"episode {case}: {what}" for case, what in failed.items()), None)


def _difference(first: _Did, second: _Did, what: str) -> str | None:
    for case, did in first.items():
        other = second.get(case)
        if other != did:
            how = "paths" if other is None or other[1] != did[1] else "decisions"
            return f"{what}: different {how} in episode {case}"
    return None


CHECKS: dict[str, Callable[[Trial], str | None]] = {
    check.__name__.replace("_", " "): check
    for check in (
        methods, needs, decisions, forced, tours, dead_ends, idleness, determinism, order, memory, batches,
        observations,
    )
}  # fmt: skip
