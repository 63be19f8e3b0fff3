"""Training in continuous space: the loss falls, a killed run goes on to the same bits, agents come of it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli, cli  # noqa: E402, F401
from vlnscope.agents.learned.checkpoints import load_network, weights_digest  # noqa: E402
from vlnscope.agents.learned.cma import MapCma  # noqa: E402
from vlnscope.agents.learned.cma.steps import Steps  # noqa: E402
from vlnscope.agents.learned.vocabulary import WordVocabulary  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402
from vlnscope.engine.run import run  # noqa: E402
from vlnscope.training.experiment import experiments  # noqa: E402
from vlnscope.training.loop import train  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.training.space.dagger import DaggerTrainer  # noqa: E402
from vlnscope.training.space.experiment import SpaceExperiment, read_space_experiment  # noqa: E402
from vlnscope.training.space.preparation import ToldWalk, WalkTask, prepare_walks  # noqa: E402
from vlnscope.training.space.training import SpaceTrainer  # noqa: E402
from vlnscope.training.space.walks import HouseWalks  # noqa: E402
from vlnscope.worlds.houses.splits import HouseScenes  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

SMALL = [
    "data.train=houses-ce/val_unseen@2", "data.held=1", "data.limit=3", "data.depth=16x16",
    "model.sizes={map_channels=2, depth_planes=2, depth_channels=4, hidden=16, word_hidden=8}",
    "model.least=1", "learning.batch=2", "learning.updates=12", "learning.rate=1e-2", "learning.warmup=1",
    "learning.average=0.5", "validate_every=6", "save_every=4",
]  # fmt: skip


def experiment(changes: Sequence[str] = ()) -> SpaceExperiment:
    asked = read_space_experiment("houses-ce-map-cma", [*SMALL, *changes])
    assert asked is not None
    return asked


def made_walks(seed: int) -> HouseWalks:
    """Three walks of eight steps through nothing."""
    chance, count = rng_for(seed, "walks"), 24
    actions = chance.integers(1, 4, count).astype(np.uint8)
    actions[7::8] = 0
    return HouseWalks(
        cells=(chance.integers(0, 60, (count, 64, 64)) % 14 * (chance.random((count, 64, 64)) < 0.2)).astype(
            np.uint8
        ),
        depth=chance.integers(0, 256, (count, 16, 16), dtype=np.uint8),
        previous=np.where(np.arange(count) % 8, np.roll(actions, 1), 0).astype(np.uint8),
        actions=actions,
        progress=np.tile(np.linspace(0, 1, 8), 3).astype(np.float32),
        starts=np.array([0, 8, 16, 24]),
        names=np.array(["a", "b", "c"]),
    )


@cache
def task() -> WalkTask:
    """A task that nobody had to walk for."""
    asked = experiment()
    words = WordVocabulary.build(["go left and right"], least=1)
    texts = [torch.tensor([3, 4, 5, 2]), torch.tensor([3, 6, 2]), torch.tensor([3, 7, 4, 5, 2])]
    told = [
        tuple(ToldWalk(made_walks(seed), number, tuple(texts)) for number in range(3)) for seed in range(2)
    ]
    config = MapCma.Config.preset("small", **asked.model.sizes, vocabulary=words.size)
    return WalkTask(asked, config, words, told[0], told[1], "data", "stores", HouseScenes([]), {})


def test_walks_that_are_shared_are_looked_at_once_and_followed_alike() -> None:
    laid = task()
    walks = laid.train[:2]
    shared = laid.batch(walks)
    assert shared.steps.walks is not None
    assert shared.steps.walks.tolist() == [0, 0, 0, 1, 1, 1]
    trainer = SpaceTrainer(laid, Path("unused"), Ranks())
    model = trainer.model.eval()
    alone = shared.steps.sights.each(lambda tensor: tensor[:, [0, 0, 0, 1, 1, 1]])
    steps = Steps(
        alone, shared.steps.previous, shared.steps.same_episode, shared.steps.same_tour, shared.steps.text,
        shared.steps.valid,
    )  # fmt: skip
    state = model.start(6)
    with torch.no_grad():
        one, other = (model(model.read(shared.words), each, state) for each in (shared.steps, steps))
    assert torch.allclose(one.logits, other.logits, atol=1e-5)


def test_the_loss_falls_and_a_killed_run_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    whole = SpaceTrainer(task(), tmp_path / "whole", Ranks())
    whole.begin(resume=False)
    whole.run()
    rows = list(csv.DictReader((tmp_path / "whole" / "curves.csv").read_text().splitlines()))
    losses = [float(row["loss"]) for row in rows]
    assert losses[-1] < losses[0]
    broken = SpaceTrainer(task(), tmp_path / "broken", Ranks())
    broken.begin(resume=False)
    for _ in range(7):
        broken.advance()
    resumed = SpaceTrainer(task(), tmp_path / "broken", Ranks())
    resumed.begin(resume=True)
    assert resumed.state.update == 6
    resumed.run()
    assert weights_digest(resumed.model) == weights_digest(whole.model)
    kept = [load_network(tmp_path / name / "best.pt").digest for name in ("whole", "broken")]
    assert kept[0] == kept[1]


@pytest.mark.slow
def test_a_command_trains_an_agent_that_walks(tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    out = tmp_path / "run"
    changes = [part for change in [*SMALL, "learning.updates=2"] for part in ("--set", change)]
    done = cli("train", "houses-ce-map-cma", "--out", out, *changes)
    assert f"vlnscope run learned:file={out / 'best.pt'}" in done.out.replace("\n", "")
    notes = load_network(out / "best.pt").notes
    assert (notes["cameras"], notes["memory"]) == ({"depth": "16x16"}, "episodic")
    walked = run(f"learned:file={out / 'best.pt'}", "houses-ce/val_unseen@1+3", out=tmp_path / "x", limit=1)
    assert all(line.failed is None for line in walked.lines().values())


def test_experiments_that_come_along_can_be_read() -> None:
    for name in experiments("space"):
        assert read_space_experiment(name) is not None
    assert read_space_experiment("houses-hamt") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param("data.held=2", "has 2 scenes", marks=pytest.mark.slow),
        pytest.param("data.train=houses/val_unseen@2", "not in space", marks=pytest.mark.slow),
        ("data.memory=long", "memory"),
    ],
)
def test_what_cannot_be_is_refused(change: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        prepare_walks(experiment([change]))


def test_training_by_a_function_is_the_same(tmp_path: Path) -> None:
    short = task()._replace(experiment=experiment(["learning.updates=2"]))
    state = train(short, tmp_path)
    assert state.update == 2
    assert (tmp_path / "best.pt").is_file()


@pytest.mark.slow
def test_an_agent_walks_itself_and_a_run_that_is_killed_then_ends_alike(tmp_path: Path) -> None:
    plan = "dagger={iterations=2, first=2, every=2, walks=2, steps=5, p=0.5}"
    laid = prepare_walks(experiment([plan, "learning.updates=6", "learning.batch=3"]))
    whole = DaggerTrainer(laid, tmp_path / "whole", Ranks())
    whole.begin(resume=False)
    whole.run()
    broken = DaggerTrainer(laid, tmp_path / "broken", Ranks())
    broken.begin(resume=False)
    for _ in range(3):
        broken.advance()
    [house] = laid.episodes
    assert [path.name for path in (tmp_path / "broken" / "walks").iterdir()] == ["1"]
    resumed = DaggerTrainer(laid, tmp_path / "broken", Ranks())
    resumed.begin(resume=True)
    assert resumed.state.update == 2
    resumed.run()
    assert weights_digest(resumed.model) == weights_digest(whole.model)
    walks = HouseWalks.read(tmp_path / "whole" / "walks" / "2" / f"{house}.npz")
    assert len(walks.names) == 2
    assert set(walks.actions.tolist()) <= {0, 1, 2, 3}
    (tmp_path / "broken" / "walks" / "1" / f"{house}.npz").unlink()
    late = DaggerTrainer(laid, tmp_path / "broken", Ranks())
    late.begin(resume=True)
    with pytest.raises(InputError, match="the agent that walked there has learned on"):
        late.advance()


def test_an_agent_that_walks_itself_has_episodic_maps() -> None:
    with pytest.raises(InputError, match="episodic where the agent itself walks"):
        experiment(["dagger.iterations=1", "data.memory=iterative"])
