"""Trained agents: finished runs that are there are used, and what is missing is trained."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from vlnscope.agents.learned.checkpoints import load_checkpoint
from vlnscope.exceptions import InputError
from vlnscope.files import read_bytes
from vlnscope.studies.experiments.materials import data_name, with_materials
from vlnscope.training.experiment import Experiment, experiments, read_experiment
from vlnscope.training.loop import train
from vlnscope.training.preparing import prepare
from vlnscope.training.ranks import Ranks, with_ranks
from vlnscope.training.run_state import Row


class Trained(NamedTuple):
    """A finished run of a training.

    Attributes:
        training: its name.
        seed: of the training.
        folder: of the run.
        features: what the agent sees.
        update: after how many updates its weights were chosen.
        updates: how many there were.
        seconds: spent on them, validations aside.
        chosen_by: the metric by which they were chosen.
        validation: what they reached on the data set on which they were chosen.
        weights: digest of the weights.
        differs: where the run departs from the training of that name, a change each.
    """

    training: str
    seed: int
    folder: Path
    features: str
    update: int
    updates: int
    seconds: float
    chosen_by: str
    validation: dict[str, float]
    weights: str
    differs: tuple[str, ...]

    @property
    def agent(self) -> str:
        """How `run` calls the agent."""
        return f"learned:file={(self.folder / 'best.pt').resolve()},features={self.features}"


class Source(NamedTuple):
    """Where trained agents come from.

    Attributes:
        folder: of the runs that are made here, ``NAME-SEED`` each.
        places: runs that were made before, or folders of them.
        root: folder of the data.
        processes: that share each batch.
        tell: is told what begins.
        watch: is told each row of the curves.
    """

    folder: Path
    places: tuple[Path, ...] = ()
    root: Path | None = None
    processes: int = 1
    tell: Callable[[str], None] = lambda text: None
    watch: Callable[[Row], None] | None = None


def trained(source: Source, label: str, experiment: Experiment) -> Trained:
    """Return a finished run of a training; one is made, or gone on with, if there is none.

    Args:
        source: where to look, and where to train.
        label: name of the training.
        experiment: the training, with its seed.

    Raises:
        InputError: it cannot be trained.
    """
    own = source.folder / f"{label}-{experiment.seed}"
    found = next(_finished(own, source.places, experiment), None)
    if found is None:
        begun = _begun(source, experiment)
        begun = with_materials(begun, source.folder.parent / "materials", source.root, source.tell)
        source.tell(f"training {label}, seed {experiment.seed}")
        with_ranks(source.processes, _learn, begun, own, source.root, source.watch)
        found = own
    asked, best = _asked(found), load_checkpoint(found / "best.pt")
    return Trained(
        training=label,
        seed=experiment.seed,
        folder=found,
        features=str(asked["data"]["features"]),
        update=int(best.notes["update"]),
        updates=int(asked["learning"]["updates"]),
        seconds=float(_last_row(found)["seconds"]),
        chosen_by=f"{asked['choose']} on {data_name(asked['data']['validate'])}",
        validation=dict(best.notes["validation"]),
        weights=best.digest,
        differs=tuple(_differences(msgspec.to_builtins(experiment), _filled(asked))),
    )


def is_finished(folder: Path) -> bool:
    """Say whether a folder holds a training run that came to its end.

    Raises:
        InputError: its files are damaged.
    """
    if not all((folder / name).is_file() for name in ("experiment.json", "best.pt", "curves.csv")):
        return False
    return float(_last_row(folder)["update"]) >= float(_asked(folder)["learning"]["updates"])


def _last_row(folder: Path) -> dict[str, str]:
    """Return the last row of the curves of a run."""
    path = folder / "curves.csv"
    rows = list(csv.DictReader(read_bytes(path).decode().splitlines()))
    if not rows or not {"update", "seconds"} <= rows[-1].keys():
        raise InputError(
            f"{path}: cannot be used", expected="curves of a training", fix="train again elsewhere"
        )
    return rows[-1]


def _begun(source: Source, experiment: Experiment) -> Experiment:
    """Return a training with the weights that it begins with: those of another one, which is trained first.

    ``begin = "…/NAME/best.pt"`` stands for the training of that name, with the same seed, if there is one.
    """
    first = Path(experiment.model.begin).parent.name
    if first not in experiments():
        return experiment
    before = msgspec.structs.replace(read_experiment(first), seed=experiment.seed)
    begin = str((trained(source, first, before).folder / "best.pt").resolve())
    model = msgspec.structs.replace(experiment.model, begin=begin)
    return msgspec.structs.replace(experiment, model=model)


def _finished(own: Path, places: Sequence[Path], experiment: Experiment) -> Iterator[Path]:
    """Yield finished runs: the own one first, then others of that name, or of that title and seed."""
    if is_finished(own):
        yield own
    others = [folder for folder in _folders(places) if is_finished(folder)]
    yield from (folder for folder in others if folder.name == own.name and _matches(folder, experiment))
    yield from (folder for folder in others if _matches(folder, experiment))


def _folders(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        if not place.is_dir():
            raise InputError(
                f"{place}: is no folder", expected="a training run, or a folder of such", fix="check --runs"
            )
        yield place
        yield from sorted(path for path in place.iterdir() if path.is_dir())


def _matches(folder: Path, experiment: Experiment) -> bool:
    """Say whether a run is of a training: its title, seed and number of updates tell."""
    asked = _asked(folder)
    same = (asked["title"], asked["seed"]) == (experiment.title, experiment.seed)
    return same and asked["learning"]["updates"] == experiment.learning.updates


def _asked(folder: Path) -> dict[str, Any]:
    path = folder / "experiment.json"
    try:
        asked: dict[str, Any] = msgspec.json.decode(read_bytes(path))["experiment"]
        asked["learning"]["updates"], asked["data"]["features"], asked["title"], asked["seed"]
    except (msgspec.DecodeError, KeyError, TypeError):
        raise InputError(
            f"{path}: cannot be used", expected="what `vlnscope train` writes", fix="train again elsewhere"
        ) from None
    return asked


def _learn(
    ranks: Ranks, experiment: Experiment, out: Path, root: Path | None, watch: Callable[[Row], None] | None
) -> None:
    """Train in one of several processes."""
    watcher = watch if ranks.leads else None
    train(prepare(experiment, root), out, resume=True, ranks=ranks, watcher=watcher)


def _filled(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a training with the defaults of what was not thought of when it was written down."""
    try:
        filled: dict[str, Any] = msgspec.to_builtins(msgspec.convert(asked, Experiment))
    except msgspec.ValidationError:
        return asked
    return filled


def _differences(wanted: dict[str, Any], asked: dict[str, Any], inside: str = "") -> Iterator[str]:
    """Yield where a run was trained in another way than its training now says; folders do not count."""
    for name in {**wanted, **asked}:
        ours, theirs = wanted.get(name), asked.get(name)
        if name in ("begin", "tours") and bool(ours) == bool(theirs):
            continue
        if name in ("train", "validate"):
            theirs = data_name(str(theirs))
        if isinstance(ours, dict) and isinstance(theirs, dict):
            yield from _differences(ours, theirs, f"{inside}{name}.")
        elif ours != theirs:
            yield f"{inside}{name} was {theirs}, and is {ours}"
