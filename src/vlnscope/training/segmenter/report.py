"""How good a house segmenter is, on houses that it has not learned from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.core.files import file_digest
from vlnscope.core.json_file import write_json
from vlnscope.episodes.datasets.houses import split_houses
from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.mapping.house_segmenter import HouseSegmenter
from vlnscope.perception.mapping.semantics import InferredSemantics, Segmenter, TrueSemantics
from vlnscope.perception.networks import save_weights
from vlnscope.training.segmenter.house_segmenter import (
    SegmenterExperiment,
    labelled_pictures_of,
    train_segmenter,
)
from vlnscope.training.segmenter.pictures import looks_in
from vlnscope.training.segmenter.walks import MapAgreement, compare_maps
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Ints
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.scene import Scene


class PixelAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """How many pixels are told right; all numbers are shares.

    Attributes:
        right: pixels whose class is told right.
        other: pixels that have no class: how many were right if no class was told at all.
        mean_iou: intersection over union, the mean of the classes that occur, ``other`` among them.
        iou: of each class that occurs.
        share: of the pixels, by class.
    """

    right: float
    other: float
    mean_iou: float
    iou: dict[str, float]
    share: dict[str, float]


class SegmenterReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured.

    Attributes:
        experiment: how it was made.
        weights: digest of its file.
        pictures: how many pictures it learned from.
        held: how many pictures of other houses it was measured on.
        loss: at the end of training.
        pixels: accuracy on them, at the full size of VLN-CE's depth.
        maps: agreement of maps in these houses.
    """

    experiment: SegmenterExperiment
    weights: str
    pictures: int
    held: int
    loss: float
    pixels: PixelAccuracy
    maps: MapAgreement


def make_segmenter(
    experiment: SegmenterExperiment, out: Path, watch: TrainingWatch | None = None
) -> SegmenterReport:
    """Draw pictures, train, write ``segmenter.npz`` and ``report.json``, and return the report."""
    watch = watch or TrainingWatch()
    pictures = labelled_pictures_of(experiment, watch)
    trained = train_segmenter(experiment, pictures, watch)
    file = out / "segmenter.npz"
    save_weights(file, trained.network)
    houses = split_houses(experiment.held)[1]
    pixels, maps = measure(HouseSegmenter(file), houses, experiment, watch)
    told = SegmenterReport(
        experiment=experiment,
        weights=file_digest(file),
        pictures=len(pictures.rgb),
        held=experiment.looks * len(houses),
        loss=trained.curve[-1]["loss"],
        pixels=pixels,
        maps=maps,
    )
    write_json(out / "report.json", told)
    return told


def measure(
    segmenter: Segmenter,
    houses: tuple[str, ...],
    experiment: SegmenterExperiment,
    watch: TrainingWatch | None = None,
) -> tuple[PixelAccuracy, MapAgreement]:
    """Measure a segmenter on pictures of some houses, and on walks in them."""
    watch = watch or TrainingWatch()
    watch.phase("measuring on other houses", len(houses))
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    maps = MapAgreement()
    for done, house in enumerate(houses, 1):
        scene = HouseScenes([house]).scene(house)
        table += confusion(scene, segmenter, experiment.looks, experiment.seed)
        maps = maps.plus(compare_maps(scene, segmenter, experiment.walks, experiment.seed))
        watch.at(done)
    return pixel_accuracy(table), maps


def confusion(scene: Scene, segmenter: Segmenter, looks: int, seed: int) -> Ints:
    """(13, 13): how many pixels of each class (rows) are told to be of which (columns)."""
    true, inferred = TrueSemantics(scene), InferredSemantics(segmenter)
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    for seen in looks_in(scene, looks, seed):
        table += _counted(true.classes(seen), inferred.classes(seen))
    return table


def _counted(true: NDArray[np.uint8], told: NDArray[np.uint8]) -> Ints:
    pairs = true.ravel().astype(np.int64) * len(CLASSES) + told.ravel()
    return np.bincount(pairs, minlength=len(CLASSES) ** 2).reshape(len(CLASSES), len(CLASSES))


def pixel_accuracy(table: Ints) -> PixelAccuracy:
    """Return what a table of true and told classes says.

    Example:
        >>> table = np.zeros((13, 13), dtype=np.int64)
        >>> table[0, 0], table[0, 2], table[2, 2] = 6, 1, 3
        >>> found = pixel_accuracy(table)
        >>> found.right, found.other, found.iou["chest_of_drawers"]
        (0.9, 0.7, 0.75)
    """
    same, true, told = table.diagonal(), table.sum(axis=1), table.sum(axis=0)
    occur = np.flatnonzero(true)
    iou = {CLASSES[k]: float(same[k] / (true[k] + told[k] - same[k])) for k in occur}
    return PixelAccuracy(
        right=float(same.sum() / table.sum()),
        other=float(true[0] / table.sum()),
        mean_iou=float(np.mean(list(iou.values()))),
        iou=iou,
        share={CLASSES[k]: float(true[k] / table.sum()) for k in occur},
    )
