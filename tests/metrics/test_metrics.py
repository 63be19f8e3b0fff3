"""Rules that metrics obey, against an independent loop, and their boundary cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episode_loop import nested, one_episode
from vlnscope.core.rng import rng_for
from vlnscope.metrics.batch import PathBatch, graph_batch, point_batch
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.fastdtw import fast_warping_costs
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import PATH_METRICS, get_profile, profiles
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import NOT_FINITE, Values
from vlnscope.worlds.graph.navgraph import NavGraph

EPISODE_METRICS = [name for name in PATH_METRICS if get_metric(name).per == "episode"]


def corridor(n: int = 8, gap: float = 1.0) -> NavGraph:
    """Nodes a, b, c, … in a line."""
    names = [chr(97 + i) for i in range(n)]
    edges = [(names[i], names[i + 1]) for i in range(n - 1)]
    return NavGraph.build(names, [[i * gap, 0, 0] for i in range(n)], edges)


def random_graph(seed: int, size: int = 14) -> NavGraph:
    """A connected random graph: a random tree and some more edges."""
    rng = rng_for(seed, "graph")
    names = [f"n{i}" for i in range(size)]
    edges = [(names[i], names[int(rng.integers(i))]) for i in range(1, size)]
    for _ in range(8):
        i, j = rng.choice(size, 2, replace=False)
        edges.append((names[i], names[j]))
    return NavGraph.build(names, rng.uniform(-4, 4, (size, 3)).tolist(), edges)


def pair(graph: NavGraph, prediction: str | list[str], reference: str | list[str]) -> PathBatch:
    """A batch of one row."""
    pred, ref = ([[graph.index[v] for v in path]] for path in (prediction, reference))
    return graph_batch(GraphTable([graph]), np.zeros(1, np.int64), Ragged.nodes(pred), Ragged.nodes(ref))


def value(batch: PathBatch, metric: str, profile: str = "default") -> float | str:
    """The only value of a batch of one row, or the reason why there is none."""
    values = evaluate(batch, get_profile(profile), [metric])[metric]
    return values.reason(0) or float(values.values[0])


paths = st.lists(st.integers(0, 13), min_size=1, max_size=9)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.lists(st.tuples(paths, paths), min_size=1, max_size=12))
def test_batched_metrics_equal_a_plain_loop(seed: int, rows: list[tuple[list[int], list[int]]]) -> None:
    graph = random_graph(seed)
    table = nested(graph)
    batch = graph_batch(
        GraphTable([corridor(), graph]),
        np.ones(len(rows), dtype=np.int64),
        Ragged.nodes([p for p, _ in rows]),
        Ragged.nodes([r for _, r in rows]),
    )
    found = evaluate(batch, get_profile("default"))
    for i, (p, r) in enumerate(rows):
        names = [graph.nodes[k] for k in p], [graph.nodes[k] for k in r]
        length = sum(table[a][b] for a, b in zip(names[0], names[0][1:], strict=False))
        if length == 0 and len(set(names[1])) == 1:
            continue  # 0/0 in LS, tested below
        expected = one_episode(table, *names)
        for name, number in expected.items():
            assert found[name].reason(i) is None
            assert found[name].values[i] == pytest.approx(number, abs=1e-9), name


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), paths, paths)
def test_ranges_and_identities(seed: int, p: list[int], r: list[int]) -> None:
    graph = random_graph(seed)
    rows = [p, r, list(np.repeat(r, 2))]
    batch = graph_batch(
        GraphTable([graph]), np.zeros(3, np.int64), Ragged.nodes(rows), Ragged.nodes([r, r, r])
    )
    for profile in profiles().values():
        for name, values in evaluate(batch, profile, EPISODE_METRICS).items():
            metric = get_metric(name)
            defined = values.values[values.defined]
            assert np.isfinite(values.values).all()
            assert (defined >= metric.low - 1e-12).all(), (profile.name, name)
            if metric.high is not None:
                assert (defined <= metric.high + 1e-12).all(), (profile.name, name)
    found = evaluate(
        batch, get_profile("default"), ["DTW", "nDTW", "SR", "PC", "ED", "NE", "ONE", "OSR", "sDTW"]
    )
    for name, best in {"DTW": 0, "nDTW": 1, "SR": 1, "PC": 1, "ED": 0, "NE": 0, "ONE": 0, "OSR": 1}.items():
        assert found[name].values[1] == pytest.approx(best, abs=1e-12)
    assert found["DTW"].values[2] == pytest.approx(0, abs=1e-12), "repeats at a node cost nothing"
    assert found["ONE"].values[0] <= found["NE"].values[0] + 1e-12
    assert found["OSR"].values[0] >= found["SR"].values[0]
    assert found["sDTW"].values[0] <= found["nDTW"].values[0]


points = st.lists(st.tuples(*[st.integers(-6, 6).map(lambda v: v / 2)] * 3), min_size=1, max_size=24)


@settings(max_examples=80, deadline=None)
@given(points, points)
def test_fast_warping_is_an_upper_bound(p: list[tuple[float, ...]], r: list[tuple[float, ...]]) -> None:
    batch = point_batch(Ragged.points([p]), Ragged.points([r]), np.array([r[-1]]))
    assert batch.fast_warping[0] >= batch.exact_warping[0] - 1e-9
    if min(len(p), len(r)) < 3:
        assert batch.fast_warping[0] == pytest.approx(batch.exact_warping[0], abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(points, points, st.integers(1, 3))
def test_fast_warping_equals_a_plain_one(
    p: list[tuple[float, ...]], r: list[tuple[float, ...]], radius: int
) -> None:
    pred, ref = Ragged.points([p]), Ragged.points([r])
    expected = plain_fast_warping([np.array(x) for x in p], [np.array(x) for x in r], radius)[0]
    assert fast_warping_costs(*pred, *ref, radius)[0] == pytest.approx(expected, abs=1e-9)


def plain_fast_warping(
    x: list[np.ndarray], y: list[np.ndarray], radius: int
) -> tuple[float, list[tuple[int, int]]]:
    """Salvador and Chan's recursion with sets of cells."""
    cells = {(i, j) for i in range(len(x)) for j in range(len(y))}
    if min(len(x), len(y)) >= radius + 2:
        half = [[(a[k] + a[k + 1]) / 2 for k in range(0, len(a) - 1, 2)] for a in (x, y)]
        coarse = plain_fast_warping(half[0], half[1], radius)[1]
        wide = {
            (i + a, j + b)
            for i, j in coarse
            for a in range(-radius, radius + 1)
            for b in range(-radius, radius + 1)
        }
        cells &= {(2 * i + a, 2 * j + b) for i, j in wide for a in (0, 1) for b in (0, 1)}
    best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {(-1, -1): (0.0, None)}
    for i, j in sorted(cells):
        cost = float(np.linalg.norm(x[i] - y[j]))
        origins = [(i - 1, j), (i, j - 1), (i - 1, j - 1)]
        options = [(best.get(o, (math.inf, None))[0] + cost, o) for o in origins]
        best[i, j] = min(options, key=lambda option: option[0])
    path, cell = [], (len(x) - 1, len(y) - 1)
    total = best[cell][0]
    while cell != (-1, -1):
        path.append(cell)
        origin = best[cell][1]
        assert origin is not None
        cell = origin
    return total, path[::-1]


