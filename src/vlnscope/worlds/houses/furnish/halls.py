"""What stands and hangs along the walls of entries, hallways and stairwells."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.boxes import Box
from vlnscope.worlds.houses.furnish.placements import open_spots
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.furnish.room import Wall
from vlnscope.worlds.houses.furnish.wall_groups import hang_at

_ALONG = (
    "console", "console", "bench", "bookshelf", "cabinet", "plants", "statue", "armchair", "chest",
    "cabinet",
)  # fmt: skip
_DECOR = ("vase", "bowl", "books", "candle", "table lamp", "plant", "photo frame", "globe")


def _along(f: Furnisher, choice: str) -> None:
    if choice == "console":
        console(f, 0.4)
    elif choice == "plants":
        look = f.look("plant")
        f.corner("plant", look=look)
        f.corner("plant", look=look)
    elif choice == "statue":
        f.corner("statue")
    elif choice == "cabinet":
        base = f.against("cabinet", f.far(0.3), look=f.look("cabinet", size=(0.9, 0.35, 0.85)))
        if base is not None:
            f.small_things(base, _DECOR, 2)
    else:
        f.against(choice, f.far(0.3))


def console(f: Furnisher, mirror: float) -> None:
    """Put a console table with small things on it, and with some chance a mirror above."""
    base = f.against("console table", f.far(0.2), clear=Clear(0.3))
    if base is None:
        return
    if f.chance(mirror):
        f.above(base, f.pick(["mirror", "mirror", "picture"]))
    if f.chance(0.3):
        first = f.put_on(base, "vase", best=(-base.size[0] / 3, 0.0))
        if first is not None:
            twin = f.look("vase", like=first, colour=f.other_colour(first))
            f.put_on(base, "vase", look=twin, best=(base.size[0] / 3, 0.0))
    else:
        f.small_things(base, _DECOR, int(f.rng.integers(1, 3)))


def runner(f: Furnisher, width: float, depth: float) -> None:
    """Lay a rug in the middle, along the room."""
    across, along = zip(*f.space.room.polygon, strict=True)
    turn = 0 if max(across) - min(across) >= max(along) - min(along) else 1
    look = f.look("rug")
    look = look._replace(size=(round(width, 2), round(depth, 2), look.size[2]))
    f.put("rug", look, open_spots(f.space, (turn,)))


def _length(f: Furnisher) -> float:
    return max((wall.length for wall in f.space.walls), default=0.0)


def along_hallway(f: Furnisher) -> None:
    """Put narrow things along the walls, more of them in a long hallway."""
    for _ in range(1 + min(int(_length(f) / 3.5), 4)):
        _along(f, f.pick(_ALONG))


def hallway_runner(f: Furnisher) -> None:
    """Lay a rug along a hallway."""
    runner(f, min(_length(f) * 0.6, 3.2), 0.8)


def picture_row(f: Furnisher, count: int = 0) -> None:
    """Hang equal pictures next to each other; one to three if no number is given."""
    f.row_of_pictures(count or int(f.rng.integers(1, 4)))


def stair_pictures(f: Furnisher) -> None:
    """Hang pictures of one size along the flights of a stairwell, rising with the steps."""
    look = f.look("picture")
    width = round(float(f.rng.uniform(0.38, 0.5)), 2)
    look = look._replace(size=(width, look.size[1], round(width * 1.25, 2)))
    floor, ceiling = f.space.floor.elevation, f.space.ceiling
    for step in f.space.steps:
        centre = step.z1 + 1.3
        if not floor + 0.9 < centre < ceiling - 0.35:
            continue
        for wall in f.space.walls:
            along = step.centre[0] if wall.turns % 2 == 0 else step.centre[1]
            if wall.low + width / 2 < along < wall.high - width / 2 and _beside(wall, step):
                hang_at(f, wall, along, centre - floor, "picture", look)


def _beside(wall: Wall, step: Box) -> bool:
    """Return whether a step reaches a wall with one of its sides."""
    low, high = (step.y0, step.y1) if wall.turns % 2 == 0 else (step.x0, step.x1)
    return min(abs(low - wall.line), abs(high - wall.line)) < 0.3


PROCEDURES = (console, along_hallway, hallway_runner, picture_row, runner, stair_pictures)
