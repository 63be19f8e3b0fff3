"""``vlnce`` and ``rxr-ce``: quarter metres and turns, as agents move in R2R-CE and RxR-CE."""

from __future__ import annotations

from vlnscope.engine.action_space import register_action_space
from vlnscope.engine.continuous import SpaceActions
from vlnscope.types import MAX_STEPS, STOP
from vlnscope.worlds.continuous.body import Body

MAX_ACTIONS = 500
"""Actions of an episode in VLN-CE."""


@register_action_space
class VlnceSpace(SpaceActions):
    """Forward 0.25 m, left 15°, right 15°, stop; bodies slide along walls (R2R-CE, IR2R-CE, R2RIE-CE)."""

    name = "vlnce"
    actions_per_step = MAX_ACTIONS / MAX_STEPS
    offered = ("forward", "left", "right", STOP)


@register_action_space
class RxrceSpace(SpaceActions):
    """Forward 0.25 m, left 30°, right 30°, look up and down by 30°, stop; nobody slides (RxR-CE)."""

    name = "rxr-ce"
    body = Body(angle=30.0, sliding=False)
    actions_per_step = MAX_ACTIONS / MAX_STEPS
    offered = ("forward", "left", "right", "up", "down", STOP)
