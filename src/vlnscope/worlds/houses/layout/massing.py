"""The shape of a house before it has rooms: floors, corridors, rows, wing, stairwell, open-plan zone.

Drawn facing south: the main block lies along x, a corridor between a row of rooms in the south and one in
the north; an open-plan zone takes its west end on the ground floor; a wing with a corridor of its own may
stand across its east end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vlnscope.worlds.houses.layout.draft import Frame, snap
from vlnscope.worlds.houses.layout.programme import AREA_PER_VIEW
from vlnscope.worlds.houses.layout.stairs import MIN_DEPTH, StairKind, well_length
from vlnscope.worlds.houses.plan.plan import Floor

SLAB = 0.3
"""Thickness of the floor between two storeys."""

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


def make_massing(rng: np.random.Generator, views: float, floor_count: int, public_area: float) -> Massing:
    """Draw the shape of a house for a number of viewpoints, floors, and area of its public rooms."""
    height = round(float(rng.choice([2.5, 2.6, 2.7, 2.8])), 2)
    rise = height + SLAB
    floors = tuple(Floor(level=i, elevation=round(i * rise, 2), height=height) for i in range(floor_count))
    area = views * AREA_PER_VIEW * 0.9 / floor_count
    slim = area < 130
    south = snap(rng.uniform(4.2, 4.7) if slim else rng.uniform(4.7, 6.0))
    north = snap(rng.uniform(MIN_DEPTH, 4.7) if slim else rng.uniform(4.7, 6.0))
    hall = snap(rng.uniform(1.4, 1.7) if slim else rng.uniform(1.6, 2.3))
    depth = south + hall + north
    longest = snap(rng.uniform(14.0, 20.0))
    length = area / depth
    wing = None
    if length > longest:
        length, wing = _make_wing(rng, area, depth, longest, floor_count)
    length = snap(max(length, 9.0))
    zone = snap(min(max(public_area / depth, 4.4), 0.55 * length, 9.5))
    west = wing.west if wing else 0.0
    north_end = round(length - (west if wing and wing.north else 0.0), 2)
    south_end = round(length - (west if wing and wing.south else 0.0), 2)
    well = _place_well(rng, north_end, zone, rise, floor_count, area)
    entry = _place_entry(rng, south_end, zone, area)
    end = snap(rng.uniform(4.0, 5.0)) if length > 14 and rng.random() < 0.45 else 0.0
    steps = (
        _step(rng, round(entry[0] + entry[1], 2), south_end, south),
        _step(rng, round(well[0] + well[1], 2) if well else zone, north_end, north),
    )
    bulge = (_bulge(rng), _bulge(rng))
    return Massing(floors, length, south, hall, north, zone, well, entry, wing, bulge, steps, min(end, zone))


def _bulge(rng: np.random.Generator) -> float:
    return snap(rng.uniform(0.6, 1.8)) if rng.random() < 0.3 else 0.0


def _step(rng: np.random.Generator, start: float, end: float, depth: float) -> tuple[float, float]:
    """Draw a step of a facade: where, and how far it stands out from there on (negative: back)."""
    if end - start < _USUAL_BAY + 1 or rng.random() < 0.4:
        return (end, 0.0)
    step = snap(rng.uniform(0.5, 1.2)) * (1 if depth < 5.2 else -1)
    return (start, round(step, 2))


def _make_wing(
    rng: np.random.Generator, area: float, depth: float, longest: float, floor_count: int
) -> tuple[float, Wing]:
    hall, east = snap(rng.uniform(1.6, 2.2)), snap(rng.uniform(4.6, 5.8))
    length = min(longest, (area - (hall + east) * (depth + 3)) / depth)
    rest = area - length * depth - (hall + east) * depth
    west = 0.0
    if rest / (hall + east) > 8:
        west = snap(rng.uniform(4.5, 5.4))
    reach = max(rest / (hall + east + west), 0.0)
    share = float(rng.choice([1.0, 1.0, 0.5])) if reach < 9 else 0.5
    south, north = snap(reach * share), snap(reach * (1 - share))
    floors = floor_count if rng.random() < 0.6 else 1
    return length, Wing(hall, east, west, south, north, floors)


def _place_well(
    rng: np.random.Generator, end: float, zone: float, rise: float, floor_count: int, area: float
) -> tuple[float, float, StairKind] | None:
    if floor_count == 1:
        return None
    room = end - zone
    kinds: list[StairKind] = ["u", "u"]
    if room > 8 and area > 140:
        kinds += ["l", "l"]
    if room > 10 and area > 180:
        kinds += ["straight"]
    kind = kinds[int(rng.integers(len(kinds)))]
    size = well_length(kind, rise)
    size = snap(size + float(rng.uniform(0.0, 0.3)))
    free = room - size
    if free < _LEAST_BAY:
        return (zone, snap(room), kind)
    starts = [zone, snap(end - size)]
    if free > 2 * _USUAL_BAY:
        starts.append(snap(zone + rng.uniform(_USUAL_BAY, free - _USUAL_BAY)))
    return (starts[int(rng.integers(len(starts)))], size, kind)


def _place_entry(rng: np.random.Generator, end: float, zone: float, area: float) -> tuple[float, float]:
    width = snap(rng.uniform(2.2, 2.8) if area < 150 else rng.uniform(2.6, 3.6))
    room = end - zone
    if room - width < _LEAST_BAY:
        return (zone, snap(room))
    if room - width > 2 * _USUAL_BAY and rng.random() < 0.5:
        return (snap(zone + rng.uniform(_USUAL_BAY, room - width - _USUAL_BAY)), width)
    return (zone, width)
