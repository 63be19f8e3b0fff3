"""`learned`: a trained model as an agent, from a checkpoint file.

Nothing here imports torch before an agent is made, so that all else works without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vlnscope.agents.spec import DEVICE, AgentSpec, Option, register_agent
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError, MissingPackageError


def make(
    file: str,
    features: str,
    seed: int,
    grid: str = "",
    words: str = "",
    model: str = "",
    device: str = AUTO,
    max_tokens: int = 0,
    max_actions: int = 0,
    sizes: str = "",
    memory: str = "",
    clouds: str = "",
) -> Any:
    """Make the agent of a checkpoint; it makes no random choices.

    Raises:
        InputError: torch is not installed, or the checkpoint or the device cannot be used.
    """
    try:
        import torch as torch
    except ImportError:
        raise MissingPackageError("torch", "learn", "learned agents need") from None
    from vlnscope.agents.learned.agent import LearnedAgent
    from vlnscope.agents.learned.cma.agent import PolicyAgent, holds_policy

    on_graphs = {"features": features, "grid": grid, "words": words, "max_actions": max_actions}
    on_graphs |= {"model": model, "max_tokens": max_tokens, "sizes": sizes}
    if holds_policy(file):
        _refuse(file, on_graphs, "walks in continuous space, with the cameras that it was trained with")
        return PolicyAgent.from_file(file, memory=memory, clouds=clouds, device=device)
    _refuse(file, {"memory": memory, "clouds": clouds}, "is not one of ours that sees maps")
    return LearnedAgent.from_file(file, features, grid, words, model, device, max_tokens, max_actions, sizes)


def _refuse(file: str, options: Mapping[str, Any], why: str) -> None:
    """Refuse options that the agent of a checkpoint has no use for."""
    if unused := [name for name, value in options.items() if value]:
        raise InputError(
            f"{file}: {' and '.join(unused)} cannot be set: the agent {why}",
            expected="options that it knows",
            fix=f"leave {' and '.join(unused)} out",
        )


register_agent(
    AgentSpec(
        name="learned",
        summary="a trained model, from a checkpoint",
        make=make,
        options={
            "file": Option(
                str, "model.pt", "the checkpoint, ours or public; several files of one model as A+B"
            ),
            "features": Option(str, "", "name of image features; those that it was trained with if empty"),
            "grid": Option(str, "", "name of grid features, for a model that looks at them; likewise"),
            "words": Option(str, "", "vocabulary of a public checkpoint: vocab.txt of BERT, train_vocab.txt"),
            "model": Option(str, "", "which model a public checkpoint is of; found out if empty"),
            "device": DEVICE,
            "max_tokens": Option(int, 0, "words or word pieces that it reads; as the model has it if 0"),
            "max_actions": Option(
                int, 0, "decisions per episode of a model with a map, which then stops; likewise"
            ),
            "sizes": Option(
                str, "", "of a public checkpoint, what its weights do not show: begin:last+keeps_map:true"
            ),
            "memory": Option(
                str, "", "how long maps last: episodic, iterative or known; as in training if empty"
            ),
            "clouds": Option(str, "", "folder with a known map of each scene, SCAN.npz"),
        },
    )
)
