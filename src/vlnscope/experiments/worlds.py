"""The two worlds of the experiments: real buildings seen through captions, and houses seen through views."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import aligned_data
from vlnscope.experiments.materials import JOINED, SOURCE, data_name
from vlnscope.training.experiment import Experiment, experiments, read_experiment


class ExperimentWorld(NamedTuple):
    """Where agents are trained and tested.

    Attributes:
        name: of the world.
        test: the data set that results are reported on.
        reader: an agent that was never trained and reads instructions all the same.
        trainings: names or files of what agents are trained by; those of the world if empty.
    """

    name: str
    test: str
    reader: str
    trainings: tuple[str, ...] = ()


WORLDS = {
    "r2r": ExperimentWorld("r2r", "r2r/val_unseen", "captions"),
    "houses": ExperimentWorld("houses", "houses/val_unseen", "follower"),
}


def worlds(
    names: Sequence[str], trainings: Sequence[str] = (), data: str = ""
) -> tuple[ExperimentWorld, ...]:
    """Return worlds by name.

    Args:
        names: of the worlds.
        trainings: what to train instead of what the world has.
        data: what to test on instead.

    Raises:
        InputError: a world is unknown, or it is unclear to which of several the others belong.
    """
    for name in names:
        if name not in WORLDS:
            raise UnknownNameError("world", name, WORLDS)
    if len(names) > 1 and (trainings or data):
        raise InputError(
            f"other trainings or data are named for the worlds {' and '.join(names)} at once",
            expected="one world",
            fix=f"add --world {names[0]}",
        )
    chosen = [WORLDS[name] for name in dict.fromkeys(names)]
    return tuple(
        world._replace(trainings=tuple(trainings), test=data or world.test) if trainings or data else world
        for world in chosen
    )


def single_trainings(world: ExperimentWorld) -> dict[str, Experiment]:
    """Return what trains agents on single episodes of a world.

    Raises:
        InputError: nothing does.
    """
    if world.trainings:
        return read_trainings(world, world.trainings)
    chosen = ["r2r-captions"] if world.name == "r2r" else [n for n in experiments() if _is_of(n, world.name)]
    read = read_trainings(world, chosen)
    return _some({name: one for name, one in read.items() if _is_single(one) and not one.speaks}, world)


def every_training(world: ExperimentWorld) -> dict[str, Experiment]:
    """Return what trains agents and speakers of a world that belong together: ``r2r-captions…``, ``houses…``.

    Raises:
        InputError: nothing does.
    """
    if world.trainings:
        return read_trainings(world, world.trainings)
    start = "r2r-captions" if world.name == "r2r" else world.name
    read = read_trainings(world, [name for name in experiments() if name.startswith(start)])
    return _some({name: one for name, one in read.items() if _is_single(one)}, world)


def _is_single(experiment: Experiment) -> bool:
    return experiment.learning.method != "tours"


def tour_trainings(world: ExperimentWorld) -> dict[str, Experiment]:
    """Return what trains agents along the tours of a world.

    Raises:
        InputError: nothing does.
    """
    if world.trainings:
        return read_trainings(world, world.trainings)
    kind = "ir2r" if world.name == "r2r" else world.name
    read = read_trainings(world, [name for name in experiments() if _is_of(name, kind)])
    return _some({name: one for name, one in read.items() if one.learning.method == "tours"}, world)


def read_trainings(world: ExperimentWorld, names: Sequence[str]) -> dict[str, Experiment]:
    """Read trainings by name or file.

    Those that come with vlnscope name no file of tours here: theirs stands for one that is made when needed.

    Raises:
        InputError: one cannot be used, two would share a folder, or one has seen what is tested on.
    """
    read = {name: read_experiment(name) for name in names}
    labels = [training_label(name) for name in read]
    if twice := [name for name in read if labels.count(training_label(name)) > 1]:
        raise InputError(
            f"the trainings {' and '.join(twice)} have the same name",
            expected="files with different names: folders of runs are called by them",
            fix="rename one of the files",
        )
    for name, one in read.items():
        if _episodes_of(world.test) in map(_episodes_of, (one.data.train, one.data.validate)):
            raise InputError(
                f"{name} learns from {one.data.train} and chooses its weights on {one.data.validate}, "
                f"so it cannot be tested on {world.test}",
                expected="data for the test that the training has not seen",
                fix="name other data with --data, or in the training",
            )
    known = experiments()
    return {
        name: replace(one, data=replace(one.data, tours="")) if name in known else one
        for name, one in read.items()
    }


def _episodes_of(data: str) -> str:
    """Return the largest data set with the episodes of this one: joined paths are others in pairs.

    Example:
        >>> _episodes_of("r4r/val_seen"), _episodes_of("r2r/val_seen"), _episodes_of("houses/val_unseen@10")
        ('fgr2r/val_seen', 'fgr2r/val_seen', 'houses/val_unseen')
    """
    name = data_name(data).partition("@")[0]
    return aligned_data(re.sub(f"^{JOINED}/", f"{SOURCE}/", name))


def entrant_names(trainings: dict[str, Experiment]) -> dict[str, str]:
    """Return how the agents of trainings are called: as their models, or longer where models are the same.

    Example:
        >>> goal, fidelity = read_experiment("r4r-goal"), read_experiment("r4r-fidelity")
        >>> entrant_names({"r4r-goal": goal})
        {'r4r-goal': 'rcm'}
        >>> entrant_names({"r4r-goal": goal, "r4r-fidelity": fidelity})
        {'r4r-goal': 'rcm, goal', 'r4r-fidelity': 'rcm, fidelity'}
        >>> entrant_names({"a-goal.toml": goal, "b-goal.toml": goal})
        {'a-goal.toml': 'rcm, a-goal', 'b-goal.toml': 'rcm, b-goal'}
    """
    models = {name: one.model.name for name, one in trainings.items()}
    labels = {name: training_label(name) for name in trainings}
    short = {name: f"{models[name]}, {label.partition('-')[2] or label}" for name, label in labels.items()}
    full = {name: f"{models[name]}, {label}" for name, label in labels.items()}
    longer = short if len(set(short.values())) == len(short) else full
    taken = list(models.values())
    return {name: model if taken.count(model) == 1 else longer[name] for name, model in models.items()}


def training_label(training: str) -> str:
    """Return the name of a training; of a file its stem.

    Example:
        >>> training_label("r4r-goal"), training_label("some/where/my.toml")
        ('r4r-goal', 'my')
    """
    return re.sub(r"\.toml$", "", training).rpartition("/")[2]


def _is_of(name: str, world: str) -> bool:
    return name.startswith(f"{world}-")


def _some(trainings: dict[str, Experiment], world: ExperimentWorld) -> dict[str, Experiment]:
    if not trainings:
        raise InputError(
            f"nothing that comes with vlnscope trains such agents in the world {world.name}",
            expected=f"an experiment called {world.name}-…",
            fix="name a TOML file with --train",
        )
    return trainings
