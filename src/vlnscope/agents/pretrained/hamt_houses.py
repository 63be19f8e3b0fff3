"""The agent that comes with vlnscope ready to run: HAMT, trained on generated houses alone.

It sees houses through ``features:houses-views``. How it was trained: docs/houses-agents.md.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from vlnscope.agents.pretrained.checkpoint import make
from vlnscope.agents.spec import AgentSpec, register_agent


def weights_file() -> Path:
    """Return the checkpoint that comes with vlnscope."""
    return Path(str(resources.files("vlnscope.agents.learned") / "weights" / "hamt_houses.pt"))


def make_shipped(seed: int) -> Any:
    """Make the agent; it makes no random choices.

    Raises:
        InputError: torch is not installed.
    """
    return make(str(weights_file()), "houses-views", seed)


register_agent(
    AgentSpec(
        name="hamt-houses",
        summary="HAMT, trained on generated houses; sees them through pictures (needs torch)",
        make=make_shipped,
    )
)
