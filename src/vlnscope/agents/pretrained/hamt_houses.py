"""The agent that comes with vlnscope ready to run: HAMT, trained on generated houses alone.

It sees houses through ``features:houses-views``. How it was trained: docs/houses-agents.md.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from vlnscope.agents.pretrained.checkpoint import make
from vlnscope.agents.spec import DEVICE, AgentSpec, register_agent
from vlnscope.core.devices import AUTO


def weights_file() -> Path:
    """Return the checkpoint that comes with vlnscope."""
    return Path(str(resources.files("vlnscope.agents.learned") / "weights" / "hamt_houses.pt"))


def make_shipped(seed: int, device: str = AUTO) -> Any:
    """Make the agent; it makes no random choices.

    Raises:
        InputError: torch is not installed, or the device cannot be used.
    """
    return make(str(weights_file()), "houses-views", seed, device=device)


register_agent(
    AgentSpec(
        name="hamt-houses",
        summary="HAMT, trained on generated houses; sees them through pictures (needs torch)",
        make=make_shipped,
        options={"device": DEVICE},
    )
)
