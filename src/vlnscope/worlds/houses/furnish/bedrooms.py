"""Beds with what belongs to them, dressers, wardrobes, and desks to work at."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.placements import Score, local_spot, open_spots
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.plan.plan import PlanItem

_CHILDS = ("doll house", "bean bag", "chest", "backpack", "teddy bear", "easel", "globe")


def bedroom_set(f: Furnisher, child: float = 0.22) -> None:
    """Put what a bedroom is for: with some chance a child's bed and toys, else a bed with its nightstands."""
    if f.rng.random() >= child or f.insist(_childs_bed, f) is None:
        bed(f)
        return
    for name in _CHILDS:
        if name == "globe":
            base = f.first("desk", "dresser", "chest")
            if base is not None:
                f.put_on(base, name)
        elif f.chance(0.5):
            f.against(name, f.ends()) if name == "chest" else f.corner(name)
    if f.chance(0.7):
        f.rug(f.items[0], 0.0, -f.items[0].size[1] * 0.6, 1.8, 1.5)


def _childs_bed(f: Furnisher) -> PlanItem | None:
    """Put a bunk bed, or a crib with a rocking chair."""
    if f.rng.random() < 0.65:
        return f.against("bunk bed", f.ends(), clear=Clear(0.5))
    crib = f.against("crib", f.far())
    if crib is not None:
        f.corner("rocking chair")
    return crib


def bed(f: Furnisher) -> None:
    """Put a bed with its nightstands; an armchair where there is no room for any bed."""
    if not (f.insist(_bed, f) or f.insist(_low_bed, f)):
        f.against("armchair", f.far())


def _bed(f: Furnisher) -> PlanItem | None:
    widths = (1.8, 1.6, 1.4, 1.0) if f.area > 13 else (1.4, 1.0) if f.area > 9 else (1.0,)
    tables = f.look("nightstand")
    room = tables.size[0] + 0.06
    start = int(f.rng.integers(min(2, len(widths))))
    for width in widths[start:]:
        look = f.look("bed")
        look = look._replace(size=(width, look.size[1], look.size[2]))
        for left, right in ((room, room), (room, 0.0), (0.0, room)):
            clear = Clear(0.5, max(left, 0.5 if left else 0), max(right, 0.5 if right else 0))
            bed = f.against("bed", f.far(), look=look, clear=clear, group="bed")
            if bed is None:
                continue
            for side, space in ((-1, left), (1, right)):
                if space and f.chance(0.95):
                    stand = f.beside(bed, "nightstand", side, look=tables, gap=0.04, group="bed")
                    if stand:
                        _on_nightstand(f, stand)
            _about_bed(f, bed)
            return bed
    return None


def _low_bed(f: Furnisher) -> PlanItem | None:
    """Put a single bed that may stand below a window, as the last resort."""
    return f.against("bed", f.ends(), look=f.look("bed", size=(0.9, 1.95, 0.8)), clear=Clear(0.2))


def _on_nightstand(f: Furnisher, stand: PlanItem) -> None:
    twin = f.first("table lamp")
    if twin or f.chance(0.75):
        look = f.look("table lamp", like=twin)
        if twin and f.rng.random() < 0.2:
            look = look._replace(colour=f.other_colour(twin))
        f.put_on(stand, "table lamp", look=look, best=(0.0, 0.08))
    if f.chance(0.35):
        f.put_on(stand, f.pick(["books", "vase", "candle", "books", "photo frame", "cup"]))


def _about_bed(f: Furnisher, bed: PlanItem) -> None:
    if f.chance(0.6):
        f.rug(bed, 0.0, -bed.size[1] * 0.3, bed.size[0] + 1.1, bed.size[1] * 0.8)
    if bed.size[0] > 1.3 and f.chance(0.35):
        bench = f.pick(["bench", "ottoman", "chest"])
        f.in_front(bed, bench, (0.06,), turn=0, group="bed")
    if f.chance(0.2 if bed.size[0] > 1.3 else 0.6):
        f.put_on(bed, "teddy bear", best=(0.0, 0.1))


