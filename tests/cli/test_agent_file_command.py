"""`vlnscope agent-file` writes a copy that runs, and replaces nothing but copies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from commands import Cli
from vlnscope import __version__
from vlnscope.agents.remote import agent_copy
from vlnscope.agents.remote.agent_copy import SOURCE, stamped, version_of


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def copy_of(version: str) -> bytes:
    """Return what another version wrote."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agent_copy, "__version__", version)
        return stamped(b"x = 1\n")


def test_the_copy_runs_without_vlnscope(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    assert cli("agent-file", "there", "--json").data == {
        "file": "there/vlnscope_agent.py", "version": __version__, "replaced": None
    }  # fmt: skip
    code = "import vlnscope_agent as v; print(v.answer_of('stop', ('forward', '<stop>')))"
    command = [sys.executable, "-S", "-E", "-c", code]
    assert b"[0.0, 1.0]" in subprocess.run(command, cwd="there", capture_output=True, check=True).stdout


def test_older_copies_are_replaced(cli: Cli) -> None:
    file = Path("mine.py")
    file.write_bytes(copy_of("0.0.9").replace(b"\n", b"\r\n"))  # an editor, or git, changed line ends
    result = cli("agent-file", file)
    assert (result.code, result.err) == (0, "")
    assert "in the place of 0.0.9" in " ".join(result.out.split())
    assert file.read_bytes() == stamped(SOURCE.read_bytes())
    assert version_of(file.read_bytes()) == __version__


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"print('mine')\n",
        stamped(b"x = 1\n").replace(b"1", b"2", 1),
        stamped(b"x = 1\n") + b"y = 2\n",
        stamped(b"x = 1\n")[:-1],
    ],
)
def test_other_files_stay(cli: Cli, content: bytes) -> None:
    file = Path("vlnscope_agent.py")
    file.write_bytes(content)
    result = cli("agent-file")
    assert (result.code, result.out) == (2, "")
    assert "is no copy of vlnscope_agent.py" in " ".join(result.err.split())
    assert file.read_bytes() == content


def test_newer_copies_stay(cli: Cli) -> None:
    newer = copy_of("100.0.10")
    Path("vlnscope_agent.py").write_bytes(newer)
    result = cli("agent-file")
    assert result.code == 2
    assert "is of vlnscope 100.0.10" in " ".join(result.err.split())
    assert Path("vlnscope_agent.py").read_bytes() == newer


def test_what_is_no_file_is_refused(cli: Cli) -> None:
    assert cli("agent-file", "-").code == 2
    assert cli("agent-file", "/dev/null").code == 2
