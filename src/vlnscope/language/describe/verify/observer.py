"""Someone who walks a path and looks: what is there, looked up in the scene's layers afresh.

`truth` compares descriptions with this. Nothing here uses what describing knows of a scene.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from vlnscope.language.actions import NamedPlace
from vlnscope.language.geometry import CLIMB, FLAT, across, heading_to, relative
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.lexicon.sizes import FRAMED, OPINIONS, room_size_words, size_words
from vlnscope.types import Point, SeenObject
from vlnscope.worlds.scene import Scene

MATCHING = "matching"


@cache
def _entries() -> dict[str, str]:
    """Return the entry of the lexicon for each name that an object may have."""
    objects = lexicon().objects
    return {form: name for name, entry in objects.items() for form in entry.forms} | {n: n for n in objects}


class Observer:
    """A walker on a path; steps are numbered from 0."""

    def __init__(self, scene: Scene, path: Sequence[str], heading: float) -> None:
        self.scene = scene
        self.path = tuple(path)
        self.points = [self.spot(node) for node in path]
        self.courses = [heading_to(a, b) for a, b in pairwise(self.points)]
        self.arrivals = [heading, *self.courses]

    def spot(self, node: str) -> Point:
        """Return where a viewpoint is."""
        x, y, z = self.scene.graph.positions[self.scene.graph.row(node)].tolist()
        return x, y, z

    def seen(self, step: int) -> dict[str, SeenObject]:
        """Return the objects in sight at a step by id."""
        return self._seen_from(self.path[step])

    def _seen_from(self, node: str) -> dict[str, SeenObject]:
        things = self.scene.objects.seen.get(node, ()) if self.scene.has("objects") else ()
        return {thing.object_id or f"{node}/{number}": thing for number, thing in enumerate(things)}

    def answers(self, thing: SeenObject, place: NamedPlace) -> bool:
        """Return whether an object has the name and the attributes of a place."""
        name = _entries().get(thing.name)
        if name is None or not lexicon().is_a(name, place.name):
            return False
        framed = ("framed",) if name in FRAMED else ()
        sizes = size_words(name, thing.box)
        return set(place.attributes) <= {*thing.attributes, *sizes, *framed, *OPINIONS, MATCHING}

    def match(self, names: Sequence[str], steps: range) -> bool:
        """Return whether objects in sight have a colour or a material in common."""
        seen = {name: thing for step in steps for name, thing in self.seen(step).items() if name in names}
        return bool(set.intersection(*(set(thing.attributes) for thing in seen.values()))) if seen else False

    def alike(self, step: int, place: NamedPlace) -> dict[str, SeenObject]:
        """Return the objects in sight that have the name and the attributes of a place."""
        return {name: thing for name, thing in self.seen(step).items() if self.answers(thing, place)}

    def region(self, step: int) -> int | None:
        """Return the region of a step."""
        return self.scene.regions.region(self.path[step])

    def is_called(self, step: int, name: str) -> bool:
        """Return whether the room at a step answers to a name."""
        return (self.scene.regions.label(self.path[step]) or "?") in lexicon().rooms[name].letters

    def is_sized(self, region: int, place: NamedPlace) -> bool:
        """Return whether a region is as large as the attributes of a place say."""
        spots = [self.spot(node) for node in self.scene.regions.viewpoints(region)]
        return set(place.attributes) <= set(room_size_words(place.name, spots))

    def home(self, name: str) -> int | None:
        """Return the region of an object: that of the nearest viewpoint that sees it."""
        nearest: tuple[float, int | None] = (math.inf, None)
        for node in self.scene.graph.nodes:
            thing = self._seen_from(node).get(name)
            if thing is not None and (thing.distance or 0.0) < nearest[0]:
                nearest = (thing.distance or 0.0, self.scene.regions.region(node))
        return nearest[1]

    def turn(self, step: int) -> float:
        """Return the turn that the path makes at a step."""
        return relative(self.arrivals[step], self.courses[step])

    def headings(self, step: int) -> list[float]:
        """Return where the walker may look at a step: as he came, or as he goes on."""
        return [self.arrivals[step], *self.courses[step : step + 1]]

    def centre(self, name: str, steps: range) -> Point | None:
        """Return where an object is that is in sight at one of the steps."""
        things = (self.seen(step).get(name) for step in steps)
        return next(
            (thing.centre for thing in things if thing is not None and thing.centre is not None), None
        )

    def within(self, step: int, name: str, reach: float) -> bool:
        """Return whether an object is in sight at a step, and not farther than `reach` if that is known."""
        thing = self.seen(step).get(name)
        return thing is not None and (thing.distance is None or thing.distance <= reach)

    def climbed(self, step: int, *, up: bool) -> bool:
        """Return whether the path has just come to the upper (or lower) end of stairs, not to a landing."""
        rises = [self.points[step][2] - point[2] for point in self.points[max(0, step - 3) : step]]
        came = any(rise >= CLIMB if up else rise <= -CLIMB for rise in rises)
        here, regions = self.points[step], self.scene.regions
        around = [self.path[step], *self.scene.graph.neighbours(self.path[step])]
        floor = (node for node in around if abs(self.spot(node)[2] - here[2]) < FLAT)
        return came and any(regions.label(node) != "s" for node in floor)

    def over(self, step: int, thing: SeenObject) -> bool:
        """Return whether a step is within the outline of an object, seen from above."""
        if thing.centre is None or thing.box is None:
            return False
        off = [abs(self.points[step][axis] - thing.centre[axis]) - thing.box[axis] / 2 for axis in (0, 1)]
        return max(off) <= 0.2

    def meets(self, thing: SeenObject, first: int, last: int) -> bool:
        """Return whether the path touches an opening between two steps."""
        if thing.centre is None or thing.box is None:
            return False
        flat = 0 if thing.box[0] < thing.box[1] else 1
        for a, b in zip(self.points[first:last], self.points[first + 1 : last + 1], strict=True):
            for k in range(21):
                off = [abs(a[axis] + (b[axis] - a[axis]) * k / 20 - thing.centre[axis]) for axis in (0, 1)]
                if off[flat] <= 0.25 and off[1 - flat] <= thing.box[1 - flat] / 2 + 0.15:
                    return True
        return False

    def crosses(self, thing: SeenObject, first: int, last: int) -> bool:
        """Return whether the path goes through an opening, from one side of it to the other."""
        if thing.centre is None or thing.box is None:
            return False
        before, after = (across(thing.box, thing.centre, self.points[step]) for step in (first, last))
        return before * after < 0 and self.meets(thing, first, last)
