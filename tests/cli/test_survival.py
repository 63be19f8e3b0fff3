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

from vlnscope.core.rng import rng_for
from vlnscope.engine.run import run as run_agent
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.run_folder import EVIDENCE, Store

SUPPORT = Path(__file__).resolve().parents[1] / "support"
KILLS = 3
AGENT = "engine_agents:Wanderer:seconds=0.004"
OPTIONS = ("--data", "sample/demo", "--json", "--resume")


class Killed:
    """The command ``run`` in a process of its own; it is forked off one that has imported what it needs."""

    def __init__(self, out: Path, *more: str, agent: str = AGENT) -> None:
        self.out = out
        self._folder = out.parent / "printed"
        self._folder.mkdir(exist_ok=True)
        arguments = (str(self._folder), "run", agent, *OPTIONS, "--out", str(out), *more)
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
        """Return the processes that were started to work for it."""
        parents = {}
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                is_worker = b"spawn_main" in (entry / "cmdline").read_bytes()
                parents[int(entry.name)] = (parent, is_worker)
        watched = {pid for pid, (parent, _) in parents.items() if parent == self.process.pid}
        return sorted(pid for pid, (parent, is_worker) in parents.items() if is_worker and parent in watched)

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
        patch.syspath_prepend(str(SUPPORT))
        patch.setenv(
            "PYTHONPATH", os.pathsep.join(filter(None, (str(SUPPORT), os.environ.get("PYTHONPATH"))))
        )
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


def signalled(run: Killed, number: signal.Signals) -> None:
    """Send a signal as it usually comes: Ctrl-C to both processes, SIGTERM to the first."""
    first = run.process.pid or 0
    for pid in [*children(first), first] if number == signal.SIGINT else [first]:
        os.kill(pid, number)


def children(pid: int) -> list[int]:
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize(
    ("number", "workers", "expected"),
    [(signal.SIGINT, "2", 130), (signal.SIGTERM, "1", 143), (signal.SIGTERM, "2", 143)],
)
def test_who_stops_a_run_can_go_on_with_it(tmp_path, uninterrupted, number, workers, expected):
    printed, evidence = uninterrupted
    run = Killed(tmp_path / "run", "--workers", workers)
    assert until(lambda: run.lines() > 3)
    signalled(run, number)
    code, out, err = run.end()
    assert (code, out) == (expected, b"")
    assert re.search(rb"stopped: \d+ of 90 cases are kept in .*--resume", err)
    assert b"Traceback" not in err
    assert Killed(tmp_path / "run").finish() == printed
    assert plain(tmp_path / "run") == evidence


@pytest.mark.parametrize("trouble", ["leave", "replace"])
def test_an_agent_that_ends_the_process_does_not_end_the_run_well(tmp_path, uninterrupted, trouble):
    code, out, err = Killed(tmp_path / "run", agent=f"engine_agents:Troubled:troubles=103_0/{trouble}").end()
    assert (code, out) == (1, b"")
    assert b"ended with exit code 0 before it was done" in err
    kept = len(read_log(tmp_path / "run" / EVIDENCE))
    assert 0 < kept < 90
    assert f"{kept} of 90 cases are kept in {tmp_path / 'run'}".encode() in err
    assert b"--resume" in err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_agents_fork_off_stores_nothing(tmp_path, workers):
    agent = "engine_agents:Troubled:troubles=103_0/fork;104_0/fork"
    run = Killed(tmp_path / "run", "--workers", workers, agent=agent)
    run.finish()
    assert len(read_log(tmp_path / "run" / EVIDENCE)) == 90, (
        "which it also refuses to read if a case is twice"
    )


def test_a_fork_may_not_write_to_the_run_of_its_parent(tmp_path, monkeypatch):
    done = run_agent("stop", "sample/demo", out=tmp_path / "run", limit=1)
    with Store(tmp_path / "run", done.record, resume=True) as store:
        monkeypatch.setattr(os, "getpid", lambda: -1)
        with pytest.raises(RuntimeError, match="may not write"):
            store.append([])
