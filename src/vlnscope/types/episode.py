"""Episodes: one instruction to follow in one scene, with all that its source file says of it."""

from __future__ import annotations

from typing import Any

import msgspec

Point = tuple[float, float, float]
Points = tuple[Point, ...]


class TimedWord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word of a spoken instruction with the seconds at which it starts and ends, where known."""

    word: str
    start_time: float | None = None
    end_time: float | None = None


class Chunk(msgspec.Struct, frozen=True):
    """A sub-instruction and the steps of the path that it describes (1-based, both ends included)."""

    words: tuple[str, ...]
    first_step: int
    last_step: int


class Continuous(msgspec.Struct, frozen=True, kw_only=True):
    """The part of an episode that lives in continuous space (Habitat frame: y up, -z forward).

    Attributes:
        start_position: where the agent is put.
        start_rotation: unit quaternion x, y, z, w.
        goals: goal positions.
        goal_radii: radius of each goal.
        reference_path: the sparse annotated way points.
        geodesic_distance: navmesh distance from start to goal, as the file states it.
        locations: the dense path of an oracle that follows the reference (``*_gt`` files), else empty.
        actions: the actions of that oracle.
        forward_steps: how many of them move forward.
    """

    start_position: Point
    start_rotation: tuple[float, float, float, float]
    goals: Points = ()
    goal_radii: tuple[float | None, ...] = ()
    reference_path: Points = ()
    geodesic_distance: float | None = None
    locations: Points = ()
    actions: tuple[int, ...] = ()
    forward_steps: int | None = None


class WordSwap(msgspec.Struct, frozen=True):
    """A planted instruction error: the word that was replaced, by what, and at which tokens."""

    old_word: str
    new_word: str
    token_id: tuple[int, ...] = ()
    token_id_position: tuple[int, ...] = ()


class InstructionErrors(msgspec.Struct, frozen=True):
    """What R2RIE-CE says of an instruction: whether it is wrong, in which way, at which words."""

    contains_error: bool
    error_type: int
    swaps: tuple[WordSwap, ...] = ()


class Episode(msgspec.Struct, frozen=True, kw_only=True):
    """One instruction to follow in one scene.

    Attributes:
        episode_id: the id that predictions use: ``{path_id}_{k}`` in R2R, instruction id in RxR,
            episode id in VLN-CE. Always a string.
        path_id: groups the episodes that describe the same path.
        scan: scene id.
        instruction: the text.
        path: reference viewpoints, start first; only the start in test splits; empty if continuous.
        heading: initial heading, clockwise from +y.
        distance: length of the reference as the file states it.
        instruction_index: which of the path's instructions this is.
        language: BCP-47 tag where the file says.
        words: spoken words with times (RxR).
        chunks: sub-instructions with path steps (FGR2R).
        object_id: target object (REVERIE).
        continuous: positions, where the episode has them.
        errors: planted errors (R2RIE-CE).
        extra: every other field of the source record, unchanged, so that writing it back loses nothing.
    """

    episode_id: str
    path_id: str
    scan: str
    instruction: str
    path: tuple[str, ...] = ()
    heading: float | None = None
    distance: float | None = None
    instruction_index: int = 0
    language: str | None = None
    words: tuple[TimedWord, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    object_id: str | None = None
    continuous: Continuous | None = None
    errors: InstructionErrors | None = None
    extra: dict[str, Any] = msgspec.field(default_factory=dict)
