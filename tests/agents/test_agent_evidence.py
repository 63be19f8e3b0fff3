"""Evidence that `vlnscope_agent.py` writes from a loop of one's own, and agents that it serves in space."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import vlnscope as vs
from made_up import dataset
from old_pythons import old_pythons
from plane import Plane
from space_walks import space_episode
from vlnscope.agents.remote import vlnscope_agent as agent_file
from vlnscope.agents.remote.client import HttpAgent
from vlnscope.agents.remote.server import AgentServer
from vlnscope.agents.remote.vlnscope_agent import (
    HABITAT_ACTIONS,
    EvidenceWriter,
    PlainServer,
    heading_of_rotation,
    pose_of,
)
from vlnscope.core.exceptions import InputError
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.reading import read_predictions
from vlnscope.types import Decision, Prediction, SpaceObservation
from vlnscope.worlds.frames import heading_of_quaternion
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

finite = st.floats(allow_nan=False, allow_infinity=False)
walks = st.lists(st.tuples(finite, finite, finite, finite), min_size=1, max_size=5)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "evidence.jsonl"


def predictions(file: Path) -> list[Prediction]:
    return list(read_predictions(file))


# In continuous space, as the engine walks and writes.

PLAN = ("forward", "left", "left", "forward", "forward", "right", "forward")


class Marcher:
    """Follows a plan; keeps where it was."""

    action_space = "vlnce"

    def __init__(self) -> None:
        self.states: dict[str, list[Any]] = {}

    def act(self, observation: Any) -> str:
        assert observation.actions == ("forward", "left", "right", "<stop>")
        self.states.setdefault(observation.episode_id, []).append(observation)
        walked = int(observation.episode_id) + len(PLAN)
        return PLAN[observation.step % len(PLAN)] if observation.step < walked else "stop"


class MarcherAtHome(Marcher):
    def act(self, observation: Any) -> Decision:  # type: ignore[override]
        assert isinstance(observation, SpaceObservation)
        name = super().act(observation).replace("stop", "<stop>")
        return Decision.choose(observation, observation.actions.index(name))


def hall() -> Dataset:
    graph = NavGraph.build(["a", "b"], [[0.0, 0.0, 1.5], [4.0, 0.0, 1.5]], [("a", "b")])
    layers = {"navmesh": lambda: Plane(-0.3), "heights": lambda: np.full(2, 1.5)}
    episodes = [space_episode(str(k), (0.0, 0.0, 0.1 * k), (1.0, 0.0, -1.0)) for k in range(4)]
    return dataset(episodes, Scene("hall", graph, layers), continuous=True)


def lines(agent: Any, folder: Path) -> list[Any]:
    done = run(agent, hall(), out=folder, log="all").lines().values()
    return [msgspec.structs.replace(line, seconds=None) for line in done]


def test_agents_walk_in_space_as_at_home(tmp_path: Path) -> None:
    home = lines(MarcherAtHome(), tmp_path / "home")
    assert all(line.failed is None and line.stopped for line in home)
    with PlainServer(Marcher, 0) as server:
        assert lines(server.url, tmp_path / "plain") == home
    with AgentServer(MarcherAtHome, 0, name="marcher") as server:
        assert lines(server.url, tmp_path / "server") == home


def test_a_proposal_is_a_waypoint(tmp_path: Path) -> None:
    class Wayfarer:
        action_space = "waypoint"

        def act(self, observation: Any) -> Any:
            return (math.radians(30), 0.75) if observation.step < 2 else "stop"

    with PlainServer(Wayfarer, 0) as server:
        walked = lines(server.url, tmp_path / "run")
    assert [(line.actions, line.stopped) for line in walked] == [((2, 2, 1, 1, 1) * 2, True)] * 4


def test_a_loop_of_ones_own_writes_what_the_engine_writes(tmp_path: Path, file: Path) -> None:
    agent = MarcherAtHome()
    engine = lines(agent, tmp_path / "run")
    writer = EvidenceWriter(file)
    for line in engine:
        poses = [pose_of(state) for state in agent.states[line.episode_id]]
        positions, headings = zip(*[*poses, poses[-1]], strict=True)  # and once more after the stop
        actions = [HABITAT_ACTIONS[number] for number in line.actions]
        collisions = [place in line.collisions for place in range(len(actions))]
        writer.episode(line.episode_id, positions, headings, True, [*actions, "stop"], [*collisions, False])
    own = {prediction.episode_id: prediction for prediction in predictions(file)}
    for line in engine:
        mine = own[line.episode_id]
        assert mine.headings == pytest.approx(line.headings)
        assert (mine.positions, mine.stopped) == (line.positions, line.stopped)
        assert mine.extra == {"actions": line.actions, "collisions": line.collisions}
    assert any(line.collisions for line in engine)
    mine, theirs = vs.score(file, hall()), vs.score(tmp_path / "run", hall())
    assert [row.values for row in mine.rows()] == [row.values for row in theirs.rows()]


def test_what_is_written_can_be_scored_from_the_command_line(file: Path, data_root: Path, cli: Any) -> None:
    data = vs.open_dataset("r2r-ce/val_unseen", root=data_root)
    episodes = [episode for episode, _ in zip(data.episodes(), range(20), strict=False)]
    writer = EvidenceWriter(file)
    for episode in episodes:
        space = episode.continuous
        assert space is not None
        pose = SimpleNamespace(position=space.start_position, rotation=space.start_rotation)
        position, heading = pose_of(pose)
        writer.episode(episode.episode_id, [position, space.goals[0]], [heading, heading], stopped=True)
    data_set = ("--data", "r2r-ce/val_unseen", "--root", data_root)
    result = cli("score", file, *data_set, "--profile", "vlnce-straight", "--partial", "--json")
    assert result.code == 0, result.err
    assert result.data["metrics"]["SR"]["mean"] == 100.0


# The file: a line at a time, whole or not at all.


@given(walks, st.booleans(), st.booleans(), st.text(st.characters(codec="utf-8"), min_size=1, max_size=5))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, walk: Any, looks: bool, stopped: bool, name: str
) -> None:
    file = tmp_path_factory.mktemp("evidence") / "e.jsonl"
    positions = tuple(place[:3] for place in walk)
    headings = tuple(place[3] for place in walk) if looks else None
    EvidenceWriter(file).episode(name, positions, headings, stopped)
    [found] = predictions(file)
    assert (found.episode_id, found.stopped, found.extra) == (name, stopped, {})
    assert (found.positions, found.headings) == (positions, headings)
    assert EvidenceWriter(file).done == {name}


def add(writer: EvidenceWriter, name: object, **more: Any) -> None:
    told: dict[str, Any] = {
        "positions": [(0, 0, 0), (0, 0, 1)],
        "headings": [0, np.float32(0.5)],
        "stopped": True,
    }
    writer.episode(name, **{**told, **more})


def test_a_file_cut_anywhere_is_continued(file: Path) -> None:
    writer = EvidenceWriter(file)
    add(writer, 1, actions=["forward"])
    first = file.read_bytes()
    add(writer, 2)
    whole = file.read_bytes()
    assert whole.startswith(first)
    for size in range(len(first), len(whole)):
        file.write_bytes(whole[:size])
        again = EvidenceWriter(file)
        assert (again.done, file.read_bytes()) == ({"1"}, first)
        add(again, 2)
        assert file.read_bytes() == whole


@pytest.mark.parametrize(
    "wrong",
    [
        {"positions": [(0, 0, math.nan), (0, 0, 1)]},
        {"positions": [(0, math.inf, 0), (0, 0, 1)]},
        {"positions": [(0, 0), (0, 1)]},
        {"positions": [], "headings": []},
        {"headings": [0.0]},
        {"headings": [0.0, math.nan]},
        {"headings": []},
        {"actions": ["fly"]},
        {"actions": ["forward", "forward"]},
        {"actions": ["stop", "forward"]},
        {"actions": [1, 0], "stopped": False},
        {"actions": [7]},
        {"actions": [-1]},
        {"actions": ["forward"], "collisions": []},
        {"collisions": [True]},
        {"positions": [(0, 0, 0)] * 4, "headings": [0] * 4, "actions": [1, 0]},
    ],
)
def test_what_does_not_fit_together_is_refused(file: Path, wrong: dict[str, Any]) -> None:
    writer = EvidenceWriter(file)
    add(writer, "one")
    before = file.read_bytes()
    with pytest.raises(ValueError):  # noqa: PT011
        add(writer, "two", **wrong)
    assert (file.read_bytes(), writer.done) == (before, {"one"})
    add(writer, "two")
    for name in ("two", ""):
        with pytest.raises(ValueError, match="already"):
            add(writer, name)
    assert [found.episode_id for found in predictions(file)] == ["one", "two"]


@pytest.mark.parametrize(
    "content",
    [b'[{"instr_id": "1_0"}]', b"{}", b"text", b'{"v":9,"episode_id":"1"}\n', b'{"v":2,"cas\n', b"\n"],
)
def test_other_files_are_left_alone(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(ValueError, match="line 1 is no evidence"):
        EvidenceWriter(file)
    assert file.read_bytes() == content


def test_a_full_disk_leaves_no_half_line(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = EvidenceWriter(file)
    add(writer, 1)
    before = file.read_bytes()
    room = [30]

    def write(handle: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        count = os.write(handle, data[: room[0]])
        room[0] -= count
        return count

    monkeypatch.setattr(agent_file, "os", SimpleNamespace(write=write, SEEK_END=os.SEEK_END))
    with pytest.raises(OSError, match="No space"):
        add(writer, 2)
    assert (file.read_bytes(), writer.done) == (before, {"1"})
    room[0] = 10_000
    add(writer, 2)
    assert len(predictions(file)) == 2


def test_an_old_python_writes_the_same(file: Path) -> None:
    folder = file.parent
    (folder / "vlnscope_agent.py").write_bytes(Path(agent_file.__file__).read_bytes())
    code = (
        "from vlnscope_agent import EvidenceWriter as E, heading_of_rotation as h\n"
        "looks = [h((0, 0, 0, 1)), h((0, 1, 0, 2))]\n"
        "E('old.jsonl').episode(1, [(0, 0, 0), (0.1, 0, 0.2)], looks, True, [1, 0])\n"
        "assert E('old.jsonl').done == {'1'}\n"
    )
    program = next(iter(old_pythons().values()), sys.executable)
    subprocess.run([program, "-S", "-E", "-W", "error", "-c", code], cwd=folder, check=True)
    headings = [heading_of_rotation((0, 0, 0, 1)), heading_of_rotation((0, 1, 0, 2))]
    EvidenceWriter(file).episode(1, [(0, 0, 0), (0.1, 0, 0.2)], headings, True, [1, 0])
    assert (folder / "old.jsonl").read_bytes() == file.read_bytes()


# Headings.

part = st.floats(-1, 1)


@given(st.tuples(part, part, part, part))
def test_headings_of_rotations_are_those_of_vlnscope(rotation: tuple[float, float, float, float]) -> None:
    x, y, z, w = rotation
    try:
        expected = heading_of_quaternion(rotation)
    except InputError:
        with pytest.raises(ValueError, match="no heading"):
            heading_of_rotation(rotation)
        return
    assert heading_of_rotation(rotation) == expected
    assert heading_of_rotation(SimpleNamespace(w=w, x=x, y=y, z=z)) == expected
    assert heading_of_rotation(np.array(rotation)) == expected


@given(st.floats(-10, 10))
def test_a_turn_to_the_left_makes_the_heading_smaller(yaw: float) -> None:
    rotation = (0.0, math.sin(yaw / 2), 0.0, math.cos(yaw / 2))
    found = heading_of_rotation(rotation)
    assume(min(found, math.tau - found) > 1e-6)
    assert found == pytest.approx(-yaw % math.tau)


def test_the_space_of_a_served_agent_is_on_its_card() -> None:
    with PlainServer(Marcher(), 0) as server:
        assert HttpAgent(server.url).action_space == "vlnce"
