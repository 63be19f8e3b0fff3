"""Reads Matterport3D connectivity files: which viewpoints a scan has and between which one can walk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import NOT_JSON, decode_part, read_json
from vlnscope.types import Flags, Floats, Point
from vlnscope.worlds.graph.navgraph import NavGraph

_FILE = "a list of viewpoints as in a Matterport3D *_connectivity.json file"
_COPY = "copy the connectivity file again from the Matterport3DSimulator release"
_RECORD = "image_id, pose (16 finite numbers), included, unobstructed (one flag per viewpoint) and height"


class _Viewpoint(msgspec.Struct, frozen=True):
    image_id: str
    pose: Annotated[list[float], msgspec.Meta(min_length=16, max_length=16)]
    included: bool
    unobstructed: list[bool]
    height: float | None = None

    @property
    def position(self) -> Point:
        return self.pose[3], self.pose[7], self.pose[11]


class _Name(msgspec.Struct):
    image_id: str | int | float


class Connectivity(NamedTuple):
    """The content of a connectivity file.

    Attributes:
        graph: included viewpoints in the order of the file.
        heights: height of the camera above the floor at each node; None if the file does not say.
    """

    graph: NavGraph
    heights: Floats | None


def read_connectivity(path: str | Path, positions: Mapping[str, Point] | None = None) -> Connectivity:
    """Read a connectivity file, plain or gzip.

    The nodes are the included viewpoints, isolated ones too. Two of them are joined if each is
    unobstructed from the other; a file that says so of one direction only is refused.

    Args:
        path: the file.
        positions: places to use instead of those in the file, e.g. those of a ``.house`` file.

    Raises:
        InputError: the file is damaged; the message names the viewpoint.
    """
    path = Path(path)
    views = _read_viewpoints(path)
    kept = [i for i, view in enumerate(views) if view.included]
    if not kept:
        raise InputError(f"{path}: no viewpoint is included", expected=_FILE, fix=_COPY)
    names = [views[i].image_id for i in kept]
    points = _positions(path, [views[i] for i in kept], positions)
    edges = np.argwhere(np.triu(_joined(path, views, kept), 1))
    graph = NavGraph.build(names, points, [(names[i], names[j]) for i, j in edges.tolist()])
    heights = [view.height for view in views if view.included and view.height is not None]
    return Connectivity(graph, np.array(heights) if len(heights) == len(names) else None)


def load_graph(path: str | Path, positions: Mapping[str, Point] | None = None) -> NavGraph:
    """Return the navigation graph of a connectivity file; see `read_connectivity`."""
    return read_connectivity(path, positions).graph


def _read_viewpoints(path: Path) -> list[_Viewpoint]:
    raw = read_json(path, list[msgspec.Raw], _FILE)
    views: list[_Viewpoint] = []
    seen: set[str] = set()
    for number, part in enumerate(raw, 1):
        view = decode_part(part, _Viewpoint, _Where(path, number, part), _RECORD)
        if view.image_id in seen:
            raise InputError(
                f"{path}: viewpoint {view.image_id} is listed twice", expected="unique image_ids", fix=_COPY
            )
        if len(view.unobstructed) != len(raw):
            raise InputError(
                f"{path}: viewpoint {view.image_id}: unobstructed has {len(view.unobstructed)} flags",
                expected=f"{len(raw)}, one per viewpoint of the file",
                fix=_COPY,
            )
        seen.add(view.image_id)
        views.append(view)
    return views


class _Where(NamedTuple):
    """Names a viewpoint in an error; its id is looked up only if there is one to report."""

    path: Path
    number: int
    raw: msgspec.Raw

    def __str__(self) -> str:
        try:
            name = msgspec.json.decode(self.raw, type=_Name).image_id
        except NOT_JSON:
            name = f"number {self.number}"
        return f"{self.path}: viewpoint {name}"


def _joined(path: Path, views: list[_Viewpoint], kept: list[int]) -> Flags:
    flags = np.array([views[i].unobstructed for i in kept], dtype=np.bool_).reshape(len(kept), len(views))[
        :, kept
    ]
    one_way = np.argwhere(flags & ~flags.T)
    if one_way.size:
        a, b = (views[kept[i]].image_id for i in one_way[0])
        raise InputError(
            f"{path}: viewpoint {b} is unobstructed from {a}, but not {a} from {b}",
            expected="symmetric unobstructed flags between included viewpoints",
            fix=_COPY,
        )
    return flags


def _positions(path: Path, views: list[_Viewpoint], positions: Mapping[str, Point] | None) -> list[Point]:
    if positions is None:
        return [view.position for view in views]
    missing = [view.image_id for view in views if view.image_id not in positions]
    if missing:
        raise InputError(
            f"{path}: viewpoint {missing[0]} has no given position ({len(missing)} of {len(views)} lack one)",
            expected="positions of all included viewpoints",
            fix="use the .house file of the same scan",
        )
    return [positions[view.image_id] for view in views]
