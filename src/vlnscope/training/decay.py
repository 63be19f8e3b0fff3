"""Which parameters decay."""

from __future__ import annotations

from typing import Any

from torch import nn


def decayed_parts(model: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Return parameters with and without decay, as optimisers take them.

    Biases, the weights of norms and single numbers have none.

    Example:
        >>> [(len(part["params"]), part["weight_decay"]) for part in decayed_parts(nn.Linear(2, 3), 0.1)]
        [(1, 0.1), (1, 0.0)]
    """
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [
        {"params": [p for p in learned if p.ndim > 1], "weight_decay": decay},
        {"params": [p for p in learned if p.ndim <= 1], "weight_decay": 0.0},
    ]
