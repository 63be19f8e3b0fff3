"""Files of named arrays in NumPy's format, whoever wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.files import check_regular, reading
from vlnscope.core.limits import WHOLE_MB, allowed, too_large


def read_arrays(path: str | Path, kind: str, expected: str, fix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of an ``.npz`` file.

    Arrays of Python objects are refused, because reading them would run code from the file.

    Args:
        path: the file.
        kind: what it is read as, for the error message.
        expected: what such a file holds.
        fix: what to do about a file that holds something else.

    Raises:
        InputError: it cannot be read, or holds something else or too much.
    """
    check_regular(path)
    with reading(path, kind, expected, fix), Path(path).open("rb") as stream:
        stored = np.load(stream, allow_pickle=False)
        if not isinstance(stored, np.lib.npyio.NpzFile):
            raise ValueError("it holds a single array")
        with stored:
            members = stored.zip.infolist() if stored.zip else []
            if sum(int(member.file_size) for member in members) > allowed(WHOLE_MB):
                raise too_large(path, WHOLE_MB)
            return {name: stored[name] for name in stored.files}
