"""`learned`: a trained model as an agent, from a checkpoint file.

Nothing here imports torch before an agent is made, so that all else works without it.
"""

from __future__ import annotations

from typing import Any

from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.core.exceptions import MissingPackageError


def make(file: str, features: str, seed: int) -> Any:
    """Make the agent of a checkpoint; it makes no random choices.

    Raises:
        InputError: torch is not installed, or the checkpoint cannot be used.
    """
    try:
        import torch as torch
    except ImportError:
        raise MissingPackageError("torch", "learn", "learned agents need") from None
    from vlnscope.agents.learned.agent import LearnedAgent

    return LearnedAgent.from_file(file, features)


register_agent(
    AgentSpec(
        name="learned",
        summary="a trained model, from a checkpoint",
        make=make,
        options={
            "file": Option(str, "model.pt", "the checkpoint, as training writes it"),
            "features": Option(str, "", "name of image features; those that it was trained with if empty"),
        },
    )
)
