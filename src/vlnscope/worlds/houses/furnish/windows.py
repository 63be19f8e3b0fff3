"""What belongs to windows: curtains or blinds before them, radiators below."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.furnish.arrangements import HUNG, Furnisher, over_point
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.placements import Placement, wall_spots
from vlnscope.worlds.houses.furnish.room import Zone
from vlnscope.worlds.houses.plan.plan import XYZ

_LOWEST_SILL = 0.72
_RADIATOR_UP = 0.11


def dress_windows(f: Furnisher, drapes: float, heating: float = 0.45) -> None:
    """Put radiators below windows and, with some chance, curtains or blinds before all of them."""
    if not f.space.windows:
        return
    if f.chance(heating):
        _radiators(f)
    if f.chance(drapes):
        if f.rng.random() < 0.68:
            curtains(f)
        else:
            _blinds(f)


def curtains(f: Furnisher) -> None:
    """Hang equal curtains at the windows: to the floor where nothing stands there, else to the sill."""
    drawn = f.look("curtain")
    floor = f.space.floor.elevation
    for zone in f.space.windows:
        tall = min(zone.box.z1 + 0.3, f.space.ceiling - 0.22) - floor
        for low in (0.03, max(zone.box.z0 - floor - 0.15, 0.03)):
            if _curtain(f, zone, drawn, low, tall):
                break


def _curtain(f: Furnisher, zone: Zone, drawn: Appearance, low: float, tall: float) -> bool:
    """Hang one curtain from `tall` to `low` above the floor, as wide as there is room for."""
    for extra in (0.4, 0.2, 0.06):
        size = (round(_width(zone) + extra, 2), drawn.size[1], round(tall - low, 2))
        if f.put("curtain", drawn._replace(size=size), _before(f, zone, size, low), mounted=True):
            return True
    return False


def _blinds(f: Furnisher) -> None:
    """Let equal blinds down over the upper part of the windows."""
    drawn = f.look("blinds")
    share = float(f.rng.uniform(0.25, 0.5))
    for zone in f.space.windows:
        tall = round((zone.box.z1 - zone.box.z0) * share + 0.08, 2)
        for extra in (0.12, 0.04):
            size = (round(_width(zone) + extra, 2), drawn.size[1], tall)
            low = zone.box.z1 + 0.08 - tall - f.space.floor.elevation
            if f.put("blinds", drawn._replace(size=size), _before(f, zone, size, low), mounted=True):
                break


def _radiators(f: Furnisher) -> None:
    """Hang equal radiators below the windows whose sills leave room for them."""
    drawn = f.look("radiator")
    for zone in f.space.windows:
        sill = zone.box.z0 - f.space.floor.elevation
        if sill < _LOWEST_SILL:
            continue
        width = round(min(drawn.size[0], _width(zone)), 2)
        tall = round(min(drawn.size[2], sill - _RADIATOR_UP - 0.06), 2)
        size = (width, drawn.size[1], tall)
        spots = _before(f, zone, size, _RADIATOR_UP)
        f.put("radiator", drawn._replace(size=size), spots, mounted=True)


def _width(zone: Zone) -> float:
    return max(zone.box.x1 - zone.box.x0, zone.box.y1 - zone.box.y0)


def _before(f: Furnisher, zone: Zone, size: XYZ, low: float) -> list[Placement]:
    """Return the spot on the wall of a window, centred on it, `low` metres above the floor."""
    box = zone.box
    wide = box.x1 - box.x0 > box.y1 - box.y0
    spots = wall_spots(f.space, size, f.near(box.centre), off=HUNG, z=low)
    spots = [over_point(s, *box.centre) for s in spots if (s.turns % 2 == 0) == wide]
    return [s for s in spots if math.dist((s.x, s.y), box.centre) < 0.3][:1]
