"""What captions of real scans say against an item: labels and boxes alone do not show what a person sees.

A room is asked for by its label only if captions call it so, and do not call the room here so. An object is
asked for only if captions do not speak of another in a direction where none is listed. Something that a text
has the walker pass must not lie ahead still. Where there are no captions, as in built-in houses, nothing is
left out.
"""

from __future__ import annotations

from functools import lru_cache

from vlnscope.benchmarks.behavior.build.direction import facing
from vlnscope.benchmarks.behavior.build.question import CaseDraft
from vlnscope.benchmarks.behavior.build.room_kinds import will_do
from vlnscope.benchmarks.behavior.build.text_end import MOVES
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.core.exceptions import MissingLayerError
from vlnscope.language.lexicon import lexicon, mentions
from vlnscope.language.parse import parse
from vlnscope.perception.sights.captions import Captions, captions_of, sector_of
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.objects import SECTORS
from vlnscope.worlds.scene import Scene, Scenes

OFTEN = 2
"""How many of the eight captions of a viewpoint must call its room by its label."""


class CaptionWitnesses:
    """Captions of the scenes, where there are any."""

    def __init__(self, scenes: Scenes) -> None:
        self._root = scenes.root if isinstance(scenes, MatterportScenes) else None
        self._scans: dict[str, Captions | None] = {}

    def of(self, scan: str) -> Captions | None:
        """Return the captions of a scan; None where there are none."""
        if scan not in self._scans:
            try:
                self._scans[scan] = captions_of(scan, self._root)
            except MissingLayerError:
                self._scans[scan] = None
        return self._scans[scan]

    def has_passed(self, it: Truncation, scene: Scene) -> bool:
        """Say whether what a text has the walker pass last is behind it, as far as captions tell."""
        captions, passed = self.of(scene.id), passed_last(it.text)
        if captions is None or passed is None:
            return True
        texts = captions.at(it.end)
        if len(texts) != SECTORS:
            return True
        ahead = sector_of(facing(scene, it.path, "exact"))
        return not any(speaks_of(texts[(ahead + k) % SECTORS], passed) for k in (-1, 0, 1))

    def confirm(self, question: CaseDraft, scene: Scene) -> bool:
        """Say whether captions have nothing against a question about an object or a room."""
        captions = self.of(scene.id)
        if captions is None:
            return True
        if question.skill == "object":
            heading = float(dict(question.more)["object_heading"])
            return not speaks_of_another(captions.at(question.truncation.end), question.sub, heading)
        label = dict(question.more)["room"]
        here = room_mentions(captions.at(question.truncation.end), label)
        there = max(room_mentions(captions.at(node), label) for node in question.way[-1:])
        return there >= OFTEN and there > here


def passed_last(text: str) -> str | None:
    """Return the object that a text has the walker pass last; None if its last move is another.

    Example:
        >>> passed_last("Walk in and pass the sofa."), passed_last("Pass the sofa. Go up the stairs.")
        ('sofa', None)
    """
    moves = [action for action in parse(text).actions if action.kind in MOVES]
    if not moves or moves[-1].kind != "past" or moves[-1].place is None:
        return None
    return moves[-1].place.name if moves[-1].place.what == "object" else None


def speaks_of(text: str, name: str) -> bool:
    """Say whether a caption mentions an object by its name of the lexicon or a narrower one.

    Example:
        >>> speaks_of("a room with a coffee table", "table"), speaks_of("a room with a bed", "table")
        (True, False)
    """
    said = (mention.name for mention in mentions(text) if mention.part == "object")
    return any(lexicon().is_a(other, name) for other in said)


def speaks_of_another(texts: tuple[str, ...], name: str, heading: float) -> bool:
    """Say whether captions speak of such an object in a direction well away from where one is listed."""
    if len(texts) != SECTORS:
        return False
    known = {(sector_of(heading) + k) % SECTORS for k in (-1, 0, 1)}
    return any(speaks_of(text, name) for sector, text in enumerate(texts) if sector not in known)


@lru_cache(maxsize=65536)
def _letters(text: str) -> frozenset[str]:
    rooms = lexicon().rooms
    said = {mention.name for mention in mentions(text) if mention.part == "room"}
    return frozenset(letter for name in said if name in rooms for letter in rooms[name].letters)


def room_mentions(texts: tuple[str, ...], label: str) -> int:
    """Return how many captions call a room by a label, or by one that looks the same."""
    return sum(any(will_do(label, letter, clear=True) for letter in _letters(text)) for text in texts)
