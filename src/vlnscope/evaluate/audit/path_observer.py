"""What was seen on walks: the percepts that detectors are given, of reference paths or of an agent's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from vlnscope.benchmarks.errors.detection.protocol import Outing, look_along
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.run_folder import EVIDENCE, read_record
from vlnscope.perception.sights.captions import CaptionFile, Captions
from vlnscope.perception.sights.percept import SENSES, Sense, scene_percepts
from vlnscope.types import Episode, Percept
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.world import world_of

BY_NAME: tuple[Sense, ...] = ("rooms", "objects")
BY_CAPTION: tuple[Sense, ...] = ("objects", "captions")


class PathObserver:
    """Shows what can be seen along paths.

    Args:
        scenes: where the paths are.
        senses: what may be seen; None for captions and objects where there are captions, rooms and objects
            elsewhere.
        root: folder of the data, for captions.

    Raises:
        InputError: a sense is none of those there are.
    """

    def __init__(
        self, scenes: Scenes, senses: Sequence[str] | None = None, root: str | Path | None = None
    ) -> None:
        for name in senses or ():
            if name not in SENSES:
                raise InputError(
                    f"{name!r} is no sense", expected=f"some of {', '.join(SENSES)}", fix="correct --senses"
                )
        self._scenes = scenes
        self._senses = None if senses is None else tuple(s for s in SENSES if s in senses)
        self._root = data_root(root)
        self._captions: CaptionFile | None = None
        self._percepts: dict[str, Mapping[str, Percept]] = {}
        self._last: tuple[tuple[object, ...], Outing] | None = None

    def along(self, episode: Episode, path: Sequence[str] | None = None) -> Outing:
        """Return what is seen along a path, the episode's own if none is given; the last one is kept."""
        walked = tuple(path or episode.path)
        key = (episode.scan, walked, episode.heading)
        if self._last is None or self._last[0] != key:
            scene = self._scenes.scene(episode.scan)
            outing = look_along(scene, self.percepts(episode.scan), walked, episode.heading or 0.0)
            self._last = (key, outing)
        return self._last[1]

    def percepts(self, scan: str) -> Mapping[str, Percept]:
        """Return what can be seen from the viewpoints of a scene."""
        if scan not in self._percepts:
            captions = self._captions_of(scan) if world_of(scan).captioned else None
            senses = self._senses or (BY_NAME if captions is None else BY_CAPTION)
            self._percepts[scan] = scene_percepts(self._scenes.scene(scan), captions, senses=senses)
        return self._percepts[scan]

    def _captions_of(self, scan: str) -> Captions | None:
        if self._root is None or (self._senses is not None and "captions" not in self._senses):
            return None
        if self._captions is None:
            self._captions = CaptionFile(self._root)
        try:
            return self._captions.scan(scan)
        except MissingLayerError:
            if self._senses is None:  # nobody asked for captions by name
                return None
            raise


def walks_of(run: str | Path) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return who walked in a run, and the path of each case; failed cases have none.

    Raises:
        DataNotFoundError: the folder holds no run.
    """
    folder = Path(run)
    if not (folder / EVIDENCE).is_file():
        raise DataNotFoundError(
            f"{folder}: holds no run",
            expected=f"a folder with {EVIDENCE}",
            fix="make one with `vlnscope run`",
        )
    lines = read_log(folder / EVIDENCE)
    return read_record(folder).agent.name, {
        name: line.path for name, line in lines.items() if line.failed is None and line.path
    }
