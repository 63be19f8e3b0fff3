"""The strict filters, asked in order and counted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vlnscope.benchmarks.errors.build.still_true import word_steps
from vlnscope.benchmarks.errors.build.strict.context import Context, context, is_whole
from vlnscope.benchmarks.errors.build.strict.directions import OUTDOORS, AlignedPath, is_followed
from vlnscope.benchmarks.errors.build.strict.likeness import kin, likeness, may_show
from vlnscope.benchmarks.errors.build.strict.plausible import NewName, agrees
from vlnscope.benchmarks.errors.build.strict.selection import Kind, fits
from vlnscope.benchmarks.errors.build.strict.witnesses import (
    Witnesses,
    is_named,
    labels_around,
    labels_at,
    may_be,
    near,
    unclear_labels,
)
from vlnscope.benchmarks.errors.build.swaps import Edit, reword
from vlnscope.benchmarks.errors.build.types import Replacement
from vlnscope.benchmarks.errors.build.word_matching import Mention, is_sure, sentence_at
from vlnscope.benchmarks.errors.build.words import room_classes
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.language.describe.verify.observer import Observer
from vlnscope.types import Episode
from vlnscope.worlds.scene import Scene

DESCRIBED = frozenset(
    {
        "with",
        "of",
        "that",
        "which",
        "that's",
        "whose",
        "where",
        "hanging",
        "containing",
        "full",
        "covered",
        "filled",
        "made",
        "shaped",
        "around",
    }
)
"""Words after an object that go on to say what it is like."""
LISTED = frozenset({"and", "between", "in between", "", "where", "when", "you", "so"})
"""Governors that say nothing about what follows, or that join it to another name."""
_HUNG = re.compile(
    r"\s+(?:against|along)\s+(?:the|a|your)\s+(?:\w+\s+)?wall"
    r"|\s+(?:on|at|under|above|over)\s+(?:top\s+of\s+)?(?:the|a|your)\s+"
    r"(?!(?:\w+\s+)?(?:left|right|side|end)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.,;!?]*")
_ROOM_WITH = re.compile(
    r"\b(?:room|rooms|bedroom|kitchen|area|hallway|hall|office|bathroom)\s+with\b[^.,;]*$", re.IGNORECASE
)
_STAIRS = re.compile(r"\b(?:stair\w*|steps?)\b", re.IGNORECASE)
_LANDINGS = frozenset("s")
DEPICTIONS = frozenset({"picture", "photo", "statue", "sign", "screen", "rug"})


class StrictFilters:
    """Lets swaps through that are grammatical, natural and wrong for one episode.

    Args:
        episode: as it is, before any swap.
        scene: where it takes place; None if that is not known.
        witnesses: what is to be seen there; None if that is not known.
        counts: counts what each filter leaves out.
    """

    def __init__(
        self,
        episode: Episode,
        scene: Scene | None,
        witnesses: Witnesses | None,
        counts: FilterCounts,
    ) -> None:
        self._episode = episode
        self._text = episode.instruction
        self._scene = scene
        self._witnesses = witnesses
        self._counts = counts
        self._observer: Observer | None = None
        if scene is not None and len(episode.path) > 1:
            self._observer = Observer(scene, episode.path, episode.heading or 0.0)

    def spots(self, mentions: Sequence[Mention]) -> list[Mention]:
        """Return the mentions, all of one kind, that can be made wrong."""
        kept = list(mentions)
        for name, concerned, test in (
            ("directions that are to be followed", ("direction",), self._is_direction),
            ("names that stand for themselves, once", ("room", "object"), self._is_name),
            ("rooms that the labels know", ("room",), self._is_known_room),
        ):
            if kept and kept[0].what in concerned:
                kept = self._counts.keep(name, kept, test)
        return kept

    def lets(self, mention: Mention, new: Replacement) -> bool:
        """Return whether a swap is let through."""
        if mention.what not in ("room", "object"):
            return True
        for name, test in (
            ("swaps that the text does not name elsewhere", self._is_new),
            ("swaps that people say there", self._is_said),
            ("swaps that nothing says are there", self._is_absent),
        ):
            if not self._counts.passes(name, test(mention, new)):
                return False
        return True

    def agree(self, swaps: Sequence[tuple[Mention, Replacement]]) -> bool:
        """Return whether all swaps of one text agree with each other and with the words that stay."""
        ordered = sorted(swaps, key=lambda swap: swap[0].start)
        made = reword(self._text, [Edit(old.start, old.end, new.words) for old, new in ordered])
        planted = [
            NewName(Mention(put.start, put.end, old.what, new.name, old.plural), old.name)
            for (old, new), put in zip(ordered, made.swaps, strict=True)
            if old.what in ("room", "object")
        ]
        if not planted:
            return True
        labels: frozenset[str] = frozenset()
        if self._scene is not None and self._scene.has("regions"):
            where = [node for old, _ in ordered if old.what == "object" for node in self._there(old)]
            labels = labels_at(self._scene, where)
        return self._counts.passes(
            "swaps that the rest of the text agrees with", agrees(made.text, planted, labels)
        )

    def _course(self, mention: Mention) -> AlignedPath | None:
        if self._observer is None:
            return None
        return AlignedPath(self._observer, word_steps(self._episode, mention.start))

    def _is_direction(self, mention: Mention) -> bool:
        return is_followed(self._text, mention, self._course(mention))

    def _is_name(self, mention: Mention) -> bool:
        around = context(self._text, mention.start, mention.end)
        if not is_whole(around) or around.governor in LISTED or not is_sure(self._text, mention):
            return False
        if mention.what == "object" and (around.governor == "on" or self._is_described(mention, around)):
            return False
        rest = self._text[: mention.start] + " . " + self._text[mention.end :]
        return not is_named(rest, mention.name)

    def _is_described(self, mention: Mention, around: Context) -> bool:
        """Return whether more is said of an object, or of what it belongs to, that fits it alone."""
        clause = _CLAUSE.match(self._text, mention.end)
        depicts = mention.name in DEPICTIONS and clause is not None and " of " in clause[0]
        held = around.governor == "with" and not _ROOM_WITH.search(self._text[: mention.start])
        hung = _HUNG.match(self._text, mention.end) is not None
        return around.after in DESCRIBED or depicts or held or hung

    def _is_known_room(self, mention: Mention) -> bool:
        """Return whether a room is where the text says; where labels disagree, they cannot show an error."""
        letters = room_classes()[mention.name].letters
        if self._scene is None or not letters or not self._scene.has("regions"):
            return True
        return bool(labels_around(self._scene, self._places(mention)) & may_be(letters))

    def _places(self, mention: Mention) -> list[str]:
        """Return the viewpoints that a mention may speak of: its steps, one before and one after."""
        path = self._episode.path
        steps = word_steps(self._episode, mention.start) or range(len(path))
        return list(path[max(0, steps[0] - 1) : steps[-1] + 2])

    def _there(self, mention: Mention) -> list[str]:
        """Return the viewpoints that a mention speaks of, as far as that is known."""
        path = self._episode.path
        return [path[step] for step in word_steps(self._episode, mention.start) or range(len(path))]

    def _is_new(self, mention: Mention, new: Replacement) -> bool:
        rest = self._text[: mention.start] + " . " + self._text[mention.end :]
        return not is_named(rest, new.name)

    def _is_said(self, mention: Mention, new: Replacement) -> bool:
        around = context(self._text, mention.start, mention.end)
        kind: Kind = "room" if mention.what == "room" else "object"
        if not fits(kind, new.name, around, plural=mention.plural):
            return False
        sentence, _ = sentence_at(self._text, mention.start)
        return mention.name != "hallway" or not _STAIRS.search(sentence)

    def _is_absent(self, mention: Mention, new: Replacement) -> bool:
        if mention.what == "room":
            return self._is_absent_room(mention, new)
        if kin(mention.name, new.name) or new.name in likeness().slight:
            return False
        if self._scene is None or self._witnesses is None:
            return new.name not in likeness().everywhere
        if not self._witnesses.complete and self._is_usual(mention, new.name):
            return False
        if new.name in likeness().outdoors and not self._is_outdoors(mention):
            return False
        around = near(self._scene, self._there(mention)).union(self._places(mention))
        seen = {name for viewpoint in around for name in self._witnesses.objects(self._scene, viewpoint)}
        return not any(may_show(new.name, name) for name in seen)

    def _is_usual(self, mention: Mention, name: str) -> bool:
        """Return whether a thing is likely where it is named, though nothing lists it."""
        if name in likeness().everywhere:
            return True
        scene = self._scene
        if scene is None or not scene.has("regions"):
            return False
        labels = labels_at(scene, self._there(mention))
        return any(name in likeness().usual.get(label, ()) for label in labels)

    def _is_outdoors(self, mention: Mention) -> bool:
        scene = self._scene
        if scene is None or not scene.has("regions"):
            return True
        return bool(labels_at(scene, self._places(mention)) & OUTDOORS)

    def _is_absent_room(self, mention: Mention, new: Replacement) -> bool:
        letters = room_classes()[new.name].letters
        if not letters:
            return False
        if self._scene is None or not self._scene.has("regions"):
            return True
        taken = may_be(letters) | (_LANDINGS if new.name == "hallway" else frozenset())
        places = self._places(mention)
        here = labels_at(self._scene, places)
        if here & unclear_labels() or labels_around(self._scene, places) & taken:
            return False
        return not self._shows_signs(mention, new.name)

    def _shows_signs(self, mention: Mention, room: str) -> bool:
        """Return whether something that a room is known by is seen where it is named, or mostly around there.

        Labels draw one border through an open plan; whoever stands there sees both rooms.
        """
        if self._scene is None or self._witnesses is None or self._witnesses.complete:
            return False
        signs = likeness().signs.get(room, frozenset())
        around, there = self._places(mention), self._there(mention)
        shown = {each for each in around if self._witnesses.objects(self._scene, each) & signs}
        if 2 * len(shown) >= len(around):
            return True
        aligned = word_steps(self._episode, mention.start) is not None
        said = any(self._witnesses.says_room(self._scene, each, room) for each in there)
        return said or (aligned and any(each in shown for each in there))
