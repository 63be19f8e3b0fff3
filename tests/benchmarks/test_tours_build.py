"""Building tours: which paths, in which order, with which instructions, and what is seen on the way."""

from __future__ import annotations

import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Cli
from made_up import Held, dataset, street
from made_up import repeated as path
from vlnscope.benchmarks.fidelity.joins.join import join_paths
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.tours.build import ordering
from vlnscope.benchmarks.tours.build import tours as building
from vlnscope.benchmarks.tours.build.exact_ordering import prove, prove_tours
from vlnscope.benchmarks.tours.build.legs import leg_costs
from vlnscope.benchmarks.tours.build.ordering import Ordering, nearest_neighbour, order_paths
from vlnscope.benchmarks.tours.build.tours import BuiltTours, build_tours, save_tours
from vlnscope.benchmarks.tours.coverage.curves import (
    Leg,
    OracleWalk,
    coverage_curve,
    joined_walks,
    seen_regions,
    tour_walks,
)
from vlnscope.benchmarks.tours.coverage.visibility import floor_in_sight, viewpoints_in_reach
from vlnscope.benchmarks.tours.findings.tour_rows import tour_lengths
from vlnscope.core.exceptions import InputError, MissingLayerError, UnknownNameError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.reading import read_tours
from vlnscope.types import Episode, Floats
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan, Opening, Room
from vlnscope.worlds.scene import Scene

TABLE_1 = {
    "train": (61, 14025, 183, 76.6, 2, 99, 28.4),
    "val_seen": (53, 1011, 159, 6.4, 2, 11, 2.1),
    "val_unseen": (11, 2349, 33, 71.2, 6, 100, 34.0),
}
OPTIMA = {
    "8194nk5LbLH": 38.0034,
    "EU6Fwq7SyZv": 125.2596,
    "QUCTc6BB5sX": 276.1828,
    "TbHJrupSAjP": 218.4987,
    "X7HyMhZNoso": 224.5716,
    "2azQ1b91cZZ": 274.2906,
    "zsNo4HB9uLZ": 182.8093,
    "oLBMNvg9in8": 234.3789,
    "Z6MFQCViBuw": 192.1158,
    "x8F5xyUWy9e": 52.4835,
    "pLe4wQe7qrG": 4.5424,
}
"""Metres between the paths of r2r/val_unseen in the best order, proved by `perf/ordering.py --prove`."""


@pytest.fixture(scope="module")
def val_unseen(data_root: Path) -> BuiltTours:
    return build_tours(open_dataset("r2r/val_unseen", data_root))


@pytest.mark.parametrize("split", TABLE_1)
def test_table_1_of_the_paper(split: str, data_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        building, "order_paths", lambda costs, seed: nearest_neighbour(costs)
    )  # order is no matter
    built = build_tours(open_dataset(f"r2r/{split}", data_root))
    found = tour_lengths(built.tours)
    row = (found.scenes, found.episodes, found.tours, round(found.mean, 1), found.min, found.max)
    assert (*row, round(found.sd, 1)) == TABLE_1[split]
    assert found.tours_per_scene == 3.0
    assert sum(length * count for length, count in found.counts.items()) == found.episodes
    ids = [name for tour in built.tours for name in tour.episode_ids]
    assert len(set(ids)) == len(ids)
    assert not any(name.endswith("_3") for name in ids)
    assert len(built.dropped) == (3 if split == "val_seen" else 0)


def test_orders_of_val_unseen_are_optimal(val_unseen: BuiltTours) -> None:
    for order in val_unseen.orders:
        assert order.oracle_distance == pytest.approx(OPTIMA[order.scan], abs=1e-4)
        assert order.oracle_distance < order.greedy_distance
    assert val_unseen.oracle_distance == pytest.approx(sum(OPTIMA.values()), abs=1e-3)
    assert val_unseen.greedy_distance > 1.25 * val_unseen.oracle_distance


