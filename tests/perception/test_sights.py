"""Kinds of sight: a registry that plug-ins can join, and what agents may write in `needs`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from made_up import seen_at
from vlnscope.agents.protocol import is_need, known_needs
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.engine.environment import Environment, check_needs
from vlnscope.perception.sight import (
    SightKind,
    SightRequest,
    decode_sight,
    encode_sight,
    is_sight,
    known_sights,
    register_sight,
    sight,
)
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

BUILT_IN = {
    *("captions", "features:NAME", "grid:NAME", "objects", "percept", "rooms", "views"),
    *("rgb[:CAMERA]", "depth[:CAMERA]", "semantic[:CAMERA]", "semantic-classes"),
}
SCENE = Scene("s", NavGraph.build(["a", "b"], [[0, 0, 0], [0, 3, 0]], [("a", "b")]))


class OneScene:
    def scans(self) -> tuple[str, ...]:
        return (SCENE.id,)

    def scene(self, scan: str) -> Scene:
        assert scan == SCENE.id
        return SCENE


def _show(request: SightRequest) -> tuple[str, ...]:
    return (request.viewpoint, request.argument)


@pytest.fixture
def smell() -> Iterator[SightKind]:
    kind = SightKind("smell", "what it smells of", _show, argument="WHAT", decode=tuple)
    registry.names("sight")
    yield register_sight(kind)
    del registry._kinds["sight"].entries["smell"]


def test_the_built_in_kinds_are_known() -> None:
    assert set(known_sights()) == BUILT_IN
    assert known_needs()[-2:] == ["annotation", "exploration"]
    assert is_need("annotation")
    assert not is_sight("annotation"), "the engine alone hands out answers"


@pytest.mark.parametrize("need", ["smell", "features", "objects:red", "rgb:", "", 3, None])
def test_what_nobody_can_show_is_refused(need: object) -> None:
    assert not is_need(need)
    if isinstance(need, str):
        with pytest.raises(InputError, match="features:NAME"):
            check_needs([need])
        with pytest.raises(InputError, match="nobody can show"):
            sight(need, SCENE, "a")


def test_a_kind_that_is_registered_can_be_needed_seen_and_sent(smell: SightKind) -> None:
    need = "smell:bread"
    assert smell.usage in known_needs()
    episode = Episode(episode_id="1", path_id="1", scan="s", instruction="", path=("a", "b"))
    observation = seen_at(Environment(OneScene(), (need,)), episode, "b")
    assert observation.seen[need] == ("b", "bread")
    assert encode_sight(need, observation.seen[need]) == ["b", "bread"]
    assert decode_sight(need, ["b", "bread"]) == ("b", "bread")
