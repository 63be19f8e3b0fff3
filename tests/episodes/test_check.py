"""The submission doctor: every kind of damage gets its finding, and sound submissions get none."""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.doctor import CheckReport, check
from vlnscope.types import Prediction

Record = dict[str, Any]
CORRIDORS = {"one": "abcde", "two": "pqrs"}
EXCLUDED = "x"
PATHS = {
    "val_unseen": {1: ("one", "abc"), 2: ("one", "cde"), 3: ("two", "pqr"), 4: ("two", "srq")},
    "val_seen": {11: ("one", "edc"), 12: ("two", "qrs"), 13: ("two", "sr")},
    "test": {21: ("one", "a"), 22: ("two", "s")},
}
FOUR_INSTRUCTIONS = 4


def connectivity(nodes: str) -> list[Record]:
    """A corridor, with a viewpoint at its end that is not included."""
    listed = nodes + EXCLUDED
    return [
        {
            "image_id": name,
            "pose": [1, 0, 0, 2.0 * i, 0, 1, 0, 0, 0, 0, 1, 1.5, 0, 0, 0, 1],
            "included": name != EXCLUDED,
            "unobstructed": [abs(i - j) == 1 for j in range(len(listed))],
            "height": 1.5,
        }
        for i, name in enumerate(listed)
    ]


