"""The command line from end to end: what it prints, its exit codes, and what it does with bad input."""

from __future__ import annotations

import ast
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_group

import vlnscope
from commands import Cli, Result
from vlnscope.cli.main import app
from vlnscope.cli.shared import verbs
from vlnscope.episodes.json import blocks as json_blocks
from vlnscope.episodes.json import feed as json_feed
from vlnscope.episodes.json import stream as json_stream

SAMPLE = Path(vlnscope.__file__).parent / "sample"
WALKER = SAMPLE / "predictions" / "walker.json"
IDS = [record["instr_id"] for record in json.loads(WALKER.read_text())]
DEMO = ("--data", "sample/demo")
PREVALENT = "agent_predictions/PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
SHORTEST = "agent_predictions/matterport3dsim_val_unseen_shortest_agent.json.gz"


def run_process(*arguments: object, env: dict[str, str] | None = None) -> Result:
    """Runs the command line as users do."""
    done = subprocess.run(
        [sys.executable, "-m", "vlnscope.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | (env or {}),
    )
    return Result(done.returncode, done.stdout, done.stderr)


def assert_refused(result: Result) -> None:
    assert result.code == 2
    assert result.out == ""
    labels = [line.split()[0] for line in result.err.splitlines() if line.split()]
    assert labels == ["error", "expected", "fix"], result.err
    assert "Traceback" not in result.err


# Processes of their own: the entry point, start-up, pipes.


def test_version_and_help() -> None:
    assert run_process("--version") == Result(0, f"vlnscope {vlnscope.__version__}\n", "")
    helped = run_process("--help")
    assert helped.code == 0
    for verb in ("score", "check", "convert", "check-metric", "ls", "doctor"):
        assert verb in helped.out


def test_help_loads_neither_verbs_nor_anything_heavy() -> None:
    code = (
        "import sys, vlnscope.cli.main\n"
        "sys.argv = ['vlnscope', '--help']\n"
        "try: vlnscope.cli.main.main()\n"
        "finally: print(sorted(m for m in sys.modules if m.startswith('vlnscope.') or '.' not in m))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(ast.literal_eval(done.stdout.splitlines()[-1]))
    ours = {name for name in loaded if name.startswith("vlnscope.")}
    assert ours == {
        f"vlnscope.{name}"
        for name in (
            *("_version", "cli", "cli.main", "cli.shared", "cli.shared.signals", "cli.shared.verbs"),
            *("core", "core.exceptions"),
        )
    }
    assert not loaded & {"numpy", "numba", "scipy", "msgspec", "rich", "pydantic"}


def test_help_says_of_each_verb_what_the_verb_says(cli: Cli) -> None:
    listed = " ".join(cli("--help").out.split())
    for verb, command in get_group(app).commands.items():
        first = (command.help or "").partition("\n")[0]
        known = verbs.verb_of(verb.replace("-", "_"))
        assert known is not None
        assert known.summary == first != ""
        assert f"{verb} {first}" in listed
    wrong = cli("scroe")
    assert wrong.code == 2
    assert "Did you mean 'score'" in wrong.err


def test_errors_of_a_process_have_no_traceback(tmp_path: Path) -> None:
    assert_refused(run_process("score", tmp_path / "absent.json", *DEMO))


def test_output_that_nobody_reads_is_no_error() -> None:
    command = f'"{sys.executable}" -m vlnscope.cli.main ls metrics --json | head -c 1'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "{"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_acceptance_on_a_real_submission(data_root: Path) -> None:
    result = run_process(
        *("score", data_root / PREVALENT, "--data", "r2r/val_unseen", "--root", data_root),
        *("--profile", "r2r-server", "--json"),
    )
    assert result.code == 0, result.err
    found = result.data
    assert (found["profile"], found["dataset"], found["n"]) == ("r2r-server", "r2r/val_unseen", 2349)
    means = {name: round(found["metrics"][name]["mean"], 2) for name in ("SR", "SPL", "NE", "TL")}
    assert means == {"SR": 60.15, "SPL": 56.01, "NE": 4.14, "TL": 9.99}
    for summary in found["metrics"].values():
        assert summary["ci_low"] <= summary["mean"] <= summary["ci_high"]
        assert summary["undefined"] == 0


# Scoring.


def test_acceptance_of_the_shortest_path_oracle(cli: Cli, data_root: Path) -> None:
    options = ("--data", "r2r/val_unseen", "--root", data_root, "--profile", "r2r-server", "--json")
    metrics = cli("score", data_root / SHORTEST, *options).data["metrics"]
    assert metrics["SR"]["mean"] == 100
    assert metrics["SPL"]["mean"] == pytest.approx(100, abs=1e-9)


def test_data_folder_from_the_environment(cli: Cli, data_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(cli("check", data_root / PREVALENT, "--data", "r2r/val_unseen"))
    monkeypatch.setenv("VLNSCOPE_DATA", str(data_root))
    assert cli("check", data_root / PREVALENT, "--data", "r2r/val_unseen").code == 0


def test_score_prints_a_table(cli: Cli) -> None:
    result = cli("score", WALKER, *DEMO)
    assert result.code == 0
    assert result.err == ""
    for name in ("TL", "NE", "SR", "SPL", "nDTW", "CLS"):
        assert f" {name} " in result.out
    assert f"n = {len(IDS)}" in result.out


def test_score_prints_one_object(cli: Cli) -> None:
    found = cli("score", WALKER, *DEMO, "--metrics", "SR, SPL", "--json").data
    assert list(found["metrics"]) == ["SR", "SPL"]
    assert {"mean", "ci_low", "ci_high", "undefined"} <= set(found["metrics"]["SR"])
    assert found["n"] == len(IDS)


def test_score_all_profiles(cli: Cli) -> None:
    result = cli("score", WALKER, *DEMO, "--profile", "all")
    assert result.code == 0
    for profile in ("default", "r2r-server", "hamt", "google", "valan"):
        assert profile in result.out
    found = cli("score", WALKER, *DEMO, "--profile", "all", "--json").data
    assert set(found["profiles"]) >= {"default", "r2r-server", "hamt"}


def test_score_writes_values_per_episode(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "scores.jsonl"
    assert cli("score", WALKER, *DEMO, "--per-episode", target).code == 0
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert sorted(row["episode_id"] for row in rows) == sorted(IDS)
    assert {"TL", "NE", "SR", "OSR", "SPL", "SED", "CLS", "DTW", "nDTW", "sDTW"} <= set(rows[0])


@pytest.mark.parametrize(
    "options",
    [
        (*DEMO, "--profile", "r2r-serve"),
        (*DEMO, "--metrics", "SR,NDTW"),
        ("--data", "sample/other"),
        ("--data", "sample"),
        ("--data", "smple/demo"),
        ("--data", "r2r/val_unseen"),
        ("--data", "r2r/val_unseen", "--root", "no-such-folder"),
        ("--data", "no-such-file.json"),
        ("--data", str(WALKER)),
        (*DEMO, "--per-episode", "scores.docx"),
        (*DEMO, "--profile", "all", "--per-episode", "scores.jsonl"),
        (*DEMO, "--tours", str(WALKER)),
    ],
)
def test_score_refuses_bad_options(
    options: tuple[str, ...], cli: Cli, monkeypatch: Any, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(cli("score", WALKER, *options))
    assert list(tmp_path.iterdir()) == []


def test_unknown_names_get_suggestions(cli: Cli) -> None:
    assert "did you mean 'r2r-server'" in cli("score", WALKER, *DEMO, "--profile", "r2r-serve").err
    assert "did you mean 'nDTW'" in cli("ls", "metrics", "NDTW").err


# Bad input, through every command that reads predictions.

MOVING = next(r for r in json.loads(WALKER.read_text()) if len({step[0] for step in r["trajectory"]}) > 1)
NAME, START = MOVING["instr_id"], MOVING["trajectory"][0][0]
NEXT = next(step[0] for step in MOVING["trajectory"] if step[0] != START)
SOUND = [MOVING]


def with_step(step: Any) -> bytes:
    return json.dumps([{"instr_id": NAME, "trajectory": [[START, 0.0, 0.0], step]}]).encode()


BAD = {
    "empty": b"",
    "blank": b" \n\n ",
    "no-records": b"[]",
    "not-json": b"<html><body>404</body></html>",
    "text": b'"a string"',
    "pickle": b"\x80\x04\x95\x00\x00",
    "half-json": json.dumps(SOUND).encode()[:-20],
    "utf-16": json.dumps(SOUND).encode("utf-16"),
    "latin-1": json.dumps(SOUND).replace(NEXT, "\u00e9").encode("latin-1"),
    "surrogate": json.dumps(SOUND).replace(NEXT, "\\ud800").encode(),
    "nul": json.dumps(SOUND).encode().replace(NEXT.encode(), b"a\x00b"),
    "brackets": b"[" * 100_000,
    "braces": b'{"a":' * 100_000,
    "nested": b'[{"instr_id": "1_0", "trajectory": ' + b"[" * 5000 + b"]" * 5000 + b"}]",
    "numbers": with_step([12, 0.0, 0.0]),
    "pair": with_step([NEXT, 0.0]),
    "nan": with_step([NEXT, float("nan"), 0.0]),
    "infinity": with_step([NEXT, 0.0, float("inf")]),
    "huge": with_step([NEXT, 0.0, 0.5]).replace(b"0.5", b"1e999"),
    "null-path": json.dumps([{"instr_id": NAME, "trajectory": None}]).encode(),
    "no-id": json.dumps([SOUND[0], {"trajectory": SOUND[0]["trajectory"]}]).encode(),
    "list-id": json.dumps([{"instr_id": [NAME], "trajectory": [START]}]).encode(),
    "duplicate": json.dumps(SOUND * 2).encode(),
    "key-twice": b'[{"instr_id": "100_0", "instr_id": "100_1", "trajectory": ["a110"]}]',
    "not-objects": b"[1, 2, 3]",
    "trailing": json.dumps(SOUND).encode() + b"]",
    "episodes": (SAMPLE / "r2r" / "R2R_demo.json").read_bytes(),
    "gzip-cut": gzip.compress(WALKER.read_bytes(), mtime=0)[:500],
    "gzip-garbage": b"\x1f\x8b" + b"garbage",
}


def test_what_bad_input_is_made_of_is_sound(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "sound.json"
    for content in (json.dumps(SOUND).encode(), with_step([NEXT, 0.0, 0.0])):
        path.write_bytes(content)
        assert cli("score", path, *DEMO, "--partial").code == 0
        assert cli("convert", path, tmp_path / "out.jsonl", "--to", "evidence").code == 0


@pytest.mark.parametrize("name", BAD)
def test_bad_predictions_are_refused(name: str, cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(BAD[name])
    scored = cli("score", path, *DEMO, "--partial", "--per-episode", tmp_path / "scores.jsonl")
    assert_refused(scored)
    assert "bad.json" in scored.err or NAME in scored.err
    assert_refused(cli("convert", path, tmp_path / "out.jsonl", "--to", "evidence"))
    checked = cli("check", path, *DEMO, "--json")
    if checked.code == 1:
        assert checked.data["counts"]["error"] > 0
        assert all(finding["fix"] for finding in checked.data["findings"])
    else:
        assert_refused(checked)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("command", ["score", "check", "convert"])
def test_record_that_is_too_large_is_refused(
    command: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "READ_SIZE", 1000)
    monkeypatch.setattr(json_blocks, "largest_record", lambda: 10_000)
    monkeypatch.setattr(json_feed, "largest_record", lambda: 10_000)
    path = tmp_path / "line.json"
    path.write_bytes(json.dumps([SOUND[0] | {"notes": "x" * 100_000}]).encode())
    options = (tmp_path / "out.jsonl", "--to", "evidence") if command == "convert" else DEMO
    assert_refused(cli(command, path, *options))
    assert list(tmp_path.iterdir()) == [path]


def test_unknown_scan_is_refused(cli: Cli, tmp_path: Path) -> None:
    episode = {"path_id": 1, "scan": "nowhere", "path": ["a", "b"], "instructions": ["Walk."], "heading": 0}
    (tmp_path / "mine.json").write_text(json.dumps([episode]))
    (tmp_path / "preds.json").write_text(json.dumps([{"instr_id": "1_0", "trajectory": ["a"]}]))
    for command in ("score", "check"):
        options = ("--data", tmp_path / "mine.json", "--root", SAMPLE)
        result = cli(command, tmp_path / "preds.json", *options)
        assert_refused(result)
        assert "nowhere" in result.err


@pytest.mark.parametrize("damage", [b"", b"[", b'[{"path_id": 1}]', b'[{"path_id": NaN}]', b"\xff\xfe["])
def test_bad_episodes_are_refused(damage: bytes, cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "episodes.json"
    path.write_bytes(damage)
    for command in ("score", "check"):
        result = cli(command, WALKER, "--data", path, "--root", SAMPLE)
        assert_refused(result)
        assert "episodes.json" in result.err


def test_folder_instead_of_a_file_is_refused(cli: Cli, tmp_path: Path) -> None:
    for command in ("score", "check"):
        assert_refused(cli(command, tmp_path, *DEMO))
    assert_refused(cli("convert", tmp_path, tmp_path / "out.jsonl", "--to", "evidence"))


# Checking.


def test_check_sound_predictions(cli: Cli) -> None:
    result = cli("check", WALKER, *DEMO)
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith(f"{len(IDS)} predictions for the {len(IDS)} episodes of sample/demo: fine\n")
    assert "error" not in result.out
    assert "warning" not in result.out
    assert cli("check", WALKER, *DEMO, "--json").data["ok"] is True


def test_check_groups_findings(cli: Cli, tmp_path: Path) -> None:
    records = json.loads(WALKER.read_text())
    for record in records[:7]:
        record["trajectory"] = [*record["trajectory"][:1], ["[bold]nowhere", 0.0, 0.0]]
    path = tmp_path / "preds.json"
    path.write_text(json.dumps(records[:-2]))
    result = cli("check", path, *DEMO)
    assert result.code == 1
    assert f"error unknown-viewpoint × 7: {', '.join(IDS[:5])}, …" in result.out
    assert "error missing × 2" in result.out
    assert "[bold]nowhere" in result.out
    assert "9 errors, 0 warnings" in result.out
    found = cli("check", path, *DEMO, "--json")
    assert found.code == 1
    assert len([f for f in found.data["findings"] if f["code"] == "unknown-viewpoint"]) == 7


def test_check_with_warnings_only_exits_with_0(cli: Cli, tmp_path: Path) -> None:
    records = json.loads(WALKER.read_text())
    for record in records:
        record["trajectory"] = record["trajectory"][:1]
    (tmp_path / "preds.json").write_text(json.dumps(records))
    result = cli("check", tmp_path / "preds.json", *DEMO)
    assert result.code == 0
    assert "warning never-moves" in result.out


# Converting.


def test_convert_there_and_back(cli: Cli, tmp_path: Path) -> None:
    there, back = tmp_path / "walker.jsonl.gz", tmp_path / "walker.json"
    result = cli("convert", WALKER, there, "--to", "evidence", "--json")
    assert result.code == 0
    assert result.data["records"] == len(IDS)
    assert result.data["source_format"] == "r2r"
    assert cli("convert", there, back, "--to", "r2r").code == 0
    assert json.loads(back.read_text()) == json.loads(WALKER.read_text())


def test_convert_refuses_loss_unless_told(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "walker.jsonl"
    result = cli("convert", WALKER, target, "--to", "rxr")
    assert_refused(result)
    assert "headings" in result.err
    assert list(tmp_path.iterdir()) == []
    result = cli("convert", WALKER, target, "--to", "rxr", "--drop", "headings, elevations", "--from", "r2r")
    assert result.code == 0
    assert f"{len(IDS)} records" in result.out
    assert f"dropped headings of {len(IDS)} records" in result.out
    assert len(target.read_text().splitlines()) == len(IDS)


@pytest.mark.parametrize(
    "options",
    [
        ("--to", "evidens"),
        ("--to", "r2r-episodes"),
        ("--to", "evidence", "--drop", "hats"),
        ("--to", "vlnce"),
    ],
)
def test_convert_refuses_bad_options(options: tuple[str, ...], cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / ("out.jsonl" if "evidence" in options else "out.json")
    assert_refused(cli("convert", WALKER, target, *options))
    assert list(tmp_path.iterdir()) == []


def test_convert_needs_a_place_to_write(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_refused(cli("convert", WALKER, tmp_path / "file" / "out.jsonl", "--to", "evidence"))


# Listing.


@pytest.mark.parametrize(
    ("kind", "name", "word"),
    [
        ("metrics", "SPL", "Success, discounted"),
        ("profiles", "r2r-server", "instructions = 3"),
        ("formats", "r2r", "segments"),
        ("datasets", "sample", "demo"),
        ("kinds", "metrics", "measured"),
    ],
)
def test_ls(kind: str, name: str, word: str, cli: Cli) -> None:
    table = cli("ls", kind)
    assert table.code == 0
    assert name in table.out
    entries = cli("ls", kind, "--json").data[kind]
    assert name in [entry["name"] for entry in entries]
    assert word in cli("ls", kind, name).out
    assert cli("ls", kind, name, "--json").data in entries
    assert cli("ls", kind.removesuffix("s"), name).out == cli("ls", kind, name).out
    assert_refused(cli("ls", kind, "no-such-name"))


def test_ls_shows_what_differs_from_the_default_profile(cli: Cli) -> None:
    entry = cli("ls", "profiles", "hamt", "--json").data
    assert entry["differs"]["spl_optimum"] == "reference"
    assert "success" not in entry["differs"]
    assert cli("ls", "profiles", "default", "--json").data["differs"] == {}


def test_ls_unknown_kind(cli: Cli) -> None:
    assert_refused(cli("ls", "things"))
    assert "did you mean 'metrics'" in cli("ls", "metrix").err


def test_ls_datasets_of_a_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "r2r").mkdir()
    (tmp_path / "r2r" / "R2R_mine.json").write_bytes((SAMPLE / "r2r" / "R2R_demo.json").read_bytes())
    entry = cli("ls", "datasets", "r2r", "--root", tmp_path, "--json").data
    assert entry["splits"] == ["mine"]
    assert "--root DIR" in cli("ls", "datasets").out
    assert_refused(cli("ls", "datasets", "--root", tmp_path / "absent"))


# The doctor.


def test_doctor_finds_nothing_wrong(cli: Cli) -> None:
    result = cli("doctor")
    assert result.code == 0, result.out
    assert "self-test" in result.out
    assert "wrong" not in result.out
    found = cli("doctor", "--json").data
    assert found["ok"] is True
    subjects = {d["subject"]: d for d in found["diagnoses"]}
    assert {"vlnscope", "numpy", "numba", "cache", "data folder", "self-test", "numba cache"} <= set(subjects)
    assert f"n = {len(IDS)}" in subjects["self-test"]["seen"]


def test_doctor_looks_into_the_data_folder(cli: Cli, tmp_path: Path) -> None:
    found = cli("doctor", "--root", SAMPLE, "--json").data
    seen = {d["subject"]: d["seen"] for d in found["diagnoses"]}
    assert "3 navigation graphs" in seen["data folder"]
    assert seen["data r2r"] == "demo"
    for folder in (tmp_path, tmp_path / "absent"):
        result = cli("doctor", "--root", folder, "--json")
        assert result.code == 1
        (wrong,) = [d for d in result.data["diagnoses"] if d["state"] == "wrong"]
        assert wrong["subject"] == "data folder"
        assert wrong["fix"]


def test_doctor_notices_a_cache_that_cannot_be_written(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "file" / "cache"))
    result = cli("doctor", "--json")
    assert result.code == 1
    (wrong,) = [d for d in result.data["diagnoses"] if d["state"] == "wrong"]
    assert wrong["subject"] == "cache"
    assert "VLNSCOPE_CACHE" in wrong["fix"]


def test_doctor_notices_a_broken_sample(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no numbers today")

    monkeypatch.setattr("vlnscope.evaluate.score.score.score", broken)
    result = cli("doctor")
    assert result.code == 1
    assert "no numbers today" in result.out


# The linter of metrics.


def test_check_metric(cli: Cli) -> None:
    result = cli("check-metric", "SR", "--json")
    assert result.code == 0
    assert result.data["metrics"][0]["metric"] == "SR"
    assert_refused(cli("check-metric", "no-such-metric"))
    assert_refused(cli("check-metric"))
