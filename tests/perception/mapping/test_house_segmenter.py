"""The house segmenter: what it answers, how well on a flat it never saw, and how it is trained."""

from __future__ import annotations

import math
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from small_house import small_plan
from vlnscope.core.exceptions import InputError, MissingPackageError
from vlnscope.perception.mapping import (
    CLASSES,
    HouseSegmenter,
    InferredSemantics,
    Mapper,
    Segmenter,
    TrueSemantics,
)
from vlnscope.perception.mapping.house_segmenter import segmenter_file
from vlnscope.worlds.cameras import CAMERAS, Camera, Look, Stance
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from vlnscope.perception.mapping.segmenting_network import SegmentingNetwork, nearest, reduced  # noqa: E402
from vlnscope.perception.networks import save_weights  # noqa: E402
from vlnscope.training.segmenter.house_segmenter import (  # noqa: E402
    SegmenterExperiment,
    changed,
    class_weights,
    read_segmenter_experiment,
    train_segmenter,
)
from vlnscope.training.segmenter.pictures import LabelledPictures, looks_in, take_labelled  # noqa: E402
from vlnscope.training.segmenter.report import confusion, make_segmenter, pixel_accuracy  # noqa: E402
from vlnscope.training.segmenter.walks import compare_maps, walks_in  # noqa: E402

LIVING, BEDROOM = (3.0, 0.0, -2.5), (8.0, 0.0, -2.5)
"""In the middle of two rooms, in Habitat's frame."""
TINY = SegmenterExperiment(houses="train@1", held="val_unseen@1", looks=8, walks=1, updates=4, batch=4)


@cache
def flat() -> Scene:
    """A furnished flat, which is in no split of houses."""
    return house_scene(small_plan())


@cache
def around(camera: Camera = CAMERAS["vlnce"]["depth"]) -> Look:
    turns = [turn * math.pi / 2 for turn in range(4)]
    return look_in(flat(), camera, [LIVING] * 4 + [BEDROOM] * 4, turns * 2)


def blank(count: int = 1) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    return np.zeros((count, 20, 30, 3), np.uint8), np.zeros((count, 20, 30, 1), np.float32)


def labelled() -> LabelledPictures:
    """What is seen from two places, in the size of the network."""
    seen = around()
    classes = torch.from_numpy(TrueSemantics(flat()).classes(seen))
    rgb, depth = reduced(seen.rgb, seen.depth[..., 0])
    return LabelledPictures(rgb, depth.half(), nearest(classes, 128).byte())


def test_more_of_a_flat_it_never_saw_is_told_right_than_without_looking() -> None:
    true = TrueSemantics(flat()).classes(around())
    told = InferredSemantics(HouseSegmenter()).classes(around())
    named = true > 0
    assert (told == true).mean() > (~named).mean() + 0.01
    assert (told == true)[named].mean() > 0.3
    assert ((told > 0) & named).sum() > 0.5 * ((told > 0) | named).sum()
    bed = CLASSES.index("bed")
    assert ((true == bed) & (told == bed)).sum() > 0.5 * ((true == bed) | (told == bed)).sum()


def test_the_same_pictures_give_the_same_classes_however_many_at_once() -> None:
    segmenter: Segmenter = HouseSegmenter()
    rgb, depth = around().rgb, around().depth
    told = segmenter(rgb, depth)
    assert told.dtype == np.uint8
    assert told.shape == depth.shape[:3]
    assert (segmenter(rgb, depth) == told).all()
    one = HouseSegmenter()(rgb[2:3], depth[2:3])
    assert (one == told[2:3]).mean() > 0.999


def test_colours_may_have_another_size_than_depth() -> None:
    segmenter = HouseSegmenter()
    small = look_in(flat(), CAMERAS["vlnce"]["rgb"], [BEDROOM], 0.0).rgb
    same, other = (segmenter(rgb, around().depth[4:5]) for rgb in (around().rgb[4:5], small))
    assert (same == other).mean() > 0.95


@pytest.mark.parametrize("shape", [(1, 1), (20, 30), (480, 640), (64, 33)])
def test_any_size_is_told(shape: tuple[int, int]) -> None:
    rgb, depth = np.zeros((2, *shape, 3), np.uint8), np.zeros((2, *shape, 1), np.float32)
    assert HouseSegmenter()(rgb, depth).shape == (2, *shape)


def test_no_pictures_have_no_classes() -> None:
    assert HouseSegmenter()(*blank(0)).shape == (0, 20, 30)


def test_maps_are_made_of_it_in_a_line() -> None:
    semantics, camera = InferredSemantics(HouseSegmenter()), Camera(256, 256)
    seen = look_in(flat(), camera, [BEDROOM], 1.0)
    mapper = Mapper(camera=camera)
    mapper.add(seen.depth, [Stance(BEDROOM, 1.0)], semantics.classes(seen))
    assert mapper.read([Stance(BEDROOM, 1.0)]).classes.any()


