"""The house encoder: an image tower learns, against a text tower, what pictures of houses show.

The text tower reads a description, a bag of phrases with weights. Two losses are added. A picture must find
its own description among those of a batch and the other way round (InfoNCE, as in CLIP: Radford et al. 2021);
and each single phrase, as a description of its own, must be told true or false of each picture (as in SigLIP:
Zhai et al. 2023). Only the image tower is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.core.toml_file import parse_toml
from vlnscope.episodes.datasets.houses import split_houses
from vlnscope.perception.features.house_tower import FEATURES, ImageTower, one_thread
from vlnscope.training.encoder.pictures import Pictures, phrase_list, phrase_weights, take_pictures
from vlnscope.training.experiment import require
from vlnscope.training.schedule import decayed_parts
from vlnscope.training.watching import TrainingWatch, UpdateNews

NAME = "house-encoder"
REPORT_EVERY = 50


class EncoderExperiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a house encoder is made.

    Attributes:
        title: one line.
        seed: of all random choices.
        houses: which houses to learn from, as in ``houses/…``: ``train@80``.
        held: which houses to report on; nothing is chosen by them.
        viewpoints: of each house, at most.
        views: of each viewpoint.
        least: pictures that must have a phrase for it to be learned.
        updates: steps of the optimiser.
        batch: pictures per step.
        rate: learning rate at its highest.
        warmup: updates until it is reached; the way down is a cosine.
        decay: of weights (AdamW).
    """

    title: str = "House encoder"
    seed: int = 0
    houses: str = "train@80"
    held: str = "val_unseen@10"
    viewpoints: int = 40
    views: int = 8
    least: int = 100
    updates: int = 800
    batch: int = 192
    rate: float = 2e-3
    warmup: int = 100
    decay: float = 0.02

    def __post_init__(self) -> None:
        for name in ("viewpoints", "views", "least", "updates", "warmup"):
            require(self, getattr(self, name) >= 1, name, "1 or more")
        require(self, 0 < self.rate < math.inf, "rate", "a finite number above 0")
        require(self, 0 <= self.decay < math.inf, "decay", "a finite number, 0 or more")
        require(self, self.batch >= 2, "batch", "2 or more: pictures are told apart within a batch")


def read_encoder_experiment(changes: Sequence[str] = ()) -> EncoderExperiment:
    """Return the experiment that comes with vlnscope, with changes such as ``updates=100``.

    Raises:
        InputError: a change cannot be used.
    """
    file = resources.files("vlnscope.training") / "experiments" / "encoders" / f"{NAME}.toml"
    try:
        plain = parse_toml(file.read_text(), file) | parse_toml("\n".join(changes), "--set cannot be read")
        return msgspec.convert(plain, EncoderExperiment)
    except msgspec.ValidationError as error:
        raise InputError(
            f"the house encoder cannot be made so: {error}",
            expected="NAME=VALUE in TOML's notation, with the names of training.house_encoder",
            fix="for example --set updates=100",
        ) from None


class TextTower(nn.Module):
    """Makes a row of length 1 of each description: (n, P) weights of phrases."""

    def __init__(self, phrases: int) -> None:
        super().__init__()
        self.embed = nn.Linear(phrases, FEATURES, bias=False)
        self.norm = nn.LayerNorm(FEATURES)
        self.wide = nn.Linear(FEATURES, 2 * FEATURES)
        self.out = nn.Linear(2 * FEATURES, FEATURES)
        nn.init.normal_(self.embed.weight, std=0.5)

    def forward(self, weights: Tensor) -> Tensor:
        """(n, 128)."""
        read = self.norm(self.embed(weights))
        return functional.normalize(read + self.out(functional.gelu(self.wide(read))), dim=1)


