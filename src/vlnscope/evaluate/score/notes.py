"""What a reader of scores must know: rows left out, odd predictions, how distances were measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vlnscope.metrics.encoding import GraphPairs
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.point_pairs import PointPairs
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.reporting.tables.marks import counted
from vlnscope.types import Flags


class InvalidPredictions(NamedTuple):
    """Which predictions do what a simulator would not let them do."""

    jumps: Flags
    wrong_starts: Flags


def object_notes(pairs: Pairs, profile: Profile) -> Iterator[str]:
    """Say whether success is judged by something else than the episodes ask for: a place, or an object."""
    if pairs.seeks_objects and profile.goal == "place":
        yield (
            "these episodes ask for objects, and the profile judges by places: what REVERIE reports comes "
            "with --profile reverie"
        )
    elif pairs.seeks_objects and profile.switches.object_goal == "near":
        yield (
            f"success is to stop within {profile.switches.radius:g} m of the path's end, whether or not the "
            "object can be seen there: REVERIE's own success (--profile reverie) is smaller"
        )
    elif not pairs.seeks_objects and profile.goal == "object":
        yield (
            f"profile {profile.name} is made for episodes that ask for objects; these end at places, and are "
            "judged by their distance to them"
        )
    if pairs.choices and not pairs.seeks_objects:
        predictions = counted(pairs.choices, "prediction")
        yield f"{predictions} choose an object, but the data set names no target: the choices are not scored"


def space_notes(pairs: Pairs, profile: Profile) -> Iterator[str]:
    """Say whether a profile is made for other data, and how distances in continuous space are measured."""
    space = "graph" if isinstance(pairs, GraphPairs) else "continuous"
    if profile.space not in ("both", space):
        kind = "continuous space" if space == "graph" else "graphs"
        yield f"profile {profile.name} is made for {kind}; nobody publishes these numbers for such data"
    if isinstance(pairs, PointPairs):
        yield _how_measured(pairs, profile)
        if far := pairs.unreachable:
            goals = counted(len(far), "goal")
            yield f"{goals} cannot be reached from the start on the navigation mesh: {some(far)}"


def _how_measured(pairs: PointPairs, profile: Profile) -> str:
    missing = pairs.scenes_without_mesh
    if profile.switches.goal_distance == "straight":
        return "distances to goals are straight lines"
    if not missing:
        return "distances to goals are geodesics on the scenes' navigation meshes"
    if len(missing) == len(set(pairs.scan[pairs.predicted])):
        return (
            "no navigation mesh of these scenes is at hand, so distances to goals are unknown; "
            "--scenes DIR says where they are"
        )
    scenes = counted(len(missing), "scene")
    return f"distances to goals are geodesics on navigation meshes; {scenes} have none: {some(missing)}"


def row_notes(kept: Flags, invalid: InvalidPredictions, profile: Profile) -> Iterator[str]:
    """Say which episodes a profile leaves out, and which predictions a simulator would refuse."""
    switches = profile.switches
    if not kept.all():
        yield (
            f"{int((~kept).sum())} episodes left out: {profile.name} scores the first "
            f"{switches.instructions} instructions of each path"
        )
    jumps, starts = (int((flags & kept).sum()) for flags in invalid)
    if jumps:
        how = "undefined" if switches.jumps == "undefined" else "measured along the shortest way"
        yield f"{jumps} predictions step between viewpoints that share no edge; {how}"
    if starts:
        how = "undefined" if switches.start == "reference" else "scored as they are"
        yield f"{starts} predictions do not start where their episode does; {how}"


def some(ids: Sequence[str], most: int = 3) -> str:
    """Write the first few ids.

    Example:
        >>> some(["a", "b"]), some(["a", "b", "c", "d"])
        ('a, b', 'a, b, c, …')
    """
    return ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
