"""Tables with chairs around them, or between benches."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.placements import local_spot
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.plan.plan import PlanItem


def dining_set(
    f: Furnisher, seats: Sequence[int], *, chair: str = "chair", table: str = "dining table"
) -> PlanItem | None:
    """Put a table with chairs in the open: the largest of the given numbers of seats that fits."""
    look, seat = f.look(table), f.look(chair)
    for count in seats:
        with_ends = count >= 6 or count == 2
        per_side = max((count - 2 * with_ends) // 2, 0 if count == 2 else 1)
        width = round(max(per_side * (seat.size[0] + 0.16), 0.9), 2)
        depth = 0.8 if count <= 4 else look.size[1]
        sized = look._replace(size=(width, depth, look.size[2]))
        side, end = (0.55, 0.55) if count > 2 else (0.1, 0.55)
        ends_room = end if with_ends else 0.2
        clear = Clear(side, ends_room, ends_room, side)
        put = f.attempt(_seated, f, count, (table, sized), clear, (chair, seat))
        if put is None:
            continue
        _lay(f, put)
        return put
    return None


def _seated(
    f: Furnisher, count: int, top: tuple[str, Appearance], clear: Clear, seats_of: tuple[str, Appearance]
) -> PlanItem | None:
    """Put a table with its chairs; None if fewer than two thirds of them find room."""
    chair, seat = seats_of
    group = f"{chair} table"
    table = f.put_open(*top, clear, group=group, strict=True)
    if table is None:
        return None
    if count == 2:
        seats = _pair(f, table, seat, chair, group)
    else:
        seats = f.around(table, chair, seat, ends_too=count >= 6, group=group)
    return table if seats * 3 >= count * 2 else None


def _pair(f: Furnisher, table: PlanItem, seat: Appearance, chair: str, group: str) -> int:
    reach = table.size[0] / 2 + 0.03 + seat.size[1] / 2
    spots = [local_spot(table, reach, 0.0, 3), local_spot(table, -reach, 0.0, 1)]
    return sum(f.put(chair, seat, [spot], group=group) is not None for spot in spots)


def _table_at_wall(f: Furnisher) -> PlanItem | None:
    """Put a table with its long side to a wall, chairs at its ends or before it."""
    look, seat = f.look("dining table", size=(0.9, 0.75, 0.75)), f.look("chair")
    table = f.against("dining table", f.far(), look=look, clear=Clear(0.1), group="wall table")
    if table is None:
        return None
    _pair(f, table, seat, "chair", "wall table")
    f.in_front(table, "chair", (0.03,), look=seat, group="wall table")
    return table if any(i.name == "chair" for i in f.items) else None


def _lay(f: Furnisher, table: PlanItem) -> None:
    if table.name == "conference table":
        for dx in (-table.size[0] / 4, table.size[0] / 4):
            if f.chance(0.5):
                f.put_on(table, f.pick(["laptop", "cup", "books", "laptop"]), best=(dx, 0.3))
        return
    if f.chance(0.75):
        f.put_on(table, f.pick(["vase", "fruit bowl", "candle", "vase", "bowl"]), best=(0.0, 0.0))
    if f.chance(0.3):
        _covers(f, table)
    elif f.chance(0.3):
        f.put_on(table, f.pick(["bowl", "candle", "books", "bottle", "laptop"]), best=(0.3, 0.0))


def _covers(f: Furnisher, table: PlanItem) -> None:
    """Lay a plate and a cup at up to four places."""
    plate, cup = f.look("plate"), f.look("cup")
    reach = table.size[1] / 2 - plate.size[1] / 2 - 0.04
    for dx in (-table.size[0] / 4, table.size[0] / 4):
        for side in (-1, 1):
            if f.put_on(table, "plate", look=plate, best=(dx, side * reach)):
                f.put_on(table, "cup", look=cup, best=(dx + 0.2, side * reach))


def dining_table(f: Furnisher) -> None:
    """Put the largest table with chairs that a dining room has room for, a rug below and a lamp above it."""
    seats = (
        (10, 8, 6, 4, 2)
        if f.area > 22
        else (8, 6, 4, 2)
        if f.area > 14
        else (6, 4, 2)
        if f.area > 10
        else (4, 2)
    )
    start = int(f.rng.random() < 0.3 and len(seats) > 2)
    table = dining_set(f, seats[start:]) or f.insist(_table_at_wall, f)
    if table is not None:
        if f.chance(0.6):
            f.rug(table, 0.0, 0.0, table.size[0] + 1.2, table.size[1] + 1.2)
        if f.chance(0.85):
            f.ceiling_lamp(table)


def meeting_table(f: Furnisher) -> None:
    """Put a conference table with office chairs around it: the largest that fits."""
    table = dining_set(f, (12, 10, 8, 6, 4), chair="office chair", table="conference table")
    if table is None:
        dining_set(f, (4, 2), chair="office chair")


def table_between_benches(f: Furnisher) -> None:
    """Put a table between two benches, as in a booth."""
    look = f.look("dining table", size=(1.2, 0.8, 0.75))
    table = f.put_open("dining table", look, Clear(0.5, 0, 0, 0.5), strict=True)
    if table is not None:
        bench = f.look("bench", size=(1.2, 0.42, 0.46))
        reach = table.size[1] / 2 + 0.03 + bench.size[1] / 2
        for dy, turn in ((reach, 0), (-reach, 2)):
            f.put("bench", bench, [local_spot(table, 0.0, dy, turn)], group=table.id)
        f.small_things(table, ("vase", "bowl", "candle"), 1)
        f.ceiling_lamp(table)


PROCEDURES = (dining_set, dining_table, meeting_table, table_between_benches)
