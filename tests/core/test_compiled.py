"""Kernels kept on disk are those of the modules as they are now."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
from numba.core import event

from vlnscope.core.compiled import CompileNotice, compiled, inlined, part

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


@numba.njit
def _doubled(value: float) -> float:
    return value * 2


@compiled
def _quotients(values: object) -> object:
    return _quotient(_entry(values, 0), _entry(values, 1))


def test_parts_run_in_kernels_and_in_python() -> None:
    values = np.array([1.0, 0.0])
    assert _quotients(values) == np.inf
    assert _quotient(3, 2) == 1.5
    assert _entry([4, 5], 1) == 5


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_whoever_waits_at_a_terminal_is_told_why() -> None:
    terminal, file = Terminal(), io.StringIO()
    with (
        event.install_listener("numba:compile", CompileNotice(terminal)),
        event.install_listener("numba:compile", CompileNotice(file)),
    ):
        _doubled(1.5)
        told = terminal.getvalue()
        _doubled(2.5)
    assert "compiling for this computer, once: doubled" in told
    assert told.endswith("\r\x1b[K")  # the line is gone again
    assert terminal.getvalue() == told  # compiled already
    assert file.getvalue() == ""


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
