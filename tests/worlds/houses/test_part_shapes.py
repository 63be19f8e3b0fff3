"""The shapes in which kinds of furniture come: several per class, alike within a set, and light."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from vlnscope.worlds.houses.furnish.catalogue import catalogue
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.parts import item_mesh, part_names
from vlnscope.worlds.houses.parts.kit import MAKERS, SETS, Kit
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.mesh import TEXTURES

LAMPS = ("floor lamp", "table lamp", "chandelier")
FACES = 1500


def usual_item(name: str, trial: int = 0) -> PlanItem:
    """An item of the middle of its class's sizes; things of a set get a little larger with every trial."""
    kind = catalogue()[name]
    width, depth, height = ((low + high) / 2 for low, high in (kind.width, kind.depth, kind.height))
    grown = trial if name in SETS else 0
    return PlanItem(
        id=f"{name}-{trial}",
        name=name,
        room="room",
        position=(0.0, 0.0, 0.0),
        size=(width + 0.001 * grown, round(depth, 2) + 0.01 * (grown % 3), height),
        colour=kind.colours[0],
        material=kind.materials[trial % len(kind.materials)],
        mounted=kind.stands == ("mounted",),
    )


def outline(item: PlanItem) -> bytes:
    """The vertices in shares of the box, so that only the shape counts."""
    return np.round(item_mesh(item).vertices / np.array(item.size), 1).tobytes()


@pytest.mark.parametrize("name", part_names())
def test_a_class_comes_in_three_shapes(name: str) -> None:
    drawn = {outline(usual_item(name, trial)) for trial in range(40)}
    assert len(drawn) >= 3
    assert len({len(shape) for shape in drawn}) >= 2


@pytest.mark.parametrize("name", part_names())
def test_every_shape_of_a_class_is_light_and_stays_light(name: str) -> None:
    for maker in MAKERS[name]:
        kit = Kit(usual_item(name))
        maker.make(kit)
        points, faces, _ = kit.collected()
        assert 40 <= len(faces) <= FACES, maker.make.__name__
        assert np.isfinite(points).all(), maker.make.__name__


@pytest.mark.parametrize("name", sorted(SETS & set(part_names())))
def test_things_of_a_set_share_their_shape_whatever_their_ids(name: str) -> None:
    item = usual_item(name, 3)
    other = msgspec.structs.replace(item, id="another", yaw=90.0, room="elsewhere")
    plain = msgspec.structs.replace(other, yaw=0.0)
    assert len(item_mesh(other)) == len(item_mesh(item))
    assert outline(plain) == outline(item)


@pytest.mark.parametrize("name", ["sofa", "bed", "dining table", "toilet", "car", "suitcase"])
def test_other_things_of_one_size_differ_by_id(name: str) -> None:
    first = usual_item(name)
    drawn = {outline(msgspec.structs.replace(first, id=f"{name}-{number}")) for number in range(24)}
    assert len({len(shape) for shape in drawn}) >= 3


@pytest.mark.parametrize("name", ["sofa", "chair", "bed", "plant", "fireplace"])
def test_moving_turning_and_painting_keep_the_shape(name: str) -> None:
    item = usual_item(name, 2)
    changed = msgspec.structs.replace(item, room="attic", colour="red")
    assert outline(changed) == outline(item)
    assert len(item_mesh(msgspec.structs.replace(item, yaw=180.0))) == len(item_mesh(item))


@pytest.mark.parametrize("name", LAMPS)
def test_every_lamp_glows(name: str) -> None:
    glow = TEXTURES.index("glow")
    for maker in MAKERS[name]:
        kit = Kit(usual_item(name))
        maker.make(kit)
        _, _, looks = kit.collected()
        assert (looks[:, 3] == glow).any(), maker.make.__name__


def test_a_material_chooses_among_the_shapes_made_for_it() -> None:
    soft, hard = (
        {
            len(item_mesh(msgspec.structs.replace(usual_item("chair", trial), material=material)))
            for trial in range(12)
        }
        for material in ("fabric", "wood")
    )
    assert not soft & hard


def test_a_bent_bar_keeps_its_thickness_and_leaves_repeated_points_out() -> None:
    points, faces = shapes.path([(0, 0, 0), (0, 0, 1), (0, 0, 1), (1, 0, 1), (1, 0, 0)], 0.1, 8)
    assert points[:, 1].max() == pytest.approx(0.1, abs=1e-6)
    assert points[:, 0].min() == pytest.approx(-0.1, abs=1e-6)
    a, b, c = (points[faces[:, i]] for i in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 > 0.05
    assert len(shapes.path([(0, 0, 0), (0, 0, 0)], 0.1)[1]) == 0


def test_a_pillow_fills_its_corners_box_and_looks_outwards() -> None:
    points, faces = shapes.pillow((-1, 0, 2), (1, 4, 3))
    assert np.allclose(points.min(axis=0), (-1, 0, 2))
    assert np.allclose(points.max(axis=0), (1, 4, 3))
    a, b, c = (points[faces[:, i]] for i in range(3))
    assert 5.0 < np.einsum("ij,ij->", a, np.cross(b, c)) / 6 < 8.0


def test_a_facet_counts_equal_neighbours_once() -> None:
    assert len(shapes.facet((0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0))[1]) == 1
    assert len(shapes.facet((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))[1]) == 2


def test_a_rounded_outline_stays_within_its_rectangle_and_runs_counter_clockwise() -> None:
    points = np.array(shapes.rounded(-1, 2, 0, 1, 0.3))
    assert points.min(axis=0).tolist() == pytest.approx([-1, 0])
    assert points.max(axis=0).tolist() == pytest.approx([2, 1])
    after = np.roll(points, -1, axis=0)
    assert (points[:, 0] * after[:, 1] - after[:, 0] * points[:, 1]).sum() / 2 > 2.7
