"""BEVBert has the official layout, and walks as the official code does, value by value."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import INPUTS, hashed, key_of, made_input  # noqa: E402
from made_up import Held  # noqa: E402
from map_models import Numbers, made  # noqa: E402
from map_rollouts import Moment, Walk, numbers_of  # noqa: E402
from tiny_models import on_paper  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.inputs import NOTHING, facing, tilt  # noqa: E402
from vlnscope.agents.learned.maps.bev_grid import lift, seen_from  # noqa: E402
from vlnscope.agents.learned.maps.bevbert import GridSurroundings, levelled  # noqa: E402
from vlnscope.agents.learned.maps.map_model import StepInput  # noqa: E402
from vlnscope.engine.batched import roll_out_batches  # noqa: E402
from vlnscope.engine.environment import Environment  # noqa: E402
from vlnscope.engine.jobs import Job  # noqa: E402
from vlnscope.perception.features.grids import PatchGrid  # noqa: E402
from vlnscope.types import Case, Episode, Observation, Rules  # noqa: E402
from vlnscope.worlds.graph.candidates import candidates_of  # noqa: E402
from vlnscope.worlds.graph.views import view_index  # noqa: E402
from vlnscope.worlds.matterport.connectivity import read_connectivity  # noqa: E402
from vlnscope.worlds.scene import Scene  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

CLOSE = 2e-5
CLEAR = 2e-4
"""Gaps between the best and the next choice from which single precision cannot change the choice."""
EDGE = 5e-6
"""Metres: so near to the edge of a cell, single precision may put a point on the other side."""
CELLS = [0, 110, 220, 221, 330, 440]
PLACED = [0, 220, 221, 440]


@pytest.fixture(scope="module")
def oracles(shared: Path) -> Any:
    return json.loads((shared / "fixtures" / "bevbert_rollouts.json").read_text())


def shapes(module: Any) -> dict[str, list[int]]:
    return {name: list(tensor.shape) for name, tensor in module.state_dict().items()}


def model_of(official: dict[str, Any], case: dict[str, Any]) -> Any:
    sizes = official["config"] | case["config_changes"]
    return made("bevbert", official, case, grid_size=sizes["bev_dim"])


@cache
def grid_of(viewpoint: str) -> tuple[Any, Any]:
    """The grid features of a viewpoint, as the oracles make them."""
    key = key_of(viewpoint)
    chance = (hashed(12 * 14 * 14, key + 2, INPUTS) + 1) / 2
    depths = np.where(chance < 0.1, 0.0, 0.02 + 0.5 * chance).astype(np.float32)
    return made_input((12, 14, 14, 768), key + 1), torch.from_numpy(depths).reshape(12, 14, 14)


@dataclass(frozen=True)
class MadeGrids:
    """BevGrid features of the nodes of some graphs."""

    names: Sequence[str]

    def at(self, row: int, number: int) -> tuple[Any, Any]:
        return grid_of(self.names[number])


@dataclass(frozen=True)
class Look:
    """A moment of one agent: what it was shown and made of it, and the nodes as the file lists them."""

    walk: Walk
    model: Any
    moment: Moment
    now: StepInput
    around: GridSurroundings
    row: int

    @property
    def recorded(self) -> dict[str, Any]:
        recorded = self.moment.recorded.items()
        return {name: rows[self.row] if isinstance(rows, list) else rows for name, rows in recorded}

    @property
    def nodes(self) -> list[int]:
        plan = self.moment.state.plan
        numbers = [self.walk.worlds.numbers[name] for name in self.recorded["gmap_vpids"][1:]]
        return plan.nodes_of(torch.tensor(numbers)[None].expand(len(plan.places), -1))[self.row].tolist()

    @property
    def columns(self) -> list[int]:
        """The candidates in the order of the file."""
        leads = [self.walk.worlds.names[lead] for lead in self.now.visual.leads[self.row].tolist()]
        return [leads.index(name) for name in self.recorded["bev_cand_vpids"][1:]]

    @cached_property
    def tolerance(self) -> float:
        """How closely to compare: less where rounding moved a point to another cell."""
        grid = self.model.config.grid
        sums = self.around.features[self.row].abs().sum(1).view(grid.size, grid.size).sum(1)
        official = torch.tensor(self.recorded["bev_fts_abs_sum_per_row_of_cells"], dtype=torch.float64)
        if float((sums - official).abs().max()) < 5e-3:
            return CLOSE
        assert self.points_near_an_edge
        return 1e-2

    @property
    def points_near_an_edge(self) -> int:
        """How many of the points that lie around are so near to an edge that rounding decides."""
        plan, row, grid = self.moment.state.plan, self.row, self.model.config.grid
        found, heading = 0, facing(self.now.visual)[row : row + 1]
        near = plan.visited & plan.known & (plan.of_here(plan.hops) <= 1)
        for node in near[row].nonzero()[:, 0].tolist():
            points, known = lift(grid_of(self.walk.worlds.names[int(plan.places[row, node])])[1].double())
            shift = plan.positions[row, node] - plan.positions[row, int(plan.here[row])]
            across = seen_from((points + shift)[None], heading)[0][known][:, :2] / grid.cell
            found += int((((across - across.floor()) - 0.5).abs() * grid.cell < EDGE).any(1).sum())
        return found


def looks_of(walk: Walk, model: Any, moment: Moment) -> list[Look]:
    """One for each row that is under way."""
    plan, net = moment.state.plan, model.vln_bert
    visual = levelled(walk.visual())
    panorama = net.img_embeddings(visual, net.embeddings.token_type_embeddings.weight[1])
    positions = plan.positions_from_here(facing(visual), tilt(visual.look, visual.headings))
    now = StepInput(
        visual, panorama, plan.nodes_of(visual.leads).masked_fill(~visual.open, NOTHING), positions
    )
    around = model.surroundings(plan, now)
    return [Look(walk, model, moment, now, around, row) for row in moment.rows]


def near(own: Any, official: Any, close: float = CLOSE) -> None:
    own, official = torch.as_tensor(own).double(), torch.as_tensor(official).double()
    torch.testing.assert_close(own, official, atol=close, rtol=0)


def test_the_layout_is_official(shared: Path) -> None:
    official = json.loads((shared / "fixtures" / "model_oracles.json").read_text())["duet_r2r_state_dict"]
    rule = json.loads((shared / "fixtures" / "model_weight_rule.json").read_text())
    change = rule["bevbert_full_size_difference_from_duet"]
    expected = {name: shape for name, shape in official.items() if name not in change["only_duet"]}
    found = shapes(on_paper("bevbert"))
    own = {name: shape for name, shape in found.items() if not name.startswith("critic.")}
    assert own == expected | change["only_bevbert"] | change["changed"]
    assert len(own) == 428
    assert sum(map(math.prod, own.values())) == 180_883_205


def test_candidates_are_listed_as_they_were_first_seen(oracles: Any, data_root: Path) -> None:
    """All neighbours, the nearest in angle first, from where a process first looked."""
    scans = {item["scan"] for case in oracles["cases"] for item in case["items"]}
    graphs = {
        scan: read_connectivity(data_root / "connectivity" / f"{scan}_connectivity.json").graph
        for scan in scans
    }
    before: dict[Any, float] = {}
    for case in oracles["cases"]:
        for step in case["steps"]:
            for item, seen in zip(case["items"], step["obs"], strict=True):
                graph, here = graphs[item["scan"]], seen["viewpoint"]
                first = before.setdefault((item["scan"], here), seen["heading"])
                listed = [name for name, _ in seen["candidates"]]
                assert set(listed) == {way.viewpoint for way in candidates_of(graph, here)}
                place = graph.positions[graph.row(here)]
                apart = [_angle(graph.positions[graph.row(name)] - place, first) for name in listed]
                assert all(one <= next_one + 1e-9 for one, next_one in pairwise(apart))
                assert [view for _, view in seen["candidates"]] == [
                    view_index(math.atan2(*offset[:2]), math.atan2(offset[2], math.hypot(*offset[:2])))
                    for offset in (graph.positions[graph.row(name)] - place for name in listed)
                ]


def _angle(offset: Any, heading: float) -> float:
    east, north, up = offset.tolist()
    turn = math.remainder(math.atan2(east, north) - heading, math.tau)
    return math.hypot(turn, math.atan2(up, math.hypot(east, north)))


@torch.no_grad()
def test_rollouts_are_those_of_the_official_code(oracles: Any, data_root: Path) -> None:
    assert oracles["cases"]
    for case in oracles["cases"]:
        model = model_of(oracles, case)
        assert shapes(model.vln_bert) == {
            key: shape
            for key, shape in oracles["state_dict"].items()
            if not (key.startswith("sap_fuse") and not model.config.dynamic_fusion)
            and not ("sprel" in key and not model.config.distance_bias)
        }
        walk = Walk(model, case, data_root / "connectivity", oracles["config"]["image_feat_size"])
        worlds = walk.worlds
        worlds.inputs = replace(worlds.inputs, grids=MadeGrids(worlds.names))
        begun = model.start(*walk.texts())
        for row, words in enumerate(case["txt_embeds_first3dims"]):
            size = len(case["items"][row]["txt_ids"])
            near(begun.words[row, :size, :3], torch.tensor(words[:size]))
        loss, moved = torch.zeros(()), False
        for moment in walk.steps():
            for look in looks_of(walk, model, moment):
                moved |= look.tolerance > CLOSE
                check_panorama(look)
                check_map(look)
                check_grid(look)
                check_logits(look)
                if case["feedback"] == "teacher":
                    column = walk.column(look.row, moment.logits, moment.state, moment.number)
                    loss = loss - moment.logits[look.row].log_softmax(0)[column]
        assert walk.paths == case["trajectories"]
        for row, chances in enumerate(case["stop_probs"]):
            assert chances
            assert set(chances) == set(walk.final[row])
            for viewpoint, chance in chances.items():
                near(walk.final[row][viewpoint], chance, 1e-2 if moved else CLOSE)
        if "il_loss" in case:
            near(loss / len(case["items"]), case["il_loss"], 1e-1 if moved else 1e-4)


def check_panorama(look: Look) -> None:
    """What is seen; candidates are listed as they were when a process first came there."""
    seen, row, visual = look.recorded["obs"], look.row, look.now.visual
    names = look.walk.worlds.names
    assert seen["viewpoint"] == names[int(look.walk.nodes[row])]
    assert seen["viewIndex"] == int(visual.look[row])
    near(facing(visual)[row], seen["heading"])
    near(tilt(visual.look, visual.headings)[row], seen["elevation"])
    ways = [[names[int(visual.leads[row, c])], int(visual.views[row, c])] for c in look.columns]
    assert seen["candidates"] == ways
    panorama = look.now.panorama
    count = visual.leads.shape[1]
    others = [view for view in range(count, count + 36) if panorama.mask[row, view]]
    assert look.recorded["pano_lens"] == len(ways) + len(others)
    tokens = panorama.tokens[row, [*look.columns, *others]]
    near(tokens[:8, :3], torch.tensor(look.recorded["pano_embeds_first3dims_first8tokens"]))
    means = look.recorded["pano_mean"]
    near(panorama.mean[row, : len(means)], torch.tensor(means))


def check_map(look: Look) -> None:
    """Nodes, where they lie and what they look like."""
    plan, row, order, recorded = look.moment.state.plan, look.row, look.nodes, look.recorded
    size = len(order)
    assert NOTHING not in order
    assert sorted(order) == plan.there[row].nonzero()[:, 0].tolist()
    assert recorded["gmap_step_ids"][1 : size + 1] == plan.steps[row, order].tolist()
    assert recorded["gmap_visited_masks"][1 : size + 1] == plan.visited[row, order].long().tolist()
    assert sum(recorded["gmap_masks"]) == size + 1
    apart = torch.tensor(recorded["gmap_pair_dists"], dtype=torch.float64)
    assert look.model.config.distance_unit == 30
    near(plan.pair_distances()[row][order][:, order] / 30, apart[1 : size + 1, 1 : size + 1])
    assert not apart[0].any()
    assert recorded["no_vp_left"] == (not bool((plan.there & ~plan.visited)[row].any()))
    near(plan.tokens[row, order, :3], torch.tensor(recorded["gmap_img_embeds_first3dims"])[1 : size + 1])
    near(look.now.positions[row, order], torch.tensor(recorded["gmap_pos_fts"])[1 : size + 1])


def check_grid(look: Look) -> None:
    """Cells of candidates, and what is told of cells."""
    recorded, row, around = look.recorded, look.row, look.around
    grid = look.model.config.grid
    cells = [grid.centre, *around.candidates[row, look.columns].tolist()]
    assert recorded["bev_cand_idxs"][: len(cells)] == cells
    assert recorded["bev_nav_cells"] == sorted(set(cells))
    begin = look.now.positions[row, int(look.moment.state.plan.begin[row])].expand(grid.cells, -1)
    where = torch.cat([begin, grid.positions(around.features)], dim=1)
    near(where[PLACED], torch.tensor(recorded["bev_pos_fts_of_cells_0_220_221_440"]))
    if look.tolerance > CLOSE:
        return
    assert recorded["bev_observed_cells"] == int((around.points[row] > 0).sum())
    features = around.features[row]
    near(features[CELLS, :4], torch.tensor(recorded["bev_fts_first4_dims_of_cells_0_110_220_221_330_440"]))


def check_logits(look: Look) -> None:
    """What the branches say, and both together."""
    recorded, row, order, said = look.recorded, look.row, look.nodes, look.moment.said
    plan, close, weight = look.moment.state.plan, look.tolerance, said.weight[row]
    near(weight, recorded["fuse_weight"], close)
    local = torch.cat([said.view_stop[row, None], said.candidates[row, look.columns]]) * (1 - weight)
    near(local, numbers_of(recorded["local_logits"])[: len(local)], close)
    whole = torch.cat([said.map_stop[row, None], said.nodes[row, order]]) * weight
    old = torch.tensor([False, *plan.visited[row, order].tolist()])
    near(whole.masked_fill(old, -torch.inf), numbers_of(recorded["global_logits"])[: len(whole)], close)
    own = look.moment.logits[row][[look.moment.logits.shape[1] - 1, *order]]
    official = numbers_of(recorded["fused_logits"])
    near(own, official[: len(own)], close)
    assert official[len(own) :].isinf().all()


class MadeSights:
    """Features by the rule of the oracles, as an agent is shown them."""

    needs = ("grid:made",)

    def __init__(self, width: int) -> None:
        self.width = width

    def views(self, observation: Observation) -> Any:
        return made_input((36, self.width), key_of(observation.viewpoint)).numpy()

    def grid(self, observation: Observation) -> PatchGrid:
        return PatchGrid(*(part.numpy() for part in grid_of(observation.viewpoint)))


def test_the_engine_walks_as_the_official_code_does(oracles: Any, data_root: Path) -> None:
    free = [
        case for case in oracles["cases"] if case["feedback"] == "argmax" and case["min_top2_gap"] > CLEAR
    ]
    assert free
    for case in free:
        sights = MadeSights(oracles["config"]["image_feat_size"])
        agent = LearnedAgent(model_of(oracles, case), Numbers(oracles["config"]["vocab_size"]), sights)
        scenes = {
            scan: Scene(
                scan, read_connectivity(data_root / "connectivity" / f"{scan}_connectivity.json").graph
            )
            for scan in {item["scan"] for item in case["items"]}
        }
        jobs = []
        for row, item in enumerate(case["items"]):
            told = " ".join(map(str, item["txt_ids"]))
            path, heading = tuple(item["gt_path"]), item["heading"]
            episode = Episode(
                episode_id=str(row),
                path_id="1",
                scan=item["scan"],
                instruction=told,
                path=path,
                heading=heading,
            )
            jobs.append(
                Job(name=str(row), scan=item["scan"], cases=(Case(case_id=str(row), episode=episode),))
            )
        environment = Environment(Held(*scenes.values()), agent.needs)
        rules = Rules(max_steps=case["max_action_len"])
        lines = sorted(roll_out_batches(agent, jobs, environment, rules, 2), key=lambda line: line.case_id)
        for line, expected in zip(lines, case["trajectories"], strict=True):
            assert not line.failed
            assert list(line.path) == [node for part in expected for node in part]
