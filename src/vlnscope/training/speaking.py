"""Training a speaker: it learns to say the words of an instruction, one after the other, given the walk.

The walk is the reference, its last action stopping. Each word is told given the right ones before it (teacher
forcing, as in Fried et al. 2018). Weights are chosen by ``likelihood``: the geometric mean of the probability
of a held-out word.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.speaker_network import PADDING, SpeakerNetwork, WalkStep
from vlnscope.agents.learned.vocabulary import WordVocabulary
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.loop import Trainer
from vlnscope.training.validation import by_length
from vlnscope.training.watching import LIKELIHOOD

BATCH = 128


def walk_steps(world: SceneArrays, batch: EpisodeArrays) -> Iterator[WalkStep]:
    """Yield what is seen and done along the references of some episodes, step by step."""
    look = batch.look
    for step in range(int(batch.sizes.max())):
        nodes, ahead = (batch.reference[:, min(at, batch.reference.shape[1] - 1)] for at in (step, step + 1))
        visual = world.visuals.at(nodes, look, torch.full_like(nodes, NOTHING))
        leads = visual.open & (visual.leads == ahead[:, None])
        goes = (batch.sizes > step + 1) & leads.any(1)
        halt = visual.open.shape[1]
        done = torch.where(goes, leads.long().argmax(1), halt) if halt else torch.zeros_like(nodes)
        yield WalkStep(visual, done, batch.sizes > step)
        _, look = world.visuals.moved(nodes, look, done, goes)


def word_logs(
    model: SpeakerNetwork, world: SceneArrays, batch: EpisodeArrays, *, begins: bool
) -> tuple[Tensor, Tensor]:
    """Return the logarithms of the probabilities of all words of a batch, and how many words there are.

    Args:
        model: the speaker.
        world: where.
        batch: the episodes.
        begins: whether their texts have a mark of the beginning, which is not said.
    """
    words = batch.ids.masked_fill(~batch.mask, PADDING)[:, int(begins) :]
    scores = model.word_scores(model.read(walk_steps(world, batch), batch.sizes), words)
    return scores, (words != PADDING).sum()


class SpeakerTrainer(Trainer):
    """A run that trains a speaker; all but what it learns is that of every run."""

    def _loss(self, rows: Tensor, number: int) -> Tensor:
        """Return what this process adds to the loss: the words' negative logarithms, per instruction."""
        task = self._task
        batch = task.train.take(self._ranks.part(rows).to(self._device))
        scores, _ = self._logs(batch)
        return -scores.sum() / len(rows)

    @torch.no_grad()
    def _metrics(self) -> dict[str, float]:
        """Return how probable held-out words are."""
        task, model = self._task, self.model
        sums = torch.zeros(2, dtype=torch.float64)
        learns = model.training
        model.eval()
        parts = torch.split(self._ranks.part(by_length(task.held)), BATCH)
        self._watch.phase("validating", sum(map(len, parts)))
        for number, part in enumerate(parts):
            scores, count = self._logs(task.held.take(part))
            sums += torch.tensor([float(scores.cpu().double().sum()), float(count)], dtype=torch.float64)
            self._watch.at(number * BATCH + len(part))
        model.train(learns)
        self._ranks.sum([sums])
        return {LIKELIHOOD: math.exp(float(sums[0] / sums[1].clamp(min=1)))}

    def _logs(self, batch: EpisodeArrays) -> tuple[Tensor, Tensor]:
        vocabulary = cast(WordVocabulary, self._task.vocabulary)
        return word_logs(self.model, self._task.world, batch, begins=vocabulary.begin)
