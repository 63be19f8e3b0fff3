"""Whether a description is true: every statement is checked against the scene, not against how it was made.

This shares with describing only what words mean (`bearings`, `lexicon`, `sizes`); rooms, objects and headings
are looked up afresh, so that a mistake in describing shows up here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from vlnscope.language.describe.describer import Description, GroundedAction, Referent
from vlnscope.language.describe.verify.naming import ABREAST, referent_of, wrong_names
from vlnscope.language.describe.verify.observer import CLIMB, Observer
from vlnscope.language.geometry import STRAIGHT, heading_to, passing, relative, side_word, turn_word
from vlnscope.worlds.scene import Scene

NEAR = 3.0
REACHED = 2.5
TOWARDS = math.radians(45)


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
    found = []
    for number, statement in enumerate(description.statements):
        span = statement.action.span
        words = description.text[span.start : span.end]
        lies = _lies(observer, description, statement)
        found += [f"statement {number} ({statement.action.kind}: {words!r}): {lie}" for lie in lies]
    return (*found, *_misaligned(observer, description))


def _lies(observer: Observer, description: Description, statement: GroundedAction) -> Iterator[str]:
    if not 0 <= statement.first_step <= statement.last_step < len(observer.path):
        yield f"it covers the steps {statement.first_step} to {statement.last_step}"
        return
    yield from wrong_names(observer, description.text, statement)
    if statement.action.kind == "go":
        turned = any(
            other.action.kind in ("turn", "face") and other.first_step == statement.first_step
            for other in description.statements
        )
        yield from _go(observer, statement, turned)
    else:
        yield from _CHECKS[statement.action.kind](observer, statement)


def _turn(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    step, said = statement.first_step, statement.action.direction
    if step >= len(observer.courses):
        yield "there is no step after it"
        return
    word = turn_word(observer.turn(step))
    if word != said and not (word == f"slight {said}" and _only_way(observer, step, str(said))):
        yield f"the path turns {word} ({math.degrees(observer.turn(step)):.0f}°)"
    at = referent_of(statement, statement.action.at)
    if at is None:
        return
    if at.place.what == "room":
        if observer.region(step) not in at.regions:
            yield f"it is not made in the {at.place.name}"
    elif statement.action.at_relation in ("top of", "bottom of"):
        if not observer.climbed(step, up=statement.action.at_relation == "top of"):
            yield "no stairs end here"
    elif not any(observer.within(step, name, NEAR) for name in at.object_ids):
        yield f"the {at.place.name} is not near"


def _only_way(observer: Observer, step: int, side: str) -> bool:
    """Return whether no other way leads to a side."""
    sign = 1 if side == "right" else -1
    others = [
        heading_to(observer.points[step], observer.spot(node))
        for node in observer.scene.graph.neighbours(observer.path[step])
        if node != observer.path[step + 1]
    ]
    return not any(relative(observer.arrivals[step], other) * sign > STRAIGHT for other in others)


def _face(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    referent = referent_of(statement, statement.action.place)
    step = statement.first_step
    for name in referent.object_ids if referent else ():
        thing = observer.seen(step).get(name)
        if thing is None or abs(relative(observer.courses[step], thing.heading)) > STRAIGHT:
            yield f"{name} is not where the path goes on"


def _go(observer: Observer, statement: GroundedAction, turned: bool) -> Iterator[str]:
    first, last = statement.first_step, statement.last_step
    if first == last:
        yield "it goes nowhere"
    away = statement.action.side == "behind"
    for step in range(first + (turned or away), last):
        if abs(observer.turn(step)) > STRAIGHT:
            yield f"the path turns by {math.degrees(observer.turn(step)):.0f}° at step {step}"
    referent = referent_of(statement, statement.action.place)
    if referent is None:
        return
    if away:
        things = [observer.seen(first).get(name) for name in referent.object_ids]
        if not any(t and abs(relative(observer.courses[first], t.heading)) > math.pi / 2 for t in things):
            yield f"the {referent.place.name} is not behind"
    elif any(observer.region(step) not in referent.regions for step in range(first, last + 1)):
        yield f"it is not in the {referent.place.name} all the way"


def _enter(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    yield from _border(observer, statement, starts_inside=False)


def _exit(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    yield from _border(observer, statement, starts_inside=True)
    door = referent_of(statement, statement.action.at)
    if door is not None:
        first, last = statement.first_step, statement.last_step
        things = [observer.seen(first).get(name) for name in door.object_ids]
        if not any(thing and observer.meets(thing, first, last) for thing in things):
            yield f"it does not leave by the {door.place.name}"


def _border(observer: Observer, statement: GroundedAction, *, starts_inside: bool) -> Iterator[str]:
    referent = referent_of(statement, statement.action.place)
    if referent is None or referent.place.what != "room":
        yield "it names no room"
        return
    name = referent.place.name
    for step, inside in ((statement.first_step, starts_inside), (statement.last_step, not starts_inside)):
        called_so = name != "room" and observer.is_called(step, name)
        if (observer.region(step) in referent.regions) != inside or (called_so and not inside):
            yield f"step {step} is {'not ' if inside else ''}in the {name}"


def _through(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    referent = referent_of(statement, statement.action.place)
    first, last = statement.first_step, statement.last_step
    if referent is None:
        yield "it names nothing"
    elif referent.place.what == "room":
        between = [observer.region(step) in referent.regions for step in range(first, last + 1)]
        if between[0] or between[-1] or not any(between):
            yield f"the path does not go through the {referent.place.name}"
    else:
        things = [
            observer.seen(step).get(name) for name in referent.object_ids for step in range(first, last)
        ]
        if not any(thing and observer.crosses(thing, first, last) for thing in things):
            yield f"the path does not go through the {referent.place.name}"


def _towards(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    referent = referent_of(statement, statement.action.place)
    first, last = statement.first_step, statement.last_step
    if referent is None:
        yield "it names nothing"
    elif referent.place.what == "room":
        if observer.region(last) not in referent.regions:
            yield f"it does not end in the {referent.place.name}"
    elif not any(_approached(observer, name, first, last) for name in referent.object_ids):
        yield f"it does not lead to the {referent.place.name}"


def _approached(observer: Observer, name: str, first: int, last: int) -> bool:
    thing = observer.seen(first).get(name)
    if (
        thing is None
        or thing.centre is None
        or abs(relative(observer.courses[first], thing.heading)) > TOWARDS
    ):
        return False
    before, after = (math.dist(observer.points[step][:2], thing.centre[:2]) for step in (first, last))
    return after < before and (after <= REACHED or after <= before - 1.5)


def _past(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    referent = referent_of(statement, statement.action.place)
    sign = {"left": -1, "right": 1}.get(statement.action.side or "", 0)
    asides = _asides(observer, statement, referent)
    if not asides:
        yield "it does not come abreast"
    elif sign and not all(aside * sign > 0 for aside in asides):
        yield "it is passed on the other side"
    if statement.action.relation == "between" and referent is not None:
        others = [referent_of(statement, other) for _, other in referent.place.relations]
        across = [aside for other in others for aside in _asides(observer, statement, other)]
        if not any(a * b < 0 for a in asides for b in across):
            yield "the path does not go between them"


def _asides(observer: Observer, statement: GroundedAction, referent: Referent | None) -> list[float]:
    """Return how far to the right the objects are that come abreast."""
    steps = range(statement.first_step, statement.last_step + 1)
    asides = []
    for name in referent.object_ids if referent else ():
        centre = observer.centre(name, steps)
        for step in steps[:-1] if centre else ():
            assert centre is not None
            along, aside = passing(observer.points[step], observer.points[step + 1], centre)
            if 0 <= along <= 1 and abs(aside) <= ABREAST:
                asides.append(aside)
    return asides


def _stairs(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    rise = observer.points[statement.last_step][2] - observer.points[statement.first_step][2]
    if abs(rise) < CLIMB or (rise > 0) != (statement.action.direction == "up"):
        yield f"the path rises by {rise:.1f} m"


def _stop(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    last, relation = statement.last_step, statement.action.relation
    if last != len(observer.path) - 1:
        yield f"the path does not end at step {last}"
    referent = referent_of(statement, statement.action.place)
    if referent is None:
        return
    name = referent.place.name
    if referent.place.what == "room":
        if observer.region(last) not in referent.regions:
            yield f"it is not in the {name}"
    elif relation in ("top of", "bottom of"):
        if not observer.climbed(last, up=relation == "top of"):
            yield "no stairs end here"
    elif not any(observer.within(last, thing, NEAR) for thing in referent.object_ids):
        yield f"the {name} is not near"
    elif relation in ("in", "on") and not any(
        observer.over(last, observer.seen(last)[thing]) for thing in referent.object_ids
    ):
        yield f"it is not {relation} the {name}"


def _remark(observer: Observer, statement: GroundedAction) -> Iterator[str]:
    step = statement.first_step
    referent = referent_of(statement, statement.action.place)
    if referent is None:
        yield "it names nothing"
    elif referent.place.what == "room":
        if observer.region(step) not in referent.regions:
            yield f"it is not in the {referent.place.name}"
    elif referent.place.side is not None:
        for name in referent.object_ids:
            thing = observer.seen(step).get(name)
            sides = [side_word(relative(h, thing.heading)) for h in observer.headings(step)] if thing else []
            if referent.place.side not in sides:
                yield f"{name} is not {referent.place.side}"


_CHECKS: dict[str, Callable[[Observer, GroundedAction], Iterator[str]]] = {
    "turn": _turn,
    "face": _face,
    "enter": _enter,
    "exit": _exit,
    "through": _through,
    "towards": _towards,
    "past": _past,
    "stairs": _stairs,
    "stop": _stop,
    "remark": _remark,
}


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
