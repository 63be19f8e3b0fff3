"""Checks of one prediction that names viewpoints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import msgspec

from vlnscope.core.files import find_file
from vlnscope.core.json_file import read_json
from vlnscope.episodes.doctor.problems import SubmissionFinding, error, finding
from vlnscope.episodes.doctor.targets import EpisodeTarget
from vlnscope.types import Prediction
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scenes

LARGEST_HEADING = 2 * math.pi + math.radians(40)  # MatterSim does not wrap headings of candidates in view
LARGEST_ELEVATION = math.pi / 2
Neighbours = dict[str, frozenset[str]]


class _Listed(msgspec.Struct):
    image_id: str
    included: bool


class GraphChecks:
    """Checks predictions against navigation graphs.

    Args:
        scenes: where the graphs come from.
        scans: the scenes in which the data set's episodes lie.
    """

    def __init__(self, scenes: Scenes, scans: Sequence[str]) -> None:
        self._scenes = scenes
        self._scans = scans
        self._neighbours: dict[str, Neighbours] = {}
        self._excluded: dict[str, frozenset[str]] = {}

    def __call__(self, prediction: Prediction, target: EpisodeTarget) -> Iterator[SubmissionFinding]:
        """Yield what is wrong with a prediction."""
        name, path = prediction.episode_id, prediction.path
        if not path:
            yield finding("wrong-space-on-graph", name)
            return
        near = self._near(target.scan)
        yield from self._unknown(name, path, near, target.scan)
        if path[0] != target.start:
            yield _wrong_start(name, path, near, target)
        yield from _illegal_edges(name, path, near)
        yield from _repeats(name, path)
        yield from _angles(prediction)

    def _near(self, scan: str) -> Neighbours:
        if scan not in self._neighbours:
            graph = self._scenes.scene(scan).graph
            joined: dict[str, set[str]] = {node: set() for node in graph.nodes}
            for i, j in graph.edges.tolist():
                joined[graph.nodes[i]].add(graph.nodes[j])
                joined[graph.nodes[j]].add(graph.nodes[i])
            self._neighbours[scan] = {node: frozenset(others) for node, others in joined.items()}
        return self._neighbours[scan]

    def _unknown(
        self, name: str, path: Sequence[str], near: Neighbours, scan: str
    ) -> Iterator[SubmissionFinding]:
        unknown = [(i, node) for i, node in enumerate(path, 1) if node not in near]
        if unknown:
            index, node = unknown[0]
            reason, fix = self._why_unknown(node, near, scan)
            what = f"element {index} is viewpoint {node!r}, which {reason}{_more(len(unknown))}"
            yield error("unknown-viewpoint", name, what, fix)

    def _why_unknown(self, node: str, near: Neighbours, scan: str) -> tuple[str, str]:
        bare = node.strip().casefold()
        if same := next((known for known in near if known.casefold() == bare), None):
            return f"scan {scan} writes as {same!r}", "write viewpoint ids exactly as the graph does"
        if (inner := node.rpartition("_")[2]) in near:
            return "carries the name of a scan", f"write the viewpoint id alone: {inner!r}"
        if node in self._left_out(scan):
            return (
                f"scan {scan} lists with included = false, so it is not in the graph",
                "let the agent move on the graph of included viewpoints only",
            )
        if node in self._homes:
            return (
                f"belongs to scan {self._homes[node]}, not to {scan}",
                "look for predictions that were stored under another episode's id",
            )
        return f"scan {scan} does not have", "write the ids of the scan's connectivity file"

    def _left_out(self, scan: str) -> frozenset[str]:
        """Return the viewpoints that a connectivity file lists but does not include."""
        if scan not in self._excluded:
            path = None
            if isinstance(self._scenes, MatterportScenes):
                file, root = f"{scan}_connectivity.json", self._scenes.root
                path = find_file(root / "connectivity" / file, root / file)
            listed = read_json(path, list[_Listed], "a connectivity file") if path else []
            self._excluded[scan] = frozenset(view.image_id for view in listed if not view.included)
        return self._excluded[scan]

    @cached_property
    def _homes(self) -> dict[str, str]:
        """The scan of each viewpoint of the data set's scenes."""
        return {node: scan for scan in self._scans for node in self._near(scan)}


def _wrong_start(
    name: str, path: Sequence[str], near: Neighbours, target: EpisodeTarget
) -> SubmissionFinding:
    if target.goal is not None and set(path) == {target.goal}:
        return finding("goal-only", name)
    what = f"starts at {path[0]}, but the episode starts at {target.start}"
    fix = "write the path from the episode's start on; look for ids that got mixed up"
    if target.start in path:
        what += f", which comes as element {path.index(str(target.start)) + 1}"
        fix = "leave out what comes before the episode's start"
    elif target.start in near.get(path[0], ()):
        what += ", next to it"
        fix = "put the start in front: the path lacks its first viewpoint"
    return error("wrong-start", name, what, fix)


def _illegal_edges(name: str, path: Sequence[str], near: Neighbours) -> Iterator[SubmissionFinding]:
    illegal = [
        (step, a, b)
        for step, (a, b) in enumerate(pairwise(path), 1)
        if a != b and a in near and b in near and b not in near[a]
    ]
    if illegal:
        step, a, b = illegal[0]
        yield finding("illegal-edge", name, step=step, a=a, b=b, more=_more(len(illegal)))


def _repeats(name: str, path: Sequence[str]) -> Iterator[SubmissionFinding]:
    repeats = sum(a == b for a, b in pairwise(path))
    if repeats and repeats + 1 < len(path):
        yield finding("repeats", name, repeats=repeats, steps=len(path) - 1)


def _angles(prediction: Prediction) -> Iterator[SubmissionFinding]:
    for what, values, largest in (
        ("heading", prediction.headings, LARGEST_HEADING),
        ("elevation", prediction.elevations, LARGEST_ELEVATION),
    ):
        worst = max(values or (), key=abs, default=0.0)
        if abs(worst) > largest:
            yield finding(f"{what}-range", prediction.episode_id, worst=worst)


def _more(count: int) -> str:
    return f" (and {count - 1} more such in this path)" if count > 1 else ""
