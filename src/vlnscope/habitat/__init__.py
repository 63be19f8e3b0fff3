"""The part of Habitat's API that evaluation loops call, on vlnscope's own scenes and simulator.

A loop runs here after its import lines are changed::

    import vlnscope.habitat as habitat
    from vlnscope.habitat.config import read_write
    from vlnscope.habitat.tasks.nav.shortest_path_follower import ShortestPathFollower

or, without any change, by ``python -m vlnscope.habitat SCRIPT``. Modules have Habitat's addresses below this
package; what is not covered raises `NotCoveredError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vlnscope.habitat import addresses

if TYPE_CHECKING:
    from vlnscope.habitat.addresses import logger
    from vlnscope.habitat.config.files import get_config
    from vlnscope.habitat.config.node import Config
    from vlnscope.habitat.dataset import make_dataset
    from vlnscope.habitat.env import Env
    from vlnscope.habitat.rl_env import RLEnv
    from vlnscope.habitat.simulator import Simulator
    from vlnscope.habitat.vector_env import VectorEnv

stand_in = addresses.stand_in

__all__ = [
    "Config",
    "Env",
    "RLEnv",
    "Simulator",
    "VectorEnv",
    "get_config",
    "logger",
    "make_dataset",
    "stand_in",
]

addresses.lay_out()


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return addresses.found("", name)
