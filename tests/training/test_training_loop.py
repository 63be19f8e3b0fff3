"""Training: the loss falls, a killed run goes on to the same bits, two processes learn as one."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli  # noqa: E402
from feature_files import tsv  # noqa: E402
from training_world import Telling, first_updates, made, task, write_data  # noqa: E402
from vlnscope.agents.learned.checkpoints import (  # noqa: E402
    load_checkpoint,
    weights_digest,
)
from vlnscope.core.exceptions import InputError, UnknownNameError  # noqa: E402
from vlnscope.training.experiment import LearningConfig, experiments, read_experiment  # noqa: E402
from vlnscope.training.loop import Trainer, train  # noqa: E402
from vlnscope.training.ranks import Ranks, with_ranks  # noqa: E402
from vlnscope.training.run_state import is_consistent  # noqa: E402
from vlnscope.training.schedule import Order, learning_rate, policy_updates  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


def curves(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "curves.csv").read_text().splitlines()))


def losses(folder: Path) -> list[float]:
    return [float(row["loss"]) for row in curves(folder)]


def test_the_loss_falls_and_the_best_weights_are_kept(tmp_path: Path) -> None:
    told: list[Any] = []
    laid = task(model="rcm", updates=30, follow="reference", student=0.0, average=0.5, rate=2e-2)
    state = train(laid, tmp_path, watch=Telling(told))
    found = losses(tmp_path)
    assert found[-1] < 0.7 * found[0], found
    validations = [row["SPL"] for row in told if "SPL" in row]
    assert len(validations) == 5
    kept = load_checkpoint(tmp_path / "best.pt")
    assert state.best == max(validations) == kept.notes["validation"]["SPL"]
    assert kept.notes["update"] == state.best_update
    assert [row["update"] for row in state.curve] == [row["update"] for row in told]


@pytest.mark.parametrize(
    ("method", "model"),
    [
        ("imitation", "scout"),
        ("reinforce", "rcm"),
        pytest.param("tours", "tour_hamt", marks=pytest.mark.slow),
    ],
)
def test_a_run_that_is_killed_goes_on_to_the_same_bits(method: str, model: str, tmp_path: Path) -> None:
    """Nothing is written when a run dies, so dying of an exception leaves the files that a kill leaves."""
    size = 2 if method == "tours" else 8
    laid = task(model=model, method=method, batch=size, cloning=2.0, halving=2, average=0.9)
    whole = _trained(laid, tmp_path / "whole")

    broken = Trainer(laid, tmp_path / "broken", Ranks())
    broken.begin(resume=False)
    for _ in range(8):
        broken.advance()  # two updates more than the last validation, which are lost
    assert torch.load(tmp_path / "broken" / "last.pt", weights_only=True)["state"]["update"] == 6
    resumed = _trained(laid, tmp_path / "broken", resume=True)

    assert weights_digest(resumed.model) == weights_digest(whole.model)
    for one, other in zip(resumed.state.curve, whole.state.curve, strict=True):
        same = one.keys() - {"seconds", "episodes_per_second"}
        assert {name: one[name] for name in same} == {name: other[name] for name in same}
    kept = [load_checkpoint(tmp_path / name / "best.pt").digest for name in ("whole", "broken")]
    assert kept[0] == kept[1]


def _trained(laid: Any, out: Path, resume: bool = False) -> Trainer:
    trainer = Trainer(laid, out, Ranks())
    trainer.begin(resume)
    while trainer.state.update < laid.experiment.learning.updates:
        trainer.advance()
    return trainer


def test_parts_of_a_batch_add_up_to_the_whole(tmp_path: Path) -> None:
    """The sums of `test_two_processes_learn_as_one_does`, without the processes."""
    one, two = ({}, {})  # type: tuple[dict[str, Any], dict[str, Any]]
    for total, parts in ((one, [Ranks()]), (two, [Ranks(0, 2), Ranks(1, 2)])):
        for ranks in parts:
            trainer = Trainer(task(), tmp_path, ranks)
            trainer._loss(trainer._order.rows(0), 0).backward()
            for name, weight in trainer.model.named_parameters():
                if weight.grad is not None:
                    total[name] = total.get(name, 0) + weight.grad
    assert one.keys() == two.keys()
    assert sum(float(gradient.abs().sum()) for gradient in one.values()) > 0.1
    for name, gradient in one.items():
        assert torch.allclose(gradient, two[name], rtol=1e-4, atol=1e-6), name


@pytest.mark.slow
def test_two_processes_learn_as_one_does(tmp_path: Path) -> None:
    """Gradients are compared: what Adam makes of those that are 0 but for rounding is anything.

    Threads of a group that is left when a process ends may abort it.
    """
    with_ranks(2, first_updates, tmp_path / "two")
    assert [(tmp_path / "two" / f"group-{rank}").read_text() for rank in (0, 1)] == ["gone", "gone"]
    with_ranks(1, first_updates, tmp_path / "one")
    one, two = (torch.load(tmp_path / name / "gradients.pt", weights_only=True) for name in ("one", "two"))
    assert one.keys() == two.keys()
    assert sum(float(gradient.abs().sum()) for gradient in one.values()) > 0.1
    for name, gradient in one.items():
        assert torch.allclose(gradient, two[name], rtol=1e-4, atol=1e-6), name
    rows = [curves(tmp_path / name) for name in ("one", "two")]
    for name in ("loss", "gradient", "SPL", "NE"):
        assert float(rows[0][-1][name]) == pytest.approx(float(rows[1][-1][name]), rel=1e-3)


def test_a_loss_that_is_no_number_stops_and_leaves_what_was_kept(tmp_path: Path) -> None:
    laid = task()
    trainer = Trainer(laid, tmp_path, Ranks())
    trainer.begin(resume=False)
    for _ in range(3):
        trainer.advance()
    before = (tmp_path / "last.pt").read_bytes()
    laid.world.visuals.images[:] = torch.nan
    with pytest.raises(InputError, match="update 4: the loss is nan") as error:
        trainer.advance()
    assert "last.pt stay as they were" in error.value.fix
    assert (tmp_path / "last.pt").read_bytes() == before


def test_weights_that_are_no_numbers_are_not_kept(tmp_path: Path) -> None:
    laid = task()
    trainer = Trainer(laid, tmp_path, Ranks())
    trainer.begin(resume=False)
    for _ in range(6):
        trainer.advance()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with torch.no_grad():
        next(iter(trainer.model.parameters())).view(-1)[0] = torch.inf
    trainer._check = lambda *told: None  # type: ignore[method-assign]  # the loss does not show it yet
    for _ in range(2):
        trainer.advance()
    with pytest.raises(InputError, match="update 9: weights are no longer numbers") as error:
        trainer.advance()
    assert "best.pt stay as they were" in error.value.fix
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_features_that_are_no_numbers_are_named() -> None:
    with pytest.raises(InputError, match="viewpoint a3 of scan a have the extremes nan"):
        task(broken="a3")


def test_curves_that_were_not_written_are_written_again(tmp_path: Path) -> None:
    laid = task(updates=6)
    _trained(laid, tmp_path)
    whole = (tmp_path / "curves.csv").read_text()
    (tmp_path / "curves.csv").write_text("")
    Trainer(laid, tmp_path, Ranks()).begin(resume=True)
    assert (tmp_path / "curves.csv").read_text() == whole


def test_a_run_killed_before_its_first_state_was_kept_starts_again(tmp_path: Path) -> None:
    laid = task(updates=6)
    whole = _trained(laid, tmp_path)
    best = (tmp_path / "best.pt").read_bytes()
    for name in ("last.pt", "curves.csv"):
        (tmp_path / name).unlink()
    with pytest.raises(InputError, match="holds a run already"):
        train(laid, tmp_path)
    with pytest.raises(InputError, match="another experiment"):
        train(task(updates=7), tmp_path, resume=True)
    assert weights_digest(_trained(laid, tmp_path, resume=True).model) == weights_digest(whole.model)
    assert (tmp_path / "best.pt").read_bytes() == best


def test_more_processes_than_episodes_are_refused(tmp_path: Path) -> None:
    laid = task(batch=8)
    few = laid._replace(train=laid.train.take(torch.tensor([0])))
    with pytest.raises(InputError, match="a batch of 1 cannot be shared by 2"):
        Trainer(few, tmp_path, Ranks(0, 2))


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    Trainer(task(), tmp_path, Ranks()).begin(resume=True)
    _trained(task(updates=1), tmp_path)
    with pytest.raises(InputError, match="holds a run already"):
        train(task(updates=1), tmp_path)
    with pytest.raises(InputError, match="another experiment"):
        train(task(updates=2), tmp_path, resume=True)
    other = task(updates=1)
    other.world.visuals.images[0, 0, 0] += 1
    with pytest.raises(InputError, match="begun with other features"):
        train(other, tmp_path, resume=True)
    assert is_consistent(tmp_path)  # what was refused has left no trace
    (tmp_path / "experiment.json").write_text("{}")
    assert not is_consistent(tmp_path)
    (tmp_path / "last.pt").write_bytes(b"PK half a file")
    for resume in (True, False):
        with pytest.raises(InputError, match="cannot be read" if resume else "holds a run already"):
            train(task(updates=1), tmp_path, resume=resume)
    (tmp_path / "last.pt").write_bytes(b"\x80")
    with pytest.raises(InputError, match="cannot be read"):
        is_consistent(tmp_path)
    (tmp_path / "last.pt").unlink()
    with pytest.raises(InputError, match="without the state"):
        train(task(updates=1), tmp_path, resume=True)


def test_words_begin_as_vectors_where_a_model_can(tmp_path: Path) -> None:
    laid = task(model="scout")
    vectors = torch.zeros(laid.vocabulary.size, laid.config.word_size)
    vectors[5:] = 0.5
    begun: Any = Trainer(laid._replace(vectors=vectors), tmp_path, Ranks()).model
    assert (begun.embedding.weight[5:] == 0.5).all()
    assert (begun.embedding.weight[1:5] != 0).any()
    with pytest.raises(InputError, match="cannot begin as vectors of 3 numbers"):
        Trainer(task(model="rcm")._replace(vectors=vectors[:, :3]), tmp_path, Ranks())


@settings(max_examples=20)
@given(st.integers(1, 40), st.integers(0, 5))
def test_each_pass_has_every_episode_at_most_once(batch: int, seed: int) -> None:
    laid = LAID
    order = Order.of(laid.train, batch, seed)
    size = min(batch, len(laid.train))
    for turn in range(2):
        rows = torch.cat([order.rows(turn * order.batches + k) for k in range(order.batches)]).tolist()
        assert len(set(rows)) == len(rows) == len(laid.train) // size * size
    again = Order.of(laid.train, batch, seed)
    assert torch.equal(again.rows(order.batches), order.rows(order.batches))


LAID = task(made())


def test_rates_rise_and_fall_and_cloning_dies_out() -> None:
    plan = LearningConfig(updates=100, warmup=10, rate=2.0, floor=0.1)
    rates = [learning_rate(update, plan) for update in range(100)]
    assert max(rates) == 2.0
    assert rates[:10] == sorted(rates[:10])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] == pytest.approx(0.2)
    kinds = policy_updates(LearningConfig(updates=400, cloning=5.0, halving=10))
    assert sum(kinds[:100]) < 50
    assert all(kinds[-100:])


def test_experiments_of_the_package_can_be_read() -> None:
    assert "r2r-captions" in experiments()
    for name in experiments():
        found = read_experiment(name)
        assert "val_unseen" not in found.data.validate
        assert "test" not in found.data.validate
    assert read_experiment("r2r-captions", ["learning.batch=7", "seed=3"]).learning.batch == 7


WHOLE = "title='t'\n[data]\ntrain='a'\nvalidate='b'\nfeatures='c'\n[model]\nname='hamt'\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", "is no TOML"),
        ("title = 'x'", "missing required field"),
        ("[learning]\nbach = 3\n", "bach"),
        ("[learning]\nbatch = 0\n", "batch cannot be"),
        ("[learning]\nteacher = 0\nstudent = 0\n", "teacher cannot be"),
        ("[learning]\nrate = 0\n", "rate cannot be"),
        ("[learning]\nrate = nan\n", "rate cannot be"),
        ("[learning]\nrate = inf\n", "rate cannot be"),
        ("[learning]\ndecay = -1\n", "decay cannot be"),
        ("[learning]\nclip = 0\n", "clip cannot be"),
        ("[learning]\nwarmup = -1\n", "warmup cannot be"),
        ("[learning]\ndiscount = 1.1\n", "discount cannot be"),
        ("choose = 'NE'\n" + WHOLE, "NE"),
        (WHOLE.replace("'c'", "'c'\nlimit = -1"), "limit cannot be"),
        (WHOLE + "least = 0\n", "least cannot be"),
    ],
)
def test_experiments_that_cannot_be_used_are_refused(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(WHOLE + text if text.startswith("[") else text)
    with pytest.raises(InputError, match=told):
        read_experiment(tmp_path / "x.toml")
    with pytest.raises(UnknownNameError):
        read_experiment("r2r-caption")
    for change in ("batch", "title.x.y=1"):
        with pytest.raises(InputError, match="cannot be understood"):
            read_experiment("r2r-captions", [change])


def test_the_command_trains_and_goes_on(tmp_path: Path, cli: Cli) -> None:
    data = made()
    assert data.scenes is not None
    rows = {
        (scan, node): np.random.default_rng(len(node)).random((36, 4))
        for scan in data.scenes.scans()
        for node in data.scenes.scene(scan).graph.nodes
    }
    write_data(tmp_path / "data", data)
    features = tsv(tmp_path / "f.tsv", rows)
    (tmp_path / "x.toml").write_text(
        f"title = 'tiny'\nvalidate_every = 2\n[data]\ntrain = 'r2r/train'\nvalidate = 'r2r/val_seen'\n"
        f"features = 'tiny={features}'\n[model]\nname = 'rcm'\nleast = 1\n[model.sizes]\nhidden = 8\n"
        "[learning]\nupdates = 2\nbatch = 4\n"
    )
    command = ["train", tmp_path / "x.toml", "--root", tmp_path / "data", "--out", tmp_path / "run"]
    done = cli(*command, "--json")
    assert done.code == 0, done.err
    assert done.data["update"] == 2
    assert "update 2" in done.err
    unused = cli("train", "house-encoder", "--out", tmp_path / "no", "--root", tmp_path, "--processes", 2)
    assert unused.code == 2
    assert "no use for --root, --processes" in unused.err
    again = cli(*command)
    assert again.code == 2
    assert "--resume" in again.err
    assert cli(*command, "--resume").code == 0
    for change, told in (
        ("data.features=nothing", "nothing"),
        ("model.sizes.vocabulary=5", "vocabulary in [model.sizes] cannot be chosen"),
        ("model.sizes.name=3", "has no 'name'"),
        ("model.sizes.dropout=true", "dropout cannot be True"),
        ("model.words=sentences", "does not read the vectors"),
        ("model.begin=nowhere.pt", "nowhere.pt"),
        (f"model.begin={tmp_path / 'run' / 'last.pt'}", "is the state of a training run"),
    ):
        refused = cli(*command[:-1], tmp_path / "other", "--set", change)
        assert refused.code == 2, refused.err
        assert told in refused.err.replace("\n", " "), refused.err
