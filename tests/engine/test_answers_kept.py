"""Nothing that an agent is given leads to the answer, unless it asked for the annotation."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest

from made_up import Held
from vlnscope.agents.vectorised import ManyStates
from vlnscope.core import registry
from vlnscope.engine.batched import roll_out_batches
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.run import run
from vlnscope.engine.session import Session
from vlnscope.engine.vectorised import roll_out_arrays
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.conformance.check_agent import check_agent
from vlnscope.evaluate.conformance.course import Course, course_of
from vlnscope.types import Case, Continuous, Decision, Episode, Ints, Observation, Rules
from vlnscope.worlds.scene import Scene


def reachable(thing: Any) -> Iterator[Any]:
    """Yield all that can be had from a thing: attributes, private ones too, closures, bound selves, …

    Modules and classes are left out, since everything can be had from these.
    """
    known = {id(vars(module)) for module in list(sys.modules.values()) if isinstance(module, ModuleType)}
    kept, waiting = [], [thing]
    while waiting:
        it = waiting.pop()
        if id(it) in known or isinstance(it, ModuleType | type):
            continue
        known.add(id(it))
        kept.append(it)  # so that its id is not used again
        yield it
        waiting += gc.get_referents(it)
        if type(it).__module__.startswith("vlnscope"):
            waiting += [value for name in dir(it) if (value := _attribute(it, name)) is not None]


def _attribute(thing: Any, name: str) -> Any:
    try:
        return None if name.startswith("__") else getattr(thing, name)
    except Exception:  # a layer that is not there, say
        return None


def leaks(thing: Any, answer: Episode) -> list[Any]:
    """Return what tells the answer among all that can be had from a thing."""
    secret = (answer.path, answer.path[1:], answer.path[::-1])
    return [
        it
        for it in reachable(thing)
        if isinstance(it, Case | Job | Dataset)
        or (isinstance(it, Episode) and (len(it.path) > 1 or it.extra or it.distance or it.chunks))
        or (type(it) in (tuple, list) and tuple(it) in secret)
    ]


class Spy:
    """Goes to the first candidate, and keeps all that it is given."""

    def __init__(self, needs: Sequence[str]) -> None:
        self.needs = tuple(needs)
        self.given: list[Any] = []

    def start_tour(self, scan: str) -> None:
        self.given.append(scan)

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self.given.append((instruction, observation))

    def observe(self, observation: Observation) -> None:
        self.given.append(observation)

    def act(self, observation: Observation) -> Decision:
        self.given.append([observation, dict(observation.seen)])  # looked up, so that it is all made
        return Decision.choose(observation, -1 if observation.step > 1 else 0)


class BatchedSpy:
    batched = True

    def __init__(self, needs: Sequence[str]) -> None:
        self.one = Spy(needs)
        self.given = self.one.given

    def start_episode(self, slots: Any, instructions: Any, observations: Any) -> None:
        self.given.append((instructions, observations))

    def act(self, slots: Any, observations: Sequence[Observation]) -> list[Decision]:
        return [self.one.act(observation) for observation in observations]


class ArraySpy(Spy):
    def act_many(self, states: ManyStates) -> Ints:
        self.given.append(states)
        return states.counts if states.step > 1 else np.minimum(states.counts, 0)


class TinyViews:
    """Pictures that are drawn in no time."""

    def __init__(self, house: Scene) -> None:
        self.views = house.layer("views")

    def at(self, viewpoint: str) -> Any:
        return self.views.at(viewpoint, width=8, height=6)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A house that can be seen in every way: with captions, and features from a file."""
    root = tmp_path_factory.mktemp("root")
    course = course_of()
    scan = course.episodes[0].scan
    house = course.scenes.scene(scan)
    tiny = Scene(scan, house.graph, {**house.loaders, "views": partial(TinyViews, house)})
    nodes = house.graph.nodes
    (root / "navgpt_text").mkdir()
    captions = {scan: {node: ["down: a\nmiddle: b\ntop: c"] * 8 for node in nodes}}
    (root / "navgpt_text" / "observations_list_raw_captions.json").write_text(json.dumps(captions))
    (root / "features").mkdir()
    row = "A" * (36 * 4 * 4 // 3)
    lines = [f"{scan}\t{node}\t640\t480\t60\t{row}\n" for node in nodes]
    (root / "features" / "made.tsv").write_text("".join(lines))
    hidden = {
        "distance": 9.5,
        "extra": {"goal": "there"},
        "continuous": Continuous(start_position=(0, 0, 0), start_rotation=(0, 0, 0, 1), goals=((1, 2, 3),)),
    }
    episodes = [msgspec.structs.replace(episode, **hidden) for episode in course.episodes]
    return course._replace(root=root, episodes=episodes[:3], scenes=Held(tiny))


LIVE = "features:houses-views"
SIGHTS = registry.everything("sight")
SECRET = [*(name for name, kind in SIGHTS.items() if not kind.argument), "features:made", LIVE]


def jobs_of(course: Course, **more: Any) -> list[Job]:
    cases = [Case(case_id=e.episode_id, episode=e, **more) for e in course.episodes]
    return [Job(name=c.case_id, scan=c.episode.scan, cases=(c,)) for c in cases]


@pytest.mark.parametrize("need", SECRET)
def test_no_kind_of_sight_leads_to_the_answer(need: str, course: Course) -> None:
    if need == LIVE:
        pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    spy = Spy([need])
    [job, *_] = jobs_of(course)
    environment = Environment(course.scenes, (need,), course.root)
    [line] = roll_out(spy, job, environment, Rules(max_steps=1))
    assert line.failed is None
    assert leaks(spy.given, job.cases[0].episode) == []


def test_nothing_that_drives_agents_tells_the_answer(course: Course) -> None:
    environment = Environment(course.scenes, ("rooms",), course.root)
    first = course.episodes[0]
    tour = Job(name="t", scan=first.scan, cases=tuple(j.cases[0] for j in jobs_of(course)), toured=True)
    forced, batched, arrays = Spy(["rooms"]), BatchedSpy(["rooms"]), ArraySpy(["rooms"])
    rules = Rules(max_steps=2, log="none")
    list(roll_out(forced, tour, environment, rules))
    list(roll_out(forced, jobs_of(course, forced_steps=1)[0], environment, rules))
    list(roll_out_batches(batched, jobs_of(course), environment, rules, 2))
    list(roll_out_arrays(arrays, jobs_of(course), environment, rules))
    assert any(isinstance(given, ManyStates) for given in arrays.given)
    for spy in (forced, batched, arrays):
        assert spy.given
        for episode in course.episodes:
            assert leaks(spy.given, episode) == []


def test_the_gymnasium_shows_nothing_of_the_answer() -> None:
    pytest.importorskip("gymnasium", reason="needs gymnasium (pip install 'vlnscope[gym]')")
    from vlnscope.engine.gym import NavEnv

    env = NavEnv("sample/demo", needs=("percept",))
    wanted = next(e for e in env.episodes.values() if len(e.path) > 2)
    given = env.reset(options={"episode_id": wanted.episode_id})
    dict(given[1]["seen"])
    assert leaks([given, env.step(np.int64(0))], wanted) == []


def test_who_asks_for_the_annotation_is_told_and_marked(course: Course, tmp_path: Path) -> None:
    environment = Environment(course.scenes, ("annotation",), course.root)
    first = course.episodes[0]
    seen = Session(environment).reset(first)
    assert seen.seen["annotation"].episode is first
    assert leaks(seen, first)
    told = ArraySpy(["annotation"])
    list(roll_out_arrays(told, jobs_of(course), environment, Rules(max_steps=1)))
    assert told.given[0].episodes[0] is first
    record = run(Spy(["annotation"]), "sample/demo", out=tmp_path / "run", limit=1).record
    assert record.agent.privileged


class Fickle(Spy):
    """Declares nothing when it is first asked, and the annotation ever after."""

    def __init__(self) -> None:
        self.asked = 0
        self.given = []

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]
        self.asked += 1
        return () if self.asked == 1 else ("annotation",)


