"""Finding the words that are one edit away from a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable


class SpellingIndex:
    """Words that can be looked up by a misspelling: a letter more, less, other, or two swapped.

    Example:
        >>> SpellingIndex(["stairs", "stair", "door"]).of("stiars")
        ('stairs',)
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._by_part: dict[str, list[str]] = {}
        for word in words:
            for part in _shortened(word):
                self._by_part.setdefault(part, []).append(word)

    def of(self, word: str) -> tuple[str, ...]:
        """Return the words that are exactly one edit away from `word`, in alphabetical order."""
        near = {known for part in _shortened(word) for known in self._by_part.get(part, ())}
        return tuple(sorted(known for known in near if _one_edit(word, known)))


def _shortened(word: str) -> set[str]:
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def _one_edit(word: str, known: str) -> bool:
    if len(word) != len(known):
        longer, shorter = sorted((word, known), key=len, reverse=True)
        return len(longer) == len(shorter) + 1 and shorter in _shortened(longer)
    differ = [i for i, (a, b) in enumerate(zip(word, known, strict=True)) if a != b]
    if len(differ) == 2:
        first, second = differ
        return second == first + 1 and word[first] == known[second] and word[second] == known[first]
    return len(differ) == 1
