"""The house encoder: an image tower learns, against a text tower, what pictures of houses show.

The text tower reads a description, a bag of phrases with weights. Two losses are added. A picture must find
its own description among those of a batch and the other way round (InfoNCE, as in CLIP: Radford et al. 2021);
and each single phrase, as a description of its own, must be told true or false of each picture (as in SigLIP:
Zhai et al. 2023). Only the image tower is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.houses import split_houses
from vlnscope.perception.features.house_tower import FEATURES, ImageTower
from vlnscope.perception.networks import one_thread
from vlnscope.training.encoder.pictures import Pictures, phrase_list, phrase_weights, take_pictures
from vlnscope.training.experiment import require
from vlnscope.training.picturing import PictureExperiment, check_pictures, fit, packaged_experiment
from vlnscope.training.watching import CurveRow, TrainingWatch

NAME = "house-encoder"


class EncoderExperiment(PictureExperiment, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a house encoder is made.

    Attributes:
        viewpoints: of each house, at most.
        views: of each viewpoint.
        least: pictures that must have a phrase for it to be learned.
    """

    title: str = "House encoder"
    houses: str = "train@80"
    held: str = "val_unseen@10"
    viewpoints: int = 40
    views: int = 8
    least: int = 100
    batch: int = 192

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("viewpoints", "views", "least"):
            require(self, getattr(self, name) >= 1, name, "1 or more")


def read_encoder_experiment(changes: Sequence[str] = ()) -> EncoderExperiment:
    """Return the experiment that comes with vlnscope, with changes such as ``updates=100``.

    Raises:
        InputError: a change cannot be used.
    """
    return packaged_experiment(NAME, EncoderExperiment, changes)


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
    curve: list[CurveRow]


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
    check_pictures(len(pictures.told), experiment)
    watch = watch or TrainingWatch()
    watch.phase("reading what pictures show")
    phrases = phrase_list(pictures.told, experiment.least)
    weights = phrase_weights(pictures.told, phrases)
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng_for(experiment.seed, "towers").integers(2**62)))
        towers = Towers(len(phrases)).train()
        curve = fit(
            towers,
            lambda update, rows: towers.loss(pictures.rgb[rows], weights[rows].float()),
            len(pictures.told),
            experiment,
            watch,
        )
    return TrainedEncoder(towers.eval(), phrases, curve)
