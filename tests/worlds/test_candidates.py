"""Candidates: against what MatterSim itself listed, and against a plain sweep over the 36 views."""

from __future__ import annotations

import gc
import gzip
import itertools
import json
import math
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.types import Candidate
from vlnscope.worlds.graph.candidates import candidates, candidates_of
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.scans import MatterportScenes

THIRTY = math.radians(30)
FORTY = math.radians(40)
Row = tuple[int, int, float, float, float, float]


def plain_sweep(graph: NavGraph, node: str) -> dict[str, Row]:
    """MatterSim's rules written down literally, view after view."""
    here = graph.positions[graph.row(node)]
    found: dict[str, Row] = {}
    for view in range(36):
        heading, tilt = view % 12 * THIRTY, (view // 12 - 1) * THIRTY
        shown = []
        for other in graph.neighbours(node):
            dx, dy, dz = graph.positions[graph.row(other)] - here
            aside = (math.atan2(dx, dy) - heading + math.pi) % math.tau - math.pi
            up = math.atan2(dz, math.hypot(dx, dy)) - tilt
            if (dx or dy) and abs(aside) <= FORTY:
                shown.append((math.hypot(aside, up), other, heading + aside, tilt + up))
        shown.sort(key=lambda item: item[0])
        for slot, (angle, other, towards, up) in enumerate(shown, 1):
            if other not in found or angle < found[other][4]:
                there = graph.positions[graph.row(other)]
                found[other] = (view, slot, towards, up, angle, math.dist(here, there))
    return found


def is_fragile(graph: NavGraph) -> bool:
    """Whether a rounding error could change what is shown, in which order, or in which view."""
    for node in graph.nodes:
        here = graph.positions[graph.row(node)]
        near = [graph.positions[graph.row(n)] - here for n in graph.neighbours(node)]
        bearings = [(math.atan2(x, y), math.atan2(z, math.hypot(x, y))) for x, y, z in near]
        for bearing, up in bearings:
            to_edge = (bearing - FORTY) % THIRTY, (bearing + FORTY) % THIRTY, (bearing - THIRTY / 2) % THIRTY
            if any(min(gap, THIRTY - gap) < 1e-4 for gap in to_edge) or abs(abs(up) - THIRTY / 2) < 1e-4:
                return True
        for view in range(36):
            heading, tilt = view % 12 * THIRTY, (view // 12 - 1) * THIRTY
            aside = [(b - heading + math.pi) % math.tau - math.pi for b, _ in bearings]
            angles = sorted(math.hypot(a, u - tilt) for a, (_, u) in zip(aside, bearings, strict=True))
            if any(b - a < 1e-4 for a, b in itertools.pairwise(angles)):
                return True
    return False


# multiples of 1/64 m have exact differences in single precision too
coordinate = st.integers(-640, 640).map(lambda v: v / 64)
ABOVE = [(0.0, 0.0, 0.0), (1 / 64, -1 / 32, 2.5), (-3.0, 1.0, 0.25)]
EXACTLY_ABOVE = [(1.0, 1.0, 0.0), (1.0, 1.0, 2.5), (-3.0, 1.0, 0.25)]


@settings(deadline=None)
@example(ABOVE)
@example(EXACTLY_ABOVE)
@example([(0.0, 0.0, 0.0)])
@given(st.lists(st.tuples(coordinate, coordinate, coordinate), min_size=2, max_size=6, unique=True))
def test_agrees_with_a_plain_sweep(points: list[tuple[float, float, float]]) -> None:
    names = [f"n{i}" for i in range(len(points))]
    graph = NavGraph.build(names, points, list(itertools.combinations(names, 2)))
    assume(not is_fragile(graph))
    for node in names:
        expected = plain_sweep(graph, node)
        got = candidates_of(graph, node)
        assert [c.viewpoint for c in got] == list(expected)
        for candidate in got:
            view, slot, *numbers = expected[candidate.viewpoint]
            assert (candidate.view_index, candidate.slot) == (view, slot)
            fields = (candidate.heading, candidate.elevation, candidate.angular_distance, candidate.distance)
            assert fields == pytest.approx(numbers, abs=1e-5)


def star(*points: tuple[float, float, float]) -> tuple[Candidate, ...]:
    names = [f"n{i}" for i in range(len(points))]
    graph = NavGraph.build(["me", *names], [(0.0, 0.0, 0.0), *points], [("me", name) for name in names])
    return candidates_of(graph, "me")


def at(degrees: float, up: float = 0.0) -> tuple[float, float, float]:
    return math.sin(math.radians(degrees)), math.cos(math.radians(degrees)), up


def test_order_is_that_of_first_sight_not_of_heading() -> None:
    listed = star(at(200), at(100), at(30), at(325), at(5))
    # heading 0 shows 5, 30 and 325; heading 60 is the first to show 100, heading 180 the first to show 200
    assert [c.viewpoint for c in listed] == ["n4", "n2", "n3", "n1", "n0"]


def test_heading_is_not_wrapped() -> None:
    (left_of_north,) = star(at(355))
    assert left_of_north.view_index == 12
    assert left_of_north.heading == pytest.approx(math.radians(-5), abs=1e-6)
    (last_view,) = star(at(340))
    assert last_view.view_index == 23
    assert last_view.heading == pytest.approx(math.radians(340), abs=1e-6)


def test_slot_counts_the_nearer_neighbours_of_the_view() -> None:
    listed = {c.viewpoint: c for c in star(at(8), at(-3), at(70))}
    assert [(listed[n].view_index, listed[n].slot) for n in ("n0", "n1", "n2")] == [(12, 2), (12, 1), (14, 1)]


def test_equally_near_neighbours_keep_the_order_of_the_graph() -> None:
    below, above = (0.0, 1.0, -0.25), (0.0, 1.0, 0.25)
    # the view that looks down shows n1 first; in the level view, where all belong, all are equally near
    assert [(c.viewpoint, c.slot) for c in star(above, below, above)] == [("n1", 2), ("n0", 1), ("n2", 3)]


def test_a_neighbour_exactly_above_is_in_no_view() -> None:
    assert [c.viewpoint for c in star((0.0, 0.0, 3.0), at(90))] == ["n1"]
    assert [c.view_index // 12 for c in star((0.0, 0.001, 3.0), (0.0, 0.001, -3.0))] == [0, 2]


def test_isolated_and_unknown_viewpoints() -> None:
    graph = NavGraph.build(["a", "b"], [[0, 0, 0], [1, 0, 0]], [])
    assert candidates_of(graph, "b") == ()
    with pytest.raises(InputError, match="'c' is not in the graph"):
        candidates_of(graph, "c")


def test_table_and_tuples_say_the_same_and_graphs_are_not_kept_alive() -> None:
    graph = NavGraph.build("abc", [[0, 0, 0], [1, 2, 0], [2, -1, 1]], [("a", "b"), ("b", "c"), ("a", "c")])
    table = candidates(graph)
    assert candidates(graph) is table
    assert table.starts.tolist() == [0, 2, 4, 6]
    assert [graph.nodes[i] for i in table.nodes[2:4]] == [c.viewpoint for c in candidates_of(graph, "b")]
    alive = weakref.ref(graph)
    del graph
    gc.collect()
    assert alive() is None


@pytest.fixture(scope="module")
def scenes(data_root: Path) -> MatterportScenes:
    return MatterportScenes(data_root)


def compare(scenes: MatterportScenes, dump: dict[str, Any]) -> tuple[int, int, np.ndarray]:
    """Check set and order everywhere; return how much was compared and the largest differences."""
    viewpoints, rows = 0, []
    for scan, nodes in dump.items():
        graph = scenes.scene(scan).graph
        for node, listed in nodes.items():
            got = candidates_of(graph, node)
            assert [c.viewpoint for c in got] == list(listed), f"{scan} {node}"
            viewpoints += 1
            for c, want in zip(got, listed.values(), strict=True):
                ours = (c.heading, c.elevation, c.angular_distance, c.distance)
                theirs = (want["heading"], want["elevation"], want["ang_dis"], want["distance"])
                rows.append(np.subtract(ours, theirs))
    return viewpoints, len(rows), np.abs(rows).max(axis=0)


def test_all_viewpoints_of_all_scans_agree_with_mattersim(scenes: MatterportScenes, data_root: Path) -> None:
    dump = json.loads(gzip.decompress((data_root / "navgpt_text" / "navigable.json.gz").read_bytes()))
    for scan, nodes in dump.items():
        assert set(nodes) == set(scenes.scene(scan).graph.nodes)
    viewpoints, rows, worst = compare(scenes, dump)
    assert (len(dump), viewpoints, rows) == (90, 10_567, 42_936)
    assert (worst <= [1e-7, 1e-7, 1e-7, 1e-6]).all(), worst


def test_sample_of_navigable_locations(scenes: MatterportScenes, shared: Path) -> None:
    dump = json.loads((shared / "fixtures" / "candidates_navigable_sample.json").read_text())
    _, rows, worst = compare(scenes, dump)
    assert rows > 0
    assert (worst <= 1e-7).all(), worst


def test_views_and_slots(scenes: MatterportScenes, shared: Path) -> None:
    dump = json.loads((shared / "fixtures" / "candidates_pointid_GdvgFV5R1Z5.json").read_text())
    for scan, nodes in dump.items():
        for node, listed in nodes.items():
            got = candidates_of(scenes.scene(scan).graph, node)
            assert [c.viewpoint for c in got] == list(listed)
            for c, want in zip(got, listed.values(), strict=True):
                assert (c.view_index, c.slot) == (want["pointId"], want["idx"])
                assert (c.heading, c.elevation) == pytest.approx(
                    (want["heading"], want["elevation"]), abs=1e-3
                )
