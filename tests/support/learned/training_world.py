"""A small made-up world to train in, and tasks on it."""

from __future__ import annotations

import atexit
import weakref
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import distributed

from made_up import dataset
from vlnscope.agents.learned.model import NavModel, network_class
from vlnscope.agents.learned.vocabulary import WordVocabulary
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import DataConfig, Experiment, LearningConfig, ModelChoice
from vlnscope.training.loop import Trainer, TrainingTask
from vlnscope.training.ranks import Ranks
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

WIDTH = 6
SIZES: dict[str, Any] = {
    "hidden": 16, "heads": 2, "wide": 16, "max_positions": 12, "max_tokens": 12, "text_layers": 1,
    "cross_layers": 1, "pano_layers": 0, "max_steps": 12, "critic": 4, "panorama": False, "dropout": 0.0,
    "feature_dropout": 0.0, "alike_heads": 0, "word_size": 8, "feature_scale": 1.0,
}  # fmt: skip
WORDS = ("go", "left", "right", "up", "past", "the", "sofa", "door", "stop")


class MadeFeatures:
    """Numbers per viewpoint that depend on its name alone."""

    width = WIDTH

    def __init__(self, broken: str | None = None) -> None:
        self.broken = broken

    def of(self, scene: Scene, viewpoint: str) -> Any:
        return self.at(scene.id, viewpoint)

    def at(self, scan: str, viewpoint: str) -> Any:
        rows = rng_for(0, scan, viewpoint).random((36, WIDTH)).astype(np.float32)
        return rows * np.nan if viewpoint == self.broken else rows


class Telling(TrainingWatch):
    """Keeps the rows that it is told."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def row(self, row: Any) -> None:
        self._rows.append(row)


def scene(name: str, size: int = 14) -> Scene:
    chance = rng_for(3, name)
    places = chance.random((size, 3)) * (12, 12, 1.5)
    near = np.linalg.norm(places[:, None] - places[None], axis=2)
    edges = [(i, int(j)) for i in range(size) for j in np.argsort(near[i])[1:4]]
    edges += [(i, i + 1) for i in range(size - 1)]
    names = [f"{name}{i}" for i in range(size)]
    return Scene(name, NavGraph.build(names, places.tolist(), [(names[a], names[b]) for a, b in edges]))


def episodes(*scenes: Scene, each: int = 12) -> list[Episode]:
    """Paths that are no shortest ones in general: two shortest ones in a row."""
    found = []
    for place in scenes:
        for number in range(each):
            chance = rng_for(5, place.id, number)
            a, b, c = (place.graph.nodes[i] for i in chance.choice(len(place.graph.nodes), 3, replace=False))
            path = place.graph.shortest_path(a, b) + place.graph.shortest_path(b, c)[1:]
            found.append(
                Episode(
                    episode_id=f"{place.id}-{number}_0",
                    path_id=f"{place.id}-{number}",
                    scan=place.id,
                    instruction=" ".join(chance.choice(WORDS, int(chance.integers(3, 9)))),
                    path=path,
                    heading=float(chance.random() * 6),
                )
            )
    return found


def made() -> Dataset:
    scenes = [scene("a"), scene("b", 9)]
    return dataset(episodes(*scenes), *scenes)


def task(
    data: Dataset | None = None, *, model: str = "hamt", broken: str | None = None, **changes: Any
) -> TrainingTask:
    data = data or made()
    found = list(data.episodes())
    assert data.scenes is not None
    world = SceneArrays.of([data.scenes.scene(scan) for scan in data.scenes.scans()], MadeFeatures(broken))  # type: ignore[arg-type]
    vocabulary = WordVocabulary.build((each.instruction for each in found), least=1)
    kind = network_class(model)
    known = {each.name for each in fields(kind.Config)}
    sizes = {name: size for name, size in SIZES.items() if name in known}
    config = kind.Config.preset("small", **{**sizes, "vocabulary": vocabulary.size, "image_size": WIDTH})
    learning = {"updates": 12, "batch": 8, "warmup": 2, "rate": 5e-3, "max_steps": 8, **changes}
    experiment = Experiment(
        title="made up",
        data=DataConfig(train="made/up", validate="made/up", features="made"),
        model=ModelChoice(name=model),
        learning=LearningConfig(**learning),
        choose="SPL" if issubclass(kind, NavModel) else "likelihood",
        validate_every=6,
        save_every=3,
    )
    laid = EpisodeArrays.of(found, world, vocabulary, config.max_tokens)
    tours = None
    if experiment.learning.method == "tours":
        rows = {
            scan: [i for i, each in enumerate(found) if each.scan == scan] for scan in data.scenes.scans()
        }
        tours = torch.tensor([part[i : i + 3] for part in rows.values() for i in range(0, len(part), 3)])
    return TrainingTask(
        experiment, config, vocabulary, world, laid, laid, "made up", train_tours=tours, held_tours=tours
    )


def write_data(root: Path, data: Any) -> None:
    """Write a made-up data set as R2R and connectivity files."""
    (root / "connectivity").mkdir(parents=True)
    (root / "r2r").mkdir()
    (root / "connectivity" / "scans.txt").write_text("\n".join(data.scenes.scans()) + "\n")
    for scan in data.scenes.scans():
        graph = data.scenes.scene(scan).graph
        views = [
            {
                "image_id": name,
                "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
                "included": True,
                "visible": joined.tolist(),
                "unobstructed": joined.tolist(),
                "height": 1.5,
            }
            for name, (x, y, z), joined in zip(
                graph.nodes, graph.positions.tolist(), graph.adjacency, strict=True
            )
        ]
        (root / "connectivity" / f"{scan}_connectivity.json").write_bytes(msgspec.json.encode(views))
    records = [
        {
            "path_id": number,
            "scan": each.scan,
            "heading": each.heading,
            "path": each.path,
            "distance": 5.0,
            "instructions": [each.instruction],
        }
        for number, each in enumerate(data.episodes())
    ]
    for split in ("train", "val_seen"):
        (root / "r2r" / f"R2R_{split}.json").write_bytes(msgspec.json.encode(records))


def first_updates(ranks: Ranks, out: Path) -> None:
    """Do two updates, and keep the gradients of the first; other processes import this by name.

    They are not clipped: those of one parameter are so large that clipping would leave nothing of the others.
    Each of several processes says in a file whether it ends without the group in which they met.
    """
    if ranks.count > 1:
        group = weakref.ref(distributed.group.WORLD)
        atexit.register(lambda: (out / f"group-{ranks.rank}").write_text("left" if group() else "gone"))
    trainer = Trainer(task(updates=2, clip=1e9), out, ranks)
    trainer.begin(resume=False)
    trainer.advance()
    found = {name: p.grad for name, p in trainer.model.named_parameters() if p.grad is not None}
    trainer.advance()
    if ranks.leads:
        torch.save(found, out / "gradients.pt")
