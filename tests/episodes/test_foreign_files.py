"""Files as others leave them: summaries, objects by id, a file per instruction, metrics alone, pointers."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vlnscope as vs
from commands import Cli
from vlnscope.core.exceptions import InputError, LossyConversionError
from vlnscope.core.files import check_regular, read_bytes
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.format import SUMMARY, Problem, get_format
from vlnscope.episodes.joined import JoinedFiles, files_of, instruction_in_name
from vlnscope.episodes.measured import is_measured, read_measured
from vlnscope.episodes.merging import merge_files
from vlnscope.episodes.reading import read_episodes, read_predictions, sniff
from vlnscope.episodes.stated import is_summary, metric_called, summary_of
from vlnscope.perception.features.files import open_features
from vlnscope.types import Prediction

A, B, C = "a" * 32, "b" * 32, "c" * 32
WALK = [[A, 0.5, 0.0], [B, 1.5, 0.25]]
RECORD = {"instr_id": "1_0", "trajectory": WALK}
SUMMARY_RECORD = {
    "length": 9.5,
    "nav_error": 3.5,
    "oracle success_rate": 0.7,
    "success_rate": 0.6,
    "spl": 0.5,
}
LINE = {"scene_id": "s1", "episode_id": 7, "success": 1.0, "spl": 0.5, "os": 1.0, "ne": 0.25, "steps": 9}
MEANS = {"sucs_all": 1.0, "spls_all": 0.5, "oss_all": 1.0, "ones_all": 0.25, "length": 1}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n"


def put(path: Path, content: Any) -> Path:
    is_lines = ".jsonl" in path.suffixes
    path.write_text("".join(json.dumps(c) + "\n" for c in content) if is_lines else json.dumps(content))
    return path


def look(path: Path) -> tuple[list[Prediction], list[Problem]]:
    problems: list[Problem] = []
    return list(read_predictions(path, on_problem=problems.append)), problems


# --- summaries ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_summary_among_records_is_left_out_and_handed_on(tmp_path: Path, name: str, place: int) -> None:
    records: list[Any] = [RECORD, RECORD | {"instr_id": "1_1"}]
    records.insert(place, SUMMARY_RECORD)
    path = put(tmp_path / name, records)
    found, (problem,) = look(path)
    assert sniff(path).name == "r2r"
    assert [p.episode_id for p in found] == ["1_0", "1_1"]
    assert list(read_predictions(path)) == found
    assert (problem.code, problem.where) == (SUMMARY, f"{path}: record {place + 1}")
    stated = summary_of(problem.where, problem.record)
    assert stated.values == {"TL": 9.5, "NE": 3.5, "OSR": 0.7, "SR": 0.6, "SPL": 0.5}


def test_a_whole_number_called_length_is_how_many_episodes_there_are() -> None:
    stated = summary_of("x", MEANS | {"length": 1839})
    assert (stated.episodes, "TL" in stated.values) == (1839, False)
    assert summary_of("x", {"length": 9.5, "spl": 1, "total_num_instr": 24}).episodes == 24


@pytest.mark.parametrize(
    "record",
    [
        {"spl": 0.5},
        {"instr_id": "1_0", "success": 1, "spl": 0.5},
        {"episode_id": 3, "success": 1, "spl": 0.5},
        {"success": 1, "spl": 0.5, "path": [A]},
        {"success": "yes", "spl": None},
        [0.5],
        None,
    ],
)
def test_what_is_about_an_episode_is_no_summary(record: Any) -> None:
    assert not is_summary(record)


def test_a_file_of_nothing_but_a_summary_holds_no_predictions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="in no format"):
        sniff(put(tmp_path / "a.json", [SUMMARY_RECORD]))


@given(st.text(max_size=12))
def test_any_text_may_be_asked_for_its_metric(name: str) -> None:
    assert metric_called(name) == metric_called(f" {name.upper()} ".replace("_", "-")) or "ß" in name.lower()


# --- walks in other clothes --------------------------------------------------------------------------


@pytest.mark.parametrize("member", ["trajectory", "path", "pred_path"])
def test_a_walk_may_stand_in_an_object_under_its_id(tmp_path: Path, member: str) -> None:
    path = put(tmp_path / "a.json", {"1_0": {member: [A, B], "loss": 0.5}})
    (found,) = read_predictions(path)
    assert (found.episode_id, found.path, found.extra) == ("1_0", (A, B), {"loss": 0.5})
    assert sniff(path).name == "r2r-by-id"
    stream = io.BytesIO()
    get_format("r2r-by-id").write([found], stream)  # type: ignore[misc]
    assert json.loads(stream.getvalue()) == {"1_0": {"trajectory": [A, B], "loss": 0.5}}


def test_positions_may_stand_in_an_object_too(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"7": {"path": [[0, 1, 2], [0.5, 1, 2]], "success": 1}})
    (found,) = read_predictions(path)
    assert (sniff(path).name, found.positions[1], found.extra) == (
        "positions-by-id",
        (0.5, 1.0, 2.0),
        {"success": 1},
    )


def test_an_object_without_a_walk_is_a_problem_of_its_record(tmp_path: Path) -> None:
    found, (problem,) = look(put(tmp_path / "a.json", {"1_0": {"path": [A]}, "1_1": {"score": 1}}))
    assert [p.episode_id for p in found] == ["1_0"]
    assert (problem.code, problem.episode_id) == ("missing-key", "1_1")
    assert "trajectory or path or pred_path" in problem.expected


def test_the_predicted_path_beside_the_reference_is_read(tmp_path: Path) -> None:
    record = {"instr_id": "1_0", "success": 1, "spl": 0.5, "gt_path": [A, C], "pred_path": [A, B]}
    path = put(tmp_path / "a.json", [SUMMARY_RECORD, record])
    (found,) = read_predictions(path)
    assert (sniff(path).name, found.path) == ("r2r", (A, B))
    assert found.extra == {"success": 1, "spl": 0.5, "gt_path": [A, C]}


def test_a_file_may_be_one_record(tmp_path: Path) -> None:
    for name, record in (("a.json", RECORD), ("b.json", dict(reversed(RECORD.items())))):
        path = put(tmp_path / name, record)
        assert sniff(path).name == "r2r-one"
        assert list(read_predictions(path)) == list(read_predictions(put(tmp_path / "c.json", [RECORD])))
    with pytest.raises(InputError, match="lacks trajectory"):
        list(read_predictions(put(tmp_path / "d.json", {"instr_id": "1_0", "walk": []})))


def test_ndh_and_soon_submissions_come_back_as_they_were(tmp_path: Path) -> None:
    soon = {"path": [[A], [B, C]], "obj_heading": [0.5], "obj_elevation": [0.25]}
    for name, record in (
        ("ndh", {"inst_idx": 17, "trajectory": WALK, "num_instrs": 3}),
        ("soon", {"instr_id": "9_0_1", "trajectory": soon, "score": 1}),
    ):
        path = put(tmp_path / f"{name}.json", [record])
        fmt = sniff(path)
        found = list(read_predictions(path))
        assert fmt.name == name
        assert fmt.own_success
        stream = io.BytesIO()
        fmt.write(found, stream)  # type: ignore[misc]
        assert json.loads(stream.getvalue()) == [record]
    with pytest.raises(LossyConversionError, match="says nothing of an object"):
        get_format("soon").write([Prediction(episode_id="1_0", path=(A,))], io.BytesIO())  # type: ignore[misc]


# --- episodes ----------------------------------------------------------------------------------------

REVERIE_TEST = {"path": [A], "instructions": ["go", "look"], "heading": 0.5, "id": "2021", "scan": "s1"}
DIALOGUE = [{"nav_idx": 0, "role": "navigator", "message": "Left?"}, {"role": "oracle", "message": "Yes."}]
NDH_EPISODE = {
    "inst_idx": 3,
    "scan": "s1",
    "start_pano": {"pano": A, "heading": 0.5, "elevation": 0.1},
    "target": "lamp",
    "dialog_history": DIALOGUE,
    "end_panos": [B],
}


def test_the_public_test_split_of_reverie_needs_no_path_id(tmp_path: Path) -> None:
    path = put(tmp_path / "REVERIE_test.json", [REVERIE_TEST])
    first, second = read_episodes(path)
    assert (first.episode_id, second.episode_id) == ("2021_0", "2021_1")
    assert (first.path_id, first.path, first.object_id) == ("2021", (A,), None)
    vs.convert(path, tmp_path / "out.json", to="reverie-episodes")
    assert json.loads((tmp_path / "out.json").read_text()) == [REVERIE_TEST]
    assert open_dataset(path).is_test


def test_ndh_episodes_are_read_and_written_back(tmp_path: Path) -> None:
    plain = {"inst_idx": "x", "scan": "s1", "start_pano": B, "target": "mug"}
    path = put(tmp_path / "val.json", [NDH_EPISODE, plain])
    first, second = read_episodes(path)
    assert (first.episode_id, first.path, first.heading, first.instruction) == ("3", (A,), 0.5, "Left? Yes.")
    assert (second.path, second.instruction) == ((B,), "The goal room contains a mug.")
    vs.convert(path, tmp_path / "out.json", to="ndh-episodes")
    assert json.loads((tmp_path / "out.json").read_text()) == [NDH_EPISODE, plain]


# --- metrics without walks ---------------------------------------------------------------------------


def test_metrics_by_id_and_in_lines(tmp_path: Path) -> None:
    numbers = {key: value for key, value in LINE.items() if key not in ("scene_id", "episode_id")}
    by_id = put(tmp_path / "stats_ep.json", {"7": numbers, "8": numbers | {"note": "slow"}})
    text = json.dumps(LINE | {"scene_id": "mp3d/s1/s1.glb"}) + "\n" + json.dumps(LINE | {"episode_id": "8"})
    lines = tmp_path / "result.json"
    lines.write_text(text + "\n" + json.dumps(MEANS))
    problems: list[Problem] = []
    assert (sniff(by_id).name, sniff(lines).name) == ("metrics-by-id", "metrics-lines")
    assert is_measured(by_id)
    assert [e.episode_id for e in read_measured(by_id)] == ["7", "8"]
    found = list(read_measured(lines, on_problem=problems.append))
    assert [(e.episode_id, e.scan) for e in found] == [("7", "s1"), ("8", "s1")]
    assert found[0].values == {"success": 1.0, "spl": 0.5, "os": 1.0, "ne": 0.25, "steps": 9.0}
    assert [problem.code for problem in problems] == [SUMMARY]
    assert next(e for e in read_measured(by_id) if e.extra).extra == {"note": "slow"}


def test_nan_is_no_value_and_other_faults_have_names(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records = [
        '{"episode_id": 1, "success": NaN, "spl": 0.5}',
        '{"episode_id": 1, "success": 1, "spl": 0.5}',
        '{"success": 1, "spl": 0.5, "path": 3, "id": 4}',
        '{"episode_id": 2, "speed": 1}',
        "[1]",
        '{"episode_id": 3, "success" 1}',
    ]
    path.write_text("\n".join(records) + "\n")
    problems: list[Problem] = []
    (found,) = read_measured(path, "metrics-lines", problems.append)
    assert found.values == {"spl": 0.5}
    codes = [problem.code for problem in problems]
    assert codes == ["duplicate-id", "missing-key", "missing-key", "not-an-object", "not-json"]
    assert "pass@k" in problems[0].fix


@pytest.mark.parametrize(("name", "suffix"), [("metrics-by-id", ".json"), ("metrics-lines", ".jsonl")])
def test_metrics_can_be_written_in_either_form(tmp_path: Path, name: str, suffix: str) -> None:
    source = put(tmp_path / "a.jsonl", [LINE | {"note": "x"}, LINE | {"episode_id": 8}])
    target = tmp_path / f"b{suffix}"
    report = vs.convert(source, target, to=name)
    assert (report.records, list(read_measured(target))) == (2, list(read_measured(source)))


def test_a_single_line_is_an_episode_and_no_object_of_them(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(LINE) + "\n")
    (found,) = read_measured(path)
    assert (sniff(path).name, found.episode_id, found.scan) == ("metrics-lines", "7", "s1")


def test_means_alone_are_told_from_episodes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds means alone \(success 0\.4") as caught:
        sniff(put(tmp_path / "stats_ckpt.json", {"success": 0.4, "spl": 0.3}))
    assert "stats_ep_" in caught.value.fix


def test_predictions_are_not_metrics(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"7": LINE})
    with pytest.raises(InputError, match="holds metrics of episodes"):
        read_predictions(path)
    assert not is_measured(put(tmp_path / "b.json", [RECORD]))
    assert not is_measured(tmp_path)


# --- several files as one ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("r2r_val_seen_submission_inst_0.json", 0),
        ("preds-instruction-2.json.gz", 2),
        ("instr1_val.jsonl", 1),
        ("val_unseen_inst_12_final.json", 12),
        ("instant_3.json", None),
        ("min_inst.json", None),
        ("preds.json", None),
    ],
)
def test_a_name_may_say_which_instruction_a_file_holds(name: str, number: int | None) -> None:
    assert instruction_in_name(Path(name)) == number


def test_ids_of_paths_become_those_of_instructions(tmp_path: Path) -> None:
    paths = [put(tmp_path / f"a_inst_{k}.json", {"1": [A], "2": [B]}) for k in range(2)]
    joined = JoinedFiles(paths)
    known = {"1_0", "1_1", "2_0", "2_1"}
    assert [p.episode_id for p in joined.resolve(joined.read(), known)] == ["1_0", "2_0", "1_1", "2_1"]
    assert joined.by_path == dict.fromkeys(paths, 2)
    joined.refuse_nameless()
    plain = JoinedFiles([put(tmp_path / "a.json", {"1": [A]})])
    assert [p.episode_id for p in plain.resolve(plain.read(), known)] == ["1"]
    with pytest.raises(InputError, match="its ids are those of paths") as caught:
        plain.refuse_nameless()
    assert "a_inst_0.json" in caught.value.fix


def test_an_episode_in_two_files_is_refused_with_both_names(tmp_path: Path) -> None:
    joined = JoinedFiles([put(tmp_path / "a.json", [RECORD]), put(tmp_path / "b.json", [RECORD])])
    with pytest.raises(InputError, match=r"episode 1_0 is in .*a\.json and in .*b\.json"):
        list(joined.resolve(joined.read(), None))


def test_files_are_told_from_predictions() -> None:
    assert files_of("a.json") == (Path("a.json"),)
    assert files_of((Path("a"), "b")) == (Path("a"), Path("b"))
    assert files_of([]) is None
    assert files_of(iter(["a.json"])) is None


def test_files_are_merged(tmp_path: Path, cli: Cli) -> None:
    single = [put(tmp_path / f"{k}.json", RECORD | {"instr_id": f"1_{k}"}) for k in range(3)]
    out = tmp_path / "whole.json.gz"
    assert cli("merge", *single, "--out", out).out.startswith(f"{out}: 3 records of 3 files (r2r)")
    assert [r["instr_id"] for r in json.loads(gzip.decompress(out.read_bytes()))] == ["1_0", "1_1", "1_2"]
    by_path = [put(tmp_path / f"a_inst_{k}.json", {"1": [A]}) for k in range(2)]
    merged = cli("merge", *by_path, "--out", tmp_path / "b.json", "--json").data
    assert merged["records"] == 2
    assert json.loads((tmp_path / "b.json").read_text()) == {"1_0": [A], "1_1": [A]}
    shards = [put(tmp_path / f"stats_r{k}.json", {str(k): {"success": 1, "spl": 1}}) for k in range(2)]
    assert merge_files(shards, tmp_path / "stats.json").format == "metrics-by-id"


def test_merging_what_does_not_go_together_writes_nothing(tmp_path: Path) -> None:
    one, two = put(tmp_path / "a.json", [RECORD]), put(tmp_path / "b.json", {"1_1": [A]})
    out = tmp_path / "out.json"
    with pytest.raises(InputError, match=r"b\.json: is of the format 'r2r-by-id', .*a\.json of 'r2r'"):
        merge_files([one, two], out)
    with pytest.raises(InputError, match="episode 1_0 is in"):
        merge_files([one, put(tmp_path / "c.json", [RECORD])], out)
    with pytest.raises(InputError, match="does not suit the format"):
        merge_files([one], tmp_path / "out.jsonl")
    with pytest.raises(InputError, match="would be overwritten"):
        merge_files([one], one)
    assert not out.exists()


# --- pointers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "command"), [(POINTER, "git lfs pull"), ("/annex/objects/MD5-s1--2\n", "git annex get")]
)
def test_a_pointer_says_how_to_fetch_the_file(tmp_path: Path, text: str, command: str) -> None:
    path = tmp_path / "weights.npz"
    path.write_text(text)
    for reading in (check_regular, read_bytes, sniff, open_dataset):
        with pytest.raises(InputError, match="is a pointer of") as caught:
            reading(path)
        assert f"`{command}" in caught.value.fix


def test_pointers_are_met_wherever_a_file_is_named(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "R2R_val_unseen.json"
    path.write_text(POINTER)
    good = put(tmp_path / "p.json", [RECORD])
    (tmp_path / "r2r").mkdir()
    (tmp_path / "r2r" / "R2R_val_unseen.json").write_text(POINTER)
    for arguments in (
        ("score", path, "--data", "sample/demo"),
        ("check", good, "--data", path),
        ("score", good, "--data", "r2r/val_unseen", "--root", tmp_path),
        ("convert", path, tmp_path / "out.json", "--to", "r2r"),
    ):
        ended = cli(*arguments)
        assert ended.code == 2, arguments
        assert "git lfs pull" in ended.err, arguments


def test_pointers_are_met_in_features_and_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / "features.hdf5"
    path.write_text(POINTER)
    with pytest.raises(InputError, match="is a pointer of Git LFS"):
        open_features(path)
    pytest.importorskip("torch")
    from vlnscope.agents.learned.checkpoints import load_checkpoint

    with pytest.raises(InputError, match="is a pointer of Git LFS"):
        load_checkpoint(path)


def test_small_files_that_are_no_pointers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"version 1")
    assert check_regular(path) == 9
    path.write_bytes(b"")
    assert check_regular(path) == 0
