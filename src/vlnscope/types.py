"""The shared vocabulary: what an episode, a prediction, a tour, a case, an observation and a score are.

These types hold data and no behaviour beyond construction. Lengths are metres and angles radians.
Discrete worlds name places by viewpoint id (`path`), continuous ones by coordinates (`positions`);
an episode or a prediction may carry either or both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, get_args, runtime_checkable

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.exceptions import InputError

Point = tuple[float, float, float]
Points = tuple[Point, ...]
Phase = Literal["agent", "oracle", "oracle_goal", "oracle_start"]
OracleRule = Literal["whole", "ivln"]
Logged = Literal["scored", "all", "none"]
STOP = "<stop>"
"""Stands for stopping where a viewpoint is expected, as in `Case.correct`."""
MAX_STEPS = 15


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


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent did in one episode.

    Attributes:
        episode_id: as in `Episode`.
        path: viewpoints in order, start included, turns on the spot as repeats, as the file has them.
        headings: one per element of `path` or `positions`, if the file has them.
        elevations: one per element of `path`, if the file has them.
        segments: lengths of the pieces in which nested files group `path`; None if it is flat.
        positions: coordinates in order (continuous).
        stopped: whether the agent called STOP; None where the format does not say.
        object_id: the object the agent chose (REVERIE).
        extra: every other field of the source record.
    """

    episode_id: str
    path: tuple[str, ...] = ()
    headings: tuple[float, ...] | None = None
    elevations: tuple[float, ...] | None = None
    segments: tuple[int, ...] | None = None
    positions: Points = ()
    stopped: bool | None = None
    object_id: str | None = None
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


class Tour(msgspec.Struct, frozen=True, kw_only=True):
    """Episodes of one scene that an agent walks one after the other, keeping its memory."""

    tour_id: str
    scan: str
    episode_ids: tuple[str, ...]


class TourStep(msgspec.Struct, frozen=True, kw_only=True):
    """One logged place of a tour: where, in which episode, and who was in control."""

    position: Point | None = None
    viewpoint: str | None = None
    episode_id: str
    phase: Phase


class TourLog(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was logged of one tour, oracle phases included."""

    tour_id: str
    steps: tuple[TourStep, ...]


class Candidate(msgspec.Struct, frozen=True):
    """A neighbouring viewpoint as MatterSim presents it to an agent.

    Attributes:
        viewpoint: its id.
        view_index: the view (0-35) in which it is closest to the centre (``pointId``).
        slot: its place among the navigable locations of that view (``idx``; 0 is the agent itself).
        heading: absolute heading; as in MatterSim not wrapped, so it may be < 0 or > 2π.
        elevation: absolute elevation, up positive.
        angular_distance: distance from the centre of that view.
        distance: straight-line metres.
    """

    viewpoint: str
    view_index: int
    slot: int
    heading: float
    elevation: float
    angular_distance: float
    distance: float


class SeenObject(NamedTuple):
    """An object as seen from a viewpoint; what is unknown is None.

    `centre` is the middle of its box in the scene's frame; `box` is the box's extent along x, y and z.
    """

    name: str
    heading: float
    distance: float | None = None
    attributes: tuple[str, ...] = ()
    object_id: str | None = None
    centre: Point | None = None
    box: Point | None = None


class SeenRoom(NamedTuple):
    """A room as seen from a viewpoint: its label letter, and where one of its viewpoints is."""

    label: str
    heading: float
    distance: float


@runtime_checkable
class Percept(Protocol):
    """What can be seen from one viewpoint; houses, Matterport labels and captions all provide it.

    A source that knows nothing of a kind returns None for the room and nothing for the others.
    """

    def room(self) -> str | None:
        """Return the label letter of the room the viewpoint is in."""

    def rooms(self) -> Sequence[SeenRoom]:
        """Return the rooms of the neighbouring viewpoints, one entry per neighbour."""

    def objects(self) -> Sequence[SeenObject]:
        """Return the objects in sight."""

    def captions(self) -> Sequence[str]:
        """Return a description per heading sector, the first at heading 0, clockwise."""


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is given at one step.

    Attributes:
        episode_id: which episode.
        instruction: what to do.
        scan: scene id.
        viewpoint: where the agent stands.
        heading: where it looks.
        elevation: how far up it looks.
        step: number of decisions made so far in this episode.
        candidates: where it can go, in MatterSim's order.
        seen: what it declared that it needs, by name (``captions``, ``objects``, ``rooms``, …), made
            only when looked up.
    """

    episode_id: str
    instruction: str
    scan: str
    viewpoint: str
    heading: float
    elevation: float
    step: int
    candidates: tuple[Candidate, ...]
    seen: Mapping[str, Any] = msgspec.field(default_factory=dict)


class Decision(msgspec.Struct, frozen=True):
    """A probability for each candidate, then for stopping."""

    probabilities: tuple[float, ...]

    @classmethod
    def choose(cls, observation: Observation, index: int) -> Decision:
        """Put all mass on candidate `index`; ``len(candidates)`` or -1 means stop."""
        size = len(observation.candidates) + 1
        if not -size <= index < size:
            raise IndexError(f"candidate {index} of {size - 1}")
        hot = [0.0] * size
        hot[index] = 1.0
        return cls(tuple(hot))

    @classmethod
    def stop(cls, observation: Observation) -> Decision:
        """Put all mass on stopping."""
        return cls.choose(observation, -1)


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """An episode as a benchmark asks it.

    Attributes:
        case_id: unique in its benchmark.
        episode: the episode, with the instruction as this case words it.
        forced_steps: how many steps of the reference the agent is walked before it decides.
        correct: viewpoints that are right at the scored step (`STOP` for stopping); empty if the
            benchmark has another success rule.
        groups: keys to group by: skill, category, subset, variant, pair, scene, path.
    """

    case_id: str
    episode: Episode
    forced_steps: int = 0
    correct: tuple[str, ...] = ()
    groups: dict[str, str] = msgspec.field(default_factory=dict)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """How cases are rolled out.

    Attributes:
        max_steps: how many steps an agent may take, forced ones included; one decision is always asked for.
        sample: draw from the agent's distribution instead of taking its most probable action.
        log: which decisions are kept: those at scored steps (the first after a forced prefix, and the
            first of a case that says what is correct), all, or none.
        seed: of the drawing.
        oracle: how agents are led from episode to episode in tours.
    """

    max_steps: int = MAX_STEPS
    sample: bool = False
    log: Logged = "scored"
    seed: int = 0
    oracle: OracleRule = "whole"

    def __post_init__(self) -> None:
        for value, known in ((self.log, get_args(Logged)), (self.oracle, get_args(OracleRule))):
            if value not in known:
                raise InputError(
                    f"{value!r} is none of {', '.join(known)}", expected="one of these", fix="correct it"
                )
        if self.max_steps < 1:
            raise InputError(
                "an agent needs a step", expected="max_steps of 1 or more", fix="raise max_steps"
            )


class ScoreRow(msgspec.Struct, frozen=True, kw_only=True):
    """All metrics of one episode or case; what is undefined has a reason instead of a value.

    Attributes:
        episode_id: the episode; the case where a benchmark asks it.
        scan: scene id.
        path_id: the path that the episode walks.
        values: by metric.
        undefined: why other metrics have no value.
        groups: what a case is grouped by, as in `Case`.
    """

    episode_id: str
    scan: str
    path_id: str
    values: dict[str, float]
    undefined: dict[str, str] = msgspec.field(default_factory=dict)
    groups: dict[str, str] = msgspec.field(default_factory=dict)


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
