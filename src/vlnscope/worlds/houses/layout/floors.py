"""Floors: corridors, stairwell, entry, end suite and rows of rooms of each storey of a massing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from vlnscope.worlds.houses.layout.bays import Bay, corridor_width, fill_bay
from vlnscope.worlds.houses.layout.draft import (
    DraftRoom,
    DraftStair,
    Frame,
    HouseDraft,
    Link,
    Place,
    snap,
)
from vlnscope.worlds.houses.layout.galleries import add_galleries
from vlnscope.worlds.houses.layout.massing import Massing
from vlnscope.worlds.houses.layout.open_plan import build_zone
from vlnscope.worlds.houses.layout.programme import Programme
from vlnscope.worlds.houses.layout.stairs import spiral_runs, stair_runs
from vlnscope.worlds.houses.layout.walls import shared_walls
from vlnscope.worlds.houses.plan.plan import XY

_HOUSE = Frame((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
_LEAST_BAY = 1.7


def build_floors(
    rng: np.random.Generator, massing: Massing, programme: Programme, public: tuple[str, ...]
) -> HouseDraft:
    """Lay out all floors of a house, without openings and outdoor rooms."""
    draft = HouseDraft()
    wells: list[DraftRoom] = []
    for floor in range(len(massing.floors)):
        halls = _halls(rng, draft, massing, floor)
        if floor == 0:
            zone = build_zone(rng, draft, massing, programme, public)
            _open_zone(draft, zone, halls)
            facing = [_entry(rng, draft, massing, zone, halls)]
        else:
            facing = _end_suite(rng, draft, massing, floor, halls)
        if massing.well:
            wells.append(_well(draft, massing, floor, halls))
        for bay in _bays(massing, floor):
            facing += fill_bay(rng, draft, bay, programme)
        _face_halls(rng, draft, facing, halls, rows=massing.building.rows_on(floor))
        if floor == 1 and massing.building.void:
            add_galleries(draft, massing.floors[1])
    _flights(draft, massing, wells)
    return draft


def _halls(rng: np.random.Generator, draft: HouseDraft, massing: Massing, floor: int) -> list[DraftRoom]:
    start = _west_end(massing, floor)
    low, high = massing.south, round(massing.south + massing.hall, 2)
    cuts = [start, massing.length]
    if massing.length - start > 11 and not massing.building.rows_on(floor):
        cuts.insert(1, snap(start + (massing.length - start) * float(rng.uniform(0.4, 0.6))))
    boxes = [(x0, low, x1, high) for x0, x1 in pairwise(cuts)]
    boxes += _wing_halls(massing, floor)
    halls = [draft.add("h", floor, _HOUSE.box(*box)) for box in boxes]
    for i, a in enumerate(halls):
        for b in halls[i + 1 :]:
            for wall in shared_walls(a.polygon, b.polygon):
                draft.passage(a, b, snap(wall.high - wall.low - 0.42))
    return halls


def _west_end(massing: Massing, floor: int) -> float:
    """Return where the corridor of a floor begins: behind the open plan, its void, or the end suite."""
    below = floor == 1 and massing.building.void == "zone"
    return massing.zone if floor == 0 or below else massing.end


def _wing_halls(massing: Massing, floor: int) -> list[tuple[float, float, float, float]]:
    wing = massing.wing
    if wing is None or floor >= wing.floors:
        return []
    cuts = [-wing.south, round(massing.depth + wing.north, 2)]
    if wing.north > 4.5:
        cuts.insert(1, massing.depth)
    if wing.south > 4.5:
        cuts.insert(1, 0.0)
    west, east = massing.length, round(massing.length + wing.hall, 2)
    return [(west, y0, east, y1) for y0, y1 in pairwise(cuts)]


def _open_zone(draft: HouseDraft, zone: list[DraftRoom], halls: list[DraftRoom]) -> None:
    for space in zone:
        for wall in shared_walls(space.polygon, halls[0].polygon):
            if wall.high - wall.low > 1.1:
                draft.passage(space, halls[0], snap(wall.high - wall.low - 0.42))


def _entry(
    rng: np.random.Generator,
    draft: HouseDraft,
    massing: Massing,
    zone: list[DraftRoom],
    halls: list[DraftRoom],
) -> DraftRoom:
    start, width = massing.entry
    box = massing.south_row().box(start, 0.0, round(start + width, 2), massing.south)
    entry = draft.add("e", 0, box)
    draft.links.append(Link(entry.number, None, "door", 0.95, "middle", massing.building.front))
    hall = _nearest(entry, halls)
    if hall:
        draft.passage(entry, hall, snap(min(width - 0.5, float(rng.uniform(1.4, 2.4)))))
    beside = _nearest(entry, zone)
    if beside and rng.random() < 0.55:
        draft.passage(entry, beside, snap(rng.uniform(1.2, 2.0)))
    return entry


def _well(draft: HouseDraft, massing: Massing, floor: int, halls: list[DraftRoom]) -> DraftRoom:
    assert massing.well
    start, length, kind = massing.well
    well = draft.add("s", floor, massing.north_row().box(start, 0, round(start + length, 2), massing.north))
    front = round(massing.south + massing.hall, 2)
    hall = _nearest(well, [hall for hall in halls if _lies_along(hall, front)])
    if hall:
        draft.passage(well, hall, snap(min(length - 0.5, 2.0 if kind == "u" else 2.8)))
    return well


def _lies_along(hall: DraftRoom, front: float) -> bool:
    """Whether a corridor's far side is the line on which the row of rooms with the stairwell begins."""
    return abs(hall.bounds[3] - front) < 0.01


