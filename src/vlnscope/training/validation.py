"""How well a model does on held-out episodes while it learns."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.training.arrays import EpisodeArrays
from vlnscope.training.ranks import Ranks
from vlnscope.training.rollouts import Learner, TrainingRollout, likeliest, path_batch, roll_out_batch
from vlnscope.training.tours import tour_rollouts
from vlnscope.training.watching import METRICS, TrainingWatch

BATCH = 256
TOURS = 32


@torch.no_grad()
def validate(
    learner: Learner,
    episodes: EpisodeArrays,
    tours: Tensor | None = None,
    ranks: Ranks | None = None,
    watch: TrainingWatch | None = None,
) -> dict[str, float]:
    """Return the mean of some metrics over episodes that the model walks, always taking what is likeliest.

    With `tours`, it walks these, and keeps its memory. The model is left in training mode if it was.
    """
    model, ranks, watch = learner.model, ranks or Ranks(), watch or TrainingWatch()
    walks = len(ranks.part(by_length(episodes))) if tours is None else ranks.part(tours).numel()
    watch.phase("validating", walks)
    done = 0
    sums = torch.zeros(len(METRICS), 2, dtype=torch.float64)
    learns = model.training
    model.eval()
    try:
        for batch, walked in _rollouts(learner, episodes, tours, ranks):
            values = evaluate(path_batch(learner.world, batch, walked), get_profile("default"), METRICS)
            for row, name in enumerate(METRICS):
                sums[row, 0] += float(values[name].values.sum())
                sums[row, 1] += float(values[name].defined.sum())
            done += len(batch)
            watch.at(done)
    finally:
        model.train(learns)
    ranks.sum([sums])
    means = sums[:, 0] / sums[:, 1].clamp(min=1)
    return dict(zip(METRICS, means.tolist(), strict=True))


def _rollouts(
    learner: Learner, episodes: EpisodeArrays, tours: Tensor | None, ranks: Ranks
) -> Iterator[tuple[EpisodeArrays, TrainingRollout]]:
    model, world, learning = learner
    most = learning.held_steps
    if tours is not None:
        for part in torch.split(ranks.part(tours), TOURS):
            yield from tour_rollouts(learner, episodes, part, lambda batch: likeliest, max_steps=most)
        return
    for rows in torch.split(ranks.part(by_length(episodes)), BATCH):
        batch = episodes.take(rows)
        yield batch, roll_out_batch(model, world, batch, likeliest, max_steps=most)


def by_length(episodes: EpisodeArrays) -> Tensor:
    """Return the rows of episodes, those alike in length together."""
    return episodes.mask.sum(1).argsort(stable=True)
