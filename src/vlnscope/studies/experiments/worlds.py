"""The two worlds of the experiments: real buildings seen through captions, and houses seen through views."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.exceptions import InputError, UnknownNameError
from vlnscope.training.experiment import Experiment, experiments, read_experiment


class World(NamedTuple):
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
    "r2r": World("r2r", "r2r/val_unseen", "captions"),
    "houses": World("houses", "houses/val_unseen", "follower"),
}


def worlds(names: Sequence[str], trainings: Sequence[str] = (), data: str = "") -> tuple[World, ...]:
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
    found = [WORLDS[name] for name in dict.fromkeys(names)]
    return tuple(
        world._replace(trainings=tuple(trainings), test=data or world.test) if trainings or data else world
        for world in found
    )


def single_trainings(world: World) -> dict[str, Experiment]:
    """Return what trains agents on single episodes of a world.

    Raises:
        InputError: nothing does.
    """
    if world.trainings:
        return {name: read_experiment(name) for name in world.trainings}
    chosen = ["r2r-captions"] if world.name == "r2r" else [n for n in experiments() if _is_of(n, world.name)]
    read = {name: read_experiment(name) for name in chosen}
    return _some({name: one for name, one in read.items() if one.learning.method != "tours"}, world)


def tour_trainings(world: World) -> dict[str, Experiment]:
    """Return what trains agents along the tours of a world.

    Raises:
        InputError: nothing does.
    """
    if world.trainings:
        return {name: read_experiment(name) for name in world.trainings}
    kind = "ir2r" if world.name == "r2r" else world.name
    read = {name: read_experiment(name) for name in experiments() if _is_of(name, kind)}
    return _some({name: one for name, one in read.items() if one.learning.method == "tours"}, world)


def entrant_names(trainings: dict[str, Experiment]) -> dict[str, str]:
    """Return how the agents of trainings are called: as their models, or longer where models are the same.

    Example:
        >>> goal, fidelity = read_experiment("r4r-goal"), read_experiment("r4r-fidelity")
        >>> entrant_names({"r4r-goal": goal})
        {'r4r-goal': 'rcm'}
        >>> entrant_names({"r4r-goal": goal, "r4r-fidelity": fidelity})
        {'r4r-goal': 'rcm, goal', 'r4r-fidelity': 'rcm, fidelity'}
    """
    models = [one.model.name for one in trainings.values()]
    return {
        name: one.model.name
        if models.count(one.model.name) == 1
        else f"{one.model.name}, {training_label(name).partition('-')[2] or training_label(name)}"
        for name, one in trainings.items()
    }


def training_label(training: str) -> str:
    """Return the name of a training; of a file its stem.

    Example:
        >>> training_label("r4r-goal"), training_label("some/where/my.toml")
        ('r4r-goal', 'my')
    """
    return re.sub(r"\.toml$", "", training).rpartition("/")[2]


def _is_of(name: str, world: str) -> bool:
    return name.startswith(f"{world}-")


def _some(found: dict[str, Experiment], world: World) -> dict[str, Experiment]:
    if not found:
        raise InputError(
            f"nothing that comes with vlnscope trains such agents in the world {world.name}",
            expected=f"an experiment called {world.name}-…",
            fix="name a TOML file with --train",
        )
    return found
