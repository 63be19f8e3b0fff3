"""Whether a swap happens to stay true where it is said, as far as the scene's layers can tell.

Rooms are checked where a scene has room labels, objects where it has objects: at the steps that the words are
aligned with (`Episode.chunks`), else anywhere on the path. Turns, sides, stairs and colours are checked only
where words are aligned, as those of houses are.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from vlnscope.benchmarks.errors.build.types import Replacement
from vlnscope.benchmarks.errors.build.word_matching import Mention, parsed, sentence_at
from vlnscope.benchmarks.errors.build.words import room_classes
from vlnscope.language.actions import Action, NamedPlace
from vlnscope.language.alignment import words_of
from vlnscope.language.describe.verify.observer import Observer
from vlnscope.language.geometry import CLIMB, relative, side_word, turn_word
from vlnscope.language.lexicon import name_match, object_entry
from vlnscope.types import Episode
from vlnscope.worlds.scene import Scene


def word_steps(episode: Episode, start: int) -> range | None:
    """Return the steps of the path (0 is the start) that the word at a place speaks of, if that is known."""
    sizes = [len(chunk.words) for chunk in episode.chunks]
    text = episode.instruction
    starts = [span.start for _, span in words_of(text)]
    if not sizes or sum(sizes) != len(starts):
        return None
    word = sum(at <= start for at in starts) - 1
    for chunk, size in zip(episode.chunks, sizes, strict=True):
        if word < size:
            first = min(chunk.first_step, len(episode.path))
            return range(first - 1, max(first, min(chunk.last_step, len(episode.path))))
        word -= size
    return None


class Surroundings:
    """What is to be seen along the path of an episode.

    Args:
        scene: where the path is; None if only positions are known, so that nothing can be checked.
        episode: the episode as it is, before any swap.
    """

    def __init__(self, scene: Scene | None, episode: Episode) -> None:
        self._episode = episode
        self._observed: _Observed | None = None
        if scene is not None and len(episode.path) > 1:
            self._observed = _Observed(Observer(scene, episode.path, episode.heading or 0.0))

    def stays_true(self, mention: Mention, new: Replacement, text: str, start: int) -> bool:
        """Return whether `new` in the place of `mention` is true there.

        Args:
            mention: what is replaced.
            new: by what.
            text: the instruction with the new words.
            start: where they begin in it.
        """
        if self._observed is None:
            return False
        steps = word_steps(self._episode, mention.start)
        everywhere = range(len(self._episode.path))
        if mention.what == "room":
            return self._observed.is_room(new.name, everywhere if steps is None else steps)
        if mention.what == "object":
            return self._observed.is_seen(new.name, everywhere if steps is None else steps)
        if steps is None or mention.what not in ("direction", "vertical", "attribute"):
            return False
        return self._observed.is_done(mention, new, text, start, steps)


class _Observed:
    """Checks statements against what an observer sees along a path."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def is_room(self, name: str, steps: range) -> bool:
        """Return whether the path is in a room of a kind at one of the steps."""
        scene = self._observer.scene
        letters = room_classes()[name].letters
        if not letters:
            return self.is_seen(name, steps)
        return scene.has("regions") and any(
            scene.regions.label(self._observer.path[step]) in letters for step in steps
        )

    def is_seen(self, name: str, steps: range) -> bool:
        """Return whether a thing is in sight at one of the steps."""
        seen = (thing.name for step in steps for thing in self._observer.seen(step).values())
        entries = (object_entry(thing) for thing in dict.fromkeys(seen))
        return any(entry is not None and name_match(name, entry) > 0 for entry in entries)

    def is_done(self, mention: Mention, new: Replacement, text: str, start: int, steps: range) -> bool:
        """Return whether the path does what the new words say."""
        sentence, start = sentence_at(text, start)
        parse = parsed(sentence)
        actions = [
            parse.actions[token.action]
            for token in parse.tokens
            if token.action is not None and start <= token.span.start < start + len(new.words)
        ]
        if mention.name in ("go up", "go down") and not any(action.kind == "stairs" for action in actions):
            return True  # up or down a hallway is the same
        return any(self._holds(action, mention, new.words, steps) for action in actions)

    def _holds(self, action: Action, mention: Mention, words: str, steps: range) -> bool:
        if mention.what == "attribute":
            return self._has_colour(action, words, steps)
        if words in ("left", "right"):
            turned = action.direction in (words, f"slight {words}") and self._turns(words, steps)
            return turned or self._on_side(action, words, steps)
        if action.kind == "stairs":
            rise = self._observer.points[steps[-1]][2] - self._observer.points[steps[0]][2]
            return abs(rise) >= CLIMB and (rise > 0) == (action.direction == "up")
        if action.kind in ("enter", "exit") and action.place is not None and action.place.what == "room":
            return self._crosses(action.place.name, steps, outward=action.kind == "exit")
        return False

    def _turns(self, side: str, steps: range) -> bool:
        last = len(self._observer.courses)
        return any(
            turn_word(self._observer.turn(step)) in (side, f"slight {side}") for step in steps if step < last
        )

    def _on_side(self, action: Action, side: str, steps: range) -> bool:
        sided = [place for place in _places(action) if place.side == side or action.side == side]
        for place in sided:
            bare = _bare(place)
            for step in steps:
                for thing in self._observer.alike(step, bare).values():
                    looks = self._observer.headings(step)
                    if side in [side_word(relative(heading, thing.heading)) for heading in looks]:
                        return True
        return False

    def _has_colour(self, action: Action, colour: str, steps: range) -> bool:
        coloured = [_bare(place) for place in _places(action) if colour in place.attributes]
        return any(self._observer.alike(step, place) for place in coloured for step in steps)

    def _crosses(self, room: str, steps: range, *, outward: bool) -> bool:
        inside = [self._observer.is_called(step, room) for step in steps]
        return inside[0] and not inside[-1] if outward else inside[-1] and not inside[0]


def _places(action: Action) -> Sequence[NamedPlace]:
    first = [place for place in (action.place, action.at) if place is not None]
    return [*first, *(other for place in first for _, other in place.relations)]


def _bare(place: NamedPlace) -> NamedPlace:
    return msgspec.structs.replace(place, side=None, relations=(), ordinal=None, count=None)
