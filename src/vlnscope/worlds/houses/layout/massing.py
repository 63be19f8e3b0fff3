"""The shape of a house before it has rooms: floors, corridors, rows, wing, stairwell, open-plan zone.

Drawn facing south: the main block lies along x, a corridor between a row of rooms in the south and one in
the north; an open-plan zone takes its west end on the ground floor; a wing with a corridor of its own may
stand across its east end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vlnscope.worlds.houses.layout.building_kinds import EAST, BuildingKind
from vlnscope.worlds.houses.layout.draft import Frame, snap
from vlnscope.worlds.houses.layout.programme import AREA_PER_VIEW
from vlnscope.worlds.houses.layout.stairs import MIN_DEPTH, StairKind, well_length
from vlnscope.worlds.houses.plan.plan import Floor

SLAB = 0.3
"""Thickness of the floor between two storeys."""

_LOFT = 0.54
"""Share of the length of a loft that its open plan takes."""
_LEAST_BAY = 1.9
_USUAL_BAY = 3.2


@dataclass(frozen=True)
class Wing:
    """A block across the east end of the main one.

    Attributes:
        hall: width of its corridor.
        east: depth of the row east of its corridor.
        west: depth of the rows west of it, beyond the main block.
        south, north: how far it reaches beyond the main block.
        floors: how many floors it has.
    """

    hall: float
    east: float
    west: float
    south: float
    north: float
    floors: int


@dataclass(frozen=True)
class Massing:
    """Measures of a house; see the module.

    Attributes:
        building: its kind.
        floors: its storeys.
        length: of the main block.
        south, hall, north: depths of the southern row, the corridor and the northern row.
        zone: length of the open-plan zone on the ground floor.
        well: where the stairwell begins along the northern row, its length and kind; None on one floor.
        entry: where the entry begins along the southern row and its width.
        wing: a block across the east end.
        bulge: how far the zone stands out beyond the southern and the northern facade.
        steps: where the southern and the northern facade step, and by how much they then stand out.
        end: length of the end rooms at the head of the upper corridors (0: the corridor reaches the facade).
    """

    building: BuildingKind
    floors: tuple[Floor, ...]
    length: float
    south: float
    hall: float
    north: float
    zone: float
    well: tuple[float, float, StairKind] | None
    entry: tuple[float, float]
    wing: Wing | None
    bulge: tuple[float, float]
    steps: tuple[tuple[float, float], tuple[float, float]]
    end: float

    @property
    def depth(self) -> float:
        """Depth of the main block."""
        return round(self.south + self.hall + self.north, 2)

    def south_row(self) -> Frame:
        """Frame of the southern row: u east along the corridor, v south."""
        return Frame((0.0, self.south), (1.0, 0.0), (0.0, -1.0))

    def north_row(self) -> Frame:
        """Frame of the northern row: u east along the corridor, v north."""
        return Frame((0.0, round(self.south + self.hall, 2)), (1.0, 0.0), (0.0, 1.0))


def make_massing(
    rng: np.random.Generator, building: BuildingKind, views: float, public_area: float
) -> Massing:
    """Draw the shape of a building for a number of viewpoints and the area of its public rooms."""
    floors = _floors(rng, building)
    storeys = building.floors - (_LOFT if building.void == "zone" else 0.0)
    area = views * AREA_PER_VIEW * 0.9 / storeys
    south, hall, north = _depths(rng, building, area)
    depth = south + hall + north
    longest = _longest(rng, building)
    length = area / depth
    wing = None
    if length > longest and not building.blind:
        length, wing = _make_wing(rng, building, area, depth, longest)
    length = snap(max(length, 6.9 if building.name == "townhouse" else 9.0))
    bulge = _bulges(rng, building, wing)
    zone = _zone(building, length, depth + sum(bulge), public_area)
    west = wing.west if wing else 0.0
    north_end = round(length - (west if wing and wing.north else 0.0), 2)
    south_end = round(length - (west if wing and wing.south else 0.0), 2)
    well = _place_well(rng, north_end, zone, floors, area)
    entry = _place_entry(rng, building, south_end, zone, area)
    end = snap(rng.uniform(4.0, 5.0)) if _has_end(rng, building, length) else 0.0
    plain = building.name == "townhouse" or building.rows
    flat = ((south_end, 0.0), (north_end, 0.0))
    steps = (
        _step(rng, round(entry[0] + entry[1], 2), south_end, south),
        _step(rng, round(well[0] + well[1], 2) if well else zone, north_end, north),
    )
    return Massing(
        building,
        floors,
        length,
        south,
        hall,
        north,
        zone,
        well,
        entry,
        wing,
        bulge,
        flat if plain else (flat[0], steps[1]) if building.shape == "u" else steps,
        min(end, zone),
    )


def _floors(rng: np.random.Generator, building: BuildingKind) -> tuple[Floor, ...]:
    height = round(float(rng.choice([2.5, 2.6, 2.7, 2.8])), 2)
    rise = height + SLAB
    floors = [Floor(level=i, elevation=round(i * rise, 2), height=height) for i in range(building.floors)]
    if building.attic:
        top = floors[-1]
        floors[-1] = Floor(level=top.level, elevation=top.elevation, height=2.85, eaves=2.15)
    return tuple(floors)


def _depths(rng: np.random.Generator, building: BuildingKind, area: float) -> tuple[float, float, float]:
    """Draw the depths of the southern row, the corridor and the northern row."""
    slim = area < 130 or building.rows or building.name == "townhouse"
    south = snap(rng.uniform(4.2, 4.7) if slim else rng.uniform(4.7, 6.0))
    north = snap(rng.uniform(MIN_DEPTH, 4.7) if slim else rng.uniform(4.7, 6.0))
    hall = snap(rng.uniform(1.3, 1.6) if slim else rng.uniform(1.5, 2.1))
    return south, hall, north


def _longest(rng: np.random.Generator, building: BuildingKind) -> float:
    """Draw how long the main block may become before it gets a wing."""
    if building.rows:
        return 30.0
    low, high = {"bar": (17.0, 21.0), "wing": (12.0, 17.0), "u": (12.5, 16.0)}[building.shape]
    return snap(rng.uniform(low, high))


def _zone(building: BuildingKind, length: float, depth: float, public_area: float) -> float:
    """Return the length of the open-plan zone."""
    if building.void == "zone":
        return snap(_LOFT * length)
    most = length - 2.4 if building.name == "townhouse" else 0.55 * length
    return snap(min(max(public_area / depth, 4.4), most, 9.5))


def _has_end(rng: np.random.Generator, building: BuildingKind, length: float) -> bool:
    wanted = length > 14 and rng.random() < 0.45
    return bool(wanted and not building.void and not building.rows)


def _bulges(rng: np.random.Generator, building: BuildingKind, wing: Wing | None) -> tuple[float, float]:
    """Draw how far the zone stands out in the south and in the north; far, where it is an arm of a U."""
    south, north = _bulge(rng), _bulge(rng)
    if building.name in ("townhouse", "apartment") or building.void == "zone":
        return (0.0, 0.0)
    if building.shape == "u" and wing and wing.south > 3:
        south = snap(min(wing.south, 5.5) * float(rng.uniform(0.7, 1.0)))
    return (min(south, 0.6) if building.void else south, north)


def _bulge(rng: np.random.Generator) -> float:
    return snap(rng.uniform(0.6, 1.8)) if rng.random() < 0.3 else 0.0


def _step(rng: np.random.Generator, start: float, end: float, depth: float) -> tuple[float, float]:
    """Draw a step of a facade: where, and how far it stands out from there on (negative: back)."""
    if end - start < _USUAL_BAY + 1 or rng.random() < 0.4:
        return (end, 0.0)
    step = snap(rng.uniform(0.5, 1.2)) * (1 if depth < 5.2 else -1)
    return (start, round(step, 2))


def _make_wing(
    rng: np.random.Generator, building: BuildingKind, area: float, depth: float, longest: float
) -> tuple[float, Wing]:
    hall, east = snap(rng.uniform(1.6, 2.2)), snap(rng.uniform(4.6, 5.8))
    length = min(longest, (area - (hall + east) * (depth + 3)) / depth)
    rest = area - length * depth - (hall + east) * depth
    west = 0.0
    if rest / (hall + east) > 8:
        west = snap(rng.uniform(4.5, 5.4))
    reach = max(rest / (hall + east + west), 0.0)
    share = float(rng.choice([1.0, 1.0, 0.5])) if reach < 9 else 0.5
    if building.shape == "u":
        share = 1.0 if reach < 11 else 0.7
    south, north = snap(reach * share), snap(reach * (1 - share))
    floors = building.floors if rng.random() < 0.6 else 1
    return length, Wing(hall, east, west, south, north, floors)


def _place_well(
    rng: np.random.Generator, end: float, zone: float, floors: tuple[Floor, ...], area: float
) -> tuple[float, float, StairKind] | None:
    if len(floors) == 1:
        return None
    rise = floors[1].elevation - floors[0].elevation
    room = end - zone
    kinds: list[StairKind] = ["u", "u", "u", "u"]
    if room >= well_length("spiral", rise):
        kinds += ["spiral"]
    if room > 8 and area > 140:
        kinds += ["l", "l", "l", "l"]
    if room > 10 and area > 180:
        kinds += ["straight", "straight"]
    kind = kinds[int(rng.integers(len(kinds)))]
    size = well_length(kind, rise)
    size = snap(size + (0.0 if kind == "spiral" else float(rng.uniform(0.0, 0.3))))
    free = room - size
    if free < _LEAST_BAY:
        return (zone, snap(room), kind)
    starts = [zone, snap(end - size)]
    if free > 2 * _USUAL_BAY:
        starts.append(snap(zone + rng.uniform(_USUAL_BAY, free - _USUAL_BAY)))
    return (starts[int(rng.integers(len(starts)))], size, kind)


def _place_entry(
    rng: np.random.Generator, building: BuildingKind, end: float, zone: float, area: float
) -> tuple[float, float]:
    width = snap(rng.uniform(2.2, 2.8) if area < 150 else rng.uniform(2.6, 3.6))
    room = end - zone
    if room - width < _LEAST_BAY:
        return (zone, snap(room))
    if building.front == EAST:
        return (snap(end - width), width)
    if room - width > 2 * _USUAL_BAY and rng.random() < 0.5 and not building.rows:
        return (snap(zone + rng.uniform(_USUAL_BAY, room - width - _USUAL_BAY)), width)
    return (zone, width)
