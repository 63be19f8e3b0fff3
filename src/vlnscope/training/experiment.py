"""Experiments: one TOML file each says what is learned, of what, and how."""

from __future__ import annotations

import math
from importlib import resources
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.files import read_text
from vlnscope.core.toml_file import parse_toml

Method = Literal["imitation", "reinforce", "tours"]
Reward = Literal["goal", "fidelity"]
Follow = Literal["goal", "reference"]
Choose = Literal["SR", "SPL", "OSR", "CLS", "nDTW", "likelihood"]
"""Metrics of which more is better; ``likelihood`` for speakers, and for them alone."""
T = TypeVar("T")
_EXPERIMENT_MB = 1


class DataConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is learned from.

    Attributes:
        train: data set to learn from.
        validate: data set on which the best weights are chosen; never one whose results are reported.
        features: what the agent sees, as behind ``features:``.
        more: data sets, or files of episodes, that are learned from besides, such as those that a speaker
            wrote (`vlnscope speak`).
        grid: for models that look at grid features, which, as behind ``grid:``.
        limit: so many episodes of each only, for trials; 0 for all.
        mirror: whether each building is learned from a second time with left and right exchanged.
        tours: file with the tours of both data sets, for the method ``tours``.
    """

    train: str
    validate: str
    features: str
    more: tuple[str, ...] = ()
    grid: str = ""
    limit: int = 0
    mirror: bool = False
    tours: str = ""

    def __post_init__(self) -> None:
        require(self, self.limit >= 0, "limit", "0 for all, or more")


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What learns.

    Attributes:
        name: of the model.
        preset: of its sizes.
        sizes: those that differ from the preset.
        words: ``words`` of the training instructions, the ``pieces`` of BERT's vocabulary, which is then
            looked for in the data folder (``bert/bert-base-uncased-vocab.txt``), or ``sentences``: vectors
            of word pieces, as the sentence encoder MiniLM makes them (for models that read vectors).
        least: how often a word must occur to be known.
        vectors: as what word embeddings begin: ``random``, or ``minilm``: sentence embeddings of the words
            (for models that have `begin_words`, and for ``words`` only).
        begin: checkpoint (``RUN/best.pt``) whose weights and words the model begins with; none if empty.
    """

    name: str
    preset: str = "small"
    sizes: dict[str, Any] = msgspec.field(default_factory=dict)
    words: Literal["words", "pieces", "sentences"] = "words"
    least: int = 2
    vectors: Literal["random", "minilm"] = "random"
    begin: str = ""

    def __post_init__(self) -> None:
        require(self, self.least >= 1, "least", "1 or more")


class LearningConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How it learns.

    Attributes:
        method: ``imitation``, ``reinforce`` (policy gradients, with batches of teacher forcing between), or
            ``tours`` (imitation along tours).
        updates: how many steps the optimiser makes.
        batch: episodes, or tours, per update.
        tour: episodes of a tour that are learned at once.
        forcing: in imitation of single episodes, ``both`` forcings of each, or ``either`` of them (mixing):
            the teacher then leads as many as its share of the weights says, drawn anew at each update.
        teacher: weight of teacher forcing.
        student: weight of student forcing.
        follow: what the teacher follows: a shortest way to the ``goal``, or the ``reference``.
        lenient: within so many metres of the goal, stopping counts as right as well (imitation). Where the
            teacher goes on to the goal itself, a model that is not sure of it learns to search for it. With 0
            stopping is right only where the teacher stops, even if the reference passes its goal before.
        at_goal: for models that leap: walks also end at their goals, whatever was chosen there, as DUET
            trains.
        smoothing: share of the target that is spread over all actions.
        max_steps: moves of a walk that is learned from, at most; in imitation at least as many as the longest
            reference has.
        held_steps: moves of a walk of validation, at most: as many as when results are reported.
        rate: learning rate at its highest.
        warmup: updates until it is reached.
        floor: share of it that is left at the end (the way down is a cosine).
        decay: of weights (AdamW).
        clip: length of the gradient, at most.
        average: share of the averaged weights that stays at each update; these are validated and kept. 0 for
            the weights as they are.
        reward: what REINFORCE rewards: the ``goal`` (Eq. 11) or ``fidelity`` (Eq. 12) of the R4R paper.
        discount: of later rewards.
        critic: weight of the critic's error.
        entropy: weight of the policy's entropy.
        cloning: batches of teacher forcing before the first policy batch (K).
        halving: policy batches in which K halves.
    """

    method: Method = "imitation"
    updates: int = 1000
    batch: int = 64
    tour: int = 4
    forcing: Literal["both", "either"] = "both"
    teacher: float = 1.0
    student: float = 1.0
    follow: Follow = "goal"
    lenient: float = 0.0
    at_goal: bool = False
    smoothing: float = 0.0
    max_steps: int = 15
    held_steps: int = 15
    rate: float = 3e-4
    warmup: int = 200
    floor: float = 0.02
    decay: float = 0.01
    clip: float = 5.0
    average: float = 0.0
    reward: Reward = "goal"
    discount: float = 0.95
    critic: float = 0.5
    entropy: float = 0.01
    cloning: float = 8.0
    halving: int = 200

    def __post_init__(self) -> None:
        for name in ("updates", "batch", "max_steps", "held_steps", "halving", "tour"):
            require(self, getattr(self, name) >= 1, name, "1 or more")
        for name in ("rate", "clip"):
            require(self, getattr(self, name) > 0, name, "a number above 0")
        for name in ("warmup", "decay", "critic", "entropy", "cloning", "teacher", "student", "lenient"):
            require(self, getattr(self, name) >= 0, name, "0 or more")
        for name in ("floor", "discount"):
            require(self, 0 <= getattr(self, name) <= 1, name, "a share from 0 to 1")
        for name in ("rate", "decay", "critic", "entropy", "cloning", "teacher", "student", "lenient"):
            require(self, math.isfinite(getattr(self, name)), name, "a finite number")
        require(self, self.teacher + self.student > 0, "teacher", "a weight above 0, or one of `student`")
        require(self, 0 <= self.smoothing < 1, "smoothing", "a share below 1")
        require(self, 0 <= self.average < 1, "average", "a share below 1")


class Experiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One experiment.

    Attributes:
        title: one line.
        seed: of all random choices.
        data: what is learned from.
        model: what learns.
        learning: how it learns.
        choose: the metric by which the best weights are chosen, the highest being the best.
        validate_every: updates between validations; the last update is validated, too.
        save_every: updates between moments at which nothing would be lost.
    """

    title: str
    data: DataConfig
    model: ModelChoice
    learning: LearningConfig
    seed: int = 0
    choose: Choose = "SPL"
    validate_every: int = 200
    save_every: int = 100

    def __post_init__(self) -> None:
        require(self, self.validate_every > 0, "validate_every", "1 or more")
        require(self, self.save_every > 0, "save_every", "1 or more")
        expected = "likelihood" if self.speaks else "a metric of walks, such as SPL"
        require(self, (self.choose == "likelihood") == self.speaks, "choose", expected)

    @property
    def speaks(self) -> bool:
        """Whether the model learns to describe paths, and not to walk."""
        from vlnscope.agents.learned.model import NavModel, network_class, network_names  # needs torch

        name = self.model.name
        return name in network_names() and not issubclass(network_class(name), NavModel)


class RunLearning(Protocol):
    """What every run has to know of how it learns; `LearningConfig` tells what each is."""

    @property
    def updates(self) -> int:
        """Steps of the optimiser."""

    @property
    def batch(self) -> int:
        """What an update learns from: so many episodes, tours or walks."""

    @property
    def rate(self) -> float:
        """The learning rate at its highest."""

    @property
    def warmup(self) -> int:
        """Updates until it is reached."""

    @property
    def floor(self) -> float:
        """The share of it that is left at the end."""

    @property
    def decay(self) -> float:
        """Of weights."""

    @property
    def clip(self) -> float:
        """The length of the gradient, at most."""

    @property
    def average(self) -> float:
        """The share of averaged weights that stays at each update."""


class RunExperiment(Protocol):
    """What every run has to know of its experiment; `Experiment` tells what each is."""

    @property
    def title(self) -> str:
        """One line."""

    @property
    def seed(self) -> int:
        """Of all random choices."""

    @property
    def learning(self) -> RunLearning:
        """How it learns."""

    @property
    def choose(self) -> str:
        """The metric by which the best weights are chosen."""

    @property
    def validate_every(self) -> int:
        """Updates between validations."""

    @property
    def save_every(self) -> int:
        """Updates between moments at which nothing would be lost."""


def read_experiment(name: str | Path, changes: list[str] | None = None) -> Experiment:
    """Read an experiment.

    Args:
        name: a TOML file, or the name of one that comes with vlnscope.
        changes: ``learning.batch=32`` and so on, in TOML's notation.

    Raises:
        InputError: there is no such experiment, or something in it cannot be used.
    """
    return converted(*plain_experiment(name, changes), Experiment)


def plain_experiment(name: str | Path, changes: list[str] | None = None) -> tuple[dict[str, Any], str]:
    """Return what a file says, with changes, and which file it is; as `read_experiment`."""
    text, where = _found(name)
    plain = parse_toml(text, where)
    for change in changes or ():
        _set(plain, change)
    return plain, where


def converted(plain: dict[str, Any], where: str, kind: type[T]) -> T:
    """Return what a file says as an experiment of a kind.

    Raises:
        InputError: something in it cannot be used.
    """
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        reason = str(error).replace(" - at `$.", " - at `")
        raise InputError(
            f"{where}: {reason}",
            expected=f"what {kind.__module__} tells",
            fix="change that setting; `vlnscope train --help` names experiments to start from",
        ) from None


def experiments(part: str = "") -> dict[str, Path]:
    """Return the experiments that come with vlnscope, those on graphs or those of a subfolder."""
    folder = Path(str(resources.files("vlnscope.training") / "experiments")) / part
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def _found(name: str | Path) -> tuple[str, str]:
    path = Path(name)
    if path.suffix != ".toml":
        known = experiments() | experiments("space")
        if str(name) not in known:
            raise UnknownNameError("experiment", str(name), known)
        path = known[str(name)]
    return read_text(path, "a TOML file", _EXPERIMENT_MB), str(path)


def _set(plain: dict[str, Any], change: str) -> None:
    key, equals, value = change.partition("=")
    try:
        read = parse_toml(f"value = {value}", change)["value"] if equals else None
    except InputError:
        read = value
    *outer, last = key.strip().split(".")
    table = plain
    for part in outer:
        table = table.setdefault(part, {}) if isinstance(table, dict) else table
    if not equals or not last or not isinstance(table, dict):
        raise InputError(
            f"the change {change!r} cannot be understood",
            expected="PART.NAME=VALUE",
            fix="for example --set learning.batch=32",
        )
    table[last] = read


def require(owner: msgspec.Struct, fine: bool, name: str, expected: str) -> None:
    """Refuse a setting that no training can have.

    Raises:
        InputError: it is not `fine`.
    """
    if not fine:
        raise InputError(
            f"{name} cannot be {getattr(owner, name)}",
            expected=expected,
            fix=f"change {name} in the experiment",
        )
