"""What every speaker is: it reads walks, and tells them word after word.

state = speaker.read(steps, sizes)
scores = speaker.word_scores(state, words)      # how probable instructions are, given walks
words = speaker.write(state, choose)            # instructions for walks that have none
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.inputs import VisualInput
from vlnscope.agents.learned.model import PanoramaNetwork, State
from vlnscope.agents.learned.vocabulary import WordVocabulary

PADDING, END, BEGIN = 0, 2, 3
"""Ids of words; that of the beginning is the usual one, see `SpeakerNetwork.begin`."""


class WalkStep(NamedTuple):
    """One step of walks that are read.

    Attributes:
        visual: what is seen; of walks that are over already, anything.
        done: (B) the candidate that is gone to; their number to stop.
        there: (B) which walks have this step.
    """

    visual: VisualInput
    done: Tensor
    there: Tensor


@dataclass(frozen=True)
class SpeakerState(State):
    """What a speaker remembers.

    Attributes:
        context: (B, T, hidden) the steps of the walk.
        step_mask: (B, T) which there are.
        hidden: (B, hidden) of the LSTM that speaks.
        cell: (B, hidden) of it.
    """

    context: Tensor
    step_mask: Tensor
    hidden: Tensor
    cell: Tensor


class SpeakerNetwork(PanoramaNetwork, ABC):
    """A speaker.

    Attributes:
        begin: id of the word that stands for the beginning.
        runs_on: whether walks that are shorter than others of their batch are read on, over zeros, as
            official codes do: what a walk is told from then depends on the longest of its batch.
    """

    begin = BEGIN
    runs_on = False

    @abstractmethod
    def read(self, steps: Iterable[WalkStep], sizes: Tensor, until: Tensor | None = None) -> SpeakerState:
        """Read walks.

        Args:
            steps: as many as the longest walk has; stopping is one of them.
            sizes: (B) how many steps each walk has.
            until: (B) how many are read of each, steps of zeros after its end included; as `read_until` has
                it if not given.
        """

    @abstractmethod
    def say(self, words: Tensor, state: SpeakerState) -> tuple[Tensor, SpeakerState]:
        """(B, V) logits of the next word after `words` (B), and the state after."""

    @abstractmethod
    def say_each(self, words: Tensor, state: SpeakerState) -> Tensor:
        """(B, L, V): the logits after each of some words (B, L), as `say` one after the other."""

    def read_until(self, sizes: Tensor) -> Tensor:
        """(B): how far walks are read: as far as they go, or as the longest of them."""
        return sizes.clamp(min=int(sizes.max())) if self.runs_on else sizes

    def logits(self, state: SpeakerState, words: Tensor) -> Tensor:
        """(B, L, V): for each of the words (B, L), the logits of what stands there, given those before it."""
        return self.say_each(functional.pad(words[:, :-1], (1, 0), value=self.begin), state)

    def word_scores(self, state: SpeakerState, words: Tensor) -> Tensor:
        """(B, L): logarithms of the probabilities of words (B, L), the mark of the end included.

        Words that fill up (`PADDING`) score 0, so that sums are those of whole instructions.
        """
        logs = self.logits(state, words).log_softmax(2)
        return logs.gather(2, words[..., None])[..., 0].masked_fill(words == PADDING, 0.0)

    def write(
        self, state: SpeakerState, choose: Callable[[Tensor, int], Tensor], longest: int | None = None
    ) -> Tensor:
        """(B, L): say words until the end of each text; `PADDING` after it.

        Args:
            state: walks that were read.
            choose: returns the words (B) that logits (B, V) are for, given the number of the word.
            longest: so many words at most; `max_tokens` if not given.
        """
        words = torch.full_like(state.step_mask[:, 0], self.begin, dtype=torch.long)
        over = torch.zeros_like(words, dtype=torch.bool)
        said: list[Tensor] = []
        while len(said) < (longest or self.config.max_tokens) and not over.all():
            scores, state = self.say(words, state)
            words = choose(scores, len(said))
            said.append(words.masked_fill(over, PADDING))
            over = over | (words == END)
        return torch.stack(said, dim=1)


def encoded_words(text: str, vocabulary: WordVocabulary, longest: int) -> list[int]:
    """Return the ids of what a speaker says to say a text: no mark of the beginning.

    Example:
        >>> known = WordVocabulary.build(["go left", "go up"], least=1)
        >>> encoded_words("Go up", known, 10)
        [4, 6, 2]
    """
    begins = int(vocabulary.begin)
    return vocabulary.encode(text, longest + begins)[begins:]
