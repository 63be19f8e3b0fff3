"""The folders with the user's data and scenes: arguments, or ``$VLNSCOPE_DATA`` and ``$VLNSCOPE_SCENES``."""

from __future__ import annotations

import os
from pathlib import Path

from vlnscope.core.exceptions import DataNotFoundError

ROOT_VARIABLE = "VLNSCOPE_DATA"
SCENES_VARIABLE = "VLNSCOPE_SCENES"
_SCENES = Path("scene_datasets/mp3d")


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


def scenes_folder(scenes: str | Path | None = None, root: Path | None = None) -> Path | None:
    """Return the folder with meshes of scenes, ``SCAN/SCAN.glb`` and ``SCAN/SCAN.navmesh``.

    It is `scenes`, else ``$VLNSCOPE_SCENES``, else ``scene_datasets/mp3d`` in the data folder, as in
    Habitat's own layout; None if there is none of these.
    """
    named = scenes or os.environ.get(SCENES_VARIABLE)
    if named:
        folder = Path(named).expanduser()
        if not folder.is_dir():
            source = "--scenes" if scenes else f"${SCENES_VARIABLE}"
            raise DataNotFoundError(
                f"the folder of scenes {folder} ({source}) does not exist",
                expected="a folder with SCAN/SCAN.glb and SCAN/SCAN.navmesh",
                fix=f"let {source} name a folder that exists",
            )
        return folder
    return root / _SCENES if root is not None and (root / _SCENES).is_dir() else None


def no_root(wanted: str) -> DataNotFoundError:
    """Return the error that something needs a data folder and none was named."""
    return DataNotFoundError(
        f"no data folder is named, so {wanted} cannot be found",
        expected="the folder that holds r2r/, connectivity/ and so on",
        fix=f"add --root DIR, or set the environment variable {ROOT_VARIABLE}",
    )