def _flights(draft: HouseDraft, massing: Massing, wells: list[DraftRoom]) -> None:
    if not massing.well:
        return
    start, length, kind = massing.well
    row = massing.north_row()
    frame = Frame(row.point(start, 0.0), row.u, row.v)
    for lower, upper in pairwise(wells):
        foot, head = (massing.floors[space.floor].elevation for space in (lower, upper))
        centre = None
        if kind == "spiral":
            runs, width, centre = spiral_runs(frame, massing.north, foot, head)
        else:
            runs, width = stair_runs(kind, frame, length, massing.north, foot, head)
        draft.flights.append(
            DraftStair((lower.floor, upper.floor), (lower.number, upper.number), runs, width, centre)
        )


def _end_suite(
    rng: np.random.Generator, draft: HouseDraft, massing: Massing, floor: int, halls: list[DraftRoom]
) -> list[DraftRoom]:
    """A suite across the whole west end of an upper floor, entered from the head of the corridor."""
    if not massing.end:
        return []
    wide, depth = massing.end, massing.depth
    bath = snap(min(2.7, massing.south - 0.8))
    closet = snap(depth - min(2.1, massing.north - 0.8))
    main = str(rng.choice(["b", "b", "b", "z", "f"]))
    room = draft.add(main, floor, _HOUSE.box(0, bath, wide, closet))
    for label, low, high in (("a", 0.0, bath), ("c", closet, depth)):
        draft.door(room, draft.add(label, floor, _HOUSE.box(0, low, wide, high)), width=0.8)
    draft.door(room, halls[0])
    return []


def _bays(massing: Massing, floor: int) -> list[Bay]:
    wing = massing.wing if massing.wing and floor < massing.wing.floors else None
    start = _west_end(massing, floor)
    gallery = floor == 1 and massing.building.void == "gallery"
    south_end = massing.length - (wing.west if wing and wing.south else 0.0)
    north_end = massing.length - (wing.west if wing and wing.north else 0.0)
    taken_south = [massing.entry] if floor == 0 else []
    taken_north = [massing.well[:2]] if massing.well else []
    rows = (
        (massing.south_row(), massing.south, south_end, taken_south, massing.steps[0]),
        (massing.north_row(), massing.north, north_end, taken_north, massing.steps[1]),
    )
    starts = (massing.zone if gallery else start, start)
    bays = [
        replace(bay, row=massing.building.rows_on(floor))
        for begin, (frame, depth, end, taken, step) in zip(starts, rows, strict=True)
        for bay in _row(frame, depth, (begin, end), taken, step, floor)
    ]
    return bays + (_wing_bays(massing, floor) if wing else [])


def _row(
    frame: Frame,
    depth: float,
    reach: tuple[float, float],
    taken: list[tuple[float, float]],
    step: tuple[float, float],
    floor: int,
) -> list[Bay]:
    """Return the bays of a row: what is not taken, cut where its facade steps."""
    start, end = reach
    cuts = (
        [*taken]
        if step[0] >= end or any(abs(sum(t) - step[0]) < 0.01 for t in taken)
        else [*taken, (step[0], 0.0)]
    )
    stretches: list[XY] = []
    for begin, width in sorted(cuts):
        stretches.append((start, begin))
        start = round(begin + width, 2)
    stretches.append((start, end))
    return [
        Bay(
            Frame(frame.point(low, 0.0), frame.u, frame.v),
            round(high - low, 2),
            round(depth + (step[1] if low >= step[0] - 0.01 else 0.0), 2),
            floor,
        )
        for low, high in stretches
        if high - low > _LEAST_BAY - 1e-6
    ]


def _wing_bays(massing: Massing, floor: int) -> list[Bay]:
    wing = massing.wing
    assert wing
    north_edge = round(massing.south + massing.hall, 2)
    east = Frame((round(massing.length + wing.hall, 2), -wing.south), (0.0, 1.0), (1.0, 0.0))
    bays = [Bay(east, round(wing.south + massing.depth + wing.north, 2), wing.east, floor)]
    if wing.west and wing.south:
        low = Frame((massing.length, -wing.south), (0.0, 1.0), (-1.0, 0.0))
        bays.append(Bay(low, round(wing.south + massing.south, 2), wing.west, floor))
    if wing.west and wing.north:
        high = Frame((massing.length, north_edge), (0.0, 1.0), (-1.0, 0.0))
        bays.append(Bay(high, round(massing.north + wing.north, 2), wing.west, floor))
    return bays


def _face_halls(
    rng: np.random.Generator,
    draft: HouseDraft,
    facing: list[DraftRoom],
    halls: list[DraftRoom],
    *,
    rows: bool,
) -> None:
    """Join rooms with their corridor, by doors only where they stand in `rows`."""
    for space in facing:
        hall = _nearest(space, halls)
        if hall is None or space.label == "e":
            continue
        wide = corridor_width(rng, space.label)
        if wide and not rows:
            draft.passage(space, hall, wide)
        else:
            width = float(rng.choice([0.8, 0.85, 0.9]))
            draft.door(space, hall, width=width, place=_row_place(space, hall) if rows else "end")


def _row_place(space: DraftRoom, hall: DraftRoom) -> Place:
    """Return where a room in a row along x has its door: in the middle, or away from the corridor's ends."""
    if space.bounds[0] < hall.bounds[0] + 0.5:
        return "high"
    return "low" if space.bounds[2] > hall.bounds[2] - 0.5 else "middle"


def _nearest(space: DraftRoom, others: list[DraftRoom]) -> DraftRoom | None:
    """Return the space among `others` that shares the longest wall with `space`."""
    best, longest = None, 0.9
    for other in others:
        wall = max((w.high - w.low for w in shared_walls(space.polygon, other.polygon)), default=0.0)
        if wall > longest:
            best, longest = other, wall
    return best
