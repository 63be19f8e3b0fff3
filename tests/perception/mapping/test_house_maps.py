"""Maps of a furnished flat: walls where the plan has them, and what each memory knows of it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter
from scipy.spatial import cKDTree

from small_house import small_plan
from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping import (
    CLASSES,
    EgocentricMap,
    InferredSemantics,
    Mapper,
    PointCloud,
    TrueSemantics,
    survey,
)
from vlnscope.perception.mapping.classes import class_of, object_table, scene_table
from vlnscope.perception.mapping.unprojection import clean_unprojection
from vlnscope.worlds.cameras import Camera, Stance
from vlnscope.worlds.houses.furnish.catalogue import catalogue
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.plan.plan import WALL
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in
from vlnscope.worlds.semantics.semantics import NOTHING_KNOWN, SemanticObject, labelled

CAMERA = Camera(64, 64)
LIVING, BEDROOM = (3.0, 0.0, -2.5), (8.0, 0.0, -2.5)
"""In the middle of two rooms, in Habitat's frame."""


@cache
def flat() -> Scene:
    return house_scene(small_plan())


@cache
def known() -> PointCloud:
    return survey(flat(), [LIVING, BEDROOM], camera=CAMERA)


def look_around(mapper: Mapper, place: tuple[float, float, float]) -> None:
    semantics = TrueSemantics(flat())
    for turn in range(4):
        stance = Stance(place, turn * math.pi / 2)
        seen = look_in(flat(), CAMERA, [place], stance.yaw)
        mapper.add(seen.depth, [stance], semantics.classes(seen))


def walls_in_sight(shown: EgocentricMap, stance: Stance) -> NDArray[np.bool_]:
    """Which points of the living room's west wall and of its solid north wall are occupied cells."""
    (x, _, z), yaw = stance.position, stance.yaw
    west = [(WALL / 2, -s) for s in np.arange(0.5, 4.6, 0.1)]
    north = [(s, -5.0 + WALL / 2) for s in np.arange(0.5, 2.3, 0.1)]
    seen = []
    for at_x, at_z in west + north:
        right = math.cos(yaw) * (at_x - x) - math.sin(yaw) * (at_z - z)
        back = math.sin(yaw) * (at_x - x) + math.cos(yaw) * (at_z - z)
        row, column = round((back + 3.2) / 0.1), round((right + 3.2) / 0.1)
        if 1 <= row < 63 and 1 <= column < 63:
            seen.append(shown.occupancy[0, row - 1 : row + 2, column - 1 : column + 2].any())
    assert len(seen) > 30
    return np.array(seen)


@pytest.mark.parametrize("rule", ["clean", "official"])
@pytest.mark.parametrize("yaw", [0.0, 0.5, -2.0])
def test_walls_are_where_the_plan_has_them(rule: Any, yaw: float) -> None:
    mapper = Mapper(rule=rule, memory="known", known=lambda scan: known())
    mapper.begin_tour("flat")
    stance = Stance(LIVING, yaw)
    shown = mapper.read([stance])
    assert walls_in_sight(shown, stance).mean() > 0.9
    assert not shown.occupancy[0, 31:34, 31:34].any()


def test_furniture_is_where_the_plan_has_it() -> None:
    plan, cloud = flat().layer("plan"), known()
    beds = cloud.xyz[cloud.classes == CLASSES.index("bed")]
    (bed,) = [item for item in plan.items if class_of(item.name) == CLASSES.index("bed")]
    x, y, _ = bed.position
    assert len(beds) > 50
    assert np.abs(beds[:, [0, 2]].mean(axis=0) - [x, -y]).max() < 0.5


def test_what_each_memory_knows_of_the_room_before() -> None:
    shown: dict[str, EgocentricMap] = {}
    for memory in ("episodic", "iterative", "known"):
        house: Any = (lambda scan: known()) if memory == "known" else None
        mapper = Mapper(memory=memory, camera=CAMERA, known=house)
        mapper.begin_tour("flat")
        for place in (LIVING, BEDROOM):
            mapper.begin_episode()
            look_around(mapper, place)
        shown[memory] = mapper.read([Stance(LIVING)])
    counts = {memory: int(it.occupancy.sum()) for memory, it in shown.items()}
    assert counts["episodic"] < 0.5 * counts["iterative"]
    assert np.array_equal(shown["iterative"].occupancy, shown["known"].occupancy)
    assert np.array_equal(shown["iterative"].classes, shown["known"].classes)
    assert not (shown["episodic"].occupancy > shown["iterative"].occupancy).sum() > 3


def test_a_tilted_camera_maps_the_same_surfaces() -> None:
    unprojection = clean_unprojection(CAMERA)
    clouds = []
    for pitch in (0.0, -0.4):
        stance = Stance(LIVING, 1.0, pitch)
        seen = look_in(flat(), CAMERA, [LIVING], stance.yaw, pitch)
        clouds.append(unprojection.points(seen.depth[0, ..., 0], np.zeros((64, 64), np.uint8), stance))
    level, tilted = (cloud.xyz for cloud in clouds)
    assert len(tilted) > 500
    distances, _ = cKDTree(level).query(tilted)
    assert np.median(distances) < 0.1


