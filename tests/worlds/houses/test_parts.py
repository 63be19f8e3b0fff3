"""Meshes of items: shapes are closed, parts fill their boxes, colours and ids are carried."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections import Counter

import msgspec
import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import COLOURS, floor_paint, paint, rgb, shade, texture
from vlnscope.worlds.houses.parts import item_mesh, items_mesh, part_names
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.mesh import TEXTURES, join

CLASSES = (
    "bed",
    "nightstand",
    "dresser",
    "wardrobe",
    "desk",
    "office chair",
    "bookshelf",
    "sofa",
    "armchair",
    "ottoman",
    "coffee table",
    "side table",
    "tv stand",
    "tv",
    "dining table",
    "chair",
    "stool",
    "bench",
    "kitchen counter",
    "kitchen island",
    "sink",
    "stove",
    "refrigerator",
    "dishwasher",
    "microwave",
    "kettle",
    "bowl",
    "cabinet",
    "toilet",
    "bathtub",
    "shower",
    "bathroom sink",
    "mirror",
    "towel",
    "washing machine",
    "dryer",
    "console table",
    "piano",
    "fireplace",
    "rug",
    "plant",
    "floor lamp",
    "table lamp",
    "chandelier",
    "picture",
    "curtain",
    "clock",
    "vase",
    "books",
    "cushion",
    "trash can",
    "basket",
    "treadmill",
    "exercise ball",
    "pool table",
    "computer",
    "candle",
    "statue",
    "coat rack",
    "shoe rack",
    "barbecue",
    "deck chair",
    "bush",
    "water heater",
    "toolbox",
    "bicycle",
    "car",
    "guitar",
    "teddy bear",
    "radiator",
    "blinds",
    "bunk bed",
    "crib",
    "high chair",
    "bar stool",
    "rocking chair",
    "bean bag",
    "chest",
    "filing cabinet",
    "whiteboard",
    "conference table",
    "printer",
    "laptop",
    "speaker",
    "record player",
    "ceiling fan",
    "air conditioner",
    "oven",
    "range hood",
    "toaster",
    "coffee machine",
    "bottle",
    "plate",
    "cup",
    "pot",
    "knife block",
    "fruit bowl",
    "toilet paper",
    "bath mat",
    "scale",
    "laundry basket",
    "ironing board",
    "vacuum cleaner",
    "bucket",
    "ladder",
    "workbench",
    "wall shelf",
    "umbrella stand",
    "backpack",
    "suitcase",
    "globe",
    "telescope",
    "easel",
    "aquarium",
    "wine rack",
    "dart board",
    "dumbbells",
    "yoga mat",
    "punching bag",
    "drum kit",
    "parasol",
    "swing",
    "fountain",
    "flower pot",
    "mailbox",
    "photo frame",
    "shoes",
    "doll house",
    "bird cage",
)
MATERIALS = ("wood", "metal", "fabric", "leather", "glass", "ceramic", "stone", "wicker", "velvet")


def random_item(name: str, trial: int) -> PlanItem:
    rng = rng_for(trial, "test item", name)
    size = tuple(float(v) for v in np.exp(rng.uniform(math.log(0.02), math.log(3.0), 3)))
    x, y, z = (float(v) for v in rng.uniform(-20, 20, 3))
    return PlanItem(
        id=f"{name}-{trial}",
        name=name,
        room="room",
        position=(x, y, z),
        size=(size[0], size[1], size[2]),
        yaw=float(rng.choice([0, 90, 180, 270, rng.uniform(-360, 360)])),
        colour=str(rng.choice(sorted(COLOURS))),
        material=str(rng.choice(MATERIALS)),
        mounted=bool(rng.random() < 0.3),
    )


def own_frame(item: PlanItem, points: np.ndarray) -> np.ndarray:
    angle = math.radians(item.yaw)
    moved = points - np.array(item.position)
    x = moved[:, 0] * math.cos(angle) + moved[:, 1] * math.sin(angle)
    y = -moved[:, 0] * math.sin(angle) + moved[:, 1] * math.cos(angle)
    return np.stack([x, y, moved[:, 2]], axis=1)


def test_the_fixed_classes_and_no_others_have_parts() -> None:
    assert part_names() == tuple(sorted(CLASSES))


@pytest.mark.parametrize("name", CLASSES)
def test_an_item_fills_its_box_exactly(name: str) -> None:
    for trial in range(12):
        item = random_item(name, trial)
        mesh = item_mesh(item)
        points = own_frame(item, mesh.vertices)
        w, d, h = item.size
        assert np.allclose(points.min(axis=0), (-w / 2, -d / 2, 0), atol=1e-9), item
        assert np.allclose(points.max(axis=0), (w / 2, d / 2, h), atol=1e-9), item


@pytest.mark.parametrize("name", CLASSES)
def test_an_item_is_a_sound_mesh_of_its_class_and_id(name: str) -> None:
    item = random_item(name, 99)
    mesh = item_mesh(item)
    assert mesh.classes == (name,)
    assert mesh.objects == (item.id,)
    assert not mesh.semantic.any()
    assert not mesh.instance.any()
    assert mesh.faces.dtype == np.int32
    assert mesh.faces.min() == 0
    assert mesh.faces.max() < len(mesh.vertices)
    assert mesh.colour.shape == (len(mesh), 3)
    assert mesh.texture.max() < len(TEXTURES)


@pytest.mark.parametrize("name", CLASSES)
def test_an_item_of_usual_size_is_more_than_a_box_and_not_too_heavy(name: str) -> None:
    item = msgspec.structs.replace(random_item(name, 0), size=(0.8, 0.5, 0.9), mounted=False)
    mesh = item_mesh(item)
    assert 40 <= len(mesh) <= 2400
    assert len(np.unique(mesh.colour, axis=0)) >= 2
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    assert (areas > 1e-10).mean() > 0.98


@pytest.mark.parametrize("name", CLASSES)
def test_recolouring_changes_the_colour_and_not_the_shape(name: str) -> None:
    red = msgspec.structs.replace(random_item(name, 1), size=(0.9, 0.6, 0.8), colour="red")
    blue = msgspec.structs.replace(red, colour="blue")
    first, second = item_mesh(red), item_mesh(blue)
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.faces, second.faces)
    warmth = [
        m.colour[:, 0].astype(float).mean() - m.colour[:, 2].astype(float).mean() for m in (first, second)
    ]
    assert warmth[0] > warmth[1]


def test_many_items_at_once_are_the_items_put_together() -> None:
    items = [random_item(name, 5) for name in CLASSES[:12]] + [random_item("bed", 6)]
    at_once, one_by_one = items_mesh(items), join([item_mesh(item) for item in items])
    assert np.array_equal(at_once.vertices, one_by_one.vertices)
    assert np.array_equal(at_once.faces, one_by_one.faces)
    assert np.array_equal(at_once.semantic, one_by_one.semantic)
    assert np.array_equal(at_once.instance, one_by_one.instance)
    assert at_once.classes == one_by_one.classes
    assert at_once.objects == one_by_one.objects


def test_no_items_make_an_empty_mesh() -> None:
    mesh = items_mesh([])
    assert len(mesh) == 0
    assert mesh.faces.shape == (0, 3)


def digest() -> str:
    mesh = items_mesh([random_item(name, 3) for name in CLASSES])
    content = [mesh.vertices, mesh.faces, mesh.colour, mesh.texture, mesh.semantic, mesh.instance]
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in content)).hexdigest()


def test_another_process_and_hash_seed_give_the_same_bytes() -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_parts; print(test_parts.digest())"
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    for seed in ("0", "77"):
        run = subprocess.run(
            [sys.executable, "-c", code, here],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == digest()


def test_an_unknown_class_is_named_with_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"item x-1.*'sofaa'.*'sofa'") as caught:
        item_mesh(PlanItem(id="x-1", name="sofaa", room="r", position=(0, 0, 0), size=(1, 1, 1)))
    assert caught.value.expected
    assert caught.value.fix


@pytest.mark.parametrize("size", [(0.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, math.nan)])
def test_an_impossible_size_is_an_error(size: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="size"):
        item_mesh(PlanItem(id="x-1", name="sofa", room="r", position=(0, 0, 0), size=size))


def test_colours() -> None:
    assert rgb("#FF8000") == (255, 128, 0)
    assert rgb(" Light Blue ") > rgb("blue") > rgb("dark blue")
    with pytest.raises(InputError, match=r"'gren'.*'green'"):
        rgb("gren")
    assert shade(paint("red"), 2.0)[:3] == (255, 255, 255)
    assert TEXTURES[texture("wood")] == "wood"
    assert TEXTURES[floor_paint("wood").texture] == "planks"


SOLIDS = {
    "box": shapes.box(0, 1, 0, 2, 0, 3),
    "frustum": shapes.frustum((-1, 1, -1, 1), (-0.2, 0.2, 0, 1), 0, 2),
    "soft": shapes.soft(-1, 1, 0, 3, 0, 1, 0.2),
    "flat soft": shapes.soft(-1, 1, 0, 3, 0, 0.01, 0.5),
    "cylinder": shapes.cylinder(1, 0, 2, 9),
    "cone": shapes.cylinder(1, 0, 2, 9, 0.3),
    "ball": shapes.ball((1, 2, 3), (1, 2, 0.5)),
    "tube": shapes.tube((0, 0, 0), (1, 2, 3), 0.1),
    "upright tube": shapes.tube((0, 0, 3), (0, 0, 1), 0.1),
    "prism": shapes.prism([(0, 0), (1, 0), (1, 1), (0.5, 0.6), (0, 1)], 0, 1),
    "ring": shapes.ring(1, 0.2),
    "to the front": shapes.facing_front(shapes.cylinder(1, 0, 2)),
    "to the side": shapes.facing_side(shapes.cylinder(1, 0, 2)),
    "turned": shapes.turned(shapes.box(0, 1, 0, 1, 0, 1), 1, 40),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_shapes_are_closed_and_look_outwards(name: str) -> None:
    points, faces = SOLIDS[name]
    a, b, c = (points[faces[:, i]] for i in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 > 1e-4
    merged = np.unique(points.round(9), axis=0, return_inverse=True)[1].reshape(-1)[faces]
    merged = merged[[len(set(face)) == 3 for face in merged.tolist()]]
    edges = Counter((int(face[i]), int(face[(i + 1) % 3])) for face in merged for i in range(3))
    assert all(count == 1 and edges[(b, a)] == 1 for (a, b), count in list(edges.items()))


def test_a_tube_ends_where_it_is_told() -> None:
    points, _ = shapes.tube((1, 1, 1), (1, 1, 5), 0.5, 8)
    assert points.min(axis=0).round(9).tolist() == [0.5, 0.5, 1.0]
    assert points.max(axis=0).round(9).tolist() == [1.5, 1.5, 5.0]


def test_the_front_looks_to_minus_y() -> None:
    points, _ = shapes.facing_front(shapes.box(0, 1, 0, 2, 0, 3))
    assert points.min(axis=0).tolist() == [0, -3, 0]
    assert points.max(axis=0).tolist() == [1, 0, 2]
