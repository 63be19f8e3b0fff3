"""A learned model as an agent of the ordinary protocol, many lives at once.

Decisions must not depend on who else is in a batch. Sums in floating point do, in their last digits; so on a
CPU the agent computes in double precision and rounds logits to `DIGITS` digits before it makes a distribution
of them. On other devices it computes in single precision: the last digits of a distribution may then depend
on the batch, and its fingerprint names the device.
In a worker process (``run --workers N``) it uses one thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import is_ours, load_checkpoint, read_content, weights_digest
from vlnscope.agents.learned.inputs import NOTHING, SeenGrids
from vlnscope.agents.learned.leaps import decided, leaps_of
from vlnscope.agents.learned.maps.seen_grids import RememberedGrids
from vlnscope.agents.learned.model import LeapingModel, ModelConfig, NavModel, State, stack, unstack
from vlnscope.agents.learned.network import read_sizes
from vlnscope.agents.learned.public_checkpoints import (
    PublicModel,
    files_of,
    open_public,
    words_for,
)
from vlnscope.agents.learned.tensors import (
    ImageSource,
    SeenFeatures,
    ViewpointNumbers,
    tokens_of,
    visual_input,
)
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit, vocabulary_digest
from vlnscope.core.devices import AUTO, as_array, device_of, precision
from vlnscope.core.exceptions import InputError
from vlnscope.perception.features.grids import PatchGrid
from vlnscope.types import Decision, Floats, Observation

DIGITS = 6


@dataclass
class _Life:
    """One tour: what the model remembers, what was seen last, and by which numbers it knows viewpoints.

    Where models look at grid features, those of the viewpoints where the agent stood are kept here.
    """

    state: State | None = None
    last: Observation | None = None
    numbers: ViewpointNumbers = field(default_factory=ViewpointNumbers)
    grids: dict[int, PatchGrid] = field(default_factory=dict)

    def taken(self, seen: Observation) -> int:
        """Return which candidate of the last observation leads to where the agent is now."""
        names = [candidate.viewpoint for candidate in self.last.candidates] if self.last else []
        return names.index(seen.viewpoint) if seen.viewpoint in names else NOTHING


class LearnedAgent:
    """Lets a model navigate.

    Args:
        model: the model; it is put into evaluation mode, and on a CPU made to compute in double precision.
        vocabulary: that it was trained with.
        source: where its image features come from.
        device: where it computes, as `device_of` takes it.

    Raises:
        InputError: the vocabulary does not fit the model, or there is no such device.
    """

    batched = True
    notes: tuple[str, ...] = ()
    """What a user should know of the weights that were loaded."""

    def __init__(
        self, model: NavModel[Any], vocabulary: AnyVocabulary, source: ImageSource, device: str = AUTO
    ) -> None:
        place = device_of(device)
        check_fit(vocabulary, model.config, model.name)
        if parent_process() is not None:
            torch.set_num_threads(
                1
            )  # workers share the cores; threads of each would wait for those of others
        where = "" if place.type == "cpu" else f", {place.type}"
        self.fingerprint = weights_digest(model) + where
        self.needs = tuple(source.needs)
        self.widths = {need: width for need in self.needs if (width := _width_of(need, model.config))}
        if model.config.patch_width and not any(need.startswith("grid:") for need in self.needs):
            raise InputError(
                f"the model {model.name!r} looks at grid features, and nobody says which",
                expected="the name of some, or a checkpoint whose notes have `grid`",
                fix="name them: learned:file=FILE,features=NAME,grid=NAME",
            )
        self._model = model.eval().to(place, precision(place))
        self._vocabulary = vocabulary
        self._source = source
        self._like = next(model.parameters())
        self._lives: dict[int, _Life] = {}

    @classmethod
    def from_file(
        cls,
        file: str | Path,
        features: str = "",
        grid: str = "",
        words: str = "",
        model: str = "",
        device: str = AUTO,
        max_tokens: int = 0,
        max_actions: int = 0,
        sizes: str = "",
    ) -> LearnedAgent:
        """Make the agent that a checkpoint holds, one of ours or a public one.

        Args:
            file: the checkpoint; of a public model, several with ``+`` between where its parts lie apart.
            features: what it sees, as behind ``features:``; those that the checkpoint's notes name if empty.
            grid: likewise as behind ``grid:``, for models that look at grid features.
            words: the file of its vocabulary, for public checkpoints, which do not hold it.
            model: which model a public checkpoint is of; found out if empty.
            device: where it computes, as `device_of` takes it.
            max_tokens: how much of an instruction it reads; as the model has it if 0.
            max_actions: decisions per episode of a model that keeps a map, the last of which is to stop;
                likewise.
            sizes: of a public model, as far as its weights do not show them, as ``NAME:VALUE+NAME:VALUE``.

        Raises:
            InputError: the checkpoint cannot be used, or nobody says which features it was trained with.
        """
        paths, limits = files_of(file), {"max_tokens": max_tokens, "max_actions": max_actions}
        if len(paths) > 1 or not is_ours(read_content(paths[0])):
            opened = open_public(file, model, read_sizes(sizes)).complete(file)
            return cls._public(opened, str(file), features, grid, words, device, limits)
        if sizes:
            raise InputError(
                f"{file}: was written by vlnscope and knows its sizes; sizes={sizes} was given",
                expected="sizes with a public checkpoint only",
                fix="leave sizes out",
            )
        loaded = load_checkpoint(file, model or None)
        if max_tokens > loaded.model.config.max_tokens:
            raise InputError(
                f"{file}: max_tokens={max_tokens} is more than the model was trained to read",
                expected=f"at most {loaded.model.config.max_tokens}",
                fix="leave max_tokens out, or train it with a larger one",
            )
        _limit(loaded.model, limits)
        name = features or loaded.notes.get("features")
        source = _source(loaded.model, str(file), name, grid or loaded.notes.get("grid", ""))
        return cls(loaded.model, loaded.vocabulary, source, device)

    @classmethod
    def _public(
        cls,
        opened: PublicModel,
        file: str,
        features: str,
        grid: str,
        words: str,
        device: str,
        limits: Mapping[str, int],
    ) -> LearnedAgent:
        if not isinstance(opened.model, NavModel):
            raise InputError(
                f"{file}: holds {opened.layout.title}, which does not walk on navigation graphs",
                expected="a checkpoint of a model that does",
                fix="name another file",
            )
        _limit(opened.model, limits)
        vocabulary = words_for(opened.layout, words)
        agent = cls(opened.model, vocabulary, _source(opened.model, file, features, grid), device)
        agent.fingerprint += f", {vocabulary_digest(vocabulary)}"  # the file does not hold it
        agent.notes = (
            f"{opened.layout.title}: {'; '.join(str(opened.report).splitlines())}",
            f"directions: {opened.layout.angles}",
        )
        return agent

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
        lives = [self._lives[slot] for slot in slots]
        goes_on = [life.state is not None and not self._model.forgets for life in lives]
        for on in (False, True):
            rows = [row for row, each in enumerate(goes_on) if each is on]
            if not rows:
                continue
            said = [part[rows].to(self._like.device) for part in (tokens, mask)]
            if on:
                before = stack([state for row in rows if (state := lives[row].state) is not None])
                state = self._model.resume(before, *said)
            else:
                state = self._model.start(*said)
            for row, part in zip(rows, unstack(state), strict=True):
                lives[row].state = part
                if not on:
                    lives[row].last = None
                    lives[row].grids.clear()

    @torch.inference_mode()
    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        """Return the model's distributions."""
        logits, state = self._look(slots, observations, decide=True)
        if isinstance(self._model, LeapingModel):
            numbers = [self._lives[slot].numbers for slot in slots]
            leaps = leaps_of(self._model, state, logits, DIGITS, numbers)
            return [decided(leap, seen) for leap, seen in zip(leaps, observations, strict=True)]
        return [
            Decision(distribution(row, len(seen.candidates)))
            for row, seen in zip(as_array(logits).astype(np.float64, copy=False), observations, strict=True)
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
    def _look(
        self, slots: Sequence[int], observations: Sequence[Observation], *, decide: bool
    ) -> tuple[Tensor, Any]:
        """Let the model see; return its logits, a row per slot, if it is to decide, and its state."""
        lives = [self._lives[slot] for slot in slots]
        taken = [life.taken(seen) for life, seen in zip(lives, observations, strict=True)]
        numbers, width = [life.numbers for life in lives], self._model.config.image_size
        visual = visual_input(observations, self._source, taken, numbers, self._like, width)
        visual = replace(visual, grids=self._grids(lives, observations))
        state = stack([life.state for life in lives if life.state is not None])
        logits = self._like.new_empty(0)
        if decide:
            logits, state = self._model.step(state, visual)
        else:
            state = self._model.observe(state, visual)
        for life, part, seen in zip(lives, unstack(state), observations, strict=True):
            life.state, life.last = part, seen
        return logits, state

    def _grids(self, lives: Sequence[_Life], observations: Sequence[Observation]) -> SeenGrids | None:
        """Keep the grid features of where agents stand, and return those of all places where they stood."""
        if not self._model.config.patch_width:
            return None
        for life, seen in zip(lives, observations, strict=True):
            if (grid := self._source.grid(seen)) is not None:
                life.grids[life.numbers.of(seen.viewpoint)] = grid
        return RememberedGrids([life.grids for life in lives])


def _limit(model: NavModel[Any], limits: Mapping[str, int]) -> None:
    """Change the limits of a model that are above 0.

    Raises:
        InputError: the model has no such limit, or cannot have this one.
    """
    for name, limit in limits.items():
        if not limit:
            continue
        if not hasattr(model.config, name) or limit < 0:
            raise InputError(
                f"{name}={limit} cannot be set for the model {model.name!r}",
                expected="a number above 0, for a model that has such a limit",
                fix=f"leave {name} out",
            )
        model.config = replace(model.config, **{name: limit})


def _source(model: NavModel[Any], file: str, features: str | None, grid: str) -> SeenFeatures:
    """Return where a model's features come from."""
    if not features:
        raise InputError(
            f"{file}: does not say which image features it was trained with",
            expected="the name of some, or a checkpoint whose notes have `features`",
            fix=f"name them: learned:file={file},features=NAME",
        )
    patches = grid if model.config.patch_width else ""
    return SeenFeatures(f"features:{features}", f"grid:{patches}" if patches else "")


def _width_of(need: str, config: ModelConfig) -> int:
    """Return how many numbers per view, or per patch, what an agent sees has; 0 if it is neither."""
    widths = {"features": config.image_size, "grid": config.patch_width}
    return widths.get(need.partition(":")[0], 0)


def distribution(logits: Floats, ways: int) -> tuple[float, ...]:
    """Return the probabilities of `ways` candidates and of stopping, which is the last column."""
    own = np.round(np.append(logits[:ways], logits[-1]), DIGITS)
    shares = np.exp(own - own.max())
    return tuple((shares / shares.sum()).tolist())