def instructions_of(path_id: int) -> list[str]:
    return [f"Walk, version {k}." for k in range(4 if path_id == FOUR_INSTRUCTIONS else 3)]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two corridors and R2R-like splits."""
    folder = tmp_path_factory.mktemp("data")
    for part in ("connectivity", "r2r", "reverie"):
        (folder / part).mkdir()
    for scan, nodes in CORRIDORS.items():
        (folder / "connectivity" / f"{scan}_connectivity.json").write_text(json.dumps(connectivity(nodes)))
    for split, paths in PATHS.items():
        records: list[Record] = [
            {
                "path_id": path_id,
                "scan": scan,
                "heading": 0.0,
                "path": list(path),
                "instructions": instructions_of(path_id),
            }
            for path_id, (scan, path) in paths.items()
        ]
        (folder / "r2r" / f"R2R_{split}.json").write_text(json.dumps(records))
        objects = [r | {"objId": 7, "id": f"{r['path_id']}_7"} for r in records]
        (folder / "reverie" / f"REVERIE_{split}.json").write_text(json.dumps(objects))
    return folder


def perfect(split: str = "val_unseen", suffix: str = "") -> list[Record]:
    """The submission of an agent that follows every reference."""
    return [
        {"instr_id": f"{path_id}{suffix}_{k}", "trajectory": [[node, 0.5, 0.0] for node in path]}
        for path_id, (_, path) in PATHS[split].items()
        for k in range(len(instructions_of(path_id)))
    ]


def checked(records: Any, folder: Path, root: Path, data: str = "r2r/val_unseen") -> CheckReport:
    path = folder / "preds.json"
    path.write_text(json.dumps(records))
    return check(path, data, root)


def codes(report: CheckReport, *severities: str) -> set[tuple[str, str | None]]:
    wanted = severities or ("error", "warning")
    return {(f.code, f.episode_id) for f in report.findings if f.severity in wanted}


def test_sound_submission_is_fine(tmp_path: Path, root: Path) -> None:
    report = checked(perfect(), tmp_path, root)
    assert report.ok
    assert codes(report) == set()
    assert (report.episodes, report.predicted) == (13, 13)
    assert report.dataset == "r2r/val_unseen"


def walk(nodes: str) -> list[list[Any]]:
    return [[node, 0.0, 0.0] for node in nodes]


def put(key: str, value: Any) -> Callable[[Record], None]:
    return lambda record: record.update({key: value})


def degrees(record: Record) -> None:
    for step in record["trajectory"]:
        step[1] = math.degrees(step[1] + 1.5)


def look_far_up(record: Record) -> None:
    record["trajectory"][0][2] = 30


DAMAGE: list[tuple[str, Callable[[Record], None], str, str]] = [
    ("tuple-shape", put("trajectory", [["a", 0.0]]), "2 parts", "[viewpoint, heading, elevation]"),
    ("not-a-string", put("trajectory", [[3, 0.0, 0.0]]), "viewpoint id is 3", "strings"),
    ("not-finite", put("trajectory", [["a", math.nan, 0.0]]), "NaN", "finite"),
    ("empty-path", put("trajectory", []), "", "starts"),
    ("missing-key", lambda record: record.pop("trajectory"), "lacks trajectory", "keys"),
    ("wrong-start", put("trajectory", walk("bc")), "starts at b, but the episode starts at a", "in front"),
    ("wrong-start", put("trajectory", walk("babc")), "comes as element 2", "leave out"),
    ("wrong-start", put("trajectory", walk("de")), "starts at d", "mixed up"),
    ("goal-only", put("trajectory", walk("c")), "nothing but the goal", "start first"),
    ("illegal-edge", put("trajectory", walk("acdb")), "step 1 goes from a to c", "every viewpoint"),
    ("unknown-viewpoint", put("trajectory", walk("abcdex")), "included = false", "included viewpoints"),
    ("unknown-viewpoint", put("trajectory", walk("abp")), "belongs to scan two, not to one", "stored under"),
    ("unknown-viewpoint", put("trajectory", walk("ab?")), "'?', which scan one does not have", "ids"),
    ("unknown-viewpoint", put("trajectory", [*walk("ab"), ["one_c", 0, 0]]), "name of a scan", "'c'"),
    ("unknown-viewpoint", put("trajectory", [*walk("ab"), [" C", 0, 0]]), "writes as 'c'", "exactly"),
    ("heading-range", degrees, "degrees instead of radians", "math.radians"),
    ("elevation-range", look_far_up, "degrees instead of radians", "math.radians"),
    ("mixed-encodings", put("trajectory", list("abc")), "as bare viewpoints, most others as [", "alike"),
    ("mixed-encodings", put("trajectory", [*walk("ab"), "c"]), "bare viewpoints among arrays", "alike"),
    ("mixed-encodings", put("trajectory", [["a"], ["b", "c"]]), "as arrays of viewpoints, most", "alike"),
]


@pytest.mark.parametrize(("code", "damage", "what", "fix"), DAMAGE)
def test_damage_to_one_prediction(
    code: str, damage: Callable[[Record], None], what: str, fix: str, tmp_path: Path, root: Path
) -> None:
    records = perfect()
    damage(records[1])
    report = checked(records, tmp_path, root)
    assert codes(report) == {(code, "1_1")}
    (finding,) = [f for f in report.findings if f.code == code]
    assert what in finding.what
    assert fix in finding.fix
    assert report.ok == (finding.severity == "warning")


def test_only_bare_viewpoints_among_arrays_make_a_file_unfit(tmp_path: Path, root: Path) -> None:
    records = perfect()
    for record in records:
        record["trajectory"] = [step[0] for step in record["trajectory"]]
    assert codes(checked(records, tmp_path, root)) == set(), "all are bare"
    assert codes(checked({r["instr_id"]: r["trajectory"] for r in records}, tmp_path, root)) == set()
    records[3]["trajectory"] = walk("cde")
    assert codes(checked(records, tmp_path, root), "error") == {("mixed-encodings", records[3]["instr_id"])}
    for record in records[:3]:
        record["trajectory"] = [[step] for step in record["trajectory"]]
    for record in records[3:]:
        record["trajectory"] = [[step[0]] for step in record["trajectory"]]
    assert codes(checked(records, tmp_path, root)) == set(), "all are arrays of viewpoints"


def test_a_file_of_nothing_but_wrong_records_is_not_held_in_memory(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[check.__module__], "MOST_PROBLEMS", 5)
    records = [*perfect()[:1], *({"instr_id": f"x{i}", "trajectory": []} for i in range(20))]
    report = checked(records, tmp_path, root)
    (finding,) = [f for f in report.findings if f.code == "incomplete-file"]
    assert "5 records that cannot be used, and more" in finding.what


def test_nothing_else_is_said_of_headings_that_mattersim_gives(tmp_path: Path, root: Path) -> None:
    records = perfect()
    records[0]["trajectory"] = [["a", -0.6, 0.5], ["b", 6.9, -0.5], ["c", 6.28, 0.0]]
    assert codes(checked(records, tmp_path, root)) == set()


def test_more_illegal_steps_are_counted(tmp_path: Path, root: Path) -> None:
    records = perfect()
    records[0]["trajectory"] = walk("acea")
    (finding,) = checked(records, tmp_path, root).findings[:1]
    assert "and 2 more such" in finding.what


def test_missing_extra_and_duplicate_ids(tmp_path: Path, root: Path) -> None:
    records = perfect()
    records[2]["instr_id"] = "99_0"
    records[4] = records[3]
    report = checked(records, tmp_path, root)
    assert codes(report) == {
        ("missing", "1_2"),
        ("missing", "2_1"),
        ("extra", "99_0"),
        ("duplicate-id", "2_0"),
    }
    assert not report.ok


@pytest.mark.parametrize(("name", "hint"), [("1", "id of a path"), (" 1_0", "blanks")])
def test_extra_ids_with_a_known_cause(name: str, hint: str, tmp_path: Path, root: Path) -> None:
    records = perfect()
    records[0]["instr_id"] = name
    found = [f.what for f in checked(records, tmp_path, root).findings if f.code == "extra"]
    assert len(found) == 1
    assert hint in found[0]


def test_records_that_are_no_predictions(tmp_path: Path, root: Path) -> None:
    report = checked([*perfect(), "hello", {"instr_id": None, "trajectory": walk("a")}], tmp_path, root)
    assert {f.code for f in report.findings if f.severity == "error"} == {"not-an-object", "bad-id"}
    assert "record 14" in next(f.what for f in report.findings if f.code == "not-an-object")


def test_repeats_are_no_fault(tmp_path: Path, root: Path) -> None:
    records = perfect()
    records[0]["trajectory"] = walk("aabbc")
    report = checked(records, tmp_path, root)
    assert ("repeats", "1_0") in codes(report, "info")
    assert report.ok
    assert codes(report) == set()


def test_fourth_instruction(tmp_path: Path, root: Path) -> None:
    assert codes(checked(perfect(), tmp_path, root), "info") == {("fourth-instruction", "4_3")}
    without = [record for record in perfect() if record["instr_id"] != "4_3"]
    report = checked(without, tmp_path, root)
    assert codes(report) == {("fourth-instruction", "4_3")}
    assert report.ok


def test_four_instructions_are_nothing_special_where_all_paths_have_them(tmp_path: Path, root: Path) -> None:
    episodes = [
        {"path_id": i, "scan": "one", "path": ["a", "b"], "instructions": ["w", "x", "y", "z"]}
        for i in (1, 2)
    ]
    (tmp_path / "mine.json").write_text(json.dumps(episodes))
    records = [{"instr_id": f"{i}_{k}", "trajectory": ["a", "b"]} for i in (1, 2) for k in range(4)]
    assert checked(records, tmp_path, root, str(tmp_path / "mine.json")).findings == ()


def test_only_first_instructions(tmp_path: Path, root: Path) -> None:
    records = [record for record in perfect() if record["instr_id"].endswith("_0")]
    report = checked(records, tmp_path, root)
    assert ("one-instruction", None) in codes(report)
    assert report.findings[0].code == "one-instruction"
    assert report.count("error") == 1 + 8


def test_agent_that_never_moves(tmp_path: Path, root: Path) -> None:
    records = [record | {"trajectory": record["trajectory"][:1] * 3} for record in perfect()]
    report = checked(records, tmp_path, root)
    assert codes(report) == {("never-moves", None)}
    assert report.ok


def test_test_split(tmp_path: Path, root: Path) -> None:
    records = perfect("test")
    records[0]["trajectory"] = walk("abc")
    report = checked(records, tmp_path, root, "r2r/test")
    assert codes(report) == {("test-split", None)}
    assert "mean nothing" in report.findings[0].what


def test_predictions_of_another_split(tmp_path: Path, root: Path) -> None:
    report = checked(perfect("val_seen"), tmp_path, root)
    assert report.findings[0].code == "other-split"
    assert report.findings[0].fix == "use --data r2r/val_seen"
    both = checked(perfect("val_seen") + perfect(), tmp_path, root)
    assert both.findings[0].code == "other-split"
    assert "file of their own" in both.findings[0].fix


def test_another_split_that_is_damaged_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "connectivity").mkdir()
    (tmp_path / "r2r").mkdir()
    for scan, nodes in CORRIDORS.items():
        (tmp_path / "connectivity" / f"{scan}_connectivity.json").write_text(json.dumps(connectivity(nodes)))
    episode = {"path_id": 1, "scan": "one", "path": ["a", "b"], "instructions": ["x"]}
    (tmp_path / "r2r" / "R2R_val_unseen.json").write_text(json.dumps([episode]))
    (tmp_path / "r2r" / "R2R_val_seen.json").write_text("[{")
    report = checked([{"instr_id": "5_0", "trajectory": ["a"]}], tmp_path, tmp_path)
    assert codes(report) == {("extra", "5_0"), ("missing", "1_0")}


def test_reverie_needs_an_object(tmp_path: Path, root: Path) -> None:
    records = [record | {"predObjId": 7} for record in perfect(suffix="_7")]
    assert codes(checked(records, tmp_path, root, "reverie/val_unseen")) == set()
    records[1]["predObjId"] = None
    assert codes(checked(records, tmp_path, root, "reverie/val_unseen")) == {("no-object", "1_7_1")}
    plain = checked(perfect(suffix="_7"), tmp_path, root, "reverie/val_unseen")
    assert len(codes(plain)) == 13
    assert {code for code, _ in codes(plain)} == {"no-object"}


def test_file_cut_off_is_checked_as_far_as_it_goes(tmp_path: Path, root: Path) -> None:
    text = json.dumps(perfect())
    path = tmp_path / "cut.json"
    path.write_text(text[: text.index('{"instr_id": "3_1"') + 30])
    report = check(path, "r2r/val_unseen", root)
    assert report.findings[0].code == "incomplete-file"
    assert "after 7 whole and sound records" in report.findings[0].what
    assert report.predicted == 7
    assert report.count("error") == 1 + 5


def checked_or_refused(path: Path, root: Path) -> CheckReport | InputError:
    try:
        return check(path, "r2r/val_unseen", root)
    except InputError as error:
        return error


def test_gzip_cut_off_anywhere_is_checked_or_refused(tmp_path: Path, root: Path) -> None:
    packed = gzip.compress(json.dumps(perfect(), indent=1).encode(), mtime=0)
    path = tmp_path / "cut.json.gz"
    read = []
    for size in range(1, len(packed), 7):
        path.write_bytes(packed[:size])
        result = checked_or_refused(path, root)
        if isinstance(result, InputError):
            assert str(path) in result.what
            read.append(0)
        else:
            assert result.findings[0].code == "incomplete-file" or result.predicted == 13
            read.append(result.predicted)
    assert read == sorted(read)
    assert {0, 5, 12} <= set(read)


def test_gzip_damaged_inside_is_refused_or_reported(tmp_path: Path, root: Path) -> None:
    packed = bytearray(gzip.compress(json.dumps(perfect(), indent=1).encode(), mtime=0))
    packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "damaged.json.gz"
    path.write_bytes(packed)
    result = checked_or_refused(path, root)
    assert str(path) in result.what if isinstance(result, InputError) else not result.ok


@pytest.mark.parametrize("content", [b"", b"[]", b"<html>", b"\xff\xfe[\x00", b'"text"', b"[" * 100_000])
def test_unusable_file_is_refused(content: bytes, tmp_path: Path, root: Path) -> None:
    path = tmp_path / "preds.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        check(path, "r2r/val_unseen", root)
    assert "preds.json" in caught.value.what


def test_absent_file_is_refused(tmp_path: Path, root: Path) -> None:
    with pytest.raises(DataNotFoundError):
        check(tmp_path / "absent.json", "r2r/val_unseen", root)


def test_coordinates_for_a_data_set_on_graphs(tmp_path: Path, root: Path) -> None:
    del tmp_path
    moved = Prediction(episode_id="1_0", positions=((0.0, 0.0, 0.0),))
    assert ("wrong-space", "1_0") in codes(check([moved], "r2r/val_unseen", root))


def test_predictions_need_no_file(root: Path) -> None:
    made = [Prediction(episode_id="1_0", path=("a", "b")), Prediction(episode_id="1_1")]
    report = check([*made, made[0]], open_dataset("r2r/val_unseen", root), root)
    assert {("duplicate-id", "1_0"), ("empty-path", "1_1")} <= codes(report)
    assert ("missing", "1_1") not in codes(report)


def test_report_as_data(tmp_path: Path, root: Path) -> None:
    records = perfect()
    records[0]["trajectory"] = walk("ac")
    records[1]["trajectory"] = walk("ac")
    report = checked(records, tmp_path, root)
    report.save(tmp_path / "report.json")
    stored = json.loads((tmp_path / "report.json").read_text())
    assert stored == report.to_dict()
    assert stored["ok"] is False
    assert stored["counts"] == {"error": 2, "warning": 0, "info": 1}
    assert set(stored["findings"][0]) == {"code", "severity", "episode_id", "what", "fix"}
    assert [(g.code, len(g.findings)) for g in report.groups()] == [
        ("illegal-edge", 2),
        ("fourth-instruction", 1),
    ]
    assert report.to_pandas()["episode_id"].tolist() == ["1_0", "1_1", "4_3"]
    assert "illegal-edge" in report._repr_html_()


# What a path on graphs must be told, written once more in the plainest way.
NODES = "abcdepqrsx"


@st.composite
def submissions(draw: st.DrawFn) -> list[Prediction]:
    ids = [r["instr_id"] for r in perfect()] + ["99_0", "98_1"]
    chosen = draw(st.lists(st.sampled_from(ids), unique=True, min_size=1))
    paths = st.text(st.sampled_from(NODES), min_size=1, max_size=6)
    return [Prediction(episode_id=name, path=tuple(draw(paths))) for name in chosen]


@given(submission=submissions())
def test_findings_are_exactly_what_a_plain_reading_of_the_rules_gives(
    submission: list[Prediction], root: Path
) -> None:
    expected: set[tuple[str, str | None]] = set()
    starts = {f"{i}_{k}": (scan, path) for i, (scan, path) in PATHS["val_unseen"].items() for k in range(4)}
    known = {r["instr_id"] for r in perfect()}
    for prediction in submission:
        name, path = prediction.episode_id, prediction.path
        if name not in known:
            expected.add(("extra", name))
            continue
        scan, reference = starts[name]
        nodes = CORRIDORS[scan]
        if any(node not in nodes for node in path):
            expected.add(("unknown-viewpoint", name))
        if path[0] != reference[0]:
            expected.add(("goal-only" if set(path) == {reference[-1]} else "wrong-start", name))
        if any(
            a in nodes and b in nodes and abs(nodes.index(a) - nodes.index(b)) > 1 for a, b in pairwise(path)
        ):
            expected.add(("illegal-edge", name))
    missing = known - {prediction.episode_id for prediction in submission} - {"4_3"}
    expected |= {("missing", name) for name in missing}
    whole_file = {"one-instruction", "other-split"}
    report = check(submission, "r2r/val_unseen", root)
    assert {c for c in codes(report, "error") if c[0] not in whole_file} == expected
    assert report.ok == (report.count("error") == 0)


# Continuous space, in Habitat's frame.


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with continuous episodes."""
    episodes = [
        {
            "episode_id": i,
            "trajectory_id": i,
            "scene_id": "mp3d/one/one.glb",
            "start_position": [float(i), 0.5, -3.0],
            "start_rotation": [0, 0, 0, 1],
            "goals": [{"position": [float(i) + 2, 0.5, -3.0], "radius": 3.0}],
            "reference_path": [[float(i), 0.5, -3.0], [float(i) + 2, 0.5, -3.0]],
            "info": {"geodesic_distance": 2.0},
            "instruction": {"instruction_text": "Walk.", "instruction_tokens": [1]},
        }
        for i in (1, 2)
    ]
    path = tmp_path_factory.mktemp("space") / "episodes.json"
    path.write_text(json.dumps({"episodes": episodes, "instruction_vocab": {"word_list": []}}))
    return path


