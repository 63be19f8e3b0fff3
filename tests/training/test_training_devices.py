"""Devices: what is trained and run on one never mixes tensors of two, and never needs double precision there.

`pretend_device` is no card: it refuses what one refuses, and computes as the CPU does.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli  # noqa: E402
from pretend_device import PRETEND, PretendDevice, Tagged  # noqa: E402
from training_world import MadeFeatures, made, task  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.checkpoints import load_network, make_model  # noqa: E402
from vlnscope.agents.spec import make_agent, on_device  # noqa: E402
from vlnscope.core import devices  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.engine.batched import roll_out_batches  # noqa: E402
from vlnscope.engine.environment import Environment  # noqa: E402
from vlnscope.engine.jobs import Job  # noqa: E402
from vlnscope.training.loop import Trainer, trainer_class  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.types import Case, Rules  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


def updates(out: Path, device: Any, count: int, **changes: Any) -> Trainer:
    laid = task(updates=count, **changes)
    trainer = trainer_class(laid)(laid, out, Ranks(), device)
    trainer.begin(resume=False)
    for _ in range(count):
        trainer.advance()
    return trainer


KINDS = (
    ("scout", {"forcing": "either", "follow": "reference", "lenient": 3.0, "average": 0.5}),
    ("rcm", {"method": "reinforce", "cloning": 0.0, "reward": "fidelity"}),
    ("tour_hamt", {"method": "tours", "batch": 2}),
    ("hamt", {}),
    ("envdrop", {}),
    ("seq2seq", {}),
    ("vlnbert", {}),
    ("duet", {}),
    ("clip_vil", {}),
    ("speaker_follower", {}),
    ("speaker", {}),
)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "changes"), KINDS, ids=[model for model, _ in KINDS])
def test_training_stays_on_its_device(model: str, changes: dict[str, Any], tmp_path: Path) -> None:
    """Two updates and a validation; what is drawn is the same as on the CPU.

    Adam makes something of gradients that are 0 but for rounding, so after one update losses differ a little.
    """
    few = {"max_steps": 4, "held_steps": 4, "batch": 4, **changes}
    with PretendDevice():
        there = updates(tmp_path / "there", PRETEND, 2, model=model, **few)
        assert all(isinstance(weight, Tagged) for weight in there.model.state_dict().values())
    here = updates(tmp_path / "here", None, 2, model=model, **few)
    for one, other in zip(there.state.curve, here.state.curve, strict=True):
        for name in {"loss", "gradient", "SPL", "likelihood"} & one.keys():
            assert one[name] == pytest.approx(other[name], rel=5e-3), name
    notes = load_network(tmp_path / "there" / "best.pt").notes
    assert notes["device"] == PRETEND.type
    assert "device" not in load_network(tmp_path / "here" / "best.pt").notes


class Given:
    """Features as an agent in the engine gets them."""

    needs = ()

    def views(self, seen: Any) -> Any:
        return MadeFeatures().at(seen.scan, seen.viewpoint)


@pytest.mark.parametrize("model", ["scout", "tour_hamt"])
def test_an_agent_stays_on_its_device(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It decides as on the CPU but for rounding, and says where it did; nothing there is double."""
    data, laid, said = made(), task(model=model), []
    jobs = [
        Job(name=e.episode_id, scan=e.scan, cases=(Case(case_id=e.episode_id, episode=e),), toured=True)
        for e in list(data.episodes())[:3]
    ]
    for pretends in (False, True):
        monkeypatch.setattr("vlnscope.agents.learned.agent.device_of", lambda name: PRETEND)
        if not pretends:
            monkeypatch.undo()
        with PretendDevice() if pretends else nullcontext():
            agent = LearnedAgent(make_model(model, laid.config, seed=4), laid.vocabulary, Given())
            lines = roll_out_batches(agent, jobs, Environment(data.scenes), Rules(max_steps=3))
            said.append({line.episode_id: (line.path, line.failed) for line in lines})
        assert agent.fingerprint.endswith(f", {PRETEND.type}") == pretends
        kind = torch.float32 if pretends else torch.float64
        assert {weight.dtype for weight in agent._model.parameters()} == {kind}
    assert len(said[0]) == len(jobs)
    assert said[0] == said[1]


def test_a_device_that_is_not_there_is_refused() -> None:
    assert devices.device_of("cpu") == torch.device("cpu")
    assert devices.device_of("auto").type == devices.present()[0].partition(":")[0]
    for name, told in (
        ("tpu", "there is no device 'tpu'"),
        ("cuda:99", "the device 'cuda:99' cannot be used"),
    ):
        with pytest.raises(InputError, match=told) as error:
            devices.device_of(name)
        assert "cpu" in error.value.expected
        assert "auto" in error.value.fix


def test_cards_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert devices.present()[:3] == ["cuda", "cuda:0", "cuda:1"]
    assert devices.device_of() == torch.device("cuda")
    assert devices.precision(devices.device_of("cuda:1")) == torch.float32
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert devices.device_of() == torch.device("mps")


def test_the_device_is_no_part_of_what_an_agent_is_called(tmp_path: Path) -> None:
    updates(tmp_path, None, 1, model="rcm")
    spec = f"learned:file={tmp_path / 'best.pt'}"
    plain, named = make_agent(spec), make_agent(f"{spec},device=cpu")
    assert plain.identity == named.identity
    assert "device=" not in plain.identity
    with pytest.raises(InputError, match="there is no device 'gpu'"):
        make_agent(f"{spec},device=gpu")


def test_large_tables_stay_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    table, rows = torch.arange(12.0).view(6, 2), torch.tensor([4, 1])
    with PretendDevice() as pretended:
        for limit, kind in ((1, Tagged), (0, torch.Tensor)):
            monkeypatch.setattr(devices, "LARGEST_MB", limit)
            held = devices.kept(table, PRETEND)
            assert type(held) is kind
            found = devices.rows_of_table(held, rows.to(PRETEND))
            assert type(found) is Tagged
            assert devices.as_array(found).tolist() == [[8.0, 9.0], [2.0, 3.0]]
        assert pretended.counts["to the device"] > 0


def test_the_pretended_device_refuses_what_a_card_does() -> None:
    with PretendDevice():
        there = torch.zeros(3, device=PRETEND)
        mixed = (lambda: there + torch.ones(3), lambda: torch.ones(3)[there.long()])
        for bad in (*mixed, lambda: there.numpy(), lambda: there.double()):
            with pytest.raises(AssertionError, match="device"):
                bad()
        assert float((there + torch.tensor(1.0)).sum()) == 3.0


def test_run_names_a_device_where_an_agent_has_one() -> None:
    assert on_device("learned:file=a.pt,device=cpu", "cpu") == "learned:file=a.pt,device=cpu"
    for agent in ("forward", "http://127.0.0.1:8000"):
        with pytest.raises(InputError, match="does not let others choose"):
            on_device(agent, "cpu")
    with pytest.raises(InputError, match="is to compute on cuda, too"):
        on_device("hamt-houses:device=cpu", "cuda")


def test_houses_are_encoded_on_the_cpu(cli: Cli, tmp_path: Path) -> None:
    refused = cli("features", "build", "houses", "--data", "houses/val_unseen@1", "--device", "cuda")
    assert refused.code == 2
    assert "cannot be made on cuda" in refused.err
    for option, value in (("--device", "mps"), ("--track", "tensorboard")):
        refused = cli("train", "house-encoder", "--out", tmp_path / "no", option, value)
        assert refused.code == 2
        assert f"no use for {option}" in refused.err
