"""Puts things into one room, one after the other, so that no rule is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, TypeVarTuple

import numpy as np

from vlnscope.types import Flags, Floats
from vlnscope.worlds.houses.furnish.boxes import TOUCH, Box, box_of, quarter, turned
from vlnscope.worlds.houses.furnish.catalogue import (
    Appearance,
    Palette,
    catalogue,
    draw_look,
    look_of,
    surface_height,
)
from vlnscope.worlds.houses.furnish.placements import Placement, open_spots, surface_spots
from vlnscope.worlds.houses.furnish.room import RoomSpace
from vlnscope.worlds.houses.furnish.rules import DRAPES, is_cover, is_obstacle, problem, rise
from vlnscope.worlds.houses.furnish.walkways import Walkways
from vlnscope.worlds.houses.plan.plan import XY, XYZ, PlanItem
from vlnscope.worlds.houses.plan.polygons import area

_RADII = (0.37, 0.3, 0.24, 0.2)
_WALK_TRIES = 6
_CLEAR_HEIGHT = 0.9
T = TypeVar("T")
Args = TypeVarTuple("Args")


class Clear(NamedTuple):
    """How much floor around an object stays free (except for what belongs to it)."""

    front: float = 0.0
    left: float = 0.0
    right: float = 0.0
    back: float = 0.0


@dataclass
class _State:
    items: list[tuple[PlanItem, Box]]
    kept: list[tuple[Box, str]]
    covered: float
    free: Flags


class Filler:
    """A room that is being furnished.

    Attributes:
        space: the room.
        rng: its source of randomness.
        density: scales the chance of everything that is not essential.
        area: of the room.
    """

    def __init__(
        self,
        space: RoomSpace,
        rng: np.random.Generator,
        palette: Palette,
        density: float,
        ids: Counter[str],
        cap: float = 0.4,
    ) -> None:
        self.space = space
        self.rng = rng
        self.palette = palette
        self.density = density
        self.area = abs(area(space.room.polygon))
        self._ids = ids
        self._cap = cap * self.area
        self._walk = _widest(space)
        self._items: list[tuple[PlanItem, Box]] = []
        self._kept: list[tuple[Box, str]] = []
        self._covered = 0.0
        self._share = 0.85

    @property
    def items(self) -> list[PlanItem]:
        """What has been put in, in order."""
        return [item for item, _ in self._items]

    def first(self, *names: str) -> PlanItem | None:
        """Return the first object of one of these classes, if there is one."""
        return next((item for item in self.items if item.name in names), None)

    def chance(self, share: float) -> bool:
        """Draw whether something optional happens, more often in dense houses."""
        return bool(self.rng.random() < min(share * self.density, 0.97))

    def pick(self, choices: Sequence[T]) -> T:
        """Draw one of several things."""
        return choices[int(self.rng.integers(len(choices)))]

    def look(self, name: str, *, like: PlanItem | None = None, **changes: object) -> Appearance:
        """Draw a look (or take that of another object), then change size, colour or material."""
        base = look_of(like) if like else draw_look(name, self.rng, self.palette)
        return base._replace(**changes)  # type: ignore[arg-type]

    def other_colour(self, item: PlanItem) -> str:
        """Draw a colour for a near-duplicate: one of the class, but not that of the object."""
        return self.pick([c for c in catalogue()[item.name].colours if c != item.colour] or [item.colour])

    def blocks(self, group: str) -> list[Box]:
        """Return what a thing of a group may not touch: doors, stairs, objects, others' clearances."""
        space = self.space
        solid = [box for item, box in self._items if not is_cover(item)]
        return [
            *(zone.box for zone in space.doors),
            *space.stairs,
            *solid,
            *(box for box, owner in self._kept if owner != group),
        ]

    def attempt(self, work: Callable[[*Args], T | None], *args: *Args) -> T | None:
        """Do several things or none: if `work` returns None, all that it put in is taken out again."""
        before = _State(list(self._items), list(self._kept), self._covered, self._walk.free)
        counts = self._ids.copy()
        result = work(*args)
        if result is None:
            self._items, self._kept, self._covered = before.items, before.kept, before.covered
            self._walk.free = before.free
            self._ids.clear()
            self._ids.update(counts)
        return result

    def insist(self, work: Callable[[*Args], T | None], *args: *Args) -> T | None:
        """Do what a room cannot do without; if there is no room, narrow the walkways and try again."""
        result = self.attempt(work, *args)
        while result is None and self._narrow():
            result = self.attempt(work, *args)
        return result

    def _narrow(self) -> bool:
        """Plan for a thinner person from now on; False if there is none."""
        thinner = [radius for radius in _RADII if radius < self._walk.radius]
        if not thinner:
            return False
        self._walk = Walkways(self.space, thinner[0], 0.05)
        self._walk.block(box for item, box in self._items if is_obstacle(item, self.space.floor))
        self._share = 0.7
        return True

    def put(
        self,
        name: str,
        look: Appearance,
        spots: Sequence[Placement],
        *,
        group: str = "",
        clear: Clear | None = None,
        strict: bool = False,
        on: PlanItem | None = None,
        mounted: bool = False,
    ) -> PlanItem | None:
        """Put an object at the best spot that breaks no rule; None if there is no such spot.

        Args:
            name: class of the object.
            look: size, colour, material.
            spots: where it might go.
            group: objects of one group may stand in each other's clearance.
            clear: what to keep free around it.
            strict: whether that may not lie before a door either (because something else will stand there).
            on: what it stands on.
            mounted: whether it hangs.
        """
        if not spots:
            return None
        table = _boxes(spots, look.size)
        allowed = ~_hits(table, self._blockers(name, group, on))
        if clear is not None:
            zones = _zones(spots, look.size, clear, self.space.floor.elevation)
            allowed &= ~_hits(zones, self._solids(strict))
        tries = 0
        for k in sorted(np.flatnonzero(allowed).tolist(), key=lambda k: -spots[k].score):
            item = self._make(name, look, spots[k], on, mounted)
            if problem(self.space, item, self._items, {i.id: i for i in self.items}) is None:
                if self._accept(item):
                    self._commit(item, zones[k] if clear is not None else None, group)
                    return item
                tries += 1
                if tries >= _WALK_TRIES:
                    break
        return None

    def put_on(
        self,
        base: PlanItem,
        name: str,
        *,
        look: Appearance | None = None,
        turn: int = 0,
        best: XY | None = None,
    ) -> PlanItem | None:
        """Put a small thing on another; `best` (in the base's own axes) is where it should be near."""
        height = surface_height(base.name, base.size)
        if height is None:
            return None
        look = look or self.look(name)
        spots = surface_spots(base, height, look.size, turn)
        turns = quarter(base.yaw) or 0
        if best is None:
            spots = [s._replace(score=float(self.rng.random())) for s in spots]
        else:
            ux, uy = turned(best, turns)
            aim = (base.position[0] + ux, base.position[1] + uy)
            spots = [s._replace(score=-abs(s.x - aim[0]) - abs(s.y - aim[1])) for s in spots]
        return self.put(name, look, spots, on=base)

    def put_open(
        self,
        name: str,
        look: Appearance,
        clear: Clear | None = None,
        *,
        turns: Sequence[int] = (0, 1),
        group: str = "",
        strict: bool = False,
    ) -> PlanItem | None:
        """Put an object in the open, as near to the middle of the room as can be, any of some ways round."""
        for step in (0.3, 0.17):
            spots = open_spots(self.space, turns, step)
            item = self.put(name, look, spots, clear=clear, group=group, strict=strict)
            if item is not None:
                return item
        return None

    def _make(
        self, name: str, look: Appearance, spot: Placement, on: PlanItem | None, mounted: bool
    ) -> PlanItem:
        return PlanItem(
            id=f"{name.replace(' ', '-')}-{self._ids[name] + 1}",
            name=name,
            room=self.space.room.id,
            position=(round(spot.x, 3), round(spot.y, 3), round(spot.z, 3)),
            size=look.size,
            yaw=90.0 * spot.turns,
            colour=look.colour,
            material=look.material,
            on=on.id if on else None,
            mounted=mounted,
        )

    def _accept(self, item: PlanItem) -> bool:
        if not is_obstacle(item, self.space.floor):
            return True
        box = box_of(item)
        return (
            self._covered + box.area <= self._cap
            and self._walk.joined
            and self._walk.try_block(box, self._share)
        )

    def _commit(self, item: PlanItem, zone: Floats | None, group: str) -> None:
        box = box_of(item)
        self._items.append((item, box))
        self._ids[item.name] += 1
        if is_obstacle(item, self.space.floor):
            self._covered += box.area
        if zone is not None:
            self._kept.append((Box(*zone.tolist()), group or item.id))

    def _blockers(self, name: str, group: str, on: PlanItem | None) -> Floats:
        space = self.space
        boxes: list[Box] = [*space.slabs, *space.roof]
        if "cover" in catalogue()[name].stands:
            boxes += [box for item, box in self._items if is_cover(item)]
            return _table(boxes)
        boxes += [zone.box for zone in space.doors]
        if name not in DRAPES:
            up = rise(name)
            boxes += [zone.box._replace(z0=zone.box.z0 + up) for zone in space.windows]
        boxes += [box for item, box in self._items if not is_cover(item) and item is not on]
        boxes += [box for box, owner in self._kept if owner != group and on is None]
        return _table(boxes)

    def _solids(self, doors_too: bool) -> Floats:
        boxes = [*self.space.slabs, *self.space.stairs]
        if doors_too:
            boxes += [zone.box for zone in self.space.doors]
        return _table(boxes + [box for item, box in self._items if not is_cover(item)])


