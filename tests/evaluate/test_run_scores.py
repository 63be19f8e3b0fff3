"""A run that was scored keeps its scores, and is reported the same anywhere, without the data."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from commands import Cli
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.evaluate.benchmarking import find_runs, score_run, scored_run
from vlnscope.evaluate.run_scores import RECORD, SCORES, kept_scores

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
BUILDS = {
    "outcomes": ["--most", "6"],
    "fidelity": ["--cases", "--max-episodes", "4"],
    "tours": ["--cases", "--max-tours", "1", "--max-episodes", "4"],
    "behavior": ["--most", "3"],
    "nuances": ["--most", "DC=2,VM=1,NU=1,LR=1,RR=1"],
    "errors": ["--limit", "3"],
}


def ran(cli: Cli, folder: Path, benchmark: str, data: str, *root: str) -> Path:
    cases = folder / "cases"
    assert cli("build", benchmark, "--data", data, *BUILDS[benchmark], "--out", cases, *root).code == 0
    agent = "follower" if not root else "random"
    assert cli("run", agent, "--cases", cases, "--out", folder / "run", *root).code == 0
    return folder / "run"


def page_of(cli: Cli, run: Path, *root: str) -> dict[str, bytes]:
    """Return the files of a report on a run, which lies beside it."""
    out = run.parent / "report"
    assert cli("report", run, "--out", out, "--figures", "svg", *root).code == 0
    files = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    shutil.rmtree(out)
    return files


def moved(run: Path, folder: Path) -> Path:
    return shutil.copytree(run, folder / run.name)


@pytest.mark.parametrize("benchmark", BUILDS)
def test_kept_scores_are_those_that_were_made(benchmark: str, tmp_path: Path, cli: Cli) -> None:
    run = ran(cli, tmp_path, benchmark, "houses/val_unseen@1")
    made = score_run(run)
    made.keep()
    kept = scored_run(run)
    assert [(row.values, row.undefined, row.groups) for row in kept.rows] == [
        (row.values, row.undefined, row.groups) for row in made.rows
    ]
    found = [msgspec.json.encode(find_runs([one])) for one in (made, kept)]
    assert found[0] == found[1]


def test_a_moved_run_gives_the_same_page_without_data(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (DATA / "connectivity").is_dir():
        pytest.skip("needs the data of R2R")
    monkeypatch.delenv("VLNSCOPE_DATA", raising=False)
    root = ("--root", str(DATA))
    here = tmp_path / "here"
    here.mkdir()
    run = ran(cli, here, "outcomes", "r2r/val_unseen", *root)
    with_data = page_of(cli, run, *root)
    with pytest.raises(DataNotFoundError, match="holds no scores"):
        scored_run(run)
    said = cli("score", run, *root, "--json").data
    assert said["scores"] == str(run / SCORES)
    assert said["cases"] == 6
    away = tmp_path / "away"
    away.mkdir()
    assert page_of(cli, moved(run, away)) == with_data


def test_a_moved_run_of_plain_episodes_gives_the_same_page_without_data(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (DATA / "connectivity").is_dir():
        pytest.skip("needs the data of R2R")
    monkeypatch.delenv("VLNSCOPE_DATA", raising=False)
    root = ("--root", str(DATA))
    run = tmp_path / "here" / "run"
    cli("run", "random", "--data", "r2r/val_unseen", "--limit", "20", "--out", run, *root)
    with_data = page_of(cli, run, *root)
    assert cli("score", run, "--metrics", "SR", *root, "--partial").code == 0
    assert kept_scores(run, "default") is None  # some metrics only are not kept
    assert "holds no scores" in cli("report", run).err
    assert cli("score", run, *root, "--partial").code == 0
    away = tmp_path / "away"
    away.mkdir()
    assert page_of(cli, moved(run, away)) == with_data


def test_scores_of_other_evidence_or_another_profile_are_not_used(tmp_path: Path, cli: Cli) -> None:
    run = ran(cli, tmp_path, "outcomes", "houses/val_unseen@1")
    score_run(run).keep()
    assert kept_scores(run, "default") is not None
    assert kept_scores(run, "r2r-server") is None
    evidence = run / "evidence.jsonl"
    evidence.write_bytes(b"".join(evidence.read_bytes().splitlines(keepends=True)[:-1]))
    assert kept_scores(run, "default") is None
    score_run(run).keep()
    (run / SCORES).write_bytes(b"something else")
    assert kept_scores(run, "default") is None
    (run / RECORD).write_text("{")
    assert len(scored_run(run).rows) == 5
    (run / RECORD).unlink()
    assert len(scored_run(run).rows) == 5


def test_versions_of_a_benchmark_are_not_mixed(tmp_path: Path, cli: Cli) -> None:
    run = ran(cli, tmp_path, "outcomes", "houses/val_unseen@1")
    old = CaseSet.load(run)
    assert old.version == 1
    assert "version" not in json.loads((run / "cases.json").read_text())
    new = msgspec.structs.replace(old, version=2)
    new.save(tmp_path / "new")
    assert CaseSet.load(tmp_path / "new") == new
    other = moved(run, tmp_path / "other")
    new.save(other)
    with pytest.raises(InputError, match="versions 1 and 2 of outcomes"):
        find_runs([run, other])
    (findings,) = find_runs([other])
    assert "follower: cases of version 2 of outcomes, today's is 1" in findings.notes


def test_scores_by_different_versions_of_a_benchmark_are_not_mixed(tmp_path: Path, cli: Cli) -> None:
    run = ran(cli, tmp_path, "outcomes", "houses/val_unseen@1")
    score_run(run).keep()
    other = moved(run, tmp_path / "other")
    record = json.loads((other / RECORD).read_text())
    (other / RECORD).write_text(json.dumps({**record, "version": 2}))
    with pytest.raises(InputError, match="scores by versions 1 and 2 of outcomes"):
        find_runs([run, other])
    (findings,) = find_runs([other])
    assert "follower: scored by version 2 of outcomes, today's is 1" in findings.notes


def test_options_of_score_are_used_or_refused_for_cases(tmp_path: Path, cli: Cli) -> None:
    run = ran(cli, tmp_path, "outcomes", "houses/val_unseen@1")
    rows = tmp_path / "rows.jsonl"
    assert cli("score", run, "--per-episode", rows).code == 0
    written = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [row["episode_id"] for row in written] == [row.episode_id for row in scored_run(run).rows]
    for option in (
        ["--metrics", "SR"],
        ["--data", "sample/demo"],
        ["--partial"],
        ["--interval", "percentile"],
    ):
        refused = cli("score", run, *option)
        assert refused.code == 2
        assert f"{option[0]} does not apply" in refused.err
