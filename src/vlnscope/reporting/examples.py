"""What is shown of a walk: where it went, what was due when, what else could have been done, and the map.

Places are in the units of the map's own view box: a page draws walks over maps without knowing metres.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.core.json_file import read_json, write_json_lines


class MapPoint(msgspec.Struct, frozen=True, array_like=True):
    """A viewpoint on the map of its floor."""

    viewpoint: str
    floor: str
    x: float
    y: float


class StepChoice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an agent could do at a step: go to a place, or (`place` None) stop.

    Attributes:
        place: where it would go.
        probability: what the agent gave it; None where its decision was not logged.
        right: the reference goes on there, or the case counts it as correct.
        chosen: the agent did this.
        bearing: where the place lies, radians to the right of where the agent looked; None for stopping.
        label: in words.
    """

    place: MapPoint | None
    probability: float | None = None
    right: bool = False
    chosen: bool = False
    bearing: float | None = None
    label: str = ""


class ShownStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One place of a walk.

    Attributes:
        place: where.
        heading: where it looked, radians clockwise from +y; None if unknown.
        forced: the agent was led here.
        words: which words of the instruction are due here: numbers of `ExampleTrajectory.words`.
        choices: what could be done here, where the decision was logged or decisive; the likeliest first.
        picture: the key of a rendered view in `ExampleTrajectories.pictures`; empty if there is none. It
            shows the whole circle, with where the agent looked in the middle.
    """

    place: MapPoint
    heading: float | None = None
    forced: bool = False
    words: tuple[int, ...] = ()
    choices: tuple[StepChoice, ...] = ()
    picture: str = ""


class TrailPoint(msgspec.Struct, frozen=True, array_like=True):
    """A place in continuous space on the map of its floor."""

    floor: str
    x: float
    y: float


class SpaceTrail(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an agent in continuous space really was, of whose walk `ShownStep`s have the nearest viewpoints.

    Attributes:
        places: where it was, turns on the spot left out.
        reached: number of the place nearest to the viewpoint of each step; of the first step, the start.
        collisions: numbers of the places at which it had just run into something.
    """

    places: tuple[TrailPoint, ...]
    reached: tuple[int, ...]
    collisions: tuple[int, ...] = ()


class SeenMoment(msgspec.Struct, frozen=True, array_like=True):
    """A first-person picture: its key in `ExampleTrajectories.pictures`, and what happens there."""

    picture: str
    caption: str


class WrongWords(msgspec.Struct, frozen=True):
    """An error that was planted into an instruction: numbers of words, and what was there before."""

    words: tuple[int, ...]
    meant: str = ""


class ExampleTrajectory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One walk of one agent in one case.

    Attributes:
        id: unique in the report: ``BENCHMARK/AGENT/CASE``, with ``@DATA`` after the benchmark where a
            report has one benchmark on several data sets.
        benchmark: whose case.
        data: on what data set, as `Findings.data`.
        agent: who walked.
        case_id: which case.
        pair: the pair of cases that it belongs to; statements may name pairs.
        scan: which scene.
        words: the instruction in pieces, spaces and punctuation included, so that they join to the text.
        wrong: errors that were planted into the instruction.
        steps: the walk.
        reference: the described path.
        led_in: in a tour, the places that the agent was led through before this walk, to its start.
        led_on: in a tour, those that it was led through afterwards.
        goal: where it should end, where that is one place.
        decisive: number of the step at which it went wrong, or which the case asks for; None if none.
        outcome: one line: what became of it.
        succeeded: whether that is right; None where the case does not say.
        trail: where it really was, if it walked in continuous space.
        seen: what it saw at telling moments, if it walked in continuous space.
        film: the key of a short film of it in `ExampleTrajectories.pictures`; empty if there is none.
    """

    id: str
    benchmark: str
    data: str = ""
    agent: str
    case_id: str
    pair: str = ""
    scan: str
    words: tuple[str, ...]
    wrong: tuple[WrongWords, ...] = ()
    steps: tuple[ShownStep, ...]
    reference: tuple[MapPoint, ...] = ()
    led_in: tuple[MapPoint, ...] = ()
    led_on: tuple[MapPoint, ...] = ()
    goal: MapPoint | None = None
    decisive: int | None = None
    outcome: str = ""
    succeeded: bool | None = None
    trail: SpaceTrail | None = None
    seen: tuple[SeenMoment, ...] = ()
    film: str = ""


class FloorMap(msgspec.Struct, frozen=True, kw_only=True):
    """A floor, drawn: an SVG document whose view box holds the places of walks."""

    floor: str
    title: str
    svg: str
    width: float
    height: float


class ExampleTrajectories(msgspec.Struct, frozen=True, kw_only=True):
    """All that a report shows of walks; ``walks.json``.

    Attributes:
        walks: each once, however many statements it shows.
        maps: by `MapPoint.floor`.
        pictures: rendered views as ``data:`` addresses, by key.
    """

    v: Literal[1] = 1
    walks: tuple[ExampleTrajectory, ...] = ()
    maps: dict[str, FloorMap] = msgspec.field(default_factory=dict)
    pictures: dict[str, str] = msgspec.field(default_factory=dict)

    def showing(self, findings: Findings, statement: Statement) -> tuple[ExampleTrajectory, ...]:
        """Return the walks that show a statement of some findings, in the order of its episodes."""
        named = {name: k for k, name in enumerate(statement.episodes)}
        examples = [
            walk
            for walk in self.walks
            if (walk.benchmark, walk.data, walk.agent) == (findings.benchmark, findings.data, statement.agent)
            and (walk.case_id in named or walk.pair in named)
        ]
        return tuple(sorted(examples, key=lambda walk: named.get(walk.case_id, named.get(walk.pair, 0))))

    def save(self, path: str | Path) -> Path:
        """Write a JSON file, all in one line, for there is much of it."""
        return write_json_lines(path, [self])

    @classmethod
    def load(cls, path: str | Path) -> ExampleTrajectories:
        """Read a JSON file."""
        return read_json(path, cls, "walks as `vlnscope diagnose` writes them", "make them again")
