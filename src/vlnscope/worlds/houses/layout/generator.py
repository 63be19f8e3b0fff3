"""The floor plan generator: a seed becomes a house without furniture."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.layout.draft import DraftRoom, DraftStair, HouseDraft, Link, counter_clockwise
from vlnscope.worlds.houses.layout.finishes import Finishes, make_finishes
from vlnscope.worlds.houses.layout.floors import build_floors
from vlnscope.worlds.houses.layout.massing import Massing, make_massing
from vlnscope.worlds.houses.layout.open_plan import zone_labels
from vlnscope.worlds.houses.layout.openings import DraftOpening, NoRoomError, Openings
from vlnscope.worlds.houses.layout.orientation import Turn, make_turn
from vlnscope.worlds.houses.layout.outside import add_outside
from vlnscope.worlds.houses.layout.programme import make_programme
from vlnscope.worlds.houses.layout.reachability import join_all
from vlnscope.worlds.houses.layout.room_kinds import NEEDED
from vlnscope.worlds.houses.layout.windows import add_windows
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, Room, Stair
from vlnscope.worlds.rooms import ROOM_NAMES

_TRIES = 40
_IDS = {"t": "toilet room", "v": "tv room", "r": "rec room", "w": "gym"}
"""Names in room ids where the usual one is also that of an object, or too short."""


def layout(seed: int, id: str | None = None) -> FloorPlan:  # noqa: A002
    """Return the floor plan of a house, without furniture; the same seed always gives the same plan.

    Args:
        seed: any integer.
        id: name of the house; ``house-`` and the seed in five digits if not given.
    """
    rng = rng_for(seed, "layout", "size")
    views, floors = _size(rng)
    for attempt in range(_TRIES):
        try:
            return _draw(seed, attempt, views, floors, id or f"house-{seed:05d}")
        except NoRoomError:
            continue
    raise RuntimeError(f"no floor plan found for seed {seed} in {_TRIES} tries")


def _size(rng: np.random.Generator) -> tuple[float, int]:
    """Draw the number of viewpoints that the house is to have, and its floors."""
    views = float(np.clip(80 * np.exp(rng.normal(0.0, 0.58)), 32, 225))
    chances = {1: 0.30, 2: 0.50, 3: 0.20}
    if views > 120:
        chances = {1: 0.0, 2: 0.6, 3: 0.4}
    elif views < 55:
        chances = {1: 0.46, 2: 0.50, 3: 0.04}
    return views, int(rng.choice(list(chances), p=list(chances.values())))


def _draw(seed: int, attempt: int, views: float, floor_count: int, name: str) -> FloorPlan:
    rng = rng_for(seed, "layout", "shape", attempt)
    programme = make_programme(rng, views, floor_count)
    public = zone_labels(programme)
    massing = make_massing(rng, views, floor_count, programme.area_left(public))
    draft = build_floors(rng, massing, programme, public)
    add_outside(rng, draft, views)
    openings = Openings(draft, rng)
    for link in draft.links:
        openings.cut(link)
    join_all(draft, openings)
    _garage_doors(draft, openings)
    add_windows(rng, draft, openings)
    _relabel_dark_bedrooms(draft, openings)
    if not {space.label for space in draft.spaces} >= {*NEEDED}:
        raise NoRoomError("a room that no house is without has found no place")
    turn = make_turn(rng, draft)
    finishes = make_finishes(rng_for(seed, "layout", "finish"))
    return _plan(name, massing, draft, openings.holes, turn, finishes)


def _garage_doors(draft: HouseDraft, openings: Openings) -> None:
    for space in draft.spaces:
        if space.label == "g":
            for width in (4.8, 2.4, 2.2):
                link = Link(space.number, None, "door", width, "middle", closed=True, head=2.1)
                if openings.cut(link):
                    break


def _relabel_dark_bedrooms(draft: HouseDraft, openings: Openings) -> None:
    """Nobody sleeps in a room without a window: it becomes a home theatre or a room of no clear use."""
    outdoor = {space.number for space in draft.spaces if space.outdoor}
    lit = {hole.a for hole in openings.holes if hole.b is None or hole.b in outdoor}
    for space in draft.spaces:
        if space.label == "b" and space.number not in lit:
            space.label = "z" if any(other.label == "v" for other in draft.spaces) else "v"


def _plan(
    name: str, massing: Massing, draft: HouseDraft, holes: list[DraftOpening], turn: Turn, finishes: Finishes
) -> FloorPlan:
    ids = _room_ids(draft)
    return FloorPlan(
        id=name,
        style=finishes.style,
        floors=tuple(massing.floors),
        rooms=tuple(_room(space, ids[space.number], turn, finishes) for space in draft.spaces),
        openings=tuple(_opening(hole, number, ids, turn) for number, hole in enumerate(_ordered(holes), 1)),
        stairs=tuple(_stair(flight, i, ids, turn) for i, flight in enumerate(draft.flights, 1)),
    )


def _ordered(holes: list[DraftOpening]) -> list[DraftOpening]:
    order = {"door": 0, "passage": 1, "window": 2}
    return sorted(holes, key=lambda hole: (order[hole.kind], hole.floor))


def _room_ids(draft: HouseDraft) -> list[str]:
    seen: Counter[str] = Counter()
    ids = []
    for space in draft.spaces:
        name = _IDS.get(space.label, ROOM_NAMES[space.label][0]).replace(" ", "-")
        seen[name] += 1
        ids.append(f"{name}-{seen[name]}")
    return ids


def _room(space: DraftRoom, name: str, turn: Turn, finishes: Finishes) -> Room:
    return Room(
        id=name,
        label=space.label,
        floor=space.floor,
        polygon=counter_clockwise([turn.point(corner) for corner in space.polygon]),
        outdoor=space.outdoor,
        floor_material=finishes.floor_of(space.label),
        wall_colour=finishes.wall_of(space.label, space.number),
    )


def _opening(hole: DraftOpening, number: int, ids: list[str], turn: Turn) -> Opening:
    return Opening(
        id=f"{hole.kind}-{number}",
        kind=hole.kind,
        rooms=(ids[hole.a], None if hole.b is None else ids[hole.b]),
        floor=hole.floor,
        centre=turn.point(hole.centre),
        axis=turn.axis(hole.axis),
        width=hole.width,
        sill=hole.sill,
        head=hole.head,
        closed=hole.closed,
    )


def _stair(flight: DraftStair, number: int, ids: list[str], turn: Turn) -> Stair:
    return Stair(
        id=f"stair-{number}",
        floors=flight.floors,
        rooms=(ids[flight.spaces[0]], ids[flight.spaces[1]]),
        runs=tuple((turn.lifted(foot), turn.lifted(head)) for foot, head in flight.runs),
        width=flight.width,
    )