class Towers(nn.Module):
    """Both towers, and how sharp and how probable a match is."""

    def __init__(self, phrases: int) -> None:
        super().__init__()
        self.image, self.text = ImageTower(), TextTower(phrases)
        self.sharp = nn.Parameter(torch.tensor(math.log(14.0)))
        self.sharp_phrase = nn.Parameter(torch.tensor(math.log(10.0)))
        self.common = nn.Parameter(torch.full((phrases,), -4.0))

    def loss(self, rgb: Tensor, weights: Tensor) -> Tensor:
        """Return the loss of a batch: of descriptions, and of phrases one by one."""
        images, own = self.image(rgb), torch.arange(len(rgb))
        match = images @ self.text(weights).T * self.sharp.exp().clamp(max=100.0)
        whole = (functional.cross_entropy(match, own) + functional.cross_entropy(match.T, own)) / 2
        single = images @ self.text(torch.eye(weights.shape[1])).T * self.sharp_phrase.exp() + self.common
        phrases = functional.binary_cross_entropy_with_logits(single, (weights > 0).float(), reduction="none")
        return whole + phrases.sum(1).mean() / 10


class TrainedEncoder(NamedTuple):
    """Towers that have learned, the phrases of the text tower, and the curve of the loss."""

    towers: Towers
    phrases: tuple[str, ...]
    curve: list[dict[str, float]]


def pictures_of(experiment: EncoderExperiment, split: str, watch: TrainingWatch | None = None) -> Pictures:
    """Draw the pictures of some houses as an experiment says; `watch` is told how it goes."""
    return take_pictures(
        split_houses(split)[1],
        viewpoints=experiment.viewpoints,
        views=experiment.views,
        seed=experiment.seed,
        watch=watch,
    )


def train_encoder(
    experiment: EncoderExperiment, pictures: Pictures, watch: TrainingWatch | None = None
) -> TrainedEncoder:
    """Train both towers; the same pictures and the same seed give the same weights.

    Raises:
        InputError: there are fewer pictures than a batch takes, or the loss is no longer a number.
    """
    if len(pictures.told) < experiment.batch:
        raise InputError(
            f"there are {len(pictures.told)} pictures, fewer than a batch of {experiment.batch}",
            expected="more pictures",
            fix="name more houses, or set a smaller batch",
        )
    watch = watch or TrainingWatch()
    watch.phase("reading what pictures show")
    phrases = phrase_list(pictures.told, experiment.least)
    weights = phrase_weights(pictures.told, phrases)
    curve: list[dict[str, float]] = []
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng_for(experiment.seed, "towers").integers(2**62)))
        towers = Towers(len(phrases)).train()
        optimizer = torch.optim.AdamW(decayed_parts(towers, experiment.decay), lr=experiment.rate)
        total = 0.0
        for update in range(experiment.updates):
            for group in optimizer.param_groups:
                group["lr"] = _rate(update, experiment)
            rows = _rows(update, len(pictures.told), experiment)
            loss = towers.loss(pictures.rgb[rows], weights[rows].float())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += _finite(float(loss.detach()), update)
            count = update + 1 - int(curve[-1]["update"] if curve else 0)
            watch.updated(UpdateNews(update + 1, experiment.updates, total / count, experiment.batch))
            if (update + 1) % REPORT_EVERY == 0 or update + 1 == experiment.updates:
                curve.append({"update": update + 1, "loss": total / count})
                total = 0.0
                watch.row(curve[-1])
    return TrainedEncoder(towers.eval(), phrases, curve)


def _rows(update: int, size: int, experiment: EncoderExperiment) -> Tensor:
    """Return the pictures of a batch: each once in a round, in an order that differs from round to round."""
    batches = size // experiment.batch
    turn, number = divmod(update, batches)
    order = rng_for(experiment.seed, "order", turn).permutation(size)
    return torch.from_numpy(order[number * experiment.batch : (number + 1) * experiment.batch])


def _rate(update: int, experiment: EncoderExperiment) -> float:
    up = min(1.0, (update + 1) / experiment.warmup)
    return experiment.rate * up * (0.01 + 0.99 * (1 + math.cos(math.pi * update / experiment.updates)) / 2)


def _finite(loss: float, update: int) -> float:
    if not math.isfinite(loss):
        raise InputError(
            f"update {update + 1}: the loss is {loss}",
            expected="a number",
            fix="lower rate, say, --set rate=1e-3",
        )
    return loss
