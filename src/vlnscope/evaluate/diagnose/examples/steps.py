"""The steps of a walk as they are shown: what was due, what could be done, what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.benchmarks.outcomes.score.track import ReferencePath, Track
from vlnscope.episodes.formats.evidence import DecisionRecord, EvidenceLine
from vlnscope.evaluate.diagnose.examples.scenes import SceneMaps
from vlnscope.evaluate.diagnose.examples.words import DueWords, followed, lit
from vlnscope.language.geometry import FLAT, heading_to, relative, turn_word
from vlnscope.reporting.examples import ShownStep, StepChoice
from vlnscope.types import STOP, Case

_SPOKEN = {
    "straight": "ahead",
    "around": "back",
    "slight left": "slightly left",
    "slight right": "slightly right",
}


class Passage(NamedTuple):
    """A case and what an agent did in it.

    Attributes:
        case: what was asked.
        line: what was done.
        stage: where.
        nodes: the viewpoints that were visited, turns on the spot left out.
        track: the same beside the described way.
    """

    case: Case
    line: EvidenceLine
    stage: SceneMaps
    nodes: tuple[str, ...]
    track: Track

    @classmethod
    def of(cls, case: Case, line: EvidenceLine, stage: SceneMaps) -> Passage:
        """Put a line of evidence beside its case."""
        way = ReferencePath.of(stage.graph, case.episode.path or line.path[:1])
        track = Track.of(way, line.path, heading=case.episode.heading, stopped=line.stopped)
        return cls(case, line, stage, tuple(line.path[k] for k in track.elements), track)

    @property
    def scored(self) -> int | None:
        """The step that the case asks for; None if it asks for a whole walk."""
        return self.case.forced_steps if self.case.correct or self.case.forced_steps else None

    def heading(self, at: int) -> float | None:
        """Return where the walker looked at a step, before it moved on; None if that is not known."""
        if self.line.headings is not None:
            return self.line.headings[self.track.elements[at]]
        if at == 0:
            return self.case.episode.heading
        return heading_to(self.stage.point(self.nodes[at - 1]), self.stage.point(self.nodes[at]))

    def done(self, at: int) -> str | None:
        """Return what was done at a step: the next viewpoint, or `STOP`; None where steps ran out."""
        if at + 1 < len(self.nodes):
            return self.nodes[at + 1]
        return None if self.line.stopped is False or self.line.failed else STOP

    def right(self, at: int) -> tuple[str, ...]:
        """Return what would be right at a step: what the case says, or how the described way goes on."""
        if at == self.scored and self.case.correct:
            return self.case.correct
        index = self.track.places[at]
        if index is None or not self.case.episode.path:
            return ()
        return (STOP,) if index == self.track.way.end else (self.case.episode.path[index + 1],)

    def decision(self, at: int) -> DecisionRecord | None:
        """Return what the agent thought of its choices at a step, where that was logged."""
        records = self.line.decisions or ()
        return next((r for r in records if r.step == at and r.viewpoint == self.nodes[at]), None)


def shown_steps(passage: Passage, due: DueWords, decisive: int | None) -> tuple[ShownStep, ...]:
    """Return the steps of a walk; choices are there where decisions were logged, and at the decisive step."""
    reference = passage.case.episode.path
    reached = followed(passage.nodes, reference, passage.stage.graph) if reference else []
    words = lit(due, reached) or [()] * len(passage.nodes)
    return tuple(
        ShownStep(
            place=passage.stage.place(node),
            heading=_rounded(passage.heading(at)),
            forced=0 < at <= passage.case.forced_steps,
            words=words[at],
            choices=choices(passage, at) if passage.decision(at) or at == decisive else (),
        )
        for at, node in enumerate(passage.nodes)
    )


def choices(passage: Passage, at: int) -> tuple[StepChoice, ...]:
    """Return what could be done at a step, the likeliest first, else in MatterSim's order."""
    record, scene = passage.decision(at), passage.stage.scene
    if record is None:
        names = [candidate.viewpoint for candidate in scene.candidates(passage.nodes[at])]
        shares: Sequence[float | None] = [None] * (len(names) + 1)
    else:
        names, shares = list(record.candidates), record.probabilities
    done, right = passage.done(at), passage.right(at)
    options = [
        _choice(passage, at, name, share, done=done == name, right=name in right)
        for name, share in zip([*names, STOP], shares, strict=True)
    ]
    return tuple(sorted(options, key=lambda choice: -(choice.probability or 0.0)))


def _choice(
    passage: Passage, at: int, name: str, share: float | None, *, done: bool, right: bool
) -> StepChoice:
    stops = name == STOP
    return StepChoice(
        place=None if stops else passage.stage.place(name),
        probability=_rounded(share),
        right=right,
        chosen=done,
        bearing=None if stops else _rounded(bearing(passage, at, name)),
        label=label(passage, at, name),
    )


def bearing(passage: Passage, at: int, name: str) -> float | None:
    """Return how far to the right of where the walker looks a viewpoint lies; None if that is not known."""
    looks = passage.heading(at)
    here, there = passage.stage.point(passage.nodes[at]), passage.stage.point(name)
    return None if looks is None else relative(looks, heading_to(here, there))


def spoken(passage: Passage, at: int, name: str) -> str:
    """Say what doing something is: ``stop``, ``left``, ``ahead``, ``up`` …; empty if that is not known."""
    if name == STOP:
        return "stop"
    rise = passage.stage.point(name)[2] - passage.stage.point(passage.nodes[at])[2]
    if abs(rise) >= FLAT:
        return "up" if rise > 0 else "down"
    angle = bearing(passage, at, name)
    if angle is None:
        return ""
    word = turn_word(angle)
    return _SPOKEN.get(word, word)


def label(passage: Passage, at: int, name: str) -> str:
    """Return a choice in words: which way, how far, into which room."""
    if name == STOP:
        return spoken(passage, at, name)
    metres = passage.stage.graph.distance(passage.nodes[at], name)
    room, here = passage.stage.room(name), passage.stage.room(passage.nodes[at])
    into = f"to the {room}" if room and room != here else ""
    return ", ".join(part for part in (spoken(passage, at, name), f"{metres:.1f} m", into) if part)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
