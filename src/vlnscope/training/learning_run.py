"""A run that learns: updates, validations, and a state from which it goes on to the same weights if killed.

What is learned, and of what, a subclass says: `vlnscope.training.loop` on graphs,
`vlnscope.training.space` in continuous space.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import save_checkpoint
from vlnscope.agents.learned.vocabulary import AnyVocabulary
from vlnscope.core.devices import moved
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.training.experiment import RunExperiment
from vlnscope.training.ranks import Ranks
from vlnscope.training.run_state import RunFolder, RunState, averaged
from vlnscope.training.schedule import Order, decayed_parts, learning_rate
from vlnscope.training.tracking import Trackers
from vlnscope.training.watching import CurveRow, TrainingWatch, UpdateNews

REPORT_EVERY = 20


class LearningRun(ABC):
    """A run of an experiment.

    Args:
        experiment: what was asked.
        model: what learns, on the device where it does.
        vocabulary: of the instructions.
        order: what is learned from at which update.
        folder: where it is kept.
        ranks: which of how many processes this is.
        watch: is told how it goes.

    Attributes:
        model: what learns.
        state: where it stands.
    """

    def __init__(
        self,
        experiment: RunExperiment,
        model: torch.nn.Module,
        vocabulary: AnyVocabulary,
        order: Order,
        folder: RunFolder,
        ranks: Ranks,
        watch: TrainingWatch | None = None,
    ) -> None:
        self._experiment, self._folder, self._ranks = experiment, folder, ranks
        self._vocabulary, self._order, self._watch = vocabulary, order, watch or TrainingWatch()
        self._device = next(model.parameters()).device
        self.state = RunState()
        self.model: Any = model
        self._average = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        learning = experiment.learning
        self._optimizer = torch.optim.AdamW(
            decayed_parts(model, learning.decay), lr=learning.rate, betas=(0.9, 0.98), fused=True
        )
        _check_batch(order.size, ranks)

    def run(self, track: Sequence[str] = ()) -> RunState:
        """Learn to the end, from where the run stands.

        Args:
            track: kinds of trackers that get the curves, too.
        """
        updates = self._experiment.learning.updates
        self._watch.phase(f"learning from update {self.state.update + 1:,} of {updates:,} on")
        with closing(self.tracked(track)) as trackers:
            while self.state.update < updates:
                if row := self.advance():
                    trackers.add(row)
                    self._watch.row(row)
        return self.state

    def begin(self, resume: bool) -> None:
        """Make the folder ready, and take up the state that is in it.

        Raises:
            InputError: the folder cannot be used.
        """
        if self._ranks.leads:
            self._folder.begin(resume)
        kept = self._folder.load() if resume else None
        if kept is not None:
            self.state, parts = kept
            self.model.load_state_dict(parts["weights"])
            self._average = {name: moved(part, self._device) for name, part in parts["average"].items()}
            self._optimizer.load_state_dict(parts["optimizer"])
            if self._ranks.leads:
                self._folder.write_curves(self.state)  # it may have been killed before they were written

    def tracked(self, names: Sequence[str]) -> Trackers:
        """Open trackers, which get the curves as far as they are; the process that leads alone has any."""
        return Trackers(names if self._ranks.leads else (), self._folder.tracked(), self.state.curve)

    def advance(self) -> CurveRow:
        """Do one update, and what is due after it; return what is to be told, if anything."""
        experiment, state = self._experiment, self.state
        begun = time.perf_counter()
        loss, length = self._update(state.update)
        state.sums = [state.sums[0] + loss, state.sums[1] + length, state.sums[2] + 1]
        state.update += 1
        state.seconds += time.perf_counter() - begun
        self._watch.updated(self._news())
        final = state.update == experiment.learning.updates
        validates = final or state.update % experiment.validate_every == 0
        saves = validates or state.update % experiment.save_every == 0
        if saves:
            self._check_weights()
        row: CurveRow = {}
        if validates or state.update % REPORT_EVERY == 0:
            row = self._reported()
        if validates:
            row |= self._validated()
        if row:
            state.curve.append(row)
        if saves:
            self._save()
        return row

    def _update(self, update: int) -> tuple[float, float]:
        """Move the weights once; return the loss and the length of the gradient."""
        ranks, learning, seed = self._ranks, self._experiment.learning, self._experiment.seed
        torch.manual_seed(int(rng_for(seed, "dropout", update, ranks.rank).integers(2**62)))
        rows = self._order.rows(update)
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate(update, learning)
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._loss(rows, update)
        loss.backward()  # type: ignore[no-untyped-call]
        whole = loss.detach()
        ranks.sum_gradients(self.model, whole)
        length = torch.nn.utils.clip_grad_norm_(self.model.parameters(), learning.clip)
        self._check(update, whole, length)
        self._optimizer.step()
        averaged(self._average, self.model, min(learning.average, update / (update + 10)))
        return float(whole), float(length)

    def _check(self, update: int, loss: Tensor, length: Tensor) -> None:
        if math.isfinite(float(loss)) and math.isfinite(float(length)):
            return
        raise self._not_finite(
            f"update {update + 1}: the loss is {float(loss)}, the gradient has the length {float(length)}"
        )

    def _check_weights(self) -> None:
        """Refuse to keep weights that are no numbers; the loss would show it one update later only."""
        if not all(bool(weight.isfinite().all()) for weight in self.model.parameters()):
            raise self._not_finite(f"update {self.state.update}: weights are no longer numbers")

    def _not_finite(self, what: str) -> InputError:
        kept = [file for file in (self._folder.last, self._folder.best) if file.is_file()]
        what_is_kept = f"{' and '.join(map(str, kept))} stay as they were" if kept else "nothing was kept yet"
        again = f" (model.begin={kept[-1]} begins with the best weights)" if len(kept) > 1 else ""
        return InputError(
            what,
            expected="finite numbers",
            fix=f"lower learning.rate or learning.clip, in another folder{again}; {what_is_kept}",
        )

    def _reported(self) -> CurveRow:
        loss, length, count = self.state.sums
        self.state.sums = [0.0, 0.0, 0.0]
        learning = self._experiment.learning
        episodes = self.state.update * self._episodes
        return {
            "update": self.state.update,
            "episodes": episodes,
            "seconds": self.state.seconds,
            "loss": loss / count,
            "gradient": length / count,
            "rate": learning_rate(self.state.update - 1, learning),
            "episodes_per_second": episodes / max(self.state.seconds, 1e-9),
        }

    def _news(self) -> UpdateNews:
        loss, _, count = self.state.sums
        updates = self._experiment.learning.updates
        return UpdateNews(self.state.update, updates, loss / count, self._episodes)

    def _validated(self) -> CurveRow:
        state = self.state
        own = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        if self._experiment.learning.average:
            self.model.load_state_dict(self._average)
        metrics = self._metrics()
        value = metrics[self._experiment.choose]
        if value > state.best:
            state.best, state.best_update = value, state.update
            if self._ranks.leads:
                notes: dict[str, Any] = {
                    "experiment": self._experiment.title,
                    "update": state.update,
                    "validation": metrics,
                }
                if self._device.type != "cpu":
                    notes["device"] = self._device.type
                save_checkpoint(self._folder.best, self.model, self._vocabulary, notes | self._notes())
        self.model.load_state_dict(own)
        return metrics

    def _save(self) -> None:
        if self._ranks.leads:
            parts = {
                "weights": self.model.state_dict(),
                "average": self._average,
                "optimizer": self._optimizer.state_dict(),
            }
            self._folder.save(self.state, parts)

    @abstractmethod
    def _loss(self, rows: Tensor, number: int) -> Tensor:
        """Return what this process adds to the loss of a batch."""

    @abstractmethod
    def _metrics(self) -> dict[str, float]:
        """Return what the model reaches on held-out data."""

    @abstractmethod
    def _notes(self) -> dict[str, Any]:
        """Return what is noted with the best weights, so that agents can be made of them."""

    @property
    def _episodes(self) -> int:
        """How many episodes an update has."""
        return self._order.size


def _check_batch(size: int, ranks: Ranks) -> None:
    if size < ranks.count:
        raise InputError(
            f"a batch of {size} cannot be shared by {ranks.count} processes",
            expected="a batch at least as large as the number of processes",
            fix=f"set learning.batch to {ranks.count}, learn from more episodes, or use fewer --processes",
        )
