"""What trainings of small networks on pictures of houses share: their settings, and how updates go on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import resources
from typing import TypeVar

import msgspec
import torch
from torch import Tensor, nn

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.core.toml_file import parse_toml
from vlnscope.training.experiment import require
from vlnscope.training.schedule import decayed_parts
from vlnscope.training.watching import CurveRow, TrainingWatch, UpdateNews

REPORT_EVERY = 50


class PictureExperiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a network is made of pictures of houses.

    Attributes:
        title: one line.
        seed: of all random choices.
        houses: which houses to learn from, as in ``houses/…``: ``train@80``.
        held: which houses to report on; nothing is chosen by them.
        updates: steps of the optimiser.
        batch: pictures per step.
        rate: learning rate at its highest.
        warmup: updates until it is reached; the way down is a cosine.
        decay: of weights (AdamW).
    """

    title: str
    seed: int = 0
    houses: str = "train"
    held: str = "val_unseen"
    updates: int = 800
    batch: int = 16
    rate: float = 2e-3
    warmup: int = 100
    decay: float = 0.02

    def __post_init__(self) -> None:
        for name in ("updates", "warmup"):
            require(self, getattr(self, name) >= 1, name, "1 or more")
        require(self, 0 < self.rate < math.inf, "rate", "a finite number above 0")
        require(self, 0 <= self.decay < math.inf, "decay", "a finite number, 0 or more")
        require(self, self.batch >= 2, "batch", "2 or more: pictures are told apart within a batch")


AnExperiment = TypeVar("AnExperiment", bound=PictureExperiment)


def packaged_experiment(name: str, kind: type[AnExperiment], changes: Sequence[str] = ()) -> AnExperiment:
    """Return an experiment that comes with vlnscope, with changes such as ``updates=100``.

    Raises:
        InputError: a change cannot be used.
    """
    file = resources.files("vlnscope.training") / "experiments" / "encoders" / f"{name}.toml"
    try:
        plain = parse_toml(file.read_text(), file) | parse_toml("\n".join(changes), "--set cannot be read")
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise InputError(
            f"the {name.replace('-', ' ')} cannot be made so: {error}",
            expected=f"NAME=VALUE in TOML's notation, with names that are in {file.name}",
            fix="for example --set updates=100",
        ) from None


def fit(
    network: nn.Module,
    loss_of: Callable[[int, Tensor], Tensor],
    pictures: int,
    experiment: PictureExperiment,
    watch: TrainingWatch,
) -> list[CurveRow]:
    """Train a network, and return the curve of its loss.

    Args:
        network: is changed.
        loss_of: of an update, which has a number, and the rows of its pictures.
        pictures: how many there are.
        experiment: how to go on.
        watch: is told how it goes.

    Raises:
        InputError: the loss is no longer a number.
    """
    optimizer = torch.optim.AdamW(decayed_parts(network, experiment.decay), lr=experiment.rate)
    curve: list[CurveRow] = []
    total = 0.0
    for update in range(experiment.updates):
        for group in optimizer.param_groups:
            group["lr"] = _rate(update, experiment)
        loss = loss_of(update, _rows(update, pictures, experiment))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        total += _finite(float(loss.detach()), update)
        count = update + 1 - int(curve[-1]["update"] if curve else 0)
        watch.updated(UpdateNews(update + 1, experiment.updates, total / count, experiment.batch))
        if (update + 1) % REPORT_EVERY == 0 or update + 1 == experiment.updates:
            curve.append({"update": update + 1, "loss": total / count})
            total = 0.0
            watch.row(curve[-1])
    return curve


def check_pictures(count: int, experiment: PictureExperiment) -> None:
    """Refuse to go on with fewer pictures than a batch takes."""
    if count < experiment.batch:
        raise InputError(
            f"there are {count} pictures, fewer than a batch of {experiment.batch}",
            expected="more pictures",
            fix="name more houses, or set a smaller batch",
        )


def _rows(update: int, size: int, experiment: PictureExperiment) -> Tensor:
    """Return the pictures of a batch: each once in a round, in an order that differs from round to round."""
    batches = size // experiment.batch
    turn, number = divmod(update, batches)
    order = rng_for(experiment.seed, "order", turn).permutation(size)
    return torch.from_numpy(order[number * experiment.batch : (number + 1) * experiment.batch])


def _rate(update: int, experiment: PictureExperiment) -> float:
    up = min(1.0, (update + 1) / experiment.warmup)
    return experiment.rate * up * (0.01 + 0.99 * (1 + math.cos(math.pi * update / experiment.updates)) / 2)


def _finite(loss: float, update: int) -> float:
    if not math.isfinite(loss):
        raise InputError(
            f"update {update + 1}: the loss is {loss}",
            expected="a number",
            fix="lower rate, say, --set rate=1e-3",
        )
    return loss
