"""Trained agents: finished runs that are there are used, and what is missing is trained."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from vlnscope.agents.learned.checkpoints import load_network
from vlnscope.agents.learned.model import NavModel
from vlnscope.core.devices import AUTO, device_of
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.json_file import read_json
from vlnscope.experiments.materials import data_name, with_materials
from vlnscope.training.experiment import Experiment, experiments, read_experiment
from vlnscope.training.loop import train
from vlnscope.training.preparation import data_digest, prepare
from vlnscope.training.ranks import Ranks, with_ranks
from vlnscope.training.run_state import ASKED, is_consistent
from vlnscope.training.watching import TrainingWatch

_WRITTEN = "what `vlnscope train` writes"
_AGAIN = "train again in another folder"


class TrainedAgent(NamedTuple):
    """A finished run of a training.

    Attributes:
        training: its name.
        seed: of the training.
        folder: of the run.
        features: what the agent sees.
        update: after how many updates its weights were chosen.
        updates: how many there were.
        seconds: spent on them, validations aside.
        chosen_by: the metric by which they were chosen, and on what.
        held: the data set on which they were chosen.
        validation: what they reached there.
        weights: digest of the weights.
        data: digest of what was learned from, and of the weights that it began with.
    """

    training: str
    seed: int
    folder: Path
    features: str
    update: int
    updates: int
    seconds: float
    chosen_by: str
    held: str
    validation: dict[str, float]
    weights: str
    data: str

    @property
    def agent(self) -> str:
        """How `run` calls the agent."""
        return f"learned:file={(self.folder / 'best.pt').resolve()},features={self.features}"


class _Asked(msgspec.Struct, frozen=True):
    """What ``experiment.json`` of a run holds; what it was not asked then has its default."""

    experiment: Experiment
    data: str


class _Noted(msgspec.Struct, frozen=True):
    """What is noted with the weights of a run."""

    update: int
    validation: dict[str, float]


class _End(NamedTuple):
    """The last row of the curves of a run: how many updates there were, and the seconds spent on them."""

    update: float
    seconds: float


class TrainingSource(NamedTuple):
    """Where trained agents come from.

    Attributes:
        folder: of the runs that are made here, ``NAME-SEED`` each.
        places: runs that were made before, or folders of them.
        root: folder of the data.
        processes: that share each batch.
        tell: is told what begins.
        watch: is told how a training goes.
        device: where to train, as `device_of` takes it.
    """

    folder: Path
    places: tuple[Path, ...] = ()
    root: Path | None = None
    processes: int = 1
    tell: Callable[[str], None] = lambda text: None
    watch: TrainingWatch | None = None
    device: str = AUTO


def trained(source: TrainingSource, label: str, experiment: Experiment) -> TrainedAgent:
    """Return a finished run of a training; one is made, or gone on with, if there is none.

    A run that was made before is used only if it is what is asked: the same settings, on the same data, and
    begun with the same weights.

    Args:
        source: where to look, and where to train.
        label: name of the training.
        experiment: the training, with its seed.

    Raises:
        InputError: it cannot be trained, or its folder holds another training.
    """
    return _found(source, label, experiment) or _made(source, label, experiment)


def is_finished(folder: Path) -> bool:
    """Say whether a folder holds a training run that came to its end.

    Raises:
        InputError: its files are damaged, or do not belong together.
    """
    if not all((folder / name).is_file() for name in (ASKED, "best.pt", "curves.csv")):
        return False
    if _end(folder).update < _asked(folder).experiment.learning.updates:
        return False
    if not is_consistent(folder):
        raise _unusable(folder / ASKED, "is of another run than last.pt beside it")
    return True


def _found(source: TrainingSource, label: str, experiment: Experiment) -> TrainedAgent | None:
    """Return a finished run that is what is asked: the own one, or one that was made before."""
    own = _own(source, label, experiment)
    wanted = cache(partial(_wanted_data, source, experiment))
    if is_finished(own):
        if why := _unlike(own, experiment, wanted):
            raise InputError(
                f"{own}: holds another training than the one that is asked: {why}",
                expected="the same settings and data",
                fix="name another folder with --out",
            )
        return _told(label, own)
    for folder in _candidates(source, own.name, experiment):
        why = _unlike(folder, experiment, wanted)
        try:
            if not why:
                return _told(label, folder)
        except InputError as error:
            why = error.what
        source.tell(f"not used: {folder}: {why}")
    return None


def _made(source: TrainingSource, label: str, experiment: Experiment) -> TrainedAgent:
    """Train, the weights that are begun with first."""
    first = _first(experiment)
    begun = _beginning(experiment, trained(source, *first)) if first else experiment
    begun = _with_materials(source, begun)
    own = _own(source, label, experiment)
    source.tell(f"training {label}, seed {experiment.seed}")
    with_ranks(source.processes, _learn, begun, own, source.root, source.device, source.watch)
    return _told(label, own)


def _own(source: TrainingSource, label: str, experiment: Experiment) -> Path:
    return source.folder / f"{label}-{experiment.seed}"


def _with_materials(source: TrainingSource, experiment: Experiment) -> Experiment:
    return with_materials(experiment, source.folder.parent / "materials", source.root, source.tell)


def _first(experiment: Experiment) -> tuple[str, Experiment] | None:
    """Return the training whose weights another one begins with, if it comes with vlnscope.

    ``begin = "…/NAME/best.pt"`` stands for the training of that name, with the same seed.
    """
    name = Path(experiment.model.begin).parent.name
    if name not in experiments():
        return None
    return name, msgspec.structs.replace(read_experiment(name), seed=experiment.seed)


def _beginning(experiment: Experiment, first: TrainedAgent) -> Experiment:
    """Return a training with the weights that it begins with."""
    begin = str((first.folder / "best.pt").resolve())
    return msgspec.structs.replace(experiment, model=msgspec.structs.replace(experiment.model, begin=begin))


def _wanted_data(source: TrainingSource, experiment: Experiment) -> str | None:
    """Return the digest of what a training learns from; None if what it begins with is not trained yet."""
    first = _first(experiment)
    before = _found(source, *first) if first else None
    if first and before is None:
        return None
    begun = _beginning(experiment, before) if before else experiment
    return data_digest(_with_materials(source, begun), source.root)


def _unlike(folder: Path, experiment: Experiment, wanted: Callable[[], str | None]) -> str:
    """Return why a run is not what is asked; nothing if it is.

    Where the weights that it begins with are not there, they and the data are not compared.
    """
    record = _asked(folder)
    if differences := list(_differences(_settings(experiment), _settings(record.experiment))):
        return "; ".join(differences)
    if wanted() not in (None, record.data):
        return "it learned from other data, or began with other weights"
    return ""


def _settings(experiment: Experiment) -> dict[str, Any]:
    """Return what makes a training what it is; whether files are the same a digest tells, not their names."""
    plain: dict[str, Any] = msgspec.to_builtins(experiment)
    data, model = plain["data"], plain["model"]
    del plain["title"], plain["save_every"], data["tours"]
    data |= {name: data_name(data[name]) for name in ("train", "validate")}
    model["begin"] = "other weights" if model["begin"] else "random weights"
    return plain


def _differences(wanted: dict[str, Any], there: dict[str, Any], inside: str = "") -> Iterator[str]:
    for name in {**wanted, **there}:
        ours, theirs = wanted.get(name), there.get(name)
        if isinstance(ours, dict) and isinstance(theirs, dict):
            yield from _differences(ours, theirs, f"{inside}{name}.")
        elif ours != theirs:
            yield f"{inside}{name} was {theirs}, and is {ours}"


def _candidates(source: TrainingSource, name: str, experiment: Experiment) -> list[Path]:
    """Return finished runs that were made before: those of that name first, then of that title and seed."""
    named, titled = [], []
    for folder in _folders(source.places):
        if not (folder / ASKED).is_file():
            continue
        try:
            if folder.name == name:
                named += [folder] if is_finished(folder) else []
            elif _is_of(_asked(folder).experiment, experiment):
                titled += [folder] if is_finished(folder) else []
        except InputError as error:
            source.tell(f"not used: {error.what}")
    return named + titled


def _folders(places: Iterable[Path]) -> Iterator[Path]:
    for folder in places:
        if not folder.is_dir():
            raise InputError(
                f"{folder}: is no folder", expected="a training run, or a folder of such", fix="check --runs"
            )
        yield folder
        yield from sorted(path for path in folder.iterdir() if path.is_dir())


def _is_of(one: Experiment, other: Experiment) -> bool:
    """Say whether a run seems to be of a training: by its title, seed and number of updates."""
    keys = [(each.title, each.seed, each.learning.updates) for each in (one, other)]
    return keys[0] == keys[1]


def _told(label: str, folder: Path) -> TrainedAgent:
    """Return what there is to know of a finished run."""
    record, best = _asked(folder), load_network(folder / "best.pt")
    try:
        noted = msgspec.convert(best.notes, _Noted)
    except msgspec.ValidationError as error:
        raise _unusable(folder / "best.pt", f"its notes cannot be used: {error}") from None
    wanted = {"SR", "SPL"} if isinstance(best.model, NavModel) else {record.experiment.choose}
    if missing := wanted - noted.validation.keys():
        raise _unusable(folder / "best.pt", f"does not say what it reached in {', '.join(sorted(missing))}")
    validation_data = data_name(record.experiment.data.validate)
    return TrainedAgent(
        training=label,
        seed=record.experiment.seed,
        folder=folder,
        features=record.experiment.data.features,
        update=noted.update,
        updates=record.experiment.learning.updates,
        seconds=_end(folder).seconds,
        chosen_by=f"{record.experiment.choose} on {validation_data}",
        held=validation_data,
        validation=noted.validation,
        weights=best.digest,
        data=record.data,
    )


def _asked(folder: Path) -> _Asked:
    return read_json(folder / ASKED, _Asked, _WRITTEN, _AGAIN)


def _end(folder: Path) -> _End:
    path = folder / "curves.csv"
    try:
        last = list(csv.DictReader(read_bytes(path).decode().splitlines()))[-1]
        return _End(float(last["update"]), float(last["seconds"]))
    except (UnicodeDecodeError, csv.Error, IndexError, KeyError, TypeError, ValueError):
        raise _unusable(path, "cannot be used") from None


def _unusable(path: Path, why: str) -> InputError:
    return InputError(f"{path}: {why}", expected=_WRITTEN, fix=_AGAIN)


def _learn(
    ranks: Ranks,
    experiment: Experiment,
    out: Path,
    root: Path | None,
    device: str,
    watch: TrainingWatch | None,
) -> None:
    """Train in one of several processes."""
    place = device_of(device)
    with watch if watch and ranks.leads else TrainingWatch() as watcher:
        task = prepare(experiment, root, device=device, watch=watcher)
        train(task, out, resume=True, ranks=ranks, device=place, watch=watcher)
