"""Everything around a house, from its garden to the horizon, as one mesh."""

from __future__ import annotations

import numpy as np
import shapely

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh.builder import snapped
from vlnscope.worlds.houses.mesh.exterior import facade_of
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.surroundings import land
from vlnscope.worlds.houses.surroundings.block import build_block
from vlnscope.worlds.houses.surroundings.garden import Garden, build_garden, garden_of
from vlnscope.worlds.houses.surroundings.lot import Box, Lot, lot_of
from vlnscope.worlds.houses.surroundings.neighbourhood import build_neighbours
from vlnscope.worlds.houses.surroundings.settings import Setting, is_flat, setting_of, trees_of
from vlnscope.worlds.houses.surroundings.stage import Stage
from vlnscope.worlds.houses.surroundings.street import build_street, build_street_trees
from vlnscope.worlds.rendering.mesh import Mesh, join, subset

_EYES = 2.4


def surroundings_mesh(plan: FloorPlan) -> Mesh:
    """Return what is around a house; it depends on the plan's id, rooms, front door and style.

    Its only object is `SURROUNDINGS`; its classes are ``ground``, ``street``, ``tree``, ``bush``, ``hedge``,
    ``flowers``, ``fence``, ``building``, ``car``, ``street lamp``, ``water`` and ``hills``. Nothing stands on
    or within `CLEAR` of the house and its outdoor rooms, except neighbours that share a blind wall and the
    block that a flat is part of. The ground reaches to hills that hide its end from every window.
    """
    lot = lot_of(plan)
    rng = rng_for(0, "surroundings", plan.id)
    setting = setting_of(rng, plan, lot)
    return snapped(_Place(plan, lot, setting, rng).build())


def surrounded(plan: FloorPlan, house: Mesh) -> Mesh:
    """Return the mesh of a house with its surroundings in place of its bare lawn."""
    bare = house.semantic == (house.classes.index("ground") if "ground" in house.classes else -1)
    return join([subset(house, ~bare), surroundings_mesh(plan)])


class _Place:
    """A lot in its setting, while it is built."""

    def __init__(self, plan: FloorPlan, lot: Lot, setting: Setting, rng: np.random.Generator) -> None:
        self.plan, self.lot, self.setting, self.rng = plan, lot, setting, rng
        self.stage = Stage()
        self.street = lot.bounds[1] - float(rng.uniform(*setting.front))
        self.garden: Garden = garden_of(rng, lot, setting, self.street)
        self.far = setting.far[int(rng.integers(len(setting.far)))]
        self.kinds = trees_of(setting, plan.style)
        self.shore = (
            self.garden.box[3] + land.SHORE * float(rng.uniform(0.3, 1.0)) if self.far == "sea" else None
        )

    def build(self) -> Mesh:
        """Build all of it."""
        lot, rng, z = self.lot, self.rng, self.lot.ground
        top = lot.top + _EYES
        land.build_land(self.stage, rng, self._lawn(), z, self.shore)
        land.build_horizon(self.stage, rng, top, z, self.shore)
        across = build_street(self.stage, rng, self.setting, self.street, z)
        build_garden(self.stage, rng, lot, self.setting, self.garden, self.plan.style)
        boxes = build_neighbours(self.stage, rng, lot, self.setting, self.garden.box, across)
        if self.setting.pavement:
            build_street_trees(self.stage, rng, self.kinds, across - 1.2, z, 14.0)
        self._trees_between(boxes, across)
        self._beyond(across)
        lowest = min(floor.elevation for floor in self.plan.floors)
        if is_flat(self.plan, lot):
            build_block(self.stage, rng, lot, (lowest - 0.12, lot.top + 0.2), facade_of(self.plan))
        return self.stage.mesh(lot.quarters)

    def _lawn(self) -> Box:
        x0, y0, x1, y1 = self.garden.box
        return x0, y0, x1, y1

    def _trees_between(self, boxes: tuple[Box, ...], across: float) -> None:
        """Plant trees in the gardens of the neighbours."""
        woody = self.setting.name in ("forest", "country")
        count = {"forest": 160, "country": 60, "town": 18, "city": 30}.get(self.setting.name, 44)
        reach = 78.0 if woody else 66.0
        spots = self.rng.uniform(-reach, reach, (3 * count, 2)) + np.array((0.0, 8.0))
        shut = [shapely.box(*self.garden.box).buffer(0.5), *(shapely.box(*box) for box in boxes)]
        shut.append(shapely.box(-500.0, across, 500.0, self.street))
        shut.append(self.lot.house.buffer(6.0))
        away = shapely.distance(shapely.points(spots), shapely.union_all(shut))
        free = spots[(away > 2.8) & ((spots[:, 1] < self.shore - 4) if self.shore is not None else True)]
        land.build_woods(
            self.stage, self.rng, self.kinds, _spread(free, 3.4)[:count], self.lot.ground, (0.75, 1.25)
        )

    def _beyond(self, across: float) -> None:
        stage, rng, z = self.stage, self.rng, self.lot.ground
        x0, _, x1, y1 = self.garden.box
        near = (-75.0, across - 34.0, 75.0, y1 + 36.0)
        street = (across + self.street) / 2
        if self.far == "skyline":
            land.build_skyline(stage, rng, z, 125.0, self.shore)
            land.build_far_houses(stage, rng, near, street, z, 24, 115.0)
        elif self.far == "houses":
            land.build_far_houses(stage, rng, near, street, z, 64, 230.0)
            land.build_tree_lines(stage, rng, 12, z, 110.0)
        elif self.far == "fields":
            land.build_fields(stage, rng, (x0 - 30, across - 25, x1 + 30, y1 + 25), z)
            land.build_far_houses(stage, rng, near, street, z, 6, 230.0)
            land.build_tree_lines(stage, rng, 14, z, 100.0)
        elif self.far == "woods":
            land.build_tree_lines(stage, rng, 40, z, 82.0)
        else:
            land.build_far_houses(stage, rng, (-75.0, across - 34.0, 75.0, 500.0), street, z, 26, 200.0)


def _spread(spots: Floats, apart: float) -> Floats:
    """Keep the spots that are not nearer than `apart` to an earlier one."""
    kept: list[int] = []
    gaps = np.hypot(*(spots[:, None] - spots[None]).T).T if len(spots) else np.zeros((0, 0))
    for i in range(len(spots)):
        if not kept or gaps[i, kept].min() > apart:
            kept.append(i)
    return spots[kept]
