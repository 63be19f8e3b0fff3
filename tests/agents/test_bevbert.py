"""BEVBert looks at a grid: of what it sees and saw nearby, and of nothing else."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.learned.inputs import NOTHING, VisualInput  # noqa: E402
from vlnscope.agents.learned.maps.bev_grid import lift  # noqa: E402
from vlnscope.agents.learned.maps.bevbert import BevBert, BevBertConfig, levelled  # noqa: E402
from vlnscope.agents.learned.maps.seen_grids import GraphGrids, RememberedGrids, mirrored_grid  # noqa: E402
from vlnscope.agents.learned.model import stack, unstack  # noqa: E402
from vlnscope.agents.learned.tensors import GraphInputs  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402
from vlnscope.perception.features.grids import GridFeatures, PatchGrid  # noqa: E402
from vlnscope.worlds.graph.navgraph import NavGraph  # noqa: E402
from vlnscope.worlds.scene import Scene  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

WIDTH, PATCH, SIDE = 6, 5, 3
A, B, C, D = range(4)
GRAPH = NavGraph.build(
    ["a", "b", "c", "d"],
    [[0, 0, 0], [0, 2, 0], [0.1, 4, 0], [1.6, 0.2, 0.3]],
    [("a", "b"), ("b", "c"), ("a", "d")],
)


def made_grid(viewpoint: str) -> PatchGrid:
    chance = rng_for(0, "grid", viewpoint)
    depths = chance.uniform(0.05, 0.4, (12, SIDE, SIDE)) * (chance.random((12, SIDE, SIDE)) > 0.2)
    patches = chance.normal(size=(12, SIDE, SIDE, PATCH))
    return PatchGrid(patches.astype(np.float32), depths.astype(np.float32))


class MadeGrids(GridFeatures):
    width = PATCH

    def of(self, scene: Scene, viewpoint: str) -> PatchGrid:
        return made_grid(viewpoint)


def model(**changes: Any) -> Any:
    sizes = {
        "vocabulary": 12, "image_size": WIDTH, "patch_size": PATCH, "hidden": 16, "max_tokens": 9, "heads": 2,
        "wide": 16, "max_positions": 9, "text_layers": 1, "cross_layers": 1, "pano_layers": 1, "critic": 4,
        "grid_size": 9, "feature_dropout": 0.4,
    }  # fmt: skip
    made = make_model("bevbert", BevBertConfig.preset("small", **{**sizes, **changes}))
    with torch.no_grad():  # livelier than fresh weights, so that what is seen shows
        for weight in made.parameters():
            weight += 0.3 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(0))
    return made.double().eval()


IMAGES = torch.from_numpy(rng_for(0, "images").normal(size=(4, 36, WIDTH)))
WORLD = replace(
    GraphInputs.of([GRAPH], IMAGES.float()), grids=GraphGrids.of([Scene("s", GRAPH)], MadeGrids())
)


def shown(*nodes: int, look: int = 13, grids: Any = None) -> VisualInput:
    at = torch.tensor(nodes)
    visual = WORLD.at(at, torch.full_like(at, look), torch.full_like(at, NOTHING))
    doubled = {
        name: getattr(visual, name).double() for name in ("images", "headings", "elevations", "distances")
    }
    return replace(visual, **doubled, grids=grids or visual.grids)


def begun(made: BevBert, rows: int) -> Any:
    tokens = torch.tensor([[3, 4, 5, 2], [7, 8, 0, 0], [9, 1, 2, 0]])[:rows]
    return made.start(tokens, tokens > 0)


@torch.no_grad()
def walked(made: BevBert, *nodes: int, grids: Any = None) -> tuple[Any, Any]:
    """What an agent says after it came through some nodes, and what it remembers."""
    state, logits = begun(made, 1), None
    for node in nodes:
        logits, state = made.step(state, shown(node, grids=grids))
    return logits, state


class Watched:
    """BevGrid features that note which are asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def at(self, row: int, number: int) -> tuple[Any, Any]:
        self.asked.append(number)
        return WORLD.grids.at(row, number)


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ([A], [A]),
        ([A, B], [A, B]),
        ([A, B, C], [B, C]),
        ([A, D, A, B], [A, B]),
        ([A, D, A], [A, D]),
    ],
)
def test_visited_viewpoints_one_hop_away_belong_to_the_grid(path: list[int], near: list[int]) -> None:
    made = model()
    for steps in range(1, len(path) + 1):
        grids = Watched()
        walked(made, *path[:steps], grids=grids)
        assert set(grids.asked) <= set(path[:steps]), "nothing is asked for that the agent did not see"
    grids = Watched()
    _, state = walked(made, *path[:-1])
    made.step(state if len(path) > 1 else begun(made, 1), shown(path[-1], grids=grids))
    assert sorted(grids.asked) == near


def test_an_agent_is_refused_what_it_did_not_see() -> None:
    remembered = RememberedGrids([{A: made_grid("a")}])
    logits, _ = walked(model(), A, grids=remembered)
    assert logits.isfinite().any()
    with pytest.raises(KeyError):
        remembered.at(0, B)


