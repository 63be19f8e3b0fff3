"""Checkpoints of VLN-CE and IVLN-CE are recognised by weights and config, and load by name or are refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli, cli  # noqa: E402, F401
from continuous_policies import ALL, LATENT, tiny_policy  # noqa: E402
from tiny_models import idle_init, on_paper  # noqa: E402
from vlnscope.agents.learned.checkpoints import load_checkpoint, load_network, save_checkpoint  # noqa: E402
from vlnscope.agents.learned.cma import Cma, MapCma, RedNet  # noqa: E402
from vlnscope.agents.learned.cma.encoder_weights import load_depth_encoder, load_rgb_encoder  # noqa: E402
from vlnscope.agents.learned.cma.rednet import RedNetConfig  # noqa: E402
from vlnscope.agents.learned.public_checkpoints import open_public, recognise  # noqa: E402
from vlnscope.agents.learned.vocabulary import WordVocabulary  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

NARROW: dict[str, Any] = {
    "vocabulary": 12, "word_size": 6, "word_hidden": 4, "hidden": 8, "rgb_channels": 64, "rgb_out": 7,
    "depth_planes": 2, "depth_channels": 4, "depth_out": 6,
}  # fmt: skip
"""Sizes of an agent that is as deep as the official ones, but narrow."""


def settings(name: str) -> dict[str, Any]:
    return {"MODEL": {"tour_memory": name == "tour_cma", "policy_name": name}}


def narrow(name: str, **changes: Any) -> Any:
    torch.manual_seed(2)
    return ALL[name](ALL[name].Config.preset("full", **{**NARROW, **changes})).eval()


def released_policy(policy: Any, config: Any = None) -> dict[str, Any]:
    """Lay weights out as VLN-CE saves them."""
    content = {"state_dict": policy.state_dict(), "optim_state": {"state": {}}, "epoch": 3, "step_id": 9}
    return content if config is None else {**content, "config": config}


@pytest.mark.parametrize(("name", "preset"), [*((name, "full") for name in sorted(ALL)), ("cma", "rxr")])
def test_agents_of_full_size_are_recognised_with_their_sizes(name: str, preset: str) -> None:
    policy = on_paper(name, preset)
    found = recognise([released_policy(policy, settings(name))])
    assert found is not None
    assert (found.kind.name, found.config) == (name, policy.config)


def test_weights_alone_do_not_tell_tour_cma_from_cma() -> None:
    weights = released_policy(on_paper("tour_cma"))
    for model, kind in (("", "cma"), ("tour_cma", "tour_cma"), ("cma", "cma")):
        found = recognise([weights], model)
        assert found is not None
        assert found.kind.name == kind
    denied = {**weights, "config": settings("cma")}
    assert recognise([denied], "tour_cma") is None


def test_a_config_tells_what_weights_do_not_show() -> None:
    weights = released_policy(on_paper("cma"), {"MODEL": {"normalize_rgb": True}})
    found = recognise([weights])
    assert found is not None
    assert found.config.to_dict()["normalise_rgb"] is True
    wrong = released_policy(on_paper("cma"), {"MODEL": {"normalize_rgb": 3}})
    with pytest.raises(InputError, match="normalise_rgb cannot be 3"):
        recognise([wrong])


@torch.no_grad()
@pytest.mark.parametrize("name", sorted(ALL))
def test_weights_load_by_name(name: str, tmp_path: Path) -> None:
    policy = narrow(name)
    torch.save(released_policy(policy, settings(name)), tmp_path / "ckpt.7.pth")
    opened = open_public(tmp_path / "ckpt.7.pth").complete("file")
    assert (opened.model.name, opened.report.missing, opened.report.unexpected) == (name, (), ())
    own = opened.model.state_dict()
    assert all(torch.equal(own[key], weight) for key, weight in policy.state_dict().items())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ALL))
def test_agents_of_full_size_load_by_name(name: str, tmp_path: Path) -> None:
    with idle_init():
        policy = ALL[name](ALL[name].Config.preset("full"))
    with torch.no_grad():
        for weight in policy.parameters():
            weight.uniform_(-1, 1)
    torch.save(released_policy(policy, settings(name)), tmp_path / "ckpt.pth")
    opened = open_public(tmp_path / "ckpt.pth").complete("file")
    assert (opened.report.missing, opened.report.unexpected) == ((), ())
    assert len(opened.report.loaded) == len(policy.state_dict())


def test_a_checkpoint_of_full_size_loads_by_name(tmp_path: Path) -> None:
    with idle_init():
        policy: Any = MapCma(MapCma.Config.preset("full"))
        policy.load_state_dict({key: torch.full_like(w, 0.5) for key, w in policy.state_dict().items()})
        torch.save(released_policy(policy, settings("map_cma")), tmp_path / "ckpt.pth")
        opened = open_public(tmp_path / "ckpt.pth").complete("file")
    assert (opened.model.name, opened.report.missing, opened.report.unexpected) == ("map_cma", (), ())
    assert len(opened.report.loaded) == 230
    assert all((weight == 0.5).all() for weight in opened.model.parameters())


# what is wrong


def changed(tmp_path: Path, policy: Any, **weights: Any) -> Path:
    """Write a checkpoint with some weights changed, or left out where they are None."""
    whole = {**policy.state_dict(), **{key.replace("__", "."): weight for key, weight in weights.items()}}
    kept = {key: weight for key, weight in whole.items() if weight is not None}
    torch.save({"state_dict": kept}, tmp_path / "ckpt.pth")
    return tmp_path / "ckpt.pth"


def test_checkpoints_that_lack_weights_are_refused(tmp_path: Path) -> None:
    file = changed(tmp_path, narrow("cma"), **{"net.state_q.bias": None})
    with pytest.raises(InputError, match=r"lacks 1 weights of CMA .*: net/state_q.bias") as refused:
        open_public(file).complete(file)
    assert refused.value.fix.startswith("name a checkpoint of the whole model")
    file = changed(tmp_path, narrow("cma"), **{"net.rgb_linear.2.weight": None})
    with pytest.raises(
        InputError, match=r"is no checkpoint of the model 'cma'|lacks net/rgb_linear.2.weight"
    ):
        open_public(file, "cma")


def test_weights_of_other_shapes_are_refused(tmp_path: Path) -> None:
    file = changed(tmp_path, narrow("map_cma"), **{"net.map_kv.bias": torch.zeros(3)})
    with pytest.raises(InputError, match=r"net/map_kv.bias has the shape \(3,\)") as refused:
        open_public(file)
    assert refused.value.expected == "(260,), as the model 'map_cma' was made"
    file = changed(tmp_path, narrow("cma"), **{"net.state_q.bias": torch.full((4,), torch.nan)})
    with pytest.raises(InputError, match=r"net/state_q.bias has numbers that are infinite or not a number"):
        open_public(file)


# configs of Habitat


@contextmanager
def habitat_is_installed() -> Iterator[type]:
    """Pretend that there is a package whose configs a checkpoint may hold."""
    names = ("habitat", "habitat.config", "habitat.config.default")
    modules = [ModuleType(name) for name in names]
    kind = type("Config", (dict,), {"__module__": names[-1], "__qualname__": "Config"})
    setattr(modules[-1], "Config", kind)  # noqa: B010
    sys.modules.update(zip(names, modules, strict=True))
    try:
        yield kind
    finally:
        for name in names:
            del sys.modules[name]


@pytest.mark.parametrize("zipped", [True, False])
def test_configs_of_habitat_are_read_without_habitat(zipped: bool, tmp_path: Path) -> None:
    policy = narrow("tour_cma")
    with habitat_is_installed() as config:
        nested = config(MODEL=config(tour_memory=True, sizes=[1, 2]), SEED=np.int64(3))
        nested.__dict__["__immutable__"] = True
        content = {**released_policy(policy, nested), "best": np.float64(0.5)}
        torch.save(content, tmp_path / "ckpt.pth", _use_new_zipfile_serialization=zipped)
    assert open_public(tmp_path / "ckpt.pth").model.name == "tour_cma"


class Foreign:
    """What no stand-in is known for."""


def test_objects_of_other_packages_are_still_refused(tmp_path: Path) -> None:
    torch.save({"state_dict": {}, "config": Foreign()}, tmp_path / "ckpt.pth")
    with pytest.raises(InputError, match=r"objects besides weights .*which are never loaded"):
        open_public(tmp_path / "ckpt.pth")


# inspection, and files of our own


def test_inspection_says_what_a_checkpoint_is(tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    torch.save(released_policy(narrow("pool_end_cma"), settings("pool_end_cma")), tmp_path / "ckpt.pth")
    told = cli("agents", "inspect", tmp_path / "ckpt.pth", "--json").data
    assert (told["model"], told["title"]) == ("pool_end_cma", "PoolEndCMA (Krantz et al. 2023)")
    assert (told["missing"], told["unused"], told["sizes"]["scrambled_cells"]) == ([], [], True)
    assert told["needs"]["rgb"].startswith("224 x 224 colours")
    assert told["needs"]["words"].endswith("200 at most")
    shown = cli("agents", "inspect", tmp_path / "ckpt.pth").out
    assert "256 x 256 along the view axis" in shown
    assert "open_public" in shown


def test_rednet_is_recognised_in_its_file(tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    torch.manual_seed(0)
    network = RedNet(RedNetConfig(planes=2))
    weights = {f"module.{key}": weight for key, weight in network.state_dict().items()}
    torch.save({"model_state": weights, "epoch": 3}, tmp_path / "rednet_mp3d_best_model.pkl")
    told = cli("agents", "inspect", tmp_path / "rednet_mp3d_best_model.pkl", "--json").data
    assert (told["model"], told["sizes"]["classes"], told["missing"]) == ("rednet", 13, [])
    assert set(told["needs"]) == {"rgb", "depth"}


@torch.no_grad()
@pytest.mark.parametrize("name", sorted(LATENT))
def test_agents_are_kept_in_files_of_our_own(name: str, tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    policy = tiny_policy(name).float()
    words = WordVocabulary(["<PAD>", "<UNK>", "<EOS>", "<BOS>", *"abcdefgh"])
    save_checkpoint(tmp_path / "best.pt", policy, words)
    loaded = load_network(tmp_path / "best.pt", name)
    assert loaded.model.config == policy.config
    assert torch.equal(loaded.model.net.text_k.weight, policy.net.text_k.weight)
    with pytest.raises(InputError, match="which does not walk on navigation graphs"):
        load_checkpoint(tmp_path / "best.pt")
    told = cli("agents", "inspect", tmp_path / "best.pt", "--json").data
    assert (told["model"], told["title"]) == (name, "written by vlnscope")


# networks that see, from files of their own


def ddppo_file(tmp_path: Path, weights: dict[str, Any]) -> Path:
    inside = {f"actor_critic.net.visual_encoder.{key}": weight for key, weight in weights.items()}
    torch.save({"state_dict": {**inside, "actor_critic.critic.fc.bias": torch.zeros(1)}}, tmp_path / "g.pth")
    return tmp_path / "g.pth"


def resnet_file(tmp_path: Path, weights: dict[str, Any]) -> Path:
    heads = {"0": "conv1", "1": "bn1", **{str(n + 3): f"layer{n}" for n in range(1, 5)}}
    named = {".".join([heads[key.split(".")[0]], *key.split(".")[1:]]): w for key, w in weights.items()}
    torch.save({**named, "fc.weight": torch.zeros(9, 3)}, tmp_path / "resnet50.pth")
    return tmp_path / "resnet50.pth"


def test_agents_see_through_networks_of_others(tmp_path: Path) -> None:
    other, own = narrow("cma"), narrow("cma", vocabulary=5)
    with torch.no_grad():
        for weight in other.parameters():
            weight += 1
    depth, rgb = other.net.depth_encoder.visual_encoder, other.net.rgb_encoder.cnn
    assert not load_depth_encoder(own, ddppo_file(tmp_path, depth.state_dict())).missing
    report = load_rgb_encoder(own, resnet_file(tmp_path, rgb.state_dict()))
    assert (report.missing, report.unexpected) == ((), ("fc.weight",))
    for mine, theirs in ((own.net.depth_encoder.visual_encoder, depth), (own.net.rgb_encoder.cnn, rgb)):
        assert all(torch.equal(mine.state_dict()[key], weight) for key, weight in theirs.state_dict().items())


def test_networks_of_others_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    own = narrow("cma")
    weights = dict(own.net.depth_encoder.visual_encoder.state_dict())
    weights["compression.0.weight"] = torch.zeros(1, 2, 3, 3)
    with pytest.raises(InputError, match=r"compression.0.weight has the shape \(1, 2, 3, 3\)"):
        load_depth_encoder(own, ddppo_file(tmp_path, weights))
    del weights["compression.0.weight"]
    with pytest.raises(InputError, match=r"lacks 1 of 162 weights of DD-PPO's depth encoder: compression.0"):
        load_depth_encoder(own, ddppo_file(tmp_path, weights))
    with pytest.raises(InputError, match="the model 'map_cma' has no rgb_encoder"):
        load_rgb_encoder(narrow("map_cma"), tmp_path / "resnet50.pth")
    blind: Cma = tiny_policy("cma")
    with pytest.raises(InputError, match="has no depth_encoder of its own"):
        load_depth_encoder(blind, ddppo_file(tmp_path, weights))
