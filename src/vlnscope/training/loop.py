"""The training loop: updates, validations, and a state from which a killed run goes on to the same weights.

Everything random depends on the seed and the number of the update, so the state needs no generators. In one
process, with the same number of threads, a run that was killed and resumed ends with the same bits as one
that was not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import make_network, save_checkpoint
from vlnscope.agents.learned.model import NavModel, network_class
from vlnscope.agents.learned.network import Network
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit
from vlnscope.core.devices import as_array, moved
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Experiment, LearningConfig
from vlnscope.training.imitation import imitation_loss
from vlnscope.training.ranks import Ranks
from vlnscope.training.reinforce import policy_loss
from vlnscope.training.rollouts import Learner, Update
from vlnscope.training.run_state import RunFolder, RunState, averaged
from vlnscope.training.schedule import Order, decayed_parts, learning_rate, policy_updates
from vlnscope.training.tours import tour_loss
from vlnscope.training.tracking import Trackers
from vlnscope.training.validation import validate
from vlnscope.training.watching import CurveRow, TrainingWatch, UpdateNews

REPORT_EVERY = 20


class TrainingTask(NamedTuple):
    """What is to be learned, laid out.

    Attributes:
        experiment: what was asked.
        config: sizes of the model.
        vocabulary: of the instructions.
        world: the scenes.
        train: episodes to learn from.
        held: episodes to choose weights by.
        digest: of the data.
        vectors: (V, D) as what word embeddings begin; None for random ones.
        train_tours: (n, K) the episodes of each piece of a tour to learn from; None without tours.
        held_tours: the same, to choose weights by.
        weights: those that the model begins with; None for random ones.
    """

    experiment: Experiment
    config: Any
    vocabulary: AnyVocabulary
    world: SceneArrays
    train: EpisodeArrays
    held: EpisodeArrays
    digest: str
    vectors: Tensor | None = None
    train_tours: Tensor | None = None
    held_tours: Tensor | None = None
    weights: dict[str, Tensor] | None = None

    def to(self, device: torch.device) -> TrainingTask:
        """Return the same on a device."""
        return self._replace(
            world=self.world.to(device),
            train=self.train.to(device),
            held=self.held.to(device),
            train_tours=None if self.train_tours is None else self.train_tours.to(device),
            held_tours=None if self.held_tours is None else self.held_tours.to(device),
        )


def train(
    task: TrainingTask,
    out: Path,
    *,
    resume: bool = False,
    ranks: Ranks | None = None,
    device: torch.device | None = None,
    watch: TrainingWatch | None = None,
    track: Sequence[str] = (),
) -> RunState:
    """Train a model, or go on doing so.

    Args:
        task: what to learn.
        out: folder of the run.
        resume: go on with the run in the folder, if there is one.
        ranks: which of how many processes this is.
        device: where to compute; on the CPU if None.
        watch: is told how it goes.
        track: kinds of trackers that get the curves, too.

    Raises:
        InputError: the folder or a tracker cannot be used, or the loss is no longer a number.
    """
    watch = watch or TrainingWatch()
    watch.phase(f"making the model {task.experiment.model.name}")
    trainer = trainer_class(task)(task, out, ranks or Ranks(), device, watch)
    trainer.begin(resume)
    updates = task.experiment.learning.updates
    watch.phase(f"learning from update {trainer.state.update + 1:,} of {updates:,} on")
    with closing(trainer.tracked(track)) as trackers:
        while trainer.state.update < updates:
            if row := trainer.advance():
                trackers.add(row)
                watch.row(row)
    return trainer.state


def trainer_class(task: TrainingTask) -> type[Trainer]:
    """Return what trains the model of a task."""
    if issubclass(network_class(task.experiment.model.name), NavModel):
        return Trainer
    from vlnscope.training.speaking import SpeakerTrainer

    return SpeakerTrainer


class Trainer:
    """A run of an experiment; see `train`."""

    def __init__(
        self,
        task: TrainingTask,
        out: Path,
        ranks: Ranks,
        device: torch.device | None = None,
        watch: TrainingWatch | None = None,
    ) -> None:
        experiment = task.experiment
        check_fit(task.vocabulary, task.config, experiment.model.name)
        self._device = device or torch.device("cpu")
        self._task, self._ranks = task.to(self._device), ranks
        self._watch = watch or TrainingWatch()
        self._learning = _long_enough(task)
        self._folder = RunFolder(out, experiment, task.digest, task.world.visuals.digest)
        self.state = RunState()
        self.model: Any = make_network(
            network_class(experiment.model.name), task.config, seed=experiment.seed
        )
        self.model.train()
        if task.vectors is not None:
            _words_begin(self.model, task.vectors)
        if task.weights is not None:
            _weights_begin(self.model, task.weights, experiment.model.begin)
        self.model.to(self._device)
        self._average = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        learning = experiment.learning
        self._optimizer = torch.optim.AdamW(
            decayed_parts(self.model, learning.decay), lr=learning.rate, betas=(0.9, 0.98), fused=True
        )
        self._order = _order(task)
        _check_batch(self._order.size, ranks)

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
        experiment, state = self._task.experiment, self.state
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
        task, ranks = self._task, self._ranks
        learning, seed = task.experiment.learning, task.experiment.seed
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

    def _loss(self, rows: Tensor, number: int) -> Tensor:
        """Return what this process adds to the loss of a batch."""
        task, learning, own = self._task, self._learning, self._ranks.part(rows).to(self._device)
        update = Update(task.experiment.seed, number, len(rows))
        if task.train_tours is not None:
            return tour_loss(self._learner(learning), task.train, task.train_tours[own], update)
        batch = task.train.take(own)
        if learning.method == "reinforce" and policy_updates(learning)[number]:
            return policy_loss(self._learner(task.experiment.learning), batch, update, self._ranks)
        if learning.method == "reinforce":
            learning = msgspec.structs.replace(learning, teacher=1.0, student=0.0)
        return imitation_loss(self._learner(learning), batch, update)

    def _learner(self, learning: LearningConfig) -> Learner:
        return Learner(self.model, self._task.world, learning)

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
        learning = self._task.experiment.learning
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
        updates = self._task.experiment.learning.updates
        return UpdateNews(self.state.update, updates, loss / count, self._episodes)

    @property
    def _episodes(self) -> int:
        """How many episodes an update has."""
        learning = self._task.experiment.learning
        return self._order.size * (learning.tour if learning.method == "tours" else 1)

    def _validated(self) -> CurveRow:
        task, state = self._task, self.state
        own = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        if task.experiment.learning.average:
            self.model.load_state_dict(self._average)
        metrics = self._metrics()
        value = metrics[task.experiment.choose]
        if value > state.best:
            state.best, state.best_update = value, state.update
            if self._ranks.leads:
                notes: dict[str, Any] = {
                    "experiment": task.experiment.title,
                    "features": task.experiment.data.features,
                    **({"grid": task.experiment.data.grid} if task.experiment.data.grid else {}),
                    "update": state.update,
                    "validation": metrics,
                    "validated_on": task.experiment.data.validate,
                }
                if self._device.type != "cpu":
                    notes["device"] = self._device.type
                save_checkpoint(self._folder.best, self.model, task.vocabulary, notes)
        self.model.load_state_dict(own)
        return metrics

    def _metrics(self) -> dict[str, float]:
        """Return what the model reaches on held-out data."""
        task = self._task
        learner = self._learner(task.experiment.learning)
        return validate(learner, task.held, task.held_tours, self._ranks, self._watch)

    def _save(self) -> None:
        if self._ranks.leads:
            parts = {
                "weights": self.model.state_dict(),
                "average": self._average,
                "optimizer": self._optimizer.state_dict(),
            }
            self._folder.save(self.state, parts)


def _check_batch(size: int, ranks: Ranks) -> None:
    if size < ranks.count:
        raise InputError(
            f"a batch of {size} cannot be shared by {ranks.count} processes",
            expected="a batch at least as large as the number of processes",
            fix=f"set learning.batch to {ranks.count}, learn from more episodes, or use fewer --processes",
        )


def _long_enough(task: TrainingTask) -> LearningConfig:
    """Let walks be as long as the longest way that a teacher may lead, for every batch alike."""
    learning, longest = task.experiment.learning, int(task.train.sizes.max())
    return msgspec.structs.replace(learning, max_steps=max(learning.max_steps, longest))


def _words_begin(model: Network, vectors: Tensor) -> None:
    begin = getattr(model, "begin_words", None)
    if begin is None or vectors.shape[1] != getattr(model.config, "word_size", None):
        raise InputError(
            f"the words of the model {model.name!r} cannot begin as vectors of {vectors.shape[1]} numbers",
            expected="a model with `begin_words` and word embeddings of that width, such as scout",
            fix='write vectors = "random" under [model]',
        )
    begin(vectors)


def _weights_begin(model: Network, weights: dict[str, Tensor], file: str) -> None:
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise InputError(
            f"{file}: its model has other sizes ({str(error).splitlines()[-1].strip()})",
            expected="the sizes under [model] that the checkpoint was trained with",
            fix="write the same sizes, or leave model.begin out",
        ) from None


def _order(task: TrainingTask) -> Order:
    learning, seed = task.experiment.learning, task.experiment.seed
    if task.train_tours is None:
        return Order.of(task.train, learning.batch, seed)
    return Order(as_array(task.train.sizes[task.train_tours].sum(1)), learning.batch, seed)
