"""What others leave is scored, compared and explained: several files, summaries, metrics without walks."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import vlnscope as vs
from commands import Cli
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.evaluate.score.measured import score_measured

SAMPLE = Path(vs.__file__).parent / "sample"
WALKER = SAMPLE / "predictions" / "walker.json"
AGENTS = "agent_predictions"
PREVALENT = f"{AGENTS}/PREVALENT_seq2seq_teacher_imagenet_val_seen_iter_36000.json.gz"


def walker() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(WALKER.read_text())
    return found


def means(score: Any) -> dict[str, float]:
    return {name: summary["mean"] for name, summary in score.to_dict()["metrics"].items()}


def stats(path: Path, **changes: Any) -> Path:
    """Write what VLN-CE would state of the walker of the sample, some numbers changed by episode."""
    rows = {}
    for row in vs.score(WALKER, "sample/demo").rows():
        v = row.values
        numbers = {"success": v["SR"], "spl": v["SPL"], "oracle_success": v["OSR"], "ndtw": v["nDTW"]}
        numbers |= {"distance_to_goal": v["NE"], "path_length": v["TL"], "steps_taken": 5.0}
        rows[row.episode_id] = numbers | changes.get(row.episode_id, {})
    path.write_text(json.dumps(rows))
    return path


# --- several files -----------------------------------------------------------------------------------


def test_a_file_per_episode_scores_as_one_file_does(tmp_path: Path, cli: Cli) -> None:
    paths = []
    for record in walker():
        paths.append(tmp_path / f"{record['instr_id']}.json")
        paths[-1].write_text(json.dumps(record))
    plain = vs.score(WALKER, "sample/demo")
    joined = vs.score(paths, "sample/demo")
    assert means(joined) == means(plain)
    assert joined.notes == ("90 files were read as one", *plain.notes)
    assert (
        cli("score", *paths, "--data", "sample/demo", "--json").data["metrics"] == plain.to_dict()["metrics"]
    )


def test_a_file_per_instruction_is_filed_under_paths(tmp_path: Path, cli: Cli) -> None:
    paths = []
    for k in range(3):
        own = [r for r in walker() if r["instr_id"].endswith(f"_{k}")]
        paths.append(tmp_path / f"walker_inst_{k}.json")
        paths[-1].write_text(json.dumps({r["instr_id"].split("_")[0]: r["trajectory"] for r in own}))
    found = vs.score(paths, "sample/demo")
    assert means(found) == means(vs.score(WALKER, "sample/demo"))
    assert (
        "walker_inst_1.json: its 30 ids are of paths; by its name it holds instruction 1 of each"
        in found.notes
    )
    report = vs.check(paths, "sample/demo")
    assert sum(f.code == "path-ids" for f in report.findings) == 3
    assert report.ok
    assert cli("check", *paths, "--data", "sample/demo").code == 0
    plain = tmp_path / "walker.json"
    plain.write_text(paths[0].read_text())
    for partial in (False, True):
        with pytest.raises(InputError, match="its ids are those of paths"):
            vs.score(plain, "sample/demo", partial=partial)


def test_folders_are_not_joined(tmp_path: Path, cli: Cli) -> None:
    ended = cli("score", WALKER, tmp_path, "--data", "sample/demo")
    assert (ended.code, "join shards of a run with `vlnscope merge`" in ended.err) == (2, True)


# --- summaries ---------------------------------------------------------------------------------------


def test_our_numbers_are_put_beside_the_authors_own(tmp_path: Path, cli: Cli) -> None:
    own = vs.score(WALKER, "sample/demo").intervals
    summary = {"success_rate": own["SR"].mean, "spl": 100 * (own["SPL"].mean or 0), "nav_error": 1.0}
    path = tmp_path / "a.json"
    path.write_text(json.dumps([summary | {"total_num_instr": 90}, *walker()]))
    notes = vs.score(path, "sample/demo").notes
    same, other = (note for note in notes if "these differ" in note or "are the same" in note)
    assert same.startswith(
        "a.json: record 1 is the authors' own summary of 90 episodes, left out; our numbers"
    )
    assert f"SR {100 * (own['SR'].mean or 0):.4f}" in same
    assert f"SPL {100 * (own['SPL'].mean or 0):.4f}" in same
    assert other == f"of it these differ: NE 1.0000, here {own['NE'].mean:.4f}"
    assert "authors' own summary" in cli("score", path, "--data", "sample/demo", "--profile", "all").out
    (found,) = (f for f in vs.check(path, "sample/demo").findings if f.code == "summary")
    assert (found.severity, found.what[:8]) == ("warning", "record 1")


# --- metrics without walks ---------------------------------------------------------------------------


def test_stated_metrics_have_the_means_and_intervals_of_measured_ones(tmp_path: Path) -> None:
    path = stats(tmp_path / "stats_ep.json")
    stated = vs.score(path, "sample/demo")
    measured = vs.score(WALKER, "sample/demo", metrics=list(stated.intervals))
    assert set(stated.intervals) == {"TL", "NE", "SR", "OSR", "SPL", "nDTW"}
    for name, summary in measured.to_dict()["metrics"].items():
        own = stated.to_dict()["metrics"][name]
        for end in ("mean", "ci_low", "ci_high"):
            assert own[end] == pytest.approx(summary[end], abs=1e-9), (name, end)
    assert stated.profile.name == "as stated"
    assert "not used: steps_taken" in stated.notes[0]


def test_percent_and_numbers_that_are_missing(tmp_path: Path) -> None:
    rows = json.loads(stats(tmp_path / "a.json").read_text())
    for row in rows.values():
        row["success"] *= 100
    rows["100_0"]["spl"] = None
    rows["100_1"]["spl"] = float("nan")
    path = tmp_path / "b.json"
    path.write_text(json.dumps(rows))
    found = vs.score(path, "sample/demo").to_dict()["metrics"]
    assert found["SR"]["mean"] == pytest.approx(means(vs.score(WALKER, "sample/demo"))["SR"])
    assert found["SPL"]["undefined_reasons"] == {"the file states no finite number for it": 2}
    rows["100_0"]["success"] = -3
    path.write_text(json.dumps(rows))
    with pytest.raises(InputError, match=r"success is -0\.03 in an episode"):
        vs.score(path, "sample/demo")


def test_scenes_come_from_the_data_or_from_the_file(tmp_path: Path, cli: Cli) -> None:
    path = stats(tmp_path / "a.json")
    with pytest.raises(InputError, match="does not say in which scenes"):
        vs.score(path)
    rows = json.loads(path.read_text())
    scans = {row.episode_id: row.scan for row in vs.score(WALKER, "sample/demo").rows()}
    lines = tmp_path / "result.json"
    records = [{"scene_id": scans[name], "episode_id": name} | row for name, row in rows.items()]
    lines.write_text("\n".join(map(json.dumps, records)))
    alone = cli("score", lines, "--json").data
    assert alone["dataset"] == "no data set"
    assert alone["metrics"]["SR"]["mean"] == pytest.approx(means(vs.score(path, "sample/demo"))["SR"])
    records[0]["scene_id"] = "elsewhere"
    lines.write_text("\n".join(map(json.dumps, records)))
    with pytest.raises(InputError, match="1 episodes are in other scenes than sample/demo"):
        vs.score(lines, "sample/demo")
    assert [f.code for f in vs.check(lines, "sample/demo").findings] == ["other-scene", "metrics-only"]


def test_what_needs_walks_is_refused_with_a_reason(tmp_path: Path, cli: Cli) -> None:
    path = stats(tmp_path / "a.json")
    for arguments, why in (
        (("score", path, "--profile", "hamt"), "which states metrics and no walks"),
        (("score", path, "--profile", "all"), "which states metrics and no walks"),
        (("score", path, "--metrics", "CLS"), "states no CLS, and has no walks"),
        (("explain-gap", path, "--against-profile", "hamt"), "does not apply to metrics without walks"),
        (("explain-gap", path), "there is no gap to explain"),
    ):
        ended = cli(*arguments, "--data", "sample/demo")
        assert (ended.code, why in ended.err) == (2, True), (arguments, ended.err)
    with pytest.raises(UnknownNameError):
        vs.score(path, "sample/demo", metrics=["XYZ"])


def test_incomplete_metrics_need_partial(tmp_path: Path) -> None:
    rows = json.loads(stats(tmp_path / "a.json").read_text())
    del rows["100_0"]
    rows["strange"] = {"success": 1.0}
    path = tmp_path / "b.json"
    path.write_text(json.dumps(rows))
    with pytest.raises(InputError, match="1 of the 90 episodes of sample/demo have no record: 100_0"):
        vs.score(path, "sample/demo")
    found = vs.score(path, "sample/demo", partial=True)
    assert (found.n, len(found.notes)) == (89, 3)
    codes = {f.code for f in vs.check(path, "sample/demo").findings}
    assert codes == {"metrics-only", "extra", "missing"}


def test_shards_of_metrics_are_read_as_one(tmp_path: Path) -> None:
    rows = json.loads(stats(tmp_path / "a.json").read_text())
    shards = [tmp_path / f"stats_ep_r{k}_w2.json" for k in range(2)]
    for k, shard in enumerate(shards):
        shard.write_text(json.dumps(dict(list(rows.items())[k::2])))
    whole = score_measured(shards, vs.open_dataset("sample/demo"))
    assert means(whole) == pytest.approx(means(vs.score(tmp_path / "a.json", "sample/demo")))
    with pytest.raises(InputError, match=r"is in .*a\.json and in .*r0_w2\.json"):
        score_measured([tmp_path / "a.json", *shards], vs.open_dataset("sample/demo"))


def test_stated_metrics_are_compared_with_each_other_and_with_walks(tmp_path: Path) -> None:
    lost = {"success": 0.0, "spl": 0.0, "oracle_success": 1.0}
    ids = [row.episode_id for row in vs.score(WALKER, "sample/demo").rows() if row.values["SR"]][:9]
    a, b = stats(tmp_path / "a.json"), stats(tmp_path / "b.json", **dict.fromkeys(ids, lost))
    stated = vs.compare(a, b, data="sample/demo")
    assert (stated.profile, [row.metric for row in stated.agents[::2]]) == (
        "as stated",
        ["SR", "SPL", "nDTW"],
    )
    assert stated.pairs[0].comparison.difference.mean == pytest.approx(0.1)
    mixed = vs.compare(f"w={WALKER}", b, data="sample/demo", metrics=["SR"])
    assert mixed.profile == "default"
    assert mixed.pairs[0].comparison.difference.mean == pytest.approx(0.1)
    assert any(note.startswith("b: no walks") for note in mixed.notes)


def test_a_gap_between_stated_metrics_is_explained_by_episodes(tmp_path: Path, cli: Cli) -> None:
    ids = [row.episode_id for row in vs.score(WALKER, "sample/demo").rows() if row.values["SR"]]
    near = {name: {"success": 0.0, "spl": 0.0, "oracle_success": 1.0} for name in ids[:6]}
    far = {name: {"success": 0.0, "spl": 0.0, "oracle_success": 0.0} for name in ids[6:9]}
    a, b = stats(tmp_path / "a.json"), stats(tmp_path / "b.json", **near, **far)
    for first in (a, WALKER):
        gap = vs.explain_gap(first, b, data="sample/demo", metrics=["SR"])
        found = gap.of("SR")
        assert found.points == pytest.approx(-10.0)
        assert sum(part.points for part in found.parts) == pytest.approx(-10.0)
        causes = {cluster.cause: len(cluster.episodes) for cluster in found.clusters if cluster.flips}
        assert causes == {"passed near the goal": 6, "never came near the goal": 3}
    assert any("rules cannot be told apart from walks" in note for note in gap.notes)
    said = cli("explain-gap", b, "--data", "sample/demo", "--claimed", "SR=99")
    assert "SR: A has 67.78, B 99. Of the gap of +31.22 points, +31.22 is left" in said.out


# --- real files --------------------------------------------------------------------------------------


def test_1020_records_of_val_seen_name_the_profile_that_takes_them(data_root: Path, tmp_path: Path) -> None:
    records = json.loads(gzip.decompress((data_root / PREVALENT).read_bytes()))
    path = tmp_path / "1020.json"
    path.write_text(json.dumps([r for r in records if r["instr_id"] != "757_3"]))
    with pytest.raises(
        InputError, match="1 of the 1021 episodes of r2r/val_seen have no prediction"
    ) as caught:
        vs.score(path, "r2r/val_seen", root=data_root)
    assert "--profile r2r-server scores the first 3 instructions of each path, 1020" in caught.value.fix
    found = means(vs.score(path, "r2r/val_seen", root=data_root, profile="r2r-server"))
    assert (round(found["SR"], 2), round(found["SPL"], 2)) == (66.18, 63.13)


@pytest.mark.parametrize(
    ("file", "data", "partial", "expected"),
    [
        ("NaviLLM_val_seen", "r2r/val_seen", False, {"SR": 73.5553, "SPL": 68.69, "NE": 2.8729}),
        ("R2R_seq2seq_24_episodes_val_unseen", "r2r/val_unseen", True, {"SR": 20.8333, "SPL": 19.3307}),
    ],
)
def test_files_with_a_summary_give_the_authors_numbers(
    data_root: Path, file: str, data: str, partial: bool, expected: dict[str, float]
) -> None:
    path = data_root / AGENTS / f"{file}.json.gz"
    found = vs.score(path, data, root=data_root, profile="hamt", partial=partial)
    (note,) = (note for note in found.notes if "authors' own summary" in note)
    assert "our numbers are the same to four decimals" in note
    for name, mean in expected.items():
        assert means(found)[name] == pytest.approx(mean, abs=5e-5)
        assert f"{name} {mean:.4f}" in note


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (
            "CMA",
            {"SR": 40.8374, "SPL": 35.5262, "NE": 6.2315, "OSR": 51.6041, "TL": 19.6778, "nDTW": 54.4931},
        ),
        ("VLNBERT", {"SR": 44.0457, "SPL": 38.8776, "NE": 5.7473, "OSR": 52.9636, "TL": 12.2568}),
    ],
)
def test_published_metrics_of_episodes_have_their_means(
    data_root: Path, agent: str, expected: dict[str, float]
) -> None:
    path = data_root / AGENTS / f"CWP_{agent}_stats_ep_val_unseen.json.gz"
    found = vs.score(path, "r2r-ce/val_unseen", root=data_root)
    raw = json.loads(gzip.decompress(path.read_bytes()))
    assert found.n == len(raw) == 1839
    assert means(found)["SR"] == pytest.approx(100 * sum(row["success"] for row in raw.values()) / 1839)
    for name, mean in expected.items():
        assert means(found)[name] == pytest.approx(mean, abs=5e-5)
    with pytest.raises(InputError) as caught:
        vs.score(path, "r2r-ce/val_seen", root=data_root)
    assert caught.value.fix == (
        "the ids are exactly those of r2r-ce/val_unseen; use --data r2r-ce/val_unseen"
    )


def test_a_file_with_the_name_of_another_split(data_root: Path) -> None:
    path = data_root / AGENTS / "glove_val_seen_result_sim_loc.json.gz"
    with pytest.raises(InputError) as caught:
        vs.score(path, "r2r-ce/val_seen", root=data_root)
    assert caught.value.fix == (
        "420 of the 420 predictions belong to r2r-ce/val_unseen: id and start agree; "
        "use --data r2r-ce/val_unseen --partial"
    )
    wrong = vs.score(path, "r2r-ce/val_seen", root=data_root, partial=True)
    assert any("420 of the 420 predictions belong to r2r-ce/val_unseen" in note for note in wrong.notes)
    right = vs.score(path, "r2r-ce/val_unseen", root=data_root, partial=True)
    assert any("its name says val_seen" in note for note in right.notes)
    assert right.n == 420


def test_a_task_with_its_own_success_says_so(tmp_path: Path) -> None:
    episodes, walks = [], []
    for k, episode in enumerate(list(vs.open_dataset("sample/demo").episodes())[:4]):
        start = {"pano": episode.path[0], "heading": 0.0, "elevation": 0.0}
        episodes.append({"inst_idx": k, "scan": episode.scan, "start_pano": start, "target": "lamp"})
        walks.append({"inst_idx": k, "trajectory": [[node, 0.0, 0.0] for node in episode.path]})
    for name, content in (("val.json", episodes), ("walks.json", walks)):
        (tmp_path / name).write_text(json.dumps(content))
    found = vs.score(tmp_path / "walks.json", tmp_path / "val.json", root=SAMPLE).to_dict()["metrics"]
    assert found["TL"]["mean"] > 0
    (reason,) = found["SR"]["undefined_reasons"]
    assert "NDH asks how much nearer" in reason
    report = vs.check(tmp_path / "walks.json", tmp_path / "val.json", root=SAMPLE)
    assert [f.code for f in report.findings] == ["own-success"]
    with pytest.raises(InputError) as caught:
        vs.score(tmp_path / "walks.json", "sample/demo")
    assert "NDH asks how much nearer" in caught.value.fix