def test_needs_are_what_the_record_says(tmp_path: Path) -> None:
    agent = Fickle()
    done = run(agent, "sample/demo", out=tmp_path / "run", limit=2)
    assert not done.record.agent.privileged
    assert all(not given[1] for given in agent.given if isinstance(given, list))


# Agents that find another way, which check-agent sees.


def follow(path: Sequence[str], observation: Observation) -> Decision:
    names = [candidate.viewpoint for candidate in observation.candidates]
    here = path.index(observation.viewpoint) if observation.viewpoint in path else len(path)
    ahead = path[here + 1] if here + 1 < len(path) else ""
    return Decision.choose(observation, names.index(ahead) if ahead in names else -1)


class ReadsSeen:
    """The agent that was found: it reached the episode through what it saw."""

    needs = ("rooms",)

    def act(self, observation: Observation) -> Decision:
        episode = getattr(observation.seen, "_episode", None)
        return follow(episode.path, observation) if episode else Decision.stop(observation)


class ReadsFrames:
    """Looks at who called it."""

    def act(self, observation: Observation) -> Decision:
        return follow(self.path(), observation)

    def path(self) -> tuple[str, ...]:
        frame: Any = sys._getframe()
        while (job := frame.f_locals.get("job")) is None or not isinstance(job, Job):
            frame = frame.f_back
        return job.cases[0].episode.path