def test_the_cost_of_an_order_is_what_the_oracle_walks(val_unseen: BuiltTours) -> None:
    scenes = val_unseen.source.scenes
    assert scenes is not None
    for order in val_unseen.orders[:3]:
        graph = scenes.scene(order.scan).graph
        walked = sum(graph.distance(a.end, b.start) for a, b in itertools.pairwise(order.routes))
        assert order.oracle_distance == pytest.approx(walked)


def cheapest(costs: Floats) -> float:
    """The optimum by dynamic programming over sets (Held and Karp)."""
    size = len(costs)
    best = {(1 << k, k): 0.0 for k in range(size)}
    for members in range(1, 1 << size):
        for last in range(size):
            before = members ^ (1 << last)
            if members >> last & 1 and before:
                best[members, last] = min(
                    best[before, k] + costs[k, last] for k in range(size) if before >> k & 1
                )
    return min(best[(1 << size) - 1, k] for k in range(size))


@given(st.integers(1, 8), st.integers(0, 10_000), st.booleans(), st.booleans())
def test_small_orders_are_optimal(size: int, seed: int, symmetric: bool, coarse: bool) -> None:
    costs = np.random.default_rng(seed).random((size, size)) * 10
    costs = np.floor(costs) if coarse else costs  # with ties and zeros
    costs = costs + costs.T if symmetric else costs
    found = order_paths(costs, seed=seed)
    assert sorted(found.order) == list(range(size))
    assert found.cost == pytest.approx(sum(costs[a, b] for a, b in itertools.pairwise(found.order)))
    assert found.cost == pytest.approx(cheapest(costs))
    assert found.cost <= nearest_neighbour(costs).cost + 1e-9


def test_search_agrees_with_trying_all_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    matrices = [np.random.default_rng(seed).random((12, 12)) for seed in range(60)]
    best = [order_paths(costs).cost for costs in matrices]
    monkeypatch.setattr(ordering, "_FEW", 3)
    found = [order_paths(costs).cost for costs in matrices]
    assert all(b <= f + 1e-12 for b, f in zip(best, found, strict=True))
    assert sum(f <= b + 1e-9 for b, f in zip(best, found, strict=True)) >= 50


@pytest.mark.parametrize("symmetric", [False, True])
def test_long_orders_find_a_hidden_trail(symmetric: bool) -> None:
    rng = np.random.default_rng(5)
    trail = rng.permutation(90)
    costs = rng.uniform(2, 10, (90, 90))
    costs = (costs + costs.T) / 2 if symmetric else costs
    costs[trail[:-1], trail[1:]] = 1.0
    if symmetric:
        costs[trail[1:], trail[:-1]] = 1.0
    found = order_paths(costs)
    assert found.cost == 89.0
    assert found.order in (tuple(trail), tuple(trail[::-1]))
    assert order_paths(costs) == found


def test_costs_that_cannot_be() -> None:
    with pytest.raises(InputError, match="shape"):
        order_paths(np.zeros((2, 3)))
    with pytest.raises(InputError, match="shape"):
        order_paths(np.zeros((0, 0)))
    with pytest.raises(InputError, match="from path 0 to path 1 costs inf"):
        order_paths(np.array([[0, np.inf], [1, 0]]))
    with pytest.raises(InputError, match="costs -1"):
        nearest_neighbour(np.array([[0, -1.0], [1, 0]]))
    assert order_paths(np.full((4, 4), 2.0) + np.diag([np.inf] * 4)).cost == 6.0  # the diagonal is no matter


def test_an_exact_solver_agrees(val_unseen: BuiltTours) -> None:
    pytest.importorskip("ortools")
    for order, proof in prove_tours(val_unseen):
        if len(order.routes) < 20:
            assert proof.optimal
            assert proof.gap == 0.0
            assert proof.best.cost == pytest.approx(order.oracle_distance)
        else:
            break
    costs = np.random.default_rng(0).random((9, 9))
    proof = prove(costs, Ordering(tuple(range(9)), float(np.diag(costs, 1).sum())))
    assert not proof.optimal
    assert proof.best.cost == pytest.approx(cheapest(costs))
    assert proof.gap == pytest.approx((proof.cost - proof.bound) / proof.bound)
    assert proof.bound <= cheapest(costs) <= proof.bound + 1e-5


