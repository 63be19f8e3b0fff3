"""Learned models in files: vocabularies and checkpoints; agents made of them keep all rules."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up import dataset, path
from vlnscope.agents.spec import make_agent
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.conformance.check_agent import check_agent
from vlnscope.types import Observation
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from tiny_models import LEAPERS, NAMES, WIDTH, tiny  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.checkpoints import (  # noqa: E402
    load_checkpoint,
    make_model,
    save_checkpoint,
    weights_digest,
)
from vlnscope.agents.learned.hamt_transformer import HamtConfig  # noqa: E402
from vlnscope.agents.learned.model import NavModel  # noqa: E402
from vlnscope.agents.learned.public_checkpoints import load_official  # noqa: E402
from vlnscope.agents.learned.tensors import tokens_of  # noqa: E402
from vlnscope.agents.learned.vocabulary import (  # noqa: E402
    PieceVocabulary,
    SentenceVocabulary,
    WordVocabulary,
    check_fit,
    vocabulary_of,
    words_of,
)

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


# words


def test_words_are_split_as_in_r2r() -> None:
    assert words_of("Walk past the sofa/TV... then Stop!?") == [
        "walk", "past", "the", "sofa", "/", "tv", "...", "then", "stop", "!", "?"
    ]  # fmt: skip


@given(st.text(), st.integers(1, 12), st.booleans(), st.booleans())
def test_any_text_can_be_read(text: str, longest: int, begin: bool, backwards: bool) -> None:
    vocabulary = WordVocabulary.build(["go left and stop"], least=1, begin=begin, backwards=backwards)
    ids = vocabulary.encode(text, longest)
    assert 1 <= len(ids) <= longest
    assert ids[-1] == 2
    assert all(0 < number < vocabulary.size for number in ids)
    assert vocabulary_of(vocabulary.to_dict()).encode(text, longest) == ids


def test_vocabularies_keep_their_conventions(tmp_path: Path) -> None:
    file = tmp_path / "vocab.txt"
    file.write_text("<PAD>\n<UNK>\n<EOS>\ngo\nleft\n")
    assert WordVocabulary.read(file).encode("go left", 9) == [5, 3, 4, 2]
    assert WordVocabulary.read(file, begin=False, backwards=True).encode("go left now", 9) == [1, 4, 3, 2]
    tokens, mask = tokens_of(["go", "", "go left go"], WordVocabulary.read(file), 4)
    assert tokens.tolist() == [[5, 3, 2, 0], [5, 2, 0, 0], [5, 3, 4, 2]]
    assert mask.tolist() == (tokens > 0).tolist()
    with pytest.raises(InputError, match="lacks one of its marks"):
        WordVocabulary(["go", "<PAD>"])
    with pytest.raises(InputError, match="'go' twice"):
        WordVocabulary(["<PAD>", "<UNK>", "<EOS>", "<BOS>", "go", "go"])
    with pytest.raises(InputError, match="has 6 words, but the model 'hamt' knows 7"):
        check_fit(WordVocabulary.read(file), tiny("hamt", vocabulary=7).config, "hamt")
    with pytest.raises(InputError, match="does not read the vectors"):
        check_fit(SentenceVocabulary(), tiny("hamt").config, "hamt")
    with pytest.raises(InputError, match="vocabulary cannot be 0"):
        tiny("hamt", vocabulary=0)
    for wrong in ({"heads": 0}, {"hidden": "x"}, {"dropout": 2.0}, {"feature_dropout": -0.1}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            tiny("scout", **wrong)


def test_word_pieces_are_those_of_bert(data_root: Path) -> None:
    pytest.importorskip("tokenizers")
    pieces = PieceVocabulary.read(data_root / "bert" / "bert-base-uncased-vocab.txt")
    assert pieces.size == HamtConfig.PRESETS["full"]["vocabulary"]
    assert pieces.encode("Walk forward.", 80) == [101, 3328, 2830, 1012, 102]
    assert pieces.encode("Walk forward.", 3) == [101, 3328, 2830]
    assert vocabulary_of(pieces.to_dict()).encode("Stop", 9) == pieces.encode("stop", 9)
    with pytest.raises(InputError, match=r"lacks \[PAD\]"):
        PieceVocabulary(["a"])


# files

VOCABULARY = WordVocabulary.build(["turn left and walk to a kitchen sink"], least=1)


@pytest.mark.parametrize("name", [*NAMES, *LEAPERS])
def test_checkpoints_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    model = make_model(name, tiny(name, vocabulary=VOCABULARY.size).config, seed=4)
    told = save_checkpoint(tmp_path / "m.pt", model, VOCABULARY, {"data": "houses/train"})
    back = load_checkpoint(tmp_path / "m.pt", name)
    assert back.digest == told == weights_digest(model)
    assert back.model.config == model.config
    assert back.vocabulary.to_dict() == VOCABULARY.to_dict()
    assert back.notes == {"data": "houses/train"}
    assert weights_digest(make_model(name, model.config, seed=4)) == told
    assert weights_digest(make_model(name, model.config, seed=5)) != told


def test_bad_checkpoints_are_refused(tmp_path: Path) -> None:
    model = make_model("rcm", tiny("rcm", vocabulary=VOCABULARY.size).config)
    file = tmp_path / "m.pt"
    with pytest.raises(InputError, match="the vocabulary has"):
        save_checkpoint(file, tiny("rcm"), WordVocabulary.build([]))
    assert not list(tmp_path.iterdir())
    save_checkpoint(file, model, VOCABULARY)
    with pytest.raises(InputError, match="holds a model 'rcm', not 'hamt'"):
        load_checkpoint(file, "hamt")
    whole = file.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"0", b"G12", b"no checkpoint at all"):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match=r"cannot be read as a checkpoint|or is damaged"):
            load_checkpoint(file)
    content = torch.load(_written(file, whole), weights_only=True)
    content["weights"]["encoder.start.bias"] += 1
    torch.save(content, file)
    with pytest.raises(InputError, match="not those that were saved"):
        load_checkpoint(file)
    torch.save({"encoder": {}}, file)
    with pytest.raises(InputError, match="no checkpoint that vlnscope wrote"):
        load_checkpoint(file)


def test_flipped_bits_are_found(tmp_path: Path) -> None:
    file = tmp_path / "m.pt"
    save_checkpoint(file, tiny("rcm", vocabulary=VOCABULARY.size).float(), VOCABULARY)
    load_checkpoint(file)
    for place in (0.3, 0.5, 0.7):
        whole = bytearray(file.read_bytes())
        whole[int(place * len(whole))] ^= 16
        (tmp_path / "flipped.pt").write_bytes(whole)
        with pytest.raises(InputError, match="is not what was written"):
            load_checkpoint(tmp_path / "flipped.pt")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda content: content.pop("notes"), "it has no notes"),
        (lambda content: content.update(config=[]), "its config is no dict"),
        (lambda content: content["config"].update(hidden=10**6), "has the shape"),
        (lambda content: content["config"].update(hidden="x"), "no rcm has its sizes"),
        (lambda content: content["config"].pop("vocabulary"), "no rcm has its sizes"),
        (lambda content: content["weights"].update(w=torch.zeros(1).expand(10**12)), "w is no tensor"),
        (lambda content: content["weights"].update(w=torch.zeros(2)), "w has the shape"),
        (lambda content: content["weights"].popitem(), "has the shape of nothing"),
        (lambda content: content["vocabulary"].pop("words"), "its vocabulary cannot be read"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(change: Any, why: str, tmp_path: Path) -> None:
    file = tmp_path / "m.pt"
    save_checkpoint(file, tiny("rcm", vocabulary=VOCABULARY.size).float(), VOCABULARY)
    load_checkpoint(file)
    content = torch.load(file, weights_only=True)
    change(content)
    torch.save(content, file)
    with pytest.raises(InputError, match=why):
        load_checkpoint(file)


def _written(file: Path, content: bytes) -> Path:
    file.write_bytes(content)
    return file


def official(model: NavModel[Any], prefix: str = "") -> dict[str, Any]:
    """A file as the official codes write it."""
    found: dict[str, Any] = {}
    for part, module in model.parts().items():
        inner = "vln_bert." if part == "vln_bert" else ""
        weights = {f"{prefix}{inner}{key}": value for key, value in module.state_dict().items()}
        found[part] = {"epoch": 3, "state_dict": weights, "optimizer": {"state": {}, "param_groups": []}}
    return found


@pytest.mark.parametrize("name", ["hamt", "tour_hamt", "envdrop", "seq2seq"])
def test_public_checkpoints_are_loaded(name: str, tmp_path: Path) -> None:
    given, model, file = tiny(name, seed=1), tiny(name, seed=2), tmp_path / "best_val_unseen"
    content = official(given, "module.")
    content["speaker"] = {"state_dict": {"odd": torch.zeros(1)}}
    del content["critic"]
    torch.save(content, file)
    report = load_official(model, file)
    assert len(report.loaded) == sum(len(part["state_dict"]) for part in content.values()) - 1
    assert report.unexpected == ("speaker/odd",)
    assert report.missing[0] == "critic/state2value.0.weight"
    assert "4 missing: critic/state2value.0.weight" in str(report)
    own, other = model.state_dict(), given.state_dict()
    assert all(torch.equal(own[key], other[key]) for key in own if not key.startswith("critic"))


def test_plain_state_dicts_are_loaded_one_per_part(tmp_path: Path) -> None:
    given, model = tiny("seq2seq", seed=1), tiny("seq2seq", seed=2)
    files = []
    for part in ("decoder", "encoder"):
        files.append(tmp_path / part)
        torch.save(given.parts()[part].state_dict(), files[-1])
    assert not load_official(model, *files).unexpected
    assert all(
        torch.equal(model.state_dict()[k], v) for k, v in given.state_dict().items() if "critic" not in k
    )


@pytest.mark.parametrize("given", NAMES)
@pytest.mark.parametrize("asked", ["envdrop", "seq2seq", "rcm", "hamt"])
def test_another_models_checkpoint_is_refused(given: str, asked: str, tmp_path: Path) -> None:
    file, model = tmp_path / "file", tiny(asked, seed=2)
    changes: dict[str, Any] = {"image_size": 9} if "hamt" in given and asked == "hamt" else {}
    same = given == asked or (given, asked) == ("clip_vil", "envdrop")
    if same:
        changes = {"vocabulary": 13}
    torch.save(official(tiny(given, **changes)), file)
    before = weights_digest(model)
    kin = same or (given, asked) == ("tour_hamt", "hamt")
    with pytest.raises(InputError, match="has the shape" if kin else "holds another model") as caught:
        load_official(model, file)
    assert caught.value.expected
    assert caught.value.fix
    assert weights_digest(model) == before


# agents


class Made:
    """Features that belong to a viewpoint, out of nothing."""

    needs = ()

    def views(self, observation: Observation) -> Any:
        chance = rng_for(0, observation.scan, observation.viewpoint)
        return chance.normal(size=(36, WIDTH)).astype(np.float32)


@pytest.mark.parametrize("name", ["duet", "envdrop", "hamt", "rcm", "seq2seq"])
def test_agents_keep_the_rules(name: str) -> None:
    model = tiny(name, vocabulary=VOCABULARY.size)
    where = None if name == "rcm" else block()  # None is a house
    assert check_agent(lambda: LearnedAgent(model, VOCABULARY, Made()), data=where).wrong == ()


def block() -> Dataset:
    """Nine places in a square, and three walks."""
    names = "abcdefghi"
    places = [[2 * (k % 3), 2 * (k // 3), 0.3 * (k % 2)] for k in range(9)]
    edges = [(names[k], names[k + 1]) for k in range(9) if k % 3 < 2]
    edges += [(names[k], names[k + 3]) for k in range(6)]
    scene = Scene("block", NavGraph.build(list(names), places, edges))
    walks = [("adgh", "Turn left."), ("ebcf", "Walk to a sink"), ("iheda", "")]
    return dataset(
        [e for k, (way, text) in enumerate(walks) for e in path(k, way, text, scan="block")], scene
    )


def feature_file(folder: Path) -> Path:
    lines = []
    for node in "abcdefghi":
        rows = rng_for(1, node).normal(size=(36, WIDTH)).astype("<f4")
        lines.append(f"block\t{node}\t640\t480\t60\t{base64.b64encode(rows.tobytes()).decode()}\n")
    file = folder / "x.tsv"
    file.write_text("".join(lines))
    return file


def test_a_checkpoint_is_an_agent_by_name(tmp_path: Path) -> None:
    model = make_model("tour_hamt", tiny("tour_hamt", vocabulary=VOCABULARY.size).config)
    features = feature_file(tmp_path)
    told = save_checkpoint(tmp_path / "m.pt", model, VOCABULARY)
    with pytest.raises(InputError, match="does not say which image features"):
        make_agent(f"learned:file={tmp_path / 'm.pt'}")
    narrow = f"learned:file={tmp_path / 'm.pt'},features=x@{WIDTH - 1}={features}"
    with pytest.raises(InputError, match=f"has {WIDTH - 1} numbers per view, and the agent needs {WIDTH}"):
        run(narrow, block(), out=tmp_path / "narrow")
    named = make_agent(f"learned:file={tmp_path / 'm.pt'},features=clip")
    assert told in named.identity
    assert named.agent.needs == ("features:clip",)
    save_checkpoint(tmp_path / "m.pt", model, VOCABULARY, {"features": f"x={features}"})
    spec = f"learned:file={tmp_path / 'm.pt'}"
    named = make_agent(spec)
    assert named.agent.needs == (f"features:x={features}",)
    assert check_agent(spec, data=block()).wrong == ()
    with pytest.raises(InputError, match="no such file"):
        make_agent(f"learned:file={tmp_path / 'none.pt'}")


def test_without_torch_all_else_works(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from vlnscope.core import registry\n"
        "assert 'learned' in registry.names('agent')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match="torch is not installed"):
        make_agent("learned")
