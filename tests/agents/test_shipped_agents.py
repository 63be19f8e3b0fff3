"""The agent that comes with vlnscope runs where torch is, and says what to install where it is not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import vlnscope
from vlnscope.agents.pretrained.hamt_houses import weights_file
from vlnscope.agents.spec import make_agent
from vlnscope.core.exceptions import InputError
from vlnscope.engine.run import run
from vlnscope.perception.features.stores.houses_views import HouseFeatures, encoder_file
from vlnscope.worlds.houses.splits import HouseScenes

HOUSE = "house-00005"
MEGABYTE = 2**20


def test_weights_come_with_the_package_and_are_small() -> None:
    files = [encoder_file(), weights_file()]
    assert all(path.is_relative_to(Path(vlnscope.__file__).parent) for path in files)
    assert encoder_file().stat().st_size <= 3 * MEGABYTE
    assert sum(path.stat().st_size for path in files) <= 10 * MEGABYTE


def test_shipped_agent_walks_and_heeds_its_instruction(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    graph = HouseScenes([HOUSE]).scene(HOUSE).graph
    path = graph.shortest_path(graph.nodes[0], graph.nodes[20])
    texts = (
        "Walk through the door into the bedroom and stop by the bed.",
        "Turn around. Stop in the kitchen.",
    )
    asked = {
        "scan": HOUSE,
        "path_id": 7,
        "path": path,
        "heading": 0.0,
        "distance": 9.0,
        "instructions": texts,
    }
    file = tmp_path / "episodes.json"
    file.write_text(json.dumps([asked]))
    done = run("hamt-houses", file, out=tmp_path / "run", log="all")
    assert not done.failures()
    first = [(line.decisions or [])[0].probabilities for line in done.lines().values()]
    assert len(first) == 2
    assert first[0] != first[1]
    assert all(sum(row) == pytest.approx(1) for row in first)


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match="torch is not installed") as told:
        make_agent("hamt-houses")
    assert "vlnscope[learn]" in told.value.fix
    with pytest.raises(InputError, match="torch is not installed"):
        HouseFeatures()._tower  # noqa: B018