def test_a_check_without_its_solver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(InputError, match="ortools is not installed"):
        prove(np.zeros((2, 2)), Ordering((0, 1), 0.0))


def test_each_tour_takes_another_instruction_of_each_path() -> None:
    paths = [*path(1, "ab", 4), *path(2, "bc"), *path(3, "cd"), *path(4, "de", 5)]
    built = build_tours(dataset(paths, street(0, 1, 2, 3, 4)))
    assert [tour.tour_id for tour in built.tours] == ["0", "1", "2"]
    walked = [[name.split("_")[0] for name in tour.episode_ids] for tour in built.tours]
    assert walked == [["1", "2", "3", "4"]] * 3
    for place in range(4):
        assert {tour.episode_ids[place].split("_")[1] for tour in built.tours} == {"0", "1", "2"}
    assert built.oracle_distance == 0.0
    assert build_tours(dataset(paths, street(0, 1, 2, 3, 4))).tours == built.tours
    drawn = {build_tours(dataset(paths, street(0, 1, 2, 3, 4)), seed=seed).tours for seed in range(5)}
    assert len(drawn) > 1


def test_one_instruction_per_path_makes_one_tour() -> None:
    built = build_tours(dataset([*path(1, "ab", 1), *path(2, "bc", 3)], street(0, 1, 2)))
    assert [tour.episode_ids for tour in built.tours] in ([("1_0", "2_0")], [("2_0", "1_0")])


def test_parts_of_a_scene_without_a_way_between_are_tours_of_their_own() -> None:
    line = street(0, 1, 2, 3, 4, 5, 6, gaps=[2, 4])
    paths = [*path(1, "ab"), *path(2, "de"), *path(3, "bc"), *path(4, "ed"), *path(5, "fg")]
    built = build_tours(dataset(paths, line))
    assert [{route.path_id for route in order.routes} for order in built.orders] == [{"1", "3"}, {"2", "4"}]
    assert [tour.tour_id for tour in built.tours] == [str(k) for k in range(6)]
    assert [route.path_id for route in built.dropped] == ["5"]


def test_scenes_with_one_path_have_no_tour() -> None:
    other = street(0, 1, scan="other")
    paths = [*path(1, "ab", scan="other"), *path(2, "ab"), *path(3, "ba")]
    built = build_tours(dataset(paths, street(0, 1), other))
    assert {tour.scan for tour in built.tours} == {"street"}
    with pytest.raises(InputError, match="no scene has two paths"):
        build_tours(dataset(paths[:6], street(0, 1), other))


def test_starts_alone_make_the_test_variant(data_root: Path) -> None:
    secret = dataset([*path(1, "a"), *path(2, "c"), *path(3, "b")], street(0, 1, 2))
    with pytest.raises(InputError, match="the goals are secret") as refused:
        build_tours(secret)
    assert "start-to-start" in refused.value.fix
    built = build_tours(secret, legs="start-to-start")
    assert [route.path_id for route in built.orders[0].routes] in (["1", "3", "2"], ["2", "3", "1"])
    assert built.oracle_distance == 2.0
    with pytest.raises(UnknownNameError, match="kind of legs"):
        build_tours(secret, legs="start-to-end")
    whole = open_dataset("r2r/test", data_root)
    scans = list(dict.fromkeys(e.scan for e in whole.episodes()))[-2:]
    few = [e for e in whole.episodes() if e.scan in scans]
    real = build_tours(replace(whole, load=lambda on_problem: iter(few)), legs="start-to-start")
    assert real.oracle_distance < real.greedy_distance
    routes = real.orders[0].routes
    assert whole.scenes is not None
    costs = leg_costs(whole.scenes.scene(routes[0].scan).graph, routes, "start-to-start")
    assert costs == pytest.approx(costs.T)


