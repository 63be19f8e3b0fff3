"""REVERIE: who sees the object succeeds; nothing that is judged by distance is printed as success."""

from __future__ import annotations

import gzip
import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import vlnscope as vs
from commands import Cli
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.data_profile import profile_for
from vlnscope.types import Episode, Prediction
from vlnscope.worlds.matterport.scans import MatterportScenes

SAMPLE = Path(vs.__file__).parent / "sample"
NAMES = ("SR", "OSR", "SPL", "RGS", "RGSPL")
BY_SUCCESS = {"SR", "OSR", "SPL", "oracle-SPL", "SED", "sDTW"}
STOPPED_ONE_SHORT = {"val_seen": (4.78, 81.31), "val_unseen": (6.87, 88.21)}
"""SR of the expert that stops one viewpoint too early: by sight, and by the 3 m rule."""
TARGET = {"7": {"name": "lamp", "visible_pos": [3], "bbox2d": [[1, 2, 30, 40]]}}
UNSEEN = {"7": {"name": "lamp", "visible_pos": [], "bbox2d": []}}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as REVERIE would have it: each path with an object at its end, and predictions for it."""
    folder = tmp_path_factory.mktemp("reverie")
    shutil.copytree(SAMPLE / "connectivity", folder / "connectivity")
    (folder / "reverie").mkdir()
    records: list[dict[str, Any]] = json.loads((SAMPLE / "r2r" / "R2R_demo.json").read_text())
    objects = [record | {"objId": 7, "id": f"{record['path_id']}_7"} for record in records]
    (folder / "reverie" / "REVERIE_val_unseen.json").write_text(json.dumps(objects))
    walked = json.loads((SAMPLE / "predictions" / "walker.json").read_text())
    for record in walked:
        record |= {"instr_id": "_7_".join(record["instr_id"].split("_")), "predObjId": 7}
    (folder / "walker.json").write_text(json.dumps(walked))
    return folder


@pytest.fixture(scope="module")
def boxed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with boxes: lamp 7 is in sight where the first path of each scan ends, and nowhere else."""
    folder = tmp_path_factory.mktemp("boxed")
    shutil.copytree(root, folder, dirs_exist_ok=True)
    (folder / "reverie_bbox").mkdir()
    ends: dict[str, str] = {}
    for record in json.loads((folder / "reverie" / "REVERIE_val_unseen.json").read_text()):
        ends.setdefault(record["scan"], record["path"][-1])
    for scan, end in ends.items():
        nodes = MatterportScenes(folder).scene(scan).graph.nodes
        boxes = {node: TARGET if node == end else UNSEEN for node in nodes}
        with gzip.open(folder / "reverie_bbox" / f"{scan}.json.gz", "wt") as file:
            json.dump(boxes, file)
    return folder


def _end_of_lamp(folder: Path, episode: Episode) -> str:
    with gzip.open(folder / "reverie_bbox" / f"{episode.scan}.json.gz", "rt") as file:
        return next(node for node, its in json.load(file).items() if its["7"]["visible_pos"])


def test_reverie_data_are_scored_by_reveries_profile(boxed: Path) -> None:
    named = open_dataset("reverie/val_unseen", boxed)
    by_path = open_dataset(boxed / "reverie" / "REVERIE_val_unseen.json", boxed)
    for dataset in (named, by_path):
        assert profile_for("default", dataset).name == "reverie"
        assert profile_for("hamt", dataset).name == "hamt"
    scored = vs.score(boxed / "walker.json", "reverie/val_unseen", root=boxed)
    assert scored.profile.name == "reverie"
    assert list(scored.to_dict()["metrics"]) == ["TL", "NE", "SR", "OSR", "SPL", "RGS", "RGSPL"]


def test_success_is_to_see_the_object_from_where_the_agent_stops(boxed: Path) -> None:
    episodes = list(open_dataset("reverie/val_unseen", boxed).episodes())
    lamps = {episode.scan: _end_of_lamp(boxed, episode) for episode in episodes}
    walks = [Prediction(episode_id=e.episode_id, path=e.path, object_id="7") for e in episodes]
    rows = {row.episode_id: row.values for row in vs.score(walks, "reverie/val_unseen", root=boxed).rows()}
    seen = {e.episode_id: e.path[-1] == lamps[e.scan] for e in episodes}
    passed = {e.episode_id: lamps[e.scan] in e.path for e in episodes}
    assert 0 < sum(seen.values()) < len(seen)
    assert {name: row["SR"] == 1 for name, row in rows.items()} == seen
    assert {name: row["OSR"] == 1 for name, row in rows.items()} == passed
    assert {name: row["SPL"] > 0 for name, row in rows.items()} == seen
    assert all(row["RGS"] == 1 and row["RGSPL"] > 0 for row in rows.values())  # choosing asks no sight
    near = vs.score(walks, "reverie/val_unseen", root=boxed, profile="reverie-3m").to_dict()
    assert near["metrics"]["SR"]["mean"] == 100.0
    assert any("whether or not the object can be seen" in note for note in near["notes"])


def test_only_the_target_is_the_right_choice(boxed: Path) -> None:
    episodes = list(open_dataset("reverie/val_unseen", boxed).episodes())
    choices: list[dict[str, Any]] = [
        {"object_id": "7"},
        {"object_id": "8"},
        {"extra": {"predObjId": None}},
        {},
    ]
    walks = [
        Prediction(episode_id=e.episode_id, path=(*e.path, e.path[-2], e.path[-1]), **choices[k % 4])
        for k, e in enumerate(episodes)
    ]
    rows = list(vs.score(walks, "reverie/val_unseen", root=boxed).rows())
    assert [row.values.get("RGS") for row in rows[:4]] == [1.0, 0.0, 0.0, None]
    assert "does not say which object the agent chose" in rows[3].undefined["RGS"]
    assert 0 < rows[0].values["RGSPL"] < 1  # the walk goes back and forth at its end
    assert [row.values.get("RGSPL") for row in rows[1:4]] == [0.0, 0.0, None]


def test_without_boxes_success_is_undefined_and_the_choice_is_scored(root: Path) -> None:
    summary = vs.score(root / "walker.json", "reverie/val_unseen", root=root).to_dict()["metrics"]
    for name in ("SR", "OSR", "SPL"):
        (reason,) = summary[name]["undefined_reasons"]
        assert "reverie_bbox/SCAN.json" in reason
    assert summary["RGS"]["mean"] == 100.0


