"""Navigation graphs and the cache of their shortest distances."""

from __future__ import annotations

import itertools
import math
import multiprocessing
import operator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.graph import navgraph as module
from vlnscope.worlds.graph.navgraph import NavGraph

CORNER = (["a", "b", "c"], [[0, 0, 0], [3, 0, 0], [3, 4, 0]], [("a", "b"), ("b", "c")])


@st.composite
def graphs(draw: st.DrawFn) -> NavGraph:
    size = draw(st.integers(1, 7))
    coordinate = st.integers(-4, 4).map(float)
    positions = [[draw(coordinate) for _ in range(3)] for _ in range(size)]
    names = [f"n{i}" for i in range(size)]
    pairs = list(itertools.combinations(names, 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return NavGraph.build(names, positions, edges)


def brute_force(graph: NavGraph, a: str, b: str) -> float:
    """The length of the shortest of all simple paths, each tried."""
    best = math.inf
    stack: list[tuple[tuple[str, ...], float]] = [((a,), 0.0)]
    while stack:
        path, length = stack.pop()
        if path[-1] == b:
            best = min(best, length)
            continue
        here = graph.positions[graph.row(path[-1])]
        for node in graph.neighbours(path[-1]):
            if node not in path:
                step = math.dist(here, graph.positions[graph.row(node)])
                stack.append(((*path, node), length + step))
    return best


@settings(deadline=None)
@given(graphs())
def test_distances_are_those_of_the_best_simple_path(graph: NavGraph) -> None:
    for a, b in itertools.product(graph.nodes, repeat=2):
        assert graph.distance(a, b) == pytest.approx(brute_force(graph, a, b), rel=1e-12)


@settings(deadline=None)
@given(graphs())
def test_shortest_path_is_legal_and_as_long_as_the_distance(graph: NavGraph) -> None:
    for a, b in itertools.product(graph.nodes, repeat=2):
        path = graph.shortest_path(a, b)
        if not path:
            assert graph.distance(a, b) == math.inf
            continue
        assert (path[0], path[-1]) == (a, b)
        steps = list(itertools.pairwise(path))
        assert all(y in graph.neighbours(x) for x, y in steps)
        length = sum(
            math.dist(graph.positions[graph.row(x)], graph.positions[graph.row(y)]) for x, y in steps
        )
        assert length == pytest.approx(graph.distance(a, b), rel=1e-12)


def test_two_parts_and_an_isolated_node() -> None:
    graph = NavGraph.build("abcde", [[i, 0, 0] for i in range(5)], [("a", "b"), ("c", "d")])
    assert graph.distance("a", "b") == 1.0
    assert graph.distance("a", "c") == math.inf
    assert graph.shortest_path("b", "d") == ()
    assert graph.neighbours("e") == ()
    assert graph.distance("e", "e") == 0.0
    assert graph.shortest_path("e", "e") == ("e",)


def test_two_viewpoints_at_one_place_are_joined_at_distance_zero() -> None:
    graph = NavGraph.build("abc", [[0, 0, 0], [0, 0, 0], [2, 0, 0]], [("a", "b"), ("b", "c")])
    assert graph.distance("a", "b") == 0.0
    assert graph.distance("a", "c") == 2.0
    assert graph.shortest_path("a", "c") == ("a", "b", "c")


def test_edges_are_sorted_and_said_once() -> None:
    graph = NavGraph.build("abc", np.eye(3).tolist(), [("c", "b"), ("b", "a"), ("a", "b")])
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.edge_lengths.tolist() == pytest.approx([math.sqrt(2)] * 2)


@pytest.mark.parametrize(
    ("nodes", "positions", "edges", "said"),
    [
        ("aa", [[0, 0, 0]] * 2, [], "'a' twice"),
        ("ab", [[0, 0, 0]] * 2, [("a", "x")], "'x'"),
        ("ab", [[0, 0, 0]] * 2, [("b", "b")], "'b' to itself"),
        ("ab", [[0, 0, 0], [0, math.nan, 0]], [], "'b' is at 0.0, nan, 0.0"),
        ("ab", [[0, 0, 0]], [], "shape"),
        ("ab", [[0, 0], [1, 1]], [], "shape"),
    ],
)
def test_bad_graphs_are_refused(
    nodes: str, positions: list[list[float]], edges: list[tuple[str, str]], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        NavGraph.build(nodes, positions, edges)


@pytest.mark.parametrize("node", ["nowhere", None, ["a"]])
def test_unknown_viewpoints_are_named(node: object) -> None:
    with pytest.raises(InputError, match="is not in the graph"):
        NavGraph.build(*CORNER).row(node)  # type: ignore[arg-type]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "geodesics"


def forbid_computing(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(*_: object) -> None:
        raise AssertionError("computed although it is in the cache")

    monkeypatch.setattr(module, "_shortest_paths", compute)


def test_equal_content_is_computed_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = NavGraph.build(*CORNER)
    assert first.distance("a", "c") == 7.0
    assert len(list(cache.iterdir())) == 1
    forbid_computing(monkeypatch)
    again = NavGraph.build(*CORNER)
    assert np.array_equal(again.distances, first.distances)
    assert np.array_equal(again.predecessors, first.predecessors)


def test_other_content_has_another_place(cache: Path) -> None:
    nodes, positions, edges = CORNER
    variants = [
        NavGraph.build(nodes, positions, edges),
        NavGraph.build(nodes, positions, edges[:1]),
        NavGraph.build(nodes, [[0, 0, 0], [3, 0, 0], [3, 5, 0]], edges),
        NavGraph.build(["a", "b", "d"], positions, [("a", "b"), ("b", "d")]),
    ]
    assert [float(graph.distances[0, 2]) for graph in variants] == [7.0, math.inf, 8.0, 7.0]
    assert len(list(cache.iterdir())) == 4


def test_any_damage_to_the_cache_is_repaired(cache: Path) -> None:
    expected = NavGraph.build(*CORNER).distances
    (path,) = cache.iterdir()
    sound = path.read_bytes()
    damaged = [b"", b"garbage", sound[: len(sound) // 2], sound + b"\0" * 9, sound[:40]]
    for place in range(0, len(sound), 7):
        flipped = bytearray(sound)
        flipped[place] ^= 0x41
        damaged.append(bytes(flipped))
    for content in damaged:
        path.write_bytes(content)
        assert np.array_equal(NavGraph.build(*CORNER).distances, expected)


def test_damaged_cache_file_is_written_anew(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert NavGraph.build(*CORNER).distance("a", "c") == 7.0
    (path,) = cache.iterdir()
    path.write_bytes(b"garbage")
    assert NavGraph.build(*CORNER).distance("a", "c") == 7.0
    forbid_computing(monkeypatch)
    assert NavGraph.build(*CORNER).distance("a", "c") == 7.0


def test_works_where_nothing_can_be_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "file" / "cache"))
    assert NavGraph.build(*CORNER).distance("a", "c") == 7.0


def test_several_processes_may_write_at_once(cache: Path) -> None:
    names = [str(i) for i in range(150)]
    points = [[math.sin(i), math.cos(3 * i), 0.1 * i] for i in range(150)]
    pairs = [(names[i], names[j]) for i in range(1, 150) for j in (i - 1, i * 7 % 150) if i != j]
    graph = NavGraph.build(names, points, pairs)
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = list(pool.map(operator.attrgetter("distances"), [graph] * 9))
    assert len(list(cache.iterdir())) == 1  # and no temporary file is left
    assert all(np.array_equal(result, graph.distances) for result in results)
