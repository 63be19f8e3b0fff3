"""What “left”, “around”, “past” and “behind” mean: the geometry that describing and grounding share.

Headings are radians clockwise from +y, as everywhere; a relative angle is positive to the right, in [-π, π).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from vlnscope.language.actions import Direction, Side
from vlnscope.types import Point

STRAIGHT = math.radians(25)
"""Up to here a walker goes straight on."""
SLIGHT = math.radians(55)
"""Up to here a turn is slight."""
AROUND = math.radians(145)
"""From here on a turn is a turn around."""
ABREAST = 3.0
"""How far to the side something may be that a walker passes, metres."""
FLAT = 0.25
"""Steps that rise less are not on stairs, metres."""
CLIMB = 0.8
"""Least change of height of a flight of stairs, metres."""


def relative(heading: float, towards: float) -> float:
    """Return how far to the right of `heading` the heading `towards` is.

    Example:
        >>> round(math.degrees(relative(math.radians(350), math.radians(20))))
        30
    """
    return (towards - heading + math.pi) % math.tau - math.pi


def heading_to(start: Point, end: Point) -> float:
    """Return the heading from one point to another in [0, 2π); 0 if they are above each other."""
    return math.atan2(end[0] - start[0], end[1] - start[1]) % math.tau


def flat_distance(a: Point, b: Point) -> float:
    """Return how far apart two points are, seen from above."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def same_storey(camera: Point, centre: Point) -> bool:
    """Return whether something at `centre` belongs to the storey on which a camera stands."""
    return -2.0 < centre[2] - camera[2] < 1.6


def across(box: Point, centre: Point, point: Point) -> float:
    """Return how far in front of (or, negative, behind) the middle of an opening a point is.

    Args:
        box: extent of the opening; it is thinner than it is wide.
        centre: its middle.
        point: seen from above.
    """
    thin = 0 if box[0] < box[1] else 1
    return point[thin] - centre[thin]


def turn_word(angle: float) -> Direction:
    """Return what people call a turn by a relative angle.

    Example:
        >>> [turn_word(math.radians(a)) for a in (10, -40, 90, 170)]
        ['straight', 'slight left', 'right', 'around']
    """
    size = abs(angle)
    if size <= STRAIGHT:
        return "straight"
    if size >= AROUND:
        return "around"
    if size <= SLIGHT:
        return "slight right" if angle > 0 else "slight left"
    return "right" if angle > 0 else "left"


def side_word(angle: float) -> Side:
    """Return on which side of a walker something at a relative angle is.

    Example:
        >>> [side_word(math.radians(a)) for a in (20, 80, -80, 150)]
        ['ahead', 'right', 'left', 'behind']
    """
    size = abs(angle)
    if size <= math.radians(30):
        return "ahead"
    if size >= AROUND:
        return "behind"
    return "right" if angle > 0 else "left"


class Passing(NamedTuple):
    """How a step from one point to another goes by a third.

    Attributes:
        along: where on the step it is abreast: 0 at the start, 1 at the end, outside [0, 1] if never.
        aside: metres to the right of the line (negative: left).
    """

    along: float
    aside: float


def passing(start: Point, end: Point, point: Point) -> Passing:
    """Return how a step from `start` to `end` goes by `point`, seen from above.

    Example:
        >>> passing((0, 0, 0), (0, 4, 0), (1, 2, 0))
        Passing(along=0.5, aside=1.0)
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    px, py = point[0] - start[0], point[1] - start[1]
    length = math.hypot(dx, dy) or 1e-9
    return Passing((px * dx + py * dy) / length**2, (px * dy - py * dx) / length)
