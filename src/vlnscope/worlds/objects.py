"""Objects: what can be seen from each viewpoint, and in which direction."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import Parts, decode_part, read_json
from vlnscope.types import Floats, Ints, SeenObject
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, VIEWS, wrap_heading

Source = Literal["reverie", "navgpt"]
SOURCES: tuple[Source, ...] = ("reverie", "navgpt")

SECTORS = 8
_HALF_WIDTH, _HALF_HEIGHT = 320.0, 240.0
_FOCAL_LENGTH = 240.0 * math.sqrt(3.0)  # pixels, of a 640 x 480 picture with 60° from top to bottom
_NUMBERING = re.compile(r"\s*_\d+$")

_View = Annotated[int, msgspec.Meta(ge=0, lt=VIEWS)]
_Box = tuple[float, float, float, float]


class _Boxes(msgspec.Struct):
    name: str
    visible_pos: list[_View]
    bbox2d: list[_Box]


class _Nearby(msgspec.Struct):
    heading: float
    distance: Annotated[float, msgspec.Meta(ge=0)]


_Sectors = Annotated[list[dict[str, _Nearby]], msgspec.Meta(min_length=SECTORS, max_length=SECTORS)]


class ViewSpan(NamedTuple):
    """How much of the view an object takes up, in radians: its lowest and its highest elevation."""

    bottom: float
    top: float


@dataclass(frozen=True)
class Objects:
    """The objects of a scene as seen from its viewpoints.

    Attributes:
        source: where they come from.
        seen: the objects in sight of each viewpoint.
        spans: by viewpoint and object id, how large an object looks; only where the source has pictures'
            boxes.
    """

    source: str
    seen: Mapping[str, tuple[SeenObject, ...]]
    spans: Mapping[tuple[str, str], ViewSpan] = field(default_factory=dict, repr=False)

    def at(self, viewpoint: str) -> tuple[SeenObject, ...]:
        """Return the objects in sight of `viewpoint`, in the order of the source."""
        try:
            return self.seen[viewpoint]
        except KeyError:
            raise InputError(
                f"the {self.source} objects do not cover viewpoint {viewpoint!r}",
                expected=f"one of the {len(self.seen)} viewpoints that they cover",
                fix="look the viewpoint up in its own scene, or add it to the objects' file",
            ) from None


def box_headings(views: Ints, boxes: Floats) -> Floats:
    """Return the heading of the centre of each box; not wrapped, so it may be slightly < 0 or > 2π.

    Args:
        views: the view (0-35) that each box was drawn in; its elevation does not matter.
        boxes: one row x, y, width, height per box, in pixels of a 640 x 480 picture.
    """
    centre = boxes[:, 0] + boxes[:, 2] / 2
    headings: Floats = VIEW_HEADINGS[views] + np.arctan((centre - _HALF_WIDTH) / _FOCAL_LENGTH)
    return headings


def box_elevations(views: Ints, boxes: Floats) -> tuple[Floats, Floats]:
    """Return the elevation of the middle of each box's lower and of its upper edge; see `box_headings`.

    Example:
        >>> low, high = box_elevations(np.array([12]), np.array([[310.0, 140.0, 20.0, 100.0]]))
        >>> np.degrees(low).round(1).tolist(), np.degrees(high).round(1).tolist()
        ([0.0], [13.5])
    """
    aside = (boxes[:, 0] + boxes[:, 2] / 2 - _HALF_WIDTH) / _FOCAL_LENGTH
    tilt = VIEW_ELEVATIONS[views]
    edges = []
    for edge in (boxes[:, 1] + boxes[:, 3], boxes[:, 1]):
        up = (_HALF_HEIGHT - edge) / _FOCAL_LENGTH
        ahead, above = np.cos(tilt) - up * np.sin(tilt), np.sin(tilt) + up * np.cos(tilt)
        edges.append(np.arctan2(above, np.hypot(ahead, aside)))
    return edges[0], edges[1]


def circular_means(angles: Floats, groups: Ints, count: int) -> Floats:
    """Return the circular mean in [0, 2π) of the angles of each group 0 … count - 1.

    Example:
        >>> circular_means(np.array([0.1, 2 * np.pi - 0.1, 3.0]), np.array([0, 0, 1]), 2).round(6).tolist()
        [0.0, 3.0]
    """
    across = np.bincount(groups, np.sin(angles), count)
    along = np.bincount(groups, np.cos(angles), count)
    means = np.arctan2(across, along) % math.tau
    means[means == math.tau] = 0.0
    return means


def read_reverie_objects(path: Path) -> Objects:
    """Read the object boxes of REVERIE for one scan.

    An object is seen at the circular mean of the headings of its boxes over all views; one without
    boxes is left out. REVERIE lists objects within 3 m and does not say how far they are.
    """
    parts = read_json(path, Parts, "viewpoint → object id → name, visible_pos, bbox2d")
    owners: list[str] = []
    listed: list[tuple[str, _Boxes]] = []
    for viewpoint, part in parts.items():
        for object_id, boxes in _decode_boxes(path, viewpoint, part).items():
            if boxes.bbox2d:
                owners.append(viewpoint)
                listed.append((object_id, boxes))
    headings, spans = _sights([boxes for _, boxes in listed])
    seen: dict[str, list[SeenObject]] = {viewpoint: [] for viewpoint in parts}
    sizes: dict[tuple[str, str], ViewSpan] = {}
    rows = zip(owners, listed, headings.tolist(), spans.tolist(), strict=True)
    for viewpoint, (object_id, boxes), heading, span in rows:
        seen[viewpoint].append(SeenObject(boxes.name.replace("#", " "), heading, object_id=object_id))
        sizes[viewpoint, object_id] = ViewSpan(*span)
    return Objects("reverie", {viewpoint: tuple(objects) for viewpoint, objects in seen.items()}, sizes)


def _decode_boxes(path: Path, viewpoint: str, part: msgspec.Raw) -> dict[str, _Boxes]:
    where = f"{path}: viewpoint {viewpoint}"
    objects = decode_part(part, dict[str, _Boxes], where, "name, visible_pos (0-35), bbox2d ([x, y, w, h])")
    for object_id, boxes in objects.items():
        if len(boxes.visible_pos) != len(boxes.bbox2d):
            raise InputError(
                f"{where}, object {object_id}: {len(boxes.visible_pos)} views, {len(boxes.bbox2d)} boxes",
                expected="one box per view",
                fix="copy or download the file again",
            )
    return objects


def _sights(objects: list[_Boxes]) -> tuple[Floats, Floats]:
    """Return the heading and the span (lowest and highest elevation) of each object over all its boxes."""
    counts = [len(boxes.bbox2d) for boxes in objects]
    views = np.array([view for boxes in objects for view in boxes.visible_pos], dtype=np.int64)
    corners = np.array([box for boxes in objects for box in boxes.bbox2d], dtype=np.float64).reshape(-1, 4)
    groups = np.repeat(np.arange(len(objects)), counts)
    means = circular_means(box_headings(views, corners), groups, len(objects))
    spans = np.zeros((len(objects), 2))
    if objects:
        low, high = box_elevations(views, corners)
        starts = np.cumsum([0, *counts[:-1]])
        spans[:, 0] = np.minimum.reduceat(low, starts)
        spans[:, 1] = np.maximum.reduceat(high, starts)
    return means, spans


def read_navgpt_file(path: Path) -> Parts:
    """Return what NavGPT's ``objects_list.json`` holds of each scan, still encoded."""
    return read_json(path, Parts, "scan → viewpoint → eight lists of objects")


def navgpt_objects(path: Path, scan: str, part: msgspec.Raw) -> Objects:
    """Decode one scan of NavGPT's list of nearby objects; `path` and `scan` are for error messages.

    The list is cut into eight sectors of 45°, the first centred on heading 0. An object that reaches into
    several sectors is listed in each, so it appears here once per sector, with the heading of the part in
    that sector. The number that tells like-named objects apart (``chair_2``) is taken off the name.
    """
    rows = decode_part(part, Parts, f"{path}: scan {scan}", "viewpoint → eight sectors")
    seen: dict[str, tuple[SeenObject, ...]] = {}
    for viewpoint, raw in rows.items():
        where = f"{path}: scan {scan}, viewpoint {viewpoint}"
        sectors = decode_part(raw, _Sectors, where, "eight objects name → heading (degrees), distance (m)")
        seen[viewpoint] = tuple(
            SeenObject(_NUMBERING.sub("", name).strip(), wrap_heading(math.radians(it.heading)), it.distance)
            for sector in sectors
            for name, it in sector.items()
        )
    return Objects("navgpt", seen)
