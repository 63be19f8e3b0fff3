"""What happens at which update: functions of the seed and its number alone, so that a run can go on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from vlnscope.core.devices import as_array
from vlnscope.core.rng import rng_for
from vlnscope.training.arrays import EpisodeArrays
from vlnscope.training.experiment import LearningConfig, RunLearning
from vlnscope.types import Ints

NEIGHBOURS = 16
"""So many batches' worth of episodes are sorted by size at a time, so that batches waste little."""


class Order:
    """Which episodes, or tours, are in which batch: a new order in each pass, those alike in size together.

    Args:
        sizes: (n) the size of each.
        batch: how many are in a batch; the last few of a pass that fill none wait for another pass.
        seed: of the order.
    """

    def __init__(self, sizes: Ints, batch: int, seed: int) -> None:
        self.size = min(batch, len(sizes))
        self._count, self._seed = len(sizes), seed
        self._sizes = sizes
        self.batches = self._count // self.size
        self._kept: tuple[int, Ints] | None = None

    @classmethod
    def of(cls, episodes: EpisodeArrays, batch: int, seed: int) -> Order:
        """Order episodes by the lengths of their instructions.

        Not by those of their references: a batch in which all stop at the same step teaches to count.
        """
        return cls(as_array(episodes.mask.sum(1)), batch, seed)

    def rows(self, number: int) -> Tensor:
        """Return the members of batch `number`, counted through all passes."""
        turn, index = divmod(number, self.batches)
        if self._kept is None or self._kept[0] != turn:
            self._kept = (turn, self._pass(turn))
        return torch.from_numpy(self._kept[1][index])

    def _pass(self, turn: int) -> Ints:
        chance = rng_for(self._seed, "order", turn)
        order = chance.permutation(self._count)[: self.batches * self.size]
        near = self.size * NEIGHBOURS
        for start in range(0, len(order), near):
            part = order[start : start + near]
            order[start : start + near] = part[self._sizes[part].argsort(kind="stable")]
        table = order.reshape(self.batches, self.size)
        return np.asarray(table[chance.permutation(self.batches)])


def learning_rate(update: int, learning: RunLearning) -> float:
    """Return the rate of an update: it rises to `LearningConfig.rate`, then falls along a cosine.

    Example:
        >>> plan = LearningConfig(updates=101, warmup=10, rate=1.0, floor=0.0)
        >>> [round(learning_rate(u, plan), 3) for u in (0, 9, 10, 55, 100)]
        [0.1, 1.0, 1.0, 0.5, 0.0]
    """
    if update < learning.warmup:
        return learning.rate * (update + 1) / learning.warmup
    left = max(learning.updates - 1 - learning.warmup, 1)
    share = 0.5 * (1 + math.cos(math.pi * min((update - learning.warmup) / left, 1.0)))
    return learning.rate * (learning.floor + (1 - learning.floor) * share)


@lru_cache(maxsize=4)
def policy_updates(learning: LearningConfig) -> tuple[bool, ...]:
    """Say for each update of ``reinforce`` whether it is a policy batch or one of teacher forcing.

    Before policy batch n come ``K · 2^(-n / halving)`` batches of teacher forcing, rounded: fewer and fewer,
    none in the end (Jain et al. 2019, section 4.3, publish no constants).

    Example:
        >>> "".join("cP"[p] for p in policy_updates(LearningConfig(updates=14, cloning=4.0, halving=1)))
        'ccccPccPcPcPPP'
    """
    return tuple(islice(_kinds(learning), learning.updates))


def _kinds(learning: LearningConfig) -> Iterator[bool]:
    number = 0
    while True:
        yield from [False] * math.floor(learning.cloning * 2 ** (-number / learning.halving) + 0.5)
        yield True
        number += 1


def decayed_parts(model: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Return parameters with and without decay, as optimisers take them.

    Biases, the weights of norms and single numbers have none.

    Example:
        >>> [(len(part["params"]), part["weight_decay"]) for part in decayed_parts(nn.Linear(2, 3), 0.1)]
        [(1, 0.1), (1, 0.0)]
    """
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [
        {"params": [p for p in learned if p.ndim > 1], "weight_decay": decay},
        {"params": [p for p in learned if p.ndim <= 1], "weight_decay": 0.0},
    ]
