"""The house segmenter: a small U-Net learns the class of each pixel.

Nine of ten pixels have no class, so rare classes count for more (`SegmenterExperiment.balance`). Pictures are
mirrored and their colours changed a little, as there are few houses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.houses import split_houses
from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.mapping.segmenting_network import SegmentingNetwork
from vlnscope.perception.networks import one_thread
from vlnscope.training.experiment import require
from vlnscope.training.picturing import PictureExperiment, check_pictures, fit, packaged_experiment
from vlnscope.training.segmenter.pictures import LabelledPictures, take_labelled
from vlnscope.training.watching import CurveRow, TrainingWatch

NAME = "house-segmenter"
TINT = 0.15
"""Standard deviation of the logarithm of what all reds, greens or blues of a picture are multiplied with."""


class SegmenterExperiment(PictureExperiment, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a house segmenter is made.

    Attributes:
        looks: pictures of each house.
        choices: each picture to learn from is taken from that of so many places where most is seen that has
            a class; those of held houses from anywhere.
        walks: in each house that is held, on which maps are compared.
        balance: 0 if all pixels count alike, 1 if all classes do.
    """

    title: str = "House segmenter"
    looks: int = 160
    choices: int = 3
    walks: int = 4
    balance: float = 0.35

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("looks", "choices", "walks"):
            require(self, getattr(self, name) >= 1, name, "1 or more")
        require(self, 0 <= self.balance <= 1, "balance", "a number from 0 to 1")


class TrainedSegmenter(NamedTuple):
    """A network that has learned, and the curve of the loss."""

    network: SegmentingNetwork
    curve: list[CurveRow]


def read_segmenter_experiment(changes: Sequence[str] = ()) -> SegmenterExperiment:
    """Return the experiment that comes with vlnscope, with changes such as ``updates=100``.

    Raises:
        InputError: a change cannot be used.
    """
    return packaged_experiment(NAME, SegmenterExperiment, changes)


def labelled_pictures_of(
    experiment: SegmenterExperiment, watch: TrainingWatch | None = None
) -> LabelledPictures:
    """Draw the pictures to learn from as an experiment says; `watch` is told how it goes."""
    houses = split_houses(experiment.houses)[1]
    return take_labelled(
        houses, looks=experiment.looks, choices=experiment.choices, seed=experiment.seed, watch=watch
    )


def train_segmenter(
    experiment: SegmenterExperiment, pictures: LabelledPictures, watch: TrainingWatch | None = None
) -> TrainedSegmenter:
    """Train a network; the same pictures and the same seed give the same weights.

    Raises:
        InputError: there are fewer pictures than a batch takes, or the loss is no longer a number.
    """
    check_pictures(len(pictures.rgb), experiment)
    watch = watch or TrainingWatch()
    watch.phase("the first update")
    weights = class_weights(pictures.classes, experiment.balance)
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng_for(experiment.seed, "segmenter").integers(2**62)))
        network = SegmentingNetwork().train()

        def loss_of(update: int, rows: Tensor) -> Tensor:
            rgb, depth, classes = changed(pictures, rows, experiment.seed, update)
            numbers = functional.interpolate(network(rgb, depth), classes.shape[1:], mode="bilinear")
            return functional.cross_entropy(numbers, classes, weights)

        curve = fit(network, loss_of, len(pictures.rgb), experiment, watch)
    return TrainedSegmenter(network.eval(), curve)


def changed(
    pictures: LabelledPictures, rows: Tensor, seed: int, update: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return some pictures, of which some are mirrored, in other light.

    Args:
        pictures: to choose from.
        rows: which.
        seed: of the changes.
        update: whose pictures these are.
    """
    rng = rng_for(seed, "changes", update)
    mirrored = torch.from_numpy(rng.random(len(rows)) < 0.5)
    tints = torch.from_numpy(rng.normal(0.0, TINT, (len(rows), 1, 1, 3)).astype("float32")).exp()

    def turned(part: Tensor) -> Tensor:
        chosen = part[rows]
        return torch.where(mirrored.view(-1, *[1] * (chosen.ndim - 1)), chosen.flip(2), chosen)

    rgb = (turned(pictures.rgb).float() * tints).clamp(max=255.0)
    return rgb, turned(pictures.depth), turned(pictures.classes).long()


def class_weights(classes: Tensor, balance: float) -> Tensor:
    """(13): what a pixel of each class counts; 1 on average over the pixels, 0 for a class that none has."""
    count = torch.bincount(classes.flatten(), minlength=len(CLASSES)).float()
    weights = torch.where(count > 0, count.clamp(min=1.0) ** -balance, torch.zeros(()))
    return weights * count.sum() / (weights * count).sum()
