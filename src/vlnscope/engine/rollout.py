"""How a case is rolled out: what an agent is asked, and what becomes of its answers.

`lives` writes down the life of an agent in a job once, as a generator: it yields the calls to be made, is
sent the answers, and yields a line of evidence when a case is finished. `roll` makes these calls on an agent
one by one; `vlnscope.engine.batched` makes those of many jobs together.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from vlnscope.core.exceptions import DataNotFoundError, MissingLayerError
from vlnscope.engine.decisions import AgentError, drawn, most_probable, probabilities_of, reason_of
from vlnscope.engine.jobs import Job
from vlnscope.engine.observations import Environment, Pose, start_pose
from vlnscope.engine.oracle_paths import to_goal, to_start
from vlnscope.episodes.formats.evidence import VERSION, DecisionRecord, EvidenceLine, TourPhases
from vlnscope.types import Case, Observation, Rules


class Call(NamedTuple):
    """A call that an agent is to get."""

    method: str
    arguments: tuple[Any, ...]


Life = Generator[Call | EvidenceLine, Any, None]
STOPS_THE_RUN = (DataNotFoundError, MissingLayerError)
"""What agents may run into that is no fault of theirs: data that are not there."""


def roll(agent: Any, job: Job, environment: Environment, rules: Rules) -> Iterator[EvidenceLine]:
    """Roll out the cases of a job; whatever the agent does wrong fails the case it does it in."""
    life = lives(job, environment, rules)
    event = next(life, None)
    while event is not None:
        if isinstance(event, EvidenceLine):
            yield event
            event = next(life, None)
            continue
        method = getattr(agent, event.method, None)
        try:
            answer = method(*event.arguments) if method is not None else None
        except STOPS_THE_RUN:
            raise
        except (Exception, SystemExit) as error:
            event = fail(life, error)
        else:
            event = resume(life, answer)


def lives(job: Job, environment: Environment, rules: Rules) -> Life:
    """Yield the calls that an agent gets in a job, and a line of evidence for each case."""
    broken = yield from _attempt(Call("start_tour", (job.scan,)))
    led: tuple[str, ...] = ()
    for place, case in enumerate(job.cases):
        stay = _Stay(case, environment, rules)
        next_case = job.cases[place + 1] if place + 1 < len(job.cases) else None
        goal: tuple[str, ...] = ()
        onward: tuple[str, ...] = ()
        stay.failed = broken or job.lost.get(case.case_id)
        if stay.failed is None:
            try:
                yield from stay.walk()
                if job.toured:
                    goal, onward = stay.legs(next_case)
                    yield from stay.lead(() if job.forgets else (*goal, *onward))
            except AgentError as error:
                stay.failed, goal, onward = str(error), (), ()
            late = yield from _attempt(Call("end_episode", ()))
            stay.failed = stay.failed or late
        if broken is None and (next_case is None or job.forgets):
            late = yield from _attempt(Call("end_tour", ()))
            stay.failed = stay.failed or late
        yield stay.line(TourPhases(job.name, place, led, goal) if job.toured else None)
        led = onward
        if job.forgets and next_case is not None:
            broken = yield from _attempt(Call("start_tour", (job.scan,)))


def resume(life: Life, answer: Any) -> Call | EvidenceLine | None:
    """Send the answer to a call and return what comes next; None if the job is done."""
    try:
        return life.send(answer)
    except StopIteration:
        return None


def fail(life: Life, error: BaseException) -> Call | EvidenceLine | None:
    """Tell that the agent broke over a call, and return what comes next."""
    try:
        return life.throw(AgentError(reason_of(error)))
    except StopIteration:
        return None


def failed_line(case: Case, reason: str, phases: TourPhases | None = None) -> EvidenceLine:
    """Return the line of a case that nobody could finish."""
    start = [start_pose(case.episode)]
    return evidence_line(case, start, stopped=False, seconds=0.0, failed=reason, phases=phases)


def _attempt(call: Call) -> Generator[Call | EvidenceLine, Any, str | None]:
    """Yield a call and return why it failed, if it did."""
    try:
        yield call
    except AgentError as error:
        return str(error)
    return None


class _Stay:
    """One case while it is walked."""

    def __init__(self, case: Case, environment: Environment, rules: Rules) -> None:
        self.case = case
        self.environment = environment
        self.rules = rules
        self.poses = [start_pose(case.episode)]
        self.decisions: list[DecisionRecord] = []
        self.stopped = False
        self.failed: str | None = None
        self.begun = time.perf_counter()

    def walk(self) -> Life:
        """Yield the calls from the start of the episode to its end."""
        seen = self.look()
        yield Call("start_episode", (self.case.episode.instruction, seen))
        for target in self.case.episode.path[1 : self.case.forced_steps + 1]:
            yield Call("observe", (seen,))
            self.move(target)
            seen = self.look()
        most = max(self.rules.max_steps, self.case.forced_steps + 1)
        while True:
            decision = yield Call("act", (seen,))
            self.follow(decision, seen)
            if self.stopped or len(self.poses) > most:
                return
            seen = self.look()

    def lead(self, places: tuple[str, ...]) -> Life:
        """Yield the calls with which the agent sees places that it is led through.

        An agent that ran out of steps has not seen yet where it stands, so it sees that first.
        """
        walked, here = len(self.poses) - 1, self.poses[-1]
        if places and not self.stopped and self.rules.oracle == "whole":
            yield Call("observe", (self.look(),))
        for place in places:
            if place != here.viewpoint:
                here = self.environment.moved(self.case.episode.scan, here.viewpoint, place)
            yield Call("observe", (self.environment.observe(self.case.episode, *here, walked),))

    def legs(self, next_case: Case | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the ways to the goal and on to the next start."""
        rule, path = self.rules.oracle, self.case.episode.path
        graph = self.environment.scene(self.case.episode.scan).graph
        here = self.poses[-1].viewpoint
        goal = to_goal(graph, here, path[-1], rule)
        if next_case is None:
            return goal, ()
        return goal, to_start(graph, goal[-1] if goal else here, next_case.episode.path[0], rule)

    def look(self) -> Observation:
        """Return what is seen now."""
        return self.environment.observe(self.case.episode, *self.poses[-1], len(self.poses) - 1)

    def move(self, target: str) -> None:
        """Go to a viewpoint."""
        self.poses.append(self.environment.moved(self.case.episode.scan, self.poses[-1].viewpoint, target))

    def follow(self, decision: Any, seen: Observation) -> None:
        """Do what the agent decided."""
        probabilities = probabilities_of(decision, len(seen.candidates))
        step = len(self.poses) - 1
        if self._is_logged(step):
            names = [candidate.viewpoint for candidate in seen.candidates]
            kept = [min(p, 1.0) for p in probabilities]
            self.decisions.append(DecisionRecord(step, seen.viewpoint, names, kept))
        if self.rules.sample:
            chosen = drawn(probabilities, self.rules.seed, self.case.case_id, step)
        else:
            chosen = most_probable(probabilities)
        if chosen == len(seen.candidates):
            self.stopped = True
        else:
            self.move(seen.candidates[chosen].viewpoint)

    def _is_logged(self, step: int) -> bool:
        scored = step == self.case.forced_steps and bool(self.case.forced_steps or self.case.correct)
        return self.rules.log == "all" or (self.rules.log == "scored" and scored)

    def line(self, phases: TourPhases | None) -> EvidenceLine:
        """Return the evidence; a failed case has no path but its start."""
        poses = self.poses[:1] if self.failed is not None else self.poses
        return evidence_line(
            self.case,
            poses,
            stopped=self.stopped and self.failed is None,
            decisions=self.decisions or None,
            failed=self.failed,
            phases=phases,
            seconds=time.perf_counter() - self.begun,
        )


def evidence_line(
    case: Case, poses: list[Pose], *, stopped: bool, seconds: float, **more: Any
) -> EvidenceLine:
    """Return the line of a finished case."""
    path, headings, elevations = zip(*poses, strict=True)
    return EvidenceLine(
        v=VERSION,
        case_id=case.case_id,
        episode_id=case.episode.episode_id,
        path=path,
        headings=headings,
        elevations=elevations,
        stopped=stopped,
        seconds=round(seconds, 6),
        **more,
    )
