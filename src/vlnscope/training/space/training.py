"""Training in continuous space: what an agent sees on an expert's walk, and what the expert does there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import make_network
from vlnscope.agents.learned.cma.batches import EpisodeBatch
from vlnscope.agents.learned.cma.losses import policy_loss
from vlnscope.agents.learned.cma.policy import PolicyOutput
from vlnscope.agents.learned.vocabulary import check_fit
from vlnscope.training.learning_run import LearningRun
from vlnscope.training.ranks import Ranks
from vlnscope.training.run_state import RunFolder
from vlnscope.training.schedule import Order
from vlnscope.training.space.preparation import LEARNERS, ToldWalk, WalkTask
from vlnscope.training.watching import ACCURACY, TrainingWatch

BATCH = 8
"""Walks that are validated at once."""


def space_trainer_class(task: WalkTask) -> type[SpaceTrainer]:
    """Return what trains the agent of a task in continuous space."""
    if not task.experiment.dagger.iterations:
        return SpaceTrainer
    from vlnscope.training.space.dagger import DaggerTrainer

    return DaggerTrainer


class SpaceTrainer(LearningRun):
    """A run of an experiment in continuous space; see `vlnscope.training.loop.train`."""

    def __init__(
        self,
        task: WalkTask,
        out: Path,
        ranks: Ranks,
        device: torch.device | None = None,
        watch: TrainingWatch | None = None,
    ) -> None:
        experiment, name = task.experiment, task.experiment.model.name
        check_fit(task.vocabulary, task.config, name)
        self._task = task
        model = make_network(LEARNERS[name], task.config, seed=experiment.seed)
        model.train().to(device or torch.device("cpu"))
        self._walks = task.train
        folder = RunFolder(out, experiment, task.digest, task.stores)
        super().__init__(experiment, model, task.vocabulary, self._new_order(), folder, ranks, watch)

    def _new_order(self) -> Order:
        """Return in which order walks are learned from, those with instructions alike in length together."""
        sizes = np.array([max(map(len, walk.texts)) for walk in self._walks])
        return Order(sizes, self._task.experiment.learning.batch, self._task.experiment.seed)

    def _learn_from(self, walks: tuple[ToldWalk, ...]) -> None:
        """Learn from these from now on."""
        self._walks = walks
        self._order = self._new_order()

    def _loss(self, rows: Tensor, number: int) -> Tensor:
        """Return what this process adds to the loss of a batch: that of its walks, by their share."""
        learning, own = self._task.experiment.learning, self._ranks.part(rows).tolist()
        batch, output = self._followed([self._walks[row] for row in own])
        labels = batch.progress if learning.progress else None
        loss = policy_loss(output, batch.actions, batch.weights, labels, learning.progress)
        return loss.total * len(own) / len(rows)

    @torch.no_grad()
    def _metrics(self) -> dict[str, float]:
        """Return how often the model would do what the expert does, in houses that it does not know."""
        sums = torch.zeros(2, dtype=torch.float64)
        own = self._ranks.part(torch.arange(len(self._task.held))).tolist()
        self._watch.phase("validating", len(own))
        learns = self.model.training
        self.model.eval()
        for at in range(0, len(own), BATCH):
            batch, output = self._followed([self._task.held[row] for row in own[at : at + BATCH]])
            right = (output.logits.argmax(-1) == batch.actions) * batch.weights
            sums += torch.stack([right.sum(), batch.weights.sum()]).cpu()
            self._watch.at(min(at + BATCH, len(own)))
        self.model.train(learns)
        self._ranks.sum([sums])
        return {ACCURACY: float(sums[0] / sums[1])}

    def _followed(self, walks: Sequence[ToldWalk]) -> tuple[EpisodeBatch, PolicyOutput]:
        """Let the model go along walks."""
        batch = self._task.batch(walks).to(self._device)
        words = self.model.read(batch.words)
        return batch, self.model(words, batch.steps, self.model.start(batch.actions.shape[1]))

    def _notes(self) -> dict[str, Any]:
        """Return what the agent is shown, and where the best weights were chosen."""
        data = self._task.experiment.data
        return {
            "cameras": {"depth": data.depth},
            "memory": data.memory,
            "validated_on": f"the last {data.held} houses of {data.train}",
        }