def states(points: list[tuple[float, float, float]], stop: bool = True) -> list[Record]:
    made = [{"position": list(point), "heading": 0.0, "stop": False} for point in points]
    made[-1]["stop"] = stop
    return made


def straight(i: int, step: float = 0.25) -> list[tuple[float, float, float]]:
    return [(i + k * step, 0.5, -3.0) for k in range(int(2 / step) + 1)]


def early_stop() -> list[Record]:
    made = states(straight(1))
    made[2]["stop"] = True
    return made


@pytest.mark.parametrize(
    ("code", "made", "what"),
    [
        ("no-stop", states(straight(1), stop=False), "never calls STOP"),
        ("moves-after-stop", early_stop(), "goes on after"),
        ("long-step", states(straight(1, step=1.0)), "1.00 m in one step"),
        ("too-long", states(straight(1) * 60), "540 positions"),
        ("wrong-start", states(straight(3)), "starts 2.00 m away"),
        ("goal-only", states([(3.0, 0.5, -3.0)]), "nothing but the goal"),
        ("wrong-frame", states([(x, -z, y + 1.5) for x, y, z in straight(1)]), "MatterSim"),
        ("missing-key", [{"position": [1, 0.5, -3], "heading": 0.0}], "lacks stop"),
        ("not-finite", [{"position": [1, 0.5, None], "heading": 0.0, "stop": True}], "null"),
    ],
)
def test_damage_to_a_continuous_prediction(
    code: str, made: list[Record], what: str, tmp_path: Path, space: Path
) -> None:
    report = checked({"2": states(straight(2)), "1": made}, tmp_path, tmp_path, str(space))
    found = codes(report)
    if code == "too-long":
        found.discard(("long-step", "1"))
    if code == "goal-only":
        found.discard(("long-step", "1"))
    assert found == {(code, "1")}
    assert what in next(f.what for f in report.findings if f.code == code)