def test_files_are_read_back(val_unseen: BuiltTours, tmp_path: Path) -> None:
    made = build_tours(dataset([*path(1, "ab"), *path(2, "bc")], street(0, 1, 2)))
    saved = save_tours(tmp_path / "tours_iVLN.json", [val_unseen, made])
    content = json.loads(saved.read_text())
    assert list(content) == ["val_unseen", "up"]
    assert [len(tour) for tour in content["up"]["street"]] == [2, 2, 2]
    assert read_tours(saved, split="val_unseen") == list(val_unseen.tours)
    with pytest.raises(InputError, match="two data sets have the split 'up'"):
        save_tours(tmp_path / "x.json", [made, val_unseen, made])
    assert not (tmp_path / "x.json").exists()
    nameless = build_tours(
        dataset([*path(1, "ab"), *path(2, "bc")], street(0, 1, 2), split="", name="mine.json.gz")
    )
    assert nameless.split == "mine"


@pytest.mark.parametrize(
    ("episodes", "what"),
    [
        ([*path(1, "ab"), *path(2, "bz")], "visits viewpoint 'z'"),
        ([*path(1, "ab"), *path(2, "bc")], "ends where no way leads from its start"),
        ([*path(1, "ab"), *path(1, "ba")], "walk different paths"),
        (path(1, ""), "names no viewpoints"),
    ],
)
def test_bad_paths_are_named(episodes: list[Episode], what: str) -> None:
    with pytest.raises(InputError, match=what):
        build_tours(dataset(episodes, street(0, 1, 2, gaps=[1])))


def test_no_tours_cannot_be_counted() -> None:
    with pytest.raises(InputError, match="no tours"):
        tour_lengths([])
    with pytest.raises(InputError, match="no walks"):
        coverage_curve([], viewpoints_in_reach(Held()))


def test_coverage_by_hand() -> None:
    scenes = Held(street(*range(10)))  # a … j, a metre apart
    walk = OracleWalk(
        "street", (Leg((), tuple("abc")), Leg(tuple("cdef"), tuple("fgh")), Leg(tuple("hg"), tuple("gf")))
    )
    alone = coverage_curve([walk], viewpoints_in_reach(scenes, 0))
    assert alone.walks == (1, 1, 1)
    assert alone.upcoming == (0.0, 1 / 3, 1.0)  # f is known, because the agent was led there
    assert alone.complete == (0.0, 6 / 8, 1.0)
    near = coverage_curve([walk], viewpoints_in_reach(scenes, 1))
    assert near.upcoming == (0.0, 3 / 5, 1.0)  # e f g of e … i
    assert near.complete == (0.0, 7 / 9, 1.0)
    longer = OracleWalk("street", (Leg((), tuple("j")),))
    both = coverage_curve(
        [walk, longer], viewpoints_in_reach(scenes, 0), {"street": np.ones(10, dtype=np.bool_)}
    )
    assert both.walks == (2, 1, 1)
    assert both.complete == (0.0, 6 / 10, 8 / 10)
    regions = seen_regions([walk, longer], viewpoints_in_reach(scenes, 0))
    assert regions["street"].sum() == 9
    with pytest.raises(InputError, match="lack scene street"):
        coverage_curve([walk], viewpoints_in_reach(scenes), {})


def test_joined_paths_are_walks_of_their_parts() -> None:
    line = street(0, 10, 11, 12, 22)
    joined = join_paths(dataset([*path(1, "ab"), *path(2, "de"), *path(3, "ba")], line), "r6r")
    assert [part.path_id for part in joined.paths[0].parts] == ["1", "3", "1"]
    walks = {
        tuple(p.path_id for p in w.parts): walk
        for w, walk in zip(joined.paths, joined_walks(joined), strict=True)
    }
    assert walks["3", "1", "2"].legs == (
        Leg((), ("b", "a")),
        Leg(("a",), ("a", "b")),
        Leg(("b", "c", "d"), ("d", "e")),
    )


