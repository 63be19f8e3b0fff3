"""What is shown of a walk: where it went, what was due when, what else could have been done, and the map.

Places are in the units of the map's own view box: a page draws walks over maps without knowing metres.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Place(msgspec.Struct, frozen=True):
    """A viewpoint on the map of its floor."""

    viewpoint: str
    floor: str
    x: float
    y: float


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent could do at a step: go to a place, or (`place` None) stop; with its probability.

    `right` says that the reference goes on there, or that the case counts it as correct.
    """

    place: Place | None
    probability: float | None = None
    right: bool = False
    label: str = ""


class ShownStep(msgspec.Struct, frozen=True, kw_only=True):
    """One place of a walk.

    Attributes:
        place: where.
        heading: where it looked, radians clockwise from +y; None if unknown.
        forced: the agent was led here.
        words: which words of the instruction are due here: numbers of `Walk.words`.
        choices: what could be done here, where the decision was logged.
        picture: the key of a rendered view in `Walks.pictures`; empty if there is none.
    """

    place: Place
    heading: float | None = None
    forced: bool = False
    words: tuple[int, ...] = ()
    choices: tuple[Choice, ...] = ()
    picture: str = ""


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """One walk of one agent in one case.

    Attributes:
        id: unique in the report: ``BENCHMARK/AGENT/CASE``.
        benchmark: whose case.
        agent: who walked.
        case_id: which case.
        scan: which scene.
        words: the instruction in pieces, spaces and punctuation included, so that they join to the text.
        steps: the walk.
        reference: the described path.
        goal: where it should end, where that is one place.
        decisive: number of the step at which it went wrong, or which the case asks for; None if none.
        outcome: one line: what became of it.
        succeeded: whether that is right; None where the case does not say.
    """

    id: str
    benchmark: str
    agent: str
    case_id: str
    scan: str
    words: tuple[str, ...]
    steps: tuple[ShownStep, ...]
    reference: tuple[Place, ...] = ()
    goal: Place | None = None
    decisive: int | None = None
    outcome: str = ""
    succeeded: bool | None = None


class FloorMap(msgspec.Struct, frozen=True, kw_only=True):
    """A floor, drawn: an SVG document whose view box holds the places of walks."""

    floor: str
    title: str
    svg: str
    width: float
    height: float


class Walks(msgspec.Struct, frozen=True, kw_only=True):
    """All that a report shows of walks; ``walks.json``.

    Attributes:
        walks: each once, however many statements it shows.
        maps: by `Place.floor`.
        pictures: rendered views as ``data:`` addresses, by key.
    """

    v: Literal[1] = 1
    walks: tuple[Walk, ...] = ()
    maps: dict[str, FloorMap] = msgspec.field(default_factory=dict)
    pictures: dict[str, str] = msgspec.field(default_factory=dict)
