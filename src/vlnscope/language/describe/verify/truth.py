"""Whether a description is true: every statement is checked against the scene, not against how it was made.

This shares with describing only what words mean (`bearings`, `lexicon`, `sizes`); rooms, objects and headings
are looked up afresh, so that a mistake in describing shows up here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vlnscope.language.actions import Relation
from vlnscope.language.describe.describer import Description, GroundedAction, Referent
from vlnscope.language.describe.verify.naming import referent_of, wrong_names
from vlnscope.language.describe.verify.observer import Observer
from vlnscope.language.geometry import (
    ABREAST,
    CLIMB,
    STRAIGHT,
    flat_distance,
    heading_to,
    passing,
    relative,
    side_word,
    turn_word,
)
from vlnscope.types import SeenObject
from vlnscope.worlds.scene import Scene

NEAR = 3.0
REACHED = 2.5
TOWARDS = math.radians(45)
NAMELESS = "it names nothing"


def false_statements(
    scene: Scene, path: Sequence[str], heading: float, description: Description
) -> tuple[str, ...]:
    """Return what a description says that is not so; empty if all of it is true.

    Checked are, per statement and at the steps that it is aligned with: that named objects are in sight,
    answer to name, number and attributes, and that nothing else in sight does; that named rooms are entered,
    left or stayed in; turns, sides, ordinals, stairs, what is passed, approached, walked through and stopped
    at; and that statements, chunks, words and times follow the path from its start to its end.
    """
    observer = Observer(scene, path, heading)
    faults = []
    for number, statement in enumerate(description.statements):
        span = statement.action.span
        words = description.text[span.start : span.end]
        wrong = _wrong(observer, description, statement)
        faults += [f"statement {number} ({statement.action.kind}: {words!r}): {what}" for what in wrong]
    return (*faults, *_misaligned(observer, description))


def _wrong(observer: Observer, description: Description, statement: GroundedAction) -> Iterator[str]:
    first, last = statement.first_step, statement.last_step
    if not 0 <= first <= last < len(observer.path):
        yield f"it covers the steps {first} to {last}"
        return
    yield from wrong_names(observer, description.text, statement)
    turns = (other.first_step for other in description.statements if other.action.kind in ("turn", "face"))
    yield from getattr(_Check(observer, statement, first in turns), statement.action.kind)()


class _Check:
    """One statement held against what an observer sees; a method per kind of action yields what is false.

    Args:
        observer: walks the path.
        statement: what is checked.
        turned: whether a turn was told just before it.
    """

    def __init__(self, observer: Observer, statement: GroundedAction, turned: bool) -> None:
        self.observer, self.statement, self.turned = observer, statement, turned
        self.action = statement.action
        self.first, self.last = statement.first_step, statement.last_step
        self.referent = referent_of(statement, self.action.place)

    @property
    def what(self) -> str:
        """What the place of the statement is: object, room, or nothing."""
        return self.referent.place.what if self.referent else ""

    @property
    def name(self) -> str:
        """The name of the place."""
        return self.referent.place.name if self.referent else ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The objects that the place is."""
        return self.referent.object_ids if self.referent else ()

    def in_room(self, step: int) -> bool:
        """Return whether a step is in the room that the statement names."""
        return self.referent is not None and self.observer.region(step) in self.referent.regions

    def seen(self, step: int) -> list[SeenObject | None]:
        """Return the objects of the place as far as they are in sight of a step."""
        return [self.observer.seen(step).get(name) for name in self.ids]

    def turn(self) -> Iterator[str]:
        step, said, observer = self.first, self.action.direction, self.observer
        if step >= len(observer.courses):
            yield "there is no step after it"
            return
        word = turn_word(observer.turn(step))
        if word != said and not (word == f"slight {said}" and _only_way(observer, step, str(said))):
            yield f"the path turns {word} ({math.degrees(observer.turn(step)):.0f}°)"
        at = referent_of(self.statement, self.action.at)
        if at is not None and at.place.what == "room":
            if observer.region(step) not in at.regions:
                yield f"it is not made in the {at.place.name}"
        elif at is not None:
            yield from self._not_at(step, self.action.at_relation, at)

    def _not_at(self, step: int, relation: Relation | None, referent: Referent) -> Iterator[str]:
        """Check that a step is at an end of stairs, or near an object."""
        if relation in ("top of", "bottom of"):
            if not self.observer.climbed(step, up=relation == "top of"):
                yield "no stairs end here"
        elif not any(self.observer.within(step, name, NEAR) for name in referent.object_ids):
            yield f"the {referent.place.name} is not near"

    def face(self) -> Iterator[str]:
        for name, thing in zip(self.ids, self.seen(self.first), strict=True):
            if thing is None or abs(relative(self.observer.courses[self.first], thing.heading)) > STRAIGHT:
                yield f"{name} is not where the path goes on"

    def go(self) -> Iterator[str]:
        if self.first == self.last:
            yield "it goes nowhere"
        away = self.action.side == "behind"
        for step in range(self.first + (self.turned or away), self.last):
            if abs(self.observer.turn(step)) > STRAIGHT:
                yield f"the path turns by {math.degrees(self.observer.turn(step)):.0f}° at step {step}"
        if away and self.referent:
            course = self.observer.courses[self.first]
            if not any(t and abs(relative(course, t.heading)) > math.pi / 2 for t in self.seen(self.first)):
                yield f"the {self.name} is not behind"
        elif self.referent and not all(self.in_room(step) for step in range(self.first, self.last + 1)):
            yield f"it is not in the {self.name} all the way"

    def enter(self) -> Iterator[str]:
        yield from self._border(starts_inside=False)

    def exit(self) -> Iterator[str]:
        yield from self._border(starts_inside=True)
        door = referent_of(self.statement, self.action.at)
        if door is not None:
            things = [self.observer.seen(self.first).get(name) for name in door.object_ids]
            if not any(thing and self.observer.meets(thing, self.first, self.last) for thing in things):
                yield f"it does not leave by the {door.place.name}"

    def _border(self, *, starts_inside: bool) -> Iterator[str]:
        if self.what != "room":
            yield "it names no room"
            return
        for step, inside in ((self.first, starts_inside), (self.last, not starts_inside)):
            called_so = self.name != "room" and self.observer.is_called(step, self.name)
            if self.in_room(step) != inside or (called_so and not inside):
                yield f"step {step} is {'not ' if inside else ''}in the {self.name}"

    def through(self) -> Iterator[str]:
        first, last = self.first, self.last
        if self.what == "room":
            between = [self.in_room(step) for step in range(first, last + 1)]
            done = any(between) and not between[0] and not between[-1]
        else:
            things = [thing for step in range(first, last) for thing in self.seen(step)]
            done = any(thing and self.observer.crosses(thing, first, last) for thing in things)
        if not done:
            yield f"the path does not go through the {self.name}" if self.referent else NAMELESS

    def towards(self) -> Iterator[str]:
        if self.referent is None:
            yield NAMELESS
        elif self.what == "room":
            if not self.in_room(self.last):
                yield f"it does not end in the {self.name}"
        elif not any(self._approaches(thing) for thing in self.seen(self.first)):
            yield f"it does not lead to the {self.name}"

    def _approaches(self, thing: SeenObject | None) -> bool:
        if thing is None or thing.centre is None:
            return False
        if abs(relative(self.observer.courses[self.first], thing.heading)) > TOWARDS:
            return False
        points = (self.observer.points[self.first], self.observer.points[self.last])
        before, after = (flat_distance(point, thing.centre) for point in points)
        return after < before and (after <= REACHED or after <= before - 1.5)

    def past(self) -> Iterator[str]:
        sign = {"left": -1, "right": 1}.get(self.action.side or "", 0)
        asides = self._asides(self.referent)
        if not asides:
            yield "it does not come abreast"
        elif sign and not all(aside * sign > 0 for aside in asides):
            yield "it is passed on the other side"
        if self.action.relation == "between" and self.referent is not None:
            others = [referent_of(self.statement, other) for _, other in self.referent.place.relations]
            across = [aside for other in others for aside in self._asides(other)]
            if not any(a * b < 0 for a in asides for b in across):
                yield "the path does not go between them"

    def _asides(self, referent: Referent | None) -> list[float]:
        """Return how far to the right the objects are that come abreast."""
        steps, points = range(self.first, self.last + 1), self.observer.points
        centres = (self.observer.centre(name, steps) for name in (referent.object_ids if referent else ()))
        passings = (
            passing(points[step], points[step + 1], centre)
            for centre in centres
            if centre is not None
            for step in steps[:-1]
        )
        return [aside for along, aside in passings if 0 <= along <= 1 and abs(aside) <= ABREAST]

    def stairs(self) -> Iterator[str]:
        rise = self.observer.points[self.last][2] - self.observer.points[self.first][2]
        if abs(rise) < CLIMB or (rise > 0) != (self.action.direction == "up"):
            yield f"the path rises by {rise:.1f} m"

    def stop(self) -> Iterator[str]:
        last, relation = self.last, self.action.relation
        if last != len(self.observer.path) - 1:
            yield f"the path does not end at step {last}"
        if self.referent is None:
            return
        if self.what == "room":
            if not self.in_room(last):
                yield f"it is not in the {self.name}"
            return
        wrong = list(self._not_at(last, relation, self.referent))
        yield from wrong
        over = any(thing and self.observer.over(last, thing) for thing in self.seen(last))
        if not wrong and relation in ("in", "on") and not over:
            yield f"it is not {relation} the {self.name}"

    def remark(self) -> Iterator[str]:
        if self.referent is None:
            yield NAMELESS
        elif self.what == "room":
            if not self.in_room(self.first):
                yield f"it is not in the {self.name}"
        elif (side := self.referent.place.side) is not None:
            headings = self.observer.headings(self.first)
            for name, thing in zip(self.ids, self.seen(self.first), strict=True):
                if not thing or side not in [side_word(relative(h, thing.heading)) for h in headings]:
                    yield f"{name} is not {side}"


