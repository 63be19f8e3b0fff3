"""What stands around a name: the word that governs it, its article, its modifiers, what follows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from vlnscope.language.lexicon import lexicon
from vlnscope.language.lexicon.entries import read_words

ARTICLES = frozenset(
    {
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "your",
        "another",
        "each",
        "every",
        "any",
        "some",
        "both",
        "its",
        "their",
        "his",
        "her",
    }
)
MOST_MODIFIERS = 4
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_ALIKE_VERBS = frozenset(
    {
        "WALK",
        "CONTINUE",
        "TURN",
        "FACE",
        "PASS",
        "ENTER",
        "EXIT",
        "CROSS",
        "FOLLOW",
        "STOP",
        "REACH",
        "SEE",
        "TOWARDS",
        "INTO",
        "ONTO",
        "THROUGH",
    }
)
_LONGEST = 4
_WITH_NEXT = frozenset({"of", "to", "from"})


class Context(NamedTuple):
    """What stands around a name.

    Attributes:
        governor: the preposition or the verb that the name belongs to: “into”, “end of”, ``EXIT`` for all
            verbs of leaving; “and” where it is one of several; "" at the start of a sentence.
        article: “the”, “a”, “your” …; "" if there is none.
        modifiers: the words between it and the name.
        after: the next word or mark of punctuation, in lower case; "" at the end of the text.
        before: the character that touches the name, if it is no space.
    """

    governor: str
    article: str
    modifiers: tuple[str, ...]
    after: str
    before: str = ""


def context(text: str, start: int, end: int) -> Context:
    """Return what stands around ``text[start:end]``.

    Example:
        >>> context("Walk out of the large kitchen and stop.", 22, 29)
        Context(governor='out of', article='the', modifiers=('large',), after='and', before='')
    """
    words = [match[0].lower() for match in _WORD.finditer(text, 0, start)]
    modifiers: list[str] = []
    while words and len(modifiers) <= MOST_MODIFIERS and not _is_border(words[-1]):
        modifiers.insert(0, words.pop())
    article = words.pop() if words and words[-1] in ARTICLES else ""
    follows = _WORD.search(text, end)
    touches = text[start - 1 : start].strip()
    return Context(
        _governor(words), article, tuple(modifiers), follows[0].lower() if follows else "", touches
    )


def _is_border(word: str) -> bool:
    return word in ARTICLES or word in _governors() or not word[0].isalnum()


def _governor(words: Sequence[str]) -> str:
    """Return what the last words are as a governor, the longest that is known."""
    if not words or words[-1] in ".!?;:":
        return ""
    for size in range(min(_LONGEST, len(words)), 0, -1):
        known = _governors().get(" ".join(words[-size:]))
        if known is not None and not (size == 1 and words[-1] in _WITH_NEXT):
            return known
    if words[-1] in ("of", "from") and len(words) > 1:
        return f"{words[-2]} {words[-1]}"
    return "and" if words[-1] in ("and", "or", ",", "&", "/") else words[-1]


@cache
def _governors() -> Mapping[str, str]:
    """Return every word and phrase that may govern a name, and how it is counted."""
    known: dict[str, str] = {}
    for terminal, entry in read_words("paths").entries.items():
        for form in entry.forms:
            known.setdefault(form, terminal if terminal in _ALIKE_VERBS else form)
    small = ("BE", "AND", "HAVE", "WILL", "THEN", "YOU", "IT", "PLACED", "THAT", "THERE")
    for terminal in small:
        for form in lexicon().words[terminal].forms:
            known.setdefault(form, form)
    for word in ("open", "opening", "bottom", "close", "rest", "round", "first", "next", "form"):
        known.pop(word, None)
    return known


_PARTS = frozenset(
    {
        "side",
        "sides",
        "end",
        "ends",
        "edge",
        "front",
        "back",
        "top",
        "bottom",
        "middle",
        "center",
        "centre",
        "length",
        "border",
        "foot",
        "base",
        "step",
        "steps",
        "set",
        "way",
        "hand",
        "opening",
        "entrance",
        "line",
        "piece",
        "area",
        "stand",
        "using",
        "first",
        "one",
        "ones",
        "other",
    }
)
"""Words that make another name of the name before them."""
_CLOSING = frozenset('.,;:!?)"')


@cache
def _followers() -> frozenset[str]:
    """Return the words that a name may end before."""
    forms = {word for entry in lexicon().words.values() for form in entry.forms for word in form.split()[:1]}
    return frozenset(forms - _PARTS)


def is_whole(around: Context) -> bool:
    """Return whether a name stands for itself and is no part of a longer one or of a list by strokes.

    Example:
        >>> is_whole(context("Pass the kitchen table.", 9, 16)), is_whole(context("Pass the kitchen.", 9, 16))
        (False, True)
    """
    after = around.after
    return not around.before and (not after or after in _CLOSING or after in _followers())
