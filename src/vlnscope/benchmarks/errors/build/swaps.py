"""Putting other words in: casing, number and a/an kept right, and exactly known what was changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.language.names import takes_an

_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)


class Edit(NamedTuple):
    """Characters ``text[start:end]`` that become `new`."""

    start: int
    end: int
    new: str


class Swapped(NamedTuple):
    """Words that were put in.

    Attributes:
        old: what stood there.
        new: what stands there now.
        start, end: where it stands in the new text.
    """

    old: str
    new: str
    start: int
    end: int


class Reworded(NamedTuple):
    """A text after edits.

    Attributes:
        text: the new text.
        swaps: the edits, in the order of the text.
        agreed: articles that had to follow (an office, a kitchen), in the order of the text.
    """

    text: str
    swaps: tuple[Swapped, ...]
    agreed: tuple[Swapped, ...]


def reword(text: str, edits: Sequence[Edit]) -> Reworded:
    """Apply edits that do not overlap; new words take the casing of the old, articles before them follow.

    Example:
        >>> made = reword("Leave an office.", [Edit(9, 15, "kitchen")])
        >>> made.text, made.swaps[0].new, made.agreed[0].new
        ('Leave a kitchen.', 'kitchen', 'a')
    """
    planned: list[tuple[Edit, bool]] = []
    for edit in sorted(edits):
        article = _article(text, edit)
        planned += [(article, True)] if article else []
        planned.append((edit, False))
    swaps: list[Swapped] = []
    agreed: list[Swapped] = []
    reworded, done = "", 0
    for edit, follows in planned:
        old = text[edit.start : edit.end]
        reworded += text[done : edit.start]
        new = cased_like(old, edit.new)
        swap = Swapped(old, new, len(reworded), len(reworded) + len(new))
        (agreed if follows else swaps).append(swap)
        reworded += new
        done = edit.end
    return Reworded(reworded + text[done:], tuple(swaps), tuple(agreed))


def cased_like(old: str, new: str) -> str:
    """Return `new` in capitals, with a capital, or as it is, as `old` is written.

    Example:
        >>> cased_like("LEFT", "right"), cased_like("Kitchen", "living room"), cased_like("tv", "sofa")
        ('RIGHT', 'Living room', 'sofa')
    """
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _article(text: str, edit: Edit) -> Edit | None:
    """Return the edit of an article that no longer fits; one that did not fit before is left alone."""
    before = _ARTICLE.search(text[: edit.start])
    if before is None or takes_an(text[edit.start : edit.end]) != (before[1].lower() == "an"):
        return None
    if takes_an(edit.new) == (before[1].lower() == "an"):
        return None
    return Edit(*before.span(1), "an" if takes_an(edit.new) else "a")
