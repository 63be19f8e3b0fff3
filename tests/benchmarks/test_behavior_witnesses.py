"""What captions and the path say against behaviour items."""

from __future__ import annotations

import math

import pytest

from vlnscope.benchmarks.behavior.build.arrival import arrived
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.behavior.build.witnesses import (
    passed_last,
    room_mentions,
    speaks_of_another,
)
from vlnscope.perception.sights.captions import sector_of
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene


def test_an_object_is_asked_for_only_where_captions_show_no_other() -> None:
    texts = ["a room with a sofa", *["a white wall"] * 7]
    assert not speaks_of_another(tuple(texts), "sofa", 0.0)
    texts[4] = "a couch and a lamp"
    assert speaks_of_another(tuple(texts), "sofa", 0.0)
    assert not speaks_of_another(tuple(texts), "bed", 0.0)
    assert not speaks_of_another((), "sofa", 0.0)


def test_rooms_that_look_alike_are_called_by_each_others_names() -> None:
    texts = ("a kitchen with an island", "a living room with a sofa", "a white wall")
    assert [room_mentions(texts, label) for label in "kfbl"] == [1, 1, 0, 1]


@pytest.mark.parametrize(("degrees", "sector"), [(0, 0), (22, 0), (23, 1), (180, 4), (-23, 7), (340, 0)])
def test_captions_look_along_eight_headings(degrees: float, sector: int) -> None:
    assert sector_of(math.radians(degrees)) == sector


def test_only_the_last_move_counts_as_passing() -> None:
    assert passed_last("Turn left and walk past the bed.") == "bed"
    assert passed_last("Walk past the bed and into the hallway.") is None


LABELS = {"a": "h", "b": "h", "c": "k", "d": "k", "e": "b"}


def _house() -> Scene:
    """Return viewpoints 2 m apart from south to north: two in a hallway, two in a kitchen, then a bedroom."""
    graph = NavGraph.build(
        list(LABELS), [[0, 2 * k, 1.5] for k in range(5)], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    )
    regions = {node: "hkb".index(label) for node, label in LABELS.items()}
    return Scene("row", graph, {"regions": lambda: Regions(regions, dict(enumerate("hkb")))})


def _text(text: str, nodes: int) -> Truncation:
    episode = Episode(
        episode_id="1_0", path_id="1", scan="row", instruction=text, path=tuple("abcde"), heading=0.0
    )
    return Truncation(episode, nodes, text, None, "fgr2r")


@pytest.mark.parametrize(
    ("text", "nodes", "there"),
    [
        ("Walk into the kitchen.", 3, True),
        ("Walk into the kitchen.", 2, False),  # still in the hallway
        ("Walk into the kitchen.", 4, False),  # about to leave it
        ("Walk through the kitchen.", 4, False),  # not through yet
        ("Walk straight. Turn the corner.", 3, False),  # no corner was turned
        ("Walk straight. The kitchen is on the left.", 3, False),  # ends with a remark
        ("Walk straight.", 3, True),
    ],
)
def test_what_a_text_says_last_is_done(text: str, nodes: int, there: bool) -> None:
    assert arrived(_text(text, nodes), _house()) == there
