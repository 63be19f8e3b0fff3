"""The driver that fuzzes the command line: the same inputs for a seed, and an eye for what must not be."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import fuzz_commands
import fuzz_judge
from fuzz_judge import Ended, faults, look

FINE = Ended(0, b"SR 0.5\n", b"", 1.0, 1 << 28, hung=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for everything that recipes name."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "bombs").mkdir()
    (folder / "bombs" / "spaces.json").write_bytes(b" ")
    for name in sorted({name for line in fuzz_commands.RECIPES for name in re.findall(r"<([\w./]+)", line)}):
        path = folder / name if "." in name else folder / name / "a.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('[{"instr_id": "1_0", "trajectory": [["a", 0.5, 0.0]]}]')
    return folder


def test_an_input_is_the_same_whenever_it_is_made(tmp_path: Path, corpus: Path) -> None:
    seen = set()
    for number in range(120):
        made = []
        for again in ("a", "b"):
            folder = tmp_path / f"{number}{again}"
            folder.mkdir()
            made.append((fuzz_commands.prepare(5, number, corpus, folder), look(folder)))
        assert made[0] == made[1]
        seen.add(made[0][0].argv[0])
    assert len(seen) > 10


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (FINE._replace(code=3), "exit code 3"),
        (FINE._replace(code=-11), "exit code -11"),
        (FINE._replace(hung=True), "hung"),
        (FINE._replace(memory=(1 << 30) + 1), "memory: 1024 MB"),
        (FINE._replace(err=b"Traceback (most recent call last):\n  x\nKeyError: 1\n"), "KeyError: 1"),
        (FINE._replace(out=b"SR   nan\n"), "nan on stdout"),
    ],
)
def test_how_a_command_must_not_end(tmp_path: Path, ended: Ended, says: str) -> None:
    (found,) = faults(["score"], ended, tmp_path, {}, [])
    assert says in found
    assert not list(faults(["score"], FINE, tmp_path, {}, []))


def test_what_a_command_must_not_do_to_files(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text("[]")
    (tmp_path / "out.json").write_text("{}")
    os.mkfifo(tmp_path / "pipe")
    before = look(tmp_path)
    (tmp_path / "out.json").write_text('{"a": 1}')
    assert not list(faults(["score"], FINE, tmp_path, before, ["out.json"]))
    (tmp_path / "in.json").write_text("[1]")
    (tmp_path / "out.json").write_text('{"a": NaN}')
    (tmp_path / "pipe").unlink()
    (tmp_path / "pipe").write_text("a file")
    (tmp_path / ".x.part").touch()
    found = "\n".join(faults(["score"], FINE, tmp_path, before, ["out.json"]))
    for says in (
        "input 'in.json' was changed",
        "'out.json' is not whole",
        "'pipe' was replaced",
        "left: '.x.part'",
    ):
        assert says in found


def test_devices_are_watched() -> None:
    assert len(fuzz_judge.devices()) == 4
