"""However jobs are executed, the evidence is the same; a worker that dies or hangs costs one case at most."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vlnscope.agents.spec import NamedAgent
from vlnscope.core.exceptions import InputError
from vlnscope.engine.executors import Execution, execute
from vlnscope.engine.executors.supervision import Ledger
from vlnscope.engine.jobs import Job, make_jobs
from vlnscope.engine.run import Run, run
from vlnscope.engine.store.run_folder import EVIDENCE
from vlnscope.types import Case, Decision, Episode, Observation

DATA = "sample/demo"
COMMAND = (sys.executable, "-m", "vlnscope.cli.main")
SUPPORT = Path(__file__).resolve().parents[1] / "support"
TOURS = '{"demo": {"sample-attic": [["100_0", "101_0", "102_0"], ["102_1", "100_1", "101_1"]]}}'


@pytest.fixture(autouse=True)
def _agents_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUPPORT))


def plain(folder: Path) -> bytes:
    return re.sub(rb',"seconds":[^,}]*', b"", (folder / EVIDENCE).read_bytes())


def with_agent(out: Path, agent: str = "Wanderer", **more: Any) -> Run:
    return run(f"engine_agents:{agent}", DATA, out=out, **({"limit": 18, "max_steps": 6} | more))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one worker finds."""
    folder = tmp_path_factory.mktemp("serial") / "run"
    sys.path.insert(0, str(SUPPORT))
    try:
        return plain(with_agent(folder).folder)
    finally:
        sys.path.remove(str(SUPPORT))


@pytest.mark.parametrize("workers", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_any_number_of_processes_find_the_same(tmp_path, expected, workers):
    with_agent(tmp_path / "run", workers=workers, executor="processes")
    assert plain(tmp_path / "run") == expected


def test_batches_and_single_steps_find_the_same(tmp_path, expected):
    with_agent(tmp_path / "a", "Crowd")
    assert plain(tmp_path / "a") == expected
    with_agent(tmp_path / "b", "Crowd", workers=2)
    assert plain(tmp_path / "b") == expected


def test_tours_in_processes_find_the_same(tmp_path):
    (tmp_path / "tours.json").write_text(TOURS)
    options: dict[str, Any] = {"tours": tmp_path / "tours.json", "limit": None, "log": "all"}
    with_agent(tmp_path / "a", **options)
    with_agent(tmp_path / "b", workers=2, **options)
    assert plain(tmp_path / "a") == plain(tmp_path / "b")
    assert (tmp_path / "a" / "tour_log.json").read_bytes() == (tmp_path / "b" / "tour_log.json").read_bytes()


def test_an_agent_that_is_an_object_goes_to_processes(tmp_path, expected):
    from engine_agents import Wanderer

    run(Wanderer(), DATA, out=tmp_path / "run", limit=18, max_steps=6, workers=2)
    assert plain(tmp_path / "run") == expected


def test_an_agent_that_cannot_be_sent_is_refused(tmp_path):
    class Local:
        def act(self, observation: Observation) -> Decision:
            return Decision.stop(observation)

    with pytest.raises(InputError, match="cannot be sent to another process"):
        run(Local(), DATA, out=tmp_path / "run", limit=2, workers=2)


def test_an_agent_that_workers_cannot_make_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("vlnscope.engine.run.name_agent", lambda agent, seed, continuous: _named())
    with pytest.raises(InputError, match=r"cannot be made: OSError: no weights"):
        with_agent(tmp_path / "run", "Refused", workers=2)


def _named() -> Any:
    from engine_agents import Wanderer

    return NamedAgent("x", "x", Wanderer())


def test_what_an_agent_does_wrong_is_the_same_everywhere(tmp_path, expected):
    agent = "Troubled:troubles=100_1/raise;101_1/exit;102_1/sum"
    alone = with_agent(tmp_path / "a", agent)
    with_agent(tmp_path / "b", agent, workers=2)
    assert plain(tmp_path / "a") == plain(tmp_path / "b")
    reasons = alone.failures()
    assert reasons["100_1"].startswith("ValueError: lost the thread (engine_agents.py, line ")
    assert reasons["101_1"].startswith("SystemExit: 3")
    assert "sum to" in reasons["102_1"]
    assert without(plain(tmp_path / "a"), *reasons) == without(expected, *reasons)


def without(content: bytes, *cases: str) -> list[bytes]:
    return [line for line in content.splitlines() if not any(f'"{case}"'.encode() in line for case in cases)]


@pytest.mark.slow
def test_workers_that_die_or_hang_cost_one_case_each(tmp_path, expected):
    once = tmp_path / "done"
    agent = f"Troubled:troubles=100_1/kill-once;101_1/kill;102_2/orphan;103_1/hang,once={once}"
    found = with_agent(tmp_path / "run", agent, workers=2, timeout=6)
    assert once.exists(), "a worker was killed, and its case was run again"
    assert found.failures() == {
        "101_1": "the worker was lost (killed by SIGKILL)",
        "102_2": "the worker was lost (exit code 3)",
        "103_1": "the case took longer than 6 s",
    }
    assert without(plain(found.folder), *found.failures()) == without(expected, *found.failures())


def test_a_case_that_kills_loses_its_place_in_a_tour_only(tmp_path):
    (tmp_path / "tours.json").write_text(TOURS)
    options: dict[str, Any] = {"tours": tmp_path / "tours.json", "limit": None, "executor": "processes"}
    found = with_agent(tmp_path / "run", "Troubled:troubles=101_0/kill", **options)
    assert list(found.failures()) == ["101_0"]
    places = {name: line.phases.place for name, line in found.lines().items() if line.phases}
    assert places == {"100_0": 0, "101_0": 1, "102_0": 2, "102_1": 0, "100_1": 1, "101_1": 2}


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_ray_finds_the_same_and_outlives_a_worker(tmp_path, expected):
    """On a real cluster of two workers, in a process of its own."""
    agent = f"engine_agents:Troubled:troubles=101_1/kill-once,once={tmp_path / 'done'}"
    options = ("--data", DATA, "--limit", "18", "--max-steps", "6", "--executor", "ray", "--workers", "2")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "vlnscope.cli.main",
            "run",
            agent,
            *options,
            "--out",
            str(tmp_path / "run"),
            "--json",
        ],
        cwd=SUPPORT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cases"] == 18
    assert (tmp_path / "done").exists(), "a worker was killed"
    assert plain(tmp_path / "run") == expected


