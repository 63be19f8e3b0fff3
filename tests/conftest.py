"""Fixtures that several test files use."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import cli
from drawing import fix_constants, register_profiles

__all__ = ["cli"]

register_profiles()

# several processes test at once: more threads in each, and in what it starts, would only wait for each other
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

SHARED = Path(__file__).resolve().parents[2] / "shared"

gc.disable()  # what is imported and collected stays


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through thousands of collected tests again and again."""
    from compiling import take_turns

    take_turns()
    fix_constants()
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests away from the user's cache; processes that test together share one."""
    base = tmp_path_factory.getbasetemp()
    together = "PYTEST_XDIST_WORKER" in os.environ
    os.environ["VLNSCOPE_CACHE"] = str((base.parent if together else base) / "cache")


@pytest.fixture(scope="module")
def one_thread_of_torch() -> Iterator[None]:
    """Let torch compute in one thread: sums depend on how many share them."""
    from vlnscope.perception.networks import one_thread  # torch is not everywhere

    with one_thread():
        yield


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `check_agent` leave out the rule for which it starts processes."""
    from vlnscope.evaluate.conformance.checks import CHECKS

    monkeypatch.delitem(CHECKS, "hash seeds")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real data and oracle numbers, where there is one."""
    if not (SHARED / "fixtures").is_dir():
        pytest.skip("needs ../shared (real data and oracle numbers), which is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def data_root(shared: Path) -> Path:
    """The real public data."""
    return shared / "data"


@pytest.fixture(scope="session")
def prevalent(data_root: Path) -> Path:
    """A real submission: 2,349 episodes of R2R val_unseen."""
    return (
        data_root / "agent_predictions" / "PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
    )