class StopsAtGoal(ReadsFrames):
    """Needs the answer only to know when to stop."""

    def act(self, observation: Observation) -> Decision:
        at_goal = observation.viewpoint == self.path()[-1]
        return Decision.choose(observation, -1 if at_goal else 0)


class ReadsEpisodes(ReadsFrames):
    """Reads what the array form is given."""

    def act(self, observation: Observation) -> Decision:
        return Decision.choose(observation, 0)

    def act_many(self, states: ManyStates) -> Ints:
        frame: Any = sys._getframe()
        while (cases := frame.f_locals.get("cases")) is None:
            frame = frame.f_back
        goals = np.array([states.scene.graph.row(case.episode.path[-1]) for case in cases])
        return np.where(states.nodes == goals[states.rows], states.counts, 0)


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("make", [ReadsFrames, StopsAtGoal, ReadsEpisodes])
def test_agents_that_read_the_answer_are_found(make: Any) -> None:
    report = check_agent(make, data="sample/demo")
    assert report["answers"].status == "fail"
    assert "reads the answer" in report["answers"].text
    assert report.privileged


@pytest.mark.usefixtures("one_process")
def test_an_agent_that_looks_for_the_answer_in_vain_is_found() -> None:
    report = check_agent(ReadsSeen)
    assert report["answers"].status == "fail"
    assert "`seen._episode`" in report["answers"].text


@pytest.mark.usefixtures("one_process")
def test_the_agent_that_was_found_no_longer_knows(tmp_path: Path) -> None:
    done = run(ReadsSeen(), "sample/demo", out=tmp_path / "run", limit=5)
    assert all(line.path == line.path[:1] for line in done.lines().values())


class Unsteady:
    def act(self, observation: Observation) -> Decision:
        return Decision.choose(observation, int(np.random.default_rng().integers(-1, 1)))


@pytest.mark.usefixtures("one_process")
def test_what_cannot_be_tested_is_said() -> None:
    report = check_agent(Unsteady, data="sample/demo")
    assert report["answers"].status == "not applicable"
    assert "does not decide alike twice" in report["answers"].text
    assert check_agent("shortest", data="sample/demo")["answers"].status == "not applicable"
