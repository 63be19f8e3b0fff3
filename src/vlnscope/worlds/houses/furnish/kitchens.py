"""Runs of kitchen units along a wall, an island with stools; washing machines."""

from __future__ import annotations

from vlnscope.worlds.houses.furnish.arrangements import HUNG, Furnisher
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.placements import GAP, Placement, local_spot
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.furnish.stretches import WallStretch, floor_stretches
from vlnscope.worlds.houses.plan.plan import PlanItem

_GROUP = "kitchen"
_DEPTH = 0.62
_FRONT = Clear(0.75)
_WORKTOPS = (
    ("toaster", "knife block", "pot", "cup", "plant"),
    ("coffee machine", "knife block", "fruit bowl", "bottle", "books"),
    ("toaster", "coffee machine", "bowl", "pot", "vase"),
    ("knife block", "bottle", "plate", "pot", "plant"),
)
"""What stands on kitchen counters besides a microwave and a kettle, of which a kitchen has one set."""


def kitchen_units(f: Furnisher) -> None:
    """Put one or two runs of units, a refrigerator, wall cabinets and perhaps an island."""
    counter = f.look("kitchen counter")
    run = f.insist(lambda: _main_run(f, counter) or None) or _single_units(f, counter)
    if f.first("refrigerator") is None:
        f.insist(_refrigerator, f)
    if run and f.area > 9:
        _second_run(f, counter)
    _range_hood(f)
    _wall_cabinets(f, counter)
    _worktop_things(f)
    if f.area > 12 and f.chance(0.4):
        f.against("oven", f.ends(), clear=Clear(0.6), group=_GROUP)
    if run and f.area > 14 and f.chance(0.75):
        _island(f, run, counter)


def bar_units(f: Furnisher) -> None:
    """Put a counter with stools, and shelves and a refrigerator behind it."""
    counter = f.look("kitchen counter")
    run = _main_run(f, counter)
    _wall_cabinets(f, counter)
    if run:
        _island(f, run, counter)
    else:
        f.against("refrigerator", f.ends())
        f.against("cabinet", f.far())


def _refrigerator(f: Furnisher) -> PlanItem | None:
    look = f.look("refrigerator")
    small = look._replace(size=(0.6, 0.62, 1.6))
    item = f.against("refrigerator", f.ends(), look=look, clear=Clear(0.6), group=_GROUP)
    return item or f.against("refrigerator", f.ends(), look=small, clear=Clear(0.5), group=_GROUP)


def _main_run(f: Furnisher, counter: Appearance) -> list[PlanItem]:
    for stretch in floor_stretches(f, _GROUP, _DEPTH)[:3]:
        if stretch.length < 1.75:
            break
        for flip in (False, True) if f.rng.random() < 0.5 else (True, False):
            run = f.attempt(_fill_run, f, stretch, flip, counter)
            if run:
                return run
    return []


def _single_units(f: Furnisher, counter: Appearance) -> list[PlanItem]:
    """Put the units where each fits, in a kitchen with no wall for all of them."""
    short = counter._replace(size=(0.6, counter.size[1], counter.size[2]))
    looks = {"stove": f.look("stove"), "sink": f.look("sink"), "kitchen counter": short}
    for name, look in looks.items():
        f.insist(_single_unit, f, name, look)
    return []


def _single_unit(f: Furnisher, name: str, look: Appearance) -> PlanItem | None:
    return f.against(name, f.ends(), look=look, clear=Clear(0.5), group=_GROUP)


def _fill_run(f: Furnisher, stretch: WallStretch, flip: bool, counter: Appearance) -> list[PlanItem] | None:
    """Put units side by side from one end of a stretch: refrigerator, counters, stove, sink, dishwasher."""
    units = ["stove", "sink"]
    if stretch.length > 2.7:
        units.append("dishwasher")
    if stretch.length > 3.4:
        units.insert(0, "refrigerator")
    looks = {name: f.look(name) for name in units}
    spare = min(stretch.length, 5.2) - sum(looks[name].size[0] for name in units) - 0.01 * len(units)
    if spare < 0.35:
        return None
    pieces = max(round(spare / 0.9), 1) if spare < 1.8 else max(round(spare / 1.1), 2)
    width = round(spare / pieces - 0.012, 2)
    order = _mix(units, pieces)
    items: list[PlanItem] = []
    at = 0.0
    for name in order:
        look = looks.get(name) or counter._replace(size=(width, counter.size[1], counter.size[2]))
        item = _unit(f, stretch, at, flip, name, look)
        if item is None and name in ("sink", "stove"):
            return None
        if item is not None:
            items.append(item)
        at += look.size[0] + 0.01
    return items


