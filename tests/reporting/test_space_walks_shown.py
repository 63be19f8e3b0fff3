"""Walks in space on the page: where they really were, what was seen, and the rule of projection."""

from __future__ import annotations

import base64
import io
import math
import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings, Statement, Wording
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.diagnose.examples import space
from vlnscope.evaluate.diagnose.examples.scenes import SceneMaps
from vlnscope.evaluate.diagnose.examples.show import show_walks
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.page.example_cards import walk_card, walks_payload
from vlnscope.reporting.report_data import EvidenceLink, Report, ReportedAgent
from vlnscope.reporting.walks.animation import FilmSize
from vlnscope.types import Case, Chunk, Episode, Rules
from vlnscope.worlds.maps.canvas import SCALE
from vlnscope.worlds.maps.walk_map import FARTHEST
from vlnscope.worlds.projection import RULE, feet_of, projected_path
from vlnscope.worlds.scene import Scene

DATA, SCAN = "houses-ce/val_unseen@1+1", "house-40001"
BUMPED = 3


def walked(scene: Scene, nodes: tuple[str, ...], name: str) -> EvidenceLine:
    """Walk straight from viewpoint to viewpoint, beside each after the first, and run into something once."""
    feet = [feet_of(scene)[scene.graph.row(node)] for node in nodes]
    points = [feet[0]]
    for a, b in pairwise(feet):
        count = max(1, round(float(math.dist(a, b)) / 0.25))
        points += [a + (b - a) * (k + 0.6) / count for k in range(count)]
    places = tuple((float(x), float(y), float(z)) for x, y, z in points)
    return EvidenceLine(
        v=3,
        case_id=name,
        episode_id=f"{name}_0",
        path=projected_path(scene, places),
        positions=places,
        headings=tuple(0.1 * k for k in range(len(places))),
        actions=(1,) * (len(places) - 1),
        collisions=(BUMPED - 1,),
        stopped=True,
    )


@pytest.fixture(scope="module")
def scene() -> Scene:
    scenes = open_dataset(DATA).scenes
    assert scenes is not None
    return scenes.scene(SCAN)


