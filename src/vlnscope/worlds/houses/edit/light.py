"""Edits of light: another hour, lamps on or off."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.edit.edits import SetHour, SwitchLamps
from vlnscope.worlds.houses.edit.items import Outcome
from vlnscope.worlds.houses.plan.plan import Daylight, FloorPlan

replace = msgspec.structs.replace


def set_hour(plan: FloorPlan, edit: SetHour) -> Iterator[Outcome]:
    """See the house at another time of day."""
    if not 0.0 <= edit.hour <= 24.0:
        raise InputError(
            f"{plan.id}: a day has no hour {edit.hour:g}",
            expected="hours from 0 to 24",
            fix="give `hour` such a number, e.g. 17.5 for half past five in the afternoon",
        )
    hour = float(edit.hour) + 0.0
    yield replace(plan, daylight=replace(plan.daylight or Daylight(), hour=hour)), replace(edit, hour=hour)


def switch_lamps(plan: FloorPlan, edit: SwitchLamps) -> Iterator[Outcome]:
    """Switch all lamps."""
    yield replace(plan, daylight=replace(plan.daylight or Daylight(), lamps=edit.on)), edit