def test_sound_continuous_submission_is_fine(tmp_path: Path, space: Path) -> None:
    report = checked({str(i): states(straight(i)) for i in (1, 2)}, tmp_path, tmp_path, str(space))
    assert report.findings == ()


def test_states_that_all_lack_stop_are_reported(tmp_path: Path, space: Path) -> None:
    made = {str(i): [{"position": p, "heading": 0.0} for p in straight(i)] for i in (1, 2)}
    report = checked(made, tmp_path, tmp_path, str(space))
    assert codes(report) == {("missing-key", "1"), ("missing-key", "2")}
    assert "lacks stop" in report.findings[0].what
    assert "all keys" in report.findings[0].fix


def test_viewpoints_for_a_continuous_data_set(tmp_path: Path, space: Path) -> None:
    report = checked([{"instr_id": "1", "trajectory": ["a"]}], tmp_path, tmp_path, str(space))
    assert ("wrong-space", "1") in codes(report)


# Real submissions.

PREVALENT = "agent_predictions/PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
SHORTEST = "agent_predictions/matterport3dsim_val_unseen_shortest_agent.json.gz"


def test_real_submission_is_fine(data_root: Path) -> None:
    report = check(data_root / PREVALENT, "r2r/val_unseen", data_root)
    assert report.findings == ()
    assert report.predicted == report.episodes == 2349