def test_exactly_three_metres() -> None:
    batch = pair(corridor(), "ab", "abcde")
    assert value(batch, "NE") == 3.0
    assert value(batch, "SR") == 0.0
    assert value(batch, "SR", "paper") == 1.0
    assert value(batch, "OSR", "r2rie") == 1.0
    assert value(batch, "sDTW", "google") == value(batch, "nDTW", "google")
    assert value(batch, "sDTW", "hamt") == 0.0


@pytest.mark.parametrize(
    ("profile", "spl"), [("paper", 1.0), ("valan", 0.0), ("hamt", 1.0), ("default", 1.0)]
)
def test_start_is_goal_and_no_move(profile: str, spl: float) -> None:
    graph = corridor()
    assert value(pair(graph, "b", "bcb"), "SPL", profile) == spl


def test_start_is_goal_divides_by_zero_in_eval_py() -> None:
    graph = corridor()
    assert "0 by 0" in str(value(pair(graph, "b", "bcb"), "SPL", "r2r-server"))
    assert value(pair(graph, "bcb", "bcb"), "SPL", "r2r-server") == 0.0
    assert value(pair(graph, "bcb", "bcb"), "SPL", "hamt") == 1.0


def test_hamt_divides_by_a_centimetre_at_least() -> None:
    assert value(pair(corridor(gap=0.004), "ab", "ab"), "SPL", "hamt") == pytest.approx(0.4)


