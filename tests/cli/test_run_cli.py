"""`vlnscope run` and `vlnscope merge` as users type them."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import vlnscope
from commands import Cli, Result
from vlnscope.benchmarks.kit.case_file import episode_cases, write_cases
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.types import Case, Decision, Observation

SUPPORT = Path(__file__).resolve().parents[1] / "support"
DATA = ("--data", "sample/demo")
TOURS = '{"demo": {"sample-attic": [["100_0", "101_0", "102_0"], ["102_1", "100_1", "101_1"]]}}'


@pytest.fixture(name="cli")
def cli_beside_agents(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(SUPPORT)
    return cli


def assert_refused(result: Result, said: str) -> None:
    assert (result.code, result.out) == (2, "")
    labels = [line.split()[0] for line in result.err.splitlines() if line.split()]
    assert labels == ["error", "expected", "fix"], result.err
    assert re.search(said, result.err), result.err


def test_a_run_ends_with_a_table_of_scores(cli, tmp_path):
    result = cli("run", "shortest", *DATA, "--out", tmp_path / "run")
    assert result.code == 0, result.err
    assert re.search(r"^ *SR +100\.00", result.out, re.MULTILINE)
    assert re.search(r"90 cases of shortest\S* \(privileged: it is told the reference\) in ", result.out)
    again = cli("score", tmp_path / "run", *DATA, "--json").data
    told = cli("run", "shortest", *DATA, "--out", tmp_path / "run", "--resume", "--json").data
    assert told["score"]["metrics"] == again["metrics"]
    assert (told["cases"], told["failed"], told["privileged"]) == (90, 0, True)


def test_failures_are_told_and_counted(cli, tmp_path):
    agent = "engine_agents:Troubled:troubles=100_1/raise;101_1/raise"
    result = cli("run", agent, *DATA, "--limit", 9, "--out", tmp_path / "run")
    assert result.code == 1
    assert re.search(r"failed × 2: ValueError: lost the thread \(engine_agents.py, line \d+\)", result.out)
    assert "2 cases failed, scored as if the agent had not moved" in result.out
    told = cli("run", agent, *DATA, "--limit", 9, "--out", tmp_path / "run", "--resume", "--json")
    assert told.code == 1
    assert told.data["failed"] == 2
    assert list(told.data["failures"].values()) == [2]


def test_what_an_agent_prints_does_not_spoil_the_output(cli, tmp_path, monkeypatch):
    class Chatty:
        def act(self, observation: Observation) -> Decision:
            print("hello")
            return Decision.stop(observation)

    import engine_agents

    monkeypatch.setattr(engine_agents, "Chatty", Chatty, raising=False)
    result = cli("run", "engine_agents:Chatty", *DATA, "--limit", 3, "--out", tmp_path / "run", "--json")
    assert result.data["cases"] == 3
    assert "hello" in result.err


@pytest.fixture(autouse=True)
def _agents_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUPPORT))


def test_shards_are_run_and_merged(cli, tmp_path):
    folders = []
    for i in (1, 2):
        folders.append(tmp_path / str(i))
        result = cli("run", "random", *DATA, "--shard", f"{i}/2", "--out", folders[-1], "--json")
        assert result.data["cases"] == 45
    assert_refused(cli("merge", folders[0], "--out", tmp_path / "m"), "shard 2/2 is not named")
    whole = cli("merge", *reversed(folders), "--out", tmp_path / "m", "--json").data
    assert (whole["cases"], whole["of"], whole["failed"]) == (90, 90, 0)
    assert "90 of 90 cases of random" in cli("merge", *folders, "--out", tmp_path / "n").out
    cli("run", "random", *DATA, "--out", tmp_path / "whole")
    scores = [cli("score", tmp_path / name, *DATA, "--json").out for name in ("m", "n", "whole")]
    assert scores[0] == scores[1] == scores[2]


def test_tours_are_walked_scored_and_logged(cli, tmp_path):
    (tmp_path / "tours.json").write_text(TOURS)
    options = (*DATA, "--tours", tmp_path / "tours.json", "--out", tmp_path / "run", "--split", "demo")
    result = cli("run", "shortest", *options, "--json")
    assert result.code == 0, result.err
    assert result.data["cases"] == 6
    log = json.loads((tmp_path / "run" / "tour_log.json").read_text())
    assert list(log) == ["0", "1"]
    assert {entry["phase"] for entry in log["0"]} == {"agent", "oracle_start"}
    assert result.data["score"]["n"] == 6
    partly = (*options[:-4], "--limit", 1, "--out", tmp_path / "part", "--split", "demo")
    assert cli("run", "shortest", *partly, "--json").data["cases"] == 3


def test_cases_that_are_no_episodes_are_run_but_not_scored(cli, tmp_path):
    cases = [
        Case(case_id=f"{c.case_id}-{k}", episode=c.episode, forced_steps=k)
        for c in episode_cases(open_dataset("sample/demo"), 3)
        for k in (1, 2)
    ]
    write_cases(cases, tmp_path / "cases.jsonl")
    options = (*DATA, "--cases", tmp_path / "cases.jsonl", "--out", tmp_path / "run")
    result = cli("run", "forward", *options)
    assert result.code == 0
    assert "not scored: the cases are not episodes of the data set" in result.out
    lines = [json.loads(line) for line in (tmp_path / "run" / "evidence.jsonl").read_text().splitlines()]
    assert [line["case_id"] for line in lines] == sorted(case.case_id for case in cases)
    assert all([d["step"] for d in line["decisions"]] == [int(line["case_id"][-1])] for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "nobody", *DATA), "no agent called 'nobody'"),
        (("run", "stop", "--data", "sample/test"), "sample"),
        (("run", "stop", *DATA, "--shard", "3"), "'3' is no shard"),
        (("run", "stop", *DATA, "--log", "some"), "'some' is none of scored, all, none"),
        (("run", "stop", *DATA, "--oracle", "delphi"), "'delphi' is none of whole, starts, ivln"),
        (("run", "stop", *DATA, "--executor", "cloud"), "no executor called 'cloud'"),
        (("run", "stop", *DATA, "--executor", "serial", "--workers", 2), "serial executor"),
        (("run", "stop", *DATA, "--cases", "nowhere.jsonl"), "there is no such file"),
        (("run", "stop", *DATA, "--tours", "nowhere.json"), "there is no such file"),
        (("merge", "nowhere"), "is not the folder of a run"),
    ],
)
def test_bad_arguments_are_refused_and_nothing_is_written(cli, tmp_path, arguments, said):
    assert_refused(cli(*arguments, "--out", tmp_path / "run"), said)
    assert not (tmp_path / "run").exists()


def test_data_in_continuous_space_cannot_be_run(cli, tmp_path):
    record = {
        "episode_id": 1,
        "trajectory_id": 1,
        "scene_id": "mp3d/x/x.glb",
        "start_position": [0, 0, 0],
        "start_rotation": [0, 0, 0, 1],
        "info": {"geodesic_distance": 1.0},
        "goals": [{"position": [1, 0, 0], "radius": 3.0}],
        "instruction": {"instruction_text": "Go.", "instruction_tokens": [1]},
        "reference_path": [[0, 0, 0], [1, 0, 0]],
    }
    (tmp_path / "ce.json").write_text(json.dumps({"episodes": [record], "instruction_vocab": {}}))
    result = cli("run", "stop", "--data", tmp_path / "ce.json", "--out", tmp_path / "run")
    assert_refused(result, "continuous space")


def test_help_has_worked_examples(cli):
    for verb in ("run", "merge"):
        assert f"vlnscope {verb} " in cli(verb, "--help").out


def test_the_verbs_are_functions(tmp_path):
    done = vlnscope.run("stop", "sample/demo", out=tmp_path / "a", limit=2)
    assert sorted(done.lines()) == ["100_0", "100_1"]
    assert vlnscope.merge([done.folder], out=tmp_path / "b").record.size == 2
    with pytest.raises(vlnscope.core.exceptions.InputError, match="is no agent"):
        vlnscope.run(object(), "sample/demo", out=tmp_path / "c")


def test_a_terminal_shows_how_it_goes(tmp_path):
    ours, theirs = pty.openpty()
    options = (*DATA, "--out", str(tmp_path / "run"), "--limit", "40", "--json")
    agent = "engine_agents:Wanderer:seconds=0.002"
    with subprocess.Popen(
        [sys.executable, "-m", "vlnscope.cli.main", "run", agent, *options],
        cwd=SUPPORT,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        assert json.loads(process.communicate()[0])["cases"] == 40
    os.close(ours)
    assert re.search(rb"\d+/40", shown)
    assert re.search(rb"SR \d+\.\d %", shown)
