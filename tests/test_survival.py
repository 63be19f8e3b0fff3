"""kill -9 at any moment: what was finished is kept, and the run ends as if nothing had happened."""

from __future__ import annotations

import importlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from vlnscope.engine.evidence_log import read_log
from vlnscope.engine.store import EVIDENCE
from vlnscope.rng import rng_for

HERE = Path(__file__).resolve().parent
KILLS = 3
AGENT = "engine_agents:Wanderer:seconds=0.004"
OPTIONS = ("--data", "sample/demo", "--json", "--resume")


class Killed:
    """The command ``run`` in a process of its own; it is forked off one that has imported what it needs."""

    def __init__(self, out: Path, *more: str) -> None:
        self.out = out
        self._folder = out.parent / "printed"
        self._folder.mkdir(exist_ok=True)
        arguments = (str(self._folder), "run", AGENT, *OPTIONS, "--out", str(out), *more)
        context = get_context("forkserver")
        context.set_forkserver_preload(["engine_agents"])
        self.process = context.Process(target=engine_agents().run_command, args=arguments)
        self.process.start()

    @property
    def is_over(self) -> bool:
        return not self.process.is_alive()

    def end(self) -> tuple[int | None, bytes, bytes]:
        """Wait for the end and return exit code and output, in which the folder has no name."""
        self.process.join()
        code = self.process.exitcode
        self.process.close()
        out, err = ((self._folder / name).read_bytes() for name in ("stdout", "stderr"))
        return code, out.replace(str(self.out).encode(), b"OUT"), err

    def finish(self) -> bytes:
        """Wait for a good end and return what was printed."""
        code, out, err = self.end()
        assert code == 0, err.decode()
        return out

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.process.close()

    def workers(self) -> list[int]:
        """Return the processes that it started to work for it."""
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.process.pid and b"spawn_main" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return sorted(found)

    def lines(self) -> int:
        """Return how many cases have been stored."""
        path = self.out / EVIDENCE
        return path.read_bytes().count(b"\n") if path.exists() else 0


def engine_agents() -> Any:
    """Return the module of that name, which lies beside this file."""
    return importlib.import_module("engine_agents")


def plain(folder: Path) -> bytes:
    return re.sub(rb',"seconds":[^,}]*', b"", (folder / EVIDENCE).read_bytes())


def until(condition: Callable[[], object], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.002)
    return False


@pytest.fixture(scope="module", autouse=True)
def _agents_can_be_imported() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH")))))
        patch.setenv("WARM_UP", "1")
        yield


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """What a run prints and stores that nobody disturbs."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    return Killed(folder).finish(), plain(folder)


def test_a_run_killed_again_and_again_ends_as_if_nothing_had_happened(tmp_path, uninterrupted):
    printed, evidence = uninterrupted
    random = rng_for(0, "moments")
    stored = [0]
    for i in range(KILLS):
        run = Killed(tmp_path / "run", *(("--workers", "2") if i == KILLS // 2 else ()))
        if random.random() < 0.7:  # most moments lie among the cases, some in the start
            target = stored[-1] + int(random.integers(1, 8))
            until(lambda run=run, target=target: run.lines() >= target or run.is_over)
        time.sleep(random.random() * 0.05)
        run.kill()
        stored.append(run.lines())
    assert stored == sorted(stored), "nothing that was finished is lost"
    assert len(set(stored)) > 3, "some were killed while they stored cases"
    assert Killed(tmp_path / "run").finish() == printed
    assert plain(tmp_path / "run") == evidence


def test_a_run_whose_workers_are_killed_again_and_again_ends_as_if_nothing_had_happened(
    tmp_path, uninterrupted
):
    printed, evidence = uninterrupted
    random = rng_for(1, "moments")
    run = Killed(tmp_path / "run", "--workers", "2")
    killed = 0
    while killed < KILLS and not run.is_over:
        target = run.lines() + int(random.integers(1, 9))
        until(lambda target=target: run.lines() >= target or run.is_over)
        time.sleep(random.random() * 0.02)
        if workers := run.workers():
            with suppress(ProcessLookupError):
                os.kill(workers[int(random.integers(len(workers)))], signal.SIGKILL)
                killed += 1
    assert killed == KILLS
    assert run.end()[0] in (0, 1), "1 if a case was hit twice, which is then recorded as failed"
    assert len(read_log(tmp_path / "run" / EVIDENCE)) == 90
    assert Killed(tmp_path / "run").finish() == printed
    assert plain(tmp_path / "run") == evidence


def test_workers_do_not_outlive_a_run_that_is_killed(tmp_path):
    run = Killed(tmp_path / "run", "--workers", "2")
    assert until(lambda: run.lines() > 0, 30)
    workers = run.workers()
    assert len(workers) == 2
    run.kill()
    assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


@pytest.mark.parametrize("workers", ["2"])
def test_ctrl_c_leaves_a_run_that_can_be_gone_on_with(tmp_path, uninterrupted, workers):
    printed, evidence = uninterrupted
    run = Killed(tmp_path / "run", "--workers", workers)
    assert until(lambda: run.lines() > 3)
    os.kill(run.process.pid or 0, signal.SIGINT)
    code, out, err = run.end()
    assert (code, out) == (130, b"")
    assert re.search(rb"stopped: \d+ of 90 cases are kept in .*--resume", err)
    assert b"Traceback" not in err
    assert Killed(tmp_path / "run").finish() == printed
    assert plain(tmp_path / "run") == evidence
