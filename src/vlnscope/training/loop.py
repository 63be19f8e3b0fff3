"""The training loop: updates, validations, and a state from which a killed run goes on to the same weights.

Everything random depends on the seed and the number of the update, so the state needs no generators. In one
process, with the same number of threads, a run that was killed and resumed ends with the same bits as one
that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import make_network
from vlnscope.agents.learned.model import NavModel, network_class
from vlnscope.agents.learned.network import Network
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit
from vlnscope.core.devices import as_array
from vlnscope.core.exceptions import InputError
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Experiment, LearningConfig
from vlnscope.training.imitation import imitation_loss
from vlnscope.training.learning_run import LearningRun
from vlnscope.training.ranks import Ranks
from vlnscope.training.reinforce import policy_loss
from vlnscope.training.rollouts import Learner, Update
from vlnscope.training.run_state import RunFolder, RunState
from vlnscope.training.schedule import Order, policy_updates
from vlnscope.training.tours import tour_loss
from vlnscope.training.validation import validate
from vlnscope.training.watching import TrainingWatch

if TYPE_CHECKING:
    from vlnscope.training.space.preparation import WalkTask

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
    task: TrainingTask | WalkTask,
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
    state: RunState = trainer.run(track)
    return state


def trainer_class(task: TrainingTask | WalkTask) -> type[Any]:
    """Return what trains the model of a task."""
    if not isinstance(task, TrainingTask):
        from vlnscope.training.space.training import space_trainer_class

        return space_trainer_class(task)
    if issubclass(network_class(task.experiment.model.name), NavModel):
        return Trainer
    from vlnscope.training.speaking import SpeakerTrainer

    return SpeakerTrainer


class Trainer(LearningRun):
    """A run of an experiment; see `train`."""

    def __init__(
        self,
        task: TrainingTask,
        out: Path,
        ranks: Ranks,
        device: torch.device | None = None,
        watch: TrainingWatch | None = None,
    ) -> None:
        experiment, place = task.experiment, device or torch.device("cpu")
        check_fit(task.vocabulary, task.config, experiment.model.name)
        self._task, self._learning = task.to(place), _long_enough(task)
        folder = RunFolder(out, experiment, task.digest, task.world.visuals.digest)
        model = _model(task).to(place)
        super().__init__(experiment, model, task.vocabulary, _order(task), folder, ranks, watch)

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

    @property
    def _episodes(self) -> int:
        """How many episodes an update has."""
        learning = self._task.experiment.learning
        return self._order.size * (learning.tour if learning.method == "tours" else 1)

    def _metrics(self) -> dict[str, float]:
        """Return what the model reaches on held-out data."""
        task = self._task
        learner = self._learner(task.experiment.learning)
        return validate(learner, task.held, task.held_tours, self._ranks, self._watch)

    def _notes(self) -> dict[str, Any]:
        """Return the features, and the data that the best weights were chosen on."""
        data = self._task.experiment.data
        notes = {"features": data.features, "validated_on": data.validate}
        return notes | ({"grid": data.grid} if data.grid else {})


def _model(task: TrainingTask) -> Any:
    """Return the model with the weights that it begins with."""
    experiment = task.experiment
    model = make_network(network_class(experiment.model.name), task.config, seed=experiment.seed)
    model.train()
    if task.vectors is not None:
        _words_begin(model, task.vectors)
    if task.weights is not None:
        _weights_begin(model, task.weights, experiment.model.begin)
    return model


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