def test_without_ray_there_is_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="ray is not installed") as caught:
        with_agent(tmp_path / "run", executor="ray", workers=2)
    assert "pip install 'vlnscope[ray]'" in caught.value.fix


# Choosing an executor.


def test_executors_are_chosen_by_what_is_asked_of_them():
    assert Execution.choose(None) == Execution("serial", 1)
    assert Execution.choose(None, 3).executor == "processes"
    assert Execution.choose(None, 1, 5.0).executor == "processes"
    assert Execution.choose(None, 2, None, "auto").executor == "ray"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("threads",), "no executor called 'threads'"),
        (("serial", 2), "serial executor has one worker"),
        (("serial", 1, 5.0), "cannot end an agent that hangs"),
        (("processes", 0), "0 workers"),
        (("processes", 1, -1.0), "-1.0 s per case"),
        (("processes", 1, None, "auto"), "--address is of a Ray cluster"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        Execution.choose(*arguments)


def test_no_jobs_need_no_workers():
    assert list(execute(None, [], Execution("processes", 2))) == []  # type: ignore[arg-type]


# The ledger of jobs.


def jobs(*sizes: int) -> list[Job]:
    found = []
    for i, size in enumerate(sizes):
        episodes = [
            Episode(episode_id=f"{i}_{k}", path_id=str(i), scan="s", instruction="", path=("a",))
            for k in range(size)
        ]
        cases = [Case(case_id=e.episode_id, episode=e) for e in episodes]
        found.append(Job(name=str(i), scan="s", cases=tuple(cases), toured=size > 1))
    return found


def test_jobs_are_given_out_in_smaller_and_smaller_parts():
    ledger = Ledger(jobs(*[1] * 100), workers=2)
    sizes = []
    while ledger:
        sizes.append(len(ledger.take(10)))
    assert sum(sizes) == 100
    assert sizes[0] == 10
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def lose(ledger: Ledger, taken: list[Job], finished: set[str], **how: bool) -> list[str]:
    options = {"together": False, "blamed": False} | how
    return [line.case_id for line in ledger.lose(taken, finished, "gone", **options)]


def test_the_case_under_way_is_tried_once_more_and_alone():
    ledger = Ledger(jobs(1, 1, 1), workers=1)
    taken = [ledger.take(1)[0] for _ in range(3)]
    assert lose(ledger, taken, {"0_0"}) == []
    assert [job.name for job in ledger.take(9)] == ["1"], "first the one that was under way, by itself"
    assert lose(ledger, [taken[1]], set()) == ["1_0"]
    assert [job.name for job in ledger.take(9)] == ["2"], "the others were not tried"
    assert not ledger


def test_of_jobs_done_together_none_is_blamed_before_it_was_alone():
    ledger = Ledger(jobs(1, 1), workers=1)
    taken = [ledger.take(1)[0] for _ in range(2)]
    assert lose(ledger, taken, set(), together=True, blamed=True) == []
    alone = ledger.take(9)
    assert lose(ledger, alone, set(), together=True, blamed=True) == ["0_0"]
    assert [job.name for job in ledger.take(9)] == ["1"]


def test_a_tour_goes_on_without_the_case_that_was_given_up():
    ledger = Ledger(jobs(3), workers=1)
    tour = ledger.take(1)
    assert lose(ledger, tour, {"0_0"}, blamed=True) == []
    (again,) = ledger.take(1)
    assert again.lost == {"0_1": "gone"}
    assert lose(ledger, [again], {"0_0"}, blamed=True) == ["0_1", "0_2"]
    assert not ledger


def test_a_worker_that_is_lost_without_work_costs_nothing():
    ledger = Ledger(jobs(1), workers=1)
    assert lose(ledger, [], set()) == []
    assert len(ledger) == 1


def test_make_jobs_without_tours_makes_a_job_per_case():
    cases = [case for job in jobs(1, 1) for case in job.cases]
    assert [job.name for job in make_jobs(cases)] == ["0_0", "1_0"]
