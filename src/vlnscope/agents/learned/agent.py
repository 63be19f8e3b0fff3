"""A learned model as an agent of the ordinary protocol, many lives at once.

Decisions must not depend on who else is in a batch. Sums in floating point do, in their last digits; so the
agent reckons in double precision and rounds logits to `DIGITS` digits before it makes a distribution of them.
In a worker process (``run --workers N``) it uses one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vlnscope.agents.learned.checkpoints import load_checkpoint, weights_digest
from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.model import NavModel, State, stack, unstack
from vlnscope.agents.learned.tensors import ImageSource, SeenFeatures, tokens_of, visual_input
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit
from vlnscope.core.exceptions import InputError
from vlnscope.types import Decision, Floats, Observation

DIGITS = 6


@dataclass
class _Life:
    """One tour: what the model remembers, and what was seen last."""

    state: State | None = None
    last: Observation | None = None

    def taken(self, seen: Observation) -> int:
        """Return which candidate of the last observation leads to where the agent is now."""
        names = [candidate.viewpoint for candidate in self.last.candidates] if self.last else []
        return names.index(seen.viewpoint) if seen.viewpoint in names else NOTHING


class LearnedAgent:
    """Lets a model navigate.

    Args:
        model: the model; it is put into evaluation mode and made to reckon in double precision.
        vocabulary: that it was trained with.
        source: where its image features come from.

    Raises:
        InputError: the vocabulary does not fit the model.
    """

    batched = True

    def __init__(self, model: NavModel[Any], vocabulary: AnyVocabulary, source: ImageSource) -> None:
        check_fit(vocabulary, model.config, model.name)
        if parent_process() is not None:
            torch.set_num_threads(
                1
            )  # workers share the cores; threads of each would wait for those of others
        self.fingerprint = weights_digest(model)
        self.needs = tuple(source.needs)
        self.widths = {need: model.config.image_size for need in self.needs if need.startswith("features:")}
        self._model = model.eval().double()
        self._vocabulary = vocabulary
        self._source = source
        self._like = next(model.parameters())
        self._lives: dict[int, _Life] = {}

    @classmethod
    def from_file(cls, file: str | Path, features: str = "") -> LearnedAgent:
        """Make the agent that a checkpoint of ours holds.

        Args:
            file: the checkpoint.
            features: what it sees, as behind ``features:``; those that the checkpoint's notes name if empty.

        Raises:
            InputError: the checkpoint cannot be used, or nobody says which features it was trained with.
        """
        loaded = load_checkpoint(file)
        name = features or loaded.notes.get("features")
        if not name:
            raise InputError(
                f"{file}: does not say which image features it was trained with",
                expected="the name of some, or a checkpoint whose notes have `features`",
                fix=f"name them: learned:file={file},features=NAME",
            )
        return cls(loaded.model, loaded.vocabulary, SeenFeatures(f"features:{name}"))

    def start_tour(self, slots: Sequence[int], scans: Sequence[str]) -> None:
        """Forget all about these slots."""
        for slot in slots:
            self._lives[slot] = _Life()

    @torch.inference_mode()
    def start_episode(
        self, slots: Sequence[int], instructions: Sequence[str], observations: Sequence[Observation]
    ) -> None:
        """Read instructions; a model that remembers tours goes on from what it remembers."""
        config = self._model.config
        tokens, mask = tokens_of(instructions, self._vocabulary, config.max_tokens)
        tokens, mask = tokens.to(self._like.device), mask.to(self._like.device)
        lives = [self._lives[slot] for slot in slots]
        goes_on = [life.state is not None and not self._model.forgets for life in lives]
        for on in (False, True):
            rows = [row for row, each in enumerate(goes_on) if each is on]
            if not rows:
                continue
            if on:
                before = stack([state for row in rows if (state := lives[row].state) is not None])
                state = self._model.resume(before, tokens[rows], mask[rows])
            else:
                state = self._model.start(tokens[rows], mask[rows])
            for row, part in zip(rows, unstack(state), strict=True):
                lives[row].state = part
                lives[row].last = lives[row].last if on else None

    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        """Return the model's distributions."""
        logits = self._look(slots, observations, decide=True)
        return [
            Decision(_distribution(row, len(seen.candidates)))
            for row, seen in zip(logits, observations, strict=True)
        ]

    def observe(self, slots: Sequence[int], observations: Sequence[Observation]) -> None:
        """See places without deciding."""
        self._look(slots, observations, decide=False)

    def end_episode(self, slots: Sequence[int]) -> None:
        """Keep what is remembered for the next episode of the tour."""

    def end_tour(self, slots: Sequence[int]) -> None:
        """Forget these slots."""
        for slot in slots:
            self._lives.pop(slot, None)

    @torch.inference_mode()
    def _look(self, slots: Sequence[int], observations: Sequence[Observation], *, decide: bool) -> Floats:
        """Let the model see, and return its logits, a row per slot; none unless it is to decide."""
        lives = [self._lives[slot] for slot in slots]
        taken = [life.taken(seen) for life, seen in zip(lives, observations, strict=True)]
        visual = visual_input(observations, self._source, taken, self._like, self._model.config.image_size)
        state = stack([life.state for life in lives if life.state is not None])
        logits = self._like.new_empty(0)
        if decide:
            logits, state = self._model.step(state, visual)
        else:
            state = self._model.observe(state, visual)
        for life, part, seen in zip(lives, unstack(state), observations, strict=True):
            life.state, life.last = part, seen
        rows: Floats = logits.cpu().numpy()
        return rows


def _distribution(logits: Floats, ways: int) -> tuple[float, ...]:
    """Return the probabilities of `ways` candidates and of stopping, which is the last column."""
    own = np.round(np.append(logits[:ways], logits[-1]), DIGITS)
    shares = np.exp(own - own.max())
    return tuple((shares / shares.sum()).tolist())
