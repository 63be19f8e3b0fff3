"""Special files and sizes: outputs replace no device, pipe or link, and reads neither block nor run over."""

from __future__ import annotations

import gzip
import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Cli
from vlnscope.core import files, limits
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.convert import convert
from vlnscope.episodes.reading import read_predictions

FLAT = [{"instr_id": "1_0", "trajectory": ["a", "b"]}]


@pytest.fixture
def preds(tmp_path: Path) -> Path:
    path = tmp_path / "preds.json"
    path.write_text(json.dumps(FLAT))
    return path


def special(folder: Path, kind: str) -> Path:
    """Make something that is no regular file."""
    path = folder / f"{kind}.json"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to(os.devnull)
    elif kind == "link to a fifo":
        os.mkfifo(folder / "pipe")
        path.symlink_to("pipe")
    else:
        path.symlink_to(path.name)
    return path


KINDS = ["fifo", "socket", "folder", "device", "link to a fifo", "loop"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_output_never_replaces_what_is_no_regular_file(tmp_path: Path, preds: Path, kind: str) -> None:
    target = special(tmp_path, kind)
    before = [(path.name, path.lstat()) for path in sorted(tmp_path.iterdir())]
    with pytest.raises(InputError, match=target.name):
        convert(preds, target, to="r2r")
    with pytest.raises(InputError, match=target.name), files.write_whole(target):
        pass
    assert [(path.name, path.lstat()) for path in sorted(tmp_path.iterdir())] == before
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.parametrize("kind", KINDS)
def test_reading_what_is_no_regular_file_is_refused_before_it_blocks(tmp_path: Path, kind: str) -> None:
    path = special(tmp_path, kind)
    for read in (files.read_bytes, files.file_digest, lambda p: list(files.read_lines(p))):
        with pytest.raises(InputError, match=path.name):
            read(path)


def test_an_output_goes_through_a_link_to_the_file(tmp_path: Path, preds: Path) -> None:
    real = tmp_path / "far" / "real.json"
    real.parent.mkdir()
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to("far/real.json")
    convert(preds, link, to="r2r")
    assert link.is_symlink()
    assert json.loads(real.read_text()) == FLAT
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["real.json"]


def test_a_link_that_points_nowhere_names_the_file_to_make(tmp_path: Path, preds: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to("new.json")
    convert(preds, link, to="r2r")
    assert link.is_symlink()
    assert json.loads((tmp_path / "new.json").read_text()) == FLAT
    lost = tmp_path / "lost.json"
    lost.symlink_to("nowhere/new.json")
    with pytest.raises(InputError, match="folder that does not exist"):
        convert(preds, lost, to="r2r")


def test_a_file_is_not_converted_to_itself_unless_told(tmp_path: Path, preds: Path, cli: Cli) -> None:
    before = preds.read_bytes()
    again = tmp_path / "again.json"
    again.symlink_to(preds.name)
    hard = tmp_path / "hard.json"
    os.link(preds, hard)
    for target in (preds, again, hard):
        result = cli("convert", preds, target, "--to", "r2r")
        assert result.code == 2
        assert "--in-place" in result.err
        assert preds.read_bytes() == before
    assert cli("convert", preds, again, "--to", "r2r", "--in-place").code == 0
    assert again.is_symlink()
    assert preds.read_bytes() != before
    assert json.loads(preds.read_text()) == FLAT


def test_what_is_scored_is_not_overwritten_by_its_scores(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "preds.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in FLAT))
    result = cli("score", path, "--data", "sample/demo", "--per-episode", path)
    assert (result.code, "is read and would be overwritten" in result.err) == (2, True)
    assert "1_0" in path.read_text()


def test_converting_can_print(preds: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert str(convert(preds, "-", to="r2r").target) == "-"
    assert json.loads(capfdbinary.readouterr().out) == FLAT
    preds.write_text('[{"instr_id": "1_0", "trajectory": ["a"]}, {"instr_id": "2_0"}]')
    with pytest.raises(InputError):
        convert(preds, "-", to="r2r")
    assert capfdbinary.readouterr().out == b""


def test_the_standard_output_is_not_replaced_under_another_name(tmp_path: Path, preds: Path) -> None:
    """A shell has it open: what it writes later, or appends to, would be lost."""
    code = "import sys; from vlnscope.episodes.convert import convert; convert(*sys.argv[1:], to='r2r')"
    printed = tmp_path / "printed.json"
    printed.write_text("kept")
    for target in ("/dev/stdout", str(printed)):
        with printed.open("ab") as stream:
            command = [sys.executable, "-c", code, str(preds), target]
            done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, check=False)
        assert b"prints to" in done.stderr
        assert b"- to print" in done.stderr
        assert printed.read_text() == "kept"


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(InputError, match="read-only"):
        files.write_text(path, "new")
    assert path.read_text() == "old"


# --- limits ---------------------------------------------------------------------------------------------


def test_a_file_that_is_too_large_is_refused_with_the_limit_and_how_to_raise_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(limits.LIMIT, raising=False)
    plain, packed = tmp_path / "a.txt", tmp_path / "a.gz"
    with plain.open("wb") as stream:
        stream.truncate((2 << 20) + 1)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        with pytest.raises(InputError, match="larger than 2 MB") as caught:
            files.read_bytes(path, most=2)
        assert f"{limits.LIMIT}=8" in caught.value.fix
    monkeypatch.setenv(limits.LIMIT, "3")
    assert len(files.read_bytes(plain, most=2)) == len(files.read_bytes(packed, most=2)) == (2 << 20) + 1
    monkeypatch.setenv(limits.LIMIT, "1")
    assert len(files.read_bytes(plain, most=3)) == (2 << 20) + 1, "the variable raises limits only"
    monkeypatch.setenv(limits.LIMIT, "lots")
    with pytest.raises(InputError, match=limits.LIMIT):
        files.read_bytes(plain)


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "RECORD_MB", 1)
    path = tmp_path / "a.txt"
    path.write_bytes(b"short\n" + b" " * ((1 << 20) + 1))
    lines = files.read_lines(path)
    assert next(lines) == b"short\n"
    with pytest.raises(InputError, match="white space in the file is larger than 1 MB"):
        next(lines)
    path.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(InputError, match="line 1 is larger than 1 MB"):
        next(files.read_lines(path))
    path.write_bytes(b"\n" * ((1 << 20) + 1))
    with pytest.raises(InputError, match="white space in the file is larger than 1 MB"):
        list(files.read_lines(path))


RECORD = json.dumps(FLAT[0])


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), (f"[{RECORD}", "]"), (f"[{RECORD}]", ""), (f"{RECORD}\n", f"{RECORD}\n"), ("[", "")],
)
@pytest.mark.parametrize("blank", [" ", "\n"])
def test_space_without_end_is_refused_as_soon_as_it_is_larger_than_a_record(
    tmp_path: Path, before: str, after: str, blank: str
) -> None:
    path = tmp_path / ("a.jsonl" if before.endswith("\n") else "a.json")
    path.write_bytes(gzip.compress((before + blank * (24 << 20) + after).encode(), 1))
    with pytest.raises(InputError, match="larger than 16 MB") as caught:
        list(read_predictions(path, "r2r", lambda _: None))
    assert limits.LIMIT in caught.value.fix