def test_an_object_without_any_box_is_no_silent_failure(boxed: Path, tmp_path: Path) -> None:
    shutil.copytree(boxed, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "reverie" / "REVERIE_val_unseen.json"
    file.write_text(file.read_text().replace('"objId": 7', '"objId": 9'))
    summary = vs.score(tmp_path / "walker.json", "reverie/val_unseen", root=tmp_path).to_dict()["metrics"]
    (reason,) = summary["SR"]["undefined_reasons"]
    assert "list the object that is asked for at no viewpoint" in reason


def test_choices_on_data_without_targets_are_said_not_to_count(root: Path) -> None:
    walks = json.loads((SAMPLE / "predictions" / "walker.json").read_text())
    chosen = [
        Prediction(
            episode_id=walk["instr_id"], path=tuple(node for node, *_ in walk["trajectory"]), object_id="7"
        )
        for walk in walks
    ]
    scored = vs.score(chosen, "sample/demo")
    assert any("names no target: the choices are not scored" in note for note in scored.notes)
    by_objects = vs.score(chosen, "sample/demo", profile="reverie")
    assert any("these end at places" in note for note in by_objects.notes)
    assert by_objects.to_dict()["metrics"]["RGS"]["mean"] is None


def test_a_run_on_reverie_data_is_reported_by_the_scores_it_keeps(
    boxed: Path, tmp_path: Path, cli: Cli
) -> None:
    run = tmp_path / "run"
    asked = ("--root", boxed)
    assert cli("run", "shortest", "--data", "reverie/val_unseen", *asked, "--out", run).code == 0
    assert cli("score", run, *asked).code == 0
    assert json.loads((run / "scores.json").read_text())["profile"] == "reverie"
    made = cli("report", run, "--out", tmp_path / "page")  # without the data: the kept scores must be found
    assert made.code == 0, made.out


def test_the_shared_splits_and_boxes(data_root: Path) -> None:
    """The expert ends where the target can be seen, always; stopping at the start never does."""
    for split, count in (("val_seen", 1423), ("val_unseen", 3521)):
        dataset = open_dataset(f"reverie/{split}", data_root)
        episodes = list(dataset.episodes())
        assert len(episodes) == count
        expert = [Prediction(episode_id=e.episode_id, path=e.path, object_id=e.object_id) for e in episodes]
        summary = vs.score(expert, dataset).to_dict()["metrics"]
        assert all(summary[name]["mean"] == 100.0 for name in ("SR", "OSR", "RGS"))
        short = [Prediction(episode_id=e.episode_id, path=e.path[:-1]) for e in episodes]
        one_before = vs.score(short, dataset).to_dict()["metrics"]["SR"]["mean"]
        nearby = vs.score(short, dataset, profile="reverie-3m").to_dict()["metrics"]["SR"]["mean"]
        assert (round(one_before, 2), round(nearby, 2)) == STOPPED_ONE_SHORT[split]
        still = [Prediction(episode_id=e.episode_id, path=e.path[:1]) for e in episodes]
        assert vs.score(still, dataset).to_dict()["metrics"]["SR"]["mean"] == 0.0


def test_random_walks_are_scored_as_the_rules_say(data_root: Path) -> None:
    """REVERIE's rules once more, read straight from the box files, on walks that know nothing."""
    dataset = open_dataset("reverie/val_unseen", data_root)
    scenes = MatterportScenes(data_root)
    listed = _listed(data_root)
    walks, wanted = [], {}
    for k, e in enumerate(dataset.episodes()):
        graph = scenes.scene(e.scan).graph
        rng = rng_for(3, e.episode_id)
        path = list(e.path[: k % len(e.path) + 1])
        for _ in range(k % 4):
            path.append(str(rng.choice(graph.neighbours(path[-1]))))
        seen = [e.object_id in listed[e.scan].get(node, ()) for node in path]
        shortest = graph.distance(e.path[0], e.path[-1])
        length = sum(graph.distance(a, b) for a, b in pairwise(path))
        share = shortest / max(shortest, length)
        right = k % 3 == 0
        choice = e.object_id if right else "another"
        walks.append(Prediction(episode_id=e.episode_id, path=tuple(path), object_id=choice))
        values = (seen[-1], any(seen), seen[-1] * share, right, right * share)
        wanted[e.episode_id] = dict(zip(NAMES, map(float, values), strict=True))
    scored = vs.score(walks, dataset, metrics=NAMES)
    assert {row.episode_id: row.values for row in scored.rows()} == {
        name: pytest.approx(values, abs=1e-5) for name, values in wanted.items()
    }
    assert len({values["SR"] for values in wanted.values()}) == 2


def _listed(data_root: Path) -> dict[str, dict[str, set[str]]]:
    """Scan → viewpoint → ids of the objects that have a box there."""
    listed = {}
    for file in (data_root / "reverie_bbox").glob("*.json.gz"):
        with gzip.open(file, "rt") as stream:
            boxes = json.load(stream)
        listed[file.name.partition(".")[0]] = {
            node: {name for name, its in objects.items() if its["visible_pos"]}
            for node, objects in boxes.items()
        }
    return listed


@pytest.mark.parametrize("profile", ["hamt", "paper", "r2r-server"])
def test_success_is_undefined_under_every_profile(root: Path, profile: str) -> None:
    found = vs.score(root / "walker.json", "reverie/val_unseen", root=root, profile=profile)
    summary = found.to_dict()["metrics"]
    undefined = {name for name, its in summary.items() if its["mean"] is None}
    assert undefined == BY_SUCCESS & set(summary)
    for name in undefined:
        (reason,) = summary[name]["undefined_reasons"]
        assert "asks for an object" in reason


def test_the_reason_is_printed_and_the_rest_is_scored(root: Path, cli: Cli) -> None:
    plain = cli("score", SAMPLE / "predictions" / "walker.json", "--data", "sample/demo", "--json").data
    asked = ("score", root / "walker.json", "--data", "reverie/val_unseen", "--root", root)
    scored = cli(*asked, "--profile", "hamt", "--json").data
    for name in ("NE", "TL", "CLS", "nDTW"):
        assert scored["metrics"][name]["mean"] == plain["metrics"][name]["mean"]
    for profile in ("hamt", "all"):
        told = cli(*asked, "--profile", profile).out
        assert "undefined for 90: the episode asks for an object" in told
        assert "what REVERIE reports comes with --profile reverie" in told


def test_a_comparison_says_why_there_is_nothing_to_compare(root: Path) -> None:
    file = root / "walker.json"
    with pytest.raises(InputError, match="SR of a: undefined for 90: the episode asks for an object"):
        vs.compare(f"a={file}", f"b={file}", data="reverie/val_unseen", root=root, profile="hamt")


def test_benchmarks_of_ordinary_walks_refuse_it(root: Path) -> None:
    for benchmark in ("outcomes", "fidelity"):
        with pytest.raises(InputError, match="its episodes ask for objects"):
            vs.build(benchmark, "reverie/val_unseen", root=root)
