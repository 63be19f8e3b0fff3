"""The folder with the user's data: an argument, or the environment variable ``VLNSCOPE_DATA``."""

from __future__ import annotations

import os
from pathlib import Path

from vlnscope.core.exceptions import DataNotFoundError

ROOT_VARIABLE = "VLNSCOPE_DATA"


def data_root(root: str | Path | None = None) -> Path | None:
    """Return the folder with the user's data: `root`, else ``$VLNSCOPE_DATA``, else None."""
    named = root or os.environ.get(ROOT_VARIABLE)
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        source = "--root" if root else f"${ROOT_VARIABLE}"
        raise DataNotFoundError(
            f"the data folder {folder} ({source}) does not exist",
            expected="a folder with r2r/, connectivity/ and so on",
            fix=f"let {source} name a folder that exists",
        )
    return folder


def no_root(wanted: str) -> DataNotFoundError:
    """Return the error that something needs a data folder and none was named."""
    return DataNotFoundError(
        f"no data folder is named, so {wanted} cannot be found",
        expected="the folder that holds r2r/, connectivity/ and so on",
        fix=f"add --root DIR, or set the environment variable {ROOT_VARIABLE}",
    )
