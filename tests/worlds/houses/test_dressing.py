"""What is hung on walls, put before windows and lined up along free walls."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.boxes import box_of, meet
from vlnscope.worlds.houses.furnish.catalogue import PALETTES
from vlnscope.worlds.houses.furnish.finish import Finish
from vlnscope.worlds.houses.furnish.lining import line_walls
from vlnscope.worlds.houses.furnish.room import space_of
from vlnscope.worlds.houses.furnish.stretches import wall_gaps
from vlnscope.worlds.houses.furnish.wall_groups import dress_walls
from vlnscope.worlds.houses.furnish.windows import dress_windows
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan, Opening, PlanItem, Room

SEEDS = range(8)


def plan(**changes: object) -> FloorPlan:
    room = Room(id="a", label="l", floor=0, polygon=((0, 0), (6, 0), (6, 5), (0, 5)))
    openings = (
        Opening(id="d", kind="door", rooms=("a", None), floor=0, centre=(3, 0), axis="x", width=0.9),
        Opening(
            id="w", kind="window", rooms=("a", None), floor=0, centre=(1.5, 5), axis="x", width=1.4, sill=0.9,
            head=2.1,
        ),
    )  # fmt: skip
    floor = Floor(level=0, elevation=0.0, **changes)  # type: ignore[arg-type]
    return FloorPlan(id="p", floors=(floor,), rooms=(room,), openings=openings)


def furnisher(seed: int = 0, house: FloorPlan | None = None) -> Furnisher:
    house = house or plan()
    space = space_of(house, house.rooms[0])
    return Furnisher(space, rng_for(seed, "test"), PALETTES["plain"], 1.0, Counter())


def names(f: Furnisher) -> Counter[str]:
    return Counter(item.name for item in f.items)


def test_gaps_end_at_doors_windows_and_furniture() -> None:
    f = furnisher()
    south = [gap for gap in wall_gaps(f, 1.3, 1.8) if gap.wall.turns == 2]
    assert all(gap.high < 3 - 0.45 or gap.low > 3 + 0.45 for gap in south)
    low = [gap for gap in wall_gaps(f, 0.1, 0.8) if gap.wall.turns == 0]
    high = [gap for gap in wall_gaps(f, 1.3, 1.8) if gap.wall.turns == 0]
    assert len(low) == 1
    assert all(gap.high < 0.8 or gap.low > 2.2 for gap in high)


def test_room_stays_beside_a_door_for_its_leaf() -> None:
    doors = plan()
    away = msgspec.structs.replace(doors.openings[0], closed=True)
    shut = msgspec.structs.replace(doors, openings=(away, doors.openings[1]))
    lengths = [
        sum(gap.length for gap in wall_gaps(furnisher(0, house), 1.3, 1.8) if gap.wall.turns == 2)
        for house in (doors, shut)
    ]
    assert lengths[1] - lengths[0] > 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_dressed_walls_have_few_gaps_left(seed: int) -> None:
    f = furnisher(seed)
    before = sum(gap.length for gap in wall_gaps(f, 1.3, 1.8))
    dress_walls(f, 1.0)
    after = sum(gap.length for gap in wall_gaps(f, 1.3, 1.8))
    assert after < 0.6 * before
    assert all(item.mounted or item.on for item in f.items)


def test_nothing_is_hung_where_nothing_is_wanted() -> None:
    f = furnisher()
    dress_walls(f, 0.0)
    assert f.items == []
    dress_walls(f, 1.0, ())
    assert "wall shelf" not in names(f)


def test_things_stand_on_wall_shelves() -> None:
    found = 0
    for seed in range(20):
        f = furnisher(seed)
        dress_walls(f, 1.0)
        shelves = {item.id for item in f.items if item.name == "wall shelf"}
        found += sum(item.on in shelves for item in f.items)
    assert found > 5


def test_windows_get_radiators_below_and_drapes_that_leave_glass_free() -> None:
    seen: set[str] = set()
    for seed in range(20):
        f = furnisher(seed)
        dress_windows(f, drapes=1.0, heating=1.0)
        seen |= set(names(f))
        for item in f.items:
            bottom, top = item.position[2], item.position[2] + item.size[2]
            if item.name == "radiator":
                assert top < 0.9
            if item.name == "blinds":
                assert bottom > 0.9 + 0.4
                assert top < 2.3
    assert seen == {"radiator", "curtain", "blinds"}


def test_a_room_without_windows_gets_neither() -> None:
    blind = plan()
    f = furnisher(0, msgspec.structs.replace(blind, openings=blind.openings[:1]))
    dress_windows(f, drapes=1.0, heating=1.0)
    assert f.items == []


@pytest.mark.parametrize("seed", SEEDS)
def test_lined_walls_keep_the_floor_before_them_free(seed: int) -> None:
    f = furnisher(seed)
    line_walls(f, ("cabinet", "bookshelf", "console table", "chest"))
    standing = [item for item in f.items if item.on is None]
    assert len(standing) >= 3
    for item in standing:
        x, y, _ = item.position
        assert min(x, y, 6 - x, 5 - y) < 0.4
    assert names(f).total() <= 2 * len(standing)


def test_tall_things_keep_clear_of_sloped_ceilings() -> None:
    attic = plan(height=2.7, eaves=1.2, ridge="x")
    tall = 0
    for seed in range(10):
        f = furnisher(seed, attic)
        Finish(
            plants=1.0, art=1.0, lamp=1.0, drapes=1.0, line=("wardrobe", "cabinet", "bookshelf")
        ).carry_out(f)
        for item in f.items:
            box = box_of(item)
            assert not any(meet(box, slope) for slope in f.space.roof), item.id
            tall += item.size[2] > 1.7
    assert tall > 0


def test_high_rooms_have_pictures_up_high() -> None:
    house = plan()
    room = msgspec.structs.replace(house.rooms[0], height=5.4)
    f = furnisher(0, msgspec.structs.replace(house, rooms=(room,)))
    dress_walls(f, 1.0)
    assert any(item.position[2] > 3 for item in f.items if item.name == "picture")
    assert all(item.position[2] + item.size[2] < 5.4 for item in f.items)


def test_finishing_is_the_same_every_time() -> None:
    def made() -> list[PlanItem]:
        f = furnisher(3)
        Finish(plants=1.0, art=0.9, lamp=1.0, drapes=0.9, line=("cabinet", "bookshelf")).carry_out(f)
        return f.items

    assert made() == made()
