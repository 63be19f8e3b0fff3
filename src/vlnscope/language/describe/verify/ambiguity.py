"""A literal reader: finds every walk that fits what was said, so that a describer knows when to say more.

The reader takes each statement at its word (hard conditions, no weighing) and keeps all walks that fit. It is
meant for writing instructions, not for following them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.statements import Clue
from vlnscope.language.describe.route import Walk
from vlnscope.language.describe.verify.ambiguity_search import Pathfinder, Reading
from vlnscope.language.describe.verify.denotation import denoted
from vlnscope.language.describe.verify.literal_readings import WAYS


class Reader:
    """Reads statements in one scene from one start.

    Args:
        walk: the walk that the statements are about; the reader uses its scene, its start and its length.
    """

    def __init__(self, walk: Walk) -> None:
        self._finder = Pathfinder(walk)
        self._right = walk.rows
        self._read: dict[tuple[Clue, ...], list[Reading]] = {}

    def read(self, clues: Sequence[Clue]) -> list[tuple[int, ...]]:
        """Return walks that fit all statements, one per last step."""
        return [reading.rows for reading in self._readings(tuple(clues))]

    def _readings(self, clues: tuple[Clue, ...]) -> list[Reading]:
        """Return what is left after some statements; what begins alike is read once."""
        if not clues:
            return [Reading(self._right[:1])]
        if clues not in self._read:
            found: dict[tuple[tuple[int, ...], Direction | None, float | None], Reading] = {}
            for reading in self._readings(clues[:-1]):
                for after in self._carry_out(clues[-1], reading):
                    key = (after.rows[-2:], after.turn, after.facing)
                    if key not in found or after.rows == self._right[: len(after.rows)]:
                        found[key] = after
            self._read[clues] = list(found.values())
        return self._read[clues]

    def _carry_out(self, clue: Clue, reading: Reading) -> Iterator[Reading]:
        if clue.kind == "turn":
            if clue.at is None or self._finder.is_at(clue.at, reading.rows):
                yield reading._replace(turn=clue.direction)
        elif clue.kind == "face" and clue.place is not None:
            survey, here = self._finder.survey, reading.rows[-1]
            for thing in denoted(survey, clue.place, here, self._finder.arrival(reading.rows)):
                yield reading._replace(facing=survey.sights[here][thing].heading)
        else:
            for rows in WAYS[clue.kind](self._finder, clue, reading):
                yield reading if rows == reading.rows else Reading(rows)
