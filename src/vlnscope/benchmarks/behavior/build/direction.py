"""Directions: which neighbours lie in which of six sectors around the agent, and where asking makes sense."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from vlnscope.benchmarks.behavior.build.question import CaseDraft
from vlnscope.benchmarks.behavior.build.templates import DIRECTIONS, Templates, draw, turn_sentences
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.types import Candidate
from vlnscope.worlds.graph.views import VIEW_HEADINGS, snap_heading, wrap_heading
from vlnscope.worlds.scene import Scene

Filters = Literal["paper", "legacy"]
Facing = Literal["view", "exact"]
STEP = 0.8
"""Metres of the shortest step that can be what a direction means."""
LEVEL = 0.4
"""Metres that such a step leads up or down, at most: nobody says “walk forward” for stairs."""
OTHERS = 2
"""Neighbours that must lie elsewhere."""
_ELSEWHERE = {"paper": "two elsewhere", "legacy": "two elsewhere before the first there"}
_SECTORS: Mapping[str, tuple[float, float]] = {
    "forward": (-15.0, 15.0),
    "right": (15.0, 90.0),
    "left": (-90.0, -15.0),
    "back right": (90.0, 165.0),
    "back left": (-165.0, -90.0),
}
_INSIDE: Mapping[str, tuple[float, float]] = {
    "forward": (0.0, 15.0),
    "right": (40.0, 90.0),
    "back right": (115.0, 150.0),
    "backward": (165.0, 180.0),
}
_OUTSIDE: Mapping[str, tuple[float, float]] = {
    "forward": (0.0, 30.0),
    "right": (15.0, 120.0),
    "back right": (70.0, 165.0),
    "backward": (150.0, 180.0),
}
"""Degrees to the side that is meant: where right ways lie clearly, and where no other way may lie."""


def turn_degrees(angle: float) -> float:
    """Return an angle of any size, in radians, as degrees in (-180, 180], right positive.

    Example:
        >>> [round(turn_degrees(math.radians(angle))) for angle in (190, -180, 360, -90)]
        [-170, 180, 0, -90]
    """
    degrees = math.degrees(angle)
    return degrees - 360.0 * math.ceil((degrees - 180.0) / 360.0)


def sector(degrees: float) -> str:
    """Return the direction of an angle in (-180, 180]; sectors include their right (clockwise) end.

    Example:
        >>> [sector(angle) for angle in (15, 16, -15, -165, 165, 180)]
        ['forward', 'right', 'left', 'backward', 'back right', 'backward']
    """
    return next((name for name, (low, high) in _SECTORS.items() if low < degrees <= high), "backward")


def sector_ends(direction: str) -> tuple[float, float]:
    """Return the degrees between which a direction lies, clockwise.

    Example:
        >>> sector_ends("right"), sector_ends("backward")
        ((15.0, 90.0), (165.0, 195.0))
    """
    return _SECTORS.get(direction, (165.0, 195.0))


def lets_through(sectors: Sequence[str], direction: str, filters: Filters) -> bool:
    """Say whether a direction can be asked where the candidates lie in these sectors, in their order.

    ``paper``: one lies there and two lie elsewhere. ``legacy``: two that lie elsewhere come before the first
    that lies there, because the released code stops counting at that one (DIFF-18).

    Example:
        >>> [lets_through(["left", "right", "forward"], "left", way) for way in ("paper", "legacy")]
        [True, False]
    """
    if direction not in sectors:
        return False
    counted = sectors[: sectors.index(direction)] if filters == "legacy" else sectors
    return sum(its != direction for its in counted) >= OTHERS


def is_clear(degrees: Sequence[float], sectors: Sequence[str], direction: str) -> bool:
    """Say whether nobody would take another way for a direction, nor doubt that the right ones lie there.

    Right ways turn by 40° or more from straight ahead (15° or less is forward), after turning around by 30°
    or more; what is less than 115° to a side is a turn to that side for anybody, not one behind. No other
    way lies within 15° to 30° of the sector, where people would still go. So “turn left” is not asked where
    one way leads 85° and another 95° to the left.

    Args:
        degrees: where each way really lies, right positive, seen from the way the walker came.
        sectors: the sector of each by the rule of the key.
        direction: what is asked for.

    Example:
        >>> is_clear([60.0, -90.0, 178.0], ["right", "back left", "backward"], "right")
        True
        >>> is_clear([85.0, 95.0, 178.0], ["right", "back right", "backward"], "right")
        False
    """
    side = -1.0 if "left" in direction else 1.0
    kind = direction.replace("left", "right")
    low, high = _INSIDE[kind]
    near, far = _OUTSIDE[kind]
    for angle, its in zip(degrees, sectors, strict=True):
        turned = angle * side if "right" in kind else abs(angle)
        if not low <= turned <= high if its == direction else near <= turned <= far:
            return False
    return True


def facing(scene: Scene, path: Sequence[str], rule: Facing) -> float:
    """Return where an agent looks that has walked a path of two viewpoints or more.

    ``view``: as MatterSim's agents do, along the middle of the view (a multiple of 30°) in which the last
    viewpoint was closest to the middle. ``exact``: the way it went.
    """
    before, here = path[-2:]
    for candidate in scene.candidates(before):
        if candidate.viewpoint == here:
            exact = rule == "exact"
            return wrap_heading(candidate.heading) if exact else float(VIEW_HEADINGS[candidate.view_index])
    graph = scene.graph  # no edge leads there, or one straight up
    x, y, _ = graph.positions[graph.row(here)] - graph.positions[graph.row(before)]
    way = wrap_heading(math.atan2(x, y))
    return way if rule == "exact" else snap_heading(way)


def _is_step(way: Candidate) -> bool:
    """Say whether a way is long and level enough for “walk forward” once one has turned to it."""
    return way.distance >= STEP and way.distance * abs(math.sin(way.elevation)) < LEVEL


def direction_questions(
    it: Truncation,
    scene: Scene,
    look: float,
    counts: FilterCounts,
    *,
    filters: Filters,
    templates: Templates,
    clear: float | None,
    seed: int,
) -> Iterator[CaseDraft]:
    """Yield a question for each direction that can be asked at the end of a truncated episode.

    Args:
        it: the truncated episode.
        scene: where.
        look: where the walker looks, by the rule of the key.
        counts: counts what is left out.
        filters: which directions can be asked, see `lets_through`.
        templates: what is said.
        clear: where the walker really looks, to leave out what is not clear; None to leave it in.
        seed: of the templates.
    """
    around = scene.candidates(it.end)
    sectors = [sector(turn_degrees(candidate.heading - look)) for candidate in around]
    for direction in DIRECTIONS:
        there = tuple(c.viewpoint for c, its in zip(around, sectors, strict=True) if its == direction)
        if not counts.passes(f"{direction}: a neighbour there", bool(there)):
            continue
        if not counts.passes(
            f"{direction}: {_ELSEWHERE[filters]}", lets_through(sectors, direction, filters)
        ):
            continue
        if clear is not None:
            fair = all(_is_step(c) for c, its in zip(around, sectors, strict=True) if its == direction)
            if not counts.passes(f"{direction}: level steps of {STEP:g} m or more", fair):
                continue
            really = [turn_degrees(candidate.heading - clear) for candidate in around]
            if not counts.passes(f"{direction}: no doubt which way", is_clear(really, sectors, direction)):
                continue
        said = draw(turn_sentences(direction, templates), seed, direction, it.pair)
        yield CaseDraft(it, "direction", direction, said, there, there[:1])
