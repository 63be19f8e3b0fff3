"""Navigation as gymnasium environments.

    import gymnasium
    env = gymnasium.make("vlnscope.engine.gym:vlnscope/Nav-v0", data="r2r/train", root="~/vln-data")
    env = gymnasium.make("vlnscope.engine.gym:vlnscope/NavCE-v0", data="houses-ce/train@1")
    envs = gymnasium.make_vec("vlnscope.engine.gym:vlnscope/NavCEVector-v0", num_envs=64)

Importing this package registers them.

==============  ====================================================
`graph_env`     one agent on the graph of a scene
`space_env`     one agent in continuous space
`space_vector`  many agents in continuous space, moved together
`space_task`    what those in continuous space share
`sensors`       cameras as spaces, and pictures of many agents
`walks`         how walks are measured and rewarded
==============  ====================================================
"""

from __future__ import annotations

from vlnscope.core.exceptions import MissingPackageError

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise MissingPackageError("gymnasium", "gym", "the environment needs") from error

from vlnscope.engine.gym.graph_env import NavEnv
from vlnscope.engine.gym.space_env import NavCEEnv
from vlnscope.engine.gym.space_vector import NavCEVectorEnv

__all__ = ["CE_ID", "CE_VECTOR_ID", "ID", "NavCEEnv", "NavCEVectorEnv", "NavEnv", "register"]

ID = "vlnscope/Nav-v0"
CE_ID = "vlnscope/NavCE-v0"
CE_VECTOR_ID = "vlnscope/NavCEVector-v0"


def register() -> None:
    """Make the environments known to ``gymnasium.make``; importing this package does so."""
    many = f"{__name__}:NavCEVectorEnv"
    if ID not in gymnasium.registry:
        gymnasium.register(ID, entry_point=f"{__name__}:NavEnv")
    if CE_ID not in gymnasium.registry:
        gymnasium.register(CE_ID, entry_point=f"{__name__}:NavCEEnv", vector_entry_point=many)
    if CE_VECTOR_ID not in gymnasium.registry:
        gymnasium.register(CE_VECTOR_ID, vector_entry_point=many)


register()
