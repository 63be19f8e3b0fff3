"""Kernels kept on disk are those of the modules as they are now."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from vlnscope.core.compiled import compiled, inlined, part

PART = "from vlnscope.core.compiled import inlined\n\n@inlined\ndef half(x):\n    return x / {}\n"
KERNEL = (
    "from vlnscope.core.compiled import compiled\nfrom made_up_part import half\n\n"
    "@compiled\ndef run(x):\n    return half(x)\n\nprint(run(8.0), sum(run.stats.cache_hits.values()))\n"
)


@part
def _entry(values: object, k: int) -> object:
    return values[k]  # type: ignore[index]


@inlined
def _quotient(a: object, b: object) -> object:
    return a / b  # type: ignore[operator]


@compiled
def _quotients(values: object) -> object:
    return _quotient(_entry(values, 0), _entry(values, 1))


def test_parts_run_in_kernels_and_in_python() -> None:
    values = np.array([1.0, 0.0])
    assert _quotients(values) == np.inf
    assert _quotient(3, 2) == 1.5
    assert _entry([4, 5], 1) == 5


def test_a_changed_part_is_compiled_anew(tmp_path: Path) -> None:
    def run() -> str:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-m", "made_up_kernel"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    (tmp_path / "made_up_kernel.py").write_text(KERNEL)
    (tmp_path / "made_up_part.py").write_text(PART.format(2))
    assert run() == "4.0 0"
    assert run() == "4.0 1"
    (tmp_path / "made_up_part.py").write_text(PART.format(4))
    os.utime(tmp_path / "made_up_part.py", (time.time() + 9, time.time() + 9))
    assert run() == "2.0 0"