@pytest.fixture(scope="module")
def diagnosed(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    folder = tmp_path_factory.mktemp("diagnosis")
    graph = scene.graph
    nodes = max((graph.shortest_path(graph.nodes[0], node) for node in graph.nodes[::4]), key=len)
    cases, lines = [], []
    for name, path, forced in (("whole", nodes, 0), ("early", nodes[:3], 0), ("led", nodes, 2)):
        episode = Episode(
            episode_id=f"{name}_0", path_id=name, scan=SCAN, instruction="Walk on.", path=tuple(nodes),
            heading=1.0, chunks=(Chunk(("walk", "on"), 1, len(nodes)),),
        )  # fmt: skip
        cases.append(Case(case_id=name, episode=episode, forced_steps=forced))
        lines.append(walked(scene, tuple(path), name))
    run = folder / "runs/mine/outcomes"
    CaseSet(benchmark="outcomes", data=DATA, rules=Rules(), cases=tuple(cases)).save(run)
    (run / "evidence.jsonl").write_bytes(b"".join(msgspec.json.encode(done) + b"\n" for done in lines))
    said = Statement(
        key="k", agent="mine", value=1.0, wording=Wording(plain="x"), episodes=("whole", "early", "led")
    )
    found = Findings(benchmark="outcomes", data=DATA, agents=("mine",), statements=(said,))
    evidence = "runs/mine/outcomes/evidence.jsonl"
    link = EvidenceLink(benchmark="outcomes", data=DATA, agent="mine", evidence=evidence, scores="")
    mine = ReportedAgent(name="mine", identity="mine")
    return Report(title="t", data=DATA, agents=(mine,), findings=(found,), links=(link,)), folder


@pytest.fixture(scope="module")
def shown(diagnosed: tuple[Report, Path]) -> ExampleTrajectories:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(space, "SMALL", FilmSize(height=40, frames=4))
        patch.setattr(space, "_SIDE", 24)
        patch.setattr(space, "_FILMED", 0.5)
        return show_walks(*diagnosed)


def test_trails_are_drawn_where_the_agent_was(shown: ExampleTrajectories, scene: Scene) -> None:
    whole = next(walk for walk in shown.walks if walk.case_id == "whole")
    line = walked(scene, tuple(place.viewpoint for place in whole.reference), "whole")
    trail = whole.trail
    assert trail is not None
    assert len(trail.places) == len(line.positions)
    start = whole.steps[0].place
    foot = feet_of(scene)[scene.graph.row(start.viewpoint)]
    for place, (x, _, z) in zip(trail.places, line.positions, strict=True):
        if place.floor == start.floor:
            assert place.x - start.x == pytest.approx((x - foot[0]) * SCALE, abs=0.2)
            assert place.y - start.y == pytest.approx((z - foot[2]) * SCALE, abs=0.2)
    assert trail.collisions == (BUMPED,)
    assert len(trail.reached) == len(whole.steps)
    assert trail.reached[0] == 0
    assert list(trail.reached) == sorted(trail.reached)


def test_places_far_off_are_put_at_the_edge(scene: Scene) -> None:
    maps, node = SceneMaps(scene), scene.graph.nodes[0]
    place, spot = maps.place(node), maps.spot((1e300, 0.0, 0.0), node)
    assert (spot.x - place.x) / SCALE == pytest.approx(FARTHEST, abs=0.1)


def test_cards_draw_the_trail_with_its_collisions_and_tell_the_rule(shown: ExampleTrajectories) -> None:
    for walk in shown.walks:
        card = str(walk_card(walk, shown.maps))
        assert card.count('class="walk-bump"') == 1
        assert RULE in card
        assert "walk-projected" in card
        assert card.count("<li data-picture=") == len(walk.seen)
        drawn = re.findall(r'<polyline class="(?:walk-taken|walk-led)" points="([^"]*)"', card)
        points = {point for line in drawn for point in line.split()}
        assert walk.trail is not None
        assert f"{walk.trail.places[1].x:.1f},{walk.trail.places[1].y:.1f}" in points
    led = next(walk for walk in shown.walks if walk.case_id == "led")
    assert 'class="walk-led"' in walk_card(led, shown.maps)


def test_pictures_are_small_and_each_is_held_once(shown: ExampleTrajectories) -> None:
    named = [moment.picture for walk in shown.walks for moment in walk.seen]
    assert len(set(named)) == len(named)
    assert [walk.seen[0].caption for walk in shown.walks] == ["start"] * len(shown.walks)
    assert {*named, *(w.film for w in shown.walks if w.film)} <= set(shown.pictures)
    head, _, content = shown.pictures[named[0]].partition(",")
    assert head == "data:image/webp;base64"
    assert Image.open(io.BytesIO(base64.b64decode(content))).size == (24, 24)


def test_a_success_and_a_failure_are_filmed(shown: ExampleTrajectories) -> None:
    filmed = [walk for walk in shown.walks if walk.film]
    assert {walk.succeeded for walk in filmed} <= {True, False}
    assert 1 <= len(filmed) <= 2
    content = shown.pictures[filmed[0].film].partition(",")[2]
    with Image.open(io.BytesIO(base64.b64decode(content))) as film:
        assert film.n_frames == 4  # type: ignore[attr-defined]


def test_no_more_pictures_are_taken_than_there_is_room_for(
    diagnosed: tuple[Report, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "STRIP_BYTES", 1)
    monkeypatch.setattr(space, "FILM_BYTES", 0)
    monkeypatch.setattr(space, "_SIDE", 24)
    few = show_walks(*diagnosed)
    assert [bool(walk.seen) for walk in few.walks] == [True, False, False]
    assert not any(walk.film for walk in few.walks)
    assert all(walk.trail for walk in few.walks)


def test_the_player_gets_the_trail(shown: ExampleTrajectories, tmp_path: Path) -> None:
    assert '"trail":[[0,' in walks_payload(msgspec.structs.replace(shown, pictures={}))
    assert ExampleTrajectories.load(shown.save(tmp_path / "walks.json")) == shown
