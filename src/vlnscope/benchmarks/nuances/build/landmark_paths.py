"""Landmarks in sight of a viewpoint, and the walks that lead towards or past each of them.

Curvature and proximity, for which the paper gives no values:

- *towards*: the landmark is in sight all the way and gets nearer with every step; the walk is at most
  `DETOUR` times as long as the straight line and ends at the viewpoint nearest to the landmark, at most
  `REACHED` from its middle and at most `CLOSER` times as far as it starts;
- *past*: the walk is nearly straight (`STRAIGHT`, `BEND`) and the landmark in sight until it is passed, at
  most `BESIDE` to the side; the landmark is at least `CLEAR` from being abreast of the start and of the end,
  the end is less than `BEYOND` from its middle, and where the walk was not past yet it was not nearly so.

Walks that a stranger would describe so are preferred, and `is_plain` tells them: whoever went towards a
thing has it ahead (`FACING`) at the end; whoever went past it had it ahead at the start, has it behind
(`BEHIND`) at the end and took `LEAST_PAST` metres or more, closely by it (`CLOSELY`) and in the same room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal, NamedTuple

import numpy as np
from shapely import LineString
from shapely import Point as ShapelyPoint

from vlnscope.benchmarks.nuances.build.items import IndexedScene, flat
from vlnscope.benchmarks.nuances.build.placing import LEAST, LOW
from vlnscope.benchmarks.nuances.build.standing import NO_LANDMARKS, is_standing_kind
from vlnscope.language.geometry import ABREAST, heading_to, passing, relative, same_storey
from vlnscope.types import Flags, Floats, Point

Way = Literal["towards", "past"]

FAR, FAR_ESTIMATED = 3.0, 1.5
"""Least metres from the start to a landmark that is to be approached; less where places are
estimates, because REVERIE lists nothing that is farther than 3 m away."""
FARTHEST = 7.0
"""Most metres from the start to a landmark."""
REACHED, CLOSER, DETOUR = 2.5, 0.6, 1.25
BESIDE, CLEAR, BEYOND, STRAIGHT, BEND = 2.0, 0.4, 2.7, 1.1, math.radians(60)
FACING, BEHIND = math.radians(75), math.radians(105)
"""Up to the first angle from the way one walks a thing is clearly ahead, from the second on behind."""
LEAST_PAST = 1.5
CLOSELY, THROUGH = 1.2, 0.3
"""Most metres between a walk past a thing and its side, and least between the walk and its middle."""
NEARLY = 0.5
"""A step may fall so far short of being abreast of a thing and still be taken for a step past it, metres."""
LONGEST = 5
"""Most steps of a walk."""


class LandmarkWalk(NamedTuple):
    """A walk with regard to a thing of the scene."""

    way: Way
    thing: int
    path: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Reach:
    """Where one can get from a viewpoint in a few steps on its floor, and on which way."""

    site: IndexedScene
    start: int
    paths: tuple[tuple[int, ...], ...]
    ends: Floats
    straight: Floats
    metres: Floats

    @classmethod
    def of(cls, site: IndexedScene, start: int) -> Reach:
        """Find the ways from a viewpoint."""
        near = np.flatnonzero(site.graph.distances[start] <= DETOUR * (FARTHEST + BEYOND)).tolist()
        walks = (site.walk(start, end) for end in near if end != start and site.on_storey(start, end))
        paths = tuple(path for path in walks if len(path) <= LONGEST + 1)
        ends = site.places[[path[-1] for path in paths]].reshape(-1, 3)
        straight = np.hypot(*(ends - site.places[start])[:, :2].T)
        return cls(site, start, paths, ends, straight, np.array([site.metres(path) for path in paths]))

    def chosen(self, mask: Flags, cost: Floats) -> Iterator[tuple[int, ...]]:
        """Yield the paths of a mask, the cheapest first."""
        for k in np.argsort(cost, kind="stable").tolist():
            if mask[k]:
                yield self.paths[k]


def landmarks(site: IndexedScene, start: int) -> list[int]:
    """Return the things in sight of a viewpoint that are large, stand on its floor and have a known place."""
    here = site.point(start)
    things = []
    for thing in sorted(site.sights[start]):
        name, centre = site.scene_index.things[thing].name, site.scene_index.things[thing].centre
        if name in NO_LANDMARKS or centre is None or not same_storey(here, centre):
            continue
        if flat(here, centre) <= FARTHEST and _stands(site, start, thing):
            things.append(thing)
    return things


def _stands(site: IndexedScene, start: int, thing: int) -> bool:
    entry = site.scene_index.things[thing]
    if site.clear and site.estimated and not is_standing_kind(entry.name):
        return False
    if entry.box is None or entry.centre is None:  # nobody knows
        return not (site.clear and site.estimated)
    floor = site.point(start)[2] - float(site.scene.heights[start])
    return max(entry.box) >= LEAST and entry.centre[2] - entry.box[2] / 2 - floor <= LOW


def walks_from(site: IndexedScene, start: int, things: Sequence[int]) -> Iterator[LandmarkWalk]:
    """Yield the best walk towards and past each of some landmarks, where there is one."""
    reach = Reach.of(site, start)
    for thing in things if reach.paths else ():
        centre = centre_of(site, thing)
        if flat(site.point(start), centre) >= (FAR_ESTIMATED if site.estimated else FAR):
            yield from _towards(reach, thing, centre)
        yield from _past(reach, thing, centre)


def centre_of(site: IndexedScene, thing: int) -> Point:
    """Return the middle of a landmark."""
    centre = site.scene_index.things[thing].centre
    assert centre is not None  # what is nowhere is no landmark
    return centre


def _towards(reach: Reach, thing: int, centre: Point) -> Iterator[LandmarkWalk]:
    site = reach.site
    apart = np.hypot(*(reach.ends[:, :2] - centre[:2]).T)
    seeing = np.array([thing in site.sights[path[-1]] for path in reach.paths])
    masks = [seeing]
    if site.clear:
        masks.insert(0, seeing & np.array([_faces(site, path, centre) for path in reach.paths]))
    for mask in masks:
        path = next(reach.chosen(mask, apart), ())
        if path and _approaches(site, thing, centre, path):
            yield LandmarkWalk("towards", thing, path)
            return


def _approaches(site: IndexedScene, thing: int, centre: Point, path: tuple[int, ...]) -> bool:
    if site.metres(path) > DETOUR * flat(site.point(path[0]), site.point(path[-1])):
        return False
    away = [flat(site.point(row), centre) for row in path]
    nearer = all(b < a for a, b in pairwise(away))
    in_sight = all(thing in site.sights[row] for row in path)
    return away[-1] <= REACHED and away[-1] <= CLOSER * away[0] and nearer and in_sight


def _past(reach: Reach, thing: int, centre: Point) -> Iterator[LandmarkWalk]:
    here = reach.site.places[reach.start]
    lines, offset = (reach.ends - here)[:, :2], np.array(centre[:2]) - here[:2]
    along = lines @ offset / np.maximum(reach.straight, 1e-9)
    apart = np.hypot(*(reach.ends[:, :2] - centre[:2]).T)
    beside = (along >= CLEAR) & (along <= reach.straight - CLEAR) & (apart < BEYOND)
    mask = beside & (reach.metres <= STRAIGHT * reach.straight)
    site = reach.site
    passes = (path for path in reach.chosen(mask, reach.metres) if _passes(site, thing, centre, path))
    walks = [LandmarkWalk("past", thing, path) for path in (passes if site.clear else islice(passes, 1))]
    yield from sorted(walks, key=lambda walk: not is_plain(site, walk))[:1]


def _passes(site: IndexedScene, thing: int, centre: Point, path: tuple[int, ...]) -> bool:
    here, there = site.point(path[0]), site.point(path[-1])
    short = (
        flat(here, site.point(row)) * (passing(here, site.point(row), centre).along - 1) for row in path[1:-1]
    )
    clear = all(metres >= CLEAR for metres in short)
    in_sight = all(thing in site.sights[row] for row in path[:-1])
    beside = abs(passing(site.point(path[-2]), there, centre).aside) <= BESIDE
    return clear and in_sight and beside and site.sharpest(path) <= BEND


def is_plain(site: IndexedScene, walk: LandmarkWalk) -> bool:
    """Return whether a stranger who sees the walk would say it leads towards, or past, the thing."""
    centre, path = centre_of(site, walk.thing), walk.path
    if walk.way == "towards":
        return _faces(site, path, centre)
    before = abs(relative(site.course(*path[:2]), heading_to(site.point(path[0]), centre)))
    goes_by = before <= FACING and _aside(site, path, centre) >= BEHIND and site.metres(path) >= LEAST_PAST
    return goes_by and _is_close(site, walk)


def _is_close(site: IndexedScene, walk: LandmarkWalk) -> bool:
    """Return whether a walk goes by a thing in its own room, near its side and not across its middle."""
    index, centre = site.scene_index, centre_of(site, walk.thing)
    nearest = min(walk.path, key=lambda row: flat(site.point(row), centre))
    home, room = index.homes[walk.thing], index.regions[nearest]
    if home is not None and room is not None and home != room:
        return False
    line = LineString([site.point(row)[:2] for row in walk.path])
    apart = line.distance(ShapelyPoint(centre[:2]))
    box = index.things[walk.thing].box
    side = min(box[:2]) / 2 if box is not None else 0.0
    return bool(THROUGH <= apart <= CLOSELY + side)


def _faces(site: IndexedScene, path: tuple[int, ...], centre: Point) -> bool:
    return _aside(site, path, centre) <= FACING


def _aside(site: IndexedScene, path: tuple[int, ...], centre: Point) -> float:
    """Return how far from straight ahead a place lies for who has walked a path."""
    return abs(relative(site.course(*path[-2:]), heading_to(site.point(path[-1]), centre)))


def near_passes(site: IndexedScene, walk: LandmarkWalk) -> Iterator[int]:
    """Yield the ends of all steps that leave a walk past a thing and go by the thing, or nearly so."""
    centre = centre_of(site, walk.thing)
    for row in walk.path[:-1]:
        for other in site.ways[row]:
            here, there = site.point(row), site.point(other)
            along, aside = passing(here, there, centre)
            length = flat(here, there)
            if -NEARLY <= along * length <= length + NEARLY and abs(aside) <= ABREAST:
                yield other