@pytest.mark.parametrize("camera", [Camera(96, 48, hfov=100), Camera(48, 64, hfov=60, near=0.5, far=5.0)])
@pytest.mark.parametrize("normalise", [True, False])
def test_cameras_of_any_shape_and_range_see_the_same_house(camera: Camera, normalise: bool) -> None:
    camera = replace(camera, normalise=normalise)
    mapper = Mapper(camera=camera)
    seen = look_in(flat(), camera, [LIVING], 0.3)
    mapper.add(seen.depth, [Stance(LIVING, 0.3)], TrueSemantics(flat()).classes(seen))
    one, whole = mapper.read([Stance(LIVING)]), Mapper(memory="known", known=lambda scan: known())
    whole.begin_tour()
    rows, columns = np.nonzero(one.occupancy[0])
    around = whole.read([Stance(LIVING)]).occupancy[0]
    near = maximum_filter(around, 3)[rows, columns]
    assert len(near) > 10
    assert near.mean() > 0.95


def test_a_segmenter_sees_pictures_and_nothing_else() -> None:
    asked: list[tuple[int, ...]] = []

    def by_brightness(rgb: NDArray[np.uint8], depth: NDArray[np.float32]) -> NDArray[np.int64]:
        asked.append((*rgb.shape, *depth.shape))
        return np.asarray(rgb.mean(axis=-1) // 20).astype(np.int64)

    mesh = flat().layer("mesh")
    unlit = Scene("flat", flat().graph, {"renderer": lambda: Renderer(mesh)})
    seen = look_in(unlit, CAMERA, [LIVING, BEDROOM])
    told = InferredSemantics(by_brightness).classes(seen)
    assert asked == [(2, 64, 64, 3, 2, 64, 64, 1)]
    assert told.shape == (2, 64, 64)
    assert len(np.unique(told)) > 3
    with pytest.raises(InputError, match="semantics"):
        InferredSemantics(lambda rgb, depth: depth).classes(seen)
    cloud = survey(unlit, LIVING, camera=CAMERA, semantics=InferredSemantics(by_brightness))
    assert len(cloud.classes) > 1000


def test_houses_have_all_classes_of_the_paper() -> None:
    found = {class_of(name) for name in catalogue()}
    assert found == set(range(len(CLASSES)))
    for name in ("wall", "floor", "door", "window", "stairs"):
        assert class_of(name) == 0
    for number, name in enumerate(CLASSES[1:], 1):
        assert class_of(name) == class_of(name.upper().replace("_", " ")) == number


def test_annotated_objects_are_looked_up_by_their_numbers() -> None:
    """As MAP-CMA does: by mpcat40, and by the annotators' name where that is too broad."""
    objects = (
        NOTHING_KNOWN,
        SemanticObject(5, "sofa", "couch"),
        SemanticObject(2, "furniture", "cabinet"),
        SemanticObject(3, "appliances", "oven"),
        SemanticObject(4, "wall", "table"),
    )
    assert object_table(objects).tolist() == [0, 0, 9, 0, 0, 6, 0]
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    faces = np.tile(np.arange(3, dtype=np.int32), (5, 1))
    semantics = labelled(corners, faces, np.arange(5), objects)
    scene = Scene("scan", flat().graph, {"semantics": lambda: semantics})
    numbers_in, table = scene_table(scene)
    assert numbers_in == "instance"
    assert table[np.array([-1, 5])].tolist() == [0, 6]


@pytest.mark.parametrize("turn", [0.3, 1.0, 2.5])
def test_turning_house_and_agent_together_changes_next_to_nothing(turn: float) -> None:
    """Columns of 5 cm lie along the axes of the world, so single cells may change, to the next one."""
    shown = []
    for angle in (0.0, turn):
        mapper = Mapper(memory="iterative", camera=CAMERA)
        cos, sin = math.cos(angle), math.sin(angle)
        for step in range(4):
            x, y, z = LIVING
            seen = look_in(flat(), CAMERA, [LIVING], step * 1.5)
            place = (cos * x + sin * z + 3.21 * angle, y, cos * z - sin * x - 1.7 * angle)
            stance = Stance(place, step * 1.5 + angle)
            mapper.add(seen.depth, [stance], TrueSemantics(flat()).classes(seen))
        shown.append(mapper.read([stance]))
    one, other = (it.occupancy[0] > 0 for it in shown)
    assert one.sum() > 100
    assert (one & other).sum() > 0.9 * (one | other).sum()
    assert not (one & ~maximum_filter(other, 3)).any()
    assert (shown[0].classes != shown[1].classes)[0][one & other].mean() < 0.05
