"""Entries, hallways, stairs and dining booths."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import (
    above,
    against,
    anywhere,
    ceiling_lamp,
    corner,
    far,
    finish,
    hang,
    pictures,
    row_of_pictures,
    small_things,
)
from vlnscope.worlds.houses.furnish.placer import Clear, Filler
from vlnscope.worlds.houses.furnish.spots import local_spot, open_spots

_ALONG = ("console", "console", "bench", "bookshelf", "cabinet", "plants", "statue", "armchair")
DECOR = ("vase", "bowl", "books", "candle", "table lamp", "plant", "vase")


def entry(f: Filler) -> None:
    """Furnish an entryway."""
    _console(f, 0.85)
    for name, share in (("shoe rack", 0.6), ("bench", 0.5)):
        if f.chance(share):
            against(f, name, anywhere(f))
    if f.chance(0.6):
        corner(f, "coat rack")
    if f.chance(0.2):
        corner(f, "statue")
    if f.chance(0.6):
        runner(f, 1.3, 0.9)
    finish(f, plants=0.6, art=2, lamp=0.6, drapes=0.3)


def hallway(f: Filler) -> None:
    """Furnish a hallway: narrow things along its walls, pictures, a runner."""
    long = max((wall.length for wall in f.space.walls), default=0.0)
    for _ in range(1 + min(int(long / 3.5), 4)):
        kind_of = f.pick(
            ["console", "console", "bench", "bookshelf", "cabinet", "plants", "statue", "armchair"]
        )
        _along(f, kind_of)
    if f.chance(0.25):
        corner(f, "coat rack")
    if f.chance(0.35):
        runner(f, min(long * 0.6, 3.2), 0.8)
    pictures(f, int(f.rng.integers(1, 4)))
    for _ in range(min(int(long / 5), 3)):
        pictures(f, int(f.rng.integers(1, 4)))
    if f.chance(0.2):
        hang(f, "clock", centre=1.7)
    finish(f, plants=0.4, art=0, lamp=0.25, drapes=0.4)


def _along(f: Filler, choice: str) -> None:
    if choice == "console":
        _console(f, 0.4)
    elif choice == "plants":
        look = f.look("plant")
        corner(f, "plant", look=look)
        corner(f, "plant", look=look)
    elif choice == "statue":
        corner(f, "statue")
    elif choice == "cabinet":
        base = against(f, "cabinet", far(f, 0.3), look=f.look("cabinet", size=(0.9, 0.35, 0.85)))
        if base is not None:
            small_things(f, base, DECOR, 2)
    else:
        against(f, choice, far(f, 0.3))


def _console(f: Filler, mirror: float) -> None:
    base = against(f, "console table", far(f, 0.2), clear=Clear(0.3))
    if base is None:
        return
    if f.chance(mirror):
        above(f, base, f.pick(["mirror", "mirror", "picture"]))
    if f.chance(0.3):
        first = f.put_on(base, "vase", best=(-base.size[0] / 3, 0.0))
        if first is not None:
            twin = f.look("vase", like=first, colour=f.other_colour(first))
            f.put_on(base, "vase", look=twin, best=(base.size[0] / 3, 0.0))
    else:
        small_things(f, base, DECOR, int(f.rng.integers(1, 4)))


def runner(f: Filler, width: float, depth: float) -> None:
    """Lay a rug in the middle, along the room."""
    across, along = zip(*f.space.room.polygon, strict=True)
    turn = 0 if max(across) - min(across) >= max(along) - min(along) else 1
    look = f.look("rug")
    look = look._replace(size=(round(width, 2), round(depth, 2), look.size[2]))
    f.put("rug", look, open_spots(f.space, (turn,)))


def stairs(f: Filler) -> None:
    """Hang pictures in a stairwell; its floor stays free."""
    row_of_pictures(f, int(f.rng.integers(1, 4)))
    if f.chance(0.3):
        hang(f, "picture")


def booth(f: Filler) -> None:
    """Furnish a dining booth: a table between two benches."""
    look = f.look("dining table", size=(1.2, 0.8, 0.75))
    table = f.put_open("dining table", look, Clear(0.5, 0, 0, 0.5), strict=True)
    if table is not None:
        bench = f.look("bench", size=(1.2, 0.42, 0.46))
        reach = table.size[1] / 2 + 0.03 + bench.size[1] / 2
        for dy, turn in ((reach, 0), (-reach, 2)):
            f.put("bench", bench, [local_spot(table, 0.0, dy, turn)], group=table.id)
        small_things(f, table, ("vase", "bowl", "candle"), 1)
        ceiling_lamp(f, table)
    finish(f, plants=0.4, art=2, lamp=0.0, drapes=0.5)
