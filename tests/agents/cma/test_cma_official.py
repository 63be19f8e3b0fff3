"""Agents of continuous environments have the layouts of VLN-CE and IVLN-CE, and compute what these do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from continuous_policies import LATENT, formula_episode, formula_maps, official, walk  # noqa: E402
from hash_rule import fill, residue_input, shapes  # noqa: E402
from tiny_models import idle_init, on_paper  # noqa: E402
from vlnscope.agents.learned.cma import MapCma, RedNet  # noqa: E402
from vlnscope.agents.learned.cma.batches import batch_of  # noqa: E402
from vlnscope.agents.learned.cma.config import CmaConfig  # noqa: E402
from vlnscope.agents.learned.cma.losses import policy_loss  # noqa: E402
from vlnscope.agents.learned.cma.rednet import RedNetConfig  # noqa: E402
from vlnscope.agents.learned.cma.sights import Sights  # noqa: E402
from vlnscope.agents.learned.cma.steps import Steps  # noqa: E402
from vlnscope.agents.learned.cma.visual_encoders import DepthCellEncoder, RgbCellEncoder  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

TABLES = {
    "cma": "ivlnce_CMA", "tour_cma": "ivlnce_TourCMA", "pool_cma": "ivlnce_PoolCMA",
    "pool_end_cma": "ivlnce_PoolEndCMA", "map_cma": "ivlnce_MapCMAPolicy", "rednet": "RedNet13",
}  # fmt: skip
NETWORKS = 1e-4
"""How far networks may be from the oracles; images go through many more layers, so they may be farther."""
IMAGES = 1e-3
TRAINING = 1e-3


def near(own: Any, wanted: Any, atol: float = NETWORKS, rtol: float = 0.0) -> None:
    torch.testing.assert_close(own, torch.as_tensor(wanted, dtype=own.dtype), atol=atol, rtol=rtol)


def read(shared: Path, name: str) -> Any:
    return json.loads((shared / "fixtures" / f"{name}.json").read_text())


@pytest.fixture(scope="module")
def family(shared: Path) -> Any:
    return read(shared, "ce_cma_family")


@pytest.fixture(scope="module")
def tables(shared: Path) -> Any:
    return read(shared, "ce_state_dicts")["tables"]


@pytest.mark.parametrize(("name", "table"), TABLES.items())
def test_every_weight_has_its_official_name_and_shape(tables: Any, name: str, table: str) -> None:
    official_table, own = tables[table], on_paper(name)
    whole = tables["vlnce_CMAPolicy"]["state_dict"]
    wanted = official_table.get("state_dict") or {**whole, **official_table["differences"]}
    assert shapes(own) == wanted
    assert sum(weight.numel() for weight in own.parameters()) == official_table["num_params"]


@pytest.mark.parametrize("name", [name for name in TABLES if name != "rednet"])
def test_as_many_weights_are_learned_as_officially(tables: Any, name: str) -> None:
    """The official count was taken with word embeddings that are learned."""
    own = on_paper(name, trains_words=True)
    learned = sum(weight.numel() for weight in own.parameters() if weight.requires_grad)
    assert learned == tables[TABLES[name]]["trainable_params"]


def test_the_depth_encoder_has_its_official_layout(tables: Any) -> None:
    with torch.device("meta"), idle_init():
        own = DepthCellEncoder(CmaConfig.preset("full"))
    assert shapes(own) == tables["VlnResnetDepthEncoder"]["state_dict"]


@pytest.mark.parametrize("uses_previous", [True, False])
def test_seq2seq_shares_its_encoders_with_cma(tables: Any, uses_previous: bool) -> None:
    """No table of it was made; what else it has is as its code says."""
    own = shapes(on_paper("seq2seq_ce", uses_previous=uses_previous))
    cma = tables["vlnce_CMAPolicy"]["state_dict"]
    shared = ("net.depth_encoder.visual_encoder.", "net.rgb_encoder.cnn.", "net.instruction_encoder.")
    wanted = {
        name: shape for name, shape in cma.items() if name.startswith(shared) and "_reverse" not in name
    }
    kept = ("net.progress_monitor.", "net.state_encoder.", "action_distribution.")
    wanted |= {name: shape for name, shape in cma.items() if name.startswith(kept)}
    heard = 128 + 128 + 256
    if uses_previous:
        wanted["net.prev_action_embedding.weight"], heard = [5, 32], heard + 32
    wanted["net.state_encoder.rnn.weight_ih_l0"] = [3 * 512, heard]
    wanted |= {
        "net.depth_encoder.visual_fc.1.weight": [128, 128 * 16],
        "net.depth_encoder.visual_fc.1.bias": [128],
    }
    wanted |= {"net.rgb_encoder.fc.1.weight": [256, 2048], "net.rgb_encoder.fc.1.bias": [256]}
    assert own == wanted


@torch.no_grad()
def test_cma_decides_as_vln_ce_does(family: Any) -> None:
    assert family["cases"]
    for case in family["cases"].values():
        wanted = case["vlnce_cma"]
        policy = official(LATENT["cma"], case["config"], case["weights_rule"])
        assert shapes(policy) == wanted["state_dict"]
        same_episode = torch.tensor(wanted["not_done_masks"]).bool()
        steps = features_of(case["config"], same_episode, same_episode, wanted["prev_actions"], 100, 200)
        words = torch.tensor(wanted["instruction"])
        near(policy.read(words).context.transpose(1, 2), wanted["instruction_embedding"])
        own = policy(policy.read(words), steps, policy.start(2))
        one_by_one = walk(policy, words, steps)
        for step, logits, features, single in zip(
            wanted["steps"], own.logits, own.features, one_by_one, strict=True
        ):
            near(logits.log_softmax(-1), step["logits"])
            near(features, step["features"])
            near(single.state, step["rnn_states"])
            near(single.features[0], features, atol=1e-5)
            assert logits.argmax(-1).tolist() == step["action"]


@torch.no_grad()
@pytest.mark.parametrize("name", LATENT)
def test_agents_walk_tours_as_ivln_ce_has_them(family: Any, name: str) -> None:
    for case in family["cases"].values():
        wanted, inputs = case[name], case["tour_inputs"]
        policy = official(LATENT[name], case["config"], case["weights_rule"])
        assert shapes(policy) == wanted["state_dict"]
        assert policy.net.slots == wanted["num_recurrent_layers"]
        same_episode, same_tour = (
            torch.tensor(inputs[key]).bool() for key in ("agent_episode_not_done", "tour_not_done")
        )
        steps = features_of(case["config"], same_episode, same_tour, inputs["prev_actions"], 300, 400)
        state = policy.start(2)
        for number, step in enumerate(wanted["steps"]):
            now = steps.sights.each(lambda tensor, at=number: tensor[at])
            read = policy.read(torch.tensor(inputs["instruction"][number]))
            own = policy(
                read, Steps.one(now, steps.previous[number], same_episode[number], same_tour[number]), state
            )
            state = own.state
            near(own.logits[0].log_softmax(-1), step["logits"])
            near(state.sum(-1), step["state_sums"])
            assert own.logits[0].argmax(-1).tolist() == step["action"]
            if policy.net.slots > 2:
                near(state[:, 2, :8], step["memory_first8"])
        near(state, wanted["final_rnn_states"])


def test_episodes_begin_anew_where_the_official_environment_says_so(family: Any) -> None:
    for case in family["cases"].values():
        inputs = case["tour_inputs"]
        phases = inputs["phase_env0"]
        led = torch.tensor([phase.startswith("oracle") for phase in phases])
        before = torch.tensor([True, *led[:-1].tolist()])
        new_tour = ~torch.tensor(inputs["tour_not_done"]).bool()[:, 0]
        policy = official(LATENT["cma"], case["config"], case["weights_rule"])
        own = policy.same_episode(~led & (before | new_tour), led)
        assert own.int().tolist() == [row[0] for row in inputs["agent_episode_not_done"]]


def features_of(sizes: Any, same_episode: Any, same_tour: Any, previous: Any, rgb: int, depth: int) -> Steps:
    count, rows = same_episode.shape
    channels = sizes["rgb_feature_channels"]
    seen = Sights(
        rgb_features=torch.stack([residue_input((rows, channels, 4, 4), rgb + t) for t in range(count)]),
        depth_features=torch.stack([residue_input((rows, 128, 4, 4), depth + t) for t in range(count)]),
    )
    text = torch.arange(rows).expand(count, rows)
    return Steps(seen, torch.tensor(previous), same_episode, same_tour, text, torch.ones_like(same_episode))


@torch.no_grad()
def test_map_cma_decides_as_ivln_ce_does(shared: Path) -> None:
    for case in read(shared, "ce_map_cma_and_depth")["map_cma"].values():
        policy = official(MapCma, case["config"], case["weights_rule"])
        assert shapes(policy) == case["state_dict"]
        words, state = torch.tensor(case["instruction"]), policy.start(2)
        for number, step in enumerate(case["steps"]):
            sights = Sights(
                depth_features=residue_input((2, 128, 4, 4), 500 + number),
                **formula_maps([number, number + 5]),
            )
            seen = policy.net.map_encoder(sights)
            near(seen.sum((1, 2, 3)), step["map_embedding_sum"])
            near(seen[:, :4], step["map_embedding_first4"])
            previous, same_episode = (
                torch.tensor(case[key][number]) for key in ("prev_actions", "not_done_masks")
            )
            own = policy(policy.read(words), Steps.one(sights, previous, same_episode.bool()), state)
            state = own.state
            near(own.features[0], step["features"])
            near(own.logits[0].log_softmax(-1), step["logits"])
            near(state, step["rnn_states"])
            assert own.logits[0].argmax(-1).tolist() == step["action"]


@torch.no_grad()
def test_depth_is_seen_as_officially(shared: Path) -> None:
    wanted = read(shared, "ce_map_cma_and_depth")["depth_encoder"]
    with idle_init():
        encoder = fill(DepthCellEncoder(CmaConfig.preset("full")), rule="residues")
    images = depth_images(wanted["image_seeds"])
    seen = encoder(Sights(depth=images)).view(wanted["output_shape"])
    near(seen[:, :128].sum((1, 2, 3)), wanted["visual_encoder_sum"], atol=IMAGES)
    near(seen[:, :128].square().sum((1, 2, 3)), wanted["visual_encoder_sumsq"], atol=IMAGES)
    near(seen[:, :16], wanted["visual_first16_channels"])
    near(seen[:, 128:132], wanted["spatial_part_channels_128_131"])


def depth_images(seeds: Any) -> Any:
    v, u = torch.arange(256).double()[:, None], torch.arange(256).double()[None]
    images = [
        ((3 * u * u + 5 * v * v + u * v + 101 * seed) % 509) / 509 * 0.5
        + 0.3 * v / 255
        + 0.1 * ((u // 32 + seed) % 2)
        for seed in seeds
    ]
    return torch.stack(images)[..., None].float()


@torch.no_grad()
def test_colours_are_seen_as_officially(shared: Path) -> None:
    wanted = read(shared, "ce_cnn_encoders")["rgb_encoder"]
    with idle_init():
        encoder = RgbCellEncoder(CmaConfig.preset("full"))
    assert shapes(encoder) == wanted["state_dict"]
    fill(encoder, rule="residues")
    v, u = torch.arange(224)[:, None], torch.arange(224)[None]
    image = torch.stack(
        [((c + 1) * u * u + 3 * v * v + u * v + 37 * (c + 1)) % 256 for c in range(3)], dim=-1
    )
    seen = encoder(Sights(rgb=image[None])).view(wanted["output_shape"])
    near(seen[:, :2048].sum(), wanted["feature_sum"], atol=IMAGES)
    near(seen[:, :2048].square().sum(), wanted["feature_sumsq"], atol=IMAGES)
    near(seen[0, :8], wanted["first_8_channels"], atol=IMAGES)
    near(seen[0, 2048:2050], wanted["spatial_first_2_channels"])


@torch.no_grad()
def test_rednet_tells_classes_as_officially(shared: Path) -> None:
    wanted = read(shared, "ce_cnn_encoders")["rednet"]
    with idle_init():
        network = fill(RedNet(RedNetConfig.preset("full")), rule="residues")
    scores = network(residue_input((1, 3, 64, 64), 1), residue_input((1, 1, 64, 64), 2))
    assert list(scores.shape) == wanted["output_shape"]
    near(scores[0, :, :3, :3], wanted["corner_3x3_per_class"], atol=IMAGES)
    near(scores.sum((2, 3))[0], wanted["class_sums"], atol=5e-3)
    best = scores.argmax(1)
    assert torch.bincount(best.flatten(), minlength=13).tolist() == wanted["argmax_counts"]
    rows = ["".join(f"{each:x}" for each in row.tolist()) for row in best[0, :4]]
    assert rows == wanted["argmax_rows_0_3"]


@pytest.mark.parametrize("name", [*LATENT, "map_cma"])
def test_learning_changes_agents_as_officially(shared: Path, name: str) -> None:
    case = read(shared, "ce_training_losses")[name]
    policy = official({**LATENT, "map_cma": MapCma}[name], case["config"], "B").train()
    optimizer = torch.optim.Adam(policy.parameters(), lr=2.5e-4)
    state = policy.start(2)
    for plan, wanted in zip(case["plan"], case["updates"], strict=True):
        batch = batch_of([formula_episode(case["config"], *each) for each in plan], padding_runs_on=True)
        output = policy(policy.read(batch.words), batch.steps, state.detach())
        labels = batch.progress if "progress_loss" in wanted else None
        loss = policy_loss(output, batch.actions, batch.weights, labels)
        optimizer.zero_grad()
        loss.total.backward()
        optimizer.step()
        state = output.state
        near(loss.total.detach(), wanted["loss"], atol=TRAINING)
        near(loss.action.detach(), wanted["action_loss"], atol=TRAINING)
        near(loss.progress.detach(), wanted.get("progress_loss", 0.0), atol=TRAINING)
        if "state_sums_after" in wanted:
            near(state.detach().sum(-1), wanted["state_sums_after"], atol=TRAINING)
