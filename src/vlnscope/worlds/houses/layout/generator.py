"""The floor plan generator: a seed becomes a house without furniture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
from msgspec.structs import replace
from scipy.sparse import csgraph

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.layout.alcoves import add_alcoves
from vlnscope.worlds.houses.layout.building_kinds import BuildingKind, choose_building
from vlnscope.worlds.houses.layout.draft import DraftRoom, DraftStair, HouseDraft, Link
from vlnscope.worlds.houses.layout.finishes import Finishes, make_finishes
from vlnscope.worlds.houses.layout.floors import build_floors
from vlnscope.worlds.houses.layout.massing import Massing, make_massing
from vlnscope.worlds.houses.layout.open_plan import zone_labels
from vlnscope.worlds.houses.layout.openings import DraftOpening, NoRoomError, Openings, add_windows
from vlnscope.worlds.houses.layout.outside import add_outside
from vlnscope.worlds.houses.layout.programme import AREA_PER_VIEW, joined, make_programme
from vlnscope.worlds.houses.layout.room_kinds import NEEDED, SMALL
from vlnscope.worlds.houses.plan.plan import XY, XYZ, FloorPlan, Opening, Room, Stair
from vlnscope.worlds.houses.plan.polygons import counter_clockwise
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
    views = float(np.clip(73 * np.exp(rng.normal(0.0, 0.6)), 30, 225))
    building = choose_building(rng, views, views * AREA_PER_VIEW)
    for attempt in range(_TRIES):
        plain = BuildingKind("detached", building.floors)
        try:
            chosen = building if attempt < _TRIES // 2 else plain
            return _draw(seed, attempt, views, chosen, id or f"house-{seed:05d}")
        except NoRoomError:
            continue
    raise RuntimeError(f"no floor plan found for seed {seed} in {_TRIES} tries")


def _draw(seed: int, attempt: int, views: float, building: BuildingKind, name: str) -> FloorPlan:
    rng = rng_for(seed, "layout", "shape", attempt)
    programme = make_programme(rng, views, building.floors)
    public = zone_labels(programme, building)
    massing = make_massing(rng, building, views, programme.area_left(public))
    draft = build_floors(rng, massing, programme, public)
    add_alcoves(rng, draft, building)
    add_outside(rng, draft, massing, views)
    openings = Openings(draft, rng)
    for link in draft.links:
        openings.cut(link)
    join_all(draft, openings)
    _garage_doors(draft, openings)
    add_windows(rng, draft, openings, building, massing.floors)
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
        building=massing.building.name,
        ground=massing.building.ground,
        floors=tuple(replace(floor, ridge=turn.axis(floor.ridge)) for floor in massing.floors),
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
        height=space.height,
        floor_material=finishes.floor_of(space.label),
        wall_colour=finishes.wall_of(space.label, space.number),
        wall_material=finishes.covering_of(space.label, space.number),
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
        centre=None if flight.centre is None else turn.point(flight.centre),
    )


def join_all(draft: HouseDraft, openings: Openings) -> None:
    """Add doors until every room is reached.

    Raises:
        NoRoomError: a room has no wall with room for a door to a room that is reached, or a flight of
            stairs or the front door is cut off.
    """
    while True:
        reached = _reached(draft, openings)
        missing = [space for space in draft.spaces if not reached[space.number]]
        if not missing:
            return
        if not any(_join(draft, openings, space, reached) for space in missing):
            raise NoRoomError(f"{len(missing)} rooms cannot be reached")


def _join(draft: HouseDraft, openings: Openings, space: DraftRoom, reached: list[bool]) -> bool:
    """Cut a door to a reached room, preferably of a kind that such rooms are mostly joined with."""
    hosts = [
        other
        for other in draft.on(space.floor)
        if reached[other.number] and other.label != "s" and not (other.outdoor or other.label in SMALL)
    ]
    hosts.sort(key=lambda other: -joined(space.label, other.label))
    return any(
        openings.cut(Link(space.number, host.number, "door", width, "end"))
        for host in hosts
        for width in (0.85, 0.8)
    )


def _reached(draft: HouseDraft, openings: Openings) -> list[bool]:
    joined_rooms = np.zeros((len(draft.spaces), len(draft.spaces)), dtype=np.bool_)
    doors = [(hole.a, hole.b) for hole in openings.holes if hole.kind != "window" and hole.b is not None]
    for a, b in (*doors, *(stair.spaces for stair in draft.flights)):
        joined_rooms[a, b] = True
    parts = csgraph.connected_components(joined_rooms, directed=False)[1]
    entry = next(space.number for space in draft.spaces if space.label == "e")
    reached: list[bool] = (parts == parts[entry]).tolist()
    return reached


@dataclass(frozen=True)
class Turn:
    """Moves the middle of the house to the origin, mirrors x and y, then perhaps exchanges them."""

    middle: XY
    mirror: tuple[int, int]
    exchange: bool

    def point(self, point: XY) -> XY:
        """Turn a point."""
        x = round((point[0] - self.middle[0]) * self.mirror[0], 3) + 0.0
        y = round((point[1] - self.middle[1]) * self.mirror[1], 3) + 0.0
        return (y, x) if self.exchange else (x, y)

    def lifted(self, point: XYZ) -> XYZ:
        """Turn a point in space."""
        return (*self.point((point[0], point[1])), point[2])

    def axis(self, axis: Literal["x", "y"]) -> Literal["x", "y"]:
        """Turn a direction."""
        if not self.exchange:
            return axis
        return "y" if axis == "x" else "x"


def make_turn(rng: np.random.Generator, draft: HouseDraft) -> Turn:
    """Draw how a house is turned."""
    bounds = np.asarray([space.bounds for space in draft.spaces])
    middle = (bounds[:, :2].min(axis=0) + bounds[:, 2:].max(axis=0)) / 2
    mirror = (int(rng.choice([-1, 1])), int(rng.choice([-1, 1])))
    return Turn((round(float(middle[0]), 1), round(float(middle[1]), 1)), mirror, bool(rng.random() < 0.5))
