"""Older interpreters of this machine, for what must run where vlnscope itself does not."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

OLD = tuple(f"3.{minor}" for minor in range(6, 11))


@cache
def old_pythons() -> dict[str, str]:
    """Return the interpreters older than vlnscope needs, by version: those on the path, and pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = {}
    for version in OLD:
        own = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
        for program in (*map(str, own), shutil.which(f"python{version}")):
            if program and _says(program) == version:
                found[version] = program
                break
    return found


def _says(program: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([program, "-S", "-E", "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()
