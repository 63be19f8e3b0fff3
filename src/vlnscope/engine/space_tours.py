"""Rolls out tours in continuous space: the agent's own walks, and what oracles lead it through in between.

The order of calls is that of IVLN-CE's evaluation: an episode begins with the observation that a reset
returns; while an oracle leads it, the agent observes after every step; then it decides until it stops or
runs out.
"""

from __future__ import annotations

from vlnscope.engine.case_rollout import AgentCall, CaseRollout, Rollout, attempt
from vlnscope.engine.continuous import SpaceActions, SpaceState, ground_of
from vlnscope.engine.decisions import AgentError
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.tour_loop import LoopStep, TourEpisode, TourLoop
from vlnscope.episodes.formats.evidence import TourPhases
from vlnscope.types import Case, Points, Rules


def space_tour(job: Job, environment: Environment, rules: Rules) -> Rollout:
    """Yield the calls that an agent gets in a tour, and a line of evidence for each case."""
    space = environment.space
    assert isinstance(space, SpaceActions)
    ground = ground_of(environment.scene(job.scan))
    episodes = [_episode(job, case, space) for case in job.cases]
    leads_to_goals = rules.oracle != "starts" and all(_goals(case) for case in job.cases)
    loop = TourLoop(ground, episodes, space.body, goal_phase=leads_to_goals)
    broken = yield from attempt(AgentCall("start_tour", (job.scan,)))
    for index, case in enumerate(job.cases):
        rolling = CaseRollout(case, environment, rules)
        rolling.failed = broken or job.lost.get(case.case_id)
        first_logged = len(loop.log)
        reset = loop.reset()
        if rolling.failed is None:
            try:
                yield from _episode_calls(rolling, loop, reset, observes=not job.forgets)
            except AgentError as error:
                rolling.failed = str(error)
            late = yield from attempt(AgentCall("end_episode", ()))
            rolling.failed = rolling.failed or late
        last = index + 1 == len(job.cases)
        if broken is None and (last or job.forgets):
            late = yield from attempt(AgentCall("end_tour", ()))
            rolling.failed = rolling.failed or late
        yield rolling.line(_phases(job, index, loop, first_logged))
        if job.forgets and not last:
            broken = yield from attempt(AgentCall("start_tour", (job.scan,)))


def _episode(job: Job, case: Case, space: SpaceActions) -> TourEpisode:
    start = space.start(case.episode).pose
    return TourEpisode(case.case_id, job.name, start, next(iter(_goals(case)), start.position))


def _goals(case: Case) -> Points:
    return case.episode.continuous.goals if case.episode.continuous else ()


def _episode_calls(rolling: CaseRollout, loop: TourLoop, reset: LoopStep, *, observes: bool) -> Rollout:
    """Yield the calls of one episode: the way to its start, the agent's own walk, the way to its goal."""
    session, episode = rolling.session, rolling.case.episode
    shown = session.reset(episode, pose=SpaceState(reset.shown))
    yield AgentCall("start_episode", (episode.instruction, shown))
    while loop.phase == "oracle_start":
        shown = session.show(SpaceState(loop.step("").shown))
        if observes and loop.phase == "oracle_start":
            yield AgentCall("observe", (shown,))
    session.reset(episode, pose=SpaceState(loop.pose))
    yield from rolling.decide(shown)
    led = loop.take_over(session.pose.pose)
    while not led.episode_done:
        led = loop.step("")
        shown = session.show(SpaceState(led.shown))
        if observes:
            yield AgentCall("observe", (shown,))


def _phases(job: Job, index: int, loop: TourLoop, first: int) -> TourPhases:
    """Return where the oracles led the agent in an episode."""
    logged = loop.log[first:]
    start = tuple(entry.position for entry in logged if entry.phase == "oracle_start")
    goal = tuple(entry.position for entry in logged if entry.phase == "oracle_goal")
    return TourPhases(job.name, index, start_positions=start, goal_positions=goal)
