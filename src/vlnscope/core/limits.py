"""How much of a file is read: limits that a message names and the environment raises."""

from __future__ import annotations

import os
from pathlib import Path

from vlnscope.core.exceptions import InputError

LIMIT = "VLNSCOPE_MAX_MB"
"""Environment variable that raises all limits of size."""
STREAM_MB = 4096
"""How large a file may be that is read piece by piece, unpacked."""
WHOLE_MB = 256
"""How large a file may be that is read as a whole, unpacked."""
RECORD_MB = 16
"""How large one record or line of a file may be."""


def allowed(megabytes: int) -> int:
    """Return a limit of size in bytes: the given one, or that of ``$VLNSCOPE_MAX_MB`` if it is larger."""
    named = os.environ.get(LIMIT, "")
    if named and not (named.isascii() and named.isdigit() and len(named) < 10):
        raise InputError(
            f"{LIMIT} is {named[:40]!r}",
            expected="a whole number of megabytes",
            fix=f"set {LIMIT}=8192, or unset it",
        )
    return max(megabytes, int(named or 0)) << 20


def too_large(path: str | Path, megabytes: int, what: str = "") -> InputError:
    """Return the error for a file, or a part of one that `what` names, that is larger than a limit."""
    most = allowed(megabytes) >> 20
    return InputError(
        f"{path}: {what or 'the file'} is larger than {most} MB, which is as much as vlnscope reads",
        expected=f"at most {most} MB, unpacked",
        fix=f"look whether it is the right file; {LIMIT}={most * 4} in the environment raises the limit",
    )
