"""What a submission shows whose targets are not public: how far it walks, and what it chooses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from vlnscope.core.exceptions import VlnscopeError
from vlnscope.episodes.reading import read_predictions
from vlnscope.metrics.object_targets import views_of_objects
from vlnscope.types import Prediction
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scene


class UntargetedWalks(NamedTuple):
    """What can be counted of walks without knowing where they should end.

    Attributes:
        walks: how many have a scene that is at hand.
        length: their mean length in metres.
        steps: mean number of moves.
        jumps: how many walks step between viewpoints that share no edge.
        chosen: how many choose an object.
        in_sight: how many of these choose one that can be seen from where they stop; None if no scene says
            what can be seen.
    """

    walks: int
    length: float
    steps: float
    jumps: int
    chosen: int
    in_sight: int | None

    def sentences(self) -> Iterator[str]:
        """Say what was counted."""
        yield (
            f"its {self.walks:,} walks are {self.length:.2f} m and {self.steps:.2f} moves long on average"
            + (f"; {self.jumps:,} step between viewpoints that share no edge" if self.jumps else "")
        )
        if self.chosen and self.in_sight is not None:
            share = 100.0 * self.in_sight / self.chosen
            yield (
                f"{self.chosen:,} of them choose an object; {share:.1f} % of these objects can be seen from "
                "where the agent stops, by REVERIE's boxes"
            )


def untargeted_walks(path: Path, root: Path) -> UntargetedWalks | None:
    """Count what can be counted of a file on Matterport's graphs; None if no walk is in a scan of the folder.

    Viewpoints have ids of their own in all scans together, so a walk says itself where it is.
    """
    try:
        scenes = MatterportScenes(root)
        scans = {node: scan for scan in scenes.scans() for node in scenes.scene(scan).graph.nodes}
    except VlnscopeError:
        return None
    walks = [
        (scenes.scene(scans[one.path[0]]), one)
        for one in read_predictions(path)
        if one.path and len({scans.get(node) for node in one.path}) == 1 and one.path[0] in scans
    ]
    return _counted(walks) if walks else None


def _counted(walks: list[tuple[Scene, Prediction]]) -> UntargetedWalks:
    moves = [[(a, b) for a, b in pairwise(one.path) if a != b] for _, one in walks]
    lengths = [
        sum(scene.graph.distance(a, b) for a, b in its) for (scene, _), its in zip(walks, moves, strict=True)
    ]
    jumps = [
        any(b not in scene.graph.neighbours(a) for a, b in its)
        for (scene, _), its in zip(walks, moves, strict=True)
    ]
    sights = list(_sights(walks))
    return UntargetedWalks(
        walks=len(walks),
        length=sum(lengths) / len(walks),
        steps=sum(map(len, moves)) / len(walks),
        jumps=sum(jumps),
        chosen=len(sights),
        in_sight=None if None in sights else sum(map(bool, sights)),
    )


def _sights(walks: Iterable[tuple[Scene, Prediction]]) -> Iterator[bool | None]:
    """Yield of each chosen object whether it can be seen from where the walk ends; None if nobody knows."""
    views = {}
    for scene, one in walks:
        if one.object_id is None:
            continue
        if scene.id not in views:
            views[scene.id] = views_of_objects(scene)
        known = views[scene.id]
        yield None if known is None else scene.graph.index[one.path[-1]] in known.get(one.object_id, ())
