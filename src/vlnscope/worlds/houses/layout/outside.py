"""Outside: porches and terraces on the ground, balconies above, joined to the rooms behind them."""

from __future__ import annotations

import numpy as np

from vlnscope.worlds.houses.layout.draft import DraftRoom, HouseDraft, Link, snap
from vlnscope.worlds.houses.layout.massing import Massing
from vlnscope.worlds.houses.layout.programme import joined
from vlnscope.worlds.houses.layout.walls import Edge, edges, free_walls, looks, shared_walls
from vlnscope.worlds.houses.plan.plan import XY

_TERRACE_ROOMS = ("l", "d", "f", "k", "n", "b")
_BALCONY_ROOMS = ("b", "n", "f", "z", "o", "h", "r")
_GLASS_DOOR = 1.5
_TERRACES, _BALCONIES = 0.078, 0.044
"""Shares of the floor area that terraces and balconies take."""


def add_outside(rng: np.random.Generator, draft: HouseDraft, massing: Massing, views: float) -> None:
    """Add porches, terraces, courts and balconies for a house of about this many viewpoints."""
    building = massing.building
    blind = building.blind
    entry = next(space for space in draft.spaces if space.label == "e")
    terrace = _TERRACES * views * 4.4
    if building.name == "apartment":
        for _ in range(int((0.06 * views * 4.4) / 14 + rng.random())):
            _attach(rng, draft, 0, "y", float(rng.uniform(9, 16)), (1.5, 2.2), _TERRACE_ROOMS, blind)
        return
    if building.name == "courtyard" and _court(draft, massing, entry):
        terrace -= 30
    elif rng.random() < 0.55:
        _front_porch(rng, draft, entry)
    for _ in range(int(max(terrace, 0.0) / 32 + rng.random())):
        _attach(rng, draft, 0, "p", float(rng.uniform(0.8, 1.3)) * 32, (2.6, 4.0), _TERRACE_ROOMS, blind)
    if rng.random() < 0.003 * views / 8:
        _attach(rng, draft, 0, "x", 40.0, (4.0, 6.0), _TERRACE_ROOMS, blind)
    top = max(space.floor for space in draft.spaces)
    if top:
        for _ in range(int(_BALCONIES * views * 4.4 / 16 + rng.random())):
            floor = int(rng.integers(1, top + 1))
            _attach(rng, draft, floor, "y", float(rng.uniform(11, 21)), (1.6, 2.6), _BALCONY_ROOMS, blind)


def _court(draft: HouseDraft, massing: Massing, entry: DraftRoom) -> bool:
    """Pave the court between the arms of a U, to which the front door leads; return whether there is one."""
    wing = massing.wing
    if wing is None or min(wing.south, massing.bulge[0]) < 2.5:
        return False
    east = massing.length - wing.west
    box = (massing.zone, -min(wing.south, massing.bulge[0]), round(east, 2), 0.0)
    if box[2] - box[0] < 3.0 or not _free(draft, 0, box):
        return False
    court = draft.add("p", 0, _corners(box), outdoor=True)
    _lead_to(draft, entry, court)
    return True


def _front_porch(rng: np.random.Generator, draft: HouseDraft, entry: DraftRoom) -> None:
    x0, y0, x1, _ = entry.bounds
    extra = snap(rng.uniform(0.0, 2.5))
    porch = (snap(x0 - extra), snap(y0 - rng.uniform(1.6, 2.4)), snap(x1 + extra), y0)
    if not _free(draft, 0, porch):
        porch = (x0, snap(y0 - 1.6), x1, y0)
    if not _free(draft, 0, porch):
        return
    _lead_to(draft, entry, draft.add("p", 0, _corners(porch), outdoor=True))


def _lead_to(draft: HouseDraft, entry: DraftRoom, outdoor: DraftRoom) -> None:
    """Let the front door lead to an outdoor room."""
    for i, link in enumerate(draft.links):
        if link.a == entry.number and link.b is None:
            draft.links[i] = Link(entry.number, outdoor.number, "door", 0.95, "middle")


