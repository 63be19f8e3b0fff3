"""What an agent may ask to see from a viewpoint, by name.

================  ==================================================================================
``captions``      a text per heading sector, the first at heading 0, clockwise (`perception.captions`)
``objects``       the objects in sight, as `SeenObject`
``rooms``         the room it is in and those next to it, as `RoomSight`
``percept``       all of these as far as the scene has them, as `Percept`
``views``         the panorama as pictures, `worlds.renderer.Views` (houses only)
``features:…``    one row of numbers per view, 36 × D (`perception.features`)
================  ==================================================================================

What is read or drawn is kept for the viewpoints seen last, since agents look about where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.perception.features.files import features_of
from vlnscope.types import Percept, SeenObject, SeenRoom
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.scene import Scene

SCENES_KEPT = 16
VIEWS_KEPT = 2  # 166 MB each


class RoomSight(NamedTuple):
    """Rooms as seen from a viewpoint.

    Attributes:
        here: label letter of the room that it is in; None if it is in none.
        ahead: rooms of the neighbouring viewpoints that are in one, in the order of the candidates.
    """

    here: str | None
    ahead: tuple[SeenRoom, ...]


def sight(need: str, scene: Scene, viewpoint: str, root: Path | None = None) -> Any:
    """Return what an agent that declared `need` sees from a viewpoint.

    Args:
        need: ``captions``, ``objects``, ``rooms``, ``percept``, ``views`` or ``features:NAME[=FILE]``.
        scene: the scene.
        viewpoint: where the agent stands.
        root: data folder, in which captions and features are looked for.

    Raises:
        MissingLayerError: the scene, or the folder, has nothing of the kind.
        InputError: a file is damaged or does not cover the viewpoint.
    """
    if need.startswith("features:"):
        return features_of(need, root).of(scene, viewpoint)
    return _SIGHTS[need](scene, viewpoint, root)


def _objects(scene: Scene, viewpoint: str, root: Path | None) -> tuple[SeenObject, ...]:
    del root
    return scene.objects.at(viewpoint)


def _rooms(scene: Scene, viewpoint: str, root: Path | None) -> RoomSight:
    del root
    regions = scene.regions
    ahead = []
    for candidate in scene.candidates(viewpoint):
        label = regions.label(candidate.viewpoint)
        if label is not None:
            ahead.append(SeenRoom(label, wrap_heading(candidate.heading), candidate.distance))
    return RoomSight(regions.label(viewpoint), tuple(ahead))


def _captions(scene: Scene, viewpoint: str, root: Path | None) -> tuple[str, ...]:
    if root is None:
        raise MissingLayerError(
            f"scene {scene.id} has no captions, since no data folder is named",
            expected="navgpt_text/ in a data folder",
            fix="add --root DIR, or set the environment variable VLNSCOPE_DATA",
        )
    found: tuple[str, ...] = _caption_file(root).scan(scene.id).at(viewpoint)
    return found


@lru_cache(maxsize=2)
def _caption_file(root: Path) -> Any:
    from vlnscope.perception.captions import CaptionFile

    return CaptionFile(root)


def _percept(scene: Scene, viewpoint: str, root: Path | None) -> Percept:
    return _percepts(scene, root)[viewpoint]


@lru_cache(maxsize=SCENES_KEPT)
def _percepts(scene: Scene, root: Path | None) -> Mapping[str, Percept]:
    from vlnscope.perception.percepts import scene_percepts

    found: Mapping[str, Percept] = scene_percepts(scene, _captions_if_any(scene, root))
    return found


def _captions_if_any(scene: Scene, root: Path | None) -> Any:
    if root is None:
        return None
    try:
        return _caption_file(root).scan(scene.id)
    except MissingLayerError:
        return None


@lru_cache(maxsize=VIEWS_KEPT)
def _views(scene: Scene, viewpoint: str, root: Path | None) -> Any:
    del root
    return scene.layer("views").at(viewpoint)


_SIGHTS: Mapping[str, Callable[[Scene, str, Path | None], Any]] = {
    "captions": _captions,
    "objects": _objects,
    "percept": _percept,
    "rooms": _rooms,
    "views": _views,
}