def _only_way(observer: Observer, step: int, side: str) -> bool:
    """Return whether no other way leads to a side."""
    sign = 1 if side == "right" else -1
    others = [
        heading_to(observer.points[step], observer.spot(node))
        for node in observer.scene.graph.neighbours(observer.path[step])
        if node != observer.path[step + 1]
    ]
    return not any(relative(observer.arrivals[step], other) * sign > STRAIGHT for other in others)


def _misaligned(observer: Observer, said: Description) -> Iterator[str]:
    """Yield where statements, chunks, words and times do not follow the path."""
    size, reached = len(observer.path), 0
    for number, statement in enumerate(said.statements):
        first, last = statement.first_step, statement.last_step
        if first > reached or last < reached:
            yield f"statement {number} covers {first} to {last} after {reached}"
        reached = max(reached, last)
    if reached != size - 1:
        yield f"the statements end at step {reached}"
    ends = [1, *(chunk.last_step for chunk in said.chunks)]
    if [chunk.first_step for chunk in said.chunks] != ends[:-1] or ends[-1] != size:
        yield f"the chunks cover {[(chunk.first_step, chunk.last_step) for chunk in said.chunks]}"
    if [word.text.lower() for word in said.words] != [word for chunk in said.chunks for word in chunk.words]:
        yield "the chunks have other words than the text"
    if any(said.text[word.span.start : word.span.end] != word.text for word in said.words):
        yield "a word is not where it is said to be"
    steps = [word.step for word in said.words]
    if steps != sorted(steps):
        yield "the words do not follow the steps"
    yield from _mistimed(said, size)


def _mistimed(said: Description, size: int) -> Iterator[str]:
    times = [t for word in said.timed_words for t in (word.start_time or 0.0, word.end_time or 0.0)]
    if times != sorted(times) or [word.word for word in said.timed_words] != [w.text for w in said.words]:
        yield "the words' times do not grow"
    if len(said.step_times) != size or any(b <= a for a, b in pairwise(said.step_times)):
        yield "the steps' times do not grow"
