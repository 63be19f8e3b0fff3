"""Which directions are to be followed, and whether the path follows them.

“Left” in “turn left” is a direction, “right” in “right before the door” is none, and a swap is an error only
if the path does what the text says: “turn left” where it bends left, “go up” where it rises.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from vlnscope.benchmarks.errors.build.strict.witnesses import labels_at, may_be
from vlnscope.benchmarks.errors.build.word_matching import Mention, is_sure, parsed, sentence_at
from vlnscope.language.actions import Action, NamedPlace
from vlnscope.language.describe.verify.observer import Observer
from vlnscope.language.geometry import CLIMB
from vlnscope.language.lexicon import lexicon

BEND = 25.0
"""Degrees that a path must bend to make a turn."""
AHEAD = 45.0
"""Degrees up to which a path goes forward."""
OUTDOORS = frozenset("pxy")
PASSAGES = frozenset({"door", "doorway", "archway", "gate", "exit"})
COMMON = frozenset({"wall", "window", "picture", "floor", "mirror", "light", "chair", "plant"})
"""Things that are as likely on the one side as on the other."""
_WALK = r"(?:walk|go|head|step|move|continue|proceed|walking|going|heading|stepping|moving|continuing)"
_AWAY = rf"{_WALK}(?:\s+(?:straight|forward|directly|back))?"
_TURN = r"(?:turn|turning|veer|veering|bear|bearing|curve|angle|turns)"
_SIZE = (
    r"(?:slight|slightly|sharp|sharply|hard|immediate|immediately|quick|first|second|third|next|soft|full)"
)
_TURNS = re.compile(
    rf"(?:\b{_TURN}(?:\s+(?:to\s+(?:the|your)|{_SIZE}))*"
    rf"|\b(?:take|make|taking|making|hang|do)\s+(?:a|an|the|your)(?:\s+{_SIZE})*)\s+$",
    re.IGNORECASE,
)
_WALKS = re.compile(rf"\b{_WALK}(?:\s+{_SIZE}|\s+to\s+(?:the|your))?\s+$", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:on|to|at)\s+(?:the|your)\s+(?:far\s+|immediate\s+)?$", re.IGNORECASE)
_SIDED = re.compile(r"\bthe\s+(?:far\s+)?$", re.IGNORECASE)
_END = re.compile(r"\s*(?:$|[.,;:!?)]|and\b|then\b)", re.IGNORECASE)
_PART = re.compile(r"[\s-]*(?:side|hand)\b", re.IGNORECASE)
_OF = re.compile(r"\s+of\b", re.IGNORECASE)
_TWICE = re.compile(r"\s*(?:again|once more|twice|(?:and|or|/)\s*(?:left|right))\b", re.IGNORECASE)
_REPEATS = re.compile(
    r"\b(?:another|the\s+same|second)\s+(left|right)\b|\b(left|right)\s+again\b", re.IGNORECASE
)
_SIDES = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)
_WALKED = re.compile(rf"\b{_WALK}\b", re.IGNORECASE)
_COUPLED = re.compile(r"\b(?:another|or|and|same|you|just|being)\s+$", re.IGNORECASE)
_HEIGHTS = re.compile(
    r"\b(?:up|down|upstairs|downstairs|top|bottom|above|below|upper|lower|climb|descend|ascend|upwards?|"
    r"downwards?|landing)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:top|bottom)\b", re.IGNORECASE)
_CROSSINGS = re.compile(
    r"\b(?:into|out|enter\w*|exit\w*|leav\w+|through|from|inside|outside|in|door\w*)\b", re.IGNORECASE
)
_MOTION = re.compile(rf"\b{_AWAY}\s+$", re.IGNORECASE)
_STEPS = re.compile(r"\b(?:walk|go|move|step|walking|going|moving)\s+$", re.IGNORECASE)
_STOPS = re.compile(
    r"\b(?:stop|wait|stand|stopping|standing|waiting)(?:\s+(?:just|right))?\s+$", re.IGNORECASE
)


class AlignedPath(NamedTuple):
    """A path and the steps of it that some words speak of; None if that is not known."""

    observer: Observer
    steps: range | None

    @property
    def span(self) -> range:
        """The steps that the words may speak of."""
        return range(len(self.observer.path)) if self.steps is None else self.steps

    def bends(self, side: str) -> bool:
        """Return whether the path turns to a side at the steps, and, if they are known, not to the other."""
        last = len(self.observer.courses)
        turns = [math.degrees(self.observer.turn(step)) for step in self.span if step < last]
        signed = [turn if side == "right" else -turn for turn in turns]
        other = self.steps is not None and any(turn <= -BEND for turn in signed)
        return any(turn >= BEND for turn in signed) and not other

    def rises(self, *, up: bool) -> bool:
        """Return whether the path climbs, or descends, and never the other way."""
        heights = [point[2] for point in self.observer.points]
        gain = max(heights) - heights[0] if up else heights[0] - min(heights)
        against = heights[0] - min(heights) if up else max(heights) - heights[0]
        return gain >= CLIMB / 2 and against < CLIMB / 2


def is_followed(text: str, mention: Mention, course: AlignedPath | None) -> bool:
    """Return whether a direction is one to follow, and the path follows it as far as can be told.

    Args:
        text: the instruction.
        mention: the direction in it.
        course: the path, None if it is not known.

    Example:
        >>> from vlnscope.benchmarks.errors.build.word_matching import directions
        >>> text = "Walk right past the bed. Turn left. Stop right before the door on the left."
        >>> [is_followed(text, mention, None) for mention in directions(text)]
        [False, True, False, False]
    """
    sentence, start = sentence_at(text, mention.start)
    end = start + mention.end - mention.start
    match mention.name:
        case "left" | "right":
            return _side(text, sentence, start, end, mention, course)
        case "go up" | "go down":
            alone = len(_HEIGHTS.findall(sentence)) == 1 and not _ENDS.search(text)
            up = mention.name == "go up"
            return alone and is_sure(text, mention) and (course is None or course.rises(up=up))
        case "into" | "out of":
            return _crossing(sentence, start, end, mention.name, course)
        case "forward":
            plain = _STEPS.search(sentence[:start]) and _END.match(sentence, end)
            return plain is not None and _is_ahead(course)
        case "inside" | "outside":
            return _enclosed(sentence, start, end, mention.name, course)
        case "leftmost" | "rightmost":
            return True
    return False


def _side(
    text: str, sentence: str, start: int, end: int, mention: Mention, course: AlignedPath | None
) -> bool:
    before, after = sentence[:start], sentence[end:]
    if _COUPLED.search(before) or _TWICE.match(after) or _is_repeated(text[mention.end :], mention.name):
        return False
    if _is_linked(sentence, start, end):
        return False
    if _TURNS.search(before) or (_WALKS.search(before) and _END.match(after)):
        return course is None or course.bends(mention.name)
    if not (_BESIDE.search(before) or (_SIDED.search(before) and _PART.match(after))):
        return False
    if _OF.match(after):
        return True
    return _is_beside(sentence, start, mention.name, course)


def _is_linked(sentence: str, start: int, end: int) -> bool:
    """Return whether the sentence has another side that belongs to the same turn: no walk lies between."""
    for match in _SIDES.finditer(sentence):
        between = sentence[end : match.start()] if match.start() >= end else sentence[match.end() : start]
        if match.start() != start and not _WALKED.search(between):
            return True
    return False


def _is_repeated(rest: str, side: str) -> bool:
    """Return whether the text goes on with “… another left” or “… left again”."""
    return any(side in (a.lower(), b.lower()) for a, b in _REPEATS.findall(rest))


def _is_beside(sentence: str, start: int, side: str, course: AlignedPath | None) -> bool:
    """Return whether something distinct is on that side: what is gone through, where the path bends there."""
    for action in parsed(sentence).actions:
        for place in _places(action):
            named = place.side == side and place.span.start <= start < place.span.end
            kept = action.side == side and action.span.start <= start < action.span.end
            if not named and not kept:
                continue
            if place.what == "room" or place.name in PASSAGES:
                goes = action.kind in ("enter", "exit", "through", "towards")
                return goes and course is not None and course.bends(side)
            return place.name not in COMMON
    return False


def _places(action: Action) -> list[NamedPlace]:
    first = [place for place in (action.place, action.at) if place is not None]
    return [*first, *(other for place in first for _, other in place.relations)]


def _room_after(sentence: str, end: int) -> str | None:
    """Return the room whose name stands right after a place of the sentence, by its entry of the lexicon."""
    article = re.compile(r"\s+(?:of\s+)?(?:the|a|your|an)\s+(?:\w+\s+)?", re.IGNORECASE).match(sentence, end)
    if article is None:
        return None
    for at in {article.end(), end + len(re.match(r"\s+(?:of\s+)?\w+\s+", sentence[end:])[0])}:  # type: ignore[index]
        for token in parsed(sentence).tokens:
            if token.span.start == at and token.category == "region" and token.lemma in lexicon().rooms:
                return token.lemma
    return None


def _crossing(sentence: str, start: int, end: int, name: str, course: AlignedPath | None) -> bool:
    """Return whether a named room is walked into or out of, and nothing else is in that sentence."""
    room = _room_after(sentence, end)
    if room in (None, "room", "house", "outdoor", "level", "landing") or not _MOTION.search(sentence[:start]):
        return False
    if len(_CROSSINGS.findall(sentence)) > 1 or course is None or not course.observer.scene.has("regions"):
        return False
    letters = may_be(lexicon().rooms[room or ""].letters)
    path, span = course.observer.path, course.span
    first, last = (labels_at(course.observer.scene, [path[step]]) for step in (span[0], span[-1]))
    inside, outside = (last, first) if name == "into" else (first, last)
    return inside <= letters and not outside & letters


def _is_ahead(course: AlignedPath | None) -> bool:
    if course is None or not course.span or course.span[0] >= len(course.observer.courses):
        return False
    return abs(math.degrees(course.observer.turn(course.span[0]))) <= AHEAD


def _enclosed(sentence: str, start: int, end: int, name: str, course: AlignedPath | None) -> bool:
    """Return whether the walk stops in or before a room, or goes out of doors or in, by the labels."""
    if course is None or not course.observer.scene.has("regions"):
        return False
    scene, path = course.observer.scene, course.observer.path
    if _MOTION.search(sentence[:start]) and _END.match(sentence, end):
        ends = [bool(labels_at(scene, [path[step]]) & OUTDOORS) for step in (course.span[0], course.span[-1])]
        return ends == ([False, True] if name == "outside" else [True, False])
    room = _room_after(sentence, end)
    if not _STOPS.search(sentence[:start]) or room in (None, "room", "house"):
        return False
    letters = may_be(lexicon().rooms[room or ""].letters)
    return bool(labels_at(scene, [path[-1]]) & letters) == (name == "inside")
