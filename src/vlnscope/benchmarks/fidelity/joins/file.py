"""Writes joined paths to the byte as the official R4R script does.

The file is a JSON array, keys sorted, two spaces of indentation, everything beyond ASCII escaped, no line
break at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import IO

from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath


def write_joined(paths: Iterable[JoinedPath], stream: IO[bytes]) -> None:
    """Write joined paths as one file, record by record."""
    before = b"[\n  "
    for path in paths:
        text = json.dumps(path.record(), indent=2, sort_keys=True, separators=(",", ": "))
        stream.write(before + text.replace("\n", "\n  ").encode())
        before = b",\n  "
    stream.write(b"[]" if before == b"[\n  " else b"\n]")
