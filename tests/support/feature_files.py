"""Feature files as they are exchanged for Matterport3D, written for tests."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np

Rows = dict[tuple[str, str], Any]


def tsv(path: Path, rows: Rows, head: str = "") -> Path:
    lines = [
        f"{scan}\t{view}\t640\t480\t60\t{base64.b64encode(np.asarray(a, '<f4').tobytes()).decode()}\n"
        for (scan, view), a in rows.items()
    ]
    path.write_text(head + "".join(lines))
    return path
