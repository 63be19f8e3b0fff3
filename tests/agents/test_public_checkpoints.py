"""Public checkpoints are recognised by their weights, say what they need, and run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli, cli  # noqa: E402, F401
from tiny_models import on_paper, released, tiny  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_network, save_checkpoint  # noqa: E402
from vlnscope.agents.learned.envdrop import EnvDrop  # noqa: E402
from vlnscope.agents.learned.model import NavModel, network_class, network_names  # noqa: E402
from vlnscope.agents.learned.network import read_sizes  # noqa: E402
from vlnscope.agents.learned.public_checkpoints import (  # noqa: E402
    files_of,
    fill,
    official_weights,
    open_public,
    recognise,
    words_for,
)
from vlnscope.agents.learned.vocabulary import WordVocabulary  # noqa: E402
from vlnscope.agents.spec import make_agent  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

UNSEEN = {"dropout", "feature_dropout", "attention_dropout", "max_tokens"}
"""Sizes that no weight shows; presets may set them as an official script does."""
WITH_LAYOUT = [name for name in network_names() if network_class(name).layouts]
FULL = [
    (name, preset)
    for name in WITH_LAYOUT
    for preset in network_class(name).Config.PRESETS
    if preset != "small"
]


@pytest.mark.parametrize(("name", "preset"), FULL)
def test_checkpoints_of_full_size_are_recognised_with_their_sizes(name: str, preset: str) -> None:
    model = on_paper(name, preset)
    found = recognise([released(model)])
    assert found is not None
    alike = {"envdrop", "clip_vil"} if name in ("envdrop", "clip_vil") else {name}
    assert found.kind.name in alike
    own, read = model.config.to_dict(), found.config.to_dict()
    assert {key: size for key, size in read.items() if key not in UNSEEN} == {
        key: size for key, size in own.items() if key not in UNSEEN
    }


def test_models_of_the_papers_have_layouts() -> None:
    assert {
        "bevbert", "clip_vil", "duet", "envdrop", "envdrop_speaker", "hamt", "scalevln", "seq2seq", "speaker",
        "speaker_follower", "tour_hamt", "vlnbert",
    } <= set(WITH_LAYOUT)  # fmt: skip


def test_features_tell_scalevln_from_duet_and_clip_vil_from_envdrop() -> None:
    few = {"text_layers": 1, "pano_layers": 1, "cross_layers": 1}
    for width, name in ((768, "duet"), (2048, "duet"), (1024, "scalevln"), (512, "scalevln")):
        found = recognise([released(on_paper("duet", image_size=width, **few))])
        assert found is not None
        assert (found.kind.name, found.config.image_size) == (name, width)
    for width, name in ((2048, "envdrop"), (512, "clip_vil"), (640, "clip_vil")):
        found = recognise([released(on_paper("envdrop", image_size=width))])
        assert found is not None
        assert (found.kind.name, found.config.image_size) == (name, width)


@pytest.mark.parametrize("name", ["hamt", "envdrop", "seq2seq"])
def test_weights_of_a_public_file_are_loaded(name: str, tmp_path: Path) -> None:
    model = tiny(name, **({"hidden": 24, "heads": 12, "max_positions": 90} if name == "hamt" else {})).float()
    weights = released(model)
    weights["optimizer"] = {"state": {}}
    torch.save(weights, tmp_path / "best")
    opened = open_public(tmp_path / "best", name)
    for key, tensor in model.state_dict().items():
        assert torch.equal(opened.model.state_dict()[key], tensor), key
    assert (opened.report.missing, opened.report.unexpected) == ((), ())


def laid_out_otherwise(model: NavModel[Any]) -> Iterator[dict[str, Any]]:
    """One model with a wrapper, in the ways in which people save it."""
    weights = official_weights(model, "vln_bert")
    yield weights
    yield {"model": weights}
    yield {"vln_bert": {key.removeprefix("vln_bert."): weight for key, weight in weights.items()}}
    yield {key.removeprefix("vln_bert."): weight for key, weight in weights.items()}
    yield {f"module.vln_bert.{key}": weight for key, weight in weights.items()}
    yield {"vln_bert": {f"vln_bert.module.{key.removeprefix('vln_bert.')}": w for key, w in weights.items()}}


def test_prefixes_may_be_missing_or_more() -> None:
    model = tiny("duet", hidden=24, heads=12, vocabulary=9, alike_heads=0, feature_scale=1.0).float()
    for content in laid_out_otherwise(model):
        found = recognise([content])
        assert found is not None
        assert found.kind.name == "duet"
        again = make_network(found.kind, found.config)
        report = fill(again, [content], "file")
        assert {name for name in report.missing if not name.startswith("critic/")} == set()
        assert report.unexpected == ()


def test_sizes_that_weights_do_not_show_are_given(tmp_path: Path) -> None:
    model = tiny("envdrop").float()
    torch.save(released(model), tmp_path / "best")
    assert open_public(tmp_path / "best").model.config.begin == "max"
    assert open_public(tmp_path / "best", sizes=read_sizes("begin:last")).model.config.begin == "last"
    with pytest.raises(InputError, match=r"the weights of EnvDrop .* show it"):
        open_public(tmp_path / "best", sizes=read_sizes("hidden:9"))
    for wrong, why in (("begin:first", "begin cannot be first"), ("colour:1", "has no 'colour'")):
        with pytest.raises(InputError, match=why):
            open_public(tmp_path / "best", sizes=read_sizes(wrong))
    with pytest.raises(InputError, match="sizes cannot be read"):
        read_sizes("begin")
    (tmp_path / "words.txt").write_text(
        "\n".join(WordVocabulary.build(["go left right stop up down past the"], least=1).words)
    )
    spec = f"learned:file={tmp_path / 'best'},features=x,words={tmp_path / 'words.txt'},sizes=begin:last"
    assert make_agent(spec).agent._model.config.begin == "last"


def test_readers_of_xlm_r_are_recognised() -> None:
    few = {"text_layers": 1, "pano_layers": 1, "cross_layers": 1, "vocabulary": 250002}
    for name in ("hamt", "bevbert"):
        found = recognise([released(on_paper(name, **few))])
        assert found is not None
        assert (found.layout.words, found.config.layer_norm_eps) == ("XLM-R", 1e-5)
        with pytest.raises(InputError, match="reads tokens of XLM-R"):
            words_for(found.layout, "")


def test_vocabularies_without_words_are_refused() -> None:
    weights = released(tiny("duet", hidden=24, heads=12, vocabulary=9, alike_heads=0).float())
    state = weights["vln_bert"]["state_dict"]
    name = next(key for key in state if key.endswith("embeddings.word_embeddings.weight"))
    state[name] = state[name][:0]
    with pytest.raises(InputError, match="vocabulary cannot be"):
        recognise([weights])


def test_no_more_is_read_than_there_are_positions(tmp_path: Path) -> None:
    model = tiny("duet", hidden=24, heads=12, vocabulary=9, max_positions=20, max_tokens=20).float()
    torch.save(released(model), tmp_path / "best")
    found = open_public(tmp_path / "best").model
    assert found.config.max_tokens == 20


@torch.no_grad()
def test_a_limit_of_words_is_one_throughout(tmp_path: Path) -> None:
    """EnvDrop begins with a maximum in which a zero takes part where a text is shorter than what is read."""
    torch.save(released(tiny("envdrop", max_tokens=80).float()), tmp_path / "best")
    vocabulary = WordVocabulary.build(["go left right stop up down past the"], least=1)
    (tmp_path / "words.txt").write_text("\n".join(vocabulary.words))
    how = {"features": "x", "words": str(tmp_path / "words.txt")}
    tokens, mask = torch.ones(1, 90, dtype=torch.long), torch.ones(1, 90, dtype=torch.bool)
    longer = LearnedAgent.from_file(tmp_path / "best", max_tokens=160, **how)._model
    shorter = LearnedAgent.from_file(tmp_path / "best", max_tokens=90, **how)._model
    both = [model.double().start(tokens, mask).hidden for model in (longer, shorter)]
    made = make_network(EnvDrop, replace(longer.config, dropout=0.0))
    made.load_state_dict(longer.state_dict())
    torch.testing.assert_close(both[0], made.double().eval().start(tokens, mask).hidden)
    assert not torch.allclose(*both)


def test_parts_may_lie_in_several_files(tmp_path: Path) -> None:
    model = tiny("envdrop").float()
    for part in ("encoder", "decoder"):
        torch.save(official_weights(model, part), tmp_path / part)
    both = f"{tmp_path / 'encoder'}+{tmp_path / 'decoder'}"
    opened = open_public(both)
    assert [name for name in opened.report.missing if not name.startswith("critic/")] == []
    assert torch.equal(opened.model.encoder.embedding.weight, model.encoder.embedding.weight)
    (tmp_path / "a+b").write_bytes(b"")
    assert files_of(tmp_path / "a+b") == [tmp_path / "a+b"]


def test_an_agent_runs_on_a_public_file(tmp_path: Path) -> None:
    torch.save(released(tiny("envdrop").float()), tmp_path / "best")
    vocabulary = WordVocabulary.build(["go left right stop up down past the"], least=1)
    (tmp_path / "words.txt").write_text("\n".join(vocabulary.words))
    how = {"features": "x", "words": str(tmp_path / "words.txt")}
    agent = LearnedAgent.from_file(tmp_path / "best", **how)
    assert agent.needs == ("features:x",)
    assert agent.widths == {"features:x": 6}
    assert agent.notes[0].startswith("EnvDrop")
    assert "relative heading, absolute elevation" in agent.notes[1]
    with pytest.raises(InputError, match="the words that EnvDrop"):
        LearnedAgent.from_file(tmp_path / "best", features="x")
    with pytest.raises(InputError, match="does not say which image features"):
        LearnedAgent.from_file(tmp_path / "best", words=how["words"])
    with pytest.raises(InputError, match="is no checkpoint of the model 'hamt'"):
        LearnedAgent.from_file(tmp_path / "best", model="hamt", **how)


def test_inspection_says_what_a_file_is(tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    torch.save(released(tiny("envdrop").float()), tmp_path / "best")
    told = cli("agents", "inspect", tmp_path / "best", "--json").data
    assert (told["model"], told["sizes"]["image_size"], told["missing"]) == ("envdrop", 6, [])
    assert told["needs"]["angles"].startswith("relative heading, absolute elevation")
    shown = cli("agents", "inspect", tmp_path / "best").out
    assert "EnvDrop (Tan, Yu and Bansal 2019)" in shown
    assert "6 numbers for each of 36 views" in shown
    words = WordVocabulary.build(["a b c d e f g h"], least=1)
    save_checkpoint(tmp_path / "ours.pt", tiny("hamt").float(), words, {"features": "views"})
    ours = cli("agents", "inspect", tmp_path / "ours.pt", "--json").data
    assert (ours["model"], ours["title"]) == ("hamt", "written by vlnscope")
    assert ours["needs"]["features"] == "views, 6 numbers per view"


def test_other_files_are_refused_and_say_what_they_hold(tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    torch.save({"net": {"conv.weight": torch.zeros(3)}}, tmp_path / "other")
    refused = cli("agents", "inspect", tmp_path / "other")
    assert refused.code == 2
    assert "net: conv.weight" in refused.err
    torch.save({"state_dict": {}, "args": argparse.Namespace(lr=1)}, tmp_path / "objects")
    assert (
        "objects besides weights (argparse.Namespace)" in cli("agents", "inspect", tmp_path / "objects").err
    )
    (tmp_path / "text").write_text("no weights")
    assert cli("agents", "inspect", tmp_path / "text").code == 2


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    weights = released(tiny("hamt", hidden=24, heads=12, max_positions=90).float())
    weights["vln_bert"]["state_dict"]["module.vln_bert.img_embeddings.img_layer_norm.weight"] = torch.zeros(3)
    torch.save(weights, tmp_path / "best")
    with pytest.raises(InputError, match=r"img_layer_norm.weight has the shape \(3,\)"):
        open_public(tmp_path / "best")
