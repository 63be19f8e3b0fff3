"""One case while an agent is carried through it: the calls that the agent gets, and the line of evidence.

What happens is written down once, as a generator: it yields the calls to make, is sent the answers, and in
the end a line of evidence is made of what the agent did. A `Session` moves the agent.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

from vlnscope.engine.action_space import ActionSpace, OraclePhases
from vlnscope.engine.decisions import AgentError, drawn, most_probable, probabilities_of
from vlnscope.engine.environment import Environment
from vlnscope.engine.session import Session
from vlnscope.episodes.formats.evidence import (
    SPACE_VERSION,
    VERSION,
    DecisionRecord,
    EvidenceLine,
    TourPhases,
)
from vlnscope.types import STOP, Action, Case, Decision, Observation, Rules
from vlnscope.worlds.scene import Scene


class AgentCall(NamedTuple):
    """A call that an agent is to get."""

    method: str
    arguments: tuple[Any, ...]


Rollout = Generator[AgentCall | EvidenceLine, Any, None]


def attempt(call: AgentCall) -> Generator[AgentCall | EvidenceLine, Any, str | None]:
    """Yield a call and return why it failed, if it did."""
    try:
        yield call
    except AgentError as error:
        return str(error)
    return None


class CaseRollout:
    """One case while it is rolled out.

    Attributes:
        case: what is asked.
        session: moves the agent.
        failed: why the agent could not finish; None while it can.
    """

    def __init__(self, case: Case, environment: Environment, rules: Rules) -> None:
        self.case = case
        self.environment = environment
        self.space = environment.space
        self.rules = rules
        self.session = Session(environment)
        self.decisions: list[DecisionRecord] = []
        self.is_scored = rules.log == "scored" and bool(case.forced_steps or case.correct)
        self.first_step = 0
        self.failed: str | None = None
        self.begun = time.perf_counter()

    def walk(self) -> Rollout:
        """Yield the calls from the start of the episode to its end."""
        case, session = self.case, self.session
        observation = session.reset(case.episode)
        yield AgentCall("start_episode", (case.episode.instruction, observation))
        scene = self.environment.scene(case.episode.scan)
        for action in self.space.forced(scene, session.pose, case.episode, case.forced_steps):
            yield AgentCall("observe", (observation,))
            observation = session.step(action)
        yield from self.decide(observation)

    def decide(self, observation: Observation) -> Rollout:
        """Yield the calls in which the agent decides, until it stops or runs out of steps.

        A forced prefix takes as many of its steps as it has on the graph: where one decision stands for many
        moves of the body, the moves that were forced are not decisions that it has lost.
        """
        session = self.session
        self.first_step = session.steps
        left = self.rules.max_steps - min(session.steps, self.space.limit(self.case.forced_steps))
        if session.steps:  # what was forced may have taken all steps, and one decision is always asked for
            left = max(left, self.space.limit(1))
        for _ in range(left):
            decision = yield AgentCall("act", (observation,))
            observation = self.carried_out(self.chosen(decision, observation), observation)
            if session.stopped:
                break

    def carried_out(self, actions: Sequence[Action], observation: Observation) -> Observation:
        """Do what the agent decided: one action, or all moves of a route, which together are one step.

        A body that does not reach a viewpoint of a route gives up the rest of it.
        """
        session = self.session
        for number, action in enumerate(actions):
            if number:
                _check_edge(observation, action)
            observation = session.step(action, onward=number > 0)
            if action == STOP or (len(actions) > 1 and observation.viewpoint != action):
                break
        return observation

    def lead(self, actions: tuple[str, ...]) -> Rollout:
        """Yield the calls with which the agent sees what an oracle leads it through.

        An agent that ran out of steps has not seen yet where it stands, so it sees that first.
        """
        if actions and not self.session.stopped and self.rules.oracle != "ivln":
            yield AgentCall("observe", (self.session.observe(),))
        for action in actions:
            yield AgentCall("observe", (self.session.step(action, led=True),))

    def phases(self, next_case: Case | None) -> OraclePhases:
        """Return how an oracle leads the agent to the goal and on to the next start."""
        episode, onward = self.case.episode, next_case.episode if next_case else None
        scene = self.environment.scene(episode.scan)
        return self.space.phases(scene, self.session.poses[-1], episode, onward, self.rules.oracle)

    def chosen(self, decision: Any, observation: Observation) -> tuple[Action, ...]:
        """Return what the agent decided to do, and note the decision if it is to be kept."""
        step, rules = self.session.steps, self.rules
        if not isinstance(decision, Decision):
            raise AgentError(f"act returned {type(decision).__name__}, not a Decision")
        actions = self.space.choices(observation, decision)
        probabilities = probabilities_of(decision, len(actions))
        due = rules.log == "all" or (self.is_scored and step == self.first_step)
        if due and self.space.decides_next:
            names = [self.space.written(action) for action in actions if action != STOP]
            kept = [min(p, 1.0) for p in probabilities] + [0.0] * (STOP not in actions)
            self.decisions.append(
                DecisionRecord(step, observation.viewpoint, names, kept, tuple(decision.route))
            )
        if rules.sample:
            return (actions[drawn(probabilities, rules.seed, self.case.case_id, step)],)
        if decision.route:
            _check_edge(observation, decision.route[0])
            return tuple(decision.route)
        return (actions[most_probable(probabilities)],)

    def line(self, phases: TourPhases | None) -> EvidenceLine:
        """Return the evidence; a failed case has no path but its start."""
        seconds = time.perf_counter() - self.begun
        kept: dict[str, Any] = {"decisions": self.decisions or None, "phases": phases, "seconds": seconds}
        if self.failed is not None:
            return failed_line(self.case, self.failed, self.space, **kept)
        scene = self.environment.scene(self.case.episode.scan)
        if self.is_scored and not self.space.decides_next:
            kept["decisions"] = self._walked_choice(scene)
        trajectory = self.space.trajectory(self.session.poses, scene)
        if not self.space.continuous and max(self.session.segments) > 1:
            kept["segments"] = tuple(self.session.segments)
        return evidence_line(self.case, trajectory, stopped=self.session.stopped, **kept)

    def _walked_choice(self, scene: Scene) -> list[DecisionRecord] | None:
        """Return which candidate the agent walked to where it first decided, as a decision of its own."""
        case, session = self.case, self.session
        here = case.episode.path[case.forced_steps]
        names = [candidate.viewpoint for candidate in scene.candidates(here)]
        choice = self.space.walked_to(scene, here, session.poses[self.first_step + 1 :])
        if choice is None and not session.stopped:
            return None
        chances = [float(name == (choice or STOP)) for name in (*names, STOP)]
        return [DecisionRecord(case.forced_steps, here, names, chances)]


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
        v=SPACE_VERSION if "actions" in trajectory else VERSION,
        case_id=case.case_id,
        episode_id=case.episode.episode_id,
        **trajectory,
        stopped=stopped,
        seconds=round(seconds, 6),
        **more,
    )


def _check_edge(observation: Observation, action: Action) -> None:
    """Refuse a step of a route to where no edge leads."""
    if action not in observation.actions:
        raise AgentError(f"the route goes from {observation.viewpoint} to {action}: there is no edge")
