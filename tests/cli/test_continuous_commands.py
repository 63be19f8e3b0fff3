"""Commands on data in continuous space: runs, scores, files of VLN-CE, scenes of the user, benchmarks."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import trimesh

from box_rooms import box, joined, room
from commands import Cli
from vlnscope.core import registry
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.worlds.continuous.bake.bake import bake
from vlnscope.worlds.projection import RULE

DATA = "houses-ce/val_unseen@1+3"
HALL = joined(room(6.0, 4.0), box((2.0, 0.0, 1.0), (3.0, 1.0, 3.9)))
NOISY = "noisy:p=0.2"


def evidence(folder: Path) -> bytes:
    """What a run holds, but for the time that it took."""
    return re.sub(rb',"seconds":[^,}]*', b"", (folder / "evidence.jsonl").read_bytes())


@pytest.fixture
def whole(cli: Cli, tmp_path: Path) -> Path:
    """A run of an agent that errs, to compare others with."""
    folder = tmp_path / "whole"
    assert cli("run", NOISY, "--data", DATA, "--limit", 6, "--out", folder).code == 0
    return folder


def test_a_run_that_is_cut_off_is_finished_with_the_same_bytes(cli: Cli, whole: Path, tmp_path: Path) -> None:
    before = evidence(whole)
    lines = (whole / "evidence.jsonl").read_bytes()
    (whole / "evidence.jsonl").write_bytes(lines[:-200])  # as a kill leaves it: the last line is half there
    assert cli("run", NOISY, "--data", DATA, "--limit", 6, "--out", whole, "--resume").code == 0
    assert evidence(whole) == before


def test_workers_and_shards_write_the_same_bytes(cli: Cli, whole: Path, tmp_path: Path) -> None:
    command = ("run", NOISY, "--data", DATA, "--limit", 6)
    assert cli(*command, "--workers", 2, "--out", tmp_path / "two").code == 0
    assert evidence(tmp_path / "two") == evidence(whole)
    for k in (1, 2):
        assert cli(*command, "--shard", f"{k}/2", "--out", tmp_path / f"shard{k}").code == 0
    assert cli("merge", tmp_path / "shard1", tmp_path / "shard2", "--out", tmp_path / "merged").code == 0
    assert evidence(tmp_path / "merged") == evidence(whole)


@pytest.mark.parametrize("profile", ["vlnce", "ivln-ce", "r2rie"])
def test_scores_have_the_metrics_of_vln_ce(cli: Cli, whole: Path, profile: str) -> None:
    scored = cli("score", whole, "--profile", profile, "--partial", "--json").data
    metrics = scored["metrics"]
    assert {"NE", "SR", "OSR", "SPL", "nDTW", "sDTW", "TL", "steps", "collisions"} <= set(metrics)
    assert metrics["NE"]["mean"] > 0
    assert metrics["steps"]["mean"] >= metrics["TL"]["mean"] / 0.25


def test_a_prediction_file_scores_as_the_run_does(cli: Cli, whole: Path, tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    assert cli("convert", whole, file, "--to", "vlnce", "--drop", "path,extra").code == 0
    one = cli("score", whole, "--profile", "vlnce", "--partial", "--json").data["metrics"]
    other = cli("score", file, "--data", DATA, "--profile", "vlnce", "--partial", "--json").data["metrics"]
    for name in ("NE", "SR", "OSR", "SPL", "nDTW", "sDTW", "TL"):
        assert other[name]["mean"] == pytest.approx(one[name]["mean"], abs=1e-9), name


def test_episodes_are_written_and_read_as_vln_ce_has_them(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "val.json.gz"
    dropped = "path,heading,distance,chunks,instruction_index"
    assert cli("convert", DATA, out, "--to", "vlnce-episodes", "--drop", dropped).code == 0
    rows = json.loads(gzip.decompress(out.read_bytes()))["episodes"]
    truths = json.loads(gzip.decompress((tmp_path / "val_gt.json.gz").read_bytes()))
    ours = {episode.episode_id: episode for episode in open_dataset(DATA).episodes()}
    again = {episode.episode_id: episode for episode in open_dataset(out).episodes()}
    assert len(rows) == len(ours) == len(again)
    for row in rows[:20]:
        space = again[str(row["episode_id"])].continuous
        truth = truths[str(row["episode_id"])]
        assert space is not None
        assert space.geodesic_distance == row["info"]["geodesic_distance"]
        assert list(map(list, space.locations)) == truth["locations"]
        assert list(space.actions) == truth["actions"]
    assert [e.continuous for e in again.values()] == [e.continuous for e in ours.values()]


def ce_files(folder: Path, *episodes: dict[str, Any]) -> Path:
    """A data folder with R2R-CE's split `val_unseen`."""
    home = folder / "R2R_VLNCE_v1-3" / "val_unseen"
    home.mkdir(parents=True)
    vocabulary = {"word_list": ["<pad>"], "word2idx_dict": {}, "stoi": {}, "num_vocab": 1, "UNK_INDEX": 1}
    file = {"episodes": list(episodes), "instruction_vocab": vocabulary | {"PAD_INDEX": 0}}
    (home / "val_unseen.json.gz").write_bytes(gzip.compress(json.dumps(file).encode()))
    return folder


