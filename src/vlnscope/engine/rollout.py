"""How the cases of a job are rolled out: what an agent is asked, and what becomes of its answers.

`rollout` yields the calls that an agent gets in a job, is sent the answers, and yields a line of evidence
when a case is finished. `roll_out` makes these calls on an agent one by one; `vlnscope.engine.batched` makes
those of many jobs together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vlnscope.core.exceptions import DataNotFoundError, MissingLayerError
from vlnscope.engine.action_space import OraclePhases
from vlnscope.engine.case_rollout import AgentCall, CaseRollout, Rollout, attempt
from vlnscope.engine.decisions import AgentError, reason_of
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.space_tours import space_tour
from vlnscope.episodes.formats.evidence import EvidenceLine, TourPhases
from vlnscope.types import Rules

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
    if job.toured and environment.space.continuous:
        yield from space_tour(job, environment, rules)
    else:
        yield from _cases(job, environment, rules)


def _cases(job: Job, environment: Environment, rules: Rules) -> Rollout:
    broken = yield from attempt(AgentCall("start_tour", (job.scan,)))
    oracle_start: tuple[str, ...] = ()
    for index, case in enumerate(job.cases):
        rolling = CaseRollout(case, environment, rules)
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
            late = yield from attempt(AgentCall("end_episode", ()))
            rolling.failed = rolling.failed or late
        if broken is None and (next_case is None or job.forgets):
            late = yield from attempt(AgentCall("end_tour", ()))
            rolling.failed = rolling.failed or late
        toured = TourPhases(job.name, index, oracle_start, phases.to_goal) if job.toured else None
        yield rolling.line(toured)
        oracle_start = phases.to_start
        if job.forgets and next_case is not None:
            broken = yield from attempt(AgentCall("start_tour", (job.scan,)))


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