def test_wrong_pictures_are_told() -> None:
    rgb, depth = blank()
    wrong: list[tuple[NDArray[Any], NDArray[Any]]] = [
        (rgb.astype(np.float32), depth),
        (rgb[..., :2], depth),
        (rgb[0], depth),
        (rgb, depth[..., 0]),
        (rgb, depth.astype(np.float64)),
        (np.concatenate([rgb, rgb]), depth),
        (rgb[:, :0], depth),
        (rgb, depth + 2),
        (rgb, depth - 1),
        (rgb, depth + np.float32(np.nan)),
    ]
    for colours, distances in wrong:
        with pytest.raises(InputError):
            HouseSegmenter()(colours, distances)


def test_weights_are_small_and_damaged_ones_are_told(tmp_path: Path) -> None:
    content = segmenter_file().read_bytes()
    assert len(content) < 1_000_000
    (tmp_path / "bad.npz").write_bytes(content[:1000])
    with pytest.raises(InputError, match="as a segmenter"):
        HouseSegmenter(tmp_path / "bad.npz")(*blank())
    save_weights(tmp_path / "new.npz", SegmentingNetwork())
    assert HouseSegmenter(tmp_path / "new.npz")(*blank()).shape == (1, 20, 30)


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match="learn"):
        HouseSegmenter()(*blank())


def test_loss_falls_and_the_same_seed_gives_the_same_weights() -> None:
    plan = SegmenterExperiment(updates=3, batch=8, warmup=1, rate=1e-2)
    first, second = (train_segmenter(plan, labelled()) for _ in range(2))
    begin = train_segmenter(SegmenterExperiment(updates=1, batch=8), labelled()).curve[0]["loss"]
    assert first.curve[-1]["loss"] < 0.9 * begin
    for name, tensor in first.network.state_dict().items():
        assert torch.equal(tensor, second.network.state_dict()[name]), name


def test_changed_pictures_keep_their_classes() -> None:
    pictures = labelled()
    rgb, depth, classes = changed(pictures, torch.arange(8), 0, 5)
    for row in range(8):
        kept = torch.equal(classes[row], pictures.classes[row].long())
        whole = pictures.depth[row] if kept else pictures.depth[row].flip(1)
        assert torch.equal(depth[row], whole)
        assert kept or torch.equal(classes[row], pictures.classes[row].flip(1).long())
    assert rgb.max() <= 255
    assert not torch.equal(rgb, pictures.rgb.float())


def test_rare_classes_count_for_more() -> None:
    classes = torch.tensor([0] * 90 + [3] * 10)
    for balance in (0.0, 0.5, 1.0):
        weights = class_weights(classes, balance)
        assert float(weights[classes].mean()) == pytest.approx(1.0)
        assert float(weights[3] / weights[0]) == pytest.approx(9**balance)
        assert weights[1] == 0


def test_who_is_always_right_is_reported_so() -> None:
    """Classes of pictures are looked up by their depth, so that the segmenter of this test needs no eyes."""
    known: dict[bytes, NDArray[np.uint8]] = {}

    class Knowing:
        def __call__(self, rgb: NDArray[np.uint8], depth: NDArray[np.float32], /) -> NDArray[np.uint8]:
            for picture, metres in zip(depth, depth[..., 0], strict=True):
                known.setdefault(picture.tobytes(), np.zeros(metres.shape, np.uint8))
            return np.stack([known[picture.tobytes()] for picture in depth])

    for seen in looks_in(flat(), 4, 0):
        for depth, classes in zip(seen.depth, TrueSemantics(flat()).classes(seen), strict=True):
            known[depth.tobytes()] = classes
    found = pixel_accuracy(confusion(flat(), Knowing(), 4, 0))
    assert (found.right, found.mean_iou) == (1.0, 1.0)
    none = compare_maps(flat(), Knowing(), 1, 0)
    assert none.walks == 1
    assert none.inferred == none.same == 0
    assert none.occupied > none.true > 0


def test_walks_go_ahead_step_by_step() -> None:
    for stances in walks_in(flat(), 2, 0):
        for here, there in pairwise(stances):
            way = np.subtract(there.position, here.position)
            assert np.linalg.norm(way) < 0.6
            assert way @ [-math.sin(here.yaw), 0, -math.cos(here.yaw)] > 0


def test_bad_settings_are_told() -> None:
    assert read_segmenter_experiment(["updates=3"]).updates == 3
    for change in ("looks=0", "walks=0", "balance=2.0", "balance=nan", "speed=1"):
        with pytest.raises(InputError, match=change.split("=")[0]):
            read_segmenter_experiment([change])
    with pytest.raises(InputError, match="fewer than a batch"):
        train_segmenter(TINY, LabelledPictures(*(part[:2] for part in labelled())))


@pytest.mark.slow
def test_pictures_of_a_house_become_weights_and_a_report(tmp_path: Path) -> None:
    report = make_segmenter(TINY, tmp_path)
    assert (report.pictures, report.held) == (8, 8)
    assert (tmp_path / "report.json").is_file()
    again = HouseSegmenter(tmp_path / "segmenter.npz")(*blank())
    assert again.shape == (1, 20, 30)
    assert 0 < report.pixels.right < 1
    once, twice = (take_labelled(["house-00000"], looks=3, seed=4) for _ in range(2))
    assert all(torch.equal(one, other) for one, other in zip(once, twice, strict=True))