def _widest(space: RoomSpace) -> Walkways:
    """Return the walk of the widest person who gets from door to door of the empty room."""
    for radius in _RADII:
        walk = Walkways(space, radius, 0.08 if radius > 0.25 else 0.05)
        if walk.joined:
            break
    return walk


def _table(boxes: Iterable[Box]) -> Floats:
    return np.array([box[:6] for box in boxes], dtype=np.float64).reshape(-1, 6)


def _boxes(spots: Sequence[Placement], size: XYZ) -> Floats:
    rows = np.array([spot[:4] for spot in spots], dtype=np.float64)
    odd = rows[:, 3] % 2 == 1
    a = np.where(odd, size[1], size[0]) / 2
    b = np.where(odd, size[0], size[1]) / 2
    x, y, z = rows[:, 0], rows[:, 1], rows[:, 2]
    return np.stack([x - a, y - b, x + a, y + b, z, z + size[2]], axis=1)


def _zones(spots: Sequence[Placement], size: XYZ, clear: Clear, floor: float) -> Floats:
    """Return the floor that each spot wants to keep free, its own footprint included."""
    x0, x1 = -size[0] / 2 - clear.left, size[0] / 2 + clear.right
    y0, y1 = -size[1] / 2 - clear.front, size[1] / 2 + clear.back
    by_turns = np.array([[x0, y0, x1, y1], [-y1, x0, -y0, x1], [-x1, -y1, -x0, -y0], [y0, -x1, y1, -x0]])
    rows = np.array([spot[:4] for spot in spots], dtype=np.float64)
    flat = by_turns[rows[:, 3].astype(np.int64)] + np.tile(rows[:, :2], 2)
    heights = np.tile([floor + 0.05, floor + _CLEAR_HEIGHT], (len(spots), 1))
    return np.concatenate([flat, heights], axis=1)


def _hits(table: Floats, blockers: Floats) -> Flags:
    """Return which boxes of a table meet any of the blockers."""
    low, high = table[:, [0, 1, 4]].min(axis=0) + TOUCH, table[:, [2, 3, 5]].max(axis=0) - TOUCH
    near = np.all((blockers[:, [0, 1, 4]] < high) & (blockers[:, [2, 3, 5]] > low), axis=1)
    x0, y0, x1, y1, z0, z1 = blockers[near].T
    columns = [column[:, None] for column in table.T]
    hit = (columns[0] + TOUCH < x1) & (columns[2] - TOUCH > x0)
    hit &= (columns[1] + TOUCH < y1) & (columns[3] - TOUCH > y0)
    hit &= (columns[4] + TOUCH < z1) & (columns[5] - TOUCH > z0)
    return np.asarray(np.any(hit, axis=1))
