"""Learned models have the layouts of the official ones, and compute what these do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from tiny_models import on_paper  # noqa: E402
from vlnscope.agents.learned.envdrop import EnvDrop, EnvDropConfig  # noqa: E402
from vlnscope.agents.learned.hamt_transformer import CrossModal, HamtConfig  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


@pytest.fixture(scope="module")
def oracles(shared: Path) -> Any:
    return json.loads((shared / "fixtures" / "model_oracles.json").read_text())


def ruled(module: Any) -> Any:
    """Fill a module with the weights of the oracles' rule."""
    for name, tensor in module.state_dict().items():
        key = sum((place + 1) * ord(letter) for place, letter in enumerate(name)) % 997
        values = torch.sin(torch.arange(tensor.numel(), dtype=torch.float64) * 0.37 + key) * 0.15
        if name.endswith(("LayerNorm.weight", "layer_norm.weight")):
            values = 1 + 0.1 * values
        tensor.copy_(values.reshape(tensor.shape))
    return module.eval()


def waves(seed: int, *shape: int) -> Any:
    return torch.cos(torch.arange(math.prod(shape), dtype=torch.float64) * 0.23 + seed).float().reshape(shape)


def shapes(module: Any) -> dict[str, list[int]]:
    return {name: list(tensor.shape) for name, tensor in module.state_dict().items()}


def test_hamt_has_the_official_layout(oracles: Any) -> None:
    model = on_paper("hamt")
    official = oracles["hamt_r2r_state_dict"]
    own = {name: shape for name, shape in shapes(model).items() if not name.startswith("critic.")}
    assert own == official
    assert list(own) == list(official)
    assert sum(math.prod(shape) for shape in own.values()) == oracles["hamt_r2r_num_params"]
    assert shapes(model.critic)["state2value.0.weight"] == [512, 768]
    few = {"text_layers": 1, "cross_layers": 1, "pano_layers": 1}
    rxr = shapes(on_paper("hamt", "rxr", **few))
    assert {k: v for k, v in rxr.items() if own.get(k, v) != v} == oracles["hamt_rxr_state_dict_diff"]
    tour = shapes(on_paper("tour_hamt", **few))
    extra = {"vln_bert.hist_embeddings.prev_hist_token": [1, 1, 768]}
    positions = {"vln_bert.hist_embeddings.position_embeddings.weight": [50, 768]}
    assert tour == shapes(on_paper("hamt", **few)) | extra | positions


def test_envdrop_has_the_official_layout(oracles: Any) -> None:
    official = oracles["envdrop_full_state"]
    model = on_paper("envdrop", vocabulary=991, angle_size=4)
    assert {part: shapes(module) for part, module in model.parts().items()} == {
        part: official[part] for part in ("encoder", "decoder", "critic")
    }
    released = shapes(on_paper("envdrop"))
    assert released["decoder.lstm.weight_ih"] == [2048, 64 + 2048 + 128]
    assert released["encoder.embedding.weight"] == [992, 256]


def test_seq2seq_has_the_layout_of_the_first_r2r_code() -> None:
    found = shapes(on_paper("seq2seq"))
    assert found["decoder.lstm.weight_ih"] == [2048, 32 + 2048]
    assert found["decoder.embedding.weight"] == [8, 32]
    assert found["decoder.decoder2action.weight"] == [6, 512]
    assert "encoder.lstm.weight_ih_l0_reverse" not in found


@pytest.mark.parametrize("mode", [0, 1])
@torch.no_grad()
def test_hamt_computes_what_the_official_code_does(oracles: Any, mode: int) -> None:
    asked = oracles["hamt_small_forward"]
    expected = asked["outputs"][mode]
    config = HamtConfig(
        vocabulary=60, image_size=16, hidden=48, heads=4, wide=96, max_positions=64, text_layers=2,
        cross_layers=2, pano_layers=1, max_steps=20, max_tokens=64, no_lang_ca=expected["no_lang_ca"],
    )  # fmt: skip
    model = CrossModal(config)
    assert shapes(model) == expected["state_dict"]
    ruled(model)
    mask = torch.tensor(asked["txt_masks"]).bool()
    read = model.read(torch.tensor(asked["txt_ids"]), mask)
    step = model.hist_embeddings(
        waves(1, 2, 16), waves(2, 2, 4), waves(3, 2, 5, 16), waves(4, 2, 5, 4), torch.tensor([0, 0])
    )
    first = model.hist_embeddings.token(model.hist_embeddings.cls_token, 2)
    kinds, seen = torch.tensor(asked["ob_nav_types"]), torch.tensor(asked["ob_masks"]).bool()
    history = torch.stack([first, step], dim=1), torch.tensor(asked["hist_masks"]).bool()
    looked = model.look(read, mask, *history, (waves(5, 2, 5, 16), waves(6, 2, 5, 4), kinds, seen))
    for own, official in (
        (read[0, -1, 0, :8], expected["txt_first_row"]),
        (step[0, :8], expected["hist_step0_first8"]),
        (looked.logits, [[float(number) for number in row] for row in expected["logits"]]),
        (looked.history[0, 0, :8], expected["hist_out_first8"]),
        (looked.visuals[0, 0, :8], expected["ob_out_first8"]),
    ):
        torch.testing.assert_close(own, torch.tensor(official), atol=1e-5, rtol=0)


@torch.no_grad()
def test_envdrop_computes_what_the_official_code_does(oracles: Any) -> None:
    expected = oracles["envdrop_small_forward"]
    model = EnvDrop(
        EnvDropConfig(vocabulary=40, image_size=16, word_size=12, hidden=24, action_size=8, max_tokens=5)
    )
    assert shapes(model.encoder) == expected["enc_state"]
    assert shapes(model.decoder) == expected["dec_state"]
    ruled(model.encoder)
    ruled(model.decoder)
    tokens = torch.tensor([[3, 5, 7, 9, 2], [3, 4, 2, 0, 0]])
    start = model.start(tokens, tokens != 0)
    logits, after = model.decoder(waves(1, 2, 4), waves(2, 2, 36, 20), waves(3, 2, 4, 20), start)
    for own, official in (
        (start.hidden, "decoder_init"),
        (start.cell, "cell_init"),
        (logits, "logit"),
        (after.hidden, "h1"),
        (after.spoken, "h_tilde"),
    ):
        torch.testing.assert_close(own, torch.tensor(expected[official]), atol=1e-5, rtol=0)