def pictures_over_bed(f: Furnisher, chance: float) -> None:
    """Hang a picture over the bed if there is one, or three over a wide one."""
    bed = f.first("bed")
    if bed is None or not f.chance(chance):
        return
    look = f.look("picture")
    if f.rng.random() < 0.5 or bed.size[0] < 1.3:
        f.above(bed, "picture", look=look)
    else:
        look = look._replace(size=(0.45, look.size[1], 0.55))
        first = f.above(bed, "picture", look=look)
        if first:
            for side in (-1, 1):
                _beside_on_wall(f, first, side)


def _beside_on_wall(f: Furnisher, first: PlanItem, side: int) -> None:
    """Hang another one of the same look next to what hangs on a wall."""
    spot = local_spot(first, side * (first.size[0] + 0.12), 0.0)
    f.put(first.name, f.look(first.name, like=first), [spot], mounted=True)


def dresser(f: Furnisher) -> None:
    """Put a dresser with a mirror over it, or with a tv or small things on it."""
    base = f.against("dresser", f.far(0.3))
    if base is None:
        return
    if f.chance(0.45):
        f.above(base, "mirror")
        f.small_things(base, ("vase", "candle", "photo frame", "books", "table lamp"), 2)
    elif f.chance(0.5):
        f.put_on(base, "tv", best=(0.0, 0.1), look=f.look("tv", size=(0.9, 0.16, 0.6)))
    else:
        f.small_things(base, ("vase", "plant", "books", "table lamp", "clock", "candle")[:5], 2)


def desk(f: Furnisher, group: str = "desk") -> PlanItem | None:
    """Put a desk with a chair (against a wall, or else in the open) and what people work with on it."""
    table = None
    for score in (f.near_window(), f.ends(), f.far(), f.anywhere(), None):
        table = table or f.attempt(_desk_and_chair, f, group, score)
    if table is None:
        return None
    if f.chance(0.9):
        f.put_on(table, f.pick(["computer", "computer", "laptop"]), best=(0.0, 0.12))
    things = ("books", "table lamp", "plant", "cup", "printer", "photo frame", "globe")
    f.small_things(table, things, int(f.rng.integers(1, 3)))
    return table


def _desk_and_chair(f: Furnisher, group: str, score: Score | None) -> PlanItem | None:
    if score is None:
        desk = f.put_open("desk", f.look("desk"), Clear(0.7), turns=(0, 1, 2, 3), group=group, strict=True)
    else:
        desk = f.against("desk", score, clear=Clear(0.7), group=group)
    if desk is None or f.in_front(desk, "office chair", (0.04, 0.12), turn=2, group=group) is None:
        return None
    return desk


def wardrobes(f: Furnisher) -> None:
    """Put equal wardrobes into a closet, as many as its size allows."""
    look = f.look("wardrobe")
    look = look._replace(size=(min(look.size[0], 1.3), look.size[1], look.size[2]))
    for _ in range(1 + int(f.area > 4) + int(f.area > 7)):
        f.against("wardrobe", f.ends(), look=look, clear=Clear(0.5))


def rows_of_desks(f: Furnisher) -> None:
    """Put rows of equal desks with chairs into a classroom."""
    table, chair = f.look("desk", size=(1.1, 0.6, 0.74)), f.look("chair")
    wall = f.space.walls[0].turns
    for spot in open_spots(f.space, (wall,), 0.5)[:: max(1, int(f.area / 12))]:
        item = f.put("desk", table, [spot], clear=Clear(0.65, 0.25, 0.25), group="class")
        if item is not None:
            reach = item.size[1] / 2 + 0.03 + chair.size[1] / 2
            f.put("chair", chair, [local_spot(item, 0.0, -reach, 2)], group="class")


PROCEDURES = (bedroom_set, bed, desk, dresser, pictures_over_bed, wardrobes, rows_of_desks)
