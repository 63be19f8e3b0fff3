"""Training speakers: the loss falls, a killed run goes on to the same bits, what is written is of use."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli  # noqa: E402
from feature_files import tsv  # noqa: E402
from training_world import MadeFeatures, made, task, write_data  # noqa: E402
from vlnscope.agents.learned.checkpoints import load_checkpoint, load_network, weights_digest  # noqa: E402
from vlnscope.agents.learned.speaker_follower.speaker import Speaker  # noqa: E402
from vlnscope.agents.learned.speaker_follower.walks import Walks, read_walks, route_along  # noqa: E402
from vlnscope.agents.learned.speaker_network import encoded_words  # noqa: E402
from vlnscope.agents.learned.vocabulary import WordVocabulary  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.training.loop import train, trainer_class  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.training.speaking import SpeakerTrainer, word_logs  # noqa: E402
from vlnscope.types import Observation  # noqa: E402
from vlnscope.worlds.graph.candidates import candidates_of  # noqa: E402
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, view_index  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


def test_the_loss_falls_and_the_best_weights_are_kept(tmp_path: Path) -> None:
    state = train(task(model="speaker", updates=24, rate=2e-2, clip=100.0), tmp_path)
    told = state.curve
    losses = [row["loss"] for row in told]
    assert losses[-1] < 0.95 * losses[0]  # the words are drawn: there is little to learn
    chances = [row["likelihood"] for row in told if "likelihood" in row]
    assert chances[-1] > chances[0]
    assert state.best == max(chances)
    assert isinstance(load_network(tmp_path / "best.pt").model, Speaker)
    with pytest.raises(InputError, match="does not walk on navigation graphs"):
        load_checkpoint(tmp_path / "best.pt")


def test_every_speaker_learns(tmp_path: Path) -> None:
    laid = task(model="envdrop_speaker", updates=2)
    assert laid.experiment.speaks
    state = train(laid, tmp_path)
    assert math.isfinite(state.curve[-1]["likelihood"])


def test_a_run_that_is_killed_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    laid = task(model="speaker", average=0.9)
    assert trainer_class(laid) is SpeakerTrainer
    train(laid, tmp_path / "whole")
    broken = SpeakerTrainer(laid, tmp_path / "broken", Ranks())
    broken.begin(resume=False)
    for _ in range(5):
        broken.advance()
    train(laid, tmp_path / "broken", resume=True)
    whole, again = (load_network(tmp_path / name / "best.pt") for name in ("whole", "broken"))
    assert weights_digest(whole.model) == weights_digest(again.model)
    assert whole.notes["validation"] == again.notes["validation"]


@torch.no_grad()
def test_training_reads_the_walks_that_agents_score() -> None:
    """A speaker says alike of an episode in training and of its reference as a route."""
    laid = task(model="speaker")
    vocabulary = laid.vocabulary
    assert isinstance(vocabulary, WordVocabulary)
    model = SpeakerTrainer(laid, Path("unused"), Ranks()).model.eval()
    rows = torch.arange(6)
    batch = laid.held.take(rows)
    world = laid.world
    logs, count = word_logs(model, world, batch, begins=True)
    data = made()
    assert data.scenes is not None
    total = 0
    for row, episode in enumerate(list(data.episodes())[:6]):
        graph = data.scenes.scene(episode.scan).graph

        def look(viewpoint: str, view: int, episode: Any = episode, graph: Any = graph) -> Observation:
            return Observation(
                episode_id="",
                instruction="",
                scan=episode.scan,
                viewpoint=viewpoint,
                heading=float(VIEW_HEADINGS[view]),
                elevation=float(VIEW_ELEVATIONS[view]),
                step=0,
                candidates=candidates_of(graph, viewpoint),
            )

        view = view_index(episode.heading or 0.0)
        route = route_along(episode.path, look, view)
        state = read_walks(model, Made(), Walks([route], [look], [view]))
        words = torch.tensor([encoded_words(episode.instruction, vocabulary, 80)])
        own = model.word_scores(state, words)[0]
        total += len(own)
        assert own.tolist() == pytest.approx(logs[row, : len(own)].tolist(), abs=1e-3)  # halves in training
        assert logs[row, len(own) :].abs().sum() == 0
    assert total == int(count)


class Made:
    """The features of the made-up world, as agents see them."""

    needs: tuple[str, ...] = ()

    def views(self, observation: Observation) -> Any:
        return MadeFeatures().at(observation.scan, observation.viewpoint).astype(np.float16)

    def grid(self, observation: Observation) -> None:
        return None


def test_what_a_speaker_writes_can_be_run_scored_and_learned_from(tmp_path: Path, cli: Cli) -> None:
    data = made()
    assert data.scenes is not None
    rows = {
        (scan, node): MadeFeatures().at(scan, node)
        for scan in data.scenes.scans()
        for node in data.scenes.scene(scan).graph.nodes
    }
    root = tmp_path / "data"
    write_data(root, data)
    features = tsv(tmp_path / "f.tsv", rows)
    head = (
        "title = 'tiny'\nvalidate_every = 2\n[data]\ntrain = 'r2r/train'\nvalidate = 'r2r/val_seen'\n"
        f"features = 'tiny={features}'\n"
    )
    tail = "least = 1\n[model.sizes]\nhidden = 8\n[learning]\nupdates = 2\nbatch = 4\n"
    (tmp_path / "s.toml").write_text(
        "choose = 'likelihood'\n" + head + "[model]\nname = 'speaker'\n" + tail.replace("hidden", "word_size")
    )
    (tmp_path / "r.toml").write_text(head + "[model]\nname = 'rcm'\n" + tail)
    done = cli("train", tmp_path / "s.toml", "--root", root, "--out", tmp_path / "s")
    assert done.code == 0, done.err
    assert "vlnscope speak" in done.out
    best, more = tmp_path / "s" / "best.pt", tmp_path / "more.json"
    asked = ("speak", best, "--data", "r2r/val_seen", "--root", root)
    assert cli(*asked, "--out", more, "--texts", 2, "--sample", "--seed", 4).code == 0
    records = json.loads(more.read_text())
    paths = list(data.episodes())
    assert [len(record["instructions"]) for record in records] == [2] * len(paths)
    assert [tuple(record["path"]) for record in records] == [each.path for each in paths]
    again = tmp_path / "again.json"
    assert cli(*asked, "--out", again, "--texts", 2, "--sample", "--seed", 4, "--limit", 3).code == 0
    assert json.loads(again.read_text()) == records[:3]
    learned = cli(
        "train",
        tmp_path / "r.toml",
        "--root",
        root,
        "--out",
        tmp_path / "r",
        "--set",
        f'data.more=["{more}"]',
    )
    assert learned.code == 0, learned.err
    run = cli(
        "run", f"learned:file={tmp_path / 'r' / 'best.pt'}", "--data", more, "--root", root,
        "--out", tmp_path / "run", "--json",
    )  # fmt: skip
    assert run.code == 0, run.err
    for arguments, told in (
        (("--texts", 2), "would all be the same"),
        (("--features", "nothing"), "nothing"),
    ):
        refused = cli(*asked, "--out", tmp_path / "no.json", *arguments)
        assert refused.code == 2
        assert told in refused.err
    wrong = cli("speak", tmp_path / "r" / "best.pt", "--data", "r2r/val_seen", "--root", root, "--out", again)
    assert wrong.code == 2
    assert "holds a 'rcm', which does not speak" in wrong.err
    assert math.isfinite(load_network(best).notes["validation"]["likelihood"])
    inspected = cli("agents", "inspect", best)
    assert "vlnscope speak" in inspected.out
