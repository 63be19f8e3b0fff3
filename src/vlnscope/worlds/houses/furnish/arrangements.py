"""The moves that all rooms are furnished with: against a wall, into a corner, beside, around, on the wall."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vlnscope.worlds.houses.furnish.boxes import quarter
from vlnscope.worlds.houses.furnish.catalogue import Appearance, kind
from vlnscope.worlds.houses.furnish.placements import (
    Placement,
    Score,
    corner_spots,
    local_spot,
    open_spots,
    wall_spots,
)
from vlnscope.worlds.houses.furnish.placer import Clear, Filler
from vlnscope.worlds.houses.furnish.room import Wall
from vlnscope.worlds.houses.plan.plan import XY, PlanItem

HUNG = 0.005
"""Between a wall and what hangs on it."""
EYE = 1.5
"""Height of the middle of a picture."""


class Furnisher(Filler):
    """A room that is being furnished, with the moves that all rooms need."""

    def anywhere(self) -> Score:
        """Like all places alike."""
        return lambda wall, along, point: float(self.rng.random())

    def far(self, weight: float = 1.0) -> Score:
        """Like the middle of walls that are far from doors."""
        doors = [zone.middle for zone in self.space.doors]

        def score(wall: Wall, along: float, point: XY) -> float:
            away = min((math.dist(point, door) for door in doors), default=3.0)
            off = abs(along - (wall.low + wall.high) / 2)
            return weight * min(away, 4.0) - 0.8 * off + 0.8 * float(self.rng.random())

        return score

    def ends(self) -> Score:
        """Like the ends of walls."""
        return lambda wall, along, point: (
            -min(along - wall.low, wall.high - along) + 0.5 * float(self.rng.random())
        )

    def near(self, aim: XY) -> Score:
        """Like what is near a point."""
        return lambda wall, along, point: -math.dist(point, aim) + 0.3 * float(self.rng.random())

    def near_window(self) -> Score:
        """Like what is near a window; a corner of the room if it has none."""
        aim = self.pick(self.space.windows).middle if self.space.windows else self.space.room.polygon[0]
        return self.near(aim)

    def against(
        self,
        name: str,
        score: Score | None = None,
        *,
        look: Appearance | None = None,
        clear: Clear | None = None,
        group: str = "",
    ) -> PlanItem | None:
        """Put a thing with its back to a wall, its usual clearance in front of it."""
        look = look or self.look(name)
        if clear is None and kind(name).clear:
            clear = Clear(kind(name).clear)
        spots = wall_spots(self.space, look.size, score or self.anywhere())
        return self.put(name, look, spots, group=group, clear=clear)

    def corner(self, name: str, *, look: Appearance | None = None, group: str = "") -> PlanItem | None:
        """Put a thing into a corner."""
        look = look or self.look(name)
        spots = [
            s._replace(score=s.score + float(self.rng.random())) for s in corner_spots(self.space, look.size)
        ]
        clear = Clear(kind(name).clear) if kind(name).clear else None
        return self.put(name, look, spots, group=group, clear=clear)

    def beside(
        self,
        base: PlanItem,
        name: str,
        side: int,
        *,
        look: Appearance | None = None,
        gap: float = 0.03,
        group: str = "",
    ) -> PlanItem | None:
        """Put a thing next to another, their backs in line; `side` is -1 or 1 along the other's own x."""
        look = look or self.look(name)
        dx = side * (base.size[0] / 2 + gap + look.size[0] / 2)
        dy = (base.size[1] - look.size[1]) / 2
        return self.put(name, look, [local_spot(base, dx, dy, z=self.space.floor.elevation)], group=group)

    def in_front(
        self,
        base: PlanItem,
        name: str,
        gaps: Sequence[float],
        *,
        look: Appearance | None = None,
        turn: int = 2,
        group: str = "",
    ) -> PlanItem | None:
        """Put a thing before the front of another at the first gap that fits; `turn` 2 makes it face back."""
        look = look or self.look(name)
        depth = look.size[0] if turn % 2 else look.size[1]
        spots = [
            local_spot(base, 0.0, -(base.size[1] / 2 + gap + depth / 2), turn)._replace(score=-k)
            for k, gap in enumerate(gaps)
        ]
        return self.put(name, look, spots, group=group)

    def around(
        self, table: PlanItem, name: str, look: Appearance, *, ends_too: bool, group: str, gap: float = 0.03
    ) -> int:
        """Put equal seats around a table, facing it; return how many found room."""
        width, depth = table.size[0], table.size[1]
        per_side = max(int(width / (look.size[0] + 0.12)), 1)
        reach = depth / 2 + gap + look.size[1] / 2
        spots = []
        for k in range(per_side):
            dx = width * ((k + 0.5) / per_side - 0.5)
            spots += [local_spot(table, dx, reach, 0), local_spot(table, dx, -reach, 2)]
        if ends_too:
            reach = width / 2 + gap + look.size[1] / 2
            spots += [local_spot(table, reach, 0.0, 3), local_spot(table, -reach, 0.0, 1)]
        return sum(self.put(name, look, [spot], group=group) is not None for spot in spots)

    def rug(self, under: PlanItem, dx: float, dy: float, width: float, depth: float) -> PlanItem | None:
        """Lay a rug whose middle is at (dx, dy) in an object's own axes; smaller if it must be."""
        look = self.look("rug")
        for share in (1.0, 0.85, 0.7):
            size = (round(width * share, 2), round(depth * share, 2), look.size[2])
            spot = local_spot(under, dx, dy, z=self.space.floor.elevation)
            rug = self.put("rug", look._replace(size=size), [spot])
            if rug:
                return rug
        return None

    def above(
        self, base: PlanItem, name: str, *, look: Appearance | None = None, low: float | None = None
    ) -> PlanItem | None:
        """Hang a thing on the wall over another that stands there; `low` is its lower edge over the floor."""
        look = look or self.look(name)
        x, y, _ = base.position
        height = EYE + 0.05 - look.size[2] / 2 if low is None else low
        height = max(height, base.position[2] + base.size[2] - self.space.floor.elevation + 0.12)
        if self.space.floor.elevation + height + look.size[2] > self.space.ceiling - 0.05:
            return None
        spots = wall_spots(self.space, look.size, self.near((x, y)), off=HUNG, z=height)
        turns = quarter(base.yaw)
        spots = [s for s in spots if s.turns == turns]
        exact = [over_point(s, x, y) for s in spots[:1]]
        return self.put(name, look, [*exact, *(s for s in spots if s.score > -1.2)], mounted=True)

    def hang(
        self, name: str, *, look: Appearance | None = None, centre: float = EYE, score: Score | None = None
    ) -> PlanItem | None:
        """Hang a thing on any wall, its middle `centre` metres over the floor."""
        look = look or self.look(name)
        spots = wall_spots(
            self.space, look.size, score or self.anywhere(), off=HUNG, z=centre - look.size[2] / 2
        )
        return self.put(name, look, spots, mounted=True)

    def pictures(self, count: int) -> None:
        """Hang pictures: a row of equal ones, or single ones that differ."""
        if count >= 2 and self.rng.random() < 0.55:
            self.row_of_pictures(count)
            return
        for _ in range(count):
            self.hang("picture")

    def row_of_pictures(self, count: int) -> None:
        """Hang equal pictures next to each other on one wall."""
        look = self.look("picture")
        width = min(look.size[0], 0.6)
        look = look._replace(size=(width, look.size[1], look.size[2]))
        first = self.hang("picture", look=look)
        last = first
        for _ in range(count - 1):
            if first is None or last is None:
                return
            spots = [local_spot(last, side * (width + 0.15), 0.0) for side in (1, -1)]
            last = self.put("picture", look, spots, mounted=True)

    def ceiling_lamp(self, over: PlanItem | None = None) -> PlanItem | None:
        """Hang a chandelier over an object, or in the middle of the room."""
        return self._below_ceiling("chandelier", over)

    def ceiling_fan(self) -> PlanItem | None:
        """Hang a fan in the middle of the room."""
        return self._below_ceiling("ceiling fan", None)

    def _below_ceiling(self, name: str, over: PlanItem | None) -> PlanItem | None:
        look = self.look(name)
        z = self.space.ceiling - look.size[2]
        if over is not None:
            spots = [Placement(over.position[0], over.position[1], z, 0)]
        else:
            spots = [spot._replace(z=z) for spot in open_spots(self.space, (0,))]
        return self.put(name, look, spots, mounted=True)

    def small_things(self, base: PlanItem, names: Sequence[str], count: int) -> None:
        """Put some different small things on a surface."""
        order = self.rng.permutation(len(names))[:count]
        for k in order.tolist():
            name = names[k]
            look = self.small_plant() if name == "plant" else None
            self.put_on(base, name, look=look)

    def small_plant(self) -> Appearance:
        """Return the look of a plant that stands on furniture."""
        return self.look("plant", size=(0.22, 0.22, round(float(self.rng.uniform(0.28, 0.42)), 2)))


def over_point(spot: Placement, x: float, y: float) -> Placement:
    """Slide a spot along its wall to just over a point."""
    return spot._replace(x=x, score=9.0) if spot.turns % 2 == 0 else spot._replace(y=y, score=9.0)
