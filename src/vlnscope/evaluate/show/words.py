"""What became of a walk, in words."""

from __future__ import annotations

from vlnscope.metrics.profiles.profile import Profile
from vlnscope.reporting.tables.marks import counted
from vlnscope.types import ScoreRow
from vlnscope.worlds.maps.walks import MapWalk
from vlnscope.worlds.scene import Scene

_ENDINGS = {True: "stopped", False: "ran out of steps", None: "ended"}


def outcome(walk: MapWalk, row: ScoreRow, profile: Profile, *, failed: object = None) -> str:
    """Say how long a walk was, what it ran into, where it ended, and whether that is a success.

    Args:
        walk: the walk.
        row: its metrics.
        profile: whose conventions they follow.
        failed: why the agent did not finish; None if it did.
    """
    if failed is not None:
        return f"The agent failed: {failed}"
    steps = counted(len(walk.positions) - 1, "move" if walk.on_graph else "action")
    length = f"{walk.length:.1f} m in {steps}"
    if not walk.on_graph and "collisions" in row.values:
        length += f", {_bumps(row.values['collisions'])}"
    return f"{length}; {_ENDINGS[walk.stopped]} {_away(row)}: {_verdict(row, profile)}."


def no_view(scene: Scene) -> str:
    """Say that a scene cannot be seen from within."""
    return f"no first-person views: there is no mesh of {scene.id} (--scenes names a folder of meshes)"


def unmeasured(row: ScoreRow) -> str:
    """Say why the distance to the goal is not known; empty where it is."""
    return f"the distance to the goal is not known: {row.undefined['NE']}" if "NE" in row.undefined else ""


def _bumps(count: float) -> str:
    return counted(round(count), "collision") if count else "no collision"


def _away(row: ScoreRow) -> str:
    if "NE" in row.values:
        metres = row.values["NE"]
        return "at the goal" if metres < 0.05 else f"{metres:.1f} m from the goal"
    return "at an unknown distance from the goal"


def _verdict(row: ScoreRow, profile: Profile) -> str:
    switches = profile.switches
    near = f"{switches.success} {switches.radius:g} m"
    rule = f"{profile.name}, {'the object in sight' if switches.object_goal == 'seen' else near}"
    rule += " and stopped" if switches.stop_required else ""
    if "SR" not in row.values:
        return f"success unknown ({rule})"
    return f"{'success' if row.values['SR'] == 1.0 else 'no success'} ({rule})"
