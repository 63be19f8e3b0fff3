"""Maps that grow: what they know is what a walker could know, and nothing else."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.core.rng import rng_for
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from training_world import scene  # noqa: E402
from vlnscope.agents.learned.inputs import NOTHING, VisualInput  # noqa: E402
from vlnscope.agents.learned.maps.fusion import Opinions, fused  # noqa: E402
from vlnscope.agents.learned.maps.topological_map import TopologicalMap  # noqa: E402
from vlnscope.agents.learned.model import stack, unstack  # noqa: E402
from vlnscope.agents.learned.tensors import GraphInputs  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

WIDTH = 3
CLOSE = 1e-5


def inputs(graph: NavGraph) -> GraphInputs:
    return GraphInputs.of([graph], torch.zeros(len(graph.nodes), 36, 1))


def seen(world: GraphInputs, *nodes: int) -> VisualInput:
    at = torch.tensor(nodes)
    visual = world.at(at, torch.zeros_like(at), torch.full_like(at, NOTHING))
    names = ("headings", "elevations", "distances")
    return replace(visual, **{name: getattr(visual, name).double() for name in names})


def blank(rows: int = 1) -> TopologicalMap:
    return TopologicalMap.empty(rows, WIDTH, torch.zeros(0, dtype=torch.float64))


def token(*numbers: float) -> Any:
    return torch.tensor(numbers, dtype=torch.float64)


def walked(graph: NavGraph, walk: list[int], kept: TopologicalMap | None = None) -> TopologicalMap:
    plan, world = blank() if kept is None else kept, inputs(graph)
    for step, node in enumerate(walk):
        plan, ways = plan.arrived(seen(world, node))
        near = torch.stack([token(step, 1.0, float(n)) for n in world.nodes[node, world.open[node]]])
        plan = plan.described(token(step, 0.0, float(node))[None], ways, near[None])
    return plan


def known_ways(graph: NavGraph, walk: list[int]) -> dict[int, float]:
    """How far a walker, at the end of its walk, knows each place to be: ways lead over visited ones."""
    old = set(walk)
    adjacent, places = graph.adjacency, graph.positions
    away = {walk[-1]: 0.0}
    waiting = [walk[-1]]
    while waiting:
        node = waiting.pop()
        if node not in old:
            continue
        for other in np.flatnonzero(adjacent[node]).tolist():
            length = away[node] + float(np.linalg.norm(places[node] - places[other]))
            if length < away.get(other, math.inf) - 1e-12:
                away[other] = length
                waiting.append(other)
    return away


def wander(graph: NavGraph, seed: int, steps: int) -> list[int]:
    chance = rng_for(seed, "walk")
    walk = [int(chance.integers(len(graph.nodes)))]
    for _ in range(steps):
        walk.append(int(chance.choice(np.flatnonzero(graph.adjacency[walk[-1]]))))
    return walk


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 8))
def test_a_map_knows_what_a_walker_knows(seed: int, steps: int) -> None:
    graph = scene(f"s{seed % 7}").graph
    walk = wander(graph, seed, steps)
    plan = walked(graph, walk)
    expected = known_ways(graph, walk)
    places = plan.places[0].tolist()
    assert set(places) == set(expected), "candidates of visited places, and no others"
    assert places[0] == walk[0]
    own = dict(zip(places, plan.of_here(plan.distances)[0].tolist(), strict=True))
    for node, length in expected.items():
        assert own[node] == pytest.approx(length, abs=CLOSE)
    assert {places[i] for i in plan.visited[0].nonzero()[:, 0].tolist()} == set(walk)
    last = {node: step + 1 for step, node in enumerate(walk)}
    assert dict(zip(places, plan.steps[0].tolist(), strict=True)) == {n: last.get(n, 0) for n in places}
    moved = torch.tensor(graph.positions[places] - graph.positions[walk[0]])
    torch.testing.assert_close(plan.positions[0], moved, atol=CLOSE, rtol=0)
    table = plan.pair_distances()[0]
    assert torch.equal(table, table.T)
    assert not table.diagonal().any()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_parts_of_a_map_are_placed_when_they_meet(seed: int) -> None:
    graph = scene(f"s{seed % 7}").graph
    plan = blank()
    for episode in range(3):
        plan = walked(graph, wander(graph, seed + episode, 4), plan.fresh())
        known = plan.known[0].nonzero()[:, 0]
        places = plan.places[0, known].tolist()
        here = int(plan.places[0, plan.here[0]])
        own = plan.positions[0, known] - plan.positions[0, plan.here[0]]
        true = torch.tensor(graph.positions[places] - graph.positions[here])
        torch.testing.assert_close(own, true, atol=10 * CLOSE, rtol=0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 8))
def test_ways_are_walks_over_visited_places(seed: int, steps: int) -> None:
    graph = scene(f"s{seed % 7}").graph
    walk = wander(graph, seed, steps)
    plan = walked(graph, walk)
    places, length = plan.places[0].tolist(), plan.of_here(plan.distances)[0]
    hops, first = plan.of_here(plan.hops)[0].tolist(), plan.next_hops()[0].tolist()
    for node, place in enumerate(places):
        way = [each for each in plan.routes(torch.tensor([node]))[0].tolist() if each != NOTHING]
        assert len(way) == hops[node]
        assert first[node] == (way[0] if way else NOTHING)
        assert way[-1:] == ([place] if place != walk[-1] else [])
        whole = [walk[-1], *way]
        pairs = list(itertools.pairwise(whole))
        assert all(graph.adjacency[a, b] for a, b in pairs)
        assert set(way[:-1]) <= set(walk)
        metres = sum(float(np.linalg.norm(graph.positions[a] - graph.positions[b])) for a, b in pairs)
        assert metres == pytest.approx(float(length[node]), abs=CLOSE)


def test_what_places_look_like_is_averaged_until_they_are_visited() -> None:
    graph = NavGraph.build(
        ["a", "b", "c"], [[0, 0, 0], [3, 0, 0], [0, 4, 0]], [("a", "b"), ("b", "c"), ("a", "c")]
    )
    plan = walked(graph, [0])
    assert plan.tokens[0].tolist() == [[0, 0, 0], *[[0, 1, n] for n in plan.places[0, 1:].tolist()]]
    plan = walked(graph, [0, 1])
    looks = dict(zip(plan.places[0].tolist(), plan.tokens[0].tolist(), strict=True))
    assert looks == {0: [0, 0, 0], 1: [1, 0, 1], 2: [0.5, 1, 2]}
    plan = walked(graph, [0, 1, 0, 2])
    looks = dict(zip(plan.places[0].tolist(), plan.tokens[0].tolist(), strict=True))
    assert looks == {0: [2, 0, 0], 1: [1, 0, 1], 2: [3, 0, 2]}


def test_places_lie_where_the_agent_sees_them() -> None:
    graph = NavGraph.build(["a", "b"], [[0, 0, 0], [3, 0, 4]], [("a", "b")])
    plan = walked(graph, [0])
    quarter = torch.tensor([math.pi / 2], dtype=torch.float64)
    feature = plan.positions_from_here(quarter, torch.zeros_like(quarter))[0]
    torch.testing.assert_close(feature[0], token(-1, 0, 0, 1, 0, 0, 0), atol=CLOSE, rtol=0)
    ahead = token(0, 1, 0.8, 0.6, 5 / 30, 5 / 30, 0.1)
    torch.testing.assert_close(feature[1], ahead, atol=CLOSE, rtol=0)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_maps_of_a_batch_are_those_of_its_rows(seed: int) -> None:
    """Rows put together and taken apart, at any time, go on as if alone."""
    graph = scene("s1").graph
    world = inputs(graph)
    walks = [wander(graph, seed + row, 5) for row in range(3)]
    plans = [blank() for _ in walks]
    for step in range(6):
        joined, ways = stack(plans).arrived(seen(world, *(walk[step] for walk in walks)))
        chance = rng_for(seed, step)
        whole = torch.tensor(chance.normal(size=(3, WIDTH)))
        near = torch.tensor(chance.normal(size=(3, ways.shape[1], WIDTH)))
        joined = joined.described(whole, ways, near).with_stops(torch.tensor(chance.random(3)))
        alone = []
        for row, plan in enumerate(plans):
            own, route = plan.arrived(seen(world, walks[row][step]))
            size = route.shape[1]
            own = own.described(whole[row : row + 1], route, near[row : row + 1, :size])
            alone.append(own.with_stops(joined.of_here(joined.stops)[row : row + 1]))
        zero = torch.zeros(3, dtype=torch.float64)
        for row, (one, other) in enumerate(zip(unstack(joined), alone, strict=True)):
            assert torch.equal(one.places, other.places)
            torch.testing.assert_close(one.tokens, other.tokens)
            torch.testing.assert_close(one.pair_distances(), other.pair_distances())
            assert torch.equal(one.best_stop(), other.best_stop()), row
        features = joined.positions_from_here(zero, zero)
        assert features.isfinite().all()
        plans = unstack(joined)


def test_a_place_that_no_way_leads_to_is_known_but_not_gone_to() -> None:
    """An agent that is put elsewhere in the middle of a life begins a second part of its map."""
    graph = NavGraph.build(
        ["a", "b", "c", "d"], [[0, 0, 0], [3, 0, 0], [50, 0, 0], [53, 0, 0]], [("a", "b"), ("c", "d")]
    )
    plan = walked(graph, [0, 2])
    assert plan.places[0].tolist() == [0, 1, 2, 3]
    assert plan.known[0].tolist() == [False, False, True, True]
    assert plan.routes(torch.tensor([1])).tolist() == [[]]
    assert plan.next_hops()[0].tolist() == [NOTHING, NOTHING, NOTHING, 3]
    assert plan.pair_distances().isfinite().all()
    assert int(plan.best_stop()) == 2


def test_stops_go_to_the_first_of_the_best() -> None:
    graph = scene("s2").graph
    plan = walked(graph, [0, *np.flatnonzero(graph.adjacency[0]).tolist()[:1], 0])
    stops = torch.full_like(plan.stops, 0.5)
    assert int(replace(plan, stops=stops).best_stop()) == 0
    assert not plan.fresh().visited.any()
    assert torch.equal(plan.fresh().distances, plan.distances)


def test_local_scores_go_to_candidates_and_the_way_back_to_all_others() -> None:
    """a (visited) - b (here) - c, d; e was seen from a."""
    graph = NavGraph.build(
        ["a", "b", "c", "d", "e"],
        [[0, 0, 0], [3, 0, 0], [6, 1, 0], [6, -1, 0], [-3, 0, 0]],
        [("a", "b"), ("b", "c"), ("b", "d"), ("a", "e")],
    )
    world = inputs(graph)
    plan = walked(graph, [0])
    plan, ways = plan.arrived(seen(world, 1))
    places = plan.places[0].tolist()
    local = {0: 0.25, 2: 0.5, 3: 0.75}
    near = token(*(local[n] for n in world.nodes[1, world.open[1]].tolist()))[None]
    whole = token(*(float(10 + n) for n in places))[None]
    for weight in (0.5, 0.8):
        said = Opinions(whole, token(1.0), near, token(3.0), token(weight))
        logits = dict(zip([*places, "stop"], fused(said, plan, ways)[0].tolist(), strict=True))
        assert logits[0] == logits[1] == -math.inf
        for node, other in ((2, 0.5), (3, 0.75), (4, 0.25)):
            assert logits[node] == pytest.approx(weight * (10 + node) + (1 - weight) * other)
        assert logits["stop"] == pytest.approx(weight * 1.0 + (1 - weight) * 3.0)


def test_the_view_at_arrival_is_that_of_the_candidate(data_root: Any) -> None:
    """On the real graphs the view in which a candidate lies is that which its direction rounds to."""
    from vlnscope.worlds.matterport.connectivity import read_connectivity

    files = sorted((data_root / "connectivity").glob("*_connectivity.json"))[:12]
    for file in files:
        graph = read_connectivity(file).graph
        world = GraphInputs.of([graph], torch.zeros(len(graph.nodes), 36, 1))
        assert torch.equal(world.arrival[world.open], torch.from_numpy(candidates(graph).view_index))