@torch.no_grad()
def test_batches_say_what_their_rows_say() -> None:
    made = model()
    state, singles = begun(made, 3), unstack(begun(made, 3))
    for nodes in ((A, C, D), (B, B, A), (C, A, B)):
        logits, state = made.step(state, shown(*nodes))
        for row, node in enumerate(nodes):
            alone, singles[row] = made.step(singles[row], shown(node))
            there = state.plan.there[row]
            torch.testing.assert_close(logits[row, :-1][there], alone[0, :-1], atol=1e-10, rtol=0)
            torch.testing.assert_close(logits[row, -1], alone[0, -1], atol=1e-10, rtol=0)
        state = stack(unstack(state))


@torch.no_grad()
def test_agents_look_level() -> None:
    made, state = model(), begun(model(), 1)
    level, _ = made.step(state, shown(A, look=13))
    up, _ = made.step(state, shown(A, look=25))
    other, _ = made.step(state, shown(A, look=14))
    assert torch.equal(level, up)
    assert not torch.allclose(level, other)
    assert levelled(shown(A, look=3)).look.tolist() == [15]


@torch.no_grad()
def test_the_order_of_candidates_does_not_matter() -> None:
    made, visual = model(), shown(A)
    first, state = made.step(begun(made, 1), visual)
    names = ("views", "headings", "elevations", "open", "leads", "distances")
    turned = replace(visual, **{name: getattr(visual, name).flip(1) for name in names})
    second, other = made.step(begun(made, 1), turned)
    for said, by in ((first, state), (second, other)):
        order = by.plan.places[0].argsort()
        torch.testing.assert_close(said[0, :-1][order], first[0, :-1][state.plan.places[0].argsort()])
    torch.testing.assert_close(first[0, -1], second[0, -1])


@torch.no_grad()
def test_candidates_in_one_cell_are_locally_alike() -> None:
    made, visual = model(), shown(A)
    both = replace(
        visual,
        headings=torch.full_like(visual.headings, 0.5),
        elevations=torch.zeros_like(visual.elevations),
        distances=torch.tensor([[1.0, 1.05]], dtype=torch.float64),
    )
    said = made.considered(begun(made, 1), both)[0]
    assert said.candidates[0, 0] == said.candidates[0, 1]
    assert not math.isclose(float(said.nodes[0, 1]), float(said.nodes[0, 2]))


@torch.no_grad()
def test_what_is_seen_changes_what_is_said() -> None:
    made = model()
    once = walked(made, A, B)[0]
    blind = RememberedGrids([{n: PatchGrid(*(0 * part for part in made_grid("abcd"[n]))) for n in (A, B)}])
    assert not torch.allclose(once, walked(made, A, B, grids=blind)[0])
    empty = {A: PatchGrid(*(0 * part for part in made_grid("a"))), B: made_grid("b")}
    assert not torch.allclose(once, walked(made, A, B, grids=RememberedGrids([empty]))[0])
    alone = walked(model(reach=0), A, B)[0]
    torch.testing.assert_close(alone, walked(made, A, B, grids=RememberedGrids([empty]))[0])


def test_it_learns() -> None:
    made = model().train()
    logits, _ = made.step(begun(made, 1), shown(A))
    logits[logits.isfinite()].sum().backward()
    encoder = made.vln_bert.local_encoder
    for weight in (encoder.bev_fts_embeddings[0].weight, encoder.bev_pos_embeddings[0].weight):
        assert weight.grad is not None
        assert weight.grad.abs().sum() > 0


def test_grids_that_do_not_fit_are_refused() -> None:
    made = model()
    with pytest.raises(InputError, match="shown no grid features"):
        made.step(begun(made, 1), replace(shown(A), grids=None))
    with pytest.raises(InputError, match="5 numbers per patch"):
        walked(model(patch_size=7), A)
    for wrong in ({"grid_size": 8}, {"cell": 0.0}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            model(**wrong)


def test_a_mirror_exchanges_left_and_right() -> None:
    grid = made_grid("a")
    points, known = lift(torch.from_numpy(grid.depths))
    across, also = lift(torch.from_numpy(mirrored_grid(grid).depths.copy()))
    mirrored = points[known] * torch.tensor([-1.0, 1.0, 1.0])
    features = torch.from_numpy(grid.patches).flatten(0, 2)[known]
    others = torch.from_numpy(mirrored_grid(grid).patches.copy()).flatten(0, 2)[also]
    order, turned = features[:, 0].argsort(), others[:, 0].argsort()
    assert torch.equal(features[order], others[turned])
    torch.testing.assert_close(mirrored[order], across[also][turned], atol=1e-5, rtol=0)
    grids = WORLD.grids
    assert torch.equal(grids.at(0, A + 4)[1], torch.from_numpy(mirrored_grid(grid).depths.copy()))
