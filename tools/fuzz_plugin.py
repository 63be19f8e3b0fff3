"""The pytest side of `fuzz.py`: each property test draws from new seeds until its share of time is over."""

from __future__ import annotations

import json
import time
from typing import IO, Any

import pytest
from hypothesis import core
from hypothesis.statistics import collector

from vlnscope.core.rng import rng_for


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take what `fuzz.py` tells."""
    group = parser.getgroup("fuzz", "new examples for property tests")
    group.addoption(
        "--fuzz-until", type=float, required=True, help="when the round ends (seconds since the epoch)"
    )
    group.addoption("--fuzz-seed", type=int, required=True, help="of all seeds of the round")
    group.addoption(
        "--fuzz-part", type=int, nargs=2, default=(0, 1), help="which of how many parts of the tests"
    )
    group.addoption("--fuzz-log", required=True, help="file for what happens, as JSON lines")


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    config.pluginmanager.register(Fuzzer(config), "fuzzer")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End."""
    fuzzer = config.pluginmanager.get_plugin("fuzzer")
    if fuzzer is not None:
        fuzzer.log.close()


class Fuzzer:
    """Calls each test again and again; writes down every call before it is made, as the process may die."""

    def __init__(self, config: pytest.Config) -> None:
        self.until: float = config.getoption("--fuzz-until")
        self.seed: int = config.getoption("--fuzz-seed")
        self.part: tuple[int, int] = config.getoption("--fuzz-part")
        self.log: IO[str] = open(config.getoption("--fuzz-log"), "a", encoding="utf-8")  # noqa: SIM115, PTH123
        self.left = 0
        self.drawn = 0
        self.seed_of_call = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Take a part of the tests, in an order of the round's own."""
        which, of = self.part
        mine = items[which::of]
        order = rng_for(self.seed, "order").permutation(len(mine))
        items[:] = [mine[i] for i in order]
        self.left = len(items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Call a test with one seed after the other for its share of the time, and at least once."""
        names = pyfuncitem._fixtureinfo.argnames
        arguments = {name: pyfuncitem.funcargs[name] for name in names}
        begun, calls, self.drawn = time.time(), 0, 0
        share = (self.until - begun) / max(1, self.left)
        try:
            while calls == 0 or time.time() < min(begun + share, self.until):
                chance = rng_for(self.seed, pyfuncitem.nodeid, calls)
                self.seed_of_call = int(chance.integers(2**32))
                core.global_force_seed = self.seed_of_call  # type: ignore[assignment]
                self._tell(test=pyfuncitem.nodeid, seed=self.seed_of_call)
                calls += 1
                with collector.with_value(self._count):  # type: ignore[arg-type]
                    pyfuncitem.obj(**arguments)
        finally:
            self._tell(done=pyfuncitem.nodeid, examples=self.drawn)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write down how a test failed."""
        if report.when == "teardown":
            self.left -= 1
        if report.failed:
            self._tell(failed=report.nodeid, seed=self.seed_of_call, text=report.longreprtext)

    def _count(self, statistics: dict[str, Any]) -> None:
        phases = (phase for name, phase in statistics.items() if name.endswith("-phase"))
        self.drawn += sum(len(phase["test-cases"]) for phase in phases)

    def _tell(self, **told: object) -> None:
        self.log.write(json.dumps(told) + "\n")
        self.log.flush()
