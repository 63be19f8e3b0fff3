"""Spiral stairs: treads around a post, a platform at the head, a railing that climbs along the outside.

Seen from above, a spiral stair fills a square. One steps on the first tread from one of its corners, a
quarter of the square that stays free below, and the last tread leads onto a platform over that corner.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import shapely
from shapely import Polygon

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import MeshBuilder
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.plan.plan import XY, XYZ, Stair

POST = 0.06
"""Radius of the post."""
_STEEL = Paint(74, 76, 82)
_WOOD = Paint(176, 134, 92, 1)
_RISER = 0.185
_THICK = 0.045
_RAIL = 0.95


class Spiral(NamedTuple):
    """A spiral stair in numbers.

    Attributes:
        centre: its axis.
        middle, outer: radius of the line that people walk on, and of the treads.
        start: angle of the foot, radians counter-clockwise from +x.
        turn: by how much it turns from foot to head, negative if clockwise.
        low, high: elevations of foot and head.
    """

    centre: XY
    middle: float
    outer: float
    start: float
    turn: float
    low: float
    high: float

    @property
    def treads(self) -> int:
        """How many treads there are; the last riser leads onto the platform."""
        return max(2, round((self.high - self.low) / _RISER)) - 1

    def point(self, angle: float, radius: float) -> XY:
        """Return the place at an angle from the foot on, and a distance from the axis."""
        return (
            self.centre[0] + radius * math.cos(self.start + angle),
            self.centre[1] + radius * math.sin(self.start + angle),
        )

    def tread(self, number: int) -> tuple[float, float, float]:
        """Return where a tread begins and ends, as angles from the foot on, and its elevation."""
        step = self.turn / self.treads
        rise = (self.high - self.low) / (self.treads + 1)
        return number * step, (number + 1) * step, self.low + (number + 1) * rise

    def corner(self) -> XY:
        """Return the corner of the square that is free below and has the platform above."""
        a, b = self.point(self.turn, 1.0), self.point(0.0, 1.0)
        return (
            self.centre[0] + self.outer * _sign(a[0] + b[0] - 2 * self.centre[0]),
            self.centre[1] + self.outer * _sign(a[1] + b[1] - 2 * self.centre[1]),
        )

    def way_out(self) -> XY:
        """Return the direction in which one leaves the platform: against that of the first step."""
        x, y = self.point(0.0, 1.0)
        dx, dy = x - self.centre[0], y - self.centre[1]
        hand = _sign(self.turn)
        return (round(dy * hand, 9) + 0.0, round(-dx * hand, 9) + 0.0)


def _sign(value: float) -> float:
    return 1.0 if value > 0 else -1.0


def spiral_of(stair: Stair) -> Spiral:
    """Return the numbers of a spiral stair."""
    assert stair.centre is not None
    x, y = stair.centre
    points = [stair.runs[0][0], *(head for _, head in stair.runs)]
    angles = [math.atan2(point[1] - y, point[0] - x) for point in points]
    turns = [(b - a + math.pi) % math.tau - math.pi for a, b in pairwise(angles)]
    middle = math.dist(points[0][:2], stair.centre)
    outer = middle + stair.width / 2
    return Spiral(stair.centre, middle, outer, angles[0], sum(turns), points[0][2], points[-1][2])


def spiral_square(stair: Stair) -> Polygon:
    """Return the square of floor that a spiral stair takes."""
    spiral = spiral_of(stair)
    (x, y), r = spiral.centre, spiral.outer
    return shapely.box(x - r, y - r, x + r, y + r)


def spiral_exit(stair: Stair) -> tuple[XY, XY]:
    """Return the edge of the square over which one comes to the foot, and leaves the platform above."""
    spiral = spiral_of(stair)
    (cx, cy), (x, y), (ux, uy) = spiral.centre, spiral.corner(), spiral.way_out()
    if abs(ux) > abs(uy):
        return (x, cy), (x, y)
    return (cx, y), (x, y)


def spiral_places(stair: Stair) -> list[XYZ]:
    """Return where one stands on a spiral stair, from before its foot to behind its head.

    Between lie treads a quarter turn or less apart, and the platform.
    """
    spiral = spiral_of(stair)
    (ax, ay), (bx, by) = spiral_exit(stair)
    ux, uy = spiral.way_out()
    mid = ((ax + bx) / 2, (ay + by) / 2)
    stops = max(2, round(abs(spiral.turn) / math.radians(90)))
    places: list[XYZ] = [(mid[0] + 0.4 * ux, mid[1] + 0.4 * uy, spiral.low)]
    for k in range(stops):
        number = min(round((k + 0.5) / stops * spiral.treads - 0.5), spiral.treads - 1)
        begin, end, z = spiral.tread(number)
        places.append((*spiral.point((begin + end) / 2, spiral.middle), z))
    inside = (mid[0] - 0.5 * spiral.outer * ux, mid[1] - 0.5 * spiral.outer * uy)
    places.append((*inside, spiral.high))
    places.append((places[0][0], places[0][1], spiral.high))
    return [(round(x, 3), round(y, 3), round(z, 4)) for x, y, z in places]


def build_spiral(site: MeshBuilder, stair: Stair) -> None:
    """Build treads, post, platform and railings of a spiral stair."""
    spiral = spiral_of(stair)
    for number in range(spiral.treads):
        _tread(site, stair, spiral, number)
    post = shapes.cylinder(POST, spiral.low, spiral.high + _RAIL, 10)
    site.add(shapes.moved(post, *spiral.centre), _STEEL, "stairs", stair.id)
    _platform(site, stair, spiral)
    _railing(site, stair, spiral)


def _tread(site: MeshBuilder, stair: Stair, spiral: Spiral, number: int) -> None:
    begin, end, z = spiral.tread(number)
    lap = 0.15 * (end - begin)
    corners = [
        spiral.point(begin, POST * 0.7),
        spiral.point(begin, spiral.outer),
        spiral.point((begin + end + lap) / 2, spiral.outer * 1.004),
        spiral.point(end + lap, spiral.outer),
        spiral.point(end + lap, POST * 0.7),
    ]
    outline = corners if spiral.turn > 0 else corners[::-1]
    site.add(shapes.prism(outline, z - _THICK, z), _WOOD, "stairs", stair.id)


def _platform(site: MeshBuilder, stair: Stair, spiral: Spiral) -> None:
    (cx, cy), (x, y) = spiral.centre, spiral.corner()
    sides = (min(cx, x), max(cx, x), min(cy, y), max(cy, y))
    site.box((*sides, spiral.high - 0.08, spiral.high), _WOOD, "stairs", stair.id)


def _railing(site: MeshBuilder, stair: Stair, spiral: Spiral) -> None:
    radius = spiral.outer - 0.04
    tops: list[XYZ] = []
    for number in range(1, spiral.treads):
        begin, end, z = spiral.tread(number)
        x, y = spiral.point((begin + end) / 2, radius)
        site.box((x - 0.011, x + 0.011, y - 0.011, y + 0.011, z, z + _RAIL), _STEEL, "railing", stair.id)
        tops.append((x, y, z + _RAIL))
    site.add(shapes.path(tops, 0.024), _STEEL, "railing", stair.id)
