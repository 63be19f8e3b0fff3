"""What is checked of an agent, one function each: it returns what is wrong, or None."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from vlnscope.agents.protocol import is_batched, is_need, known_needs
from vlnscope.agents.vectorised import has_many
from vlnscope.engine.batched import roll_out_batches
from vlnscope.engine.rollout import STOPS_THE_RUN, roll_out
from vlnscope.engine.session import Session
from vlnscope.evaluate.conformance.leaks import answers, random_state
from vlnscope.evaluate.conformance.processes import hash_seeds
from vlnscope.evaluate.conformance.trial import (
    RULES,
    AgentTrial,
    Behaviour,
    NotApplicableError,
    difference,
    failure,
)
from vlnscope.perception.sight import encode_sight
from vlnscope.perception.wire import to_wire
from vlnscope.types import Observation

_ARGUMENTS = {
    "start_tour": 1, "start_episode": 2, "act": 1, "observe": 1, "end_episode": 0, "end_tour": 0
}  # fmt: skip


def methods(trial: AgentTrial) -> str | None:
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


def needs(trial: AgentTrial) -> str | None:
    """What it needs has a name that is known."""
    declared = getattr(trial.sample, "needs", ())
    if isinstance(declared, str) or not isinstance(declared, Sequence):
        return f"`needs` is {declared!r}; it must be a tuple of names, such as ('objects',)"
    unknown = [need for need in declared if not is_need(need)]
    return f"`needs` names {unknown[0]!r}; known are {', '.join(known_needs())}" if unknown else None


def decisions(trial: AgentTrial) -> str | None:
    """It finishes every episode, with a distribution over candidates and stop at each step."""
    return failure(trial.roll_out(trial.make(), trial.jobs()))


def forced(trial: AgentTrial) -> str | None:
    """It can be led along a path before it decides."""
    return failure(trial.roll_out(trial.make(), trial.jobs(forced=2)))


def tours(trial: AgentTrial) -> str | None:
    """It can walk several episodes in one tour, led from one to the next."""
    return failure(trial.roll_out(trial.make(), [trial.tour()]))


def dead_ends(trial: AgentTrial) -> str | None:
    """It copes with places that have one way out, and with places that have none."""
    return failure(trial.roll_out(trial.make(), trial.jobs(episodes=trial.course.ends), trial.narrow))


def determinism(trial: AgentTrial) -> str | None:
    """Made twice with one seed, it decides alike, whatever random numbers others have drawn."""
    with random_state(1):
        first = trial.roll_out(trial.make(), trial.jobs())
    with random_state(2):
        second = trial.roll_out(trial.make(), trial.jobs())
    return difference(first, second, "two agents of one seed")


def order(trial: AgentTrial) -> str | None:
    """It does not matter which episodes it walked before."""
    jobs = trial.jobs()
    forward = trial.roll_out(trial.make(), jobs)
    backward = trial.roll_out(trial.make(), jobs[::-1])
    return difference(forward, backward, "the same episodes in another order")


def memory(trial: AgentTrial) -> str | None:
    """It forgets a tour when the tour ends."""
    agent, tour = trial.make(), trial.tour()
    first = trial.roll_out(agent, [tour])
    trial.roll_out(agent, trial.jobs())
    return difference(first, trial.roll_out(agent, [tour]), "the same tour for the second time")


def idleness(trial: AgentTrial) -> str | None:
    """It survives tours without episodes and episodes without a decision, and is none the wiser."""
    agent, job = trial.make(), trial.jobs()[0]
    episode = job.cases[0].episode
    seen = Session(trial.environment).reset(episode)
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
        call_arguments = ([0], *([value] for value in arguments)) if is_batched(agent) else arguments
        try:
            function(*call_arguments)
        except STOPS_THE_RUN:
            raise
        except Exception as error:  # whatever the agent does
            return f"`{method}` raised {type(error).__name__}: {error}"
    first = trial.roll_out(trial.make(), [job])
    return difference(first, trial.roll_out(agent, [job]), "an episode after one without decisions")


def batches(trial: AgentTrial) -> str | None:
    """It decides alike for many at once and one at a time."""
    jobs = trial.jobs()
    if is_batched(trial.sample):
        alone = trial.roll_out(trial.make(), jobs)
        for size in (2, len(jobs)):
            together = trial.roll_out(trial.make(), jobs, size=size)
            if fault := difference(alone, together, f"one at a time and {size} at a time"):
                return fault
        return None
    if not has_many(trial.sample):
        raise NotApplicableError("it decides one at a time")
    one, many = trial.roll_out(trial.make(), jobs), trial.roll_out_arrays(trial.make(), jobs)
    return difference(_walks(one), _walks(many), "act and act_many")


def _walks(did: Behaviour) -> Behaviour:
    """Leave decisions out, which arrays do not tell."""
    return {case: done[:3] for case, done in did.items()}


def observations(trial: AgentTrial) -> str | None:
    """It leaves what it is shown as it is."""
    watched = _Watched(trial.make())
    [job] = trial.jobs(episodes=[copy.deepcopy(trial.untouched)])
    rules = msgspec.structs.replace(RULES, max_steps=3)
    if is_batched(watched):
        list(roll_out_batches(watched, [job], trial.environment, rules, 1))
    else:
        list(roll_out(watched, job, trial.environment, rules))
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
            seen[need] = encode_sight(need, value) if is_need(need) else repr(value)
    return msgspec.json.encode([to_wire(observation.candidates), seen])


CHECKS: dict[str, Callable[[AgentTrial], str | None]] = {
    check.__name__.replace("_", " "): check
    for check in (
        methods, needs, decisions, forced, tours, dead_ends, idleness, determinism, hash_seeds, order, memory,
        batches, observations, answers,
    )
}  # fmt: skip