def test_all_that_comes_before_damage_is_unpacked(tmp_path: Path) -> None:
    text = os.urandom(300_000)
    packed = gzip.compress(text)
    path = tmp_path / "a.gz"
    path.write_bytes(packed[:200_000])
    pieces: list[bytes] = []
    with pytest.raises(InputError, match="cut off"), files.open_bytes(path) as stream:
        pieces.extend(iter(lambda: stream.read1(1 << 20), b""))
    assert len(b"".join(pieces)) > 190_000
    assert text.startswith(b"".join(pieces))
    path.write_bytes(packed + gzip.compress(b"second") + b"\0" * 512)
    assert files.read_bytes(path) == text + b"second"
    path.write_bytes(packed + b"rubbish")
    with pytest.raises(InputError, match="damaged"):
        files.read_bytes(path)


def test_files_of_the_system_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        files.read_bytes("/proc/self/mem")


# --- what libraries raise on hostile text -----------------------------------------------------------------


def test_an_experiment_with_a_number_of_thousands_of_digits_is_refused(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.toml"
    for text in (f"seed = {'9' * 5000}", "a = " + "[" * 5000):
        path.write_text(text)
        result = cli("train", path, "--out", tmp_path / "out")
        assert (result.code, "is no TOML" in result.err) == (2, True)
    assert (
        cli("train", "house-encoder", "--set", f"updates={'9' * 5000}", "--out", tmp_path / "e.npz").code == 2
    )


def test_captions_of_nothing_are_refused(tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "navgpt_text"
    folder.mkdir()
    (folder / "observations_list_raw_captions.json").write_text("{}")
    result = cli("features", "build", "captions", "--root", tmp_path)
    assert (result.code, "holds no captions" in result.err) == (2, True)


def test_a_deeply_nested_record_of_a_run_is_refused(tmp_path: Path, cli: Cli) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text('{"v": ' + "[" * 5000 + "]" * 5000 + "}")
    result = cli("merge", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "c")
    assert (result.code, "run.json" in result.err) == (2, True)


def test_the_memory_of_a_process_is_not_scored(cli: Cli) -> None:
    result = cli("score", "/proc/self/mem", "--data", "sample/demo")
    assert (result.code, "cannot be read" in result.err) == (2, True)


def test_a_plan_without_end_is_refused(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "plan.json"
    with path.open("wb") as stream:
        stream.truncate(17 << 20)
    for plan in ("/dev/zero", path):
        result = cli("houses", "import", plan, "--out", tmp_path / "out")
        assert (result.code, str(plan) in result.err) == (2, True)


def test_a_plan_that_is_imported_is_not_overwritten(tmp_path: Path, cli: Cli) -> None:
    assert cli("houses", "generate", "--count", 1, "--seed", 1, "--out", tmp_path).code == 0
    (path,) = (tmp_path / "plans").iterdir()
    before = path.read_bytes()
    result = cli("houses", "import", path, "--out", tmp_path)
    assert (result.code, "is read and would be overwritten" in result.err) == (2, True)
    assert path.read_bytes() == before


def test_an_argument_that_is_not_utf8_is_refused(tmp_path: Path, cli: Cli) -> None:
    for arguments in (
        ("parse", "go \udcff"),
        ("convert", "sample/demo", tmp_path / "\udcff.json", "--to", "r2r"),
    ):
        result = cli(*arguments)
        assert (result.code, "is not UTF-8" in result.err) == (2, True)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_behind_the_standard_output_is_told() -> None:
    code = "from vlnscope.cli.main import main; main()"
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-c", code, "ls", "formats"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr
