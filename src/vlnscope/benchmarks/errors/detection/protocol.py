"""Detection as a protocol: given an instruction and what was seen on a walk, is it wrong, and where?

A detector is any object with ``detect(instruction, walk)``. It sees the text and an `Outing`: the poses along
a path and what could be perceived from each viewpoint, and nothing else of the scene. It answers with a
`Detection`: one score for the instruction, one for each of its words. Detectors are registered under a name
(kind ``detector``); a module in ``benchmarks/errors/detectors``, or an entry point ``vlnscope.detector``,
adds one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, cast, runtime_checkable

import msgspec

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.language.actions import Span
from vlnscope.types import Candidate, Percept, Point
from vlnscope.worlds.scene import Scene


class Outing(NamedTuple):
    """What someone saw on a walk.

    Attributes:
        path: the viewpoints in order, start first; turns on the spot are left out.
        heading: where the walker looked at the start.
        positions: where the viewpoints of `path` are.
        candidates: where one could go from each of them.
        percepts: what could be seen from each of them.
    """

    path: tuple[str, ...]
    heading: float
    positions: tuple[Point, ...]
    candidates: tuple[tuple[Candidate, ...], ...]
    percepts: tuple[Percept, ...]


class Reason(NamedTuple):
    """Why a word is suspicious: its characters, how much (0 to 1), and what was found instead, in words."""

    span: Span
    score: float
    text: str


class Detection(msgspec.Struct, frozen=True, kw_only=True):
    """What a detector says of an instruction.

    Attributes:
        score: that it contains an error, from 0 to 1.
        words: the same of each word, as `vlnscope.language.alignment.words_of` counts them.
        reasons: what speaks against which words, the most suspicious first; may be empty.
        aspects: that a ``direction``, a ``room``, an ``object`` and so on is wrong, where the detector tells
            them apart: the answer to a narrower question than `score`.
    """

    score: float
    words: tuple[float, ...]
    reasons: tuple[Reason, ...] = ()
    aspects: dict[str, float] = msgspec.field(default_factory=dict)


@runtime_checkable
class Detector(Protocol):
    """Something that looks for errors in instructions."""

    def detect(self, instruction: str, walk: Outing) -> Detection:
        """Say how suspicious an instruction and its words are, given what was seen on a walk."""


class DetectorSpec(msgspec.Struct, frozen=True, kw_only=True):
    """How to make a detector.

    Attributes:
        name: what users call it.
        summary: one line about it.
        make: makes one, given a seed.
    """

    name: str
    summary: str
    make: Callable[[int], Detector]


def register_detector(spec: DetectorSpec) -> DetectorSpec:
    """Make a detector known under its name."""
    return registry.register("detector", spec.name, spec)


def make_detector(name: str, seed: int = 0) -> Detector:
    """Make a detector by name; an unknown name gets suggestions."""
    return cast(DetectorSpec, registry.get("detector", name)).make(seed)


def words_at(words: Sequence[tuple[str, Span]], span: Span) -> tuple[int, ...]:
    """Return which of the words (see `vlnscope.language.alignment.words_of`) share characters with a span."""
    return tuple(i for i, (_, at) in enumerate(words) if at.start < span.end and span.start < at.end)


def look_along(scene: Scene, percepts: Mapping[str, Percept], path: Sequence[str], heading: float) -> Outing:
    """Return what can be seen along a path of a scene.

    Raises:
        InputError: the path is empty, or one of its steps is no edge of the graph.
    """
    graph = scene.graph
    walked = tuple(node for i, node in enumerate(path) if i == 0 or node != path[i - 1])
    if not walked:
        raise InputError("the path is empty", expected="at least one viewpoint", fix="leave the episode out")
    candidates = tuple(scene.candidates(node) for node in walked)
    for here, after in zip(range(len(walked)), walked[1:], strict=False):
        if all(candidate.viewpoint != after for candidate in candidates[here]):
            raise InputError(
                f"the path steps from {walked[here]} to {after}, which is no neighbour",
                expected=f"steps along the edges of the graph of {scene.id}",
                fix="name every viewpoint on the way",
            )
    rows = [graph.positions[graph.row(node)].tolist() for node in walked]
    points = tuple((row[0], row[1], row[2]) for row in rows)
    return Outing(walked, heading, points, candidates, tuple(percepts[node] for node in walked))
