"""A run knows its data: `score`, `compare` and `convert` take the folder alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import vlnscope as vs
from commands import Cli
from vlnscope.core.exceptions import InputError

SAMPLE = Path(vs.__file__).parent / "sample"
WALKER = SAMPLE / "predictions" / "walker.json"
EPISODES = SAMPLE / "r2r" / "R2R_demo.json"
QUICK = ("--metrics", "SR", "--json")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for agent in ("random", "forward"):
        vs.run(agent, "sample/demo", out=folder / agent)
    return folder


def test_a_run_is_scored_without_naming_its_data(runs: Path, cli: Cli) -> None:
    alone, named = (
        cli("score", runs / "random", *QUICK),
        cli("score", runs / "random", "--data", "sample/demo", *QUICK),
    )
    assert alone.code == 0, alone.err
    assert alone.data == named.data
    assert alone.data["dataset"] == "sample/demo"
    assert set(cli("score", runs / "random", "--profile", "all", "--json").data["profiles"]) > {"hamt"}


def test_the_same_episodes_under_another_name_are_taken(runs: Path) -> None:
    assert vs.score(runs / "random", EPISODES, root=SAMPLE, metrics=["SR"]).n == 90


def test_who_knew_more_is_named_beside_its_numbers(runs: Path, tmp_path: Path) -> None:
    done = vs.run("shortest", "sample/demo", out=tmp_path / "told")
    told = "the agent is privileged: it is told the reference"
    assert told in vs.score(done.folder, metrics=["SR"]).notes
    assert told in vs.score(done.evidence, "sample/demo", metrics=["SR"]).notes
    record = json.loads((tmp_path / "told" / "run.json").read_text())
    record["agent"] |= {"privileged": False, "needs": ["exploration"]}
    (tmp_path / "told" / "run.json").write_text(json.dumps(record))
    compared = vs.compare(f"mine={tmp_path / 'told'}", str(runs / "random"), metrics=["SR"])
    assert "mine: the agent explores the building before it walks: a setting of its own" in compared.notes


def test_data_that_are_not_the_runs_are_refused(runs: Path, cli: Cli) -> None:
    for command in (
        ("score", runs / "random"),
        ("score", runs / "random", "--profile", "all"),
        ("compare", runs / "random", runs / "forward"),
    ):
        result = cli(*command, "--data", "houses/val_unseen@1")
        assert result.code == 2
        assert "random: is a run on sample/demo, not on houses/val_unseen@1" in result.err


def test_a_file_must_say_its_data(cli: Cli) -> None:
    for command in (("score", WALKER), ("compare", WALKER, f"other={WALKER}")):
        result = cli(*command)
        assert result.code == 2
        assert "predictions for an unknown data set" in result.err
        assert "--data" in result.err


def test_runs_are_compared_without_naming_their_data(runs: Path, cli: Cli) -> None:
    alone = cli("compare", runs / "random", runs / "forward", "--metric", "SR", "--json")
    assert alone.code == 0, alone.err
    named = cli(
        "compare", runs / "random", runs / "forward", "--data", "sample/demo", "--metric", "SR", "--json"
    )
    assert alone.data == named.data
    beside_a_file = cli("compare", WALKER, runs / "forward", "--metric", "SR", "--json")
    assert beside_a_file.data["dataset"] == "sample/demo"


def test_a_run_is_converted_by_its_folder(runs: Path, tmp_path: Path, cli: Cli) -> None:
    target = tmp_path / "preds.json"
    result = cli("convert", runs / "random", target, "--to", "r2r", "--drop", "stopped", "--json")
    assert result.code == 0, result.err
    assert result.data["records"] == len(json.loads(target.read_text())) == 90


def test_a_run_of_an_episode_file_remembers_where_it_is(tmp_path: Path, cli: Cli) -> None:
    file = shutil.copy(EPISODES, tmp_path / "mine.json")
    vs.run("stop", file, root=SAMPLE, out=tmp_path / "run")
    scoring = ("score", tmp_path / "run", "--root", SAMPLE, *QUICK)
    assert cli(*scoring).data["dataset"] == "mine.json"
    (tmp_path / "mine.json").write_text(EPISODES.read_text() + "\n")
    assert "mine.json, which has changed" in cli(*scoring).err
    (tmp_path / "mine.json").unlink()
    assert "mine.json, which is not there" in cli(*scoring).err
    assert cli(*scoring, "--data", EPISODES).code == 0


def test_a_run_of_a_benchmark_says_who_scores_it(tmp_path: Path) -> None:
    vs.run("stop", cases=vs.build("outcomes", "sample/demo", most=3), out=tmp_path / "run")
    with pytest.raises(InputError, match="benchmark's cases") as error:
        vs.score(tmp_path / "run")
    assert "vlnscope report" in error.value.fix