def test_the_paper_s_anchor(val_unseen: BuiltTours) -> None:
    scenes = val_unseen.source.scenes
    assert scenes is not None
    look, walks = viewpoints_in_reach(scenes), tour_walks(val_unseen)
    curve = coverage_curve(walks, look)
    assert curve.upcoming[0] == curve.complete[0] == 0.0
    assert curve.upcoming[10] > 0.5
    assert curve.complete[10] > 0.7
    regions = seen_regions(walks, look)
    finals = []
    for variant in ("r4r", "r6r", "r8r"):
        joined = join_paths(val_unseen.source, variant, max_paths=300)
        finals.append(coverage_curve(joined_walks(joined), look, regions).complete[-1])
    assert 0 < finals[0] < finals[1] < finals[2] < coverage_curve(walks, look, regions).complete[-1]


def two_rooms(closed: bool) -> Scene:
    """Two empty rooms of 4 m by 4 m with a door between."""
    corners = [((x, 0.0), (x + 4.0, 0.0), (x + 4.0, 4.0), (x, 4.0)) for x in (0.0, 4.0)]
    door = Opening(
        id="door",
        kind="door",
        rooms=("west", "east"),
        floor=0,
        centre=(4.0, 2.0),
        axis="y",
        width=0.9,
        closed=closed,
    )
    rooms = (
        Room(id="west", label="b", floor=0, polygon=corners[0]),
        Room(id="east", label="k", floor=0, polygon=corners[1]),
    )
    return house_scene(
        FloorPlan(id="two", floors=(Floor(level=0, elevation=0.0),), rooms=rooms, openings=(door,))
    )


def test_coverage_of_the_floor_of_a_house() -> None:
    scene = two_rooms(closed=True)
    west = np.array([scene.regions.region(node) == 0 for node in scene.graph.nodes])
    seen = floor_in_sight(Held(scene))("two").seen
    assert seen.shape == (len(west), 2 * 64)
    assert seen[west, :64].all()  # the whole room, and through the door nothing
    assert seen[~west, 64:].all()
    assert not seen[west, 64:].any()
    assert not seen[~west, :64].any()
    scene = two_rooms(closed=False)
    west = np.array([scene.regions.region(node) == 0 for node in scene.graph.nodes])
    seen = floor_in_sight(Held(scene))("two").seen
    assert 0 < seen[west, 64:].sum() < 0.5 * seen[west, 64:].size
    near = floor_in_sight(Held(scene), 2.0)("two").seen
    assert (seen | ~near).all()
    assert 0 < near.sum() < 0.5 * seen.sum()
    nodes = scene.graph.nodes
    walk = OracleWalk("two", (Leg((), nodes[:1]), Leg(nodes, nodes[1:])))
    assert coverage_curve([walk], floor_in_sight(Held(scene))).complete == (0.0, 1.0)
    with pytest.raises(MissingLayerError, match="plan"):
        floor_in_sight(Held(street(0, 1)))("street")


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    build = ("build", "tours", "--data", "sample/demo", "--out", tmp_path)
    done = cli(*build, "--json", "--coverage", "viewpoints", "--reach", 5)
    assert done.code == 0
    report = done.data
    (split,) = report["splits"]
    assert (split["split"], split["tours"], split["episodes"]) == ("demo", 9, 90)
    assert 0 < split["oracle_metres"] < split["greedy_metres"]
    assert len(split["coverage"]["tours"]["upcoming"]) == 10
    assert len(read_tours(report["file"])) == 9
    done = cli(*build, "--coverage", "viewpoints", "--joined", "r6r")
    assert done.code == 0
    shown = done.out
    assert "whole region seen" in shown
    assert "R6R: seen before" in shown
    assert "oracle m" in shown
    (figure,) = Findings.load(tmp_path / "coverage.json").figures
    assert figure.source == "IVLN, Figure 7"
    assert [[(line.name, len(line.y)) for line in panel.series] for panel in figure.panels] == [
        [("tours", 10), ("R6R", 3)]
    ] * 2
    done = cli(*build, "--joined", "r6r")
    assert done.code == 2
    assert "--coverage viewpoints" in done.err
    done = cli(*build, "--coverage", "smell")
    assert done.code == 2
    assert "there is no kind of coverage called 'smell'" in done.err
    done = cli(*build, "--legs", "end-to-end")
    assert done.code == 2
    assert "did you mean" in done.err
