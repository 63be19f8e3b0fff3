"""Bedrooms, closets, bathrooms, toilets and spas."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import (
    above,
    against,
    anywhere,
    beside,
    corner,
    ends,
    far,
    finish,
    hang,
    in_front,
    near,
    row_of_pictures,
    rug,
    small_things,
)
from vlnscope.worlds.houses.furnish.placer import Clear, Filler
from vlnscope.worlds.houses.furnish.spots import Score, local_spot
from vlnscope.worlds.houses.plan.plan import PlanItem


def bedroom(f: Filler) -> None:
    """Furnish a bedroom around its bed."""
    bed = f.insist(_bed, f) or f.insist(_low_bed, f)
    if bed is None:
        against(f, "armchair", far(f))
    against(f, "wardrobe", ends(f))
    if f.chance(0.7):
        _dresser(f)
    if f.area > 13 and f.chance(0.45):
        desk_place(f)
    if f.area > 16 and f.chance(0.5):
        _chairs(f)
    if f.chance(0.25):
        against(f, "bookshelf", ends(f))
    for name, share in (("basket", 0.3), ("guitar", 0.12), ("trash can", 0.15), ("exercise ball", 0.05)):
        if f.chance(share):
            corner(f, name)
    if bed is not None and f.chance(0.5):
        _over_bed(f, bed)
    finish(f, plants=0.45, art=2, lamp=0.45, drapes=0.85)


def _bed(f: Filler) -> PlanItem | None:
    widths = (1.8, 1.6, 1.4, 1.0) if f.area > 13 else (1.4, 1.0) if f.area > 9 else (1.0,)
    tables = f.look("nightstand")
    room = tables.size[0] + 0.06
    start = int(f.rng.integers(min(2, len(widths))))
    for width in widths[start:]:
        look = f.look("bed")
        look = look._replace(size=(width, look.size[1], look.size[2]))
        for left, right in ((room, room), (room, 0.0), (0.0, room)):
            clear = Clear(0.5, max(left, 0.5 if left else 0), max(right, 0.5 if right else 0))
            bed = against(f, "bed", far(f), look=look, clear=clear, group="bed")
            if bed is None:
                continue
            for side, space in ((-1, left), (1, right)):
                if space and f.chance(0.95):
                    stand = beside(f, bed, "nightstand", side, look=tables, gap=0.04, group="bed")
                    if stand:
                        _on_nightstand(f, stand)
            _about_bed(f, bed)
            return bed
    return None


def _low_bed(f: Filler) -> PlanItem | None:
    """Put a single bed that may stand below a window, as the last resort."""
    return against(f, "bed", ends(f), look=f.look("bed", size=(0.9, 1.95, 0.8)), clear=Clear(0.2))


def _on_nightstand(f: Filler, stand: PlanItem) -> None:
    twin = next((i for i in f.items if i.name == "table lamp"), None)
    if twin or f.chance(0.75):
        look = f.look("table lamp", like=twin)
        if twin and f.rng.random() < 0.2:
            look = look._replace(colour=f.other_colour(twin))
        f.put_on(stand, "table lamp", look=look, best=(0.0, 0.08))
    if f.chance(0.35):
        f.put_on(stand, f.pick(["books", "vase", "candle", "books"]))


def _about_bed(f: Filler, bed: PlanItem) -> None:
    if f.chance(0.6):
        rug(f, bed, 0.0, -bed.size[1] * 0.3, bed.size[0] + 1.1, bed.size[1] * 0.8)
    if bed.size[0] > 1.3 and f.chance(0.35):
        bench = f.pick(["bench", "ottoman"])
        in_front(f, bed, bench, (0.06,), turn=0, group="bed")
    if f.chance(0.2 if bed.size[0] > 1.3 else 0.6):
        f.put_on(bed, "teddy bear", best=(0.0, 0.1))


def _over_bed(f: Filler, bed: PlanItem) -> None:
    look = f.look("picture")
    if f.rng.random() < 0.5 or bed.size[0] < 1.3:
        above(f, bed, "picture", look=look)
    else:
        look = look._replace(size=(0.45, look.size[1], 0.55))
        first = above(f, bed, "picture", look=look)
        if first:
            for side in (-1, 1):
                beside_on_wall(f, first, side)


def beside_on_wall(f: Filler, first: PlanItem, side: int) -> None:
    """Hang another one of the same look next to what hangs on a wall."""
    spot = local_spot(first, side * (first.size[0] + 0.12), 0.0)
    f.put(first.name, f.look(first.name, like=first), [spot], mounted=True)


def _dresser(f: Filler) -> None:
    dresser = against(f, "dresser", far(f, 0.3))
    if dresser is None:
        return
    if f.chance(0.45):
        above(f, dresser, "mirror")
        small_things(f, dresser, ("vase", "candle", "bowl", "books", "table lamp"), 2)
    elif f.chance(0.5):
        f.put_on(dresser, "tv", best=(0.0, 0.1), look=f.look("tv", size=(0.9, 0.16, 0.6)))
    else:
        small_things(f, dresser, ("vase", "plant", "books", "table lamp", "clock", "candle")[:5], 2)


def _chairs(f: Filler) -> None:
    first = against(f, "armchair", near(f, _window_or_middle(f)))
    if first is None:
        return
    if f.chance(0.4):
        beside(f, first, "side table", f.pick((-1, 1)))
    if f.area > 22 and f.chance(0.6):
        look = f.look("armchair", like=first, colour=f.other_colour(first))
        against(f, "armchair", near(f, first.position[:2]), look=look)


def _window_or_middle(f: Filler) -> tuple[float, float]:
    if f.space.windows:
        return f.pick(f.space.windows).middle
    return f.space.room.polygon[0]


def desk_place(f: Filler, group: str = "desk") -> PlanItem | None:
    """Put a desk with a chair (against a wall, or else in the open) and what people work with on it."""
    desk = None
    for score in (near(f, _window_or_middle(f)), ends(f), far(f), anywhere(f), None):
        desk = desk or f.attempt(_desk_and_chair, f, group, score)
    if desk is None:
        return None
    if f.chance(0.85):
        f.put_on(desk, "computer", best=(0.0, 0.12))
    small_things(f, desk, ("books", "table lamp", "plant", "vase"), int(f.rng.integers(1, 3)))
    return desk


def _desk_and_chair(f: Filler, group: str, score: Score | None) -> PlanItem | None:
    if score is None:
        desk = f.put_open("desk", f.look("desk"), Clear(0.7), turns=(0, 1, 2, 3), group=group, strict=True)
    else:
        desk = against(f, "desk", score, clear=Clear(0.7), group=group)
    if desk is None or in_front(f, desk, "office chair", (0.04, 0.12), turn=2, group=group) is None:
        return None
    return desk


def closet(f: Filler) -> None:
    """Furnish a walk-in closet."""
    look = f.look("wardrobe")
    look = look._replace(size=(min(look.size[0], 1.3), look.size[1], look.size[2]))
    for _ in range(1 + int(f.area > 4) + int(f.area > 7)):
        against(f, "wardrobe", ends(f), look=look, clear=Clear(0.5))
    if f.chance(0.7):
        against(f, "shoe rack", far(f))
    if f.chance(0.5):
        corner(f, "basket")
    if f.chance(0.3):
        hang(f, "mirror")
    if f.area > 6 and f.chance(0.4):
        against(f, "ottoman", far(f))
    if f.chance(0.2):
        corner(f, "coat rack")


def bathroom(f: Filler) -> None:
    """Furnish a bathroom."""
    _toilet(f)
    f.insist(basin, f)
    tub = f.area > 4.5 and f.rng.random() < 0.65
    if tub:
        tub = against(f, "bathtub", ends(f)) is not None
    if not tub or (f.area > 9 and f.chance(0.7)):
        _shower(f)
    if f.area > 7 and f.chance(0.5):
        basin(f)
    towels(f, 1 + int(f.chance(0.5)))
    _washing(f)
    if f.chance(0.4):
        against(f, "cabinet", ends(f), look=f.look("cabinet", size=(0.6, 0.35, 0.9)))
    for name, share in (("trash can", 0.5), ("basket", 0.45), ("plant", 0.3)):
        if f.chance(share):
            corner(f, name)
    if f.chance(0.5):
        _mat(f)
    finish(f, plants=0.0, art=1, lamp=0.0, drapes=0.35)


def _toilet(f: Filler) -> None:
    look = f.look("toilet")
    small = look._replace(size=(0.36, 0.6, 0.76))
    if f.insist(lambda: against(f, "toilet", far(f, 0.4), look=look, clear=Clear(0.5, 0.1, 0.1))) is None:
        f.insist(lambda: against(f, "toilet", far(f, 0.4), look=small, clear=Clear(0.4)))


def _washing(f: Filler) -> None:
    if f.area > 8 and f.chance(0.15):
        against(f, "washing machine", ends(f))


def _shower(f: Filler) -> None:
    for _ in range(2):
        if corner(f, "shower"):
            return
    corner(f, "shower", look=f.look("shower", size=(0.85, 0.85, 2.05)))


def basin(f: Filler) -> PlanItem | None:
    """Put a bathroom sink with a mirror over it; a second one in a room is like the first and next to it."""
    first = next((i for i in f.items if i.name == "bathroom sink"), None)
    if first is None:
        sink = against(f, "bathroom sink", far(f, 0.3))
        if sink is None:
            small = f.look("bathroom sink", size=(0.42, 0.34, 1.0))
            sink = against(f, "bathroom sink", look=small, clear=Clear(0.2))
    else:
        sink = against(f, "bathroom sink", near(f, first.position[:2]), look=f.look("", like=first))
    if sink is not None:
        twin = next((i for i in f.items if i.name == "mirror"), None)
        look = f.look("mirror", like=twin)
        above(
            f, sink, "mirror", look=look._replace(size=(min(look.size[0], sink.size[0]), 0.04, 0.7)), low=1.2
        )
    return sink


def towels(f: Filler, count: int) -> None:
    """Hang equal towels, or ones that differ in colour alone."""
    first = hang(f, "towel", centre=1.2)
    for _ in range(count - 1):
        if first is not None:
            look = f.look("towel", like=first)
            if f.rng.random() < 0.4:
                look = look._replace(colour=f.other_colour(first))
            hang(f, "towel", look=look, centre=1.2, score=near(f, first.position[:2]))


def _mat(f: Filler) -> None:
    base = next((i for i in f.items if i.name in ("bathtub", "shower", "bathroom sink")), None)
    if base is not None:
        rug(f, base, 0.0, -base.size[1] / 2 - 0.35, 0.8, 0.5)


def toilet(f: Filler) -> None:
    """Furnish a small toilet."""
    _toilet(f)
    f.insist(basin, f)
    towels(f, 1)
    if f.chance(0.5):
        corner(f, "trash can")
    finish(f, plants=0.1, art=1, lamp=0.0, drapes=0.3)


def spa(f: Filler) -> None:
    """Furnish a spa."""
    against(f, "bathtub", far(f))
    corner(f, "shower")
    against(f, "bench", far(f, 0.2))
    towels(f, 3)
    for name in ("plant", "basket", "plant"):
        if f.chance(0.7):
            corner(f, name)
    bench = next((i for i in f.items if i.name == "bench"), None)
    if bench is not None:
        small_things(f, bench, ("candle", "bowl", "candle"), 2)
    row_of_pictures(f, 2)
