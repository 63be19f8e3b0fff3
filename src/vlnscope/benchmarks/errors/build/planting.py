"""Planting errors in one instruction: which words, what instead, and the record of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.errors.build.priors import Source
from vlnscope.benchmarks.errors.build.still_true import Surroundings, word_steps
from vlnscope.benchmarks.errors.build.strict.filters import StrictFilters
from vlnscope.benchmarks.errors.build.swaps import Edit, Reworded, Swapped, reword
from vlnscope.benchmarks.errors.build.types import ErrorType, Replacement, mentions, replacements
from vlnscope.benchmarks.errors.build.word_matching import Matching, Mention, has_words, is_sure
from vlnscope.benchmarks.errors.build.word_pieces import WordPieces, word_positions
from vlnscope.benchmarks.errors.build.words import Ingredient
from vlnscope.language.alignment import words_of
from vlnscope.types import Chunk, Episode, InstructionErrors, WordSwap

QUINTILES = 5
APART = 3
"""Words that must stand between two wrong ones of a strict swap, unless a mark of punctuation does."""
Filters = Literal["strict", "paper"]
FILTERS: tuple[Filters, ...] = ("strict", "paper")
_WORD_OR_STOP = re.compile(r"\w+|[.,;:!?]")


class Planting(NamedTuple):
    """How errors are planted.

    Attributes:
        common_sense: draw rooms that adjoin and objects that share a room, by how often they do.
        priors: where that was counted.
        matching: how directions and rooms are found.
        pieces: gives positions of word-pieces; None: positions are those of words.
        filters: ``strict`` lets only natural swaps through that are wrong for the path, ``paper`` all that
            the paper's rule makes and that do not happen to stay true.
    """

    common_sense: bool
    priors: Source
    matching: Matching
    pieces: WordPieces | None
    filters: Filters = "strict"


@dataclass
class SwapCounts:
    """How many swaps were drawn, and how many of them stayed true where they are said."""

    drawn: int = 0
    true: int = 0


class Planted(NamedTuple):
    """A wrong instruction: the episode with it, and the fifth of the text (1 to 5) of its first error."""

    episode: Episode
    quintile: int


def can_hold(text: str, error: ErrorType, how: Planting) -> bool:
    """Return whether a text has all the words that a type of error needs."""
    return all(
        has_words(text, what, how.matching)
        if what in ("direction", "room")
        else bool(mentions(text, what, how.matching))
        for what in error.ingredients
    )


def plant(
    episode: Episode,
    error: ErrorType,
    around: Surroundings,
    how: Planting,
    rng: np.random.Generator,
    tally: SwapCounts,
    strict: StrictFilters | None = None,
) -> Planted | None:
    """Return an episode whose instruction has one wrong word of each ingredient; None if there is no way.

    Mentions that the parser is sure of come first, in random order; what is put in is drawn by its weight,
    again if it would stay true at that place. `strict` filters leave out what would not be natural or wrong;
    with them, other mentions are tried for the first ingredients if the last has no way.
    """
    search = _Search(episode.instruction, around, how, rng, tally, strict)
    chosen = next(search.ways(error.ingredients, ()), None)
    if chosen is None:
        return None
    reworded = reword(episode.instruction, [edit for _, _, edit in chosen])
    return Planted(_recorded(episode, error, [m for m, _, _ in chosen], reworded, how), _quintile(reworded))


_Swap = tuple[Mention, Replacement, Edit]
_Chosen = tuple[_Swap, ...]


@dataclass(frozen=True)
class _Search:
    """The ways to make one text wrong."""

    text: str
    around: Surroundings
    how: Planting
    rng: np.random.Generator
    tally: SwapCounts
    strict: StrictFilters | None

    def ways(self, ingredients: Sequence[Ingredient], chosen: _Chosen) -> Iterator[_Chosen]:
        """Yield choices of a swap for every ingredient, given those chosen already."""
        if not ingredients:
            if self.strict is None or self.strict.agree([(m, new) for m, new, _ in chosen]):
                yield chosen
            return
        found = mentions(self.text, ingredients[0], self.how.matching)
        free = [m for m in found if not any(self._meet(m, c) for c, _, _ in chosen)]
        if self.strict is not None:
            free = self.strict.spots(free)
        for swap in self._wrong(_shuffled(self.text, free, self.rng)):
            ways = self.ways(ingredients[1:], (*chosen, swap))
            if self.strict is None:  # as the paper has it, nothing is taken back
                way = next(ways, None)
                if way is not None:
                    yield way
                return
            yield from ways

    def _wrong(self, spots: Iterable[Mention]) -> Iterator[_Swap]:
        """Yield swaps that are wrong where they are said."""
        for mention in spots:
            options = replacements(mention, common_sense=self.how.common_sense, priors=self.how.priors)
            for new in _drawn(options, self.rng):
                if self.strict is not None and not self.strict.lets(mention, new):
                    continue
                self.tally.drawn += 1
                edit = Edit(mention.start, mention.end, new.words)
                reworded = reword(self.text, [edit])
                if self.around.stays_true(mention, new, reworded.text, reworded.swaps[0].start):
                    self.tally.true += 1
                else:
                    yield mention, new, edit

    def _meet(self, a: Mention, b: Mention) -> bool:
        if a.start < b.end and b.start < a.end:
            return True
        between = _WORD_OR_STOP.findall(self.text[min(a.end, b.end) : max(a.start, b.start)])
        return (
            self.strict is not None
            and len(between) <= APART
            and not any(word in ".,;:!?" for word in between)
        )


def _shuffled(text: str, spots: Sequence[Mention], rng: np.random.Generator) -> Iterator[Mention]:
    """Yield mentions in random order, doubtful ones last."""
    doubtful: list[Mention] = []
    for k in rng.permutation(len(spots)).tolist():
        if len(spots) == 1 or is_sure(text, spots[k]):
            yield spots[k]
        else:
            doubtful.append(spots[k])
    yield from doubtful


def _drawn(options: Sequence[Replacement], rng: np.random.Generator) -> list[Replacement]:
    """Return the options in an order that draws them one by one, each by its weight."""
    if not options:
        return []
    weights = np.array([option.weight for option in options], dtype=np.float64)
    keys = rng.exponential(size=len(options)) / weights
    return [options[k] for k in np.argsort(keys, kind="stable").tolist()]


def unchanged(episode: Episode, how: Planting) -> Episode:
    """Return an episode as the right half of a pair has it."""
    return msgspec.structs.replace(
        episode, errors=InstructionErrors(False, 0), extra=_extra(episode, episode.instruction, how)
    )


def _extra(episode: Episode, text: str, how: Planting) -> dict[str, Any]:
    """Return the other fields of an episode, with the ids of its word-pieces instead of any others."""
    extra = {key: value for key, value in episode.extra.items() if key != "instruction"}
    if how.pieces is not None:
        extra["instruction"] = {"instruction_tokens": how.pieces.ids(text)}
    return extra


def _recorded(
    episode: Episode, error: ErrorType, spots: Sequence[Mention], reworded: Reworded, how: Planting
) -> Episode:
    extra = _extra(episode, reworded.text, how)
    extra |= {"old_episode_id": episode.episode_id, "words_swapped": _by_word(reworded, reworded.swaps)}
    if reworded.agreed:
        extra["words_agreed"] = _by_word(reworded, reworded.agreed)
    ranges = [word_steps(episode, mention.start) for mention in sorted(spots)]
    if steps := [[its[0], its[-1]] for its in ranges if its]:
        extra["error_steps"] = steps
    swaps = tuple(_swap(reworded, swap, how.pieces) for swap in reworded.swaps)
    return msgspec.structs.replace(
        episode,
        instruction=reworded.text,
        chunks=() if error.name == "order" else _rechunked(episode, reworded),
        words=(),
        errors=InstructionErrors(True, error.code, swaps),
        extra=extra,
    )


def _by_word(reworded: Reworded, swaps: Sequence[Swapped]) -> list[dict[str, object]]:
    return [
        {
            "old": swap.old,
            "new": swap.new,
            "span": [swap.start, swap.end],
            "positions": list(word_positions(reworded.text, swap.start, swap.end)),
        }
        for swap in swaps
    ]


def _swap(reworded: Reworded, swap: Swapped, pieces: WordPieces | None) -> WordSwap:
    if pieces is None:
        return WordSwap(swap.old, swap.new, (), word_positions(reworded.text, swap.start, swap.end))
    return WordSwap(swap.old, swap.new, *pieces.places(reworded.text, swap.start, swap.end))


def _quintile(reworded: Reworded) -> int:
    first = word_positions(reworded.text, reworded.swaps[0].start, reworded.swaps[0].end)[0]
    return 1 + QUINTILES * first // len(words_of(reworded.text))


def _rechunked(episode: Episode, reworded: Reworded) -> tuple[Chunk, ...]:
    """Return the sub-instructions in the new words; none where they are not aligned word by word."""
    old, new = words_of(episode.instruction), words_of(reworded.text)
    if sum(len(chunk.words) for chunk in episode.chunks) != len(old):
        return ()
    chunks: list[Chunk] = []
    done, taken = 0, 0
    for chunk in episode.chunks:
        done += len(chunk.words)
        end = _moved(old[done - 1][1].end, reworded) if done else 0
        its = [word.lower() for word, span in new[taken:] if span.start < end]
        taken += len(its)
        chunks.append(Chunk(tuple(its), chunk.first_step, chunk.last_step))
    return tuple(chunks)


def _moved(at: int, reworded: Reworded) -> int:
    """Return where the end of an old word is in the new text."""
    shift = 0
    for swap in sorted((*reworded.swaps, *reworded.agreed), key=lambda one: one.start):
        if swap.start - shift < at:
            shift += len(swap.new) - len(swap.old)
    return at + shift
