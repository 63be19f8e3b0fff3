"""What generated houses are compared with: the statistics of real buildings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_stats import Statistics, graph_statistics

_TABLE = Path(__file__).parent / "facts" / "real_graphs.json"


class _Table(msgspec.Struct):
    facts: Statistics


def real_statistics(root: str | Path | None = None) -> Statistics:
    """Return the statistics of the real Matterport3D graphs.

    Args:
        root: a data folder with the graphs and room labels, to measure them anew; without it the table that
            comes with the package is returned.

    Raises:
        MissingLayerError: a scan of the folder has no room labels.
    """
    if root is None:
        return msgspec.json.decode(_TABLE.read_bytes(), type=_Table).facts
    return graph_statistics(_scans(MatterportScenes(root)))


def _scans(scenes: MatterportScenes) -> Iterator[Scene]:
    for scan in scenes.scans():
        yield scenes.scene(scan)
