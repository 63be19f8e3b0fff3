"""Agents in another process that act in other spaces than the graph, and see through sensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from made_up import dataset, street
from vlnscope.agents.remote.client import HttpAgent
from vlnscope.agents.remote.server import AgentServer
from vlnscope.agents.remote.wire import observation_from_json, observation_to_json
from vlnscope.core import registry
from vlnscope.engine.action_space import register_action_space
from vlnscope.engine.action_spaces.graph import GraphSpace, Pose
from vlnscope.engine.run import run
from vlnscope.perception.sight import SightKind, register_sight
from vlnscope.types import STOP, Action, Decision, Episode, Observation, Point
from vlnscope.worlds.scene import Scene

PICTURE = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
DEPTH = np.linspace(0, 1, 8, dtype=np.float32).reshape(2, 4, 1)


class StreetObservation(Observation, frozen=True, kw_only=True):
    """What an agent is given on a street: forward, back, or stop."""

    position: Point
    collided: bool = False

    @property
    def actions(self) -> tuple[Action, ...]:
        return ("forward", "back", STOP)


class StreetSpace(GraphSpace):
    """Goes to the next viewpoint by name, or to the one before."""

    name = "street"

    def observe(
        self, scene: Scene, pose: Pose, episode: Episode, step: int, seen: Mapping[str, Any]
    ) -> Observation:
        x, y, z = scene.graph.positions[scene.graph.index[pose.viewpoint]].tolist()
        return StreetObservation(
            episode_id=episode.episode_id, instruction=episode.instruction, scan=episode.scan,
            viewpoint=pose.viewpoint, heading=pose.heading, elevation=0.0, step=step, seen=seen,
            position=(x, z, -y), collided=pose.viewpoint == "d",
        )  # fmt: skip

    def move(self, scene: Scene, pose: Pose, action: Action) -> Pose:
        names = scene.graph.nodes
        place = scene.graph.index[pose.viewpoint] + (1 if action == "forward" else -1)
        return pose._replace(viewpoint=names[min(max(place, 0), len(names) - 1)])


class ProposedStreet(StreetSpace):
    """Takes distances, which may be negative, and stop."""

    name = "proposed-street"

    def choices(self, observation: Observation, decision: Decision) -> tuple[Action, ...]:
        return decision.proposals

    def move(self, scene: Scene, pose: Pose, action: Action) -> Pose:
        assert isinstance(action, tuple)
        return super().move(scene, pose, "forward" if action[0] > 0 else "back")


@pytest.fixture(autouse=True)
def _made_up_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("action-space", "sight"):
        registry.names(kind)  # what is built in is found before
        monkeypatch.setattr(registry._kinds[kind], "entries", dict(registry._kinds[kind].entries))
    register_action_space(StreetSpace)
    register_action_space(ProposedStreet)
    register_sight(SightKind("made-up-rgb", "a picture", lambda request: PICTURE))
    register_sight(SightKind("made-up-depth", "two cameras", lambda request: {"left": DEPTH, "names": ["a"]}))


STREET = street(0, 2, 4, 6)
EPISODE = Episode(
    episode_id="1_0", path_id="1", scan="street", instruction="Go.", path=("a", "b", "d"), heading=0.0
)


class Pedestrian:
    """Goes forward until it collides, and looks at what it is shown."""

    action_space = "street"
    needs = ("made-up-rgb", "made-up-depth")

    def act(self, observation: Any) -> Decision:
        assert observation.seen["made-up-rgb"].dtype == np.uint8
        assert np.array_equal(observation.seen["made-up-rgb"], PICTURE)
        assert np.array_equal(observation.seen["made-up-depth"]["left"], DEPTH)
        assert observation.position == (2.0 * observation.step, 0.0, 0.0)
        name = STOP if observation.collided else "forward"
        return Decision.choose(observation, observation.actions.index(name))


class Proposing:
    action_space = "proposed-street"

    def act(self, observation: Any) -> Decision:
        if observation.collided:
            return Decision((1.0,), (STOP,))
        return Decision((0.75, 0.25), ((1.5,), STOP))


@pytest.mark.parametrize("kind", [Pedestrian, Proposing])
def test_served_agents_act_in_the_space_that_they_name(kind: type, tmp_path: Any) -> None:
    data = dataset([EPISODE], STREET)
    [at_home] = run(kind(), data, out=tmp_path / "home", log="all").lines().values()
    with AgentServer(kind, 0, name="pedestrian") as server:
        assert HttpAgent(server.url).action_space == kind.action_space  # type: ignore[attr-defined]
        [served] = run(server.url, data, out=tmp_path / "served", log="all").lines().values()
    assert served.failed is None
    assert served.path == ("a", "b", "c", "d")
    assert served.decisions == at_home.decisions
    assert (served.path, served.stopped, served.headings) == (at_home.path, True, at_home.headings)


def test_servers_that_say_nothing_of_a_space_act_in_the_graph() -> None:
    class Plain:
        def act(self, observation: Observation) -> Decision:
            return Decision.stop(observation)

    with AgentServer(Plain, 0, name="plain") as server:
        assert HttpAgent(server.url).action_space == "graph"


def sent(observation: Observation) -> Any:
    return observation_from_json(msgspec.json.decode(msgspec.json.encode(observation_to_json(observation))))


names = st.text(st.characters(codec="utf-8"), max_size=5)
numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
actions = st.lists(names | st.lists(numbers, max_size=3).map(tuple), max_size=3)


class AnyObservation(Observation, frozen=True, kw_only=True):
    """An observation of a space that nobody knows."""

    offered: tuple[Action, ...]
    place: Any
    picture: Any

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.offered


@given(
    actions,
    st.recursive(
        st.none() | st.booleans() | numbers | names, lambda part: st.lists(part, max_size=3).map(tuple)
    ),
    numpy_st.arrays(
        numpy_st.scalar_dtypes().filter(lambda t: t.kind in "biuf"),
        numpy_st.array_shapes(min_side=0, max_side=3),
    ),
)
def test_fields_and_actions_of_any_space_survive_the_wire(offered: Any, place: Any, picture: Any) -> None:
    look = AnyObservation(
        episode_id="1", instruction="Go.", scan="s", heading=0.5, elevation=0.0, step=3,
        offered=(*offered, STOP), place=place, picture=picture, seen={"unknown here": [picture]},
    )  # fmt: skip
    again = sent(look)
    assert again.actions == look.actions
    assert (again.place, again.heading, again.step) == (place, 0.5, 3)
    for array in (again.picture, again.seen["unknown here"][0]):
        assert (array.dtype, array.shape) == (picture.dtype.newbyteorder("="), picture.shape)
        assert array.tobytes() == picture.astype(array.dtype).tobytes()
    with pytest.raises(AttributeError, match="smell"):
        again.smell  # noqa: B018
