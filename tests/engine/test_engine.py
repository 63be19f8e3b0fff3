"""How cases are rolled out: what agents are asked and shown, and what is written down."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up import seen_at
from vlnscope.agents.protocol import Annotation
from vlnscope.agents.spec import make_agent
from vlnscope.agents.vectorised import ManyStates, episode_keys
from vlnscope.benchmarks.kit.case_file import check_cases, episode_cases, read_cases, write_cases
from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.engine.batched import roll_out_batches
from vlnscope.engine.decisions import AgentError, drawn, most_probable, probabilities_of
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job, Shard, make_jobs, take_shard
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.runner import Runner, WorkerConfig
from vlnscope.engine.store.tour_log import tour_logs
from vlnscope.engine.vectorised import move_many, roll_out_arrays
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Decision, Episode, Ints, Observation, Rules, Tour
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

NODES = "abcdef"
LINE = NavGraph.build(
    NODES, [[2.0 * i, 0.5 * (i % 2), 0.0] for i in range(len(NODES))], [*itertools.pairwise(NODES)]
)


class OneScene:
    """A corridor of six places."""

    def scans(self) -> tuple[str, ...]:
        return ("corridor",)

    def scene(self, scan: str) -> Scene:
        return Scene(scan, LINE)


def episode(path: str, name: str = "1_0", heading: float | None = 1.0) -> Episode:
    return Episode(
        episode_id=name, path_id="1", scan="corridor", instruction="Go.", path=tuple(path), heading=heading
    )


def case(path: str, name: str = "1_0", **more: Any) -> Case:
    return Case(case_id=name, episode=episode(path, name), **more)


def job(*cases: Case, **more: Any) -> Job:
    return Job(name="t", scan="corridor", cases=cases, **more)


class Diary:
    """Goes to the last candidate (up the corridor) until a place, and writes down what it is asked."""

    def __init__(self, until: str = "f", needs: Sequence[str] = ()) -> None:
        self.until, self.needs = until, tuple(needs)
        self.asked: list[tuple[Any, ...]] = []

    def start_tour(self, scan: str) -> None:
        self.asked.append(("start_tour", scan))

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self.asked.append(("start_episode", instruction, observation.viewpoint))

    def observe(self, observation: Observation) -> None:
        self.asked.append(("observe", observation.viewpoint, observation.step))

    def act(self, observation: Observation) -> Decision:
        self.asked.append(("act", observation.viewpoint, observation.step))
        names = [candidate.viewpoint for candidate in observation.candidates]
        if observation.viewpoint == self.until:
            return Decision.stop(observation)
        return Decision.choose(observation, names.index(max(names)))

    def end_episode(self) -> None:
        self.asked.append(("end_episode",))

    def end_tour(self) -> None:
        self.asked.append(("end_tour",))


def rolled(agent: Any, *cases: Case, rules: Rules | None = None, **more: Any) -> list[EvidenceLine]:
    needs = getattr(agent, "needs", ())
    return list(roll_out(agent, job(*cases, **more), Environment(OneScene(), needs), rules or Rules()))


# One case.


def test_a_free_rollout_asks_step_by_step_until_the_agent_stops():
    agent = Diary(until="c")
    (line,) = rolled(agent, case("af"))
    assert line.path == ("a", "b", "c")
    assert line.stopped is True
    assert agent.asked == [
        ("start_tour", "corridor"),
        ("start_episode", "Go.", "a"),
        ("act", "a", 0),
        ("act", "b", 1),
        ("act", "c", 2),
        ("end_episode",),
        ("end_tour",),
    ]


def test_an_agent_looks_the_way_it_went_and_starts_as_the_episode_says():
    (line,) = rolled(Diary(until="c"), case("af"))
    up, down = math.atan2(2.0, 0.5), math.atan2(2.0, -0.5)
    assert line.headings == pytest.approx((1.0, up, down), abs=1e-6)
    assert line.elevations == (0.0, 0.0, 0.0)
    assert rolled(Diary("a"), Case(case_id="1", episode=episode("af", heading=-1.0)))[0].headings == (
        pytest.approx(math.tau - 1.0),
    )
    assert rolled(Diary("a"), Case(case_id="1", episode=episode("af", heading=None)))[0].headings == (0.0,)


def test_steps_are_limited_and_who_runs_out_of_them_has_not_stopped():
    (line,) = rolled(Diary(), case("af"), rules=Rules(max_steps=3))
    assert line.path == ("a", "b", "c", "d")
    assert line.stopped is False


def test_a_forced_prefix_is_observed_and_then_the_agent_acts():
    agent = Diary(until="e")
    (line,) = rolled(agent, case("abcd", forced_steps=3))
    assert agent.asked[2:-2] == [
        ("observe", "a", 0),
        ("observe", "b", 1),
        ("observe", "c", 2),
        ("act", "d", 3),
        ("act", "e", 4),
    ]
    assert line.path == ("a", "b", "c", "d", "e")


def test_after_a_prefix_as_long_as_the_limit_one_decision_is_still_asked_for():
    (line,) = rolled(Diary(), case("abcd", forced_steps=3), rules=Rules(max_steps=1))
    assert line.path == ("a", "b", "c", "d", "e")


def test_a_forced_step_may_leave_the_edges():
    (line,) = rolled(Diary(until="d"), case("ad", forced_steps=1))
    assert line.path == ("a", "d")
    assert line.headings is not None
    assert line.headings[1] == pytest.approx(math.atan2(6.0, 0.5))


@pytest.mark.parametrize(
    ("log", "forced", "correct", "steps"),
    [
        ("scored", 0, (), []),
        ("scored", 2, (), [2]),
        ("scored", 0, ("b",), [0]),
        ("all", 2, (), [2, 3]),
        ("none", 2, ("b",), []),
    ],
)
def test_which_decisions_are_kept(log, forced, correct, steps):
    asked = case("abc", forced_steps=forced, correct=correct)
    (line,) = rolled(Diary(until="d"), asked, rules=Rules(log=log))
    assert [d.step for d in line.decisions or []] == steps
    for decision in line.decisions or []:
        assert decision.viewpoint == line.path[decision.step]
        assert len(decision.probabilities) == len(decision.candidates) + 1


class Torn:
    def act(self, observation: Observation) -> Decision:
        size = len(observation.candidates) + 1
        return Decision((1 / size,) * size)


def test_of_equally_probable_actions_the_first_is_taken_and_with_sample_one_is_drawn():
    (line,) = rolled(Torn(), case("cf"), rules=Rules(max_steps=2))
    environment = Environment(OneScene())
    assert line.path[1] == seen_at(environment, episode("abc"), "c").candidates[0].viewpoint
    cases = [case("cf", f"{i}_0") for i in range(60)]
    drawn_paths = {
        rolled(Torn(), one, rules=Rules(sample=True, seed=1, max_steps=1))[0].path[1:] for one in cases
    }
    assert drawn_paths == {(), ("b",), ("d",)}
    again = [rolled(Torn(), one, rules=Rules(sample=True, seed=1))[0].path for one in reversed(cases)]
    assert again[::-1] == [rolled(Torn(), one, rules=Rules(sample=True, seed=1))[0].path for one in cases]
    assert again != [rolled(Torn(), one, rules=Rules(sample=True, seed=2))[0].path for one in reversed(cases)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(lambda p: sum(p) > 0.01), st.integers(0, 99))
def test_what_is_drawn_is_possible(weights, step):
    total = sum(weights)
    probabilities = [w / total for w in weights]
    assert probabilities[drawn(probabilities, 0, "c", step)] > 0
    assert probabilities[most_probable(probabilities)] == max(probabilities)


# Agents that do wrong.


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        ([1.0, 0.0], "list, not a Decision"),
        (None, "NoneType, not a Decision"),
        (Decision((1.0,)), "1 probabilities for 2 actions"),
        (Decision((0.5, 0.4)), "sum to 0.9"),
        (Decision((1.5, -0.5)), "a probability is -0.5"),
        (Decision((math.nan, 1.0)), "NaN"),
        (Decision((math.inf, 0.0)), "NaN or infinite"),
        (Decision(("x", 1.0)), "no numbers"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_distribution_fails_the_case_with_a_reason(decision, reason):
    class Bad:
        def act(self, observation: Observation) -> Any:
            return decision

    (line,) = rolled(Bad(), case("abc"))
    assert reason in (line.failed or "")
    assert line.path == ("a",)
    assert line.stopped is False
    if isinstance(decision, Decision):
        with pytest.raises(AgentError, match=reason):
            probabilities_of(decision, 2)


def test_rounding_is_forgiven_and_numpy_is_welcome():
    assert probabilities_of(Decision(tuple(np.full(7, 1 / 7, dtype=np.float32))), 7)
    almost = Decision((1.0000005, 0.0))

    class Almost:
        def act(self, observation: Observation) -> Decision:
            return almost if observation.viewpoint == "a" else Decision.stop(observation)

    (line,) = rolled(Almost(), case("abc"), rules=Rules(log="all"))
    assert line.decisions is not None
    assert msgspec.json.decode(msgspec.json.encode(line), type=EvidenceLine) == line


class Fragile(Diary):
    def __init__(self, method: str, at: int) -> None:
        super().__init__(until="b")
        self.method, self.at, self.count = method, at, 0

    def __getattribute__(self, name: str) -> Any:
        if name == object.__getattribute__(self, "__dict__").get("method"):
            self.count += 1
            if self.count == self.at:
                return lambda *_: 1 // 0
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    ("method", "at", "failing"),
    [
        ("start_tour", 1, [0, 1, 2]),
        ("start_episode", 2, [1]),
        ("act", 1, [0]),
        ("observe", 1, [0]),
        ("end_episode", 2, [1]),
        ("end_tour", 1, [2]),
    ],
)
def test_an_agent_that_breaks_loses_its_own_case_only(method, at, failing):
    cases = [case("abc", "0"), case("def", "1"), case("abc", "2")]
    lines = rolled(Fragile(method, at), *cases, toured=True)
    assert [int(line.case_id) for line in lines if line.failed] == failing
    assert all("ZeroDivisionError" in (line.failed or "ZeroDivisionError") for line in lines)
    assert all("test_engine.py, line" in line.failed for line in lines if line.failed)
    assert [line.path for line in lines if not line.failed] == [
        ("a", "b") if line.case_id != "1" else line.path for line in lines if not line.failed
    ]


def test_missing_data_stop_the_run_instead_of_failing_every_case():
    class Looks:
        needs = ("rooms",)

        def act(self, observation: Observation) -> Decision:
            return Decision.choose(observation, len(observation.seen["rooms"]))

    with pytest.raises(MissingLayerError):
        rolled(Looks(), case("abc"))


def test_reasons_are_one_short_line_that_can_be_stored():
    class Loud:
        def act(self, observation: Observation) -> Decision:
            raise OSError("no\nfile \udcff" + "!" * 9999)

    (line,) = rolled(Loud(), case("abc"))
    assert line.failed is not None
    assert line.failed.startswith("OSError: no file \\udcff!!")
    assert len(line.failed) < 500
    assert "\n" not in line.failed
    assert msgspec.json.encode(line)


# What is seen.


def test_only_what_was_asked_for_is_seen_and_made_when_it_is_looked_at():
    environment = Environment(OneScene(), ("annotation", "rooms"))
    observation = seen_at(environment, episode("abc"), "b", 0.5, 3)
    assert set(observation.seen) == {"annotation", "rooms"}
    assert len(observation.seen) == 2
    told = observation.seen["annotation"]
    assert isinstance(told, Annotation)
    assert told.episode.path == ("a", "b", "c")
    assert told is observation.seen["annotation"]
    with pytest.raises(KeyError, match="captions"):
        observation.seen["captions"]
    with pytest.raises(TypeError):
        observation.seen["rooms"] = 1  # type: ignore[index]
    assert dict(seen_at(Environment(OneScene()), episode("abc"), "b").seen) == {}


def test_a_need_that_nobody_serves_is_refused():
    with pytest.raises(InputError, match="smells"):
        Environment(OneScene(), ("smells",))
    assert Environment(OneScene(), ("features:clip",)).needs == ("features:clip",)


# Tours.


def toured(rule: str) -> tuple[Diary, list[EvidenceLine]]:
    agent = Diary(until="c")
    cases = [case("aef", "0_0"), case("bd", "1_0"), case("cf", "2_0")]
    return agent, rolled(agent, *cases, toured=True, rules=Rules(oracle=rule))  # type: ignore[arg-type]


def test_in_a_tour_an_oracle_leads_to_the_goal_and_to_the_next_start():
    agent, lines = toured("whole")
    assert [line.path for line in lines] == [("a", "b", "c"), ("b", "c"), ("c",)]
    phases = [line.phases for line in lines]
    assert [(p.tour_id, p.place) for p in phases if p] == [("t", 0), ("t", 1), ("t", 2)]
    assert [p.oracle_goal for p in phases if p] == [("d", "e", "f"), ("d",), ("d", "e", "f")]
    assert [p.oracle_start for p in phases if p] == [(), ("e", "d", "c"), ()]
    seen = [entry[1] for entry in agent.asked if entry[0] == "observe"]
    assert seen == [*"def", *"edc", *"d", *"def"]
    kinds = [entry[0] for entry in agent.asked]
    assert kinds.count("start_tour") == kinds.count("end_tour") == 1
    assert kinds.count("start_episode") == kinds.count("end_episode") == 3


def test_the_oracle_of_the_released_code_leaves_out_goal_and_start():
    _, lines = toured("ivln")
    phases = [line.phases for line in lines if line.phases]
    assert [p.oracle_goal for p in phases] == [("c", "d", "e"), ("c",), ("c", "d", "e")]
    assert [p.oracle_start for p in phases] == [(), ("e", "d", "c"), ()]


def test_the_leaderboard_leads_from_where_the_agent_stopped_straight_to_the_next_start():
    agent, lines = toured("starts")
    phases = [line.phases for line in lines if line.phases]
    assert [p.oracle_goal for p in phases] == [(), (), ()]
    assert [p.oracle_start for p in phases] == [(), (), ()]  # c lies beside b, and then is the next start
    assert [entry[1] for entry in agent.asked if entry[0] == "observe"] == []


def test_a_tour_can_be_written_as_an_ivln_log():
    _, lines = toured("whole")
    cases = [case("aef", "0_0"), case("bd", "1_0"), case("cf", "2_0")]
    (log,) = tour_logs({line.case_id: line for line in lines}, [job(*cases, toured=True)], OneScene())
    assert log.tour_id == "t"
    steps = [(s.episode_id, s.phase, s.viewpoint) for s in log.steps]
    assert steps[:4] == [
        ("0_0", "agent", "a"),
        ("0_0", "agent", "b"),
        ("0_0", "agent", "c"),
        ("0_0", "oracle_goal", "d"),
    ]
    assert ("1_0", "oracle_start", "e") in steps
    assert all(step.position is not None for step in log.steps)


# Batches.


class Together(Diary):
    """The same as a diary, for lists; a slot forgets at the start of a tour."""

    batched = True

    def __init__(self) -> None:
        self.until = {"0_0": "c", "1_0": "d", "2_0": "f"}
        self.visits: dict[int, list[str]] = {}
        self.sizes: list[int] = []

    def start_tour(self, slots, scans):  # type: ignore[no-untyped-def, override]
        self.visits |= {slot: [] for slot in slots}

    def start_episode(self, slots, instructions, observations):  # type: ignore[no-untyped-def, override]
        assert len(slots) == len(instructions) == len(observations)

    def observe(self, slots, observations):  # type: ignore[no-untyped-def, override]
        for slot, observation in zip(slots, observations, strict=True):
            self.visits[slot].append(observation.viewpoint)

    def act(self, slots, observations):  # type: ignore[no-untyped-def, override]
        self.sizes.append(len(slots))
        found = []
        for slot, observation in zip(slots, observations, strict=True):
            self.visits[slot].append(observation.viewpoint)
            names = [candidate.viewpoint for candidate in observation.candidates]
            stop = observation.viewpoint == "f" or len(self.visits[slot]) % 4 == 0
            chosen = len(names) if stop else names.index(max(names))
            found.append(Decision.choose(observation, chosen))
        return found

    def end_episode(self, slots):  # type: ignore[no-untyped-def, override]
        pass

    def end_tour(self, slots):  # type: ignore[no-untyped-def, override]
        for slot in slots:
            del self.visits[slot]


def without_time(lines: Sequence[EvidenceLine]) -> dict[str, EvidenceLine]:
    return {line.case_id: msgspec.structs.replace(line, seconds=None) for line in lines}


def tours_of(count: int) -> list[Job]:
    tours = []
    for i in range(count):
        cases = [case("abc", f"{i}_{k}", forced_steps=(i + k) % 3) for k in range(1 + i % 3)]
        tours.append(Job(name=str(i), scan="corridor", cases=tuple(cases), toured=True))
    return tours


def test_batches_of_any_size_give_the_same_evidence():
    environment, rules = Environment(OneScene()), Rules(max_steps=5, log="all")
    jobs = tours_of(11)
    found = {}
    for size in (1, 3, 11, 50):
        agent = Together()
        found[size] = without_time(list(roll_out_batches(agent, jobs, environment, rules, size)))
        assert agent.visits == {}, "every tour that begins ends"
        assert max(agent.sizes) == min(size, 11)
    assert len(found[1]) == sum(len(j.cases) for j in jobs)
    assert found[1] == found[3] == found[11] == found[50]
    assert not any(line.failed for line in found[1].values())


@pytest.mark.parametrize("size", [1, 4])
def test_a_batched_agent_that_breaks_loses_only_the_case_it_breaks_over(size):
    class Breaks(Together):
        def act(self, slots, observations):  # type: ignore[no-untyped-def, override]
            if any(o.episode_id == "5_1" and o.viewpoint == "b" for o in observations):
                raise RuntimeError("too much")
            return super().act(slots, observations)

    environment, rules = Environment(OneScene()), Rules(max_steps=5)
    lines = list(roll_out_batches(Breaks(), tours_of(7), environment, rules, size))
    assert sorted(line.case_id for line in lines) == sorted(c.case_id for j in tours_of(7) for c in j.cases)
    assert [line.case_id for line in lines if line.failed] == ["5_1"]


def test_a_batched_agent_that_returns_too_few_answers_fails_with_a_reason():
    class Few(Together):
        def act(self, slots, observations):  # type: ignore[no-untyped-def, override]
            return super().act(slots, observations)[:-1]

    lines = list(roll_out_batches(Few(), tours_of(2), Environment(OneScene()), Rules()))
    assert all("0 for 1 observations" in (line.failed or "") for line in lines)


# Arrays.


@pytest.fixture(scope="module")
def demo() -> Dataset:
    return open_dataset("sample/demo")


@pytest.mark.parametrize("name", ["random", "random:protocol=nuances", "forward", "stop", "shortest"])
def test_agents_decide_alike_by_arrays_and_one_by_one(demo, name):
    agent = make_agent(name, seed=5).agent
    assert demo.scenes is not None
    environment, rules = Environment(demo.scenes, getattr(agent, "needs", ())), Rules()
    jobs = make_jobs(episode_cases(demo))
    many = [line for lines in roll_out_arrays(agent, jobs, environment, rules) for line in lines]
    single = [line for one in jobs for line in roll_out(agent, one, environment, rules)]
    assert without_time(many) == without_time(single)
    assert not any(line.failed for line in single)


class Arrays:
    """Walks up the corridor by arrays; stops at an end."""

    def __init__(self, choose: Any = None) -> None:
        self.choose = choose
        self.calls = 0

    def act(self, observation: Observation) -> Decision:
        return Decision.stop(observation)

    def act_many(self, states: ManyStates) -> Ints:
        self.calls += 1
        return self.choose(states) if self.choose else np.where(states.counts > 1, states.counts - 1, 1)


def test_walks_by_arrays_know_where_they_are():
    episodes = [episode("bf"), episode("af", "2_0")]
    agent = Arrays(lambda s: np.where(s.nodes == 4, s.counts, s.counts - 1))
    walks = move_many(agent, OneScene().scene(""), episodes, np.array([0, 1, 0]), episode_keys("xyz"), 9)
    table = walks.table
    assert walks.starts.tolist() == [1, 0, 1]
    for row, length in zip(walks.nodes(), walks.lengths, strict=True):
        for here, there in itertools.pairwise(row[: length + 1].tolist()):
            assert there in table.nodes[table.starts[here] : table.starts[here + 1]]
        assert (row[length + 1 :] == -1).all()


@pytest.mark.parametrize(
    "bad",
    [
        lambda s: s.counts + 1,
        lambda s: s.counts - 9,
        lambda s: s.counts * 0.5,
        lambda s: s.counts[:-1],
        lambda s: 1 // 0,
    ],
)
def test_arrays_that_go_wrong_are_done_one_by_one(bad):
    agent = Arrays(bad)
    runner = Runner(WorkerConfig(lambda: agent, OneScene, Rules()))
    jobs = make_jobs([case("abc", "0"), case("bcd", "1")])
    lines = [line for lines in runner.run(jobs) for line in lines]
    assert agent.calls == 1
    assert [(line.path, line.stopped, line.failed) for line in lines] == [
        (("a",), True, None),
        (("b",), True, None),
    ]


@pytest.mark.parametrize(
    ("jobs", "rules"),
    [
        (make_jobs([case("abc", forced_steps=1)]), Rules()),
        (make_jobs([case("abc", correct=("b",))]), Rules()),
        (make_jobs([case("abc")]), Rules(log="all")),
        (make_jobs([case("abc")]), Rules(sample=True)),
        ([job(case("abc"), toured=True)], Rules()),
    ],
)
def test_what_arrays_cannot_do_is_done_one_by_one(jobs, rules):
    agent = Arrays()
    list(Runner(WorkerConfig(lambda: agent, OneScene, rules)).run(jobs))
    assert agent.calls == 0
    list(Runner(WorkerConfig(lambda: agent, OneScene, Rules())).run(make_jobs([case("abc")])))
    assert agent.calls > 0


# Cases and jobs.


def test_case_files_come_back_as_they_were_written(tmp_path, demo):
    cases = [
        msgspec.structs.replace(c, forced_steps=i % 3, correct=("x",), groups={"skill": "turn"})
        for i, c in enumerate(episode_cases(demo, 5))
    ]
    for name in ("cases.jsonl", "cases.jsonl.gz"):
        write_cases(cases, tmp_path / name)
        assert list(read_cases(tmp_path / name)) == cases
    (tmp_path / "bad.jsonl").write_text('{"case_id": "1"}\n')
    with pytest.raises(InputError, match=r"bad.jsonl: line 1 is no case"):
        list(read_cases(tmp_path / "bad.jsonl"))


@pytest.mark.parametrize(
    ("cases", "what"),
    [
        ([], "no cases"),
        ([case("abc"), case("abc")], "another case has it"),
        ([case("")], "no path"),
        ([case("abz")], "viewpoint z is not in corridor"),
        ([case("abc", forced_steps=3)], "3 forced steps on a path of 3"),
        ([case("abc", forced_steps=-1)], "-1 forced steps"),
    ],
)
def test_cases_that_cannot_be_run_are_refused(cases, what):
    with pytest.raises(InputError, match=what):
        check_cases(cases, OneScene())


def tour(name: str, *ids: str, scan: str = "corridor") -> Tour:
    return Tour(tour_id=name, scan=scan, episode_ids=ids)


def test_tours_choose_and_order_cases():
    cases = [case("abc", "0"), case("abc", "1"), case("abc", "2")]
    jobs = make_jobs(cases, [tour("x", "2", "0")])
    assert [(j.name, [c.case_id for c in j.cases], j.toured) for j in jobs] == [("x", ["2", "0"], True)]
    for bad in (tour("x", "9"), tour("x", "0", "0"), tour("x", "0", scan="attic")):
        with pytest.raises(InputError, match="tour x"):
            make_jobs(cases, [bad])
    with pytest.raises(InputError, match="names episode 0, which is named twice"):
        make_jobs(cases, [tour("x", "0"), tour("y", "0")])
    with pytest.raises(InputError, match="several cases are of one episode"):
        make_jobs([*cases, Case(case_id="3", episode=episode("abc", "0"))], [tour("x", "0")])


@given(st.integers(1, 40), st.integers(1, 9))
def test_shards_part_the_jobs(size, of):
    jobs = make_jobs([case("abc", str(i)) for i in range(size)])
    parts = [take_shard(jobs, Shard(i, of)) for i in range(1, of + 1)]
    assert sorted(j.name for part in parts for j in part) == sorted(j.name for j in jobs)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(InputError, match="no shard"):
        Shard.parse(text)


def test_a_forgetting_tour_ends_after_each_case_and_the_ways_between_are_not_seen() -> None:
    first, second = case("ab", "1_0"), case("cd", "2_0")
    kept, forgot = Diary("b"), Diary("b")
    whole = rolled(kept, first, second, toured=True)
    lines = rolled(forgot, first, second, toured=True, forgets=True)
    ways = [asked[0] for asked in forgot.asked if asked[0] != "act"]
    assert ways == ["start_tour", "start_episode", "end_episode", "end_tour"] * 2
    assert "observe" in {asked[0] for asked in kept.asked}
    assert [line.phases for line in lines] == [line.phases for line in whole]


# Leaps, and looking around before walking.


class Leaper:
    """Walks a route as one decision, then does what `after` says."""

    def __init__(self, route: tuple[str, ...], needs: Sequence[str] = ()) -> None:
        self.route, self.needs = route, tuple(needs)
        self.steps: list[tuple[str, int]] = []
        self.looked: list[Observation] = []

    def act(self, observation: Observation) -> Decision:
        self.steps.append((observation.viewpoint, observation.step))
        if "exploration" in self.needs:
            self.looked.append(observation.seen["exploration"].look("e", 7.0, 0.5))
        if len(self.steps) > 1:
            return Decision.stop(observation)
        chances = [float(action == self.route[0]) for action in observation.actions]
        return Decision(tuple(chances) if any(chances) else (1.0, *chances[1:]), route=self.route)


def test_a_route_is_one_step_and_evidence_keeps_it() -> None:
    agent = Leaper(("b", "c", "d"))
    (line,) = rolled(agent, case("af"), rules=Rules(log="all", max_steps=2))
    assert line.path == ("a", "b", "c", "d")
    assert line.segments == (1, 3)
    assert line.stopped is True
    assert agent.steps == [("a", 0), ("d", 1)]
    assert line.decisions is not None
    assert [record.route for record in line.decisions] == [("b", "c", "d"), ()]


def test_a_route_may_end_with_stopping() -> None:
    (line,) = rolled(Leaper(("b", "c", "<stop>")), case("af"))
    assert (line.path, line.stopped, line.segments) == (("a", "b", "c"), True, (1, 2))


def test_nothing_comes_after_the_stop_of_a_route() -> None:
    (line,) = rolled(Leaper(("b", "<stop>", "a")), case("af"))
    assert (line.path, line.stopped) == (("a", "b"), True)


def test_a_route_follows_edges() -> None:
    for route, where in ((("b", "d"), "b to d"), (("d",), "a to d"), (("nowhere",), "a to nowhere")):
        (line,) = rolled(Leaper(route), case("af"))
        assert line.failed == f"the route goes from {where}: there is no edge"
    assert line.path == ("a",)


def test_routes_are_not_followed_where_actions_are_drawn() -> None:
    (line,) = rolled(Leaper(("b", "c", "d")), case("af"), rules=Rules(sample=True))
    assert (line.path, line.segments) == (("a", "b"), None)


def test_explorers_see_the_building_and_nothing_of_the_answer() -> None:
    agent = Leaper(("b", "c"), needs=("exploration",))
    rolled(agent, case("af"))
    seen = agent.looked[0]
    assert (seen.viewpoint, round(seen.heading, 6)) == ("e", round(7.0 % math.tau, 6))
    assert seen.elevation == 0.5
    assert {candidate.viewpoint for candidate in seen.candidates} == {"d", "f"}
    assert (seen.step, dict(seen.seen)) == (0, {})
    visible = agent.looked[0]
    assert "f" not in (visible.instruction, visible.episode_id)
    with pytest.raises(InputError, match="'z' is not in the graph"):
        Environment(OneScene(), ("exploration",)).observe(
            episode("ab"), Environment(OneScene()).space.start(episode("ab")), 0
        ).seen["exploration"].look("z", 0.0, 0.0)