def _attach(
    rng: np.random.Generator,
    draft: HouseDraft,
    floor: int,
    label: str,
    area: float,
    depths: tuple[float, float],
    rooms: tuple[str, ...],
    blind: tuple[XY, ...] = (),
) -> None:
    """Attach an outdoor room to a free facade of one of these rooms, where there is one."""
    depth = snap(rng.uniform(*depths))
    places = [
        (space, wall)
        for space in draft.on(floor)
        if space.label in rooms and not space.outdoor
        for wall in _facades(draft, space, blind)
    ]
    liking = np.asarray([joined(label, space.label) for space, _ in places])
    order = np.argsort(-(liking**0.5) * rng.random(len(places)), kind="stable")
    for i in order.tolist():
        space, wall = places[i]
        box = _beside(_facade(draft, floor, wall), wall, area / depth, depth)
        if _free(draft, floor, box):
            outdoor = draft.add(label, floor, _corners(box), outdoor=True)
            _open_to(rng, draft, outdoor, space)
            return


def _facades(draft: HouseDraft, space: DraftRoom, blind: tuple[XY, ...]) -> list[Edge]:
    others = [other.polygon for other in draft.standing(space.floor) if other.number != space.number]
    walls = free_walls(space.polygon, others)
    return [wall for wall in walls if wall.high - wall.low > 1.3 and looks(wall) not in blind]


def _facade(draft: HouseDraft, floor: int, wall: Edge) -> tuple[float, float]:
    """Return how far the building's face goes on to both sides of a wall."""
    low, high = wall.low, wall.high
    faces = [
        (face.low, face.high)
        for space in draft.on(floor)
        if not space.outdoor
        for face in edges(space.polygon)
        if face.axis == wall.axis and face.at == wall.at and face.out == wall.out
    ]
    for start, end in sorted(faces):
        high = max(high, end) if start <= high + 1e-3 else high
    for start, end in sorted(faces, reverse=True):
        low = min(low, start) if end >= low - 1e-3 else low
    return low, high


def _beside(
    facade: tuple[float, float], wall: Edge, wish: float, depth: float
) -> tuple[float, float, float, float]:
    """Return a box of a wished length along a wall and a depth away from it, no longer than the facade."""
    middle = (wall.low + wall.high) / 2
    half = max(wish, 1.6) / 2
    low, high = max(snap(middle - half), facade[0]), min(snap(middle + half), facade[1])
    near, far = sorted((wall.at, snap(wall.at + wall.out * depth)))
    return (low, near, high, far) if wall.axis == "x" else (near, low, far, high)


def _open_to(rng: np.random.Generator, draft: HouseDraft, outdoor: DraftRoom, first: DraftRoom) -> None:
    """Join an outdoor room with the room behind it and, sometimes, with other rooms that it touches."""
    wide = _GLASS_DOOR if first.label != "h" else 0.9
    draft.links.append(Link(first.number, outdoor.number, "door", wide, "middle"))
    for space in draft.on(outdoor.floor):
        if space.number in (first.number, outdoor.number) or space.label not in (
            "l",
            "d",
            "f",
            "k",
            "b",
            "n",
        ):
            continue
        wall = max((w.high - w.low for w in shared_walls(space.polygon, outdoor.polygon)), default=0.0)
        if wall > 2.0 and rng.random() < 0.4:
            draft.links.append(Link(space.number, outdoor.number, "door", 0.9, "any"))


def _free(draft: HouseDraft, floor: int, box: tuple[float, float, float, float]) -> bool:
    """Return whether a box overlaps no room of a floor; above the ground, nor hides one below it."""
    for space in draft.standing(floor):
        x0, y0, x1, y1 = space.bounds
        if min(x1, box[2]) - max(x0, box[0]) > 0.01 and min(y1, box[3]) - max(y0, box[1]) > 0.01:
            return False
    return True


def _corners(box: tuple[float, float, float, float]) -> tuple[XY, ...]:
    x0, y0, x1, y1 = box
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
