"""Files that older versions wrote are still read, scored, resumed and reported.

What lies in built-in houses of another version is reported from the scores it keeps, and refused where it
would meet houses of this version.

`tools/old_artifacts.py` makes them; VLNSCOPE_OLD_ARTIFACTS names their folder. Everything is done through the
command line, on a copy.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vlnscope
from vlnscope.worlds.houses.version import GENERATOR_VERSION

SOURCE = Path(vlnscope.__file__).resolve().parents[1]
OLD = Path(os.environ.get("VLNSCOPE_OLD_ARTIFACTS", "/no/old/artifacts"))


def houses_of(folder: Path) -> int:
    """Return the version of the houses that the files lie in."""
    about = json.loads((folder / "cases" / "outcomes" / "cases.json").read_text())
    return int(about.get("generator", 1))


BENCHMARKS = ("outcomes", "fidelity", "tours", "behavior", "nuances", "errors")
SAME_HOUSES = pytest.mark.skipif(
    OLD.is_dir() and houses_of(OLD) != GENERATOR_VERSION, reason="its houses are of another version"
)
OTHER_HOUSES = pytest.mark.skipif(
    OLD.is_dir() and houses_of(OLD) == GENERATOR_VERSION, reason="its houses are of this version"
)
pytestmark = pytest.mark.skipif(
    not OLD.is_dir(), reason="VLNSCOPE_OLD_ARTIFACTS names no folder of tools/old_artifacts.py"
)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("old") / "artifacts"
    shutil.copytree(OLD, copy)
    return copy


def started(folder: Path, arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vlnscope", *arguments.split()],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )


def call(folder: Path, arguments: str) -> str:
    done = started(folder, arguments)
    assert done.returncode == 0, f"vlnscope {arguments}\n{done.stderr}"
    return done.stdout


def evidence(folder: Path, name: str) -> dict[str, Any]:
    lines = (folder / "runs" / name / "evidence.jsonl").read_text().splitlines()
    found = {line["case_id"]: line for line in map(json.loads, lines)}
    for line in found.values():
        line.pop("seconds", None)
    return found


@SAME_HOUSES
@pytest.mark.parametrize("name", BENCHMARKS)
def test_cases_are_asked_as_before(name: str, old: Path) -> None:
    call(old, f"run random --cases cases/{name} --out runs/again-{name}")
    assert evidence(old, f"again-{name}") == evidence(old, f"{name}-random")


@SAME_HOUSES
def test_cases_in_changed_houses_are_asked_as_before(old: Path) -> None:
    call(old, "run noisy:p=0.3 --cases cases/environment --out runs/again-environment")
    assert evidence(old, "again-environment") == evidence(old, "environment-noisy")


@SAME_HOUSES
@pytest.mark.parametrize("name", BENCHMARKS)
def test_runs_are_reported(name: str, old: Path) -> None:
    call(old, f"report runs/{name}-follower runs/{name}-random --out said-{name}")
    said = json.loads((old / f"said-{name}" / "findings.json").read_text())
    assert {each["name"] for each in said["agents"]} == {"follower", "random"}
    assert all(part["statements"] for part in said["findings"])


@SAME_HOUSES
def test_a_report_says_what_it_said(old: Path) -> None:
    call(old, "report runs/outcomes-follower runs/outcomes-random --out report-again")
    before, after = (
        json.loads((old / name / "findings.json").read_text()) for name in ("report", "report-again")
    )
    assert before["findings"] == after["findings"]
    assert before["verdicts"] == after["verdicts"]


@SAME_HOUSES
def test_a_run_is_scored_and_compared(old: Path) -> None:
    assert json.loads(call(old, "score runs/plain --partial --json"))
    call(old, "compare runs/outcomes-follower runs/outcomes-random --out compared.json")
    assert json.loads((old / "compared.json").read_text()) == json.loads(
        (old / "results" / "compared.json").read_text()
    )


@SAME_HOUSES
def test_a_killed_run_goes_on(old: Path) -> None:
    assert len((old / "runs" / "killed" / "evidence.jsonl").read_text().splitlines()) == 6  # one is cut off
    call(old, "run follower --cases cases/outcomes --resume --out runs/killed")
    assert evidence(old, "killed") == evidence(old, "whole")


def test_shards_are_merged(old: Path) -> None:
    call(old, "merge runs/shard1 runs/shard2 --out runs/merged")
    assert len(evidence(old, "merged")) == 8


@SAME_HOUSES
def test_a_diagnosis_is_reported_and_goes_on(old: Path) -> None:
    call(old, "report diagnosis --out paper --format md")
    before = json.loads((old / "diagnosis" / "findings.json").read_text())["verdicts"]
    call(
        old,
        "diagnose noisy random --quick --only outcomes --only behavior --workers 1 --resume --out diagnosis",
    )
    assert json.loads((old / "diagnosis" / "findings.json").read_text())["verdicts"] == before


@SAME_HOUSES
def test_training_goes_on(old: Path) -> None:
    pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    call(old, "train stopped.toml --resume --out training/stopped")
    agent = "learned:file=training/stopped/best.pt"
    call(old, f"run {agent} --data houses/val_unseen@1 --limit 2 --out runs/learned-stopped")


def test_checkpoints_run(old: Path) -> None:
    pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    agent = "learned:file=training/trained/best.pt"
    call(old, f"run {agent} --data houses/val_unseen@1 --limit 2 --out runs/learned-trained")


def test_plans_and_houses_are_read(old: Path) -> None:
    call(old, "houses import houses/plans/house-40000.json --out imported")
    for kind in ("plans/house-40000.json", "connectivity/house-40000_connectivity.json"):
        assert (old / "imported" / kind).read_bytes() == (old / "houses" / kind).read_bytes()


def test_predictions_are_read(old: Path) -> None:
    scores = [
        json.loads(call(old, f"score {name} --data sample/demo --json"))["metrics"]
        for name in ("walker.json", "results/evidence.jsonl")
    ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    "name", ["scores.jsonl", "gap.json", "gap.jsonl", pytest.param("compared.jsonl", marks=SAME_HOUSES)]
)
def test_result_files_are_written_as_before(name: str, old: Path) -> None:
    commands = {
        "scores": "score walker.json --data sample/demo --per-episode",
        "gap": "explain-gap walker.json --data sample/demo --against-profile hamt --out",
        "compared": "compare runs/outcomes-follower runs/outcomes-random --out",
    }
    call(old, f"{commands[name.split('.')[0]]} new-{name}")
    assert (old / f"new-{name}").read_bytes() == (old / "results" / name).read_bytes()


@pytest.mark.parametrize("name", ["scores", "gap", pytest.param("compared", marks=SAME_HOUSES)])
def test_tables_are_written_as_before(name: str, old: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    commands = {
        "scores": "score walker.json --data sample/demo --per-episode",
        "gap": "explain-gap walker.json --data sample/demo --against-profile hamt --out",
        "compared": "compare runs/outcomes-follower runs/outcomes-random --out",
    }
    call(old, f"{commands[name]} new-{name}.parquet")
    rows = [
        duckdb.sql(f"select * from read_parquet('{old / path}')").fetchall()
        for path in (f"results/{name}.parquet", f"new-{name}.parquet")
    ]
    assert repr(rows[0]) == repr(rows[1])


@OTHER_HOUSES
@pytest.mark.parametrize(
    "command",
    [
        "run random --cases cases/outcomes --out refused",
        "run noisy:p=0.3 --cases cases/environment --out refused",
        "run follower --cases cases/outcomes --resume --out runs/killed",
        "score runs/plain --partial",
        "score runs/outcomes-random",
    ],
)
def test_other_houses_are_refused(command: str, old: Path) -> None:
    done = started(old, command)
    assert done.returncode == 2
    assert f"belong to version {houses_of(old)} of the built-in houses" in " ".join(done.stderr.split())
    assert "again" in done.stderr