def test_single_nodes() -> None:
    batch = pair(corridor(), "a", "a")
    assert value(batch, "SED") == 1.0
    assert value(batch, "nDTW") == 1.0
    assert "0 by 0" in str(value(batch, "CLS", "hamt"))
    assert value(batch, "CLS", "valan") == 1.0
    assert "no length" in str(value(batch, "DTW", "valan"))


def test_repeats_and_jumps() -> None:
    graph = corridor()
    repeats, jump = pair(graph, "aabb", "abc"), pair(graph, "acd", "abcd")
    assert value(repeats, "CLS") == value(pair(graph, "ab", "abc"), "CLS")
    assert "on the spot" in str(value(repeats, "CLS", "google"))
    assert "edge" in str(value(jump, "CLS", "google"))
    assert value(jump, "TL", "hamt") == 3.0
    for metric in get_profile("r2r-server").metrics:
        assert "edge" in str(value(jump, metric, "r2r-server"))
        assert value(repeats, metric, "r2r-server") != "edge"


def test_a_wrong_start_is_refused_where_evaluators_do() -> None:
    batch = pair(corridor(), "bcd", "abcd")
    assert "start" in str(value(batch, "SR", "r2r-server"))
    assert "start" in str(value(batch, "SR", "hamt"))
    assert value(batch, "SR", "valan") == 1.0


def test_unconnected_places_are_undefined_not_infinite() -> None:
    graph = NavGraph.build("abcd", [[0, 0, 0], [1, 0, 0], [9, 0, 0], [10, 0, 0]], [("a", "b"), ("c", "d")])
    batch = pair(graph, "ab", "acd")
    assert "no way" in str(value(batch, "NE"))
    assert value(batch, "SR") == 0.0
    assert value(batch, "SPL") == 0.0
    assert "not connected" in str(value(batch, "nDTW"))
    assert "not connected" in str(value(batch, "CLS"))


def test_the_r4r_figure_follower_and_shortcut() -> None:
    """A loop back near the start: the shortcut gets full SPL, the follower full CLS."""
    square = NavGraph.build(
        "abcdef",
        [[0, 0, 0], [0, 4, 0], [0, 8, 0], [4, 8, 0], [4, 4, 0], [4, 0, 0]],
        [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f"), ("a", "f")],
    )
    follower, shortcut = pair(square, "abcdef", "abcdef"), pair(square, "af", "abcdef")
    assert value(shortcut, "SPL") == 1.0
    assert value(follower, "SPL") == pytest.approx(4 / 20)
    assert value(follower, "CLS") == 1.0
    assert float(value(shortcut, "CLS")) < 0.5  # type: ignore[arg-type]


def test_oracle_spl_is_spl_of_the_best_stop() -> None:
    batch = pair(corridor(20), "abcdefghgf", "abcdefg")
    assert value(batch, "oracle-SPL") == 1.0
    assert value(batch, "SPL") == pytest.approx(6 / 9)


def tour(graph: NavGraph, episodes: list[tuple[str, str]]) -> PathBatch:
    n = len(episodes)
    pred, ref = ([[graph.index[v] for v in e[k]] for e in episodes] for k in (0, 1))
    batch = graph_batch(GraphTable([graph]), np.zeros(n, np.int64), Ragged.nodes(pred), Ragged.nodes(ref))
    return replace(batch, tour=np.zeros(n, dtype=np.int64))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 20), st.lists(st.tuples(paths, paths), min_size=1, max_size=4))
