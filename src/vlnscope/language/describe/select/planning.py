"""Which of the true statements to make: few enough to sound like a person, enough to lead to the goal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.embellishments import adorn
from vlnscope.language.describe.candidates.endings import stops_of
from vlnscope.language.describe.candidates.statements import Clue, How, clues_of
from vlnscope.language.describe.candidates.turns import faces, plain_word, turns_at
from vlnscope.language.describe.route import Walk
from vlnscope.language.describe.select.choice import Group, Manner, best_chain, pick, words_in
from vlnscope.language.describe.verify.ambiguity_search import NEAR
from vlnscope.language.describe.verify.literal_readings import Reader
from vlnscope.types import Floats

ROUNDS = 12
"""How often a plan that leads astray is made anew."""
_BLAME = 4.0
_SLIGHT_UNSAID = 0.4
_SHARP = math.radians(100)
_ONCE_MORE = 0.65
_SQUARE = math.radians(10)


@dataclass(frozen=True, eq=False)
class Outline:
    """A walk with all that could be said of it; made once for all instructions about the walk.

    Attributes:
        walk: the walk.
        to_goal: distance along the graph from every viewpoint to the goal.
    """

    walk: Walk
    to_goal: Floats

    @cached_property
    def groups(self) -> dict[Group, tuple[Clue, ...]]:
        """The statements by kind and stretch, those of one group being alternatives of each other."""
        found: dict[Group, list[Clue]] = {}
        for clue in (*clues_of(self.walk), *stops_of(self.walk)):
            room = clue.place is not None and clue.place.what == "room"
            found.setdefault((clue.kind, clue.first, clue.last, room), []).append(clue)
        return {group: tuple(clues) for group, clues in found.items()}

    @cached_property
    def reader(self) -> Reader:
        """A reader that starts where the walk does."""
        return Reader(self.walk)


@dataclass(frozen=True)
class Plan:
    """The statements of an instruction.

    Attributes:
        clues: what is said, in order.
        rivals: walks that end elsewhere and fit it too.
        lost: whether not even the right walk fits it, read literally.
    """

    clues: tuple[Clue, ...]
    rivals: tuple[tuple[int, ...], ...]
    lost: bool

    @property
    def flaws(self) -> int:
        """How bad the plan is; 0 if it leads to the goal and nowhere else."""
        return len(self.rivals) + 100 * self.lost


class Trouble(NamedTuple):
    """What led astray so far: statements, turns left unsaid, turns that could be made elsewhere."""

    blame: dict[Clue, float]
    turns: set[int]
    places: set[int]


def plan(outline: Outline, rng: np.random.Generator, manner: Manner) -> Plan:
    """Choose statements for an instruction; another `rng` makes it differ."""
    noise = {group: float(rng.gumbel()) for group in outline.groups}
    mood = rng.random((3, outline.walk.end + 1))
    trouble = Trouble({}, set(), set())
    best: Plan | None = None
    for attempt in range(ROUNDS):
        chances = rng.random(len(outline.groups)).tolist()
        picked = {
            group: pick(clues, trouble.blame, chance)
            for (group, clues), chance in zip(outline.groups.items(), chances, strict=True)
        }
        values = {g: noise[g] + clue.worth - trouble.blame.get(clue, 0.0) for g, clue in picked.items()}
        if manner.brevity:
            values = {g: value - manner.brevity * words_in(picked[g]) for g, value in values.items()}
        chain = best_chain(outline.walk.end, picked, values, manner.size + attempt // 2)
        tried = _judge(outline, _with_turns(outline.walk, _merged(chain), mood, trouble, manner))
        if best is None or tried.flaws < best.flaws:
            best = tried
        if not tried.flaws:
            break
        _learn(outline.walk, chain, tried.rivals, trouble)
    assert best is not None
    return replace(best, clues=adorn(outline.walk, best.clues, rng, manner))


def _merged(chain: tuple[Clue, ...]) -> tuple[Clue, ...]:
    """Leave the room out of a stop in the room that was just entered."""
    if len(chain) < 2:
        return chain
    *others, before, stop = chain
    if stop.relation == "in" and stop.place in (before.into, before.place):
        stop = stop._replace(place=None, relation=None)
    return (*others, before, stop)


def _with_turns(
    walk: Walk, chain: Sequence[Clue], mood: Floats, trouble: Trouble, manner: Manner
) -> tuple[Clue, ...]:
    said: list[Clue] = []
    for clue in chain:
        if clue.first < clue.last:
            said += _turn(walk, clue, said[-1] if said else None, mood[:, clue.first], trouble, manner)
            if clue.kind == "go" and said and said[-1].kind == "go" and said[-1].side is None:
                before = said.pop()
                plain = Clue("go", before.first, clue.last, "straight")
                clue = before._replace(last=clue.last) if clue.place == before.place else plain
        said.append(clue)
    return tuple(_again(said, mood))


def _again(said: Sequence[Clue], mood: Floats) -> Iterator[Clue]:
    """Say now and then that a turn goes the same way as the one before."""
    last: Direction | None = None
    for clue in said:
        if clue.kind == "turn":
            same = clue.direction == last and clue.at is None and clue.direction in ("left", "right")
            if same and not clue.how and mood[1, clue.first] > _ONCE_MORE:
                clue = clue._replace(how="again")
            last = clue.direction
        yield clue


def _turn(
    walk: Walk, clue: Clue, before: Clue | None, mood: Floats, trouble: Trouble, manner: Manner
) -> list[Clue]:
    """Return the turn before a statement, if there is one and it is to be said."""
    step = clue.first
    word = _word(walk, clue, float(mood[0]), step in trouble.turns, manner.turns)
    if word is None:
        return []
    if before is None and float(mood[1]) > 1.0 - manner.faced:
        seen = faces(walk, step)
        if seen:
            return [pick(seen, {}, float(mood[2]))]
    if before is not None and (float(mood[1]) < manner.places or step in trouble.places):
        places = turns_at(walk, step, word, before)
        if places:
            return [pick(places, {}, float(mood[2]))]
    return [Clue("turn", step, step, word, how=_how(walk, step, word, before, float(mood[2])))]


def _how(walk: Walk, step: int, word: Direction, before: Clue | None, chance: float) -> How:
    if word not in ("left", "right"):
        return ""
    if abs(walk.turns[step]) >= _SHARP and chance < 0.3:
        return "sharp"
    if abs(abs(walk.turns[step]) - math.pi / 2) <= _SQUARE and chance < 0.04:
        return "square"
    left = before is not None and before.kind in ("enter", "exit", "through") and before.last == step
    return "immediate" if left and chance > 0.9 else ""


def _word(walk: Walk, clue: Clue, chance: float, forced: bool, share: float) -> Direction | None:
    word = walk.words[clue.first]
    if word == "straight":
        return None
    behind = word == "around" and clue.kind in ("through", "towards", "stop")
    needed = forced or behind or (clue.kind in ("go", "past") and clue.side != "behind")
    if not word.startswith("slight"):
        return word if needed or chance < share else None
    if needed:
        return word if forced or chance > 0.4 else plain_word(walk, clue.first)
    if chance > share - _SLIGHT_UNSAID:
        return None
    return word if chance > (share - _SLIGHT_UNSAID) / 2 else plain_word(walk, clue.first)


def _judge(outline: Outline, clues: tuple[Clue, ...]) -> Plan:
    walks = outline.reader.read(clues)
    rivals = tuple(rows for rows in walks if outline.to_goal[rows[-1]] > NEAR)
    return Plan(clues, rivals, len(rivals) == len(walks))


def _learn(walk: Walk, chain: Sequence[Clue], rivals: Sequence[tuple[int, ...]], trouble: Trouble) -> None:
    """Hold the statements responsible at which a wrong walk leaves the right one."""
    for rows in rivals:
        step = parting(walk.rows, rows)
        trouble.turns.add(step)
        trouble.places.update([k for k in range(step, walk.end) if walk.words[k] != "straight"][:1])
        for clue in chain:
            leaves = clue.first <= step < clue.last
            if leaves or (clue.kind == "stop" and (step == walk.end or len(rows) == step + 1)):
                trouble.blame[clue] = trouble.blame.get(clue, 0.0) + _BLAME / len(rivals)


def parting(rows: Sequence[int], others: Sequence[int]) -> int:
    """Return the last step that two walks from one start have in common."""
    shared = 0
    for a, b in zip(rows, others, strict=False):
        if a != b:
            break
        shared += 1
    return shared - 1
