"""Speaker-Follower as an agent: it searches the building for routes, and takes the one it would tell so.

It looks at places before it goes there (`EXPLORATION`), which reports mark as *pre-exploration*. It decides
once: its decision is a whole route, stopping at the end. With traversal the route is the walk of an agent
that walks its search, as the paper submits it: to every place that the search went on from, and at last
to the place that was chosen. Where routes are not followed (actions are drawn, or forced) it is asked
again, and searches on from where it is, with what it did before as the beginning of every route.

Nothing depends on who else is in a batch: agents are searched for side by side, and the speaker scores the
routes of one agent at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import parent_process
from typing import Literal, NamedTuple

import numpy as np
import torch

from vlnscope.agents.learned.checkpoints import weights_digest
from vlnscope.agents.learned.model import stack, unstack
from vlnscope.agents.learned.speaker_follower.choice import (
    WEIGHT,
    ScoreSpread,
    first_moves,
    speaker_scores,
    walk_of,
    worths,
)
from vlnscope.agents.learned.speaker_follower.follower import FollowerState, SpeakerFollower
from vlnscope.agents.learned.speaker_follower.routes import (
    DIGITS,
    FoundRoute,
    Searcher,
    SearchStart,
)
from vlnscope.agents.learned.speaker_follower.search import (
    MAX_STEPS,
    Found,
    beam_search,
    state_factored_search,
)
from vlnscope.agents.learned.speaker_follower.walks import Walks, remembering
from vlnscope.agents.learned.speaker_network import SpeakerNetwork, encoded_words
from vlnscope.agents.learned.tensors import ImageSource, tokens_of
from vlnscope.agents.learned.vocabulary import (
    AnyVocabulary,
    WordVocabulary,
    check_fit,
    vocabulary_digest,
)
from vlnscope.agents.protocol import EXPLORATION
from vlnscope.core.devices import AUTO, as_array, device_of, precision
from vlnscope.types import STOP, Decision, Floats, Observation
from vlnscope.worlds.graph.views import view_index

BEAM = 40
"""Routes that are chosen from, as published."""


class SearchSettings(NamedTuple):
    """How a pragmatic agent searches and chooses.

    Attributes:
        beam: how many routes it chooses from.
        weight: of the speaker; 0 for the follower alone.
        spread: standard deviations of the scores over a data set; None for those of each instruction.
        traversal: whether it walks its search.
        search: ``states`` or ``beam``.
        max_steps: actions of a route at most.
    """

    beam: int = BEAM
    weight: float = WEIGHT
    spread: ScoreSpread | None = None
    traversal: bool = False
    search: Literal["states", "beam"] = "states"
    max_steps: int = MAX_STEPS


@dataclass
class _Life:
    """An episode: what is to be done, where the agent began, and what it did since."""

    instruction: str
    state: FollowerState
    view: int = 0
    route: FoundRoute | None = None


class RatedRoutes(NamedTuple):
    """What an agent found for one episode.

    Attributes:
        found: by the search.
        speaker: logarithm of the probability of the instruction, given each route.
        follower: logarithm of the probability of each route, given the instruction.
    """

    found: Found
    speaker: Floats
    follower: Floats

    def worth(self, choosing: SearchSettings) -> Floats:
        """Return what each route is worth."""
        spread = choosing.spread or ScoreSpread.of(self.speaker, self.follower)
        return worths(self.speaker, self.follower, spread, choosing.weight)


class PragmaticAgent:
    """Lets a follower and a speaker choose.

    Args:
        follower: with the vocabulary that it was trained with.
        speaker: likewise.
        source: where image features come from.
        choosing: how it searches and chooses.
        device: where it computes, as `device_of` takes it.

    Attributes:
        choosing: as above.

    Raises:
        InputError: a vocabulary does not fit its model, or there is no such device.
    """

    batched = True

    def __init__(
        self,
        follower: tuple[SpeakerFollower, AnyVocabulary],
        speaker: tuple[SpeakerNetwork, WordVocabulary],
        source: ImageSource,
        choosing: SearchSettings,
        device: str = AUTO,
    ) -> None:
        place = device_of(device)
        for model, vocabulary in (follower, speaker):
            check_fit(vocabulary, model.config, model.name)
        if parent_process() is not None:
            torch.set_num_threads(1)  # workers share the cores
        own = [
            part
            for model, vocabulary in (follower, speaker)
            for part in (weights_digest(model), vocabulary_digest(vocabulary))
        ]
        self.fingerprint = " ".join(own + ([] if place.type == "cpu" else [place.type]))
        self.needs = (EXPLORATION, *source.needs)
        self.widths = dict.fromkeys(source.needs, follower[0].config.image_size)
        self._follower = follower[0].eval().to(place, precision(place))
        self._speaker = speaker[0].eval().to(place, precision(place))
        self._words, self._spoken = follower[1], speaker[1]
        self._source, self.choosing = source, choosing
        self._like = next(self._follower.parameters())
        self._lives: dict[int, _Life] = {}

    @torch.inference_mode()
    def start_episode(
        self, slots: Sequence[int], instructions: Sequence[str], observations: Sequence[Observation]
    ) -> None:
        """Read instructions."""
        tokens, mask = tokens_of(instructions, self._words, self._follower.config.max_tokens)
        states = unstack(self._follower.start(tokens.to(self._like.device), mask.to(self._like.device)))
        for slot, instruction, state in zip(slots, instructions, states, strict=True):
            self._lives[slot] = _Life(instruction, state)

    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        """Search, choose a route, and decide to walk it."""
        rated = self.rate(slots, observations)
        return [
            self._decision(self._lives[slot], each, seen)
            for slot, each, seen in zip(slots, rated, observations, strict=True)
        ]

    def observe(self, slots: Sequence[int], observations: Sequence[Observation]) -> None:
        """Note where agents are led."""
        self._follow(slots, observations)

    def end_episode(self, slots: Sequence[int]) -> None:
        """Forget these slots."""
        for slot in slots:
            self._lives.pop(slot, None)

    @torch.inference_mode()
    def rate(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[RatedRoutes]:
        """Search for routes, and score them with follower and speaker."""
        starts, searcher = self._follow(slots, observations)
        choosing = self.choosing
        if choosing.search == "beam":
            found = beam_search(searcher, choosing.beam, choosing.max_steps, starts)
        else:
            found = state_factored_search(
                searcher, choosing.beam, max_steps=choosing.max_steps, starts=starts
            )
        return [
            self._rated(self._lives[slot], asked, each)
            for slot, asked, each in zip(slots, searcher.asked, found, strict=True)
        ]

    def _rated(self, life: _Life, asked: SearchStart, found: Found) -> RatedRoutes:
        words = encoded_words(life.instruction, self._spoken, self._speaker.config.max_tokens)
        count = len(found.routes)
        walks = Walks(found.routes, [asked.look] * count, [asked.view] * count)
        tokens, groups = torch.tensor([words] * count), torch.zeros(count, dtype=torch.long)
        scores = speaker_scores(self._speaker, self._source, walks, tokens, groups)
        sums = as_array(scores.sum(1)).astype(np.float64)
        return RatedRoutes(found, np.round(sums, DIGITS), np.array([route.score for route in found.routes]))

    def _decision(self, life: _Life, rated: RatedRoutes, seen: Observation) -> Decision:
        worth = rated.worth(self.choosing)
        chosen = rated.found.routes[int(worth.argmax())]
        start = life.route
        assert start is not None
        walk = walk_of(rated.found, chosen, start, traversal=self.choosing.traversal)
        hops = [after for before, after in pairwise(walk) if after != before]
        moves = first_moves(start, rated.found.routes, worth, len(seen.candidates))
        return Decision(tuple(moves.tolist()), route=(*hops, STOP))

    @torch.inference_mode()
    def _follow(
        self, slots: Sequence[int], observations: Sequence[Observation]
    ) -> tuple[list[FoundRoute], Searcher]:
        """Note where agents are, and return what they did so far, and what searches for them."""
        lives = [self._lives[slot] for slot in slots]
        for life, seen in zip(lives, observations, strict=True):
            if life.route is None:
                life.view = view_index(seen.heading, seen.elevation)
        searcher = self._searcher(lives, observations)
        began = searcher.begin()
        moved = [row for row, life in enumerate(lives) if life.route is not None]
        gone = [(row, route) for row in moved if (route := lives[row].route) is not None]
        after = dict(zip(moved, searcher.successors(gone), strict=True)) if gone else {}
        for row, (life, seen) in enumerate(zip(lives, observations, strict=True)):
            there = [route for route in after.get(row, []) if route.viewpoint == seen.viewpoint]
            going = [route for route in there if not route.stopped]
            if going or life.route is None:
                life.route = going[0] if going else began[row]
            elif life.route.viewpoint != seen.viewpoint:  # put somewhere else
                life.route, life.view = began[row], view_index(seen.heading, seen.elevation)
        return [life.route for life in lives if life.route is not None], self._searcher(lives, observations)

    def _searcher(self, lives: Sequence[_Life], observations: Sequence[Observation]) -> Searcher:
        asked = [_asked(life, seen) for life, seen in zip(lives, observations, strict=True)]
        return Searcher(self._follower, self._source, asked, stack([life.state for life in lives]))


def _asked(life: _Life, seen: Observation) -> SearchStart:
    return SearchStart(seen.viewpoint, life.view, remembering(seen.seen[EXPLORATION]))
