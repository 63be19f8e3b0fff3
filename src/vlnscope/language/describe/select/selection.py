"""Which of the true statements to make: few enough to sound like a person, enough to lead to the goal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.embellishments import embellish
from vlnscope.language.describe.candidates.statements import How, RouteStatement, candidate_statements
from vlnscope.language.describe.candidates.stops import stop_statements
from vlnscope.language.describe.candidates.turns import facing_statements, located_turns, plain_word
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.select.choice import Group, Verbosity, best_chain, pick, words_in
from vlnscope.language.describe.verify.literal_reader import LiteralReader
from vlnscope.language.describe.verify.route_search import NEAR
from vlnscope.types import Floats

ROUNDS = 12
"""How often a plan that leads astray is made anew."""
_BLAME = 4.0
_SLIGHT_UNSAID = 0.4
_SHARP = math.radians(100)
_ONCE_MORE = 0.65
_SQUARE = math.radians(10)


@dataclass(frozen=True, eq=False)
class RouteCandidates:
    """A walk with all that could be said of it; made once for all instructions about the walk.

    Attributes:
        route: the walk.
        to_goal: distance along the graph from every viewpoint to the goal.
    """

    route: RouteIndex
    to_goal: Floats

    @cached_property
    def groups(self) -> dict[Group, tuple[RouteStatement, ...]]:
        """The statements by kind and stretch, those of one group being alternatives of each other."""
        by_group: dict[Group, list[RouteStatement]] = {}
        for statement in (*candidate_statements(self.route), *stop_statements(self.route)):
            room = statement.place is not None and statement.place.what == "room"
            by_group.setdefault((statement.kind, statement.first, statement.last, room), []).append(statement)
        return {group: tuple(statements) for group, statements in by_group.items()}

    @cached_property
    def reader(self) -> LiteralReader:
        """A reader that starts where the walk does."""
        return LiteralReader(self.route)


@dataclass(frozen=True)
class Selection:
    """The statements of an instruction.

    Attributes:
        statements: what is said, in order.
        rivals: walks that end elsewhere and fit it too.
        lost: whether not even the right walk fits it, read literally.
    """

    statements: tuple[RouteStatement, ...]
    rivals: tuple[tuple[int, ...], ...]
    lost: bool

    @property
    def flaws(self) -> int:
        """How bad the plan is; 0 if it leads to the goal and nowhere else."""
        return len(self.rivals) + 100 * self.lost


class Feedback(NamedTuple):
    """What led astray so far: statements, turns left unsaid, turns that could be made elsewhere."""

    blame: dict[RouteStatement, float]
    turns: set[int]
    places: set[int]


def select(candidates: RouteCandidates, rng: np.random.Generator, verbosity: Verbosity) -> Selection:
    """Choose statements for an instruction; another `rng` makes it differ."""
    noise = {group: float(rng.gumbel()) for group in candidates.groups}
    mood = rng.random((3, candidates.route.end + 1))
    feedback = Feedback({}, set(), set())
    best: Selection | None = None
    for attempt in range(ROUNDS):
        chances = rng.random(len(candidates.groups)).tolist()
        picked = {
            group: pick(statements, feedback.blame, chance)
            for (group, statements), chance in zip(candidates.groups.items(), chances, strict=True)
        }
        values = {g: noise[g] + it.worth - feedback.blame.get(it, 0.0) for g, it in picked.items()}
        if verbosity.brevity:
            values = {g: value - verbosity.brevity * words_in(picked[g]) for g, value in values.items()}
        chain = best_chain(candidates.route.end, picked, values, verbosity.size + attempt // 2)
        tried = _judge(candidates, _with_turns(candidates.route, _merged(chain), mood, feedback, verbosity))
        if best is None or tried.flaws < best.flaws:
            best = tried
        if not tried.flaws:
            break
        _learn(candidates.route, chain, tried.rivals, feedback)
    assert best is not None
    return replace(best, statements=embellish(candidates.route, best.statements, rng, verbosity))


def _merged(chain: tuple[RouteStatement, ...]) -> tuple[RouteStatement, ...]:
    """Leave the room out of a stop in the room that was just entered."""
    if len(chain) < 2:
        return chain
    *others, before, stop = chain
    if stop.relation == "in" and stop.place in (before.into, before.place):
        stop = stop._replace(place=None, relation=None)
    return (*others, before, stop)


def _with_turns(
    route: RouteIndex, chain: Sequence[RouteStatement], mood: Floats, feedback: Feedback, verbosity: Verbosity
) -> tuple[RouteStatement, ...]:
    said: list[RouteStatement] = []
    for statement in chain:
        if statement.first < statement.last:
            last = said[-1] if said else None
            said += _turn(route, statement, last, mood[:, statement.first], feedback, verbosity)
            if statement.kind == "go" and said and said[-1].kind == "go" and said[-1].side is None:
                before = said.pop()
                plain = RouteStatement("go", before.first, statement.last, "straight")
                statement = before._replace(last=statement.last) if statement.place == before.place else plain
        said.append(statement)
    return tuple(_again(said, mood))


def _again(said: Sequence[RouteStatement], mood: Floats) -> Iterator[RouteStatement]:
    """Say now and then that a turn goes the same way as the one before."""
    last: Direction | None = None
    for statement in said:
        if statement.kind == "turn":
            same = statement.direction == last and last in ("left", "right") and statement.at is None
            if same and not statement.how and mood[1, statement.first] > _ONCE_MORE:
                statement = statement._replace(how="again")
            last = statement.direction
        yield statement


def _turn(
    route: RouteIndex,
    statement: RouteStatement,
    before: RouteStatement | None,
    mood: Floats,
    feedback: Feedback,
    verbosity: Verbosity,
) -> list[RouteStatement]:
    """Return the turn before a statement, if there is one and it is to be said."""
    step = statement.first
    word = _word(route, statement, float(mood[0]), step in feedback.turns, verbosity.turns)
    if word is None:
        return []
    if before is None and float(mood[1]) > 1.0 - verbosity.faced:
        seen = facing_statements(route, step)
        if seen:
            return [pick(seen, {}, float(mood[2]))]
    if before is not None and (float(mood[1]) < verbosity.places or step in feedback.places):
        places = located_turns(route, step, word, before)
        if places:
            return [pick(places, {}, float(mood[2]))]
    return [RouteStatement("turn", step, step, word, how=_how(route, step, word, before, float(mood[2])))]


def _how(route: RouteIndex, step: int, word: Direction, before: RouteStatement | None, chance: float) -> How:
    if word not in ("left", "right"):
        return ""
    if abs(route.turns[step]) >= _SHARP and chance < 0.3:
        return "sharp"
    if abs(abs(route.turns[step]) - math.pi / 2) <= _SQUARE and chance < 0.04:
        return "square"
    left = before is not None and before.kind in ("enter", "exit", "through") and before.last == step
    return "immediate" if left and chance > 0.9 else ""


def _word(
    route: RouteIndex, statement: RouteStatement, chance: float, forced: bool, share: float
) -> Direction | None:
    word = route.words[statement.first]
    if word == "straight":
        return None
    behind = word == "around" and statement.kind in ("through", "towards", "stop")
    needed = forced or behind or (statement.kind in ("go", "past") and statement.side != "behind")
    if not word.startswith("slight"):
        return word if needed or chance < share else None
    if needed:
        return word if forced or chance > 0.4 else plain_word(route, statement.first)
    if chance > share - _SLIGHT_UNSAID:
        return None
    return word if chance > (share - _SLIGHT_UNSAID) / 2 else plain_word(route, statement.first)


def _judge(candidates: RouteCandidates, statements: tuple[RouteStatement, ...]) -> Selection:
    routes = candidates.reader.read(statements)
    rivals = tuple(rows for rows in routes if candidates.to_goal[rows[-1]] > NEAR)
    return Selection(statements, rivals, len(rivals) == len(routes))


def _learn(
    route: RouteIndex, chain: Sequence[RouteStatement], rivals: Sequence[tuple[int, ...]], feedback: Feedback
) -> None:
    """Hold the statements responsible at which a wrong walk leaves the right one."""
    for rows in rivals:
        step = last_common_step(route.rows, rows)
        feedback.turns.add(step)
        feedback.places.update([k for k in range(step, route.end) if route.words[k] != "straight"][:1])
        for statement in chain:
            leaves = statement.first <= step < statement.last
            if leaves or (statement.kind == "stop" and (step == route.end or len(rows) == step + 1)):
                feedback.blame[statement] = feedback.blame.get(statement, 0.0) + _BLAME / len(rivals)


def last_common_step(rows: Sequence[int], others: Sequence[int]) -> int:
    """Return the last step that two walks from one start have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(rows, others, strict=False))) - 1
