"""Toilets, basins, tubs, showers, towels."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.placements import local_spot
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.plan.plan import PlanItem


def toilet_bowl(f: Furnisher) -> None:
    """Put a toilet, a small one if there is no room for another."""
    look = f.look("toilet")
    small = look._replace(size=(0.36, 0.6, 0.76))
    if f.insist(lambda: f.against("toilet", f.far(0.4), look=look, clear=Clear(0.5, 0.1, 0.1))) is None:
        f.insist(lambda: f.against("toilet", f.far(0.4), look=small, clear=Clear(0.4)))


def tub_or_shower(f: Furnisher) -> None:
    """Put a bathtub, a shower, or both into a large room."""
    tub = f.area > 4.5 and f.rng.random() < 0.65
    if tub:
        tub = f.against("bathtub", f.ends()) is not None
    if not tub or (f.area > 9 and f.chance(0.7)):
        _shower(f)


def _shower(f: Furnisher) -> None:
    for _ in range(2):
        if f.corner("shower"):
            return
    f.corner("shower", look=f.look("shower", size=(0.85, 0.85, 2.05)))


def basin(f: Furnisher) -> PlanItem | None:
    """Put a bathroom sink with a mirror over it; a second one in a room is like the first and next to it."""
    first = f.first("bathroom sink")
    if first is None:
        sink = f.against("bathroom sink", f.far(0.3))
        if sink is None:
            small = f.look("bathroom sink", size=(0.42, 0.34, 1.0))
            sink = f.against("bathroom sink", look=small, clear=Clear(0.2))
    else:
        sink = f.against("bathroom sink", f.near(first.position[:2]), look=f.look("", like=first))
    if sink is not None:
        twin = f.first("mirror")
        look = f.look("mirror", like=twin)
        look = look._replace(size=(min(look.size[0], sink.size[0]), 0.04, 0.7))
        f.above(sink, "mirror", look=look, low=1.2)
    return sink


def needed_basin(f: Furnisher) -> None:
    """Put a bathroom sink, which a bathroom cannot do without."""
    f.insist(basin, f)


def towels(f: Furnisher, count: int = 1, another: float = 0.0) -> None:
    """Hang towels, with some chance one more; they are equal, or differ in colour alone."""
    count += int(bool(another) and f.chance(another))
    first = f.hang("towel", centre=1.2)
    for _ in range(count - 1):
        if first is not None:
            look = f.look("towel", like=first)
            if f.rng.random() < 0.4:
                look = look._replace(colour=f.other_colour(first))
            f.hang("towel", look=look, centre=1.2, score=f.near(first.position[:2]))


def bath_mat(f: Furnisher) -> None:
    """Lay a mat before the tub, the shower or the basin."""
    base = f.first("bathtub", "shower", "bathroom sink")
    if base is not None:
        look = f.look("bath mat")
        spot = local_spot(base, 0.0, -(base.size[1] + look.size[1]) / 2 - 0.08, z=f.space.floor.elevation)
        f.put("bath mat", look, [spot])


def paper_roll(f: Furnisher) -> None:
    """Hang a roll of toilet paper on the wall near the toilet."""
    bowl = f.first("toilet")
    if bowl is not None:
        f.hang("toilet paper", centre=0.72, score=f.near(bowl.position[:2]))


PROCEDURES = (toilet_bowl, tub_or_shower, basin, needed_basin, towels, bath_mat, paper_roll)
