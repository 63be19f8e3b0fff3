"""Fuzz the property tests: new examples for as long as told, spread evenly over all of them.

    python tools/fuzz.py --minutes 30 [--seed S] [--workers 2] [TESTS ...]

The time is cut into rounds. In each round every test that has pytest's mark `hypothesis` is called with new
seeds until its share of the time is over. A failure is told with its falsifying example and the command that
shows it again, and the round goes on; a test that kills its process or does not come back is told, too, and
left out from then on. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUND = 10 * 60.0
GRACE = 5 * 60.0
MOST_LINES = 60


@dataclass
class Found:
    """What a fuzz run has seen so far."""

    tests: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    examples: int = 0
    rounds: int = 0

    def read(self, log: Path) -> str:
        """Take in what a process wrote down, tell its failures, and return the test that it died of."""
        running = ""
        for line in log.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            if "test" in told:
                running, seed = told["test"], told["seed"]
                self.tests.add(running)
            elif "done" in told:
                running = ""
                self.examples += told["examples"]
            else:
                self.fail(told["failed"], told["seed"], told["text"])
        if running:
            self._last_seed = seed
        return running

    def lose(self, test: str, why: str) -> None:
        """Tell of a test that its process did not come back from."""
        self.lost.add(test)
        self.fail(test, self._last_seed, why)

    def fail(self, test: str, seed: int, text: str) -> None:
        """Tell of a failure, once for each test."""
        if test in self.failed:
            return
        self.failed.add(test)
        print(f"\nFAILED {test}\n{shortened(text)}\nto see it again:\n  {again(test, seed)}", flush=True)

    _last_seed: int = 0


def again(test: str, seed: int) -> str:
    """Return the command that runs a test with a seed.

    Example:
        >>> again("tests/test_x.py::test_y[a b]", 7).split(" ", 1)[1]
        "'tests/test_x.py::test_y[a b]' --hypothesis-profile=fuzz --hypothesis-seed=7"
    """
    pytest = Path(sys.executable).with_name("pytest")
    pytest = pytest.relative_to(ROOT) if pytest.is_relative_to(ROOT) else pytest
    return f"{pytest} {shlex.quote(test)} --hypothesis-profile=fuzz --hypothesis-seed={seed}"


def shortened(text: str) -> str:
    """Return the lines that tell what went wrong: the example, the error, the blob to reproduce it."""
    lines = text.splitlines()
    told = [line[1:] for line in lines if line.startswith("E ")] or lines
    return "\n".join(f"  {line.strip()}" for line in told[-MOST_LINES:])


def fuzz(minutes: float, seed: int, workers: int, tests: Sequence[str]) -> Found:
    """Fuzz for some minutes; return what was found."""
    found, begun = Found(), time.time()
    rounds = max(1, round(minutes * 60 / ROUND))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            until = begun + minutes * 60 * (number + 1) / rounds
            run_round(found, Path(folder), until, seed * 1000 + number, workers, tests)
            found.rounds += 1
            print(f"round {found.rounds} of {rounds}: {summary(found)}", flush=True)
    return found


def run_round(
    found: Found, folder: Path, until: float, seed: int, workers: int, tests: Sequence[str]
) -> None:
    """Run all tests until some time, in several processes; start those again that died."""
    parts = list(range(workers))
    while parts:
        seed += 1_000_003
        logs = [folder / f"{seed}-{part}" for part in parts]
        running = [
            start(log, until, seed, (part, workers), sorted(found.lost), tests)
            for log, part in zip(logs, parts, strict=True)
        ]
        ends = [finish(process, until) for process in running]
        died = [end not in (0, 1) for end in ends]
        for log, end, dead in zip(logs, ends, died, strict=True):
            test = found.read(log) if log.exists() else ""
            if dead and not test:
                output = log.with_suffix(".out").read_text(encoding="utf-8", errors="replace")
                raise SystemExit(f"pytest ended with {end} before any test:\n{output[-4000:]}")
            if dead:
                found.lose(test, "did not come back" if end is None else f"its process ended with {end}")
        parts = [part for part, dead in zip(parts, died, strict=True) if dead]


def start(
    log: Path, until: float, seed: int, part: tuple[int, int], left_out: Sequence[str], tests: Sequence[str]
) -> subprocess.Popen[bytes]:
    """Start pytest on a part of the property tests."""
    command = [
        *(sys.executable, "-m", "pytest", "-p", "fuzz_plugin", "-p", "no:cacheprovider", "-m", "hypothesis"),
        *("--hypothesis-profile=fuzz", f"--fuzz-until={until}", f"--fuzz-seed={seed}", f"--fuzz-log={log}"),
        *("--fuzz-part", str(part[0]), str(part[1]), "--ignore=tests/browser"),
        *(f"--deselect={test}" for test in left_out),
        *tests,
    ]
    known = [str(ROOT / "tools"), *filter(None, [os.environ.get("PYTHONPATH")])]
    with log.with_suffix(".out").open("wb") as output:
        return subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(known)},
        )


def finish(process: subprocess.Popen[bytes], until: float) -> int | None:
    """Wait for a process; return its exit code, or None if it had to be ended."""
    try:
        return process.wait(timeout=max(0.0, until - time.time()) + GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def summary(found: Found) -> str:
    """Return what was done, in a line.

    Example:
        >>> summary(Found({"a", "b"}, {"b"}, set(), 1200))
        '2 tests, 1,200 examples, 1 failed'
    """
    return f"{len(found.tests)} tests, {found.examples:,} examples, {len(found.failed)} failed"


def main() -> int:
    """Fuzz as told on the command line."""
    parser = argparse.ArgumentParser(description="Fuzz the property tests.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument(
        "--seed", type=int, default=None, help="other seeds draw other examples (default: any)"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("tests", nargs="*", default=["tests"], help="files, folders or tests")
    told = parser.parse_args()
    seed = secrets.randbelow(2**31) if told.seed is None else told.seed
    print(f"fuzzing for {told.minutes:g} minutes with seed {seed}", flush=True)
    found = fuzz(told.minutes, seed, told.workers, told.tests)
    print(f"{found.rounds} rounds, {summary(found)}")
    for test in sorted(found.failed):
        print(f"  {test}")
    return 1 if found.failed else 0


if __name__ == "__main__":
    sys.exit(main())
