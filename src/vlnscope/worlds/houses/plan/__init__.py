"""Floor plans as data: the plan (exported here), its `file`, and what must hold of it (`checks`)."""

from vlnscope.worlds.houses.plan.plan import (
    WALL,
    XY,
    XYZ,
    Floor,
    FloorPlan,
    Opening,
    PlanItem,
    PlanProblem,
    Room,
    Stair,
)

__all__ = [
    "WALL",
    "XY",
    "XYZ",
    "Floor",
    "FloorPlan",
    "Opening",
    "PlanItem",
    "PlanProblem",
    "Room",
    "Stair",
]
