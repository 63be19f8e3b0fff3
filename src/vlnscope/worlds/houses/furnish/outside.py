"""Porches, balconies, garages and gyms."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import (
    against,
    beside,
    corner,
    ends,
    far,
    finish,
    hang,
    near,
)
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.circulation import runner
from vlnscope.worlds.houses.furnish.dining import dining_set
from vlnscope.worlds.houses.furnish.placer import Clear, Filler
from vlnscope.worlds.houses.plan.plan import PlanItem


def gym(f: Filler) -> None:
    """Furnish a gym."""
    look = f.look("treadmill")
    for _ in range(1 + int(f.area > 12) + int(f.area > 20)):
        against(f, "treadmill", near(f, f.space.room.polygon[0]), look=look, clear=Clear(0.4))
    if not f.items:
        f.insist(_treadmill, f, look)
    against(f, "bench", far(f, 0.3))
    ball = corner(f, "exercise ball")
    if ball is not None:
        corner(f, "exercise ball", look=f.look("", like=ball)._replace(colour=f.other_colour(ball)))
    hang(f, "mirror", look=f.look("mirror", size=(1.0, 0.04, 1.6)), centre=1.15)
    if f.chance(0.6):
        hang(f, "tv", look=f.look("tv", size=(1.1, 0.08, 0.65)), centre=1.6)
    if f.chance(0.5):
        runner(f, 1.8, 0.8)
    for name, share in (("basket", 0.5), ("bicycle", 0.4)):
        if f.chance(share):
            against(f, name, ends(f))
    hang(f, "towel", centre=1.2)
    finish(f, plants=0.3, art=1, lamp=0.0, drapes=0.3)


def _treadmill(f: Filler, look: Appearance) -> PlanItem | None:
    return f.put_open("treadmill", look, Clear(0.3), turns=(0, 1, 2, 3))


def garage(f: Filler) -> None:
    """Furnish a garage."""
    look = f.look("car")
    small = look._replace(size=(1.7, 3.8, 1.45))
    ways = (0, 1, 2, 3)
    car = f.insist(lambda: f.put_open("car", look, turns=ways) or f.put_open("car", small, turns=ways))
    if f.area > 30 and car is not None:
        f.put_open("car", look._replace(colour=f.other_colour(car)), turns=(int(car.yaw // 90),))
    bicycle = against(f, "bicycle", ends(f)) if f.chance(0.8) else None
    if bicycle is not None and f.chance(0.5):
        twin = f.look("bicycle", like=bicycle, colour=f.other_colour(bicycle))
        against(f, "bicycle", near(f, bicycle.position[:2]), look=twin)
    bench = against(f, "bench", ends(f))
    if bench is not None:
        f.put_on(bench, "toolbox")
    against(f, "toolbox", ends(f))
    if f.chance(0.6):
        against(f, "cabinet", ends(f), look=f.look("cabinet", material="metal"))
    for name, share in (("water heater", 0.4), ("trash can", 0.5), ("basket", 0.2)):
        if f.chance(share):
            corner(f, name)


def porch(f: Filler) -> None:
    """Furnish a porch, terrace or garden."""
    if f.area > 14 and f.chance(0.45):
        dining_set(f, (6, 4, 2))
    _deck_chairs(f, 1 + int(f.area > 8) + int(f.area > 20))
    if f.area > 9 and f.chance(0.5):
        against(f, "barbecue", ends(f))
    if f.chance(0.4):
        against(f, "bench", far(f, 0.2))
    bush = f.look("bush")
    for _ in range(int(f.rng.integers(1, 4)) + int(f.area > 20) * 2):
        corner(f, "bush", look=bush if f.rng.random() < 0.5 else None)
    plant = f.look("plant")
    for _ in range(int(f.rng.integers(0, 3))):
        against(f, "plant", ends(f), look=plant)
    if f.chance(0.12):
        against(f, "bicycle", ends(f))
    if f.chance(0.1):
        corner(f, "statue")


def _deck_chairs(f: Filler, count: int) -> None:
    first: PlanItem | None = None
    for _ in range(count):
        look = f.look("deck chair", like=first)
        if first is not None and f.rng.random() < 0.3:
            look = look._replace(colour=f.other_colour(first))
        score = near(f, first.position[:2]) if first is not None else far(f)
        made = against(f, "deck chair", score, look=look, clear=Clear(0.1))
        if made is not None and first is None and f.chance(0.5):
            beside(f, made, "side table", f.pick((-1, 1)), gap=0.06)
        first = made or first


def balcony(f: Filler) -> None:
    """Furnish a balcony."""
    if f.area > 5 and f.chance(0.6):
        dining_set(f, (2,))
    if f.chance(0.6) or not f.items:
        _deck_chairs(f, 1 + int(f.area > 7))
    if not f.items:
        first = against(f, "chair", ends(f))
        if first is not None:
            against(f, "chair", near(f, first.position[:2]), look=f.look("", like=first))
    plant = f.look("plant")
    for _ in range(int(f.rng.integers(1, 4))):
        corner(f, "plant", look=plant if f.rng.random() < 0.5 else None)
    if f.chance(0.3):
        corner(f, "bush", look=f.look("bush", size=(0.5, 0.5, 0.6)))
