"""`learned`: a trained model as an agent, from a checkpoint file.

Nothing here imports torch before an agent is made, so that all else works without it.
"""

from __future__ import annotations

from typing import Any

from vlnscope.agents.spec import DEVICE, AgentSpec, Option, register_agent
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import MissingPackageError


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

    return LearnedAgent.from_file(file, features, grid, words, model, device, max_tokens, max_actions, sizes)


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
        },
    )
)
