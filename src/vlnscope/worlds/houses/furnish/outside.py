"""Deck chairs, parasols, cars, and what people train with."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.placements import open_spots
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.plan.plan import PlanItem


def _treadmill(f: Furnisher, look: Appearance) -> PlanItem | None:
    return f.put_open("treadmill", look, Clear(0.3), turns=(0, 1, 2, 3))


def treadmills(f: Furnisher) -> None:
    """Put equal treadmills into a gym, as many as its size allows."""
    look = f.look("treadmill")
    for _ in range(1 + int(f.area > 12) + int(f.area > 20)):
        f.against("treadmill", f.near(f.space.room.polygon[0]), look=look, clear=Clear(0.4))
    if not f.items:
        f.insist(_treadmill, f, look)


def cars(f: Furnisher) -> None:
    """Put a car into a garage, and one of another colour into a large one."""
    look = f.look("car")
    small = look._replace(size=(1.7, 3.8, 1.45))
    ways = (0, 1, 2, 3)
    car = f.insist(lambda: f.put_open("car", look, turns=ways) or f.put_open("car", small, turns=ways))
    if f.area > 30 and car is not None:
        f.put_open("car", look._replace(colour=f.other_colour(car)), turns=(int(car.yaw // 90),))


def shade(f: Furnisher) -> None:
    """Put a parasol into the open, in a yard or on a terrace."""
    f.put_open("parasol", f.look("parasol"))


def fountain(f: Furnisher) -> None:
    """Put a fountain into the middle of a yard."""
    f.put_open("fountain", f.look("fountain"), Clear(0.5, 0.5, 0.5, 0.5))


def punching_bag(f: Furnisher) -> None:
    """Hang a punching bag where there is room around it."""
    look = f.look("punching bag")
    spots = [s._replace(z=f.space.ceiling - look.size[2]) for s in open_spots(f.space, (0,))]
    f.put("punching bag", look, spots, clear=Clear(0.3, 0.3, 0.3, 0.3), mounted=True)


def mat(f: Furnisher) -> None:
    """Unroll a yoga mat."""
    f.put("yoga mat", f.look("yoga mat"), open_spots(f.space, (0, 1)))


def balcony_seats(f: Furnisher) -> None:
    """Put deck chairs onto a balcony, or chairs if it has room for nothing else."""
    if f.chance(0.6) or not f.items:
        deck_chairs(f, (7,))
    if not f.items:
        first = f.against("chair", f.ends())
        if first is not None:
            f.against("chair", f.near(first.position[:2]), look=f.look("", like=first))


def deck_chairs(f: Furnisher, over: Sequence[float]) -> None:
    """Put a deck chair, and another one for each of some areas that the room exceeds."""
    first: PlanItem | None = None
    for _ in range(1 + sum(f.area > area for area in over)):
        look = f.look("deck chair", like=first)
        if first is not None and f.rng.random() < 0.3:
            look = look._replace(colour=f.other_colour(first))
        score = f.near(first.position[:2]) if first is not None else f.far()
        chair = f.against("deck chair", score, look=look, clear=Clear(0.1))
        if chair is not None and first is None and f.chance(0.5):
            f.beside(chair, "side table", f.pick((-1, 1)), gap=0.06)
        first = chair or first


PROCEDURES = (balcony_seats, cars, deck_chairs, fountain, mat, punching_bag, shade, treadmills)
