"""Arrays in files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.files import write_whole


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array in NumPy's format, whole or not at all."""
    buffer = io.BytesIO()
    np.save(buffer, array)
    with write_whole(path) as stream:
        stream.write(buffer.getbuffer())
