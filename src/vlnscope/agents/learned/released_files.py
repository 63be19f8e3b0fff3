"""What files of weights hold as they are released: the parts of a model, and the weights of each by name.

A file may hold all parts (``{'vln_bert': {'state_dict': …}, 'critic': …}``, ``{'encoder': …, 'decoder': …}``)
or one of them: a plain state dict, or one under ``state_dict``. ``module.`` before names is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from torch import Tensor

WHOLE = ""
"""The name of the part that a plain state dict holds."""

Parts = dict[str, dict[str, Tensor]]


def parts_of(content: Mapping[Any, Any]) -> Parts:
    """Return the weights of each part that a file holds, as `read_content` returns it.

    Example:
        >>> weight = Tensor([1.0])
        >>> list(parts_of({"encoder": {"state_dict": {"module.w": weight}}, "epoch": 3})["encoder"])
        ['w']
        >>> list(parts_of({"w": weight})[""])
        ['w']
    """
    inside = content.get("state_dict")
    whole = inside if isinstance(inside, Mapping) else content
    nested = {part: _weights(its) for part, its in whole.items() if isinstance(part, str)}
    if found := {part: weights for part, weights in nested.items() if weights}:
        return found
    return {WHOLE: _weights(whole)}


def _weights(content: Any) -> dict[str, Tensor]:
    inside = content.get("state_dict", content) if isinstance(content, Mapping) else None
    if not isinstance(inside, Mapping):
        return {}
    return {
        key.removeprefix("module."): value
        for key, value in inside.items()
        if isinstance(key, str) and isinstance(value, Tensor)
    }


def named_weights(
    contents: Sequence[Mapping[Any, Any]], known: Mapping[str, Collection[str]]
) -> dict[str, Tensor]:
    """Return the weights of files as ``part/key``.

    A plain state dict is the part with which it has most names in common.

    Args:
        contents: what the files hold.
        known: names of weights that a model has, by part.
    """
    named: dict[str, Tensor] = {}
    for content in contents:
        for part, weights in parts_of(content).items():
            place = part or max(known, key=lambda name: len(weights.keys() & set(known[name])), default="")
            named |= {f"{place}/{key}": weight for key, weight in weights.items()}
    return named
