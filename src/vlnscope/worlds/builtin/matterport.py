"""Matterport3D scans, and whatever else lies in a data folder in their formats."""

from __future__ import annotations

from pathlib import Path

from vlnscope.core.data_root import no_root
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.world import World, register_world


def open_folder(root: Path | None) -> MatterportScenes:
    """Return the scenes of a data folder, or say how to name one."""
    if root is None:
        raise no_root("the navigation graphs (connectivity files)")
    return MatterportScenes(root)


register_world(
    World(
        name="matterport",
        summary="Matterport3D scans in a data folder",
        open=lambda scans, root: open_folder(root),
        captioned=True,
    )
)