def test_tour_alignment_equals_one_warping_of_the_joined_paths(
    seed: int, episodes: list[tuple[list[int], list[int]]]
) -> None:
    """Both constraints, against a warping over the whole tour with forbidden cells."""
    graph = random_graph(seed)
    batch = tour(graph, [([graph.nodes[k] for k in p], [graph.nodes[k] for k in r]) for p, r in episodes])  # type: ignore[misc]
    for constraint in ("episode", "boundary"):
        expected = whole_tour(graph, episodes, constraint)
        values = get_metric("t-nDTW").compute(batch, Switches(tour_constraint=constraint))  # type: ignore[arg-type]
        if math.isinf(expected):
            assert "boundaries" in str(values.reason(0))
        else:
            size = sum(len(r) for _, r in episodes)
            assert values.values[0] == pytest.approx(math.exp(-expected / (3 * size)), abs=1e-12)


def whole_tour(graph: NavGraph, episodes: list[tuple[list[int], list[int]]], constraint: str) -> float:
    rows = [(k, node) for k, (p, _) in enumerate(episodes) for node in p]
    columns = [(k, node) for k, (_, r) in enumerate(episodes) for node in r]
    only: dict[int, int] = {}
    clash = False
    row = column = 0
    for k, (p, r) in enumerate(episodes):
        if k:
            clash |= only.get(column, row) != row
            only[column] = row
        if k < len(episodes) - 1:
            clash |= only.get(column + len(r) - 1, row + len(p) - 1) != row + len(p) - 1
            only[column + len(r) - 1] = row + len(p) - 1
        row, column = row + len(p), column + len(r)
    if constraint == "boundary" and clash:
        return math.inf
    table = {(-1, -1): 0.0}
    for i, (k, a) in enumerate(rows):
        for j, (m, b) in enumerate(columns):
            allowed = k == m if constraint == "episode" else only.get(j, i) == i
            if allowed:
                best = min(table.get(c, math.inf) for c in ((i - 1, j), (i, j - 1), (i - 1, j - 1)))
                table[i, j] = best + graph.distances[a, b]
    return table.get((len(rows) - 1, len(columns) - 1), math.inf)


def test_a_one_point_reference_has_no_boundary_alignment() -> None:
    graph = corridor()
    batch = tour(graph, [("ab", "a"), ("bc", "bc")])
    assert "boundaries" in str(get_metric("t-nDTW").compute(batch, Switches()).reason(0))
    loose = get_metric("t-nDTW").compute(batch, Switches(tour_constraint="episode"))
    assert loose.values[0] == pytest.approx(math.exp(-1 / 9))


def test_exploring_the_house_first_is_punished() -> None:
    graph = corridor(12)
    direct = tour(graph, [("abcd", "abcd"), ("defg", "defg")])
    explorer = tour(graph, [("abcdefghijkljihgfedcbabcd", "abcd"), ("defg", "defg")])
    metric = get_metric("t-nDTW").compute
    assert metric(direct, Switches()).values[0] == 1.0
    assert metric(explorer, Switches()).values[0] < 0.05


def test_test_splits_have_no_goal() -> None:
    graph = corridor()
    batch = graph_batch(
        GraphTable([graph]), np.zeros(1, np.int64), Ragged.nodes([[0, 1]]), Ragged.nodes([[0]]), is_test=True
    )
    for metric in EPISODE_METRICS:
        expected = metric not in ("TL", "steps")
        assert bool(evaluate(batch, get_profile("default"), [metric])[metric].undefined) is expected


