"""DUET and ScaleVLN have the official layout, and walk as the official code does, value by value."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import shapes  # noqa: E402
from map_models import made  # noqa: E402
from map_rollouts import Moment, Walk, in_official_order, numbers_of  # noqa: E402
from tiny_models import on_paper  # noqa: E402
from vlnscope.agents.learned.inputs import facing, tilt  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

CLOSE = 2e-5
FILES = {"duet": "duet_rollouts.json", "scalevln": "scalevln_rollouts.json"}


def read(shared: Path, name: str) -> Any:
    return json.loads((shared / "fixtures" / name).read_text())


def test_the_layout_is_official(shared: Path) -> None:
    oracles = read(shared, "model_oracles.json")
    official = oracles["duet_r2r_state_dict"]
    own = {name: shape for name, shape in shapes(on_paper("duet")).items() if not name.startswith("critic.")}
    assert own == official
    assert list(own) == list(official)
    assert sum(map(math.prod, own.values())) == oracles["duet_r2r_num_params"]
    scale = read(shared, "scalevln_rollouts.json")["full_size"]
    found = {n: s for n, s in shapes(on_paper("scalevln")).items() if not n.startswith("critic.")}
    assert found == official | scale["state_dict"]
    assert sum(map(math.prod, found.values())) == scale["num_params"]
    assert shapes(on_paper("scalevln", "b16"))["vln_bert.img_embeddings.img_linear.weight"] == [768, 512]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_rollouts_are_those_of_the_official_code(shared: Path, data_root: Path, name: str) -> None:
    official = read(shared, FILES[name])
    assert official["cases"]
    for case in official["cases"]:
        model = made(name, official, case)
        assert shapes(model.vln_bert) == {
            key: shape
            for key, shape in official["state_dict"].items()
            if not (key.startswith("sap_fuse") and not model.config.dynamic_fusion)
            and not ("sprel" in key and not model.config.distance_bias)
        }
        walk = Walk(model, case, data_root / "connectivity", official["config"]["image_feat_size"])
        begun = model.start(*walk.texts())
        for row, words in enumerate(case["txt_embeds_first3dims"]):
            ids = case["items"][row]["txt_ids"]
            near(begun.words[row, : len(ids), :3], [numbers_of(word) for word in words[: len(ids)]])
        loss = torch.zeros(())
        for moment in walk.steps():
            for row in moment.rows:
                check_map(walk, moment, row)
                check_features(walk, model, moment, row)
                check_logits(moment, row)
                if case["feedback"] == "teacher":
                    column = walk.column(row, moment.logits, moment.state, moment.number)
                    loss = loss - moment.logits[row].log_softmax(0)[column]
        assert walk.paths == case["trajectories"]
        for row, chances in enumerate(case["stop_probs"]):
            assert set(chances) == set(walk.final[row])
            for viewpoint, chance in chances.items():
                near(walk.final[row][viewpoint], chance)
        if "il_loss" in case:
            near(loss / len(case["items"]), case["il_loss"], 1e-4)


def near(own: Any, official: Any, close: float = CLOSE) -> None:
    if isinstance(official, list):
        official = torch.stack([torch.as_tensor(each) for each in official])
    own, official = torch.as_tensor(own).double(), torch.as_tensor(official).double()
    torch.testing.assert_close(own, official, atol=close, rtol=0)


def check_map(walk: Walk, moment: Moment, row: int) -> None:
    """Nodes, their order, steps and distances."""
    plan, recorded, names = moment.state.plan, moment.recorded, walk.worlds.names
    order = in_official_order(moment, row)
    size = len(order)
    assert recorded["gmap_vpids"][row] == [None, *(names[int(plan.places[row, node])] for node in order)]
    assert recorded["gmap_step_ids"][row][1 : size + 1] == plan.steps[row, order].tolist()
    assert recorded["gmap_visited_masks"][row][1 : size + 1] == plan.visited[row, order].long().tolist()
    assert sum(recorded["gmap_masks"][row]) == size + 1
    apart = torch.tensor(recorded["gmap_pair_dists"][row], dtype=torch.float64)
    near(plan.pair_distances()[row][order][:, order], apart[1 : size + 1, 1 : size + 1])
    assert not apart[0].any()
    assert not apart[:, 0].any()
    left = not bool((plan.there & ~plan.visited)[row].any())
    assert recorded["no_vp_left"][row] == left


def check_features(walk: Walk, model: Any, moment: Moment, row: int) -> None:
    """What the place, and the nodes of the map, look like and where they lie."""
    plan, recorded = moment.state.plan, moment.recorded
    seen, order = recorded["obs"][row], in_official_order(moment, row)
    at = walk.visual()
    assert seen["viewpoint"] == walk.worlds.names[int(walk.nodes[row])]
    assert seen["viewIndex"] == int(walk.look[row])
    near(facing(at)[row], seen["heading"])
    near(tilt(at.look, at.headings)[row], seen["elevation"])
    count = int(at.open[row].sum())
    ways = [[walk.worlds.names[int(at.leads[row, c])], int(at.views[row, c])] for c in range(count)]
    assert seen["candidates"] == ways
    panorama = model.vln_bert.img_embeddings(at, model.vln_bert.embeddings.token_type_embeddings.weight[1])
    tokens = panorama.tokens[row][panorama.mask[row]]
    assert recorded["pano_lens"][row] == len(tokens)
    near(tokens[:8, :3], torch.tensor(recorded["pano_embeds_first3dims_first8tokens"][row]))
    means = recorded["pano_mean"][row]
    near(panorama.mean[row, : len(means)], torch.tensor(means))
    looks = torch.tensor(recorded["gmap_img_embeds_first3dims"][row])
    near(plan.tokens[row, order, :3], looks[1 : len(order) + 1])
    positions = plan.positions_from_here(facing(at), tilt(at.look, at.headings))
    near(positions[row, order], torch.tensor(recorded["gmap_pos_fts"][row])[1 : len(order) + 1])
    where = torch.tensor(recorded["vp_pos_fts_first6"][row])
    near(where[0, :7], positions[row, int(plan.begin[row])])
    nodes = plan.nodes_of(at.leads)[row, : min(count, len(where) - 1)]
    near(where[1 : len(nodes) + 1, 7:], positions[row, nodes])
    assert not where[0, 7:].any()
    assert sum(recorded["vp_nav_masks"][row]) == count + 1


def check_logits(moment: Moment, row: int) -> None:
    """What both branches and the model say, stopping first as the official code has it."""
    said, recorded, plan = moment.said, moment.recorded, moment.state.plan
    order = in_official_order(moment, row)
    share = said.weight[row]
    official = recorded["fuse_weight"]
    near(share, official[row] if isinstance(official, list) else official)
    nodes = said.nodes[row].masked_fill(plan.visited[row], -math.inf)[order]
    branch(share * torch.cat([said.map_stop[row : row + 1], nodes]), recorded["global_logits"][row])
    ways = sum(recorded["vp_nav_masks"][row]) - 1
    local = torch.cat([said.view_stop[row : row + 1], said.candidates[row, :ways]])
    branch((1 - share) * local, recorded["local_logits"][row])
    branch(moment.logits[row][[moment.logits.shape[1] - 1, *order]], recorded["fused_logits"][row])


def branch(own: Any, official: Any) -> None:
    """Compare logits; the official ones are padded."""
    near(own, numbers_of(official)[: len(own)])
    assert numbers_of(official)[len(own) :].isinf().all()