def _mix(units: list[str], pieces: int) -> list[str]:
    """Return the order of units: counters on both sides of the stove and at the far end."""
    counters = ["kitchen counter"] * pieces
    if pieces == 1:
        at = units.index("sink")
        return [*units[:at], counters[0], *units[at:]]
    order = [u for u in units if u == "refrigerator"]
    order += [counters.pop(), "stove", counters.pop()]
    order += [u for u in units if u in ("sink", "dishwasher")]
    return order + counters


def _unit(
    f: Furnisher, stretch: WallStretch, at: float, flip: bool, name: str, look: Appearance
) -> PlanItem | None:
    middle = at + look.size[0] / 2
    along = stretch.high - middle if flip else stretch.low + middle
    x, y = stretch.wall.point(along, GAP + look.size[1] / 2)
    spot = Placement(x, y, f.space.floor.elevation, stretch.wall.turns)
    return f.put(name, look, [spot], clear=_FRONT, group=_GROUP)


def _second_run(f: Furnisher, counter: Appearance) -> None:
    for stretch in floor_stretches(f, _GROUP, _DEPTH)[:2]:
        if stretch.length < 0.9:
            return
        count = int(f.rng.integers(1, 3))
        width = round(min(stretch.length / count - 0.02, 1.4), 2)
        look = counter._replace(size=(width, counter.size[1], counter.size[2]))
        units = [_unit(f, stretch, k * (width + 0.01), False, "kitchen counter", look) for k in range(count)]
        if any(units):
            return


def _wall_cabinets(f: Furnisher, counter: Appearance) -> None:
    for base in f.items:
        if base.name in ("kitchen counter", "dishwasher", "sink") and f.chance(0.9):
            size = (round(base.size[0] - 0.01, 2), 0.36, 0.7)
            low = f.space.floor.elevation + 1.45
            back = base.size[1] / 2 + GAP - HUNG - size[1] / 2
            spot = local_spot(base, 0.0, back, z=low)
            look = counter._replace(size=size, material="wood")
            f.put("cabinet", look, [spot], mounted=True, group=_GROUP)


def _range_hood(f: Furnisher) -> None:
    """Hang a hood over the stove."""
    stove = f.first("stove")
    if stove is None or not f.chance(0.85):
        return
    look = f.look("range hood")
    size = (round(stove.size[0] - 0.01, 2), look.size[1], 0.6)
    back = stove.size[1] / 2 + GAP - HUNG - size[1] / 2
    spot = local_spot(stove, 0.0, back, z=f.space.floor.elevation + 1.6)
    f.put("range hood", look._replace(size=size), [spot], mounted=True, group=_GROUP)


def _worktop_things(f: Furnisher) -> None:
    tops = [i for i in f.items if i.name == "kitchen counter"]
    wanted = ("microwave", "kettle", *f.pick(_WORKTOPS))
    for k, name in enumerate(wanted):
        if tops and (k < 2 or f.chance(0.6)):
            f.small_things(f.pick(tops), (name,), 1)


def _island(f: Furnisher, run: list[PlanItem], counter: Appearance) -> None:
    base = run[len(run) // 2]
    look = f.look("kitchen island", material=counter.material, colour=counter.colour)
    for width in (look.size[0], 1.4):
        size = (width, look.size[1], look.size[2])
        spots = []
        for gap in (1.1, 1.0, 1.3):
            reach = base.size[1] / 2 + gap + size[1] / 2
            spots += [
                local_spot(base, dx, -reach, 2)._replace(score=-abs(dx)) for dx in (0.0, -0.4, 0.4, -0.8, 0.8)
            ]
        clear = Clear(0.85, 0.6, 0.6, 0.6)
        island = f.put("kitchen island", look._replace(size=size), spots, clear=clear, group=_GROUP)
        if island is not None:
            _stools(f, island)
            f.small_things(island, ("fruit bowl", "vase", "plant", "bottle", "laptop", "cup"), 2)
            if f.chance(0.5):
                f.ceiling_lamp(island)
            return


def _stools(f: Furnisher, island: PlanItem) -> None:
    name = f.pick(("bar stool", "bar stool", "stool"))
    look = f.look(name)
    count = max(int(island.size[0] / 0.6), 2)
    reach = island.size[1] / 2 + 0.03 + look.size[1] / 2
    for k in range(count):
        dx = island.size[0] * ((k + 0.5) / count - 0.5)
        f.put(name, look, [local_spot(island, dx, reach, 0)], group=_GROUP)


def washer_and_dryer(f: Furnisher) -> None:
    """Put a washing machine, a dryer that looks like it next to it, and a cabinet above."""
    washer = f.against("washing machine", f.ends(), clear=Clear(0.6), group="wash")
    if washer is not None:
        look = f.look("dryer")._replace(size=washer.size, colour=washer.colour)
        f.against("dryer", f.near(washer.position[:2]), look=look, clear=Clear(0.6), group="wash")
        f.above(washer, "cabinet", look=f.look("cabinet", size=(0.9, 0.35, 0.6)), low=1.45)


PROCEDURES = (kitchen_units, bar_units, washer_and_dryer)
