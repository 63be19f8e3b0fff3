"""How good a house encoder is, on houses that it has not learned from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.core.devices import as_array
from vlnscope.core.files import file_digest
from vlnscope.core.json_file import write_json
from vlnscope.core.rng import rng_for
from vlnscope.perception.features.house_tower import ImageTower, encode, load_tower
from vlnscope.perception.networks import one_thread, save_weights
from vlnscope.training.encoder.house_encoder import (
    EncoderExperiment,
    TextTower,
    TrainedEncoder,
    pictures_of,
    train_encoder,
)
from vlnscope.training.encoder.pictures import Pictures, phrase_weights
from vlnscope.training.watching import TrainingWatch

BATCH = 256
PROBE_STEPS = 300


class EncoderReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured; accuracies are shares.

    Attributes:
        experiment: how it was made.
        weights: digest of its file.
        phrases: how many phrases it was taught.
        pictures: how many pictures it learned from.
        held: how many pictures of other houses it was measured on.
        loss: at the end of training.
        retrieval: how often the description nearest to a picture is its own, among those of a batch.
        chance: the same by chance.
        batch: pictures per batch.
        room: how often a linear probe names the room that most of a picture shows.
        room_by_frequency: the same of always naming the most frequent room of the training pictures.
    """

    experiment: EncoderExperiment
    weights: str
    phrases: int
    pictures: int
    held: int
    loss: float
    retrieval: float
    chance: float
    batch: int
    room: float
    room_by_frequency: float


def make_encoder(
    experiment: EncoderExperiment, out: Path, watch: TrainingWatch | None = None
) -> EncoderReport:
    """Draw pictures, train an encoder, write ``encoder.npz`` and ``report.json``, and return the report."""
    watch = watch or TrainingWatch()
    pictures = pictures_of(experiment, experiment.houses, watch)
    trained = train_encoder(experiment, pictures, watch)
    file = out / "encoder.npz"
    save_weights(file, trained.towers.image)
    watch.phase(f"measuring on the houses {experiment.held}")
    measured = report(experiment, trained, load_tower(file), pictures, file_digest(file))
    write_json(out / "report.json", measured)
    return measured


def report(
    experiment: EncoderExperiment,
    trained: TrainedEncoder,
    tower: ImageTower,
    pictures: Pictures,
    weights: str,
) -> EncoderReport:
    """Measure an encoder, as its file holds it, on the houses that are held out."""
    held_out = pictures_of(experiment, experiment.held)
    known, new = (torch.from_numpy(encode(tower, as_array(part.rgb))) for part in (pictures, held_out))
    batch = min(BATCH, len(held_out.told))
    text = trained.towers.text
    with one_thread():
        room, usual = room_probe(known, pictures.rooms(), new, held_out.rooms())
        own = retrieval(new, text, phrase_weights(held_out.told, trained.phrases), batch, experiment.seed)
    return EncoderReport(
        experiment=experiment,
        weights=weights,
        phrases=len(trained.phrases),
        pictures=len(pictures.told),
        held=len(held_out.told),
        loss=trained.curve[-1]["loss"],
        retrieval=own,
        chance=1 / batch,
        batch=batch,
        room=room,
        room_by_frequency=usual,
    )


@torch.no_grad()
def retrieval(images: Tensor, text: TextTower, weights: Tensor, batch: int, seed: int) -> float:
    """Return how often a picture's own description is the nearest of its batch; the rest is left out."""
    order = torch.from_numpy(rng_for(seed, "retrieval").permutation(len(images)))
    right = total = 0
    for begin in range(0, len(images) - batch + 1, batch):
        rows = order[begin : begin + batch]
        nearest = (images[rows] @ text(weights[rows].float()).T).argmax(1)
        right += int((nearest == torch.arange(batch)).sum())
        total += batch
    return right / total


def room_probe(known: Tensor, rooms: Tensor, new: Tensor, truth: Tensor) -> tuple[float, float]:
    """Return how often a linear layer names the room, and how often the most frequent room is right.

    Args:
        known: (N, D) features to learn from.
        rooms: (N) their rooms; -1 for none.
        new: (M, D) features to name the rooms of.
        truth: (M) their rooms.
    """
    known, rooms, new, truth = known[rooms >= 0], rooms[rooms >= 0], new[truth >= 0], truth[truth >= 0]
    layer = nn.Linear(known.shape[1], int(max(rooms.max(), truth.max())) + 1)
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
    for _ in range(PROBE_STEPS):
        loss = functional.cross_entropy(layer(known), rooms)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    usual = int(rooms.bincount().argmax())
    right = (layer(new).argmax(1) == truth).float().mean()
    return float(right), float((truth == usual).float().mean())
