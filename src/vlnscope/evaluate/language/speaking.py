"""Instructions that a speaker writes for the paths of a data set, as episodes.

A path's texts are the likeliest words, one after the other, or words drawn by their probabilities. What is
drawn for a text depends on the seed, on the path and on the number of the text alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.speaker_follower.files import open_speaker
from vlnscope.agents.learned.speaker_follower.routes import (
    DIGITS,
)
from vlnscope.agents.learned.speaker_follower.walks import Walks, read_walks, remembering, route_along
from vlnscope.agents.learned.speaker_network import SpeakerNetwork
from vlnscope.agents.learned.tensors import SeenFeatures
from vlnscope.agents.learned.vocabulary import BOS, PAD, UNK, WordVocabulary
from vlnscope.agents.vectorised import episode_keys
from vlnscope.core.devices import AUTO, chances, device_of, precision
from vlnscope.core.exceptions import InputError
from vlnscope.engine.environment import Environment, Explorer, check_widths, without_answer
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Episode
from vlnscope.worlds.graph.views import view_index

BATCH = 64
Chooser = Callable[[Tensor, int], Tensor]


class Writing(NamedTuple):
    """How instructions are written.

    Attributes:
        texts: how many for each path.
        sample: whether words are drawn; the likeliest are taken else, and all texts of a path would be one.
        seed: of what is drawn.
        features: name of image features; those of the speaker's training if empty.
        words: the file of the words of a public speaker.
        device: where to compute, as `device_of` takes it.
    """

    texts: int = 1
    sample: bool = False
    seed: int = 0
    features: str = ""
    words: str = ""
    device: str = AUTO


def written(
    file: str, dataset: Dataset, root: Path | None, writing: Writing, limit: int | None = None
) -> Iterator[Episode]:
    """Yield the paths of a data set with the instructions that a speaker writes for them.

    Args:
        file: checkpoint of the speaker.
        dataset: whose paths and scenes; its own instructions are not read.
        root: the data folder.
        writing: how to write.
        limit: the first so many paths only.

    Raises:
        InputError: the checkpoint cannot be used, the data set has no references on graphs, or more than one
            text is wanted of words that are not drawn.
    """
    if writing.texts > 1 and not writing.sample:
        raise InputError(
            f"{writing.texts} texts for each path would all be the same",
            expected="one text, or words that are drawn",
            fix="add --sample",
        )
    speaker, vocabulary, seen = open_speaker(file, writing.words)
    name = writing.features or seen
    if not name:
        raise InputError(
            f"{file}: does not say which image features it was trained with",
            expected="the name of some",
            fix="name them: --features NAME",
        )
    place = device_of(writing.device)
    writer = _Writer(speaker.eval().to(place, precision(place)), vocabulary, f"features:{name}", writing)
    check_widths({writer.need: speaker.config.image_size}, root)
    if dataset.scenes is None or dataset.is_test:
        raise InputError(
            f"{dataset.name}: has no paths on graphs that are known",
            expected="a data set with references on navigation graphs",
            fix="name a data set such as r2r/val_unseen or houses/val_unseen",
        )
    environment = Environment(dataset.scenes, (writer.need,), root)
    paths = islice(_paths(dataset), limit)
    while batch := list(islice(paths, BATCH)):
        yield from writer.episodes(batch, environment)


def told_dataset(dataset: Dataset, episodes: Sequence[Episode]) -> Dataset:
    """Return a data set in the same scenes with other episodes."""
    return replace(dataset, load=lambda _: iter(episodes), files=(), format="")


def count_paths(dataset: Dataset, limit: int | None = None) -> int:
    """Return how many paths a data set has, or is to have."""
    return sum(1 for _ in islice(_paths(dataset), limit))


def _paths(dataset: Dataset) -> Iterator[Episode]:
    """Yield one episode of each path."""
    known: set[str] = set()
    for episode in dataset.episodes():
        if episode.path_id not in known:
            known.add(episode.path_id)
            yield episode


class _Writer:
    def __init__(
        self, speaker: SpeakerNetwork, vocabulary: WordVocabulary, need: str, writing: Writing
    ) -> None:
        self.need = need
        self._speaker, self._vocabulary, self._writing = speaker, vocabulary, writing
        words = vocabulary.words
        self._never = [number for number, word in enumerate(words) if word in (PAD, UNK, BOS)]

    @torch.inference_mode()
    def episodes(self, batch: Sequence[Episode], environment: Environment) -> Iterator[Episode]:
        """Yield the episodes of some paths."""
        views = [view_index(episode.heading or 0.0) for episode in batch]
        looks = [remembering(Explorer(environment, without_answer(episode))) for episode in batch]
        routes = [
            route_along(episode.path, look, view)
            for episode, look, view in zip(batch, looks, views, strict=True)
        ]
        walks = Walks(routes, looks, views)
        # each walk as far as it goes: what is written does not depend on the batch
        state = read_walks(self._speaker, SeenFeatures(self.need), walks, walks.sizes)
        texts = []
        for number in range(self._writing.texts):
            ids = [f"{episode.path_id}_{number}" for episode in batch]
            said = self._speaker.write(state, self._chooser(ids))
            texts.append([self._vocabulary.text(row) for row in said.tolist()])
        for row, episode in enumerate(batch):
            for number in range(self._writing.texts):
                yield _episode(episode, number, texts[number][row])

    def _chooser(self, ids: Sequence[str]) -> Chooser:
        keys = torch.from_numpy(episode_keys(ids).view(np.int64))

        def choose(logits: Tensor, number: int) -> Tensor:
            own = logits.cpu().double().mul(10**DIGITS).round().div(10**DIGITS)
            own[:, self._never] = -torch.inf
            if not self._writing.sample:
                return own.argmax(1).to(logits.device)
            chance = chances(self._writing.seed, "speaker", keys, number)
            shares = own.softmax(1).cumsum(1)
            column = (shares <= (chance * shares[:, -1])[:, None]).sum(1)
            return column.clamp(max=shares.shape[1] - 1).to(logits.device)

        return choose


def _episode(episode: Episode, number: int, text: str) -> Episode:
    changes: dict[str, Any] = {"words": (), "chunks": (), "errors": None, "language": None}
    return msgspec.structs.replace(
        episode,
        episode_id=f"{episode.path_id}_{number}",
        instruction=text,
        instruction_index=number,
        **changes,
    )
