"""Sofas and armchairs before a tv or a fireplace or around a table; a piano; a pool table."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.boxes import front, quarter
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.placements import Score, local_spot, wall_spots
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.furnish.room import Wall
from vlnscope.worlds.houses.plan.plan import XY, PlanItem

_GROUP = "seating"


def seats(f: Furnisher, fireplace: float = 0.0) -> None:
    """Put a sofa and armchairs before a tv or, with some chance, before a fireplace."""
    _seats_before(f, "fireplace" if fireplace and f.rng.random() < fireplace else "tv stand")


def lounge_seats(f: Furnisher) -> None:
    """Put seats before a fireplace, or seats that face each other."""
    if f.chance(0.4):
        _seats_before(f, "fireplace")
    else:
        _conversation(f)


def second_row(f: Furnisher) -> None:
    """Put a second sofa behind the first, in a large room."""
    sofa = f.first("sofa")
    if sofa is not None and f.area > 20:
        look = f.look("", like=sofa)
        f.put("sofa", look, [local_spot(sofa, 0.0, sofa.size[1] + 0.8)], clear=Clear(0.4))


def _seats_before(f: Furnisher, focus: str) -> None:
    for name in (focus, "tv stand"):
        walls = sorted(f.space.walls, key=lambda w: -min(w.length, 4.5) - 2.0 * float(f.rng.random()))
        for wall in walls:
            if wall.length > 1.7 and f.attempt(_before, f, wall, name) is not None:
                return
    _conversation(f)


def _before(f: Furnisher, wall: Wall, focus: str) -> PlanItem | None:
    """Put a focus on a wall and seats before it; None if there is no room for both."""
    look = f.look(focus)
    centre = (wall.low + wall.high) / 2
    spots = [
        s
        for s in wall_spots(f.space, look.size, lambda w, a, p: -abs(a - centre) if w is wall else -99.0)
        if s.score > -90
    ]
    centrepiece = f.put(focus, look, spots, clear=Clear(1.6), group=_GROUP)
    if centrepiece is None:
        return None
    sofa = _opposite(f, centrepiece)
    if sofa is None:
        return None
    if not _dress_focus(f, centrepiece):
        return None
    _about_sofa(f, sofa)
    return sofa


def _opposite(f: Furnisher, focus: PlanItem) -> PlanItem | None:
    look = f.look("sofa")
    if f.area < 16:
        look = look._replace(size=(1.6, look.size[1], look.size[2]))
    to_wall = _reach(f, focus) - look.size[1] - 0.02
    gaps = [to_wall] if 1.45 <= to_wall <= 3.6 else []
    gaps += [gap for gap in (2.4, 2.1, 2.7, 1.8, 3.0, 1.6) if gap < to_wall - 0.7]
    return f.in_front(focus, "sofa", gaps, look=look, turn=2, group=_GROUP)


def _reach(f: Furnisher, item: PlanItem) -> float:
    """Return how far it is from the front of an object to the wall that it looks at."""
    nx, ny = front(quarter(item.yaw) or 0)
    x, y, _ = item.position
    best = 99.0
    for slab in f.space.slabs:
        if nx and slab.y0 < y < slab.y1:
            gap = (slab.x0 - x) if nx > 0 else (x - slab.x1)
        elif ny and slab.x0 < x < slab.x1:
            gap = (slab.y0 - y) if ny > 0 else (y - slab.y1)
        else:
            continue
        if gap > 0:
            best = min(best, gap)
    return best - item.size[1] / 2


def _dress_focus(f: Furnisher, item: PlanItem) -> bool:
    """Put a tv on (or over) its stand, decoration on a fireplace; False if a tv finds no room."""
    if item.name == "tv stand":
        tv = f.look("tv")
        wide = min(tv.size[0], item.size[0] - 0.06)
        look = tv._replace(size=(round(wide, 2), tv.size[1], tv.size[2]))
        flat = look._replace(size=(look.size[0], 0.08, look.size[2]))
        if f.chance(0.3):
            for side in (-1, 1):
                f.beside(item, "speaker", side, gap=0.05, group=_GROUP)
        if f.rng.random() < 0.3 and f.above(item, "tv", look=flat, low=0.95) is not None:
            return True
        return f.put_on(item, "tv", look=look, best=(0.0, 0.05)) is not None
    f.above(item, f.pick(["picture", "mirror", "clock", "tv"]), low=1.45, look=None)
    f.small_things(item, ("vase", "candle", "books", "plant", "candle"), 3)
    return True


def _about_sofa(f: Furnisher, sofa: PlanItem) -> None:
    table = f.in_front(sofa, "coffee table", (0.4, 0.34, 0.3), turn=0, group=_GROUP)
    middle_y = -(sofa.size[1] / 2 + 0.4 + 0.3)
    if table is not None:
        things = ("books", "bowl", "vase", "candle", "plant", "cup", "laptop", "fruit bowl")
        f.small_things(table, things, int(f.rng.integers(1, 3)))
    if f.chance(0.75):
        f.rug(sofa, 0.0, middle_y, max(sofa.size[0], 1.8) + 0.3, 1.9)
    _armchairs(f, sofa, middle_y)
    for side in (-1, 1):
        if f.chance(0.45):
            stand = f.beside(sofa, "side table", side, gap=0.04, group=_GROUP)
            if stand is not None:
                f.small_things(stand, ("table lamp", "plant", "vase", "books"), 1)
    _cushions(f, sofa)
    if f.chance(0.5):
        f.above(sofa, "picture")


def _armchairs(f: Furnisher, sofa: PlanItem, dy: float) -> None:
    first: PlanItem | None = None
    for side in (-1, 1) if f.rng.random() < 0.5 else (1, -1):
        if not f.chance(0.75):
            continue
        look: Appearance = f.look("armchair", like=first)
        if first is not None and f.rng.random() < 0.5:
            look = look._replace(colour=f.other_colour(first))
        reach = sofa.size[0] / 2 + look.size[1] / 2
        spots = [
            local_spot(sofa, side * (reach + off), dy, 3 if side > 0 else 1)._replace(score=-off)
            for off in (0.05, 0.25, 0.45)
        ]
        first = f.put("armchair", look, spots, group=_GROUP) or first


def _cushions(f: Furnisher, sofa: PlanItem) -> None:
    look = f.look("cushion")
    for k in range(int(f.rng.integers(0, 3))):
        if k and f.rng.random() < 0.5:
            look = f.look("cushion")._replace(size=look.size)
        f.put_on(sofa, "cushion", look=look, best=((k - 0.5) * 0.5, sofa.size[1] / 2 - 0.36))


def _conversation(f: Furnisher) -> None:
    """Put a sofa (or armchairs) against a wall, a table before it and armchairs that face it."""
    look = f.look("sofa")
    if f.area < 13:
        look = look._replace(size=(1.6, look.size[1], look.size[2]))
    sofa = f.against("sofa", f.far(), look=look, clear=Clear(1.2), group=_GROUP)
    if sofa is None:
        sofa = f.insist(_sofa_somewhere, f, look)
    if sofa is None:
        first = f.against("armchair", f.far())
        if first is not None:
            twin = f.look("armchair", like=first, colour=f.other_colour(first))
            f.against("armchair", f.near(first.position[:2]), look=twin)
            f.beside(first, "side table", 1)
        return
    _about_sofa(f, sofa)
    if f.space.room.label in "lfv":
        _screen(f, sofa)
    table = f.first("coffee table")
    if table is not None and f.chance(0.7):
        look = f.look("armchair", like=f.first("armchair"))
        for dx in (-0.55, 0.55):
            spot = local_spot(table, dx, -(table.size[1] / 2 + 0.35 + look.size[1] / 2), 2)
            f.put("armchair", look, [spot], group=_GROUP)


def _screen(f: Furnisher, sofa: PlanItem) -> None:
    """Put a tv where it can be seen from the sofa, if there is a wall for it."""
    reach = _reach(f, sofa)
    spot = local_spot(sofa, 0.0, -sofa.size[1] / 2 - reach)
    facing = (spot.turns + 2) % 4

    def opposite(wall: Wall, along: float, point: XY) -> float:
        return -math.dist(point, (spot.x, spot.y)) - (0.0 if wall.turns == facing else 2.0)

    if f.attempt(_stand, f, opposite) is None:
        f.hang("tv", look=f.look("tv", size=(1.1, 0.08, 0.65)), centre=1.4, score=opposite)


def _stand(f: Furnisher, score: Score) -> PlanItem | None:
    stand = f.against("tv stand", score)
    return stand if stand is not None and _dress_focus(f, stand) else None


def _sofa_somewhere(f: Furnisher, look: Appearance) -> PlanItem | None:
    small = look._replace(size=(1.45, 0.85, look.size[2]))
    ways = (0, 1, 2, 3)
    return (
        f.put_open("sofa", look, Clear(1.1, 0.1, 0.1), turns=ways, group=_GROUP)
        or f.against("sofa", f.far(), look=small, clear=Clear(0.5), group=_GROUP)
        or f.put_open("sofa", small, Clear(0.5), turns=ways, group=_GROUP)
    )


def second_seats(f: Furnisher) -> None:
    """Put two armchairs that face each other over a table, with a rug below, in a large room."""
    if f.attempt(_facing, f) is None:
        reading_corner(f)


def _facing(f: Furnisher) -> PlanItem | None:
    seat = f.look("armchair")
    look = f.look("coffee table")
    look = look._replace(size=(0.9, 0.6, look.size[2]))
    group = "second seats"
    table = f.put_open("coffee table", look, Clear(1.3, 0.35, 0.35, 1.3), group=group, strict=True)
    if table is None or f.around(table, "armchair", seat, ends_too=False, group=group, gap=0.35) < 2:
        return None
    f.small_things(table, ("books", "vase", "bowl", "cup"), 2)
    f.rug(table, 0.0, 0.0, 1.9, 2.4)
    return table


def reading_corner(f: Furnisher) -> None:
    """Put a chair near a window, a side table and a floor lamp next to it, and books."""
    name = f.pick(("armchair", "armchair", "rocking chair"))
    chair = f.against(name, f.near_window(), clear=Clear(0.4), group="reading")
    if chair is None:
        return
    side = f.pick((-1, 1))
    stand = f.beside(chair, "side table", side, group="reading")
    if stand is not None:
        f.small_things(stand, ("books", "cup", "plant", "table lamp"), 1)
    f.beside(chair, "floor lamp", -side, group="reading")


def music(f: Furnisher) -> None:
    """Add a piano with its stool, perhaps a guitar."""
    piano = f.against("piano", f.far(0.3), clear=Clear(0.9), group="music")
    if piano is not None:
        look = f.look("stool")
        size = (look.size[0], look.size[1], 0.5)
        f.in_front(piano, "stool", (0.1,), look=look._replace(size=size), turn=2, group="music")
        if f.chance(0.5):
            f.put_on(piano, f.pick(["candle", "vase", "books"]), best=(0.3, piano.size[1] / 2 - 0.12))
    if f.chance(0.4):
        f.corner("guitar")


def pool_table(f: Furnisher) -> None:
    """Put a pool table into the open, and seats and a screen where there is room."""
    look = f.look("pool table")
    wide, tight = Clear(0.8, 0.8, 0.8, 0.8), Clear(0.5, 0.5, 0.5, 0.5)
    table = f.insist(lambda: f.put_open("pool table", look, wide) or f.put_open("pool table", look, tight))
    if table is not None and f.chance(0.6):
        f.ceiling_lamp(table)
    if table is None or f.area > 28:
        _seats_before(f, "tv stand")
        return
    sofa = f.against("sofa", f.ends())
    f.hang("tv", look=f.look("tv", size=(1.2, 0.08, 0.7)), centre=1.5)
    if sofa is None:
        f.against("armchair", f.ends())


PROCEDURES = (seats, lounge_seats, second_row, second_seats, reading_corner, music, pool_table)