def ce_episode(number: int, start: list[float], goal: list[float], distance: float = 4.0) -> dict[str, Any]:
    return {
        "episode_id": number,
        "trajectory_id": number,
        "scene_id": "mp3d/hall/hall.glb",
        "start_position": start,
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": distance},
        "goals": [{"position": goal, "radius": 3.0}],
        "instruction": {"instruction_text": "Walk around the table.", "instruction_tokens": [0]},
        "reference_path": [start, goal],
    }


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    folder = tmp_path / "mp3d" / "hall"
    folder.mkdir(parents=True)
    trimesh.Trimesh(*HALL, process=False).export(folder / "hall.glb")
    bake(*HALL).file.write(folder / "hall.navmesh")
    return folder.parent


def test_the_users_scenes_are_walked_and_lost_episodes_named(cli: Cli, scenes: Path, tmp_path: Path) -> None:
    start, goal, outside = [1.0, 0.1, 3.0], [5.0, 0.1, 3.0], [90.0, 0.1, 3.0]
    root = ce_files(tmp_path / "data", ce_episode(1, start, goal), ce_episode(2, start, outside))
    data = ("--data", "r2r-ce/val_unseen", "--root", root, "--scenes", scenes)
    done = cli("run", "shortest", *data, "--out", tmp_path / "run")
    assert "1 episodes have no path from start to goal (run.json lists them): 2" in done.out
    assert json.loads((tmp_path / "run" / "run.json").read_text())["unreachable"] == ["2"]
    rows = [json.loads(line) for line in (tmp_path / "run" / "evidence.jsonl").read_text().splitlines()]
    (first,) = [row for row in rows if row.get("episode_id") == "1"]
    assert first["collisions"] == []
    assert first["positions"][-1] == pytest.approx(goal, abs=0.3)


def test_without_scenes_nothing_is_run(cli: Cli, tmp_path: Path) -> None:
    root = ce_files(tmp_path / "data", ce_episode(1, [1.0, 0.1, 3.0], [5.0, 0.1, 3.0]))
    done = cli("run", "shortest", "--data", "r2r-ce/val_unseen", "--root", root, "--out", tmp_path / "run")
    assert (done.code, "--scenes" in done.err) == (2, True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("number", ["NaN", "1e999", "-1e999"])
def test_poses_that_are_not_finite_are_refused(cli: Cli, scenes: Path, tmp_path: Path, number: str) -> None:
    root = ce_files(tmp_path / "data", ce_episode(1, [12345.0, 0.1, 3.0], [5.0, 0.1, 3.0]))
    (file,) = root.rglob("*.json.gz")
    text = gzip.decompress(file.read_bytes()).decode().replace("12345.0", number)
    file.write_bytes(gzip.compress(text.encode()))
    data = ("--data", "r2r-ce/val_unseen", "--root", root, "--scenes", scenes)
    done = cli("run", "shortest", *data, "--out", tmp_path / "run")
    assert (done.code, "error" in done.err) == (2, True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("benchmark", [name for name in registry.names("benchmark") if name != "tours"])
def test_benchmarks_are_asked_in_space(cli: Cli, benchmark: str, tmp_path: Path) -> None:
    run = ("run", "shortest", "--cases", benchmark, "--data", DATA, "--limit", 4, "--out", tmp_path / "run")
    assert cli(*run).code == 0
    rows = [json.loads(line) for line in (tmp_path / "run" / "evidence.jsonl").read_text().splitlines()]
    walked = [row for row in rows if row.get("positions")]
    assert len(walked) == 4
    assert all(len(row["path"]) == len(row["positions"]) for row in walked)
    assert cli("score", tmp_path / "run").code == 0


def test_prediction_files_are_diagnosed_on_the_graph(cli: Cli, whole: Path, tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    assert cli("convert", whole, file, "--to", "vlnce", "--drop", "path,extra").code == 0
    assert cli("diagnose", file, "--data", DATA, "--partial", "--out", tmp_path / "diagnosis").code == 0
    assert f"counts as being at the {RULE}" in (tmp_path / "diagnosis" / "report.html").read_text()
