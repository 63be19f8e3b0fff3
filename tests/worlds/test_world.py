"""Worlds by name: who recognises an id, and what opens the scenes of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from vlnscope.core import registry
from vlnscope.core.exceptions import DataNotFoundError
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.scene import Scene, Scenes
from vlnscope.worlds.world import World, scenes_of, world_of


class Flats:
    """Scenes of one viewpoint."""

    def __init__(self, scans: Sequence[str]) -> None:
        self._scans = tuple(scans)

    def scans(self) -> tuple[str, ...]:
        return self._scans

    def scene(self, scan: str) -> Scene:
        return Scene(scan, NavGraph.build(["a"], [[0, 0, 1.5]], []))


@pytest.fixture
def _flats(monkeypatch: pytest.MonkeyPatch) -> None:
    def flats(scans: Sequence[str], root: Path | None) -> Scenes:
        return Flats(scans)

    world = World(name="flats", summary="flats", open=flats, recognises=lambda scan: scan.startswith("flat-"))
    registry.names("world")
    monkeypatch.setitem(registry._kinds["world"].entries, "flats", world)


@pytest.mark.usefixtures("_flats")
def test_ids_say_which_world_they_belong_to() -> None:
    assert [world_of(scan).name for scan in ("house-00001", "flat-1", "zsNo4HB9uLZ")] == [
        "houses",
        "flats",
        "matterport",
    ]
    assert scenes_of(["flat-1", "flat-2", "flat-1"], None).scans() == ("flat-1", "flat-2")
    assert isinstance(scenes_of(["house-00001"], None), HouseScenes)


@pytest.mark.usefixtures("_flats")
def test_ids_of_several_worlds_can_only_come_from_files() -> None:
    with pytest.raises(DataNotFoundError, match="no data folder is named"):
        scenes_of(["flat-1", "house-00001"], None)


@pytest.mark.usefixtures("_flats")
def test_files_come_before_worlds(tmp_path: Path) -> None:
    (tmp_path / "flat-1_connectivity.json").write_text("[]")
    assert not isinstance(scenes_of(["flat-1"], tmp_path), Flats)
    assert isinstance(scenes_of(["flat-1", "flat-2"], tmp_path), Flats)
