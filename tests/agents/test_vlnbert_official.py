"""VLN↻BERT has the layouts of the official code, and computes what it does."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import fill, hashed, key_of, made_input, shapes  # noqa: E402
from tiny_models import WIDTH, on_paper, texts, tiny, visuals  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.learned.packing import Packing  # noqa: E402
from vlnscope.agents.learned.public_checkpoints import load_official  # noqa: E402
from vlnscope.agents.learned.recurrent_bert.vlnbert import VlnBert, readable_words  # noqa: E402
from vlnscope.agents.learned.recurrent_bert.vlnbert_config import VlnBertConfig  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

INITS = ("oscar", "prevalent")
HIDDEN = -10000.0
"""What the official code adds to the scores of candidates that are not there."""


def close(own: Any, official: Any, atol: float = 2e-5) -> None:
    torch.testing.assert_close(own, torch.as_tensor(official, dtype=own.dtype), atol=atol, rtol=0)


@pytest.fixture(scope="module", params=INITS)
def oracle(request: pytest.FixtureRequest, shared: Path) -> Any:
    found = json.loads((shared / "fixtures" / f"vlnbert_{request.param}.json").read_text())
    return {"init": request.param, **found}


def of_oracle(oracle: Any) -> VlnBert:
    sizes, oscar = oracle["config"], oracle["init"] == "oscar"
    angle = oracle["state_dict"]["action_state_project.0.weight"][1] - sizes["hidden_size"]
    config = VlnBertConfig(
        init=oracle["init"],
        vocabulary=sizes["vocab_size"],
        image_size=sizes["img_feature_dim"] - angle,
        angle_size=angle,
        hidden=sizes["hidden_size"],
        heads=sizes["num_attention_heads"],
        wide=sizes["intermediate_size"],
        max_positions=sizes["max_position_embeddings"],
        max_tokens=sizes["max_position_embeddings"],
        text_layers=sizes["num_hidden_layers" if oscar else "la_layers"],
        cross_layers=sizes["vl_layers"],
        layer_norm_eps=sizes["layer_norm_eps"],
    )
    model = make_model("vlnbert", config)
    assert isinstance(model, VlnBert)
    return model.eval()


def test_the_rule_of_weights_gives_the_official_numbers(shared: Path) -> None:
    checks = json.loads((shared / "fixtures" / "model_weight_rule.json").read_text())["rule_check"]
    assert key_of("a.weight") == checks['key("a.weight")']
    first = hashed(5, key_of("a.weight"), 0)
    assert first.tolist() == pytest.approx(checks["a.weight 2-D salt 0 scale 1, first 5"], abs=1e-7)
    norms = 1 + 0.1 * hashed(3, key_of("a.weight"), 3)
    assert norms.tolist() == pytest.approx(checks["a.weight 1-D salt 3 scale 0.2, first 3"], abs=1e-7)
    assert made_input((5,), 11).tolist() == pytest.approx(checks["in((5,), seed 11, scale 1)"], abs=1e-7)


def test_layouts_are_the_official_ones(oracle: Any) -> None:
    small = shapes(of_oracle(oracle).vln_bert)
    assert small == oracle["state_dict"]
    official, model = oracle["full_size"], on_paper("vlnbert", f"full-{oracle['init']}")
    parts = model.parts()
    found = shapes(parts["vln_bert"])
    assert found == official["state_dict"]
    assert list(found) == list(official["state_dict"])
    assert len(found) == official["num_tensors"]
    assert sum(math.prod(shape) for shape in found.values()) == official["num_params"]
    assert shapes(parts["critic"]) == {
        "state2value.0.weight": [512, 768], "state2value.0.bias": [512],
        "state2value.3.weight": [1, 512], "state2value.3.bias": [1],
    }  # fmt: skip


@torch.no_grad()
def test_it_computes_what_the_official_code_does(oracle: Any) -> None:
    model = of_oracle(oracle)
    assert oracle["cases"]
    for case in oracle["cases"]:
        rule = {"salt": case["weights_salt"], "scale": case["weights_scale"], "rule": case["weights_rule"]}
        fill(model.vln_bert, **rule)
        tokens = torch.tensor(case["sentence_ids"])
        mask = tokens != 0
        state = model.start(tokens, mask)
        if case["initial_state_first8"] is not None:
            close(state.token[:, :8], case["initial_state_first8"])
        else:
            assert torch.equal(state.token, state.words[:, 0])
        close(state.words[..., :4][mask], torch.tensor(case["language_first4dims"])[mask])
        token = state.token
        for number, step in enumerate(case["steps"]):
            ways = torch.tensor(step["candidate_lengths_incl_stop"]) - 1
            offered, packing = candidates(model, case, number, ways)
            action = made_input((len(ways), model.config.angle_size), 5000 + 10 * case["case"] + number)
            told = model.vln_bert.begin_step(token, action)
            scores, token = model.vln_bert.step(told, offered, packing, readable_words(state))
            compare(scores, ways, step)
            close(token, step["h_t"])


def candidates(model: VlnBert, case: Any, number: int, ways: Any) -> Any:
    """Stopping and the made-up candidates of a step, embedded; and which there are."""
    most, width, net = int(ways.max()), model.config.view_size, model.vln_bert
    there = torch.arange(most) < ways[:, None]
    features = torch.zeros(len(ways), 1 + most, width)
    for row, count in enumerate(ways.tolist()):
        seed = 1000 * case["case"] + 10 * number + row
        features[row, 1 : 1 + count] = made_input((count, width), seed)
    yes = torch.ones(len(ways), 1, dtype=torch.bool)
    offered = net.candidates(features) * torch.cat([yes, there], dim=1)[..., None]
    return offered, Packing.of(torch.cat([yes, yes, there], dim=1))


def compare(scores: Any, ways: Any, step: Any) -> None:
    """Stopping is our first column and their last; padding is for them one more way to stop, but hidden."""
    most = int(ways.max())
    for row, count in enumerate(ways.tolist()):
        own = torch.cat([scores[row, 1 : 1 + count], scores[row, :1]])
        before, after = step["logits_before_mask"][row], [float(each) for each in step["logits"][row]]
        close(own, before[: count + 1])
        close(own, after[: count + 1])
        assert after[count + 1 :] == [-math.inf] * (most - count)
        hidden = scores[row, :1].expand(most - count) + HIDDEN
        close(hidden, before[count + 1 :], atol=1.5e-3)  # numbers around 10,000 are that coarse


def test_a_full_checkpoint_fills_the_model(tmp_path: Path) -> None:
    """The official file: a wrapper whose names are kept, with or without ``module.``, and a critic."""
    for init in INITS:
        model, other = tiny("vlnbert", init=init), tiny("vlnbert", init=init, seed=5)
        file, extra = tmp_path / init, {"vln_bert.encoder.new": torch.ones(2)}
        content = {
            part: {"epoch": 1, "state_dict": {f"module.{k}": v for k, v in module.state_dict().items()}}
            for part, module in other.parts().items()
        }
        content["vln_bert"]["state_dict"] |= extra
        torch.save(content, file)
        report = load_official(model, file)
        assert report.missing == ()
        assert report.unexpected == ("vln_bert/vln_bert.encoder.new",)
        for key, tensor in model.state_dict().items():
            assert torch.equal(tensor, other.state_dict()[key])


@pytest.mark.parametrize("init", INITS)
def test_stopping_and_words_in_their_place(init: str) -> None:
    """The first word is no word: the token that remembers stands in its place."""
    model, (tokens, mask) = tiny("vlnbert", init=init), texts(4, 3)
    state, visual = model.start(tokens, mask), visuals(4, 3, 4)
    assert not readable_words(state).readable[:, 0].any()
    logits, after = model.step(state, visual)
    assert logits[:, -1].isfinite().all()
    assert torch.equal(logits[:, :-1].isfinite(), visual.open)
    logits.masked_fill(~logits.isfinite(), 0.0).sum().backward()
    weights = {name: weight.grad for name, weight in model.named_parameters() if weight.grad is not None}
    assert all(bool(grad.isfinite().all()) for grad in weights.values())
    assert after.token.shape == (3, model.config.hidden)


def test_sizes_that_cannot_be_are_refused() -> None:
    for changes in ({"init": "lxmert"}, {"hidden": 9}, {"max_tokens": 999}):
        with pytest.raises(InputError):
            VlnBertConfig.preset("small", **changes)
    with pytest.raises(InputError, match="alike_heads"):
        VlnBertConfig.preset("small", vocabulary=12)


@torch.no_grad()
def test_views_without_candidates_matter_only_as_surroundings() -> None:
    visual, read = visuals(6, 3, 4), texts(6, 3)
    free = [view for view in range(36) if not (visual.views == view).any()]
    images = visual.images.clone()
    images[:, free] += 1.0
    for surroundings in (False, True):
        model = tiny("vlnbert", surroundings=surroundings)
        state = model.start(*read)
        first, second = (
            model.step(state, each)[0] for each in (visual, dataclasses.replace(visual, images=images))
        )
        assert torch.allclose(first, second) is not surroundings


@torch.no_grad()
def test_heads_prefer_words_like_what_is_seen() -> None:
    """With vectors of words, in the space of images, and for both inits."""
    visual = visuals(7, 2, 3)
    vectors = torch.rand(2, 5, 10, dtype=torch.float64)
    mask = torch.ones(2, 5, dtype=torch.bool)
    for init in INITS:
        sizes = {"vocabulary": 0, "word_size": 10, "init": init}
        logits = []
        for alike_heads in (0, 1):
            model = tiny("vlnbert", **sizes, alike_heads=alike_heads)
            state = model.start(vectors, mask)
            assert state.alike.shape == (2, 5, WIDTH if alike_heads else 0)
            logits.append(model.step(state, visual)[0])
        assert not torch.allclose(*logits)
