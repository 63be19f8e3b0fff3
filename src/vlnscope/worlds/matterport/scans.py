"""Matterport3D scans as scenes, read from a data folder."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import Literal, get_args

from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError, UnknownNameError
from vlnscope.core.files import find_file
from vlnscope.core.json_file import Parts
from vlnscope.types import Floats
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.connectivity import Connectivity, load_graph, read_connectivity
from vlnscope.worlds.matterport.house_file import HouseFile, read_house_file
from vlnscope.worlds.objects import (
    SOURCES,
    Objects,
    Source,
    navgpt_objects,
    read_navgpt_file,
    read_reverie_objects,
)
from vlnscope.worlds.rooms import Regions, read_rooms_file, rooms_of_house, rooms_of_scan
from vlnscope.worlds.scene import Scene

__all__ = ["MatterportScenes", "Positions", "load_graph"]

Positions = Literal["connectivity", "house"]
_SUFFIX = "_connectivity.json"


class MatterportScenes:
    """The Matterport3D scans of a data folder.

    The folder holds ``connectivity/SCAN_connectivity.json`` (or these files directly) and, for the layers,
    ``mp3d_rooms/viewpoint_rooms.json`` or ``mp3d_house/SCAN.house`` (rooms), ``reverie_bbox/SCAN.json``
    or ``navgpt_text/objects_list.json`` (objects). Every file may be gzip with ``.gz`` appended. Nothing
    is read before it is needed, and what was read is kept.

    Args:
        root: the data folder.
        positions: where viewpoints stand: as the connectivity files say, which is usual, or as the ``.house``
            files say, which older Google tools used (2 to 4 cm away).
        objects: which objects the scenes show: the boxes of REVERIE or NavGPT's list.
    """

    def __init__(
        self, root: str | Path, *, positions: Positions = "connectivity", objects: Source = "reverie"
    ) -> None:
        if positions not in get_args(Positions):
            raise InputError(
                f"positions={positions!r} is unknown",
                expected=" or ".join(get_args(Positions)),
                fix='leave the argument out to get "connectivity"',
            )
        if objects not in SOURCES:
            raise InputError(
                f"objects={objects!r} is unknown",
                expected=" or ".join(SOURCES),
                fix='leave the argument out to get "reverie"',
            )
        self.root = Path(root)
        self.positions = positions
        self.objects = objects
        self._scenes: dict[str, Scene] = {}

    def scans(self) -> tuple[str, ...]:
        """Return the ids of all scans of the folder, sorted."""
        return tuple(self._graph_files)

    def scene(self, scan: str) -> Scene:
        """Return a scan as a scene; the same object every time.

        A house that vlnscope exported (``plans/SCAN.json``) has all the layers of a house.

        Raises:
            DataNotFoundError: the folder has no such scan, or, with ``positions="house"``, no ``.house``
                file of it.
            InputError: a file is damaged.
        """
        if scan not in self._scenes:
            self._scenes[scan] = self._load(scan)
        return self._scenes[scan]

    def _load(self, scan: str) -> Scene:
        path = self._graph_file(scan)
        plan = find_file(self.root / "plans" / f"{scan}.json")
        if plan is not None:
            return _house(plan)
        places = self._house(scan).positions if self.positions == "house" else None
        content = read_connectivity(path, places)
        return Scene(
            scan,
            content.graph,
            {
                "heights": partial(_heights, path, content),
                "regions": partial(self._regions, scan, content.graph),
                "objects": partial(self._objects, scan),
            },
        )

    @cached_property
    def _graph_files(self) -> dict[str, Path]:
        folders = (self.root / "connectivity", self.root)
        for folder in folders:
            paths = sorted((*folder.glob(f"*{_SUFFIX}.gz"), *folder.glob(f"*{_SUFFIX}")))
            if paths:
                files = {path.name.partition(_SUFFIX)[0]: path for path in paths}
                return dict(sorted(files.items()))
        raise DataNotFoundError(
            f"no navigation graphs in {' or '.join(map(str, folders))}",
            expected=f"files named SCAN{_SUFFIX} or SCAN{_SUFFIX}.gz",
            fix="name the data folder with --root DIR or $VLNSCOPE_DATA",
        )

    def _graph_file(self, scan: str) -> Path:
        if scan not in self._graph_files:
            unknown = UnknownNameError("scan", scan, self._graph_files)
            raise DataNotFoundError(
                unknown.what,
                expected=f"one of the {len(self._graph_files)} scans in {self.root}",
                fix=f"correct the name, or add {scan}{_SUFFIX} to the folder",
            )
        return self._graph_files[scan]

    def _house_place(self, scan: str) -> Path:
        return self.root / "mp3d_house" / f"{scan}.house"

    def _house(self, scan: str) -> HouseFile:
        path = find_file(self._house_place(scan))
        if path is None:
            raise DataNotFoundError(
                f"scan {scan}: no .house file; looked for {self._house_place(scan)} and the same with .gz",
                expected="the .house file of the Matterport3D release",
                fix='add it, or use positions="connectivity"',
            )
        return read_house_file(path)

    @cached_property
    def _rooms_file(self) -> tuple[Path, Parts] | None:
        path = find_file(self.root / "mp3d_rooms" / "viewpoint_rooms.json")
        return None if path is None else (path, read_rooms_file(path))

    def _regions(self, scan: str, graph: NavGraph) -> Regions:
        return self._all_regions(scan).only(graph.nodes)

    def _all_regions(self, scan: str) -> Regions:
        if self._rooms_file and scan in self._rooms_file[1]:
            path, parts = self._rooms_file
            return rooms_of_scan(path, scan, parts[scan])
        house = find_file(self._house_place(scan))
        if house is None:
            wanted = self.root / "mp3d_rooms" / "viewpoint_rooms.json"
            raise _missing(scan, "regions", f"{wanted} (with this scan in it) or {self._house_place(scan)}")
        return rooms_of_house(house, read_house_file(house))

    @cached_property
    def _navgpt_file(self) -> tuple[Path, Parts] | None:
        path = find_file(self.root / "navgpt_text" / "objects_list.json")
        return None if path is None else (path, read_navgpt_file(path))

    def _objects(self, scan: str) -> Objects:
        return self._reverie(scan) if self.objects == "reverie" else self._navgpt(scan)

    def _reverie(self, scan: str) -> Objects:
        wanted = self.root / "reverie_bbox" / f"{scan}.json"
        path = find_file(wanted)
        if path is None:
            raise _missing(scan, "objects", str(wanted))
        return read_reverie_objects(path)

    def _navgpt(self, scan: str) -> Objects:
        if self._navgpt_file is None or scan not in self._navgpt_file[1]:
            wanted = self.root / "navgpt_text" / "objects_list.json"
            raise _missing(scan, "objects", f"{wanted} (with this scan in it)")
        path, parts = self._navgpt_file
        return navgpt_objects(path, scan, parts[scan])


def _house(plan: Path) -> Scene:
    """Return an exported house with all its layers, which its plan gives."""
    from vlnscope.worlds.houses.house import house_scene
    from vlnscope.worlds.houses.plan.file import read_plan

    return house_scene(read_plan(plan))


def _heights(path: Path, content: Connectivity) -> Floats:
    if content.heights is None:
        raise MissingLayerError(
            "a viewpoint has no camera height",
            expected=f"the field `height` for every viewpoint of {path}",
            fix="use the connectivity files of the Matterport3DSimulator release",
        )
    return content.heights


def _missing(scan: str, layer: str, wanted: str) -> MissingLayerError:
    return MissingLayerError(
        f"scene {scan} has no layer {layer!r}",
        expected=f"{wanted}; .gz may be appended",
        fix="add the file to the data folder, or use a benchmark that does without this layer",
    )
