"""One house, tiny cameras, and what vlnscope itself says of the same walks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import vlnscope as vs
import vlnscope.habitat as habitat
from vlnscope.habitat import dataset
from vlnscope.habitat.config import Config
from vlnscope.types import Decision

DATA = "houses-ce/{split}@1"
SPLIT = "val_unseen"
METRICS = {
    "distance_to_goal": "NE",
    "success": "SR",
    "spl": "SPL",
    "path_length": "TL",
    "oracle_success": "OSR",
    "oracle_spl": "oracle-SPL",
    "ndtw": "nDTW",
    "sdtw": "sDTW",
    "steps_taken": "steps",
}
"""Habitat's names of measures, and vlnscope's names of the metrics that are the same."""

Values = Mapping[str, float]
Scorer = Callable[..., dict[str, Values]]


class Drilled:
    """Does the same actions in every episode, then stops."""

    action_space = "vlnce"
    needs = ()

    def __init__(self, actions: Sequence[int]) -> None:
        self._actions = actions

    def act(self, observation: Any) -> Decision:
        if observation.step >= len(self._actions):
            return Decision.stop(observation)
        name = {1: "forward", 2: "left", 3: "right"}[self._actions[observation.step]]
        return Decision.choose(observation, observation.actions.index(name))


@pytest.fixture(scope="session", autouse=True)
def _one_house() -> Iterator[None]:
    """Let all environments share one house; each would take a second to build its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "open_dataset", cache(dataset.open_dataset))
        yield


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    """`vlnscope run`, then `vlnscope score --profile vlnce`: metrics by episode."""

    def scored(agent: Any, limit: int, **options: Any) -> dict[str, Values]:
        out = tmp_path_factory.mktemp("run")
        vs.run(agent, DATA.format(split=SPLIT), out=out, limit=limit, **options)
        return {row.episode_id: row.values for row in vs.score(out, profile="vlnce").rows()}

    return scored


@pytest.fixture(scope="session")
def shortest(scored: Scorer) -> dict[str, Values]:
    """What the first six walks of the agent `shortest` score, by episode."""
    return scored("shortest", 6)


def tiny(*overrides: str, name: str = "vlnce", width: int = 16, height: int = 12) -> Config:
    """A configuration of one house whose cameras draw next to nothing."""
    config = habitat.get_config(name, [f"habitat.dataset.data_path={DATA}", *overrides])
    with habitat.config.read_write(config):
        for sensor in config.habitat.simulator.agents.main_agent.sim_sensors.values():
            sensor.update(width=width, height=height)
    return config


@pytest.fixture
def tiny_config() -> Callable[..., Config]:
    """See `tiny`."""
    return tiny


@pytest.fixture
def env() -> Iterator[habitat.Env]:
    """An environment at the start of its first episode."""
    with habitat.Env(tiny()) as made:
        made.reset()
        yield made


def same(metrics: Mapping[str, Any], row: Values) -> None:
    """Compare what a loop measured with what vlnscope scores; the arithmetic is the same."""
    names = [name for name in METRICS if name in metrics]
    found = {name: metrics[name] for name in names}
    assert found == pytest.approx({name: row[METRICS[name]] for name in names}, abs=1e-9)
    if "collisions" in metrics:
        assert metrics["collisions"]["count"] == row["collisions"]


@pytest.fixture
def same_metrics() -> Callable[[Mapping[str, Any], Values], None]:
    """See `same`."""
    return same


@pytest.fixture
def drilled() -> Callable[[Sequence[int]], Drilled]:
    """See `Drilled`."""
    return Drilled


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
