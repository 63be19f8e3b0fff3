"""Furniture: what is where, checked with geometry of its own (shapely) over many houses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

import msgspec
import pytest
from shapely import affinity
from shapely.geometry import Point, Polygon, box
from shapely.ops import unary_union

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.furnish.catalogue import (
    COLOURS,
    PALETTES,
    catalogue,
    draw_look,
    kind,
    surface_height,
)
from vlnscope.worlds.houses.furnish.furnish import fits, furnish
from vlnscope.worlds.houses.furnish.recipes import PROCEDURES, Step, recipes, recipes_by_label
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.plan.plan import WALL, Floor, FloorPlan, Opening, PlanItem, Room, Stair
from vlnscope.worlds.rooms import ROOM_NAMES

CLASSES = (
    """
bed, nightstand, dresser, wardrobe, desk, office chair, bookshelf, sofa, armchair, ottoman, coffee table,
side table, tv stand, tv, dining table, chair, stool, bench, kitchen counter, kitchen island, sink,
stove, refrigerator, dishwasher, microwave, kettle, bowl, cabinet, toilet, bathtub, shower, bathroom
sink, mirror, towel, washing machine, dryer, console table, piano, fireplace, rug, plant, floor lamp,
table lamp, chandelier, picture, curtain, clock, vase, books, cushion, trash can, basket, treadmill,
exercise ball, pool table, computer, candle, statue, coat rack, shoe rack, barbecue, deck chair, bush,
water heater, toolbox, bicycle, car, guitar, teddy bear, radiator, blinds, bunk bed, crib, high chair, bar
stool, rocking chair, bean bag, chest, filing cabinet, whiteboard, conference table, printer, laptop,
speaker, record player, ceiling fan, air conditioner, oven, range hood, toaster, coffee machine, bottle,
plate, cup, pot, knife block, fruit bowl, toilet paper, bath mat, scale, laundry basket, ironing board,
vacuum cleaner, bucket, ladder, workbench, wall shelf, umbrella stand, backpack, suitcase, globe,
telescope, easel, aquarium, wine rack, dart board, dumbbells, yoga mat, punching bag, drum kit, parasol,
swing, fountain, flower pot, mailbox, photo frame, shoes, doll house, bird cage
""".replace("\n", " ")
    .strip()
    .split(", ")
)

COVERS = ("rug", "bath mat", "yoga mat")
DRAPES = ("curtain", "blinds")
ESSENTIAL = {
    "a": ("toilet", "bathroom sink"),
    "b": ("bed|bunk bed|crib",),
    "d": ("dining table", "chair"),
    "k": ("stove", "sink", "kitchen counter"),
    "l": ("sofa",),
}
"""What rooms cannot do without; one of several is enough where ``|`` stands between them."""
LEAST = {"a": 3.0, "k": 7.0}
"""Area below which a room may lack some of it."""
SEEDS = range(100, 111)
EPS = 1e-3


@pytest.fixture(scope="module")
def houses() -> list[FloorPlan]:
    return [furnish(layout(seed), seed) for seed in SEEDS]


def small_house() -> FloorPlan:
    """Two rooms side by side with a door between them, a door outside and a window."""
    return FloorPlan(
        id="small",
        floors=(Floor(level=0, elevation=0.0),),
        rooms=(
            Room(id="bedroom-1", label="b", floor=0, polygon=((0, 0), (5, 0), (5, 4), (0, 4))),
            Room(id="hall-1", label="h", floor=0, polygon=((5, 0), (7, 0), (7, 4), (5, 4))),
        ),
        openings=(
            Opening(
                id="door-1",
                kind="door",
                rooms=("bedroom-1", "hall-1"),
                floor=0,
                centre=(5, 1),
                axis="y",
                width=0.9,
            ),
            Opening(
                id="door-2", kind="door", rooms=("hall-1", None), floor=0, centre=(6, 0), axis="x", width=0.9
            ),
            Opening(
                id="window-1",
                kind="window",
                rooms=("bedroom-1", None),
                floor=0,
                centre=(2.5, 4),
                axis="x",
                width=1.4,
                sill=0.9,
                head=2.1,
            ),
        ),
    )


def footprint(item: PlanItem) -> Polygon:
    x, y, _ = item.position
    a, b = item.size[0] / 2, item.size[1] / 2
    return affinity.rotate(box(x - a, y - b, x + a, y + b), item.yaw, origin=(x, y))


def heights(item: PlanItem) -> tuple[float, float]:
    return item.position[2], item.position[2] + item.size[2]


def by_room(plan: FloorPlan) -> Iterator[tuple[Room, float, list[PlanItem]]]:
    elevation = {floor.level: floor.elevation for floor in plan.floors}
    for room in plan.rooms:
        yield room, elevation[room.floor], [item for item in plan.items if item.room == room.id]


def doorway(room: Room, opening: Opening, depth: float) -> Polygon:
    x, y = opening.centre
    half = opening.width / 2
    along_x = opening.axis == "x"
    strip = (
        box(x - half, y - depth, x + half, y + depth)
        if along_x
        else box(x - depth, y - half, x + depth, y + half)
    )
    return strip.intersection(Polygon(room.polygon))


def in_the_way(item: PlanItem, elevation: float) -> bool:
    if item.name in COVERS or item.on is not None:
        return False
    return item.position[2] - elevation < 1.8 and not (item.mounted and item.size[1] < 0.15)


def test_every_class_of_the_list_is_in_the_catalogue() -> None:
    assert sorted(catalogue()) == sorted(CLASSES)
    for name, facts in catalogue().items():
        assert set(facts.colours) <= set(COLOURS), name
        for low, high in (facts.width, facts.depth, facts.height):
            assert 0 < low <= high < 6, name
        assert facts.stands, name
        assert facts.materials, name


@pytest.mark.parametrize("style", [*PALETTES, "a style that nobody knows"])
def test_looks_stay_within_the_facts(style: str) -> None:
    palette = PALETTES.get(style, PALETTES["plain"])
    for name, facts in catalogue().items():
        for k in range(5):
            look = draw_look(name, rng_for(k, name), palette)
            for value, (low, high) in zip(look.size, (facts.width, facts.depth, facts.height), strict=True):
                assert low - 0.006 <= value <= high + 0.006
            assert look.colour in facts.colours
            assert look.material in facts.materials


def test_unknown_class_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="armchair"):
        kind("armchar")


def test_every_room_label_has_a_recipe() -> None:
    assert set(ROOM_NAMES) - set(recipes_by_label()) == {"Z", "-"}


def test_nothing_overlaps(houses: list[FloorPlan]) -> None:
    for plan in houses:
        for room, _, items in by_room(plan):
            shapes = [(item, footprint(item), heights(item)) for item in items]
            for k, (one, shape, (low, high)) in enumerate(shapes):
                for other, theirs, (bottom, top) in shapes[k + 1 :]:
                    if (
                        (one.name in COVERS) != (other.name in COVERS)
                        or one.on == other.id
                        or other.on == one.id
                    ):
                        continue
                    if min(high, top) - max(low, bottom) > EPS and shape.intersects(theirs):
                        assert shape.intersection(theirs).area < EPS, (plan.id, room.id, one.id, other.id)


def test_everything_is_inside_its_room(houses: list[FloorPlan]) -> None:
    for plan in houses:
        floors = {floor.level: floor for floor in plan.floors}
        for room, elevation, items in by_room(plan):
            inner = Polygon(room.polygon).buffer(-WALL / 2 + EPS, join_style="mitre")
            for item in items:
                assert inner.covers(footprint(item)), (plan.id, item.id)
                assert item.position[2] >= elevation - EPS
                if not room.outdoor and room.label != "s":
                    assert heights(item)[1] <= elevation + floors[room.floor].height + EPS, item.id


def test_doors_stay_free_and_windows_are_covered_below_the_sill_only(houses: list[FloorPlan]) -> None:
    for plan in houses:
        for room, elevation, items in by_room(plan):
            for opening in plan.openings:
                if room.id not in opening.rooms:
                    continue
                window = opening.kind == "window"
                zone = doorway(room, opening, 0.3 if window else 0.9 + WALL / 2)
                low = elevation + opening.sill + (0.3 if window else 0.0)  # taps may rise before a pane
                high = elevation + opening.head
                for item in items:
                    if item.name in COVERS or (window and item.name in DRAPES):
                        continue
                    bottom, top = heights(item)
                    if min(high, top) - max(low, bottom) > EPS:
                        assert footprint(item).intersection(zone).area < EPS, (plan.id, item.id, opening.id)


def test_a_person_gets_from_every_door_to_every_other(houses: list[FloorPlan]) -> None:
    for plan in houses:
        for room, elevation, items in by_room(plan):
            if room.label == "s":
                continue
            solid = unary_union([footprint(item) for item in items if in_the_way(item, elevation)])
            free = Polygon(room.polygon).buffer(-WALL / 2, join_style="mitre").difference(solid)
            walkable = free.buffer(-0.2, join_style="mitre")
            parts = list(getattr(walkable, "geoms", [walkable]))
            reached = []
            for opening in plan.openings:
                if room.id in opening.rooms and opening.kind != "window":
                    zone = doorway(room, opening, 0.9)
                    reached.append({k for k, part in enumerate(parts) if part.intersects(zone)})
            for one, other in pairwise(reached):
                assert one & other, (plan.id, room.id)


def test_rooms_are_neither_crowded_nor_missing_what_names_them(houses: list[FloorPlan]) -> None:
    for plan in houses:
        for room, elevation, items in by_room(plan):
            area = Polygon(room.polygon).area
            covered = sum(footprint(item).area for item in items if in_the_way(item, elevation))
            assert covered <= 0.5 * area, (plan.id, room.id)
            names = {item.name for item in items}
            if area > LEAST.get(room.label, 0.0):
                for wanted in ESSENTIAL.get(room.label, ()):
                    assert names.intersection(wanted.split("|")), (plan.id, room.id, names)
            if room.label == "s":
                assert all(item.mounted for item in items)


def test_things_stand_on_surfaces_and_hang_on_walls(houses: list[FloorPlan]) -> None:
    for plan in houses:
        items = {item.id: item for item in plan.items}
        assert len(items) == len(plan.items)
        for item in plan.items:
            assert item.colour in COLOURS
            assert item.name in catalogue()
            if item.on is not None:
                base = items[item.on]
                height = surface_height(base.name, base.size)
                assert height is not None
                assert item.room == base.room
                assert item.position[2] == pytest.approx(base.position[2] + height, abs=2e-3)
                assert footprint(base).buffer(0.01).covers(Point(item.position[:2]))
            if item.mounted and "ceiling" not in catalogue()[item.name].stands:
                room = next(room for room in plan.rooms if room.id == item.room)
                gap = footprint(item).distance(Polygon(room.polygon).exterior) - WALL / 2
                assert gap < 0.03, item.id


def test_houses_hold_many_classes_repeats_and_near_duplicates(houses: list[FloorPlan]) -> None:
    used = {item.name for plan in houses for item in plan.items}
    assert len(used) >= 100
    counts = [len(plan.items) for plan in houses]
    assert max(counts) > 2 * min(counts)
    same: Counter[tuple[object, ...]] = Counter()
    looks: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for plan in houses:
        for item in plan.items:
            same[plan.id, item.room, item.name, item.size, item.colour, item.material] += 1
            looks[plan.id, item.room, item.name, item.size, item.material].add(item.colour)
    assert sum(n >= 3 for n in same.values()) > len(houses)
    assert sum(len(colours) > 1 for colours in looks.values()) > len(houses) / 2


def test_what_was_generated_fits(houses: list[FloorPlan]) -> None:
    for plan in houses[:3]:
        assert [reason for item in plan.items if (reason := fits(plan, item)) is not None] == []


def test_same_bytes_in_other_processes() -> None:
    code = (
        "import hashlib, msgspec; from vlnscope.worlds.houses.furnish.furnish import furnish;"
        "from vlnscope.worlds.houses.layout.generator import layout;"
        "print(hashlib.sha256(msgspec.json.encode(furnish(layout(7), 7).items)).hexdigest())"
    )
    digests = set()
    for hash_seed in ("0", "4321"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout.strip())
    assert len(digests) == 1


def test_seed_and_style_change_the_house() -> None:
    plan = small_house()
    assert furnish(plan, 1).items == furnish(plan, 1).items
    assert furnish(plan, 1).items != furnish(plan, 2).items
    rustic, modern = (
        furnish(msgspec.structs.replace(plan, style=style), 1) for style in ("rustic", "modern")
    )
    assert rustic.items != modern.items
    assert furnish(furnish(plan, 2), 1).items == furnish(plan, 1).items


def chair(**changes: object) -> PlanItem:
    facts = {
        "id": "chair-9",
        "name": "chair",
        "room": "bedroom-1",
        "position": (2.5, 1.5, 0.0),
        "size": (0.5, 0.5, 0.9),
    }
    return PlanItem(**{**facts, **changes})  # type: ignore[arg-type]


def vase(**changes: object) -> PlanItem:
    return chair(name="vase", size=(0.2, 0.2, 0.3), **changes)


def picture(**changes: object) -> PlanItem:
    return chair(name="picture", size=(0.6, 0.04, 0.5), mounted=True, **changes)


TABLE = PlanItem(
    id="table-1", name="side table", room="bedroom-1", position=(1.0, 1.0, 0.0), size=(0.5, 0.5, 0.6)
)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (chair(), None),
        (chair(name="chaise"), "no object called 'chaise'"),
        (chair(room="attic"), "which the house does not have"),
        (chair(position=(9.0, 1.5, 0.0)), "not inside bedroom-1"),
        (chair(position=(0.2, 1.5, 0.0)), "through a wall"),
        (chair(position=(0.32, 1.5, 0.0)), None),
        (chair(position=(4.5, 1.0, 0.0)), "in front of door door-1"),
        (chair(position=(2.5, 3.6, 0.0)), None),
        (chair(position=(2.5, 3.6, 0.0), size=(0.5, 0.5, 1.2)), "covers window window-1"),
        (chair(position=(1.2, 1.2, 0.0)), "overlaps table-1"),
        (chair(position=(1.55, 1.55, 0.0), yaw=45.0), None),
        (chair(position=(1.45, 1.45, 0.0), yaw=45.0), None),
        (chair(position=(1.4, 1.4, 0.0), yaw=45.0), "overlaps table-1"),
        (chair(position=(2.5, 1.5, 0.4)), "does not stand on the floor"),
        (chair(size=(0.5, 0.5, 2.7)), "ceiling"),
        (vase(position=(1.0, 1.0, 0.6), on="table-1"), None),
        (vase(position=(1.2, 1.0, 0.6), on="table-1"), "within table-1"),
        (vase(position=(1.0, 1.0, 0.5), on="table-1"), "height"),
        (vase(position=(1.0, 1.0, 0.6), on="table-7"), "not in bedroom-1"),
        (picture(position=(2.0, 0.09, 1.3), yaw=180.0), None),
        (picture(position=(2.0, 0.09, 1.3)), "no wall"),
        (picture(position=(2.0, 1.0, 1.3)), "no wall"),
        (picture(position=(2.5, 3.91, 1.3)), "covers window"),
        (chair(name="chandelier", size=(0.6, 0.6, 0.5), position=(2.5, 1.5, 2.1), mounted=True), None),
        (chair(name="chandelier", size=(0.6, 0.6, 0.5), position=(2.5, 1.5, 1.8), mounted=True), "no ceil"),
        (chair(name="rug", size=(2.0, 1.5, 0.01), position=(1.5, 1.2, 0.0)), None),
    ],
)  # fmt: skip
def test_fits_names_the_reason(item: PlanItem, reason: str | None) -> None:
    plan = msgspec.structs.replace(small_house(), items=(TABLE,))
    found = fits(plan, item)
    if reason is None:
        assert found is None
    else:
        assert found is not None
        assert reason in found


def test_fits_leaves_the_item_itself_out() -> None:
    plan = msgspec.structs.replace(small_house(), items=(TABLE,))
    assert fits(plan, TABLE) is None
    assert fits(plan, msgspec.structs.replace(TABLE, id="table-2")) == "table-2 overlaps table-1"


def test_fits_refuses_what_blocks_the_way() -> None:
    plan = small_house()
    wide = chair(
        id="cabinet-1", name="cabinet", room="hall-1", position=(6.0, 1.9, 0.0), size=(1.86, 0.4, 1.0)
    )
    assert fits(plan, wide) is None  # both doors are on the same side of it
    far = Opening(
        id="door-3", kind="door", rooms=("hall-1", None), floor=0, centre=(6, 4), axis="x", width=0.9
    )
    plan = msgspec.structs.replace(plan, openings=(*plan.openings, far))
    assert fits(plan, wide) == "cabinet-1 blocks the way through hall-1"
    narrow = msgspec.structs.replace(wide, size=(1.2, 0.4, 1.0), position=(5.7, 1.9, 0.0))
    assert fits(plan, narrow) is None


def test_fits_keeps_stairs_free() -> None:
    stair = Stair(
        id="stair-1",
        floors=(0, 1),
        rooms=("hall-1", "hall-2"),
        runs=(((6.5, 1.0, 0.0), (6.5, 3.2, 2.8)),),
        width=0.8,
    )
    lower = small_house()
    upper = Room(id="hall-2", label="h", floor=1, polygon=lower.rooms[1].polygon)
    plan = msgspec.structs.replace(
        lower,
        floors=(*lower.floors, Floor(level=1, elevation=2.8)),
        rooms=(*lower.rooms, upper),
        stairs=(stair,),
    )
    on_steps = chair(room="hall-1", position=(6.4, 2.5, 0.0))
    over_hole = chair(room="hall-2", position=(6.4, 2.5, 2.8))
    assert "on the stairs" in (fits(plan, on_steps) or "")
    assert "on the stairs" in (fits(plan, over_hole) or "")
    after_last_step = chair(room="hall-2", position=(6.5, 3.6, 2.8))
    assert "in front of stairs" in (fits(plan, after_last_step) or "")
    assert fits(plan, chair(room="hall-2", position=(5.4, 2.5, 2.8))) is None


def _steps(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _steps(step.then)


def test_recipes_name_what_there_is() -> None:
    assert not set(PROCEDURES) & set(recipes())
    assert sum(len(recipe.labels) for recipe in recipes().values()) == len(recipes_by_label())
    for recipe in recipes().values():
        for step in _steps(recipe.steps):
            assert bool(step.do) + bool(step.put) + bool(step.things) == 1, step
            assert not step.do or step.do in PROCEDURES or step.do in recipes(), step
            named = (step.put,) if isinstance(step.put, str) else step.put
            assert {*named, *step.things, step.on} - {""} <= set(catalogue()), step
