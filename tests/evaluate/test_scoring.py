"""Scoring whole prediction files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest

import vlnscope as vs
from vlnscope.core import files
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.score.tour_logs import score_tour_logs
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import Episode, Prediction, Tour

SAMPLE = Path(files.__file__).parents[1] / "sample"
WALKER = SAMPLE / "predictions" / "walker.json"
PREVALENT = "agent_predictions/PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
SHORTEST = "agent_predictions/matterport3dsim_val_unseen_shortest_agent.json.gz"


def walker() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(WALKER.read_text())
    return found


def test_the_sample_scores() -> None:
    score = vs.score(WALKER, "sample/demo")
    assert score.n == 90
    summary = score.to_dict()
    assert set(summary) == {"profile", "dataset", "n", "metrics", "notes"}
    for name, metric in summary["metrics"].items():
        assert metric["undefined"] == 0, name
        assert metric["ci_low"] <= metric["mean"] <= metric["ci_high"], name
    assert 50 < summary["metrics"]["SR"]["mean"] < 100


def test_same_input_same_bytes_and_slices_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vs.score(WALKER, "sample/demo").to_dict()
    assert vs.score(WALKER, "sample/demo").to_dict() == whole
    monkeypatch.setattr("vlnscope.metrics.pairs.CELLS_AT_ONCE", 200)
    assert vs.score(WALKER, "sample/demo").to_dict() == whole


def test_order_of_predictions_does_not_matter() -> None:
    predictions = list(vs.read_predictions(WALKER))
    assert vs.score(predictions[::-1], "sample/demo").to_dict() == vs.score(WALKER, "sample/demo").to_dict()


def test_per_episode_files(tmp_path: Path) -> None:
    score = vs.score(WALKER, "sample/demo", profile="google")
    score.save(tmp_path / "x.jsonl")
    score.save(tmp_path / "x.parquet")
    score.save(tmp_path / "x.json")
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    table = pq.read_table(tmp_path / "x.parquet").to_pylist()
    assert [line["episode_id"] for line in lines] == [row["episode_id"] for row in table]
    assert all(line["CLS"] == row["CLS"] for line, row in zip(lines, table, strict=True))
    assert set(get_profile("google").metrics) <= set(lines[0])
    assert json.loads((tmp_path / "x.json").read_text())["n"] == 90
    assert score.to_pandas()["nDTW"].mean() * 100 == pytest.approx(score.to_dict()["metrics"]["nDTW"]["mean"])
    assert "<table>" in score._repr_html_()
    with pytest.raises(InputError, match=r"cannot be written as \.xlsx"):
        score.save(tmp_path / "x.xlsx")
    assert not (tmp_path / "x.xlsx").exists()


def test_undefined_values_are_null_with_a_reason(tmp_path: Path) -> None:
    turning = [p for p in walker() if any(a[0] == b[0] for a, b in itertools.pairwise(p["trajectory"]))]
    score = vs.score(WALKER, "sample/demo", profile="google")
    score.save(tmp_path / "x.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    undefined = [line for line in lines if line["CLS"] is None]
    assert {line["episode_id"] for line in undefined} == {p["instr_id"] for p in turning}
    assert all("on the spot" in line["undefined"]["CLS"] for line in undefined)
    assert len(undefined) > 5
    assert "NaN" not in (tmp_path / "x.jsonl").read_text()
    summary = score.to_dict()["metrics"]
    assert summary["CLS"]["undefined"] == len(undefined)
    assert sum(summary["CLS"]["undefined_reasons"].values()) == len(undefined)
    assert summary["nDTW"]["undefined"] == 0
    assert score.to_arrow()["CLS"].null_count == len(undefined)


def test_incomplete_and_foreign_predictions() -> None:
    predictions = list(vs.read_predictions(WALKER))
    with pytest.raises(
        InputError, match="2 of the 90 episodes of sample/demo have no prediction: 100_0, 100_1"
    ):
        vs.score(predictions[2:], "sample/demo")
    stranger = Prediction(episode_id="7_7", path=("a000",))
    with pytest.raises(InputError, match="1 predictions are for episodes that sample/demo does not have"):
        vs.score([*predictions, stranger], "sample/demo")
    partial = vs.score([*predictions[2:], stranger], "sample/demo", partial=True)
    assert partial.n == 88
    assert vs.score(predictions[2:], "sample/demo", profile="hamt").n == 88, "as HAMT's evaluator does"
    assert len(partial.notes) == 2
    with pytest.raises(InputError, match="no prediction is for an episode"):
        vs.score([stranger], "sample/demo", partial=True)
    with pytest.raises(InputError, match="100_0 has more than one prediction"):
        vs.score([*predictions, predictions[0]], "sample/demo")


def test_unusable_predictions_name_the_episode() -> None:
    predictions = list(vs.read_predictions(WALKER))
    wrong = Prediction(episode_id="100_0", path=("a000", "nowhere"))
    with pytest.raises(InputError, match="100_0: viewpoint 'nowhere' is not in scan sample-attic"):
        vs.score([wrong, *predictions[1:]], "sample/demo")
    floating = Prediction(episode_id="100_0", positions=((0.0, 0.0, 0.0),))
    with pytest.raises(InputError, match="coordinates"):
        vs.score([floating, *predictions[1:]], "sample/demo")


def test_profiles_side_by_side_explain_their_differences() -> None:
    table = vs.score_all(WALKER, "sample/demo")
    assert next(iter(table.scores)) == "default"
    assert "vlnce" not in table.scores
    for difference in table.differences:
        assert difference.causes, difference
        explained = sum(effect.points for _, effect in difference.causes.values())
        assert explained == pytest.approx(difference.effect.points, abs=1e-9), difference
    assert ("valan", "DTW") in {(d.profile, d.metric) for d in table.differences}
    assert json.dumps(table.to_dict())


def test_profiles_that_refuse_predictions_are_explained() -> None:
    predictions = [msgspec.structs.replace(p, path=p.path[1:] or p.path) for p in vs.read_predictions(WALKER)]
    table = vs.score_all(predictions, "sample/demo")
    refused = {d.profile: d for d in table.differences if d.metric == "SR"}
    assert set(refused) == {"hamt", "ivln", "r2r-server"}
    for difference in refused.values():
        assert difference.effect.undefined > 50
        assert "start = reference" in difference.sentence()


def test_a_fourth_instruction_is_left_out_where_the_server_does(tmp_path: Path) -> None:
    records = json.loads((SAMPLE / "r2r" / "R2R_demo.json").read_text())
    records[0]["instructions"].append("A fourth one.")
    (tmp_path / "connectivity").symlink_to(SAMPLE / "connectivity")
    (tmp_path / "four.json").write_text(json.dumps(records))
    data = tmp_path / "four.json"
    assert vs.score(WALKER, data, root=tmp_path, profile="r2r-server").n == 90, "complete for the server"
    with pytest.raises(InputError, match="100_3"):
        vs.score(WALKER, data, root=tmp_path)
    extra = Prediction(episode_id="100_3", path=tuple(records[0]["path"]))
    whole = [*vs.read_predictions(WALKER), extra]
    assert vs.score(whole, data, root=tmp_path).n == 91
    server = vs.score(whole, data, root=tmp_path, profile="r2r-server")
    assert server.n == 90
    assert "first 3 instructions" in server.notes[0]


def log(*tours: tuple[str, list[tuple[str, float, str]]]) -> dict[str, Any]:
    return {
        name: [{"position": [x, 0.0, 0.0], "phase": phase, "episode_id": e} for e, x, phase in steps]
        for name, steps in tours
    }


def test_tour_logs_are_scored(tmp_path: Path) -> None:
    way = [("1", 0.0, "agent"), ("1", 0.0, "agent"), ("1", 1.0, "agent"), ("1", 5.0, "oracle")]
    more = [("2", 5.0, "agent"), ("2", 8.0, "agent")]
    (tmp_path / "gt.json").write_text(json.dumps(log(("a", way[1:] + more), ("b", way[1:]))))
    (tmp_path / "same.json").write_text(json.dumps(log(("a", way + more), ("b", way))))
    (tmp_path / "off.json").write_text(json.dumps(log(("a", [*way, ("2", 5.0, "agent")]), ("b", way))))
    same, off = (score_tour_logs(tmp_path / f"{name}.json", tmp_path / "gt.json") for name in ("same", "off"))
    assert same.to_dict()["metrics"]["t-nDTW"]["mean"] == 100.0, "standing still costs nothing"
    assert off.tours is not None
    assert off.tours.values["t-nDTW"].reason(0) is not None or off.tours.values["t-nDTW"].values[0] < 1
    off.save(tmp_path / "x.jsonl")
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == 2
    with pytest.raises(InputError, match="has no metric of tours"):
        score_tour_logs(tmp_path / "same.json", tmp_path / "gt.json", profile="vlnce")
    (tmp_path / "idle.json").write_text(json.dumps(log(("a", way[3:]), ("b", way))))
    with pytest.raises(InputError, match="takes no step"):
        score_tour_logs(tmp_path / "idle.json", tmp_path / "gt.json")


def test_tours_of_one_episode_count_nothing_by_transitions(tmp_path: Path) -> None:
    one, two = [("1", 0.0, "agent"), ("1", 9.0, "agent")], [("2", 0.0, "agent"), ("3", 0.0, "agent")]
    (tmp_path / "gt.json").write_text(json.dumps(log(("a", one), ("b", two))))
    (tmp_path / "log.json").write_text(json.dumps(log(("a", one[:1]), ("b", two))))
    official = score_tour_logs(tmp_path / "log.json", tmp_path / "gt.json").to_dict()
    paper = score_tour_logs(tmp_path / "log.json", tmp_path / "gt.json", profile="paper").to_dict()
    assert official["metrics"]["t-nDTW"]["mean"] == 100.0
    assert paper["metrics"]["t-nDTW"]["mean"] < 95.0


def test_metrics_of_tours_need_tours() -> None:
    with pytest.raises(InputError, match="no tours are given"):
        vs.score(WALKER, "sample/demo", metrics=["t-nDTW"])


def test_a_profile_for_another_space_says_so() -> None:
    assert any("continuous space" in note for note in vs.score(WALKER, "sample/demo", profile="vlnce").notes)


def test_positions_of_house_files(data_root: Path, tmp_path: Path) -> None:
    scan = "GdvgFV5R1Z5"
    dataset = vs.open_dataset("r2r/train", data_root)
    moved = vs.open_dataset("r2r/train", data_root, positions="house")
    assert dataset.scenes is not None
    assert moved.scenes is not None
    a, b = dataset.scenes.scene(scan).graph, moved.scenes.scene(scan).graph
    assert a.nodes == b.nodes
    assert 0 < np.abs(a.distances - b.distances).max() < 0.1
    with pytest.raises(InputError, match="did you mean 'house'"):
        vs.open_dataset("r2r/train", data_root, positions="hous")


def test_tours_are_scored() -> None:
    episodes = list(vs.open_dataset("sample/demo").episodes())
    scans = sorted({e.scan for e in episodes})
    tours = [
        Tour(tour_id=s, scan=s, episode_ids=tuple(e.episode_id for e in episodes if e.scan == s))
        for s in scans
    ]
    score = vs.score(WALKER, "sample/demo", profile="ivln", tours=tours)
    assert 0 < score.to_dict()["metrics"]["t-nDTW"]["mean"] < 100
    paper = vs.score(WALKER, "sample/demo", profile="paper", tours=tours)
    assert paper.to_dict()["metrics"]["t-nDTW"]["mean"] >= score.to_dict()["metrics"]["t-nDTW"]["mean"]
    with pytest.raises(InputError, match="not in the data set"):
        vs.score(WALKER, "sample/demo", tours=[Tour(tour_id="x", scan="s", episode_ids=("9_9",))])
    with pytest.raises(InputError, match="twice"):
        vs.score(WALKER, "sample/demo", tours=[Tour(tour_id="x", scan="s", episode_ids=("100_0",) * 2)])


def test_a_real_agent(data_root: Path) -> None:
    metrics = vs.score(
        data_root / PREVALENT, "r2r/val_unseen", root=data_root, profile="r2r-server"
    ).to_dict()
    assert metrics["n"] == 2349
    found = {name: round(metrics["metrics"][name]["mean"], 2) for name in ("SR", "SPL", "NE", "TL")}
    assert found == {"SR": 60.15, "SPL": 56.01, "NE": 4.14, "TL": 9.99}


def test_a_real_oracle(data_root: Path) -> None:
    metrics = vs.score(data_root / SHORTEST, "r2r/val_unseen", root=data_root).to_dict()["metrics"]
    assert metrics["SR"]["mean"] == metrics["SPL"]["mean"] == 100.0


def test_spl_differs_exactly_where_references_are_not_shortest(data_root: Path) -> None:
    hamt, server = (
        vs.score(data_root / PREVALENT, "r2r/val_unseen", root=data_root, profile=profile)
        for profile in ("hamt", "r2r-server")
    )
    dataset = vs.open_dataset("r2r/val_unseen", data_root)
    longer = {e.path_id for e in dataset.episodes() if _excess(e, dataset) > 1e-9}
    assert len(longer) == 8
    values = [score.episodes.values["SPL"].values for score in (hamt, server)]
    differing = np.flatnonzero(np.abs(values[0] - values[1]) > 1e-12)
    assert len(differing) > 0
    assert {hamt.episodes.path_ids[i] for i in differing} <= longer
    reached = hamt.episodes.values["SR"].values == 1
    for i, path_id in enumerate(hamt.episodes.path_ids):
        if path_id in longer and reached[i]:
            assert i in differing or values[0][i] == values[1][i] == 1.0


def _excess(episode: Episode, dataset: Dataset) -> float:
    assert dataset.scenes is not None
    graph = dataset.scenes.scene(episode.scan).graph
    length = sum(graph.distance(a, b) for a, b in itertools.pairwise(episode.path))
    return length - graph.distance(episode.path[0], episode.path[-1])