def test_continuous_success_needs_stop_and_distance() -> None:
    pred, ref = Ragged.points([[(0, 0, 0), (4, 0, 0)]] * 3), Ragged.points([[(0, 0, 0), (5, 0, 0)]] * 3)
    goals = np.array([[5.0, 0, 0]] * 3)
    stopped = np.array([1, 0, -1], dtype=np.int8)
    batch = point_batch(pred, ref, goals, start_goal=np.full(3, 5.5), stopped=stopped)
    strict = evaluate(batch, get_profile("vlnce"), ["NE", "SR", "SPL"])
    assert all("navmesh" in str(values.reason(0)) for values in strict.values())
    loose = evaluate(batch, get_profile("vlnce-straight"), ["SR", "SPL"])
    assert loose["SR"].values[:2].tolist() == [1.0, 0.0]
    assert "STOP" in str(loose["SR"].reason(2))
    assert loose["SPL"].values[0] == 1.0
    known = point_batch(
        pred, ref, goals, start_goal=np.full(3, 5.5), stopped=stopped, goal_distance=np.array([9.0, 2.0] * 3)
    )
    assert evaluate(known, get_profile("vlnce"), ["NE"])["NE"].values.tolist() == [2.0] * 3


def test_stationary_steps_are_dropped_for_vlnce_warping_only() -> None:
    pred = Ragged.points([[(0, 0, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0), (2, 0, 0)]])
    batch = point_batch(pred, Ragged.points([[(0, 0, 0), (2, 0, 0)]]), np.array([[2.0, 0, 0]]))
    assert value(batch, "DTW", "vlnce") == pytest.approx(1.0)
    assert value(batch, "DTW", "default") == pytest.approx(3.0)
    assert value(batch, "steps", "vlnce") == 4.0


def test_values_never_hold_nan() -> None:
    sealed = Values.of(np.array([1.0, np.nan, np.inf, 4.0]), {"why": np.array([True, False, False, False])})
    assert sealed.values.tolist() == [0.0, 0.0, 0.0, 4.0]
    assert [sealed.reason(i) for i in range(4)] == ["why", NOT_FINITE, NOT_FINITE, None]
    joined = Values.join([sealed, Values.of(np.array([7.0]))])
    assert joined.defined.tolist() == [False, False, False, True, True]
    assert joined.take(np.array([4, 0])).values.tolist() == [7.0, 0.0]


@pytest.mark.parametrize("profile", sorted(profiles()))
def test_every_profile_names_known_metrics(profile: str) -> None:
    for name in get_profile(profile).metrics:
        assert get_metric(name).definition.strip()


def test_switches_named_by_a_metric_are_the_ones_that_matter() -> None:
    """No metric changes when a switch that it does not declare is changed."""
    graph = corridor(9, gap=1.5)
    rows = [
        ("abcd", "abcdefg"),
        ("aabb", "abc"),
        ("acd", "abcd"),
        ("b", "bcb"),
        ("a", "a"),
        ("abc", "abcdcba"),
    ]
    index = graph.index
    batch = graph_batch(
        GraphTable([graph]),
        np.zeros(len(rows), np.int64),
        Ragged.nodes([[index[v] for v in p] for p, _ in rows]),
        Ragged.nodes([[index[v] for v in r] for _, r in rows]),
    )
    for profile in profiles().values():
        for switch, (_, setting) in Switches().differences(profile.switches).items():
            for name in EPISODE_METRICS:
                metric = get_metric(name)
                plain = metric.compute(batch, Switches())
                changed = metric.compute(batch, replace(Switches(), **{switch: setting}))  # type: ignore[arg-type]
                if switch not in metric.switches:
                    assert np.array_equal(plain.values, changed.values), (name, switch)
                    assert plain.undefined.keys() == changed.undefined.keys(), (name, switch)


def test_sealing_twice_keeps_reasons() -> None:
    once = Values.of(np.array([1.0, np.nan, np.inf]))
    assert Values.of(once.values, once.undefined).undefined.keys() == {NOT_FINITE}
    assert Values.of(np.array([np.nan, 0.0]), once.take(np.array([0, 1])).undefined).defined.tolist() == [
        False,
        False,
    ]


def test_success_across_a_gap_has_no_spl() -> None:
    graph = NavGraph.build("abcd", [[0, 0, 0], [1, 0, 0], [9, 0, 0], [10, 0, 0]], [("a", "b"), ("c", "d")])
    batch = pair(graph, "acd", "acd")
    assert value(batch, "SR") == 1.0
    assert "no way" in str(value(batch, "SPL"))
    assert "no way" in str(value(batch, "oracle-SPL"))
    assert "not connected" in str(value(batch, "TL"))
