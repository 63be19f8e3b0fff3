"""How a case is rolled out: what an agent is asked, and what becomes of its answers.

`rollout` writes down once, as a generator, what happens to an agent in a job: it yields the calls to make, is
sent the answers, and yields a line of evidence when a case is finished. `roll_out` makes these calls on an
agent one by one; `vlnscope.engine.batched` makes those of many jobs together. A `Session` moves the agent.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any, NamedTuple

from vlnscope.core.exceptions import DataNotFoundError, MissingLayerError
from vlnscope.engine.action_space import ActionSpace, OraclePhases
from vlnscope.engine.decisions import AgentError, drawn, most_probable, probabilities_of, reason_of
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.session import Session
from vlnscope.episodes.formats.evidence import VERSION, DecisionRecord, EvidenceLine, TourPhases
from vlnscope.types import STOP, Action, Case, Decision, Observation, Rules


class AgentCall(NamedTuple):
    """A call that an agent is to get."""

    method: str
    arguments: tuple[Any, ...]


Rollout = Generator[AgentCall | EvidenceLine, Any, None]
STOPS_THE_RUN = (DataNotFoundError, MissingLayerError)
"""What agents may run into that is no fault of theirs: data that are not there."""


def roll_out(agent: Any, job: Job, environment: Environment, rules: Rules) -> Iterator[EvidenceLine]:
    """Roll out the cases of a job; whatever the agent does wrong fails the case it does it in."""
    steps = rollout(job, environment, rules)
    event = next(steps, None)
    while event is not None:
        if isinstance(event, EvidenceLine):
            yield event
            event = next(steps, None)
            continue
        method = getattr(agent, event.method, None)
        try:
            answer = method(*event.arguments) if method is not None else None
        except STOPS_THE_RUN:
            raise
        except (Exception, SystemExit) as error:
            event = fail(steps, error)
        else:
            event = resume(steps, answer)


def rollout(job: Job, environment: Environment, rules: Rules) -> Rollout:
    """Yield the calls that an agent gets in a job, and a line of evidence for each case."""
    broken = yield from _attempt(AgentCall("start_tour", (job.scan,)))
    oracle_start: tuple[str, ...] = ()
    for index, case in enumerate(job.cases):
        rolling = _CaseRollout(case, environment, rules)
        next_case = job.cases[index + 1] if index + 1 < len(job.cases) else None
        phases = OraclePhases()
        rolling.failed = broken or job.lost.get(case.case_id)
        if rolling.failed is None:
            try:
                yield from rolling.walk()
                if job.toured:
                    phases = rolling.phases(next_case)
                    yield from rolling.lead(() if job.forgets else (*phases.to_goal, *phases.to_start))
            except AgentError as error:
                rolling.failed, phases = str(error), OraclePhases()
            late = yield from _attempt(AgentCall("end_episode", ()))
            rolling.failed = rolling.failed or late
        if broken is None and (next_case is None or job.forgets):
            late = yield from _attempt(AgentCall("end_tour", ()))
            rolling.failed = rolling.failed or late
        toured = TourPhases(job.name, index, oracle_start, phases.to_goal) if job.toured else None
        yield rolling.line(toured)
        oracle_start = phases.to_start
        if job.forgets and next_case is not None:
            broken = yield from _attempt(AgentCall("start_tour", (job.scan,)))


def resume(steps: Rollout, answer: Any) -> AgentCall | EvidenceLine | None:
    """Send the answer to a call and return what comes next; None if the job is done."""
    try:
        return steps.send(answer)
    except StopIteration:
        return None


def fail(steps: Rollout, error: BaseException) -> AgentCall | EvidenceLine | None:
    """Report that the agent broke over a call, and return what comes next."""
    try:
        return steps.throw(AgentError(reason_of(error)))
    except StopIteration:
        return None


def _attempt(call: AgentCall) -> Generator[AgentCall | EvidenceLine, Any, str | None]:
    """Yield a call and return why it failed, if it did."""
    try:
        yield call
    except AgentError as error:
        return str(error)
    return None


class _CaseRollout:
    """One case while it is rolled out."""

    def __init__(self, case: Case, environment: Environment, rules: Rules) -> None:
        self.case = case
        self.environment = environment
        self.space = environment.space
        self.rules = rules
        self.session = Session(environment)
        self.decisions: list[DecisionRecord] = []
        is_scored = rules.log == "scored" and bool(case.forced_steps or case.correct)
        self.scored_step = case.forced_steps if is_scored else None
        self.failed: str | None = None
        self.begun = time.perf_counter()

    def walk(self) -> Rollout:
        """Yield the calls from the start of the episode to its end."""
        case, session = self.case, self.session
        observation = session.reset(case.episode)
        yield AgentCall("start_episode", (case.episode.instruction, observation))
        for action in self.space.forced(case.episode, case.forced_steps):
            yield AgentCall("observe", (observation,))
            observation = session.step(action)
        most = max(self.rules.max_steps, case.forced_steps + 1)
        while not session.stopped and session.steps < most:
            decision = yield AgentCall("act", (observation,))
            observation = session.step(self.chosen(decision, observation))

    def lead(self, actions: tuple[str, ...]) -> Rollout:
        """Yield the calls with which the agent sees what an oracle leads it through.

        An agent that ran out of steps has not seen yet where it stands, so it sees that first.
        """
        if actions and not self.session.stopped and self.rules.oracle == "whole":
            yield AgentCall("observe", (self.session.observe(),))
        for action in actions:
            yield AgentCall("observe", (self.session.step(action, led=True),))

    def phases(self, next_case: Case | None) -> OraclePhases:
        """Return how an oracle leads the agent to the goal and on to the next start."""
        episode, onward = self.case.episode, next_case.episode if next_case else None
        scene = self.environment.scene(episode.scan)
        return self.space.phases(scene, self.session.poses[-1], episode, onward, self.rules.oracle)

    def chosen(self, decision: Any, observation: Observation) -> Action:
        """Return the action that the agent decided for, and note the decision if it is to be kept."""
        step, rules = self.session.steps, self.rules
        if not isinstance(decision, Decision):
            raise AgentError(f"act returned {type(decision).__name__}, not a Decision")
        actions = self.space.choices(observation, decision)
        probabilities = probabilities_of(decision, len(actions))
        if rules.log == "all" or step == self.scored_step:
            self.decisions.append(self._record(step, observation, actions, probabilities))
        if rules.sample:
            return actions[drawn(probabilities, rules.seed, self.case.case_id, step)]
        return actions[most_probable(probabilities)]

    def _record(
        self, step: int, seen: Observation, actions: tuple[Action, ...], probabilities: tuple[float, ...]
    ) -> DecisionRecord:
        names = [self.space.written(action) for action in actions if action != STOP]
        kept = [min(p, 1.0) for p in probabilities] + [0.0] * (STOP not in actions)
        return DecisionRecord(step, seen.viewpoint, names, kept)

    def line(self, phases: TourPhases | None) -> EvidenceLine:
        """Return the evidence; a failed case has no path but its start."""
        seconds = time.perf_counter() - self.begun
        kept: dict[str, Any] = {"decisions": self.decisions or None, "phases": phases, "seconds": seconds}
        if self.failed is not None:
            return failed_line(self.case, self.failed, self.space, **kept)
        trajectory = self.space.trajectory(self.session.poses)
        return evidence_line(self.case, trajectory, stopped=self.session.stopped, **kept)


def failed_line(
    case: Case, reason: str, space: ActionSpace[Any], *, seconds: float = 0.0, **more: Any
) -> EvidenceLine:
    """Return the line of a case that nobody could finish: its start and the reason."""
    start = space.trajectory([space.start(case.episode)])
    return evidence_line(case, start, stopped=False, seconds=seconds, failed=reason, **more)


def evidence_line(
    case: Case, trajectory: Mapping[str, Any], *, stopped: bool, seconds: float, **more: Any
) -> EvidenceLine:
    """Return the line of a finished case."""
    return EvidenceLine(
        v=VERSION,
        case_id=case.case_id,
        episode_id=case.episode.episode_id,
        **trajectory,
        stopped=stopped,
        seconds=round(seconds, 6),
        **more,
    )