def test_real_submission_with_turns_is_fine(data_root: Path) -> None:
    report = check(data_root / SHORTEST, "r2r/val_unseen", data_root)
    assert {f.code for f in report.findings} == {"repeats"}
    assert len(report.findings) == 2301
    assert report.ok


def test_real_submission_on_the_wrong_split(data_root: Path) -> None:
    report = check(data_root / PREVALENT, "r2r/val_seen", data_root)
    assert report.findings[0].what.startswith("2349 of the 2349 predictions belong to r2r/val_unseen")
    assert report.count("error") == 1 + 2349 + 1020
    assert report.count("warning") == 1


def test_real_submission_cut_off(data_root: Path, tmp_path: Path) -> None:
    packed = (data_root / PREVALENT).read_bytes()
    path = tmp_path / "cut.json.gz"
    path.write_bytes(packed[: len(packed) // 2])
    report = check(path, "r2r/val_unseen", data_root)
    assert report.findings[0].code == "incomplete-file"
    assert 800 < report.predicted < 1600
    assert report.count("error") == 1 + 2349 - report.predicted


def test_real_continuous_ground_truth_is_fine_on_its_own_split_only(data_root: Path, tmp_path: Path) -> None:
    dataset = open_dataset("r2r-ce/val_seen", data_root)
    records = {e.episode_id: states(list(e.continuous.locations)) for e in dataset.episodes() if e.continuous}
    assert checked(records, tmp_path, data_root, "r2r-ce/val_seen").findings == ()
    other = checked(records, tmp_path, data_root, "r2r-ce/val_unseen")
    assert other.findings[0].fix == "use --data r2r-ce/val_seen"
