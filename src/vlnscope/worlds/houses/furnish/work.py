"""Offices, libraries, classrooms, and rooms without a name: for music, play, hobbies, to sit or to store."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import (
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
    small_things,
)
from vlnscope.worlds.houses.furnish.circulation import DECOR, runner
from vlnscope.worlds.houses.furnish.placer import Clear, Filler
from vlnscope.worlds.houses.furnish.private import desk_place
from vlnscope.worlds.houses.furnish.social import music
from vlnscope.worlds.houses.furnish.spots import local_spot, open_spots


def office(f: Filler) -> None:
    """Furnish an office."""
    desk_place(f)
    if f.area > 16 and f.chance(0.35):
        desk_place(f, "second desk")
    for share in (0.85, 0.4):
        if f.chance(share):
            against(f, "bookshelf", ends(f))
    if f.chance(0.5):
        against(f, "cabinet", anywhere(f))
    if f.area > 12 and f.chance(0.55):
        against(f, f.pick(["armchair", "sofa", "armchair"]), far(f))
    for name, share in (("trash can", 0.7), ("floor lamp", 0.35), ("guitar", 0.1)):
        if f.chance(share):
            corner(f, name)
    if f.chance(0.5):
        runner(f, 1.8, 1.3)
    if f.chance(0.4):
        hang(f, "clock", centre=1.75)
    finish(f, plants=0.6, art=3, lamp=0.2, drapes=0.6)


def library(f: Filler) -> None:
    """Furnish a library: shelves on the walls, seats to read in."""
    shelf = f.look("bookshelf")
    for _ in range(3 + int(f.area / 4)):
        against(f, "bookshelf", ends(f), look=shelf)
    first = against(f, "armchair", far(f))
    if first is not None:
        table = beside(f, first, "side table", f.pick((-1, 1)))
        if table is not None:
            small_things(f, table, ("books", "table lamp"), 1)
        twin = f.look("armchair", like=first, colour=f.other_colour(first))
        against(f, "armchair", near(f, first.position[:2]), look=twin)
    if f.area > 14:
        desk_place(f)
    corner(f, "floor lamp")
    runner(f, 2.0, 1.4)
    finish(f, plants=0.4, art=2, lamp=0.4, drapes=0.5)


def classroom(f: Filler) -> None:
    """Furnish a classroom: rows of equal desks with chairs, a desk for the teacher."""
    desk, chair = f.look("desk", size=(1.1, 0.6, 0.74)), f.look("chair")
    wall = f.space.walls[0].turns
    for spot in open_spots(f.space, (wall,), 0.5)[:: max(1, int(f.area / 12))]:
        table = f.put("desk", desk, [spot], clear=Clear(0.65, 0.25, 0.25), group="class")
        if table is not None:
            reach = table.size[1] / 2 + 0.03 + chair.size[1] / 2
            f.put("chair", chair, [local_spot(table, 0.0, -reach, 2)], group="class")
    against(f, "bookshelf", ends(f))
    hang(f, "clock", centre=1.9)
    finish(f, plants=0.5, art=3, lamp=0.0, drapes=0.4)


def other(f: Filler) -> None:
    """Furnish a room without a name: for music, for play, for hobbies, to sit in, or to store things."""
    uses = (_music_room, _play_room, _hobby_room, _store, _store, _sitting_room)
    order = f.rng.permutation(len(uses)).tolist()
    for k in order[: 2 if f.area > 14 else 1]:
        uses[k](f)
    if f.chance(0.5):
        against(f, f.pick(["chair", "stool", "bench", "armchair"]), anywhere(f))
    if f.area > 10 and f.chance(0.5):
        against(f, f.pick(["bookshelf", "cabinet", "dresser", "wardrobe"]), ends(f))
    finish(f, plants=0.5, art=3, lamp=0.3, drapes=0.5)


def _music_room(f: Filler) -> None:
    music(f)
    corner(f, "guitar")
    against(f, "bookshelf", ends(f))
    if f.chance(0.5):
        against(f, "armchair", far(f))


def _play_room(f: Filler) -> None:
    for _ in range(3):
        corner(f, "teddy bear")
    base = against(f, "cabinet", ends(f))
    if base is not None:
        small_things(f, base, ("teddy bear", "books", "basket")[:2], 2)
    corner(f, "basket")
    corner(f, "exercise ball")
    runner(f, 1.8, 1.4)


def _hobby_room(f: Filler) -> None:
    desk_place(f)
    against(f, "bookshelf", ends(f))
    base = against(f, "cabinet", anywhere(f))
    if base is not None:
        small_things(f, base, DECOR, 2)


def _sitting_room(f: Filler) -> None:
    sofa = against(f, "sofa", far(f), clear=Clear(0.9), group="sit")
    if sofa is not None:
        in_front(f, sofa, "coffee table", (0.38,), turn=0, group="sit")
        beside(f, sofa, "side table", f.pick((-1, 1)), group="sit")
    against(f, "armchair", far(f, 0.4))
    against(f, "bookshelf", ends(f))


def _store(f: Filler) -> None:
    for name in ("cabinet", "wardrobe", "shoe rack", "basket", "toolbox", "bicycle", "basket", "trash can"):
        if f.chance(0.65):
            against(f, name, ends(f))
